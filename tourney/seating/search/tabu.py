"""Tabu search for rounds with few repeats that moves only players in conflict: quick where these are few.

Each step makes the best swap of two players of a round of whom one has a repeat, even at a loss, and does not undo it
for a while. Steps, not seconds, end the search.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, Literal

from tourney.seating.constraints import TOGETHER
from tourney.seating.model import Groups
from tourney.seating.rng import Rng
from tourney.seating.search.state import SMALLER_TABLE_TURN

NEW_PAIR: Final = 2
"""The price of two at one table who were not planned to share it; a repeat costs as much as 120 of them."""

BYE_TURN: Final = 240
"""The price of a unit in the sum of squared byes."""

MIN_TENURE, EXTRA_TENURE = 4, 10
"""The number of steps for which a swapped pair is tabu: the least, and how many more at most."""

Swap = tuple[int, int, int, int, int]
"""A round, the table and the place of one player, and those of another."""

Turns = Literal["level", "as they come"]
"""The moves allowed: only those that level rounds at a smaller table, or any."""

HistoryWithByes = tuple[list[list[int]], list[int], list[int]]
"""Meetings of each pair with the marks of constraints, rounds at a smaller table, and byes, in the rounds before."""


class TabuState:
    """The coming rounds that a search changes: tables, and at the end of each round its byes, as in `rounds`.

    `price_up` has the price of one more meeting by the entry of the pair in `met`. In round r one more meeting of p and
    q costs `next_price[r][p][q]`, and the last one `last_price[r][p][q]`: a pair that is not planned for the round pays
    `new` too. `repeats` is the price of all repeats and violations that the rounds add.
    """

    def __init__(
        self,
        rounds: Groups,
        history: HistoryWithByes,
        price_up: Sequence[int],
        planned: Sequence[Sequence[Sequence[int]]],
        turns_are: Turns = "as they come",
        new: int = NEW_PAIR,
    ) -> None:
        met, turns, bye_counts = history
        self.turns_are = turns_are
        self.rounds = [[*map(list, tables), sorted(out)] for *tables, out in rounds]
        self.short = [[len(table) < max(map(len, tables)) for table in tables] + [False] for *tables, _out in rounds]
        self.met, self.turns, self.bye_counts = [list(row) for row in met], list(turns), list(bye_counts)
        self.earlier_byes = bye_counts
        self.price_up = list(price_up)
        self.price_down = [0, *self.price_up[:-1]]
        self.repeats = 0
        self._new = [_new_pairs(tables, len(met), new) for tables in planned]
        self.next_price = [_sums(self.met, self.price_up, new) for new in self._new]
        self.last_price = [_sums(self.met, self.price_down, new) for new in self._new]
        self._count()

    def _count(self) -> None:
        for tables, short in zip(self.rounds, self.short, strict=True):
            for player in tables[-1]:
                self.bye_counts[player] += 1
            for table, is_short in zip(tables[:-1], short, strict=False):
                for player in table:
                    self.turns[player] += is_short
                for first, second in combinations(table, 2):
                    self._count_pair(first, second, 1)

    def is_uneven(self) -> bool:
        """Report whether rounds at a smaller table are to be level and differ by more than one."""
        return self.turns_are == "level" and max(self.turns) - min(self.turns) > 1

    def is_fair(self) -> bool:
        """Report whether nobody has another bye before all others have had as many."""
        bye_counts = list(self.earlier_byes)
        for *tables, out in self.rounds:
            least = min((bye_counts[player] for table in tables for player in table), default=0)
            if any(bye_counts[player] > least for player in out):
                return False
            for player in out:
                bye_counts[player] += 1
        return True

    def conflicts(self) -> Iterator[tuple[int, int, int]]:
        """Yield round, table and place of everybody in conflict.

        Such a player has a repeat, has not met a player to be seated with, or has too many rounds at a smaller table.
        """
        missing = {number for number, row in enumerate(self.met) if TOGETHER in row}
        most = max(self.turns) if self.is_uneven() else -1
        for number, tables in enumerate(self.rounds):
            for at, table in enumerate(tables[:-1]):
                for place, player in enumerate(table):
                    met = self.met[player]
                    too_often = self.short[number][at] and self.turns[player] == most
                    if too_often or player in missing or any(self.price_down[met[other]] > 0 for other in table):
                        yield number, at, place

    def swap_delta(self, swap: Swap) -> int:
        """Return the change in price if the two players swap."""
        number, first, place, second, other_place = swap
        tables, short = self.rounds[number], self.short[number]
        first_table, second_table = tables[first], tables[second]
        p, q = first_table[place], second_table[other_place]
        next_p, next_q = self.next_price[number][p], self.next_price[number][q]
        last_p, last_q = self.last_price[number][p], self.last_price[number][q]
        # The two themselves are counted below as if they met.
        delta = -next_p[q]
        for player in first_table:
            delta += next_q[player] - last_p[player]
        if second == len(tables) - 1:
            delta += 2 * BYE_TURN * (self.bye_counts[p] - self.bye_counts[q] + 1)
        else:
            delta -= next_p[q]
            for player in second_table:
                delta += next_p[player] - last_q[player]
        if short[first] != short[second]:
            excess = self.turns[p] - self.turns[q]
            delta += 2 * SMALLER_TABLE_TURN * (1 - excess if short[first] else 1 + excess)
        return delta

    def swap(self, swap: Swap) -> None:
        """Swap the two players."""
        number, first, place, second, other_place = swap
        tables, short = self.rounds[number], self.short[number]
        first_table, second_table = tables[first], tables[second]
        p, q = first_table[place], second_table[other_place]
        first_table[place], second_table[other_place] = q, p
        self._replace(p, q, first_table)
        if second == len(tables) - 1:
            self.bye_counts[p] += 1
            self.bye_counts[q] -= 1
        else:
            self._replace(q, p, second_table)
        change = short[second] - short[first]
        self.turns[p] += change
        self.turns[q] -= change

    def _replace(self, gone: int, come: int, table: list[int]) -> None:
        for other in table:
            if other != come:
                self._count_pair(gone, other, -1)
                self._count_pair(come, other, 1)

    def _count_pair(self, first: int, second: int, by: int) -> None:
        count = self.met[first][second] + by
        self.met[first][second] = self.met[second][first] = count
        self.repeats += self.price_down[count] if by > 0 else -self.price_up[count]
        price_up, price_down = self.price_up[count], self.price_down[count]
        for new, next_price, last_price in zip(self._new, self.next_price, self.last_price, strict=True):
            extra = new[first][second]
            next_price[first][second] = next_price[second][first] = price_up + extra
            last_price[first][second] = last_price[second][first] = price_down + extra

    def copy(self) -> Groups:
        """Return a copy of the rounds, with the byes as the last table of each."""
        return [[list(table) for table in tables] for tables in self.rounds]


def _new_pairs(tables: Sequence[Sequence[int]], players: int, price: int) -> list[list[int]]:
    """Return the price of each pair that shares none of these tables; 0 for the others and on the diagonal."""
    new = [[price] * players for _ in range(players)]
    for player in range(players):
        new[player][player] = 0
    for table in tables:
        for p in table:
            for q in table:
                if p < players and q < players:
                    new[p][q] = 0
    return new


def _sums(met: list[list[int]], price: list[int], extra: list[list[int]]) -> list[list[int]]:
    return [
        [price[count] + more for count, more in zip(row, mores, strict=True)]
        for row, mores in zip(met, extra, strict=True)
    ]


def tabu_search(state: TabuState, rng: Rng, evaluations: int, goal: int) -> Groups:
    """Return the best rounds found by swapping players in conflict, the byes being the last table of each.

    The search ends when repeats cost no more than `goal`, or after `evaluations` swaps evaluated.
    """
    price = best = step = 0
    kept, tabu = state.copy(), dict[tuple[int, int, int], int]()
    while evaluations > 0 and not _done(state, goal):
        step += 1
        delta, options, evaluated = _best_swaps(state, tabu, step, best - price)
        if not evaluated:
            break
        evaluations -= evaluated
        if options:
            chosen = options[int(rng() * len(options))]
            tabu[_moved_pair(state, chosen)] = step + MIN_TENURE + int(rng() * EXTRA_TENURE)
            state.swap(chosen)
            price += delta
            if price < best and state.is_fair():
                best, kept = price, state.copy()
    return state.copy() if _done(state, goal) else kept


def _done(state: TabuState, goal: int) -> bool:
    return state.repeats <= goal and not state.is_uneven() and state.is_fair()


def _best_swaps(
    state: TabuState, tabu: dict[tuple[int, int, int], int], step: int, aspiration: int
) -> tuple[int, list[Swap], int]:
    """Return the price of the best swaps, these swaps, and how many were evaluated.

    Tabu swaps count if their price is below the `aspiration`.
    """
    least, options, evaluated = 1 << 60, list[Swap](), 0
    for number, first, place in state.conflicts():
        for second, table in enumerate(state.rounds[number]):
            if second == first:
                continue
            evaluated += len(table)
            for other_place in range(len(table)):
                swap = (number, first, place, second, other_place)
                delta = state.swap_delta(swap)
                if delta > least or (delta >= aspiration and tabu.get(_moved_pair(state, swap), 0) > step):
                    continue
                if delta < least:
                    least, options = delta, []
                options.append(swap)
    return least, options, evaluated


def _moved_pair(state: TabuState, swap: Swap) -> tuple[int, int, int]:
    number, first, place, second, other_place = swap
    tables = state.rounds[number]
    player, other = tables[first][place], tables[second][other_place]
    return number, min(player, other), max(player, other)
