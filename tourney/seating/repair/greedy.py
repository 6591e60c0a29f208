"""Planned rounds to come, changed as little as can be: each round in turn is seated anew beside tables that stay.

The players of tables that cannot stay, and newcomers, are seated as well as can be; further tables are opened for them
where that saves a repeat.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

from tourney.seating.constraints import APART, KIND, TOGETHER
from tourney.seating.model import Groups
from tourney.seating.rng import Chance, shuffled
from tourney.seating.search.exact import Prices, cheapest

EXACT: Final = 12
"""Up to so many players who are seated anew are so as well as can be; more by exchanging two as long as that helps."""

WORK: Final = 3_000
"""Tables that may be looked at for one player of a round; more openings than that allows are drawn by lot."""

OPENED: Final = 2
"""Tables of a round that are opened at most of those that could stay, where that has a price."""

SWEEPS: Final = 6
"""How often all rounds are gone through for each number of further tables opened."""

REPEATS: Final = 10**12
TURNS: Final = 10**5
"""What a unit of price and a turn at a short table weigh, in pairs who were not to share a table."""

Worth = tuple[int, int, int]
"""What decides between seatings of a round, less being better: the price of repeats, broken wishes and changed tables;
tables that are not as planned; turns at short tables, and pairs at one table who were not to share it."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """The planned tables that stay as they are, by number, and the sizes of the others."""

    numbers: tuple[int, ...]
    sizes: tuple[int, ...]


class Coming:
    """A planned round and who is there to play it; the tables `whole` have lost nobody."""

    def __init__(
        self, planned: Sequence[Sequence[int]], sizes: Sequence[int], out: Collection[int], players: int
    ) -> None:
        self.out = {player for player in out if player < players}
        self.here = set(range(players)).difference(out)
        self.sizes = sizes
        self.planned = [list(table) for table in planned]
        self.remnants = [[player for player in table if player in self.here] for table in planned]
        self.whole = [number for number, table in enumerate(planned) if table and self.here.issuperset(table)]
        self.as_planned = {frozenset(table) for table in planned}
        self.pairs = {frozenset(pair) for table in planned for pair in combinations(table, 2)}

    @property
    def least(self) -> int:
        """How many tables cannot be as planned."""
        return len(self.sizes) - len(self._fitting(self.whole))

    def choices(self, extra: int, draw: Chance) -> Iterator[_Kept]:
        """What may be kept: as many whole tables as there is room for, less `extra`. All choices, or some drawn."""
        most = len(self._fitting(self.whole)) - extra
        if most < 0:
            return
        allowed = self._affordable(most)
        if comb(len(self.whole), most) <= 4 * allowed:
            every = combinations(shuffled(self.whole, draw), most)
            options = (kept for kept in every if len(self._fitting(kept)) == most)
        else:
            options = (tuple(self._fitting(shuffled(self.whole, draw))[:most]) for _way in range(allowed))
        for kept in options:
            rest = Counter(self.sizes) - Counter(len(self.planned[number]) for number in kept)
            yield _Kept(kept, tuple(sorted(rest.elements(), reverse=True)))

    def keepable(self, extra: int) -> Iterator[list[list[int]]]:
        """As many whole tables as there is room for, less `extra`, in all ways."""
        most = len(self._fitting(self.whole)) - extra
        for numbers in combinations(self.whole, max(0, most)):
            if len(self._fitting(numbers)) == most:
                yield [self.planned[number] for number in numbers]

    def _fitting(self, numbers: Sequence[int]) -> list[int]:
        """Those of these tables, in their order, for which the sizes have room."""
        room, fitting = Counter(self.sizes), []
        for number in numbers:
            size = len(self.planned[number])
            if room[size]:
                room[size] -= 1
                fitting.append(number)
        return fitting

    def _affordable(self, kept: int) -> int:
        """How many choices may be looked at that keep so many tables."""
        opened = sum(sorted(self.sizes, reverse=True)[: len(self.sizes) - kept])
        return max(1, WORK // max(1, comb(max(0, opened - 1), max(self.sizes) - 1)))

    def changed(self, tables: Sequence[Sequence[int]]) -> int:
        """How many of these are not as planned."""
        return sum(frozenset(table) not in self.as_planned for table in tables)

    def in_places(self, tables: Sequence[Sequence[int]]) -> list[list[int]]:
        """Tables that are as planned in their places, and the others where most of their players were to sit."""
        number_of = {frozenset(table): number for number, table in enumerate(self.planned)}
        kept = {number_of[frozenset(table)] for table in tables if frozenset(table) in number_of}
        others = [table for table in tables if table and frozenset(table) not in number_of]
        return self.arranged(_Kept(tuple(sorted(kept)), ()), others)

    def arranged(self, kept: _Kept, tables: Sequence[Sequence[int]]) -> list[list[int]]:
        """The kept tables in their places, and the others where most of their players were to sit."""
        places: dict[int, list[int]] = {number: self.planned[number] for number in kept.numbers}
        moved = [places.pop(number) for number in kept.numbers if number >= len(self.sizes)]
        free = [place for place in range(len(self.sizes)) if place not in places]
        for table in [*moved, *tables]:
            place = max(free, key=lambda place: (self._overlap(place, table), -place))
            free.remove(place)
            places[place] = list(table)
        return [list(places[place]) for place in range(len(self.sizes))]

    def _overlap(self, place: int, table: Sequence[int]) -> int:
        return len(set(self.planned[place]).intersection(table)) if place < len(self.planned) else 0


class Course:
    """The coming rounds under change, with all meetings and short turns that they and the rounds before make.

    `up` has the price of one more meeting by the entry of the pair in the matrix of meetings, `table` is the price of a
    table that is not as planned.
    """

    def __init__(
        self,
        coming: Sequence[Coming],
        before: tuple[list[list[int]], list[int]],
        up: Sequence[int],
        table: int,
        begin: Groups | None = None,
    ) -> None:
        met, turns = before
        self.before = before
        self.coming = coming
        self.met = [list(row) for row in met]
        self.turns = list(turns)
        self.up = up
        self.table = table
        self.rounds: Groups = [one.remnants for one in coming] if begin is None else list(begin)
        self.settled = [begin is not None] * len(coming)
        for tables in self.rounds:
            self._count(tables, 1)

    def descend(self, draw: Chance) -> None:
        """Goes through all rounds, with more and more tables opened, until nothing gets better."""
        most = OPENED if self.table else max((len(one.sizes) for one in self.coming), default=0)
        for extra in range(most + 1):
            self.settle(extra, draw)
            if self.price() <= 0:
                break

    def settle(self, extra: int, draw: Chance) -> None:
        """Goes through all rounds, with so many tables opened of those that could stay, until nothing gets better."""
        for _sweep in range(SWEEPS):
            order = shuffled(list(range(len(self.coming))), draw)
            if not sum(self.mend(number, extra, draw) for number in order):
                break

    @property
    def least(self) -> int:
        """How many tables cannot be as planned."""
        return sum(one.least for one in self.coming)

    @property
    def outs(self) -> list[set[int]]:
        """Who sits out in each round."""
        return [one.out for one in self.coming]

    def beside(self, numbers: Collection[int]) -> "Course":
        """The other rounds alone."""
        others = [number for number in range(len(self.coming)) if number not in numbers]
        coming, rounds = [self.coming[number] for number in others], [self.rounds[number] for number in others]
        return Course(coming, self.before, self.up, self.table, rounds)

    def strangers(self) -> list[int]:
        """For each player those whom he may meet once more without a price, as bits."""
        return [
            sum(1 << other for other, count in enumerate(row) if other != player and self.up[count] <= 0)
            for player, row in enumerate(self.met)
        ]

    def worth(self) -> tuple[int, int]:
        """The price of all repeats, broken wishes and changed tables, and how many tables are not as planned."""
        changed = sum(one.changed(tables) for one, tables in zip(self.coming, self.rounds, strict=True))
        return self.price() + self.table * changed, changed

    @property
    def stays(self) -> bool:
        """Whether every planned table can stay, and no other is needed."""
        return all(
            len(one.whole) == len(one.planned) and sorted(map(len, one.planned)) == sorted(one.sizes)
            for one in self.coming
        )

    @property
    def meet_again(self) -> bool:
        """Whether two meet in these rounds who have met before or do so elsewhere in them."""
        return any(self.met[one][other] % KIND > 1 for one, other in self._pairs())

    @property
    def keeps_wishes(self) -> bool:
        """Whether nobody meets in these rounds who should not, and everybody has met, or does, whom he wishes to."""
        missing = any(TOGETHER in row for row in self.met)
        return not missing and all(self.met[one][other] // KIND != APART // KIND for one, other in self._pairs())

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return (pair for tables in self.rounds for table in tables for pair in combinations(table, 2))

    def in_places(self) -> Groups:
        """The rounds, with tables that are as planned in their places."""
        return [one.in_places(tables) for one, tables in zip(self.coming, self.rounds, strict=True)]

    def mend(self, number: int, extra: int, draw: Chance) -> bool:
        """Whether the round got better by keeping so many tables fewer than there is room for."""
        one, now = self.coming[number], self.rounds[number]
        self._count(now, -1)
        best = self._worth(one, now) if self.settled[number] else None
        found = now
        for kept in one.choices(extra, draw):
            tables = one.arranged(kept, self._seated(one, kept))
            worth = self._worth(one, tables)
            if best is None or worth < best:
                best, found = worth, tables
        self.rounds[number], self.settled[number] = found, True
        self._count(found, 1)
        return found is not now

    def price(self) -> int:
        """The price of what the coming rounds repeat and break; below 0 where they keep a wish."""
        total = 0
        for tables in self.rounds:
            self._count(tables, -1)
            total += self._price(tables)
        for tables in self.rounds:
            self._count(tables, 1)
        return total

    def _count(self, tables: Sequence[Sequence[int]], by: int) -> None:
        largest = max(map(len, tables), default=0)
        for table in tables:
            for one, other in combinations(table, 2):
                self.met[one][other] += by
                self.met[other][one] += by
            if len(table) < largest:
                for player in table:
                    self.turns[player] += by

    def _price(self, tables: Sequence[Sequence[int]]) -> int:
        return sum(self.up[self.met[one][other]] for table in tables for one, other in combinations(table, 2))

    def _worth(self, one: Coming, tables: Sequence[Sequence[int]]) -> Worth:
        largest = max(map(len, tables), default=0)
        turns = sum(2 * self.turns[player] + 1 for table in tables if len(table) < largest for player in table)
        new = sum(frozenset(pair) not in one.pairs for table in tables for pair in combinations(table, 2))
        changed = one.changed(tables)
        return self._price(tables) + self.table * changed, changed, TURNS * turns + new

    def _seated(self, one: Coming, kept: _Kept) -> list[list[int]]:
        """The best tables for those who sit at none that is kept."""
        pool = sorted(one.here.difference(*(one.planned[number] for number in kept.numbers)))
        if not pool:
            return []
        prices = self._prices(one, pool)
        if len(pool) <= EXACT:
            tables = cheapest(prices, range(len(pool)), kept.sizes)
        else:
            tables = _exchanged(prices, _filled(one, pool, kept.sizes))
        return [[pool[place] for place in table] for table in tables]

    def _prices(self, one: Coming, pool: Sequence[int]) -> Prices:
        pair = [
            [REPEATS * self.up[self.met[left][right]] + (frozenset((left, right)) not in one.pairs) for right in pool]
            for left in pool
        ]
        # Keeping a wish has a price below 0, which trying all tables in order of their price does not allow.
        least = min(0, min(map(min, pair)))
        short = [TURNS * (2 * self.turns[player] + 1) for player in pool]
        return Prices([[price - least for price in row] for row in pair], short, max(one.sizes))


def _filled(one: Coming, pool: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """What is left of the planned tables, at tables of these sizes; gaps are filled in the order of the pool."""
    place = {player: number for number, player in enumerate(pool)}
    left = sorted(([place[player] for player in table if player in place] for table in one.remnants), key=len)
    tables = [left.pop()[:size] if left else [] for size in sizes]
    seated = {player for table in tables for player in table}
    waiting = [player for player in range(len(pool)) if player not in seated]
    for table, size in zip(tables, sizes, strict=True):
        while len(table) < size:
            table.append(waiting.pop())
    return tables


def _exchanged(prices: Prices, tables: list[list[int]]) -> list[list[int]]:
    """The tables after exchanging two players as long as that is cheaper."""
    now = [prices.of(table) for table in tables]
    improved = True
    while improved:
        improved = False
        for first, second in combinations(range(len(tables)), 2):
            for left in range(len(tables[first])):
                for right in range(len(tables[second])):
                    one, other = list(tables[first]), list(tables[second])
                    one[left], other[right] = other[right], one[left]
                    new = prices.of(one), prices.of(other)
                    if sum(new) < now[first] + now[second]:
                        tables[first], tables[second] = one, other
                        now[first], now[second] = new
                        improved = True
    return tables
