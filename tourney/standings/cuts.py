"""Cuts: who goes through from one stage of an event to the next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

from tourney.domain.people import Player
from tourney.domain.rounds import PlayOff, Stage, Table
from tourney.standings.staged import level
from tourney.standings.standing import Standing


@dataclass(frozen=True, slots=True)
class Cut:
    """The players who go through to a stage, best first.

    `by_lot` are the players among whom the lot has chosen, because no tie-break tells them apart. `play_offs` has a
    hand for each border at which players are level.
    """

    through: tuple[Player, ...]
    by_lot: tuple[Player, ...] = ()
    play_offs: tuple[PlayOff, ...] = ()

    @property
    def undecided(self) -> tuple[Player, ...]:
        """Return the players of all play-off hands."""
        return tuple(player for each in self.play_offs for player in each.players)


@dataclass(frozen=True, slots=True)
class _Border:
    """The rows of one list that go through, and those at its border that are not decided, or that the lot decided."""

    through: tuple[Standing, ...]
    undecided: tuple[Standing, ...] = ()
    places: int = 0
    by_lot: tuple[Standing, ...] = ()


def cut(
    stage: Stage,
    rows: Sequence[Standing],
    tables: Sequence[Table],
    lots: Mapping[int, int],
    least: int,
    played: int | None = None,
) -> Cut:
    """Return who goes through by results from these rows of the stage before, best first; all of them are present.

    `tables` are the tables of its last round. `lots` are the players' lots by number of player, and the lowest goes
    first. `played` counts the players who finished the stage before, and may have left since (None: the rows).
    Fewer than `least` players fill no table: where only points decide, the next best go through with them.
    """
    played = len(rows) if played is None else played
    borders = [_border(stage, group, quota, lots) for group, quota in _quotas(stage, rows, tables, least, played)]
    return Cut(
        tuple(_in_order(rows, borders)),
        tuple(row.player for border in borders for row in border.by_lot),
        tuple(PlayOff(tuple(row.player for row in each.undecided), each.places) for each in borders if each.undecided),
    )


def _in_order(rows: Sequence[Standing], borders: Sequence[_Border]) -> Iterator[Player]:
    """Yield who goes through in the order of the rows; the players of a play-off hand are in its order."""
    places = {row.player.id: at for at, row in enumerate(rows)}
    taken = (zip(sorted(places[row.player.id] for row in each.through), each.through, strict=True) for each in borders)
    yield from (row.player for _place, row in sorted(chain.from_iterable(taken), key=itemgetter(0)))


def _quotas(
    stage: Stage, rows: Sequence[Standing], tables: Sequence[Table], least: int, played: int
) -> Iterator[tuple[Sequence[Standing], int]]:
    """Yield the lists from which players go through, each with the number of its places."""
    if stage.take == "of each table":
        for table in tables:
            yield [row for row in rows if row.player in table.players], stage.number
    else:
        yield rows, places(stage, rows, least, played)


def places(stage: Stage, rows: Sequence[Standing], least: int, played: int) -> int:
    """Return how many of these players go through to a stage that takes them from one list.

    A percentage is that of the players who were there when it was decided: who goes home later takes nobody's place.
    """
    if stage.take == "percent":
        share = max(least, played * stage.number // 100)
        return min(share, len(stage.by_rule)) if stage.begun else share
    if stage.take == "better than":
        return max(least, sum(row.games > 0 and row.average < stage.number for row in rows))
    return stage.number if stage.take == "best" else len(rows)


def _border(stage: Stage, rows: Sequence[Standing], quota: int, lots: Mapping[int, int]) -> _Border:
    """Return who of these rows has one of `quota` places; ties at the border are decided as the stage says."""
    if quota >= len(rows) or quota <= 0:
        return _Border(tuple(rows[: max(quota, 0)]))
    last = rows[quota - 1]
    if stage.ties == "list" or stage.take == "better than":
        return _by_list(stage, rows, quota, lots)
    tied = [row for row in rows if level(row) == level(last)]
    above = tuple(rows[: rows.index(tied[0])])
    if len(above) + len(tied) == quota:
        return _Border((*above, *tied))
    if stage.ties == "together":
        return _Border((*above, *tied))
    played = {number: place for place, number in enumerate(stage.playoff)}
    if all(row.player.id in played for row in tied):
        winners = sorted(tied, key=lambda row: played[row.player.id])[: quota - len(above)]
        return _Border((*above, *winners))
    return _Border(above, tuple(tied), quota - len(above))


def _by_list(stage: Stage, rows: Sequence[Standing], quota: int, lots: Mapping[int, int]) -> _Border:
    """Return who goes through by rank; the lot decides among players who share the rank at the border.

    A lot that was drawn when the stage began stays.
    """
    last = rows[quota - 1]
    shared = [row for row in rows if row.rank == last.rank and row.rank is not None]
    if rows[quota].rank != last.rank or not shared:
        return _Border(tuple(rows[:quota]))
    above = tuple(rows[: rows.index(shared[0])])
    drawn = [row for row in shared if row.player.id in stage.by_rule]
    if len(drawn) != quota - len(above):
        drawn = sorted(shared, key=lambda row: lots[row.player.id])[: quota - len(above)]
    return _Border((*above, *(row for row in shared if row in drawn)), by_lot=tuple(shared))
