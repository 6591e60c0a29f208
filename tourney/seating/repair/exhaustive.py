"""Coming rounds of a small event tried out: first which planned tables stay, then all ways to seat who is left.

Few tables stay away, so that few players are left; what they must cost at the least in the rounds still open ends most
trials early.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from tourney.seating.model import Groups
from tourney.seating.repair.greedy import Coming

STEPS: Final = 100_000
"""Tables begun: a fifth of a second."""

Waiting = tuple[tuple[int, ...], tuple[int, ...]]
"""Players of a round without a table, and the sizes of the tables for them, ascending."""

Seated = tuple[int, list[list[int]]]
"""Tables and their price."""


class Trying:
    """Looks for seatings of the coming rounds; each instance ends after so many steps in all.

    `met` and `up` are as in a course: meetings before, and the price of one more by their number, never below 0.
    """

    def __init__(self, coming: Sequence[Coming], met: Sequence[Sequence[int]], up: Sequence[int]) -> None:
        self._coming = coming
        self._met = [list(row) for row in met]
        self._up = up
        self._left = STEPS

    @property
    def ended(self) -> bool:
        """Whether the steps have given out, so that nothing is proven."""
        return self._left <= 0

    def cheapest(self, most: int, extra: int) -> Groups | None:
        """The cheapest rounds that cost no more than `most`, with so many planned tables opened of those that could
        stay; None if there are none. Once `ended`, the best found until then."""
        best: Groups | None = None
        for opened in _shares(extra, [len(one.sizes) - one.least for one in self._coming]):
            found = self._keeping(opened, [], most)
            if found is not None:
                most, best = found[0] - 1, found[1]
            if self.ended:
                break
        return best

    def _keeping(self, opened: Sequence[int], kept: list[list[list[int]]], most: int) -> tuple[int, Groups] | None:
        """The cheapest rounds with these tables in the first of them, and so many opened in each of the others."""
        if len(kept) == len(opened):
            return self._beside(kept, most)
        best = None
        for tables in self._coming[len(kept)].keepable(opened[len(kept)]):
            self._left -= 1 + len(tables)
            if self.ended:
                break
            price = self._count(tables, 1)
            found = self._keeping(opened, [*kept, tables], most - price) if price <= most else None
            self._count(tables, -1)
            if found is not None:
                best = price + found[0], found[1]
                most = best[0] - 1
        return best

    def _beside(self, kept: Sequence[Sequence[list[int]]], most: int) -> tuple[int, Groups] | None:
        """The cheapest rounds with these tables, which are counted already."""
        waiting = [self._waiting(*pair) for pair in zip(self._coming, kept, strict=True)]
        found = self._rest(dict(enumerate(waiting)), most)
        return None if found is None else (found[0], [[*old, *found[1][at]] for at, old in enumerate(kept)])

    def _waiting(self, one: Coming, kept: Sequence[list[int]]) -> Waiting:
        left = Counter(one.sizes) - Counter(map(len, kept))
        return tuple(sorted(one.here.difference(*kept))), tuple(sorted(left.elements()))

    def _rest(self, waiting: dict[int, Waiting], most: int) -> tuple[int, dict[int, list[list[int]]]] | None:
        """The cheapest tables for who waits in these rounds, by number: the round with the fewest ways first."""
        if not waiting:
            return 0, {}
        least: dict[int, int] = {}
        for number, (players, sizes) in waiting.items():
            cheapest = self._least(players, sizes, most - sum(least.values()))
            if cheapest is None:
                return None
            least[number] = cheapest
        free = most - sum(least.values())
        ways = {number: sorted(self._ways(*waiting[number], least[number] + free)) for number in waiting}
        first = min(ways, key=lambda number: len(ways[number]))
        others = {number: who for number, who in waiting.items() if number != first}
        best: tuple[int, dict[int, list[list[int]]]] | None = None
        for price, tables in ways[first]:
            if price > most:
                break
            self._count(tables, 1)
            found = self._rest(others, most - price)
            self._count(tables, -1)
            if found is not None:
                best = price + found[0], {**found[1], first: tables}
                most = best[0] - 1
        return best

    def _least(self, players: tuple[int, ...], sizes: tuple[int, ...], most: int) -> int | None:
        """What it costs at the least to seat them, if no more than that."""
        best: int | None = None
        while most >= 0 and (found := next(self._ways(players, sizes, most), None)) is not None:
            best = found[0]
            most = best - 1
        return best

    def _ways(self, players: tuple[int, ...], sizes: tuple[int, ...], most: int) -> Iterator[Seated]:
        """All ways to seat them that cost no more than that: the first of them sits with any others."""
        if not players:
            yield 0, []
        for place, size in enumerate(sizes):
            if place and sizes[place - 1] == size:
                continue
            rest = sizes[:place] + sizes[place + 1 :]
            for price, table in self._tables([players[0]], players[1:], size - 1, most):
                left = tuple(player for player in players if player not in table)
                for more, tables in self._ways(left, rest, most - price):
                    yield price + more, [table, *tables]

    def _tables(
        self, begun: list[int], others: tuple[int, ...], free: int, most: int
    ) -> Iterator[tuple[int, list[int]]]:
        """The table begun with so many of the others, in all ways that cost no more than that."""
        self._left -= 1
        if self.ended:
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
        """Counts these tables in or out, and what they cost beside the others."""
        price = 0
        for one, other in (pair for table in tables for pair in combinations(table, 2)):
            count = self._met[one][other] + (by if by < 0 else 0)
            price += self._up[count]
            self._met[one][other] = self._met[other][one] = count + (by if by > 0 else 0)
        return price


def _shares(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to split a number among places that take so much each at most."""
    if not most:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most[0]) + 1):
        for rest in _shares(total - first, most[1:]):
            yield (first, *rest)
