"""Rounds under change, and what they cost: repeat meetings, turns at short tables, turns to sit out.

Everybody has a place in every round, at a table or among those who sit out. A search lets two players of a round
change places, and asks before by how much the price rises.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, Literal

from tourney.seating.constraints import KIND, steps, totals
from tourney.seating.model import Aim, Before, Groups

REPEAT: Final = 240
"""The price of a second meeting of two players."""

FURTHER: Final[dict[Aim, tuple[int, int]]] = {"fewest repeats": (241, 1), "no third meeting": (961, 961)}
"""The price of a third meeting, and by how much each later one is dearer.

Either next to that of a second, so that only among equally few repeats the more even ones win; or more than
that of four second ones.
"""

SHORT: Final = 40
"""The price of a unit in the sum of squared turns at short tables, where rounds are planned anew: three more than
another has, and one of them passed to him, are four units."""

Seeking = Literal["few repeats", "both", "level turns", "level turns first"]
"""What a search is after: few repeats alone, or level turns at short tables as well, or more those where repeats are as
few as can be, or those whatever they cost."""

TURN: Final[dict[Seeking, int]] = {"few repeats": 3, "both": SHORT, "level turns": 120, "level turns first": 400}
"""The same while a search goes on: between rounds that repeat nearly nobody stand others with more uneven turns, and a
search that minds these finds no way through."""

UNFAIR: Final = 1_000
"""The price of each turn from the second on that is beyond an equal share, unless repeats are to be the fewest: it
counts like four repeats."""

REST: Final = 960
"""The price of a unit in the sum of squared turns to sit out, while a search goes on: nothing uneven is kept."""

SHORT_TABLE, SITTING_OUT = 1, 2
"""Kinds of places: 0 at the other tables, and from 2 on one for each time that all sit out in turn."""

Worth = tuple[int, int, int]
"""What decides, less being better: uneven turns to sit out; repeats, with unfair turns at short tables; all uneven
turns there. The last two change places where level turns come first."""


class Draft:
    """Rounds under change, with the meetings and turns that they make; owned by one search.

    `seats[r]` are the players of round r by place: table after table, then those who sit out if they may change too.
    `mates[r][place]` are the other places of its table, `kinds[r][place]` its kind, `turns[kind][p]` how often player
    p has one of that kind. `met[p][q]` counts meetings of p and q, those before too, above the mark of a pair that has
    a wish; `dearer[p][q]` is what one more of them costs, and `cheaper[p][q]` what the last of them does. `pairs`,
    `short` and `rest` are the prices of meetings, and of turns above those of level ones; `fair` is an equal share of
    turns at short tables, if there is a price for more.
    """

    def __init__(
        self,
        groups: Groups,
        sitting: Sequence[Sequence[int]],
        before: Before,
        aim: Aim,
        seeking: Seeking = "level turns",
    ) -> None:
        met, turns = before
        self.aim, self.seeking = aim, seeking
        self.players = len(met)
        self.sizes = [tuple(map(len, tables)) for tables in groups]
        self.seats = [[*chain.from_iterable(tables), *out] for tables, out in zip(groups, sitting, strict=True)]
        self.mates = [mates(sizes, len(seats)) for sizes, seats in zip(self.sizes, self.seats, strict=True)]
        self.kinds = _kinds(self.sizes, list(map(len, sitting)), self.players)
        self.up = step_prices(met, len(groups), aim)
        self.down = [0, *self.up[:-1]]
        self.met = [list(row) for row in met]
        self.turns = [[0] * self.players for _kind in range(1 + max(SHORT_TABLE, *chain.from_iterable(self.kinds)))]
        self.turns[SHORT_TABLE] = list(turns)
        self._count()
        self.dearer = [[self.up[count] for count in row] for row in self.met]
        self.cheaper = [[self.down[count] for count in row] for row in self.met]
        most = len(groups) + max(turns, default=0) + 1
        self.fair = most if aim == "fewest repeats" else -(-sum(self.turns[SHORT_TABLE]) // self.players)
        self.turn_up = [_turn_prices(kind, most, seeking, self.fair) for kind in range(len(self.turns))]
        self.pairs, self.short, self.rest = self._price_of_pairs(), self._above(SHORT_TABLE), 0
        self.rest = sum(map(self._above, range(SITTING_OUT, len(self.turns))))

    def _count(self) -> None:
        for seats, mates, kinds in zip(self.seats, self.mates, self.kinds, strict=True):
            for place, player in enumerate(seats):
                self.turns[kinds[place]][player] += 1
                for other in mates[place]:
                    self.met[player][seats[other]] += 1

    def _price_of_pairs(self) -> int:
        total = totals(self.up)
        return sum(total[count] for row in self.met for count in row) // 2

    def _above(self, kind: int) -> int:
        """What turns of this kind cost more than if they were as level as can be."""
        up, counts = self.turn_up[kind], self.turns[kind]
        each, more = divmod(sum(counts), self.players)
        return sum(sum(up[:count]) for count in counts) - self.players * sum(up[:each]) - more * up[each]

    @property
    def worth(self) -> Worth:
        """What decides between rounds of one search."""
        unfair = UNFAIR * sum([count - self.fair - 1 for count in self.turns[SHORT_TABLE] if count > self.fair + 1])
        repeats = self.pairs + unfair if self.aim == "no third meeting" else self.pairs // REPEAT
        if self.seeking == "level turns first":
            return self.rest, self.short, repeats
        return self.rest, repeats, self.short + self.pairs % REPEAT

    def gain(self, number: int, left: int, right: int) -> int:
        """By how much the price rises if the players at two places of round `number` change, not of one table."""
        seats, mates = self.seats[number], self.mates[number]
        one, other = seats[left], seats[right]
        dearer_one, dearer_other = self.dearer[one], self.dearer[other]
        cheaper_one, cheaper_other = self.cheaper[one], self.cheaper[other]
        rise = 0
        for place in mates[left]:
            mate = seats[place]
            rise += dearer_other[mate] - cheaper_one[mate]
        for place in mates[right]:
            mate = seats[place]
            rise += dearer_one[mate] - cheaper_other[mate]
        kinds = self.kinds[number]
        if kinds[left] != kinds[right]:
            rise += self._turn_gain(kinds[left], one, other) + self._turn_gain(kinds[right], other, one)
        return rise

    def _turn_gain(self, kind: int, gone: int, come: int) -> int:
        up, counts = self.turn_up[kind], self.turns[kind]
        return up[counts[come]] - up[counts[gone] - 1]

    def exchange(self, number: int, left: int, right: int) -> None:
        """Lets the players at two places of a round change, not of one table."""
        seats, mates, kinds = self.seats[number], self.mates[number], self.kinds[number]
        one, other = seats[left], seats[right]
        self._replace(one, other, [seats[place] for place in mates[left]])
        self._replace(other, one, [seats[place] for place in mates[right]])
        seats[left], seats[right] = other, one
        if kinds[left] != kinds[right]:
            self._pass_turn(kinds[left], one, other)
            self._pass_turn(kinds[right], other, one)

    def _replace(self, gone: int, come: int, mates: list[int]) -> None:
        """Counts a table's other players with one player in place of another."""
        for mate in mates:
            self.pairs += self.dearer[come][mate] - self.cheaper[gone][mate]
            self._meet(gone, mate, self.met[gone][mate] - 1)
            self._meet(come, mate, self.met[come][mate] + 1)

    def _meet(self, one: int, other: int, count: int) -> None:
        self.met[one][other] = self.met[other][one] = count
        self.dearer[one][other] = self.dearer[other][one] = self.up[count]
        self.cheaper[one][other] = self.cheaper[other][one] = self.down[count]

    def _pass_turn(self, kind: int, gone: int, come: int) -> None:
        rise = self._turn_gain(kind, gone, come)
        if kind == SHORT_TABLE:
            self.short += rise
        elif kind >= SITTING_OUT:
            self.rest += rise
        self.turns[kind][gone] -= 1
        self.turns[kind][come] += 1

    def groups(self, seats: Sequence[Sequence[int]]) -> Groups:
        """The tables of such rounds, by place."""
        return [_tables(row, sizes) for row, sizes in zip(seats, self.sizes, strict=True)]


