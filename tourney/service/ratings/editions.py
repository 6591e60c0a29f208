"""Editions of a pool's ratings: published as of a day, listed, shown as published, corrected, and calibrated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import combinations
from math import sqrt
from typing import Final

from tourney import storage
from tourney.domain.database import CODE_LENGTH
from tourney.domain.editions import (
    CorrectedRow,
    Correction,
    CountedGames,
    Edition,
    PublishedEdition,
    PublishedRow,
    ShownEdition,
)
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.pools import Pool
from tourney.domain.rankings import ALL_GAMES, ROUNDING, Calibration, CalibrationBin
from tourney.ratings.fold import Fold
from tourney.ratings.forecast import win_probability
from tourney.ratings.parameters import Parameters
from tourney.service.change import Change
from tourney.service.lookup import iso_date
from tourney.service.ratings.pools import find_pool, history_of, make_pool, open_history, unpublished
from tourney.service.ratings.rating_cache import day_of, parameters_of
from tourney.service.ratings.rating_filter import FilteredGame, filtered_games
from tourney.service.ratings.ratings import counted_games, differing, known_games, names_by_number, published_table
from tourney.text.dates import shown_dates
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument

BINS: Final = 5
"""The bins of the favourite's probability, from a half to 1."""


class _Bin:
    """The pairs of a bin so far."""

    def __init__(self) -> None:
        self.pairs = 0
        self.predicted = self.happened = 0.0

    def add(self, probability: float, outcome: float) -> None:
        """Add a pair whose favourite was expected to finish ahead with this probability."""
        self.pairs += 1
        self.predicted += probability
        self.happened += outcome

    def closed(self, place: int) -> CalibrationBin:
        """Return the finished bin."""
        low, high = (0.5 + 0.5 * end / BINS for end in (place, place + 1))
        share = self.happened / self.pairs
        error = sqrt(share * (1.0 - share) / self.pairs)
        return CalibrationBin(low, high, self.pairs, self.predicted / self.pairs, share, error)


def calibration(db: str | None, pool: str = "people") -> Calibration:
    """Return the calibration of a pool over all pairs of players who had both played before.

    Raises TourneyError NOT_FOUND for an unknown pool; REFUSED if there is no such pair, and where numbers overflow.
    """
    bins = [_Bin() for _ in range(BINS)]
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        fold = Fold(parameters_of(found))
        for game in filtered_games(reader, found, history, ALL_GAMES):
            fold.advance_to(day_of(found, game.day))
            _add_pairs(bins, fold, game, parameters_of(found).beta)
            fold.add(game.players, game.places)
    closed = tuple(each.closed(place) for place, each in enumerate(bins) if each.pairs)
    if not closed:
        message = _("no two players of {pool} met who had both played before").format(pool=found.name)
        raise TourneyError(ExitCode.REFUSED, message, _("come back after more games"))
    return Calibration(found, fold.games, closed)


def _add_pairs(bins: list[_Bin], fold: Fold, game: FilteredGame, beta: float) -> None:
    ratings = [fold.rating(player, fold.day) for player in game.players]
    known = [(rating, place) for rating, place in zip(ratings, game.places, strict=True) if rating.games]
    for (one, place), (other, behind) in combinations(known, 2):
        probability = win_probability((one.mu, one.sigma), (other.mu, other.sigma), beta)
        ahead = 0.5 if place == behind else float(place < behind)
        favourite, outcome = (probability, ahead) if probability >= 0.5 else (1.0 - probability, 1.0 - ahead)
        bins[min(BINS - 1, int((favourite - 0.5) * 2 * BINS))].add(favourite, outcome)


_OF_RESULTS = frozenset(
    {"result.enter", "result.correct", "result.void", "round.cancel", "round.substitute", "event.delete"}
)
"""The kinds of entries that change the games of their event."""
_SETTINGS_OF_GAMES = frozenset({"date", "substitutes"})
"""The settings by which an event's games change their day or their players."""


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
    is_set = entry.kind == "event.set" and not _SETTINGS_OF_GAMES.isdisjoint(payload["changes"])
    return {payload["event"]} if is_set or entry.kind in _OF_RESULTS else set()


@dataclass(frozen=True, slots=True)
class PublishEdition(Change[ShownEdition]):
    """Publish the ratings of a pool as of a day as its next edition: all ranks, or the first `top`.

    Raises TourneyError NOT_FOUND for an unknown pool; REFUSED for what is not a date, a day to come, a day before that
    of the last edition, a pool without games up to that day, and a file without dates; CONFLICT if the edition would be
    the last one again.
    """

    pool: str
    as_of: str
    top: int | None = None

    def perform(self, store: storage.Store) -> ShownEdition:
        """Return the new edition."""
        number, pool = find_pool(store, self.pool)
        editions = store.pools.editions(pool.name)
        day = _day(iso_date(self.as_of), pool, editions)
        edition = self._edition(store, pool, history_of(store, number, pool), day, editions)
        if editions:
            _refuse_repeated(edition, editions[-1].edition)
        published = store.pools.publish(edition, pool.kind, number)
        return _shown(store, pool, (*editions, published), published)

    def _edition(
        self,
        store: storage.Store,
        pool: Pool,
        history: storage.History,
        day: str,
        editions: Sequence[PublishedEdition],
    ) -> Edition:
        games = counted_games(pool, history, day)
        if not games:
            message = _("no game of the pool {pool} was played up to {day}").format(
                pool=pool.name, day=shown_dates(day)
            )
            raise TourneyError(
                ExitCode.REFUSED,
                message,
                _("see its games with `tourney ratings{pool}`").format(pool=_pool_option(pool)),
            )
        # Editions of whole games and of hands count different things.
        alike = [published for published in editions if published.edition.unit == pool.unit]
        changed = differing(known_games(alike), games)
        number_of_games, rows = published_table(store, pool, history, day, self.top)
        number, before = store.pools.next_edition(pool.name), _ranks_before(store, pool, editions)
        corrected = tuple(corrections(store, pool, history, alike, changed))
        table = number_of_games, pool.parameters, rows, before, corrected, changed, pool.unit
        return Edition(pool.name, number, day, self.top, *table)


