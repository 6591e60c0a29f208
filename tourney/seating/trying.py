"""All seatings of a few coming rounds tried, as far as a number of steps goes: for small events."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

from tourney.seating.values import Groups

STEPS: Final = 100_000
"""Tables looked at: a quarter of a second."""

Cost = tuple[int, int]
"""A price, and how many tables are not as planned: less is better."""

Seated = tuple[int, int, list[list[int]]]
"""One round: its price, how many tables are not as planned, and the tables."""


class Trying:
    """Looks for rounds that cost less than some that are known.

    `met` and `up` are as in a draft: meetings before, and the price of one more by their number; no price is below 0.
    `changed` says how many of a round's tables are not as planned, `least[r]` how many cannot be in round r.
    """

    def __init__(
        self,
        met: Sequence[Sequence[int]],
        up: Sequence[int],
        changed: Callable[[int, Sequence[Sequence[int]]], int],
        least: Sequence[int],
        steps: int = STEPS,
    ) -> None:
        self._met = [list(row) for row in met]
        self._up = up
        self._changed = changed
        self._least = least
        self._steps = self._left = steps
        self._found: Groups | None = None

    def better(self, here: Sequence[Sequence[int]], sizes: Sequence[Sequence[int]], known: Cost) -> Groups | None:
        """Rounds of who is `here` in each, at tables of the sizes of each, that cost less than is known; None if none
        was found. They are the best there are unless the steps gave out."""
        for limit in (min(known, (1, 0)), known):
            # Those without any repeat first: few seatings are, so that all of them are soon tried.
            self._known, self._left = limit, self._steps
            self._go(here, [tuple(sorted(one)) for one in sizes], [], (0, 0))
            if self._found is not None or limit == known:
                break
        return self._found

    def _go(self, here: Sequence[Sequence[int]], sizes: Sequence[tuple[int, ...]], done: Groups, cost: Cost) -> None:
        number = len(done)
        if number == len(here):
            self._known, self._found = cost, [list(tables) for tables in done]
            return
        for price, changed, tables in self._options(number, here[number], sizes[number], cost[0]):
            now = (cost[0] + price, cost[1] + changed)
            if (now[0], now[1] + sum(self._least[number + 1 :])) < self._known and self._left > 0:
                self._count(tables, 1)
                self._go(here, sizes, [*done, tables], now)
                self._count(tables, -1)

    def _options(self, number: int, here: Sequence[int], sizes: tuple[int, ...], spent: int) -> list[Seated]:
        seatings = self._seatings(tuple(sorted(here)), sizes, self._known[0] - spent)
        return sorted((price, self._changed(number, tables), tables) for price, tables in seatings)

    def _seatings(
        self, waiting: tuple[int, ...], sizes: tuple[int, ...], most: int
    ) -> Iterator[tuple[int, list[list[int]]]]:
        """All ways to seat them that cost no more than `most`: the first of them sits with any others."""
        if not waiting:
            yield 0, []
            return
        for size in sorted(set(sizes)):
            rest = list(sizes)
            rest.remove(size)
            for mates in combinations(waiting[1:], size - 1):
                self._left -= 1
                if self._left <= 0:
                    return
                table = [waiting[0], *mates]
                price = sum(self._up[self._met[one][other]] for one, other in combinations(table, 2))
                if price <= most:
                    others = tuple(player for player in waiting if player not in table)
                    for more, tables in self._seatings(others, tuple(rest), most - price):
                        yield price + more, [table, *tables]

    def _count(self, tables: Sequence[Sequence[int]], by: int) -> None:
        for one, other in (pair for table in tables for pair in combinations(table, 2)):
            self._met[one][other] += by
            self._met[other][one] += by
