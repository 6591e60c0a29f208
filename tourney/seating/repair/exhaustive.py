"""Exhaustive repair of the coming rounds of a small event: first which planned tables stay, then all other seatings.

Few tables change, so that few players need new ones; a lower bound on the price of the remaining rounds ends most
branches early.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from tourney.seating.model import Groups
from tourney.seating.repair.greedy import PlannedRound

STEPS: Final = 100_000
"""The most tables begun; they take a fifth of a second."""

Waiting = tuple[tuple[int, ...], tuple[int, ...]]
"""Players of a round without a table, and the sizes of the tables for them, ascending."""

Seated = tuple[int, list[list[int]]]
"""The price of tables, and the tables."""


class ExhaustiveRepair:
    """A search for the cheapest seatings of the coming rounds, which stops after a fixed number of steps in all.

    `met` has the earlier meetings of each pair, `price_up` the price of one more by their number, never negative.
    """

    def __init__(self, upcoming: Sequence[PlannedRound], met: Sequence[Sequence[int]], price_up: Sequence[int]) -> None:
        self._coming = upcoming
        self._met = [list(row) for row in met]
        self._up = price_up
        self._steps_left = STEPS

    @property
    def out_of_steps(self) -> bool:
        """Return whether the steps have run out, so that nothing is proven."""
        return self._steps_left <= 0

    def cheapest_tables(self, most: int, extra: int) -> Groups | None:
        """Return the cheapest rounds that cost no more than `most`, with `extra` more planned tables opened.

        None if there are none. Once `out_of_steps`, the best found until then.
        """
        best: Groups | None = None
        for opened in _compositions(extra, [len(planned.sizes) - planned.least for planned in self._coming]):
            solution = self._with_kept(opened, [], most)
            if solution is not None:
                most, best = solution[0] - 1, solution[1]
            if self.out_of_steps:
                break
        return best

    def _with_kept(self, opened: Sequence[int], kept: list[list[list[int]]], most: int) -> tuple[int, Groups] | None:
        """Return the cheapest rounds with these tables in the first ones; in later rounds r, `opened[r]` are opened."""
        if len(kept) == len(opened):
            return self._with_all_kept(kept, most)
        best = None
        for tables in self._coming[len(kept)].all_choices(opened[len(kept)]):
            self._steps_left -= 1 + len(tables)
            if self.out_of_steps:
                break
            price = self._count(tables, 1)
            solution = self._with_kept(opened, [*kept, tables], most - price) if price <= most else None
            self._count(tables, -1)
            if solution is not None:
                best = price + solution[0], solution[1]
                most = best[0] - 1
        return best

    def _with_all_kept(self, kept: Sequence[Sequence[list[int]]], most: int) -> tuple[int, Groups] | None:
        """Return the cheapest rounds with these tables, which are counted already."""
        waiting = [self._waiting(*pair) for pair in zip(self._coming, kept, strict=True)]
        solution = self._rest(dict(enumerate(waiting)), most)
        return None if solution is None else (solution[0], [[*old, *solution[1][at]] for at, old in enumerate(kept)])

    def _waiting(self, planned: PlannedRound, kept: Sequence[list[int]]) -> Waiting:
        remaining = Counter(planned.sizes) - Counter(map(len, kept))
        return tuple(sorted(planned.present.difference(*kept))), tuple(sorted(remaining.elements()))

    def _rest(self, waiting: dict[int, Waiting], most: int) -> tuple[int, dict[int, list[list[int]]]] | None:
        """Return the cheapest tables for those waiting in these rounds; a round with few seatings comes first."""
        if not waiting:
            return 0, {}
        least: dict[int, int] = {}
        for number, (players, sizes) in waiting.items():
            price = self._least(players, sizes, most - sum(least.values()))
            if price is None:
                return None
            least[number] = price
        free = most - sum(least.values())
        seatings = {number: sorted(self._seatings(*waiting[number], least[number] + free)) for number in waiting}
        first = min(seatings, key=lambda number: len(seatings[number]))
        others = {number: group for number, group in waiting.items() if number != first}
        best: tuple[int, dict[int, list[list[int]]]] | None = None
        for price, tables in seatings[first]:
            if price > most:
                break
            self._count(tables, 1)
            solution = self._rest(others, most - price)
            self._count(tables, -1)
            if solution is not None:
                best = price + solution[0], {**solution[1], first: tables}
                most = best[0] - 1
        return best

    def _least(self, players: tuple[int, ...], sizes: tuple[int, ...], most: int) -> int | None:
        """Return the lowest price of seating these players; None if it is more than `most`."""
        best: int | None = None
        while most >= 0 and (solution := next(self._seatings(players, sizes, most), None)) is not None:
            best = solution[0]
            most = best - 1
        return best

    def _seatings(self, players: tuple[int, ...], sizes: tuple[int, ...], most: int) -> Iterator[Seated]:
        """Yield all seatings of these players that cost no more than `most`, by the table of the first player."""
        if not players:
            yield 0, []
        for place, size in enumerate(sizes):
            if place and sizes[place - 1] == size:
                continue
            rest = sizes[:place] + sizes[place + 1 :]
            for price, table in self._tables([players[0]], players[1:], size - 1, most):
                remaining = tuple(player for player in players if player not in table)
                for more, tables in self._seatings(remaining, rest, most - price):
                    yield price + more, [table, *tables]

    def _tables(
        self, begun: list[int], others: tuple[int, ...], free: int, most: int
    ) -> Iterator[tuple[int, list[int]]]:
        """Yield price and players of each table of `begun` and `free` of the others that costs no more than `most`."""
        self._steps_left -= 1
        if self.out_of_steps:
            return
        if not free:
            yield 0, begun
            return
        for place in range(len(others) - free + 1):
            met = self._met[others[place]]
            price = sum([self._up[met[player]] for player in begun])
            if price <= most:
                table = [*begun, others[place]]
                for more, full in self._tables(table, others[place + 1 :], free - 1, most - price):
                    yield price + more, full

    def _count(self, tables: Sequence[Sequence[int]], by: int) -> int:
        """Add (`by` 1) or remove (-1) the meetings of these tables; return their price beside the other meetings."""
        price = 0
        for player, other in (pair for table in tables for pair in combinations(table, 2)):
            count = self._met[player][other] + (by if by < 0 else 0)
            price += self._up[count]
            self._met[player][other] = self._met[other][player] = count + (by if by > 0 else 0)
        return price


def _compositions(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to split a number among places with these limits."""
    if not most:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most[0]) + 1):
        for rest in _compositions(total - first, most[1:]):
            yield (first, *rest)
