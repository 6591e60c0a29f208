"""One round whose tables are worth most, whatever a table is worth: what its result would tell of ratings, say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import comb
from typing import Final

from tourney.seating.balance.balance_cost import Uneven
from tourney.seating.balance.table_numbers import put
from tourney.seating.constraints import NOTHING, Wishes
from tourney.seating.quality.metrics import Rounds, check_rounds
from tourney.seating.rng import Chance, chance
from tourney.seating.search.exact import Priced, cheapest, few_enough
from tourney.seating.search.swiss_annealing import NEAR, Bargain, nearby, standing
from tourney.seating.swiss import hard_to_avoid, past, sores

Worth = Callable[[Sequence[int]], float]
"""What a table of these players is worth; their order does not matter."""

MOST_TABLES: Final = 500
"""Tables there may be, if all are to be looked at: those of twelve players in fours."""
LOOKS: Final = 500
"""Exchanges that are looked at where there are more."""
FINE: Final = 1 << 30
"""Parts into which the difference between the best and the least table is divided."""


def telling_tables(
    players: Sequence[int],
    sizes: Sequence[int],
    played: Rounds,
    worth: Worth,
    seed: str | int = 1,
    wishes: Wishes = NOTHING,
) -> list[list[int]]:
    """Tables of these sizes with the fewest repeats, counted as `swiss` counts them; of these with the most level turns
    at small tables and first deals, as `Uneven` counts them; of all these the most worth.

    The worth of a round is the sum of its tables'. Exact while there are few tables to choose from; beyond, they are
    searched for on the seed's chance: after the worth of pairs, then by exchanges that gain. There a turn too many
    weighs as much as two repeats once nearly half of all pairs have met, as in `swiss`. Raises ValueError for sizes
    that do not hold the players, and for a player who sits twice.
    """
    check_rounds(played)
    if sum(sizes) != len(players) or len(set(players)) != len(players):
        raise ValueError(f"tables of {', '.join(map(str, sizes))} do not seat {len(players)} players once each")
    met, _short = past(players, played)
    uneven, told = Uneven.after(players, played, max(sizes), "first deals"), _Told(players, worth)
    aims = _Aims(sores(players, met, wishes), uneven, uneven.most + 1, 1)
    if few_enough(sizes) and sum(comb(len(players), size) for size in set(sizes)) <= MOST_TABLES:
        tables = cheapest(_Worths(told, aims, sizes), range(len(players)), sizes)
    else:
        if hard_to_avoid(met):
            aims = replace(aims, repeat=1, turn=2)
        tables = _searched(told, aims, sizes, chance("telling", seed, len(played)))
    named = [[players[place] for place in sorted(table)] for table in sorted(tables, key=standing)]
    return put([named], wishes.tables)[0]


@dataclass(frozen=True, slots=True)
class _Told:
    """What tables are worth, by the places of their players; asked for once each."""

    players: Sequence[int]
    worth: Worth
    known: dict[frozenset[int], float] = field(default_factory=dict)

    def of(self, table: Sequence[int]) -> float:
        """The worth of one table."""
        key = frozenset(table)
        if key not in self.known:
            self.known[key] = self.worth([self.players[place] for place in sorted(table)])
        return self.known[key]


@dataclass(frozen=True, slots=True)
class _Aims:
    """What comes before worth: repeats, and turns too many, each weighed so."""

    sore: Sequence[Sequence[int]]
    uneven: Uneven
    repeat: int
    turn: int

    def of(self, table: Sequence[int]) -> int:
        """What one table counts."""
        repeats = sum(self.sore[one][other] for one, other in combinations(table, 2))
        return self.repeat * repeats + self.turn * self.uneven.of(table)


class _Worths:
    """Prices of which the aims before outweigh all that tables are worth."""

    def __init__(self, told: _Told, aims: Priced, sizes: Sequence[int]) -> None:
        places = range(len(told.players))
        worths = [told.of(table) for size in set(sizes) for table in combinations(places, size)]
        self._told, self._aims, self._best = told, aims, max(worths)
        self._unit = FINE / ((self._best - min(worths)) or 1.0)
        self._aim = FINE * len(sizes) + 1

    def of(self, table: Sequence[int]) -> int:
        """The price of one table."""
        return self._aim * self._aims.of(table) + round(self._unit * (self._best - self._told.of(table)))


class _Dull:
    """Prices of which the aims before outweigh how dull all pairs are."""

    def __init__(self, near: Sequence[Sequence[int]], aims: Priced) -> None:
        self._near, self._aims, self._aim = near, aims, sum(map(sum, near)) + 1

    def of(self, table: Sequence[int]) -> int:
        """The price of one table."""
        return self._aim * self._aims.of(table) + sum(self._near[one][other] for one, other in combinations(table, 2))


def _searched(told: _Told, aims: _Aims, sizes: Sequence[int], draw: Chance) -> list[list[int]]:
    """Tables with few repeats and level turns that are worth much, not proven best."""
    near = _dullness(told)
    bargain = Bargain(aims.sore, near, aims.uneven, max(NEAR, len(near)))
    tables = nearby(_Dull(near, aims), bargain, sizes, draw)
    for _look in range(LOOKS):
        _exchange(told, aims, tables, draw)
    return tables


def _dullness(told: _Told) -> list[list[int]]:
    """How much less two players alone are worth than the best two: from 0 to as many as there are players."""
    places = range(len(told.players))
    worths = {pair: told.of(pair) for pair in combinations(places, 2)}
    best, least = max(worths.values()), min(worths.values())
    unit = len(places) / ((best - least) or 1.0)
    dull = {pair: round(unit * (best - one)) for pair, one in worths.items()}
    return [[0 if one == other else dull[min(one, other), max(one, other)] for other in places] for one in places]


def _exchange(told: _Told, aims: Priced, tables: list[list[int]], draw: Chance) -> None:
    """Let two drawn players of two drawn tables change places, where that helps the aims or, at no cost, gains."""
    here, there = (int(draw() * len(tables)) for _table in range(2))
    one, other = (int(draw() * len(tables[at])) for at in (here, there))
    if here == there:
        return
    old = tables[here], tables[there]
    new = _without(old[0], one, old[1][other]), _without(old[1], other, old[0][one])
    saved = sum(map(aims.of, old)) - sum(map(aims.of, new))
    if saved > 0 or (saved == 0 and sum(map(told.of, new)) > sum(map(told.of, old))):
        tables[here], tables[there] = new


def _without(table: Sequence[int], seat: int, instead: int) -> list[int]:
    """The table with somebody else in that seat."""
    return [*table[:seat], instead, *table[seat + 1 :]]
