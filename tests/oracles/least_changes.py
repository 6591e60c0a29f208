"""Search exhaustively for a plan of the coming rounds that is better than a given one.

The search chooses first the tables that stay, then the players of the changed ones. It shares with the program only
the weights of repeats and changed tables.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import inf

Tables = Sequence[Sequence[int]]
"""Some tables of a round, each with its players."""
Pool = tuple[tuple[int, ...], tuple[int, ...]]
"""The players at no table that stays, and the sizes of the tables for them, largest first."""

STEPS = {1: 0, 2: 240, 3: 961, 4: 1922}
"""Price of the first, second, third and fourth meeting of two players: a third is dearer than four second ones."""

TABLE = 240
"""Price of a changed table that could have stayed: that of a second meeting."""


def step(count: int) -> int:
    """Return the price of the meeting number `count` of two players, from 1."""
    return STEPS.get(count) or 961 * max(0, count - 2)


def price(before: Sequence[Tables], after: Sequence[Tables]) -> int:
    """Return the price of the meetings in the rounds `after`, when the rounds `before` are played."""
    met = Counter(_pairs(before))
    total = 0
    for pair in _pairs(after):
        met[pair] += 1
        total += step(met[pair])
    return total


def _pairs(rounds: Sequence[Tables]) -> Iterator[frozenset[int]]:
    return (frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


class OutOfSteps(Exception):
    """The search has used up its steps and has not tried everything."""


class LeastChanges:
    """A search for the coming rounds of `players` players at tables of `sizes`, after the rounds `played`.

    `ahead` is the earlier plan of these rounds, and `max_steps` the most tables that the search may try.
    """

    def __init__(
        self,
        played: Sequence[Tables],
        ahead: Sequence[Tables],
        players: int,
        sizes: Sequence[int],
        max_steps: float = inf,
    ) -> None:
        self.players, self.sizes, self.steps_left = players, Counter(sizes), max_steps
        self.met = [[0] * players for _ in range(players)]
        for tables in played:
            self._meet([[player for player in table if player < players] for table in tables], 1)
        self.whole = [[tuple(table) for table in tables if max(table) < players] for tables in ahead]
        self.room = [sum((Counter(map(len, tables)) & self.sizes).values()) for tables in self.whole]

    @property
    def least(self) -> int:
        """The number of tables that must change."""
        return len(self.room) * self.sizes.total() - sum(self.room)

    def beaten(self, price: int, changed: int) -> tuple[int, int] | None:
        """Return the price of meetings and the number of changed tables of a better plan than this; None if none is.

        Best is a plan without repeats, with as few changed tables as possible. If there must be repeats, the least sum
        of their price and that of changed tables is best, then the fewest changed tables.
        """
        extra, at_least = changed - self.least, self.at_least()
        if price == 0 or at_least == 0:
            for number in range(extra if price == 0 else sum(self.room) + 1):
                if self.cheapest(0, number) is not None:
                    return 0, self.least + number
        for number in range(sum(self.room) + 1 if price else 0):
            most = price + TABLE * (extra - number) - (number >= extra)
            if most < at_least:
                break
            cheaper = self.cheapest(most, number)
            if cheaper is not None:
                return cheaper, self.least + number
        return None

    def at_least(self) -> int:
        """Return a lower bound on the price of the coming meetings: all players meet their cheapest opponents.

        Smaller tables have fewer meetings and go to the players who save most. Each of two players pays half the price.
        """
        rounds, largest = len(self.room), max(self.sizes)
        spared = rounds * sum(size * (largest - size) * number for size, number in self.sizes.items())
        most = rounds * (largest - min(self.sizes))
        price, costliest = 0, []
        for player, row in enumerate(self.met):
            met = [count for other, count in enumerate(row) if other != player]
            steps = sorted(step(count + more) for count in met for more in range(1, rounds + 1))
            meetings = steps[: rounds * (largest - 1)]
            price += sum(meetings)
            costliest += meetings[len(meetings) - most :]
        return -(-(price - sum(sorted(costliest, reverse=True)[:spared])) // 2)

    def cheapest(self, most: int, extra: int) -> int | None:
        """Return the least price of a plan with `extra` more changed tables than must change; None if above `most`."""
        best = None
        for opened in _shares(extra, self.room):
            price = self._keeping([], opened, most)
            if price is not None:
                best, most = price, price - 1
        return best

    def _keeping(self, kept: list[Tables], opened: Sequence[int], most: int) -> int | None:
        """Return the least price of a plan that keeps the tables `kept` in the first rounds; None if above `most`.

        `opened` is for each round the number of tables that could stay and do not.
        """
        if len(kept) == len(opened):
            return self._seated([self._pool(tables) for tables in kept], most)
        number, best = len(kept), None
        for tables in combinations(self.whole[number], self.room[number] - opened[number]):
            if Counter(map(len, tables)) - self.sizes:
                continue
            price = self._meet(tables, 1)
            rest = self._keeping([*kept, tables], opened, most - price) if price <= most else None
            self._meet(tables, -1)
            if rest is not None:
                best, most = price + rest, price + rest - 1
        return best

    def _pool(self, kept: Tables) -> Pool:
        seated = {player for table in kept for player in table}
        sizes = self.sizes - Counter(map(len, kept))
        waiting = (player for player in range(self.players) if player not in seated)
        return tuple(waiting), tuple(sorted(sizes.elements(), reverse=True))

    def _seated(self, pools: list[Pool], most: int) -> int | None:
        """Return the least price at which all pools can be seated; None if above `most`.

        The pool that can be seated in the fewest ways is seated first.
        """
        if not pools:
            return 0
        least = []
        for waiting, sizes in pools:
            cheapest = self._cheapest(waiting, sizes, most - sum(least))
            if cheapest is None:
                return None
            least.append(cheapest)
        free = most - sum(least)
        ways = [list(self._ways(*pool, low + free)) for pool, low in zip(pools, least, strict=True)]
        first = min(range(len(pools)), key=lambda number: len(ways[number]))
        others, best = pools[:first] + pools[first + 1 :], None
        for price, tables in sorted(ways[first]):
            if price > most:
                break
            self._meet(tables, 1)
            rest = self._seated(others, most - price)
            self._meet(tables, -1)
            if rest is not None:
                best, most = price + rest, price + rest - 1
        return best

    def _cheapest(self, waiting: tuple[int, ...], sizes: tuple[int, ...], most: int) -> int | None:
        best = None
        while most >= 0:
            way = next(self._ways(waiting, sizes, most), None)
            if way is None:
                break
            best = way[0]
            most = best - 1
        return best

    def _ways(self, waiting: tuple[int, ...], sizes: tuple[int, ...], most: int) -> Iterator[tuple[int, Tables]]:
        """Yield all ways to seat the waiting players with their price, up to `most`."""
        if not waiting:
            yield 0, []
            return
        first, others = waiting[0], waiting[1:]
        for size in set(sizes):
            at = sizes.index(size)
            rest = sizes[:at] + sizes[at + 1 :]
            for price, table in self._tables((first,), others, size - 1, most):
                still_waiting = tuple(player for player in others if player not in table)
                for rest_price, tables in self._ways(still_waiting, rest, most - price):
                    yield price + rest_price, [table, *tables]

    def _tables(
        self, table: tuple[int, ...], others: tuple[int, ...], free: int, most: int
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield all tables of the players of `table` and `free` of the others, with their price, up to `most`."""
        self.steps_left -= 1
        if self.steps_left < 0:
            raise OutOfSteps
        if not free:
            yield 0, table
            return
        for at, player in enumerate(others[: len(others) - free + 1]):
            met = self.met[player]
            price = sum([step(met[other] + 1) for other in table])
            if price <= most:
                for rest_price, full in self._tables((*table, player), others[at + 1 :], free - 1, most - price):
                    yield price + rest_price, full

    def _meet(self, tables: Tables, by: int) -> int:
        """Add `by` (1, or −1 to take back) to the meetings of these tables, and return the price of the meetings."""
        price = 0
        for player, other in (pair for table in tables for pair in combinations(table, 2)):
            count = self.met[player][other] + by
            self.met[player][other] = self.met[other][player] = count
            price += step(count)
        return price


def _shares(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return all ways to split `total` into parts of at most `most`, one for each limit."""
    return (shares for shares in product(*(range(limit + 1) for limit in most)) if sum(shares) == total)
