"""Ratings: the players of a pool by score, with rank intervals."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.domain.rankings import Pool, RatingFilter, RatingRow, RatingsTable
from tourney.ratings.fold import Fold
from tourney.ratings.intervals import rank_intervals
from tourney.ratings.model import ranking
from tourney.service.ratings.pools import event_pools, find_pool, history_of, open_history, shown_names
from tourney.service.ratings.rating_cache import current_fold, day_of
from tourney.service.ratings.rating_filter import filtered_fold
from tourney.text.dates import shown_dates
from tourney.text.i18n import _, ngettext
from tourney.text.names import name_order
from tourney.text.numbers import Number


def ratings(db: str | None, pool: str = "people") -> RatingsTable:
    """Return the ratings of a pool, best score first: people, bots, joint, or an imported pool.

    Tables are rated in the order of event date, event, round and table, and again only after a change. Where
    sigma grows with the calendar, all ratings are as of the day of the pool's last game.

    Raises TourneyError NOT_FOUND for an unknown pool, REFUSED where the numbers overflow.
    """
    _keep_rounds(db, pool)
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        cached = current_fold(reader, found, history)
        table = _table(reader, found, cached.fold, cached.fold.day, _notes(reader, found, history))
    if cached.new:
        _write_cache(db, lambda store: store.keep_checkpoints(found.name, cached.new, cached.keep))
    return table


def filtered_ratings(db: str | None, pool: str, rating_filter: RatingFilter) -> RatingsTable:
    """Return the ratings a pool would have if only the games that pass the filter had been played; they are not cached.

    Raises TourneyError as `ratings` and `filtered_fold` do.
    """
    with storage.reading(db) as reader:
        found, history = open_history(reader, pool)
        fold = filtered_fold(reader, found, history, rating_filter)
        day = day_of(found, rating_filter.day) if rating_filter.day else fold.day
        note = ngettext("{count} game of the pool counts here.", "{count} games of the pool count here.", fold.games)
        table = _table(reader, found, fold, day, (note.format(count=fold.games),))
        return replace(table, rating_filter=rating_filter)


def pool_rows(reader: storage.Reader, number: int | None, pool: Pool) -> tuple[RatingRow, ...]:
    """Return the rows of one of `known_pools` as this transaction sees them, without caching them."""
    fold = current_fold(reader, pool, history_of(reader, number, pool)).fold
    return _rows(reader, pool, fold, fold.day)


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


def _table(reader: storage.Reader, pool: Pool, fold: Fold, day: int, notes: tuple[str, ...]) -> RatingsTable:
    rows = _rows(reader, pool, fold, day)
    intervals = rank_intervals([(row.mu, row.sigma) for row in rows])
    return RatingsTable(pool, rows, (*notes, *_growth_note(pool, day)), reader.head()[1], tuple(intervals))


def _growth_note(pool: Pool, day: int) -> tuple[str, ...]:
    """Return a note on the day until which sigma has grown; never today, or the listing would change overnight."""
    if not (pool.ages and day):
        return ()
    text = _("A year without a game adds {absence:g}² to sigma²; sigma has grown until {day}.")
    return (text.format(absence=Number(pool.absence), day=shown_dates(date.fromordinal(day).isoformat())),)


def _rows(reader: storage.Reader, pool: Pool, fold: Fold, day: int) -> tuple[RatingRow, ...]:
    """Return the rows of the ratings as of `day`, best score first."""
    names = shown_names(reader, pool)
    ratings = fold.ratings(day)
    ranked = ranking({key: replace(rating, player=names.get(key, key)) for key, rating in ratings.items()})
    return tuple(sorted(ranked, key=lambda row: (row.rank, name_order(row.player))))


def _keep_rounds(db: str | None, pool: str) -> None:
    """Cache the inputs of rounds that have changed, so that their rows need not be read again.

    Raises TourneyError NOT_FOUND for an unknown pool, before anything is written.
    """
    with storage.reading(db) as reader:
        find_pool(reader, pool)
        stale = reader.played_rounds().stale()
    if stale:
        _write_cache(db, lambda store: store.keep_rounds())


def _write_cache(db: str | None, write: Callable[[storage.Store], None]) -> None:
    """Write to the cache, which only saves time, if the database can be written now."""
    if not storage.file_writable(storage.locate(db)):
        return
    with suppress(TourneyError), storage.writing(db) as store:
        write(store)
