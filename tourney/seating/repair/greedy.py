"""Greedy repair of planned rounds: each round in turn is reseated beside the tables that stay.

The players of tables that cannot stay, and newcomers, get the best seats; further tables are opened for them where that
saves a repeat.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

from tourney.seating.constraints import APART, KIND, NEVER, TOGETHER
from tourney.seating.model import Groups
from tourney.seating.rng import Rng, shuffled
from tourney.seating.search.exact import PairPrices, cheapest_tables

EXACT_PLAYERS: Final = 12
"""Up to this many players are reseated exactly; more by swapping two as long as that helps."""

MAX_TABLES_PER_PLAYER: Final = 3_000
"""The most tables evaluated for one player of a round; where the choices of kept tables need more, some are drawn."""

MAX_OPENED: Final = 2
"""The most tables of a round that are opened although they could stay, where a changed table has a price."""

SWEEPS: Final = 6
"""The number of sweeps over all rounds for each number of further tables opened."""

PRICE_WEIGHT: Final = 10**12
TURN_WEIGHT: Final = 10**5
"""The weights of a unit of price and of a round at a smaller table, in pairs not planned for one table."""

Cost = tuple[int, int, int]
"""The cost of a seating of a round, compared in order: the price of repeats, violations and changed tables; tables that
are not as planned; rounds at a smaller table, and pairs at one table that was not planned for them."""


@dataclass(frozen=True, slots=True)
class _KeptTables:
    """The planned tables that stay as they are, by number, and the sizes of the others."""

    numbers: tuple[int, ...]
    sizes: tuple[int, ...]


class PlannedRound:
    """A planned round and the players present for it; the tables `intact` have lost nobody."""

    def __init__(
        self, planned: Sequence[Sequence[int]], sizes: Sequence[int], out: Collection[int], players: int
    ) -> None:
        self.out = {player for player in out if player < players}
        self.present = set(range(players)).difference(out)
        self.sizes = sizes
        self.planned = [list(table) for table in planned]
        self.remaining = [[player for player in table if player in self.present] for table in planned]
        self.intact = [number for number, table in enumerate(planned) if table and self.present.issuperset(table)]
        self.planned_sets = {frozenset(table) for table in planned}
        self.pairs = {frozenset(pair) for table in planned for pair in combinations(table, 2)}

    @property
    def least(self) -> int:
        """The number of tables that cannot be as planned."""
        return len(self.sizes) - len(self._fitting(self.intact))

    def choices(self, extra: int, rng: Rng) -> Iterator[_KeptTables]:
        """Yield tables to keep: `extra` fewer intact ones than the sizes have room for; all choices or some drawn."""
        most = len(self._fitting(self.intact)) - extra
        if most < 0:
            return
        allowed = self._affordable(most)
        if comb(len(self.intact), most) <= 4 * allowed:
            every = combinations(shuffled(self.intact, rng), most)
            options = (kept for kept in every if len(self._fitting(kept)) == most)
        else:
            options = (tuple(self._fitting(shuffled(self.intact, rng))[:most]) for _choice in range(allowed))
        for kept in options:
            rest = Counter(self.sizes) - Counter(len(self.planned[number]) for number in kept)
            yield _KeptTables(kept, tuple(sorted(rest.elements(), reverse=True)))

    def all_choices(self, extra: int) -> Iterator[list[list[int]]]:
        """Yield all choices of `extra` fewer intact tables than the sizes have room for."""
        most = len(self._fitting(self.intact)) - extra
        for numbers in combinations(self.intact, max(0, most)):
            if len(self._fitting(numbers)) == most:
                yield [self.planned[number] for number in numbers]

    def _fitting(self, numbers: Sequence[int]) -> list[int]:
        """Return those of these tables, in their order, for which the sizes have room."""
        room, fitting = Counter(self.sizes), []
        for number in numbers:
            size = len(self.planned[number])
            if room[size]:
                room[size] -= 1
                fitting.append(number)
        return fitting

    def _affordable(self, kept: int) -> int:
        """Return how many choices may be evaluated that keep that many tables."""
        opened = sum(sorted(self.sizes, reverse=True)[: len(self.sizes) - kept])
        return max(1, MAX_TABLES_PER_PLAYER // max(1, comb(max(0, opened - 1), max(self.sizes) - 1)))

    def changed(self, tables: Sequence[Sequence[int]]) -> int:
        """Count the tables that are not as planned."""
        return sum(frozenset(table) not in self.planned_sets for table in tables)

    def at_planned_numbers(self, tables: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return the tables, planned ones at their numbers, the others where most of their players were planned."""
        number_of = {frozenset(table): number for number, table in enumerate(self.planned)}
        kept = {number_of[frozenset(table)] for table in tables if frozenset(table) in number_of}
        others = [table for table in tables if table and frozenset(table) not in number_of]
        return self.at_numbers(_KeptTables(tuple(sorted(kept)), ()), others)

    def at_numbers(self, kept: _KeptTables, tables: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return the kept tables at their numbers, and the others where most of their players were planned."""
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


class GreedyRepair:
    """The coming rounds under change, with all meetings and smaller-table rounds, those played included.

    `price_up` has the price of one more meeting by the entry of the pair in the matrix of meetings, `table` is the
    price of a table that is not as planned.
    """

    def __init__(
        self,
        upcoming: Sequence[PlannedRound],
        before: tuple[list[list[int]], list[int]],
        price_up: Sequence[int],
        table: int,
        begin: Groups | None = None,
    ) -> None:
        met, turns = before
        self.before = before
        self.upcoming = upcoming
        self.met = [list(row) for row in met]
        self.turns = list(turns)
        self.price_up = price_up
        self.table = table
        self.rounds: Groups = [round_.remaining for round_ in upcoming] if begin is None else list(begin)
        self.reseated = [begin is not None] * len(upcoming)
        for tables in self.rounds:
            self._count(tables, 1)

    def improve(self, rng: Rng) -> None:
        """Reseat all rounds with 0, 1, 2 … further tables opened, until nothing costs a price."""
        most = MAX_OPENED if self.table else max((len(round_.sizes) for round_ in self.upcoming), default=0)
        for extra in range(most + 1):
            self.sweep(extra, rng)
            if self.price() <= 0:
                break

    def sweep(self, extra: int, rng: Rng) -> None:
        """Reseat all rounds, with `extra` of the tables that could stay opened, until nothing improves."""
        for _sweep in range(SWEEPS):
            order = shuffled(list(range(len(self.upcoming))), rng)
            if not sum(self.reseat_round(number, extra, rng) for number in order):
                break

    @property
    def least(self) -> int:
        """The number of tables that cannot be as planned."""
        return sum(round_.least for round_ in self.upcoming)

    @property
    def byes(self) -> list[set[int]]:
        """The players with a bye in each round."""
        return [round_.out for round_ in self.upcoming]

    def without_rounds(self, numbers: Collection[int]) -> "GreedyRepair":
        """Return a repair of only the other rounds."""
        others = [number for number in range(len(self.upcoming)) if number not in numbers]
        upcoming, rounds = [self.upcoming[number] for number in others], [self.rounds[number] for number in others]
        return GreedyRepair(upcoming, self.before, self.price_up, self.table, rounds)

    def strangers(self) -> list[int]:
        """Return for each player, as bits, the players whom they may meet once more at no price."""
        return [
            sum(1 << other for other, count in enumerate(row) if other != player and self.price_up[count] <= 0)
            for player, row in enumerate(self.met)
        ]

    def cost(self) -> tuple[int, int]:
        """Return the price of all repeats, violations and changed tables, and the number of changed tables."""
        changed = sum(round_.changed(tables) for round_, tables in zip(self.upcoming, self.rounds, strict=True))
        return self.price() + self.table * changed, changed

    @property
    def can_stay(self) -> bool:
        """Return whether every planned table can stay, and no other is needed."""
        return all(
            len(round_.intact) == len(round_.planned) and sorted(map(len, round_.planned)) == sorted(round_.sizes)
            for round_ in self.upcoming
        )

    @property
    def has_repeats(self) -> bool:
        """Return whether two players meet in these rounds who have met before or meet elsewhere in them."""
        return any(self.met[player][other] % KIND > 1 for player, other in self._pairs())

    @property
    def keeps_constraints(self) -> bool:
        """Return whether no players kept apart meet in these rounds, and all to be seated together have met or do."""
        missing = any(TOGETHER in row for row in self.met)
        return not missing and all(
            self.met[player][other] // KIND not in (APART // KIND, NEVER // KIND) for player, other in self._pairs()
        )

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return (pair for tables in self.rounds for table in tables for pair in combinations(table, 2))

    def at_planned_numbers(self) -> Groups:
        """Return the rounds, with tables that are as planned at their numbers."""
        return [round_.at_planned_numbers(tables) for round_, tables in zip(self.upcoming, self.rounds, strict=True)]

    def reseat_round(self, number: int, extra: int, rng: Rng) -> bool:
        """Reseat a round, keeping `extra` fewer tables than the sizes have room for; report whether it improved."""
        round_, now = self.upcoming[number], self.rounds[number]
        self._count(now, -1)
        best = self._cost(round_, now) if self.reseated[number] else None
        chosen = now
        for kept in round_.choices(extra, rng):
            tables = round_.at_numbers(kept, self._seated(round_, kept))
            cost = self._cost(round_, tables)
            if best is None or cost < best:
                best, chosen = cost, tables
        self.rounds[number], self.reseated[number] = chosen, True
        self._count(chosen, 1)
        return chosen is not now

    def price(self) -> int:
        """Return the price of what the coming rounds repeat and violate; negative where they keep a constraint."""
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
            for first, second in combinations(table, 2):
                self.met[first][second] += by
                self.met[second][first] += by
            if len(table) < largest:
                for player in table:
                    self.turns[player] += by

    def _price(self, tables: Sequence[Sequence[int]]) -> int:
        pairs = (pair for table in tables for pair in combinations(table, 2))
        return sum(self.price_up[self.met[player][other]] for player, other in pairs)

    def _cost(self, round_: PlannedRound, tables: Sequence[Sequence[int]]) -> Cost:
        largest = max(map(len, tables), default=0)
        turns = sum(2 * self.turns[player] + 1 for table in tables if len(table) < largest for player in table)
        new = sum(frozenset(pair) not in round_.pairs for table in tables for pair in combinations(table, 2))
        changed = round_.changed(tables)
        return self._price(tables) + self.table * changed, changed, TURN_WEIGHT * turns + new

    def _seated(self, round_: PlannedRound, kept: _KeptTables) -> list[list[int]]:
        """Return the best tables for the players who sit at no kept table."""
        pool = sorted(round_.present.difference(*(round_.planned[number] for number in kept.numbers)))
        if not pool:
            return []
        prices = self._prices(round_, pool)
        if len(pool) <= EXACT_PLAYERS:
            tables = cheapest_tables(prices, range(len(pool)), kept.sizes)
        else:
            tables = _swapped(prices, _filled(round_, pool, kept.sizes))
        return [[pool[place] for place in table] for table in tables]

    def _prices(self, round_: PlannedRound, pool: Sequence[int]) -> PairPrices:
        pair = [
            [
                PRICE_WEIGHT * self.price_up[self.met[player][other]] + (frozenset((player, other)) not in round_.pairs)
                for other in pool
            ]
            for player in pool
        ]
        # Seating a pair together as wanted has a negative price, which the exact search does not allow.
        least = min(0, min(map(min, pair)))
        short = [TURN_WEIGHT * (2 * self.turns[player] + 1) for player in pool]
        return PairPrices([[price - least for price in row] for row in pair], short, max(round_.sizes))


def _filled(round_: PlannedRound, pool: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Return the remaining players of planned tables at tables of these sizes, gaps filled in the order of the pool."""
    place = {player: number for number, player in enumerate(pool)}
    parts = sorted(([place[player] for player in table if player in place] for table in round_.remaining), key=len)
    tables = [parts.pop()[:size] if parts else [] for size in sizes]
    seated = {player for table in tables for player in table}
    waiting = [player for player in range(len(pool)) if player not in seated]
    for table, size in zip(tables, sizes, strict=True):
        while len(table) < size:
            table.append(waiting.pop())
    return tables


def _swapped(prices: PairPrices, tables: list[list[int]]) -> list[list[int]]:
    """Return the tables after swapping two players as long as that is cheaper."""
    now = [prices.of(table) for table in tables]
    improved = True
    while improved:
        improved = False
        for first, second in combinations(range(len(tables)), 2):
            for place in range(len(tables[first])):
                for other_place in range(len(tables[second])):
                    first_table, second_table = list(tables[first]), list(tables[second])
                    first_table[place], second_table[other_place] = second_table[other_place], first_table[place]
                    new = prices.of(first_table), prices.of(second_table)
                    if sum(new) < now[first] + now[second]:
                        tables[first], tables[second] = first_table, second_table
                        now[first], now[second] = new
                        improved = True
    return tables
