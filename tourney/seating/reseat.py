"""Seat the players of a dissolved table at the other tables of their round, by dynamic programming."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from tourney.seating.constraints import TOGETHER, Constraints

Met = Mapping[tuple[int, int], int]
"""The number of times that pairs have met in other rounds, the lower player first."""

Cost = tuple[int, int, int, int]
"""The cost of new meetings, compared in order: broken constraints (a wish to sit together that comes true saves one),
repeats, earlier meetings of those who repeat, and the unevenness of the tables' sizes."""

NOTHING: Final[Cost] = 0, 0, 0, 0


@dataclass(frozen=True, slots=True)
class TableWithRoom:
    """A table that may take more players: its number, and the players who stay at it."""

    number: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Reseating:
    """Players who have a table so far, as bits, the cost, and for each table the players who join it."""

    seated: int
    cost: Cost
    joining: tuple[tuple[int, ...], ...]

    @property
    def rank(self) -> tuple[int, Cost]:
        """Return the order of choice: as many players as possible, then the lowest cost."""
        return -self.seated.bit_count(), self.cost


def reseat(
    players: Sequence[int], tables: Sequence[TableWithRoom], limits: tuple[int, int], met: Met, constraints: Constraints
) -> list[tuple[int, ...]]:
    """Return for each table the players who join it; those who join none have a bye.

    `limits` are the sizes of the smallest and the largest table; as many players as possible have a table. Among these
    choices the fewest constraints are broken, then the fewest players meet again, then those who have met least, then
    the sizes of the tables are level. The result is exact: every set of players is tried at every table.
    """
    best = {0: _Reseating(0, NOTHING, ())}
    for table in tables:
        options = list(_options(players, table, limits, met, constraints))
        found: dict[int, _Reseating] = {}
        for before, (bits, joining, price) in product(best.values(), options):
            if not before.seated & bits:
                after = _Reseating(before.seated | bits, _sum(before.cost, price), (*before.joining, joining))
                if after.seated not in found or after.cost < found[after.seated].cost:
                    found[after.seated] = after
        best = found
    return list(min(best.values(), key=lambda each: each.rank).joining)


def _options(
    players: Sequence[int], table: TableWithRoom, limits: tuple[int, int], met: Met, constraints: Constraints
) -> Iterator[tuple[int, tuple[int, ...], Cost]]:
    """Yield the sets of players that fit at the table, the empty set first: as bits, as players, with their cost."""
    least, most = limits
    at_table = len(table.players)
    for number in (0, *range(max(1, least - at_table), min(most - at_table, len(players)) + 1)):
        for places in combinations(range(len(players)), number):
            joining = tuple(players[place] for place in places)
            if _shares_a_table(joining, table.players, constraints):
                continue
            yield sum(1 << place for place in places), joining, _cost(table, joining, met, constraints)


def _shares_a_table(joining: Sequence[int], staying: Sequence[int], constraints: Constraints) -> bool:
    """Return whether two of these players never share a table, and at least one of them would join it."""
    pairs = (*combinations(joining, 2), *product(joining, staying))
    return bool(constraints.never) and any((min(pair), max(pair)) in constraints.never_pairs for pair in pairs)


def _cost(table: TableWithRoom, joining: Sequence[int], met: Met, constraints: Constraints) -> Cost:
    """Return the cost of these players joining the table."""
    if not joining:
        return NOTHING
    pairs = [*combinations(joining, 2), *product(joining, table.players)]
    earlier = [met.get((min(pair), max(pair)), 0) for pair in pairs]
    kinds = constraints.pairs(1 + max((*joining, *table.players)))
    broken = 0
    for (first, second), count in zip(pairs, earlier, strict=True):
        kind = kinds.get((min(first, second), max(first, second)))
        broken += 0 if kind is None else -(count == 0) if kind == TOGETHER else 1
    broken += sum(player in joining and number != table.number for player, number in constraints.tables)
    size = len(table.players)
    return broken, sum(map(bool, earlier)), sum(earlier), (size + len(joining)) ** 2 - size**2


def _sum(first: Cost, second: Cost) -> Cost:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2], first[3] + second[3]
