"""Corrections of earlier editions: the rows that changes made since would alter, and which changes they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from tourney import storage
from tourney.domain.editions import CorrectedRow, Correction, CountedGames, Edition, PublishedEdition, PublishedRow
from tourney.domain.rankings import ROUNDING, Pool
from tourney.ratings.parameters import Parameters
from tourney.service.ratings.counted_games import known_games
from tourney.service.ratings.pools import make_pool
from tourney.service.ratings.published_table import published_table

_OF_RESULTS = frozenset({"result.enter", "result.correct", "result.void", "round.cancel"})
"""The kinds of entries that change the games of their event."""


def corrections(
    reader: storage.Reader,
    pool: Pool,
    history: storage.History,
    editions: Sequence[PublishedEdition],
    changed: Sequence[CountedGames],
) -> Iterator[Correction]:
    """Yield the corrections of these editions that none of them lists; `changed` are the games that differ since.

    Each edition is rated again with the parameters that it was published with. Raises TourneyError REFUSED where the
    numbers overflow.
    """
    known = known_games(editions)
    days = {games.of: min(games.day, known.get(games.of, games).day) for games in changed}
    changes = _changes(reader, pool, editions, days)
    for published in editions:
        earlier = published.edition
        altered = [of for of, day in days.items() if day <= earlier.as_of]
        if not altered:
            continue
        parameters = Parameters(**{name: float(text) for name, text in earlier.parameters.items()})
        rated = make_pool(pool.name, pool.kind, parameters, earlier.unit)
        _games, rows = published_table(reader, rated, history, earlier.as_of, earlier.top)
        different = tuple(_differing(_corrected(earlier, editions), {row.player: row for row in rows}))
        if different:
            numbers = sorted({number for of in altered for number in changes[of]})
            yield Correction(earlier.number, tuple(numbers), different)


def _corrected(edition: Edition, editions: Sequence[PublishedEdition]) -> dict[int, PublishedRow]:
    """Return the rows of an edition by player, with all corrections that these editions list."""
    rows = {row.player: row for row in edition.rows}
    for published in editions:
        for correction in published.edition.corrections:
            if correction.edition == edition.number:
                rows = {**rows, **{row.player: row.after for row in correction.rows if row.after is not None}}
                for row in correction.rows:
                    if row.after is None:
                        del rows[row.player]
    return rows


def _differing(before: Mapping[int, PublishedRow], after: Mapping[int, PublishedRow]) -> Iterator[CorrectedRow]:
    """Yield the rows that differ by more than rounding, those of `after` first."""
    for player in (*after, *(player for player in before if player not in after)):
        old, new = before.get(player), after.get(player)
        if old is None or new is None or not _equal(old, new):
            yield CorrectedRow(player, old, new)


def _equal(old: PublishedRow, new: PublishedRow) -> bool:
    """Return whether two rows say the same, whatever the last digits of their ratings."""
    pairs = ((old.mu, new.mu), (old.sigma, new.sigma))
    near = all(abs(float(mine) - float(other)) <= ROUNDING for mine, other in pairs)
    return near and replace(new, mu=old.mu, sigma=old.sigma) == old


def _changes(
    reader: storage.Reader, pool: Pool, editions: Sequence[PublishedEdition], altered: Mapping[int, str]
) -> Mapping[int, list[int]]:
    """Return the numbers of the entries since the last edition that changed these games, by event or file.

    An entry that was taken back since then is left out, together with the undo.
    """
    found: dict[int, list[int]] = defaultdict(list)
    since = editions[-1].entry if editions else 0
    made_before: dict[str, set[int]] = defaultdict(set)
    events = () if pool.kind == "imported" else altered
    numbers = {number for number, known in reader.pools.all().items() if known.name == pool.name}
    for entry in reader.journal.entries_about((), events) if altered else ():
        if entry.state in ("takes back", "puts back"):
            touched = made_before[entry.payload["batch"]] if entry.number > since else set()
        else:
            touched = _touched(entry, pool, altered, numbers)
            if entry.number <= since:
                made_before[entry.batch] |= touched
                continue
        if entry.state != "undone":
            for of in touched:
                found[of].append(entry.number)
    return found


def _touched(entry: storage.LoggedEntry, pool: Pool, altered: Collection[int], numbers: Collection[int]) -> set[int]:
    """Return the events, or for a pool of files the imports, whose games an entry changes; an alias changes all."""
    payload = entry.payload
    if entry.kind == "rating.import":
        return {payload["import"], *payload.get("replaces", ())} if pool.kind == "imported" else set()
    if entry.kind == "rating.remove":
        return set(payload["imports"]) if pool.kind == "imported" else set()
    if entry.kind == "rating.alias":
        return set(altered) if pool.kind == "imported" and payload["pool"] in numbers else set()
    if pool.kind == "imported":
        return set()
    if entry.kind == "player.merge":
        return set(payload["events"])
    dated = entry.kind == "event.set" and "date" in payload["changes"]
    return {payload["event"]} if dated or entry.kind in _OF_RESULTS else set()
