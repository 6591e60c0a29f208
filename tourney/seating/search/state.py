"""Rounds that a search changes, and their cost: repeats, rounds at a smaller table, byes.

Everybody has a place in every round, at a table or among the byes. A search swaps two players of a round, after asking
for the change in price. A turn is a round of a player at a smaller table, or with a bye.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, Literal

from tourney.seating.constraints import KIND, cumulative_prices, meeting_prices
from tourney.seating.model import DRAWN_AS, Aim, Groups, History

REPEAT: Final = 240
"""The price of a second meeting of two players."""

FURTHER_MEETING: Final[dict[Aim, tuple[int, int]]] = {"fewest repeats": (241, 1), "no third meeting": (961, 1922)}
"""The price of a third meeting, and the increase for each later one.

Either next to that of a second, so that more even rounds win only among equally few repeats; or more than that of four
second ones. In the latter case a fourth meeting costs three times as much as a third, since two players who meet in
every round are worse off than several pairs who meet three times.
"""

SMALLER_TABLE_TURN: Final = 40
"""The price of a unit in the sum of squared rounds at a smaller table, where rounds are replanned.

Passing such a round on to a player who has had three fewer saves four units.
"""

SearchGoal = Literal["few repeats", "both", "level turns", "level turns first"]
"""The goal of a search: only few repeats; also level rounds at a smaller table; mainly these, where repeats are as few
as possible; or these at any cost."""

SEARCH_TURN: Final[dict[SearchGoal, int]] = {
    "few repeats": 3,
    "both": SMALLER_TABLE_TURN,
    "level turns": 120,
    "level turns first": 400,
}
"""The price of such a unit during a search.

