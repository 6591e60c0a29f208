"""Simulated annealing of one round of many players in standing order: neighbours at one table, with few repeats."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, combinations, pairwise
from typing import Final

from tourney.seating.balance.seats import BalanceCost
from tourney.seating.rng import Rng
from tourney.seating.search.exact import TablePrice, cheapest_tables
from tourney.seating.search.state import acceptance

STEPS: Final = 100_000
"""Swaps that one annealing evaluates: a tenth of a second."""

MAX_DISTANCE: Final = 40
"""The largest distance in the order of two players who swap tables."""

STAGES: Final = 40
COOLING: Final = 0.86
"""The number of stages of an annealing, and the temperature of each relative to the one before."""

REPEAT_WEIGHT, TIGHT_WEIGHT_PER_PLAYER = 60, 4
"""The weight of a repeat in standing positions: few where there is room, a multiple of the players where not."""

PASSES: Final = 4
WINDOW: Final = 5
"""The window of tables, the first one included, from which tables are chosen to be reoptimised together."""

FEW_TABLES: Final = 10
"""Up to this many tables there is time to reoptimise three at a time."""

MOST_OF_FEW, MOST_OF_MANY = 12, 10
"""The most players whose tables are reoptimised together, where tables are few and where they are many."""


@dataclass(frozen=True, slots=True)
class AnnealingCosts:
    """The costs that an annealing adds up, in standing positions, for players by their places in the order.

    `conflict[p][q]` is the number of repeats counted if p and q share a table, `distance[p][q]` the price in positions;
    a unit of `balance` costs `turn` positions.
    """

    conflict: Sequence[Sequence[int]]
    distance: Sequence[Sequence[int]]
    balance: BalanceCost
    turn: int = REPEAT_WEIGHT

    def pairs(self, repeat: int) -> list[list[int]]:
        """Return the price of each pair at one table, where a repeat costs `repeat` positions."""
        return [
            [repeat * count + distance for count, distance in zip(repeats, distances, strict=True)]
            for repeats, distances in zip(self.conflict, self.distance, strict=True)
        ]


def anneal_swiss(prices: TablePrice, costs: AnnealingCosts, sizes: Sequence[int], rng: Rng) -> list[list[int]]:
    """Return good tables of these sizes for players 0, 1, 2 … in standing order, not proven best.

    The better of two annealings is taken, one that puts nearness first and one that puts repeats first; tables near one
    another are then reoptimised together by exhaustive search.
    """
    start = [list(range(first, last)) for first, last in pairwise(accumulate(sizes, initial=0))]
    weights = (REPEAT_WEIGHT, TIGHT_WEIGHT_PER_PLAYER * len(costs.conflict))
    candidates = [_Annealing(start, costs, weight).run(weight, rng) for weight in weights]
    return _reoptimise(prices, min(candidates, key=lambda tables: sum(map(prices.of, tables))))


class _Annealing:
    """Tables that an annealing changes, and their price where a repeat costs `repeat` standing positions.

    `keys` are the tables' keys in the balance cost.
    """

    def __init__(self, start: list[list[int]], costs: AnnealingCosts, repeat: int) -> None:
        self.tables = [list(table) for table in start]
        self.at = [number for number, table in enumerate(self.tables) for _player in table]
        self.pair = costs.pairs(repeat)
        self.balance, self.turn = costs.balance, costs.turn
        self.keys = [self.balance.key(table) for table in self.tables]

    def run(self, weight: int, rng: Rng) -> list[list[int]]:
        """Swap at falling temperature; return the last tables."""
        players, distance = len(self.at), min(MAX_DISTANCE, len(self.at) - 1)
        temperature = weight * 0.4
        for _stage in range(STAGES):
            odds = acceptance(temperature)
            for _step in range(STEPS // STAGES):
                player = int(rng() * players)
                other = (player + 1 + int(rng() * distance)) % players
                if self.at[player] == self.at[other]:
                    continue
                delta = self._swap_delta(player, other)
                if delta <= 0 or (delta < len(odds) and rng() < odds[delta]):
                    self._swap(player, other)
            temperature *= COOLING
        return self.tables

    def _swap_delta(self, first: int, second: int) -> int:
        """Return the change in price if the two, who sit at different tables, swap."""
        first_prices, second_prices = self.pair[first], self.pair[second]
        first_table, second_table = self.at[first], self.at[second]
        delta = -2 * first_prices[second]
        for player in self.tables[first_table]:
            delta += second_prices[player] - first_prices[player]
        for player in self.tables[second_table]:
            delta += first_prices[player] - second_prices[player]
        change = self.balance.marks[second] - self.balance.marks[first]
        if change:
            cost_of, keys = self.balance.at, self.keys
            after = cost_of(keys[first_table] + change) + cost_of(keys[second_table] - change)
            delta += self.turn * (after - cost_of(keys[first_table]) - cost_of(keys[second_table]))
        return delta

    def _swap(self, first: int, second: int) -> None:
        first_table, second_table = self.at[first], self.at[second]
        change = self.balance.marks[second] - self.balance.marks[first]
        self.keys[first_table] += change
        self.keys[second_table] -= change
        table, other_table = self.tables[first_table], self.tables[second_table]
        table[table.index(first)], other_table[other_table.index(second)] = second, first
        self.at[first], self.at[second] = second_table, first_table


def _reoptimise(prices: TablePrice, tables: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the tables after reseating the players of tables near one another exactly, until nothing improves."""
    improved = [list(table) for table in tables]
    settled: set[tuple[int, ...]] = set()
    together, most = ((2, 3), MOST_OF_FEW) if len(improved) <= FEW_TABLES else ((2,), MOST_OF_MANY)
    for _pass in range(PASSES):
        improved.sort(key=by_mean_place)
        neighbours = [
            (first, *others)
            for first in range(len(improved))
            for number in together
            for others in combinations(range(first + 1, min(first + WINDOW, len(improved))), number - 1)
            if sum(len(improved[place]) for place in (first, *others)) <= most
        ]
        changes = [_reoptimise_some(prices, improved, places, settled) for places in neighbours]
        if not any(changes):
            break
    return improved


def _reoptimise_some(
    prices: TablePrice, tables: list[list[int]], places: Sequence[int], settled: set[tuple[int, ...]]
) -> bool:
    """Reseat the tables at these places; report whether they improved. `settled` has the players already reseated."""
    old = [tables[place] for place in places]
    sizes, everybody = [len(table) for table in old], tuple(chain.from_iterable(old))
    if everybody in settled:
        return False
    settled.add(everybody)
    new = cheapest_tables(prices, everybody, sizes)
    if sum(map(prices.of, new)) >= sum(map(prices.of, old)):
        return False
    for place, table in zip(places, new, strict=True):
        tables[place] = table
    return True


def by_mean_place(table: Sequence[int]) -> tuple[float, Sequence[int]]:
    """Return the sort key of tables by the mean position of their players."""
    return sum(table) / len(table), table
