"""Exhaustive search for a better plan of the coming rounds than a known one.

It chooses first the tables that stay, then the players of the others, and shares nothing with the program but the
weights of repeats and changed tables.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import inf

Tables = Sequence[Sequence[int]]
Pool = tuple[tuple[int, ...], tuple[int, ...]]
"""The players at no table that stays, and the sizes of the tables for them."""

STEPS = {1: 0, 2: 240, 3: 961, 4: 1922}
"""Cost of the first, second and later meetings; a third one costs more than four second ones."""

TABLE = 240
"""Cost of a changed table that could have stayed: as much as a repeat."""


def step(count: int) -> int:
    """Return the cost of the meeting of that number."""
    return STEPS.get(count) or 961 * max(0, count - 2)


def price(before: Sequence[Tables], after: Sequence[Tables]) -> int:
    """Return the cost of the meetings of the later rounds."""
    met = Counter(_pairs(before))
    total = 0
    for pair in _pairs(after):
        met[pair] += 1
        total += step(met[pair])
    return total


def _pairs(rounds: Sequence[Tables]) -> Iterator[frozenset[int]]:
    return (frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


class OutOfSteps(Exception):
    """The search ended before everything was tried."""


class LeastChanges:
    """The coming rounds of `players`, planned as `ahead`, in tables of these sizes, after the rounds `played`."""

    def __init__(
        self, played: Sequence[Tables], ahead: Sequence[Tables], players: int, sizes: Sequence[int], most: float = inf
    ) -> None:
        self.players, self.sizes, self.left = players, Counter(sizes), most
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
        """The price of repeats and the changed tables of a better plan than one that has these; None if none is.

        Nobody meets again, and of such plans one with few changed tables; where somebody must meet again, as little as
        repeats and changed tables weigh together, then few changed tables.
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
            found = self.cheapest(most, number)
            if found is not None:
                return found, self.least + number
        return None

    def at_least(self) -> int:
        """Return a lower bound on the cost of the coming meetings: all players have their cheapest opponents.

        Smaller tables have fewer meetings and go to the players who save most. The two who meet share the cost.
        """
        rounds, largest = len(self.room), max(self.sizes)
        spared = rounds * sum(size * (largest - size) * number for size, number in self.sizes.items())
        most = rounds * (largest - min(self.sizes))
        price, dearest = 0, []
        for player, row in enumerate(self.met):
            met = [count for other, count in enumerate(row) if other != player]
            steps = sorted(step(count + more) for count in met for more in range(1, rounds + 1))
            meetings = steps[: rounds * (largest - 1)]
            price += sum(meetings)
            dearest += meetings[len(meetings) - most :]
        return -(-(price - sum(sorted(dearest, reverse=True)[:spared])) // 2)

    def cheapest(self, most: int, extra: int) -> int | None:
        """Return the least price up to `most` of plans with so many more changed tables than necessary."""
        best = None
        for number in _shares(extra, self.room):
            found = self._keeping([], number, most)
            if found is not None:
                best, most = found, found - 1
        return best

    def _keeping(self, kept: list[Tables], opened: Sequence[int], most: int) -> int | None:
        """Return the least price up to `most` with these tables kept in the first rounds."""
        if len(kept) == len(opened):
            return self._seated([self._pool(tables) for tables in kept], most)
        number, best = len(kept), None
        for tables in combinations(self.whole[number], self.room[number] - opened[number]):
            if Counter(map(len, tables)) - self.sizes:
                continue
            price = self._meet(tables, 1)
            more = self._keeping([*kept, tables], opened, most - price) if price <= most else None
            self._meet(tables, -1)
            if more is not None:
                best, most = price + more, price + more - 1
        return best

    def _pool(self, kept: Tables) -> Pool:
        seated = {player for table in kept for player in table}
        sizes = self.sizes - Counter(map(len, kept))
        waiting = (player for player in range(self.players) if player not in seated)
        return tuple(waiting), tuple(sorted(sizes.elements(), reverse=True))

    def _seated(self, pools: list[Pool], most: int) -> int | None:
        """The least price up to `most` at which all pools can be seated: the one with the fewest ways first."""
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
        which = min(range(len(pools)), key=lambda number: len(ways[number]))
        others, best = pools[:which] + pools[which + 1 :], None
        for price, tables in sorted(ways[which]):
            if price > most:
                break
            self._meet(tables, 1)
            more = self._seated(others, most - price)
            self._meet(tables, -1)
            if more is not None:
                best, most = price + more, price + more - 1
        return best

    def _cheapest(self, waiting: tuple[int, ...], sizes: tuple[int, ...], most: int) -> int | None:
        best = None
        while most >= 0:
            found = next(self._ways(waiting, sizes, most), None)
            if found is None:
                break
            best = found[0]
            most = best - 1
        return best

    def _ways(self, waiting: tuple[int, ...], sizes: tuple[int, ...], most: int) -> Iterator[tuple[int, Tables]]:
        """Yield all ways to seat the waiting players that cost no more than `most`."""
        if not waiting:
            yield 0, []
            return
        first, others = waiting[0], waiting[1:]
        for size in set(sizes):
            at = sizes.index(size)
            rest = sizes[:at] + sizes[at + 1 :]
            for price, mates in self._tables((first,), others, size - 1, most):
                waiting_on = tuple(player for player in others if player not in mates)
                for more, tables in self._ways(waiting_on, rest, most - price):
                    yield price + more, [mates, *tables]

    def _tables(
        self, table: tuple[int, ...], others: tuple[int, ...], free: int, most: int
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield all tables of the given players and so many others that cost no more than `most`."""
        self.left -= 1
        if self.left < 0:
            raise OutOfSteps
        if not free:
            yield 0, table
            return
        for at, player in enumerate(others[: len(others) - free + 1]):
            met = self.met[player]
            price = sum([step(met[other] + 1) for other in table])
            if price <= most:
                for more, full in self._tables((*table, player), others[at + 1 :], free - 1, most - price):
                    yield price + more, full

    def _meet(self, tables: Tables, by: int) -> int:
        """Count the meetings of these tables and return their cost."""
        price = 0
        for one, other in (pair for table in tables for pair in combinations(table, 2)):
            count = self.met[one][other] + by
            self.met[one][other] = self.met[other][one] = count
            price += step(count)
        return price


def _shares(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return all ways to split a number into parts within their limits."""
    return (shares for shares in product(*(range(limit + 1) for limit in most)) if sum(shares) == total)