Rounds with hardly any repeats are separated by less level ones, which a search reaches only where these cost little.
"""

UNFAIR_SHARE: Final = 1_000
"""The price of each round at a smaller table from the second on beyond an equal share, with the aim "no third meeting":
four repeats."""

BYE_TURN: Final = 960
"""The price of a unit in the sum of squared byes during a search: nothing uneven is kept."""

SMALLER_TABLE, BYE = 1, 2
"""Kinds of places: 0 at the largest tables; from 2 on those of byes, one kind for each time that all have had one."""

Cost = tuple[int, int, int]
"""The cost of rounds, compared in order: uneven byes; repeats, with unfair rounds at a smaller table; all uneven rounds
there. The last two change places where level turns come first."""


class ScheduleState:
    """Rounds that a search changes by swaps, with their meetings and turns; owned by that search.

    `seats[r]` are the players of round r by place: table after table, then those with a bye if they may change too.
    `mates[r][place]` are the other places of its table, `kinds[r][place]` its kind, `turns[kind][p]` how often player p
    has had one of that kind. `met[p][q]` counts meetings of p and q, earlier ones included, above the mark of a
    constrained pair; `next_price[p][q]` is what one more meeting costs, `last_price[p][q]` what the last one does.
    `pairs`, `turn_price` and `bye_price` are the prices of meetings, and of turns beyond level ones; `fair` is an equal
    share of rounds at a smaller table, if more have a price.
    """

    def __init__(
        self,
        groups: Groups,
        sitting_out: Sequence[Sequence[int]],
        before: History,
        aim: Aim,
        goal: SearchGoal = "level turns",
    ) -> None:
        met, turns = before
        self.aim, self.goal = aim, goal
        self.players = len(met)
        self.sizes = [tuple(map(len, tables)) for tables in groups]
        self.seats = [[*chain.from_iterable(tables), *out] for tables, out in zip(groups, sitting_out, strict=True)]
        self.mates = [mates(sizes, len(seats)) for sizes, seats in zip(self.sizes, self.seats, strict=True)]
        self.kinds = _kinds(self.sizes, list(map(len, sitting_out)), self.players)
        self.price_up = step_prices(met, len(groups), aim)
        self.price_down = [0, *self.price_up[:-1]]
        self.met = [list(row) for row in met]
        self.turns = [[0] * self.players for _kind in range(1 + max(SMALLER_TABLE, *chain.from_iterable(self.kinds)))]
        self.turns[SMALLER_TABLE] = list(turns)
        self._count()
        self.next_price = [[self.price_up[count] for count in row] for row in self.met]
        self.last_price = [[self.price_down[count] for count in row] for row in self.met]
        most = len(groups) + max(turns, default=0) + 1
        self.fair = most if aim == "fewest repeats" else -(-sum(self.turns[SMALLER_TABLE]) // self.players)
        self.turn_up = [_turn_prices(kind, most, goal, self.fair) for kind in range(len(self.turns))]
        self.pairs, self.turn_price, self.bye_price = self._pairs_price(), self._price_above_level(SMALLER_TABLE), 0
        self.bye_price = sum(map(self._price_above_level, range(BYE, len(self.turns))))

    def _count(self) -> None:
        for seats, mates, kinds in zip(self.seats, self.mates, self.kinds, strict=True):
            for place, player in enumerate(seats):
                self.turns[kinds[place]][player] += 1
                for other in mates[place]:
                    self.met[player][seats[other]] += 1

    def _pairs_price(self) -> int:
        total = cumulative_prices(self.price_up)
        return sum(total[count] for row in self.met for count in row) // 2

    def _price_above_level(self, kind: int) -> int:
        """Return what turns of this kind cost beyond the most level ones."""
        price_up, counts = self.turn_up[kind], self.turns[kind]
        each, more = divmod(sum(counts), self.players)
        return (
            sum(sum(price_up[:count]) for count in counts) - self.players * sum(price_up[:each]) - more * price_up[each]
        )

    @property
    def cost(self) -> Cost:
        """The cost that decides between rounds of one search."""
        unfair = UNFAIR_SHARE * sum(
            [count - self.fair - 1 for count in self.turns[SMALLER_TABLE] if count > self.fair + 1]
        )
        repeats = self.pairs + unfair if self.aim == "no third meeting" else self.pairs // REPEAT
        if self.goal == "level turns first":
            return self.bye_price, self.turn_price, repeats
        return self.bye_price, repeats, self.turn_price + self.pairs % REPEAT

    def swap_delta(self, number: int, place: int, other_place: int) -> int:
        """Return the change in price if the players at two places of a round, not of one table, swap."""
        seats, mates = self.seats[number], self.mates[number]
        first, second = seats[place], seats[other_place]
        next_first, next_second = self.next_price[first], self.next_price[second]
        last_first, last_second = self.last_price[first], self.last_price[second]
        delta = 0
        for mate_place in mates[place]:
            mate = seats[mate_place]
            delta += next_second[mate] - last_first[mate]
        for mate_place in mates[other_place]:
            mate = seats[mate_place]
            delta += next_first[mate] - last_second[mate]
        kinds = self.kinds[number]
        if kinds[place] != kinds[other_place]:
            delta += self._turn_delta(kinds[place], first, second) + self._turn_delta(kinds[other_place], second, first)
        return delta

    def _turn_delta(self, kind: int, gone: int, come: int) -> int:
        price_up, counts = self.turn_up[kind], self.turns[kind]
        return price_up[counts[come]] - price_up[counts[gone] - 1]

    def swap(self, number: int, place: int, other_place: int) -> None:
        """Swap the players at two places of a round, not of one table."""
        seats, mates, kinds = self.seats[number], self.mates[number], self.kinds[number]
        first, second = seats[place], seats[other_place]
        self._replace(first, second, [seats[mate] for mate in mates[place]])
        self._replace(second, first, [seats[mate] for mate in mates[other_place]])
        seats[place], seats[other_place] = second, first
        if kinds[place] != kinds[other_place]:
            self._pass_turn(kinds[place], first, second)
            self._pass_turn(kinds[other_place], second, first)

    def _replace(self, gone: int, come: int, mates: list[int]) -> None:
        """Count a table's other players with one player in place of another."""
        for mate in mates:
            self.pairs += self.next_price[come][mate] - self.last_price[gone][mate]
            self._meet(gone, mate, self.met[gone][mate] - 1)
            self._meet(come, mate, self.met[come][mate] + 1)

    def _meet(self, first: int, second: int, count: int) -> None:
        self.met[first][second] = self.met[second][first] = count
        self.next_price[first][second] = self.next_price[second][first] = self.price_up[count]
        self.last_price[first][second] = self.last_price[second][first] = self.price_down[count]

    def _pass_turn(self, kind: int, gone: int, come: int) -> None:
        delta = self._turn_delta(kind, gone, come)
        if kind == SMALLER_TABLE:
            self.turn_price += delta
        elif kind >= BYE:
            self.bye_price += delta
        self.turns[kind][gone] -= 1
        self.turns[kind][come] += 1

    def groups(self, seats: Sequence[Sequence[int]]) -> Groups:
        """Return the rounds of these `seats` as tables."""
        return [_tables(row, sizes) for row, sizes in zip(seats, self.sizes, strict=True)]


