"""One round whose tables are worth most, whatever a table is worth: what its result would tell of ratings, say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Final

from tourney.seating.chance import Chance, chance
from tourney.seating.exact import Prices, cheapest, few_enough
from tourney.seating.judge import Rounds, check_rounds
from tourney.seating.nearby import Bargain, nearby, standing
from tourney.seating.numbering import put
from tourney.seating.swiss import past, sores
from tourney.seating.uneven import Uneven
from tourney.seating.wishes import NOTHING, Wishes

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
    """Tables of these sizes with the fewest repeats, counted as `swiss` counts them; of all these the most worth.

    The worth of a round is the sum of its tables'. Exact while there are few tables to choose from; beyond, they are
    searched for on the seed's chance: after the worth of pairs, then by exchanges that gain. Raises ValueError for
    sizes that do not hold the players, and for a player who sits twice.
    """
    check_rounds(played)
    if sum(sizes) != len(players) or len(set(players)) != len(players):
        raise ValueError(f"tables of {', '.join(map(str, sizes))} do not seat {len(players)} players once each")
    sore = sores(players, past(players, played)[0], wishes)
    told = _Told(players, worth)
    if few_enough(sizes) and sum(comb(len(players), size) for size in set(sizes)) <= MOST_TABLES:
        tables = cheapest(_Worths(told, sore, sizes), range(len(players)), sizes)
    else:
        tables = _searched(told, sore, sizes, chance("telling", seed, len(played)))
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


class _Worths:
    """Prices of which a repeat outweighs all that tables are worth."""

    def __init__(self, told: _Told, sore: Sequence[Sequence[int]], sizes: Sequence[int]) -> None:
        places = range(len(told.players))
        worths = [told.of(table) for size in set(sizes) for table in combinations(places, size)]
        self._told, self._sore, self._best = told, sore, max(worths)
        self._unit = FINE / ((self._best - min(worths)) or 1.0)
        self._repeat = FINE * len(sizes) + 1

    def of(self, table: Sequence[int]) -> int:
        """The price of one table."""
        return self._repeat * _repeats(self._sore, [table]) + round(self._unit * (self._best - self._told.of(table)))


def _searched(told: _Told, sore: Sequence[Sequence[int]], sizes: Sequence[int], draw: Chance) -> list[list[int]]:
    """Tables with few repeats that are worth much, not proven best."""
    near = _dullness(told)
    repeat = sum(map(sum, near)) + 1
    pair = [[repeat * count + dull for count, dull in zip(*rows, strict=True)] for rows in zip(sore, near, strict=True)]
    bargain = Bargain(sore, near, Uneven.unminded(len(near)))
    tables = nearby(Prices(pair, [0] * len(near), max(sizes)), bargain, sizes, draw)
    for _look in range(LOOKS):
        _exchange(told, sore, tables, draw)
    return tables


def _dullness(told: _Told) -> list[list[int]]:
    """How much less two players alone are worth than the best two: from 0 to as many as there are players."""
    places = range(len(told.players))
    worths = {pair: told.of(pair) for pair in combinations(places, 2)}
    best, least = max(worths.values()), min(worths.values())
    unit = len(places) / ((best - least) or 1.0)
    dull = {pair: round(unit * (best - one)) for pair, one in worths.items()}
    return [[0 if one == other else dull[min(one, other), max(one, other)] for other in places] for one in places]


def _exchange(told: _Told, sore: Sequence[Sequence[int]], tables: list[list[int]], draw: Chance) -> None:
    """Let two drawn players of two drawn tables change places, where that saves repeats or, without more, gains."""
    here, there = (int(draw() * len(tables)) for _table in range(2))
    one, other = (int(draw() * len(tables[at])) for at in (here, there))
    if here == there:
        return
    old = tables[here], tables[there]
    new = _without(old[0], one, old[1][other]), _without(old[1], other, old[0][one])
    saved = _repeats(sore, old) - _repeats(sore, new)
    if saved > 0 or (saved == 0 and sum(map(told.of, new)) > sum(map(told.of, old))):
        tables[here], tables[there] = new


def _without(table: Sequence[int], seat: int, instead: int) -> list[int]:
    """The table with somebody else in that seat."""
    return [*table[:seat], instead, *table[seat + 1 :]]


def _repeats(sore: Sequence[Sequence[int]], tables: Sequence[Sequence[int]]) -> int:
    return sum(sore[one][other] for table in tables for one, other in combinations(table, 2))