def _tables(row: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    players = iter(row)
    return [[next(players) for _place in range(size)] for size in sizes]


@lru_cache(maxsize=64)
def mates(sizes: tuple[int, ...], places: int) -> tuple[tuple[int, ...], ...]:
    """For each of so many places the others of its table; none for those behind the tables."""
    found: list[tuple[int, ...]] = []
    for size in sizes:
        table = range(len(found), len(found) + size)
        found += [tuple(other for other in table if other != place) for place in table]
    return (*found, *[()] * (places - len(found)))


def _kinds(sizes: Sequence[Sequence[int]], outs: Sequence[int], players: int) -> list[list[int]]:
    """The kind of each place of each round, where so many sit out in each: all in turn, and then again."""
    kinds, turn = [], 0
    for tables, resting in zip(sizes, outs, strict=True):
        at_tables = [SHORT_TABLE if size < max(tables) else 0 for size in tables for _place in range(size)]
        kinds.append([*at_tables, *(SITTING_OUT + number // players for number in range(turn, turn + resting))])
        turn += resting
    return kinds


def _turn_prices(kind: int, most: int, seeking: Seeking, fair: int) -> list[int]:
    """What one more turn of this kind costs a player who has 0, 1, 2, ... `most`; `fair` is an equal share."""
    if kind != SHORT_TABLE:
        return [REST * (2 * count + 1) * (kind >= SITTING_OUT) for count in range(most + 1)]
    return [TURN[seeking] * (2 * count + 1) + UNFAIR * (count > fair) for count in range(most + 1)]


def step_prices(met: list[list[int]], rounds: int, aim: Aim) -> list[int]:
    """What one more meeting costs by its entry in this matrix of meetings, which so many rounds may add to."""
    most = max((max(row, default=0) for row in met), default=0)
    return steps(prices(KIND - 1, aim)) if most >= KIND else prices(rounds + most + 2, aim)


def prices(most: int, aim: Aim) -> list[int]:
    """What one more meeting costs two players who have met 0, 1, 2, ... `most` times."""
    third, dearer = FURTHER[aim]
    return [0, REPEAT, *[third + dearer * (met - 2) for met in range(2, most + 1)]]


def acceptance(temperature: float) -> list[float]:
    """The odds of accepting a rise of 0, 1, 2, ...: (T / (T + 1)) ** rise, by multiplication alone.

    Not `exp`, which the C libraries of different machines round differently.
    """
    ratio = temperature / (temperature + 1)
    odds = [1.0]
    while odds[-1] > 0.001:
        odds.append(odds[-1] * ratio)
    return odds
