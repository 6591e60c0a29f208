"""Rounds in which few meet again, found by moving only those who do: quick where little is wrong.

Each step makes the best exchange of two players of a round of whom one meets somebody again, also where that is a loss,
and does not take it back for a while (tabu search). Steps, not seconds, end it.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final, Literal

from tourney.seating.constraints import TOGETHER
from tourney.seating.model import Groups
from tourney.seating.rng import Chance
from tourney.seating.search.state import SHORT

NEW: Final = 2
"""The price of two at one table who were not to share it; a repeat costs as much as 120 of them."""

REST: Final = 240
"""The price of a unit in the sum of squared turns to sit out."""

LEAST, MORE = 4, 10
"""For how many steps two do not change places again: the least, and how many more at most."""

Exchange = tuple[int, int, int, int, int]
"""A round, the table and the place of one player, and those of another."""

Turns = Literal["level", "as they come"]
"""Whether players are moved only to level turns at short tables."""

Past = tuple[list[list[int]], list[int], list[int]]
"""Of the rounds before: meetings of each two with the marks of wishes, and turns at short tables and to sit out."""


class Tangle:
    """Coming rounds under change: tables, and at the end of each round who sits it out.

    `up` has the price of one more meeting by the entry of the pair in `met`. In round r one more of p and q costs
    `dearer[r][p][q]`, and the last of them `cheaper[r][p][q]`: a pair that is not planned for the round pays `new`
    beside. `repeats` is the price of all repeats and broken wishes that the rounds add.
    """

    def __init__(
        self,
        rounds: Groups,
        sitting: Sequence[Collection[int]],
        past: Past,
        up: Sequence[int],
        planned: Sequence[Sequence[Sequence[int]]],
        turns_are: Turns = "as they come",
        new: int = NEW,
    ) -> None:
        met, turns, rests = past
        self.turns_are = turns_are
        self.rounds = [[*map(list, tables), sorted(out)] for tables, out in zip(rounds, sitting, strict=True)]
        self.short = [[len(table) < max(map(len, tables)) for table in tables] + [False] for tables in rounds]
        self.met, self.turns, self.rests = [list(row) for row in met], list(turns), list(rests)
        self.rested = rests
        self.up = list(up)
        self.down = [0, *self.up[:-1]]
        self.repeats = 0
        self._new = [_new_pairs(tables, len(met), new) for tables in planned]
        self.dearer = [_sums(self.met, self.up, new) for new in self._new]
        self.cheaper = [_sums(self.met, self.down, new) for new in self._new]
        self._count()

    def _count(self) -> None:
        for tables, short in zip(self.rounds, self.short, strict=True):
            for player in tables[-1]:
                self.rests[player] += 1
            for table, is_short in zip(tables[:-1], short, strict=False):
                for player in table:
                    self.turns[player] += is_short
                for one, other in combinations(table, 2):
                    self._count_pair(one, other, 1)

    def uneven(self) -> bool:
        """Whether turns at short tables are to be level and are not within one."""
        return self.turns_are == "level" and max(self.turns) - min(self.turns) > 1

    def fair(self) -> bool:
        """Whether nobody sits out again before all others have as often."""
        rests = list(self.rested)
        for *tables, out in self.rounds:
            least = min((rests[player] for table in tables for player in table), default=0)
            if any(rests[player] > least for player in out):
                return False
            for player in out:
                rests[player] += 1
        return True

    def sore(self) -> Iterator[tuple[int, int, int]]:
        """Round, table and place of everybody who meets somebody there again, or misses somebody whom he wishes to
        meet, or has too many turns at short tables."""
        missing = {one for one, row in enumerate(self.met) if TOGETHER in row}
        most = max(self.turns) if self.uneven() else -1
        for number, tables in enumerate(self.rounds):
            for at, table in enumerate(tables[:-1]):
                for place, player in enumerate(table):
                    met = self.met[player]
                    tired = self.short[number][at] and self.turns[player] == most
                    if tired or player in missing or any(self.down[met[other]] > 0 for other in table):
                        yield number, at, place

    def gain(self, exchange: Exchange) -> int:
        """By how much the price rises if the two change places."""
        number, first, left, second, right = exchange
        tables, short = self.rounds[number], self.short[number]
        here, there = tables[first], tables[second]
        one, other = here[left], there[right]
        of_one, of_other = self.dearer[number][one], self.dearer[number][other]
        less_one, less_other = self.cheaper[number][one], self.cheaper[number][other]
        # The two themselves are counted below as if they met.
        rise = -of_one[other]
        for player in here:
            rise += of_other[player] - less_one[player]
        if second == len(tables) - 1:
            rise += 2 * REST * (self.rests[one] - self.rests[other] + 1)
        else:
            rise -= of_one[other]
            for player in there:
                rise += of_one[player] - less_other[player]
        if short[first] != short[second]:
            ahead = self.turns[one] - self.turns[other]
            rise += 2 * SHORT * (1 - ahead if short[first] else 1 + ahead)
        return rise

    def exchange(self, exchange: Exchange) -> None:
        """Lets the two change places."""
        number, first, left, second, right = exchange
        tables, short = self.rounds[number], self.short[number]
        here, there = tables[first], tables[second]
        one, other = here[left], there[right]
        here[left], there[right] = other, one
        self._replace(one, other, here)
        if second == len(tables) - 1:
            self.rests[one] += 1
            self.rests[other] -= 1
        else:
            self._replace(other, one, there)
        change = short[second] - short[first]
        self.turns[one] += change
        self.turns[other] -= change

    def _replace(self, gone: int, come: int, table: list[int]) -> None:
        for other in table:
            if other != come:
                self._count_pair(gone, other, -1)
                self._count_pair(come, other, 1)

    def _count_pair(self, one: int, other: int, by: int) -> None:
        count = self.met[one][other] + by
        self.met[one][other] = self.met[other][one] = count
        self.repeats += self.down[count] if by > 0 else -self.up[count]
        up, down = self.up[count], self.down[count]
        for new, dearer, cheaper in zip(self._new, self.dearer, self.cheaper, strict=True):
            extra = new[one][other]
            dearer[one][other] = dearer[other][one] = up + extra
            cheaper[one][other] = cheaper[other][one] = down + extra

    def copy(self) -> Groups:
        """The rounds as they are, with who sits out as the last table of each."""
        return [[list(table) for table in tables] for tables in self.rounds]


def _new_pairs(tables: Sequence[Sequence[int]], players: int, price: int) -> list[list[int]]:
    """The price for each two who share none of these tables, by number; 0 for the others and on the diagonal."""
    new = [[price] * players for _ in range(players)]
    for player in range(players):
        new[player][player] = 0
    for table in tables:
        for one in table:
            for other in table:
                if one < players and other < players:
                    new[one][other] = 0
    return new


def _sums(met: list[list[int]], price: list[int], extra: list[list[int]]) -> list[list[int]]:
    return [
        [price[count] + more for count, more in zip(row, mores, strict=True)]
        for row, mores in zip(met, extra, strict=True)
    ]


def untangle(tangle: Tangle, draw: Chance, looks: int, goal: int) -> Groups:
    """The best rounds found by exchanges of those who meet again, who sits out being the last table of each.

    It ends when repeats cost no more than `goal`, or after so many `looks` at what could be exchanged.
    """
    price = best = step = 0
    kept, barred = tangle.copy(), dict[tuple[int, int, int], int]()
    while looks > 0 and not _done(tangle, goal):
        step += 1
        rise, options, seen = _best_exchanges(tangle, barred, step, best - price)
        if not seen:
            break
        looks -= seen
        if options:
            chosen = options[int(draw() * len(options))]
            barred[_who(tangle, chosen)] = step + LEAST + int(draw() * MORE)
            tangle.exchange(chosen)
            price += rise
            if price < best and tangle.fair():
                best, kept = price, tangle.copy()
    return tangle.copy() if _done(tangle, goal) else kept


def _done(tangle: Tangle, goal: int) -> bool:
    return tangle.repeats <= goal and not tangle.uneven() and tangle.fair()


def _best_exchanges(
    tangle: Tangle, barred: dict[tuple[int, int, int], int], step: int, wanted: int
) -> tuple[int, list[Exchange], int]:
    """The rise of the best exchanges, these, and how many were looked at; barred ones count if they rise less than
    `wanted`."""
    least, options, seen = 1 << 60, list[Exchange](), 0
    for number, first, left in tangle.sore():
        for second, table in enumerate(tangle.rounds[number]):
            if second == first:
                continue
            seen += len(table)
            for right in range(len(table)):
                exchange = (number, first, left, second, right)
                rise = tangle.gain(exchange)
                if rise > least or (rise >= wanted and barred.get(_who(tangle, exchange), 0) > step):
                    continue
                if rise < least:
                    least, options = rise, []
                options.append(exchange)
    return least, options, seen


def _who(tangle: Tangle, exchange: Exchange) -> tuple[int, int, int]:
    number, first, left, second, right = exchange
    tables = tangle.rounds[number]
    one, other = tables[first][left], tables[second][right]
    return number, min(one, other), max(one, other)
