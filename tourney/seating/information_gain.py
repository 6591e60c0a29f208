"""Seat one round for the highest gain of its tables, such as the information that their results give about ratings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from typing import Final

from tourney.seating.balance.seats import BalanceCost
from tourney.seating.balance.table_numbers import place_constrained
from tourney.seating.constraints import NO_CONSTRAINTS, Constraints
from tourney.seating.quality.metrics import Rounds, check_rounds
from tourney.seating.rng import Rng, seeded_rng
from tourney.seating.search.exact import TablePrice, cheapest_tables, is_tractable
from tourney.seating.search.swiss_annealing import REPEAT_WEIGHT, AnnealingCosts, anneal_swiss, by_mean_place
from tourney.seating.swiss import conflict_matrix, history_by_place, is_saturated

Gain = Callable[[Sequence[int]], float]
"""The gain of a table of these players; their order does not matter."""

MOST_TABLES: Final = 500
"""Up to this many possible tables all are evaluated: twelve players have 495 tables of four."""
MAX_EVALUATIONS: Final = 500
"""The most swaps evaluated where there are more tables."""
RESOLUTION: Final = 1 << 30
"""The difference in gain between the best and the worst table, in units of the price."""


def informative_tables(
    players: Sequence[int],
    sizes: Sequence[int],
    played: Rounds,
    gain: Gain,
    seed: str | int = 1,
    constraints: Constraints = NO_CONSTRAINTS,
) -> list[list[int]]:
    """Return tables of these sizes with the fewest repeats, level counts, and the highest gain, in this order.

    Repeats are counted as in `swiss`, rounds at smaller tables and first deals as in `BalanceCost`; the gain of a round
    is the sum of its tables'. The result is exact if there are few tables to choose from. Otherwise tables are searched
    for with the seed's random numbers, by the gain of pairs, then by swaps; then a round or deal too many weighs as
    much as two repeats once nearly half of all pairs have met, as in `swiss`. Raises ValueError for sizes that do not
    hold the players, and for a player who sits twice.
    """
    check_rounds(played)
    if sum(sizes) != len(players) or len(set(players)) != len(players):
        raise ValueError(f"tables of {', '.join(map(str, sizes))} do not seat {len(players)} players once each")
    met, _short = history_by_place(players, played)
    balance, gains = BalanceCost.after(players, played, max(sizes), "first deals"), _CachedGain(players, gain)
    aims = _Aims(conflict_matrix(players, met, constraints), balance, balance.most + 1, 1)
    if is_tractable(sizes) and sum(comb(len(players), size) for size in set(sizes)) <= MOST_TABLES:
        tables = cheapest_tables(_ExactPrice(gains, aims, sizes), range(len(players)), sizes)
    else:
        if is_saturated(met):
            aims = replace(aims, repeat=1, turn=2)
        tables = _anneal_and_swap(gains, aims, sizes, seeded_rng("telling", seed, len(played)))
    named = [[players[place] for place in sorted(table)] for table in sorted(tables, key=by_mean_place)]
    return place_constrained([named], constraints.tables)[0]


@dataclass(frozen=True, slots=True)
class _CachedGain:
    """The gain of tables by the places of their players, computed once each."""

    players: Sequence[int]
    gain: Gain
    gain_by_table: dict[frozenset[int], float] = field(default_factory=dict)

    def of(self, table: Sequence[int]) -> float:
        """Return the gain of one table."""
        key = frozenset(table)
        if key not in self.gain_by_table:
            self.gain_by_table[key] = self.gain([self.players[place] for place in sorted(table)])
        return self.gain_by_table[key]


@dataclass(frozen=True, slots=True)
class _Aims:
    """The weighted aims that come before the gain: few repeats, and level counts."""

    conflict: Sequence[Sequence[int]]
    balance: BalanceCost
    repeat: int
    turn: int

    def of(self, table: Sequence[int]) -> int:
        """Return the price of one table."""
        repeats = sum(self.conflict[player][other] for player, other in combinations(table, 2))
        return self.repeat * repeats + self.turn * self.balance.of(table)


class _ExactPrice:
    """Prices in which the aims outweigh the gain of all tables."""

    def __init__(self, gains: _CachedGain, aims: TablePrice, sizes: Sequence[int]) -> None:
        places = range(len(gains.players))
        values = [gains.of(table) for size in set(sizes) for table in combinations(places, size)]
        self._gains, self._aims, self._best = gains, aims, max(values)
        self._unit = RESOLUTION / ((self._best - min(values)) or 1.0)
        self._aim = RESOLUTION * len(sizes) + 1

    def of(self, table: Sequence[int]) -> int:
        """Return the price of one table."""
        return self._aim * self._aims.of(table) + round(self._unit * (self._best - self._gains.of(table)))


class _PairPrice:
    """Prices in which the aims outweigh the loss of gain of all pairs."""

    def __init__(self, distance: Sequence[Sequence[int]], aims: TablePrice) -> None:
        self._distance, self._aims, self._aim = distance, aims, sum(map(sum, distance)) + 1

    def of(self, table: Sequence[int]) -> int:
        """Return the price of one table."""
        return self._aim * self._aims.of(table) + sum(
            self._distance[player][other] for player, other in combinations(table, 2)
        )


def _anneal_and_swap(gains: _CachedGain, aims: _Aims, sizes: Sequence[int], rng: Rng) -> list[list[int]]:
    """Return tables with few repeats, level counts and a high gain, not proven best."""
    distance = _pair_losses(gains)
    costs = AnnealingCosts(aims.conflict, distance, aims.balance, max(REPEAT_WEIGHT, len(distance)))
    tables = anneal_swiss(_PairPrice(distance, aims), costs, sizes, rng)
    for _step in range(MAX_EVALUATIONS):
        _swap(gains, aims, tables, rng)
    return tables


def _pair_losses(gains: _CachedGain) -> list[list[int]]:
    """Return how much less each pair gains than the best pair, scaled to 0 up to the number of players."""
    places = range(len(gains.players))
    values = {pair: gains.of(pair) for pair in combinations(places, 2)}
    best, least = max(values.values()), min(values.values())
    unit = len(places) / ((best - least) or 1.0)
    losses = {pair: round(unit * (best - value)) for pair, value in values.items()}
    return [[0 if p == q else losses[min(p, q), max(p, q)] for q in places] for p in places]


def _swap(gains: _CachedGain, aims: TablePrice, tables: list[list[int]], rng: Rng) -> None:
    """Swap two random players of two random tables if that improves the aims, or improves the gain at equal aims."""
    first, second = (int(rng() * len(tables)) for _table in range(2))
    seat, other_seat = (int(rng() * len(tables[at])) for at in (first, second))
    if first == second:
        return
    old = tables[first], tables[second]
    new = _without(old[0], seat, old[1][other_seat]), _without(old[1], other_seat, old[0][seat])
    saved = sum(map(aims.of, old)) - sum(map(aims.of, new))
    if saved > 0 or (saved == 0 and sum(map(gains.of, new)) > sum(map(gains.of, old))):
        tables[first], tables[second] = new


def _without(table: Sequence[int], seat: int, instead: int) -> list[int]:
    """Return the table with another player in that seat."""
    return [*table[:seat], instead, *table[seat + 1 :]]
