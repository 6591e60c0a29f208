"""Ratings: the players of a pool by score with rank intervals, as of a day, and the games that an edition counts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import groupby
from operator import attrgetter

from tourney import storage
from tourney.domain.editions import CountedGames, PublishedEdition, PublishedRow
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.pools import Pool
from tourney.domain.rankings import BY_SCORE, RankingQuantity, RatingFilter, RatingRow, RatingsTable
from tourney.ratings.model import ranking
from tourney.ratings.readings import ranked
from tourney.service.ratings.open_pool import OpenPool, from_pool
from tourney.service.ratings.pools import UNPUBLISHED, event_pools, find_pool, open_history, shown_names, unpublished
from tourney.service.ratings.rating_cache import current_fold
from tourney.service.ratings.rating_filter import Readings, filtered_fold, readings
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, ngettext
from tourney.text.names import name_order
from tourney.text.numbers import Number

DIGITS = 16
"""The digits of a digest that an edition keeps."""


def counted_games(pool: Pool, history: storage.History, day: str) -> tuple[CountedGames, ...]:
    """Return the games of a pool up to that day, in the order of rating.

    Raises TourneyError REFUSED for a file in which not all games have a date.
    """
    counted = []
    for of, group in groupby(history.batches(pool.kind), attrgetter("of")):
        batches = list(group)
        days = [each for batch in batches for _games, each in history.days(batch)]
        if "" in days:
            message = _("not all games of {pool} have a date in their file").format(pool=pool.name)
            hint = _("an edition needs one: import a file with a column date into another pool")
            raise TourneyError(ExitCode.REFUSED, message, hint)
        if days and min(days) <= day:
            counted.append(CountedGames(of, min(days), _digest(batches)))
    return tuple(counted)


def known_games(editions: Iterable[PublishedEdition]) -> dict[int, CountedGames]:
    """Return the games that the last of these editions has counted, by event or file."""
    known: dict[int, CountedGames] = {}
    for published in editions:
        known |= {games.of: games for games in published.edition.counted}
    return {of: games for of, games in known.items() if games.digest}


def differing(known: Mapping[int, CountedGames], now: Sequence[CountedGames]) -> tuple[CountedGames, ...]:
    """Return the games that are not as they were known; those that are gone have their former day and no digest."""
    there = {games.of for games in now}
    changed = (games for games in now if known.get(games.of) != games)
    gone = (CountedGames(games.of, games.day, "") for games in known.values() if games.of not in there)
    return (*changed, *gone)


def _digest(batches: Iterable[storage.GameBatch]) -> str:
    text = "\n".join(f"{batch.round} {batch.games} {batch.digest}" for batch in batches)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def published_table(
    reader: storage.Reader, pool: Pool, history: storage.History, day: str, top: int | None
) -> tuple[int, tuple[PublishedRow, ...]]:
    """Return the number of games up to that day, and the rows down to rank `top`, as the listing `--as-of` has them.

    Raises TourneyError REFUSED where the numbers overflow.
    """
    rating_filter = RatingFilter(until=day, day=day)
    fold = filtered_fold(reader, pool, history, rating_filter)
    own, reading, _day = readings(reader, pool, history, rating_filter, fold)
    numbers = _numbers(reader, pool) if pool.kind == "imported" else {key: int(key) for key in own}
    rows = (
        PublishedRow(numbers[row.player], row.rank, repr(row.mu), repr(row.sigma), row.games, *interval)
        for row, interval in ranked(own, reading)
        if top is None or row.rank <= top
    )
    return fold.games, tuple(sorted(rows, key=lambda row: (row.rank, row.player)))


def names_by_number(reader: storage.Reader, pool: Pool) -> dict[int, str]:
    """Return today's names by the numbers of an edition's players; a merged player has their last own name."""
    if pool.kind == "imported":
        return {number: name for name, number in _numbers(reader, pool).items()}
    published = reader.people.published()
    everybody = (*reader.people.players(), *reader.people.gone())
    return {player.id: published.get(player.id, player.shown) or UNPUBLISHED for player in everybody}


def _numbers(reader: storage.Reader, pool: Pool) -> Mapping[str, int]:
    """Return the number of each name of an imported pool, as the files first name them."""
    number, _pool = find_pool(reader, pool.name)
    return {} if number is None else reader.pools.imported_names(number)


def ratings(db: str | None, pool: str = "people", by: RankingQuantity = BY_SCORE) -> RatingsTable:
    """Return the ratings of a pool, the best first: people, bots, joint, or an imported pool.

    Tables are rated in the order of event date, event, round and table, and again only after a change. Where
    sigma grows with the calendar, all ratings are as of the day of the pool's last game.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED where the numbers overflow.
    """

    return from_pool(db, pool, lambda opened: table_of(opened, opened.readings(opened.fold()), by))


def table_of(opened: OpenPool, found: Readings, by: RankingQuantity = BY_SCORE) -> RatingsTable:
    """Return the ratings of an open pool from the readings of its games."""
    notes = _notes(opened.reader, opened.pool, opened.history)
    return _table(opened.reader, opened.pool, found, notes, by)


def filtered_ratings(
    db: str | None, pool: str, rating_filter: RatingFilter, by: RankingQuantity = BY_SCORE
) -> RatingsTable:
    """Return the ratings a pool would have if only the games that pass the filter had been played; they are not cached.

    Raises TourneyError as `ratings` and `filtered_fold` do.
    """
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        fold = filtered_fold(reader, found, history, rating_filter)
        note = ngettext("{count} game of the pool counts here.", "{count} games of the pool count here.", fold.games)
        found_readings = readings(reader, found, history, rating_filter, fold)
        table = _table(reader, found, found_readings, (note.format(count=fold.games),), by)
        return replace(table, rating_filter=rating_filter)


def pool_rows(reader: storage.Reader, pool: Pool, history: storage.History) -> dict[str, RatingRow]:
    """Return the rows of a pool by key, with these games as this transaction sees them, without caching them."""
    fold = current_fold(reader, pool, history).fold
    return {row.player: row for row in ranking(fold.ratings(fold.day))}


def _notes(reader: storage.Reader, pool: Pool, history: storage.History) -> tuple[str, ...]:
    if pool.unit == "hand":
        return (_("This pool rates each hand as a game: Games and Wins count hands."),)
    if pool.kind in ("joint", "imported"):
        return ()
    mixed = sum(batch.games for batch in history.batches("joint"))
    if not mixed:
        return ()
    if any(known.kind == "joint" for known in event_pools(reader)):
        text = ngettext(
            "{count} table of people and bots counts in the joint pool only.",
            "{count} tables of people and bots count in the joint pool only.",
            mixed,
        )
    else:
        text = ngettext(
            "{count} table of people and bots is not rated: open the joint pool with `tourney rating pool --open`.",
            "{count} tables of people and bots are not rated: open the joint pool with `tourney rating pool --open`.",
            mixed,
        )
    return (text.format(count=mixed),)


def _table(
    reader: storage.Reader, pool: Pool, found: Readings, notes: tuple[str, ...], by: RankingQuantity
) -> RatingsTable:
    names, hidden = shown_names(reader, pool), unpublished(reader, pool)
    rows = ranked(found.own, found.cautious, by, lambda key: names.get(key, key), name_order, hidden)
    return RatingsTable(
        pool,
        tuple(row for row, _interval in rows),
        (*notes, *_growth_note(pool, found.day), *hidden_note(len(hidden & found.own.keys()))),
        reader.journal.head()[1],
        tuple(interval for _row, interval in rows),
        by=by,
    )


def hidden_note(hidden: int) -> tuple[str, ...]:
    """Return a note on how many players are not published."""
    text = ngettext("{number} player is not published.", "{number} players are not published.", hidden)
    return (text.format(number=hidden),) if hidden else ()


def _growth_note(pool: Pool, day: int) -> tuple[str, ...]:
    """Return a note on the day until which sigma has grown; never today, or the listing would change overnight."""
    if not (pool.ages and day):
        return ()
    text = _("A year without a game adds {absence:g}² to sigma²; sigma has grown until {day}.")
    return (text.format(absence=Number(pool.absence), day=shown_dates(date.fromordinal(day).isoformat())),)
