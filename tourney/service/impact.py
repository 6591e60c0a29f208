"""The preview of a change: every standing and rating before and after it, in one transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from tourney import storage
from tourney.domain.rankings import RatingRow
from tourney.service.change import Change, Outcome, Scope
from tourney.service.ratings.pools import histories, known_pools, shown_names
from tourney.service.ratings.ratings import pool_rows
from tourney.service.results.standings import table_of
from tourney.service.seasons.seasons import table_of as season_standings
from tourney.service.stages.watched_change import performed
from tourney.standings.scales import POINTS
from tourney.standings.seasons.table import SeasonRow
from tourney.standings.standing import Standing
from tourney.text.names import name_order

if TYPE_CHECKING:
    from tourney.service.stages.cut_news import CutNews

Key = TypeVar("Key")
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Preview(Generic[Outcome]):
    """A preview of a change: its outcome, and the rows that it would move (None for a change that cannot move any).

    `cuts` say what it would change about who goes through to a stage that has begun.
    """

    outcome: Outcome
    moves: Moves | None
    cuts: tuple[CutNews, ...] = ()


@dataclass(frozen=True, slots=True)
class _Tables:
    """Standings by event and by season, with rows by player number; ratings by pool and key.

    `names` and `season_names` have the names of events and seasons, `players` the names shown by pool and key.
    """

    names: Mapping[int, str]
    standings: Mapping[int, Mapping[int, Standing]]
    ratings: Mapping[str, Mapping[str, RatingRow]]
    players: Mapping[str, Mapping[str, str]]
    seasons: Mapping[int, Mapping[int, SeasonRow]]
    season_names: Mapping[int, str]


def preview(db: str | None, change: Change[Outcome], *, by: str = "") -> Preview[Outcome]:
    """Make the change, compare every standing and rating in its scope before and after, and take it back.

    Raises TourneyError as `change.apply` does.
    """
    with storage.writing(db, dry_run=True, by=by) as store:
        scope = change.scope(store)
        if scope is None:
            made = performed(store, change)
            return Preview(made.outcome, None, made.cuts)
        before = _tables(store, scope)
        made = performed(store, change)
        return Preview(made.outcome, _moves(before, _tables(store, scope)), made.cuts)


def _tables(reader: storage.Reader, scope: Scope) -> _Tables:
    events = reader.events.names()
    names = {number: name for number, name in events.items() if scope.events is None or number in scope.events}
    standings = {number: table_of(reader, reader.events.get(number)).rows for number in names}
    pools = [known for known in known_pools(reader) if known[1].kind != "imported" or known[0] in scope.pools]
    ratings = {pool.name: pool_rows(reader, pool, history) for pool, history in histories(reader, pools)}
    seasons = [
        season
        for season in reader.seasons.all()
        if season.id in scope.seasons or any(counted.event in names for counted in season.counted)
    ]
    return _Tables(
        names,
        {number: {row.player.id: row for row in rows} for number, rows in standings.items()},
        ratings,
        {pool.name: shown_names(reader, pool) for _number, pool in pools},
        {season.id: {row.player.id: row for row in season_standings(reader, season).rows} for season in seasons},
        {season.id: season.settings.name for season in seasons},
    )


def _moves(before: _Tables, after: _Tables) -> Moves:
    names = {**before.names, **after.names}
    standings = (
        StandingMove(name, old, new)
        for number, name in names.items()
        for old, new in _pairs(before.standings.get(number, {}), after.standings.get(number, {}))
        if _standing(old) != _standing(new)
    )
    pools = {**before.ratings, **after.ratings}
    ratings = (move for pool in pools for move in _rating_moves(pool, before, after))
    seasons = (
        SeasonMove(name, old, new)
        for number, name in {**before.season_names, **after.season_names}.items()
        for old, new in _pairs(before.seasons.get(number, {}), after.seasons.get(number, {}))
        if _season(old) != _season(new)
    )
    return Moves(tuple(standings), tuple(ratings), tuple(seasons))


def _rating_moves(pool: str, before: _Tables, after: _Tables) -> list[RatingMove]:
    """Return the moves in a pool by rank and name; only those who moved are named, which thousands may not have."""
    pairs = _pairs(before.ratings.get(pool, {}), after.ratings.get(pool, {}))
    moved = [(old, new) for old, new in pairs if _rating(old) != _rating(new)]
    named = [
        (_named(old, before.players.get(pool, {})), _named(new, after.players.get(pool, {}))) for old, new in moved
    ]
    return [RatingMove(pool, old, new) for old, new in sorted(named, key=_order)]


def _named(row: RatingRow | None, names: Mapping[str, str]) -> RatingRow | None:
    return row and replace(row, player=names.get(row.player, row.player))


def _order(pair: tuple[RatingRow | None, RatingRow | None]) -> tuple[object, ...]:
    """Return where a row comes: by rank and name afterwards, those who have gone last."""
    old, new = pair
    row = new or old
    assert row is not None
    return new is None, row.rank, name_order(row.player)


def _pairs(before: Mapping[Key, Row], after: Mapping[Key, Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Yield the rows of each key before and after, in the order of `after`; rows that have gone come last."""
    for key, row in after.items():
        yield before.get(key), row
    for key, row in before.items():
        if key not in after:
            yield row, None


def _standing(row: Standing | None) -> Sequence[object]:
    """Return the values of a row that count as moved when they change."""
    if row is None:
        return ()
    score = None if row.scale is POINTS else row.score
    return (row.rank, row.points, row.penalty, row.hands_won, row.games, row.short, score)


def _season(row: SeasonRow | None) -> Sequence[object]:
    return () if row is None else (row.rank, row.score, len(row.results), row.counting)


def _rating(row: RatingRow | None) -> Sequence[object]:
    return () if row is None else (row.rank, row.mu, row.sigma, row.games, row.wins)


@dataclass(frozen=True, slots=True)
class StandingMove:
    """A player's row in the standings of an event before and after a change; None where there is none."""

    event: str
    before: Standing | None
    after: Standing | None


@dataclass(frozen=True, slots=True)
class RatingMove:
    """A player's row in the ratings of a pool before and after a change; None where there is none."""

    pool: str
    before: RatingRow | None
    after: RatingRow | None


@dataclass(frozen=True, slots=True)
class SeasonMove:
    """A player's row in the standings of a season before and after a change; None where there is none."""

    season: str
    before: SeasonRow | None
    after: SeasonRow | None


@dataclass(frozen=True, slots=True)
class Moves:
    """Every standing and rating that a change moves, in the order in which they stand afterwards."""

    standings: tuple[StandingMove, ...]
    ratings: tuple[RatingMove, ...]
    seasons: tuple[SeasonMove, ...] = ()