def list_editions(db: str | None, pool: str = "people") -> tuple[ShownEdition, ...]:
    """Return the editions of a pool, the oldest first. Raises TourneyError NOT_FOUND for an unknown pool."""
    with storage.reading(db) as reader:
        _number, found = find_pool(reader, pool)
        editions = reader.pools.editions(found.name)
        return tuple(_shown(reader, found, editions, published) for published in editions)


def edition(db: str | None, number: int | None = None, pool: str = "people") -> ShownEdition:
    """Return the edition of that number, by default the last one, as it was published.

    Raises TourneyError NOT_FOUND for an unknown pool, and for an edition that the pool does not have.
    """
    with storage.reading(db) as reader:
        _number, found = find_pool(reader, pool)
        editions = reader.pools.editions(found.name)
        wanted = [published for published in editions if number in (None, published.edition.number)]
        if not wanted:
            raise _no_edition(found, number, editions)
        return _shown(reader, found, editions, wanted[-1])


def _no_edition(pool: Pool, number: int | None, editions: Sequence[PublishedEdition]) -> TourneyError:
    option = _pool_option(pool)
    if not editions:
        message = _("the pool {pool} has no edition yet").format(pool=pool.name)
        hint = _("publish one with `tourney rating publish{pool} --as-of {day}`")
        return TourneyError(ExitCode.NOT_FOUND, message, hint.format(pool=option, day=_today().isoformat()))
    message = _("the pool {pool} has no edition {number}").format(pool=pool.name, number=number)
    hint = _("see which there are with `tourney rating editions{pool}`").format(pool=option)
    return TourneyError(ExitCode.NOT_FOUND, message, hint)


def _day(day: str, pool: Pool, editions: Sequence[PublishedEdition]) -> str:
    """Return the day of a new edition. Raises TourneyError REFUSED for a day to come, or before the last edition."""
    if not day:
        raise TourneyError(ExitCode.REFUSED, _("the day of the edition is missing"), _("give one with --as-of"))
    if day > (today := _today().isoformat()):
        message = _("{day} is still to come").format(day=shown_dates(day))
        raise TourneyError(ExitCode.REFUSED, message, _("publish up to today with --as-of {day}").format(day=today))
    if editions and day < (last := editions[-1].edition).as_of:
        message = _("{day} is before edition {number} of the pool {pool}, which is as of {last}").format(
            day=shown_dates(day), number=last.number, pool=pool.name, last=shown_dates(last.as_of)
        )
        hint = _("give that day or a later one; an edition lists the corrections of earlier ones by itself")
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return day


def _today() -> date:
    """Return today here or in UTC, whichever is later: events without a date have the day in UTC."""
    now = datetime.now(UTC)
    return max(now.date(), now.astimezone().date())


def _refuse_repeated(new: Edition, last: Edition) -> None:
    """Raise TourneyError CONFLICT if nothing is new since the last edition of the same day."""
    if (new.as_of, new.rows, new.corrections) == (last.as_of, last.rows, ()):
        message = _("edition {number} of the pool {pool} is the same already, as of {day}").format(
            number=last.number, pool=last.pool, day=shown_dates(last.as_of)
        )
        hint = _("see it with `tourney rating edition {number}{pool}`").format(
            number=last.number, pool=_pool_option(new)
        )
        raise TourneyError(ExitCode.CONFLICT, message, hint)


def _pool_option(pool: Pool | Edition) -> str:
    """Return the option that names a pool; "" for the pool of people, which commands mean without it."""
    name = pool.name if isinstance(pool, Pool) else pool.pool
    return "" if name == "people" else f" --pool {quote_argument(name)}"


def _ranks_before(reader: storage.Reader, pool: Pool, editions: Sequence[PublishedEdition]) -> dict[int, int]:
    """Return the ranks of the last edition by player, whatever players were merged since."""
    if not editions:
        return {}
    merged = reader.people.merged() if pool.kind != "imported" else {}
    ranks: dict[int, int] = {}
    for row in editions[-1].edition.rows:
        player = storage.survivor(row.player, merged)
        ranks[player] = min(row.rank, ranks.get(player, row.rank))
    return ranks


def _shown(
    reader: storage.Reader, pool: Pool, editions: Sequence[PublishedEdition], published: PublishedEdition
) -> ShownEdition:
    place, number = editions.index(published), published.edition.number
    later = (each.edition for each in editions[place + 1 :])
    corrected_in = (each.number for each in later if number in {corrected.edition for corrected in each.corrections})
    before = editions[place - 1].edition.number if place else None
    shown = replace(published, edition=_without(published.edition, unpublished(reader, pool)))
    return ShownEdition(shown, published.head[:CODE_LENGTH], before, names_by_number(reader, pool), tuple(corrected_in))


def _without(edition: Edition, hidden: Collection[str]) -> Edition:
    """Return an edition without the players whom rankings do not show."""
    if not hidden:
        return edition
    return replace(
        edition,
        rows=tuple(row for row in edition.rows if str(row.player) not in hidden),
        ranks_before={player: rank for player, rank in edition.ranks_before.items() if str(player) not in hidden},
        corrections=tuple(
            replace(each, rows=tuple(row for row in each.rows if str(row.player) not in hidden))
            for each in edition.corrections
        ),
    )