def _tables(row: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    players = iter(row)
    return [[next(players) for _place in range(size)] for size in sizes]


@lru_cache(maxsize=64)
def mates(sizes: tuple[int, ...], places: int) -> tuple[tuple[int, ...], ...]:
    """Return for each place the other places of its table; none for the places of byes."""
    others: list[tuple[int, ...]] = []
    for size in sizes:
        table = range(len(others), len(others) + size)
        others += [tuple(other for other in table if other != place) for place in table]
    return (*others, *[()] * (places - len(others)))


def _kinds(sizes: Sequence[Sequence[int]], byes: Sequence[int], players: int) -> list[list[int]]:
    """Return the kind of each place of each round; `byes` has the number of byes of each, which players get in turn."""
    kinds, earlier_byes = [], 0
    for tables, number_of_byes in zip(sizes, byes, strict=True):
        at_tables = [SMALLER_TABLE if size < max(tables) else 0 for size in tables for _place in range(size)]
        coming_byes = range(earlier_byes, earlier_byes + number_of_byes)
        kinds.append([*at_tables, *(BYE + number // players for number in coming_byes)])
        earlier_byes += number_of_byes
    return kinds


def _turn_prices(kind: int, most: int, goal: SearchGoal, fair: int) -> list[int]:
    """Return the price of one more turn of this kind for a player who has 0, 1, 2, ... `most`; `fair` is an equal
    share."""
    if kind != SMALLER_TABLE:
        return [BYE_TURN * (2 * count + 1) * (kind >= BYE) for count in range(most + 1)]
    return [SEARCH_TURN[goal] * (2 * count + 1) + UNFAIR_SHARE * (count > fair) for count in range(most + 1)]


def step_prices(met: list[list[int]], rounds: int, aim: Aim) -> list[int]:
    """Return the price of one more meeting by its entry in this matrix, to which `rounds` rounds may add."""
    most = max((max(row, default=0) for row in met), default=0)
    return meeting_prices(prices(KIND - 1, aim)) if most >= KIND else prices(rounds + most + 2, aim)


def prices(most: int, aim: Aim) -> list[int]:
    """Return the price of one more meeting of two players who have met 0, 1, 2, ... `most` times."""
    third, next_price = FURTHER_MEETING[aim]
    if DRAWN_AS.get() == 1:
        next_price = min(third, next_price)
    return [0, REPEAT, *[third + next_price * (met - 2) for met in range(2, most + 1)]]


def acceptance(temperature: float) -> list[float]:
    """Return the odds of accepting a price of 0, 1, 2, ...: (T / (T + 1)) ** price, by multiplication alone.

    `exp` will not do: the C libraries of different machines round it differently.
    """
    ratio = temperature / (temperature + 1)
    odds = [1.0]
    while odds[-1] > 0.001:
        odds.append(odds[-1] * ratio)
    return odds
