"""What an act moves: every standing and rating before and after it, in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from tourney.domain.rankings import Moves, RatingMove, RatingRow, Standing, StandingMove
from tourney.service.ratings.ratings import known_pools, rows_of
from tourney.service.standings.standings import table_of

if TYPE_CHECKING:
    from tourney.storage.read import Reader

Key = TypeVar("Key")
Row = TypeVar("Row")


@dataclass(slots=True)
class Watch:
    """Given to an act by whoever wants to know what it moves; when the act is done, `moves` says so."""

    moves: Moves = field(default_factory=lambda: Moves((), ()))


@dataclass(frozen=True, slots=True)
class _Tables:
    """Standings by event (its number) and player, ratings by pool and name; `names` are the events'."""

    names: Mapping[int, str]
    standings: Mapping[int, Mapping[int, Standing]]
    ratings: Mapping[str, Mapping[str, RatingRow]]


@contextmanager
def watching(
    reader: Reader,
    watch: Watch | None,
    events: Collection[int] | None = None,
    pools: Collection[int | None] = (),
) -> Iterator[None]:
    """Around an act of this open transaction: tells `watch`, if there is one, what the act moves.

    `events` are the numbers of those whose standings it can move, all if None; `pools` those of imported pools that
    it can move beside the pools of events.
    """
    if watch is None:
        yield
        return
    before = _tables(reader, events, pools)
    yield
    watch.moves = _moves(before, _tables(reader, events, pools))


def _tables(reader: Reader, events: Collection[int] | None, pools: Collection[int | None]) -> _Tables:
    names = {number: name for number, name in reader.event_names().items() if events is None or number in events}
    standings = {number: table_of(reader, reader.event(number)).rows for number in names}
    ratings = {
        pool.name: rows_of(reader, number, pool)
        for number, pool in known_pools(reader)
        if pool.kind != "imported" or number in pools
    }
    return _Tables(
        names,
        {number: {row.player.id: row for row in rows} for number, rows in standings.items()},
        {pool: {row.player: row for row in rows} for pool, rows in ratings.items()},
    )


def _moves(before: _Tables, after: _Tables) -> Moves:
    names = {**before.names, **after.names}
    standings = (
        StandingMove(name, old, new)
        for number, name in names.items()
        for old, new in _pairs(before.standings.get(number, {}), after.standings.get(number, {}))
        if _standing(old) != _standing(new)
    )
    ratings = (
        RatingMove(pool, old, new)
        for pool in {**before.ratings, **after.ratings}
        for old, new in _pairs(before.ratings.get(pool, {}), after.ratings.get(pool, {}))
        if _rating(old) != _rating(new)
    )
    return Moves(tuple(standings), tuple(ratings))


def _pairs(before: Mapping[Key, Row], after: Mapping[Key, Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Rows of the same key, in the order of those afterwards; behind them the rows that are no more."""
    for key, row in after.items():
        yield before.get(key), row
    for key, row in before.items():
        if key not in after:
            yield row, None


def _standing(row: Standing | None) -> Sequence[object]:
    """What of a row an act can be said to move."""
    return () if row is None else (row.rank, row.points, row.penalty, row.hands_won, row.games, row.short, row.money)


def _rating(row: RatingRow | None) -> Sequence[object]:
    return () if row is None else (row.rank, row.mu, row.sigma, row.games, row.wins)
