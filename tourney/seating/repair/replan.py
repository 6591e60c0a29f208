"""Replan the coming rounds when entrants change: no repeats, or few changed tables for few repeats.

First each round is reseated beside the tables that can stay. Where a needless repeat is left, pairs of rounds are tried
exhaustively; where that is not enough, tabu search moves players with a repeat, whatever tables that changes. With few
players all seatings are tried, as far as the steps allow.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final

from tourney.seating.constraints import APART, KIND, TOGETHER
from tourney.seating.model import Groups, History, PlannedAround, Task
from tourney.seating.quality.metrics import Rounds
from tourney.seating.repair.exhaustive import ExhaustiveRepair, PairRepair
from tourney.seating.repair.greedy import GreedyRepair, PlannedRound
from tourney.seating.rng import Rng, shuffled
from tourney.seating.search.state import REPEAT, step_prices
from tourney.seating.search.tabu import NEW_PAIR, HistoryWithByes, TabuState, tabu_search

FEW_PLAYERS: Final = 17
"""Up to this many players all seatings of the coming rounds are tried, as far as the steps allow."""

MANY_PLAYERS: Final = 400
"""Among more players only greedy repairs are made: there is room enough for no repeats."""

REPAIRS, REPAIRS_FOR_FEW = 2, 20
"""Greedy repairs in different orders, of which the best is taken: of many players, and of few."""

MAX_EVALUATIONS: Final = (40_000, *[100_000] * 4)
"""The swaps that each tabu search may evaluate where a needless repeat is left: the first search begins with the
repaired rounds, the others with random ones. Together they take half a second."""

MAX_PAIRS: Final = 8
"""Pairs of rounds that are tried exhaustively, a tenth of a second each at most."""

EVALUATIONS_NEAR, EVALUATIONS_NEAR_FOR_FEW = (20_000,) * 3, (60_000,) * 6
NEW_PAIR_NEAR: Final = 60
"""The swaps that each tabu search may evaluate where a changed table has a price, and the price of a pair not planned
for one table: four such pairs cost as much as a changed table. Few players have little room, and are searched longer.
"""

TABLE_PRICE: Final = REPEAT
"""The price of a changed table that could have stayed, where repeats cannot be avoided."""


def replan(
    task: Task,
    ahead: Rounds,
    sitting_out: Sequence[Sequence[int]],
    before: tuple[*History, list[int]],
    rng: Rng,
    around: PlannedAround = "the rounds played",
) -> Groups:
    """Return the coming rounds for the players of the task: those planned `ahead`, with changes, then new ones.

    1. Rounds that can stay as they are do, whatever repeats they have, if no constraint is broken; but if they were
       planned `around` rounds other than those played, only without repeats.
    2. Otherwise there are no repeats if such rounds are found, and then few changed tables. This is not tried where all
       tables could stay but for a constraint, and the plan had repeats.
    3. Where repeats remain, a table that could stay changes only if that saves more than one repeat for each such
       table. A third meeting counts as four repeats, a violation as four and a half.

    In round r the players `sitting_out[r]` have a bye, or others with as few byes where that saves a repeat; numbers
    beyond the players' are people who have left. A table that stays keeps its number. `before` are meetings
    (with the marks of constraints) and smaller-table rounds of the rounds played, and each player's byes in them.
    """
    planned = [*ahead[: task.rounds], *([] for _ in range(task.rounds - len(ahead)))]
    sparing = _Replanner(task, planned, before, 0, rng)
    now = sparing.repair(sitting_out)
    as_meant = now.can_stay and (around == "the rounds played" or not now.has_repeats)
    if as_meant and now.keeps_constraints:
        return now.at_planned_numbers()
    if task.players > MANY_PLAYERS:
        return sparing.greedy(sitting_out).at_planned_numbers()
    best = None
    if sparing.least <= 0 and not (as_meant and now.has_repeats):
        best = sparing.best(sitting_out)
        if not best.has_repeats:
            return best.at_planned_numbers()
    return _Replanner(task, planned, before, TABLE_PRICE, rng).best(sitting_out, best).at_planned_numbers()


class _Replanner:
    """Repairs of the coming rounds of a task, which begin with the planned ones.

    `table` is the price of a changed table, `least` the lowest price that the meetings of any rounds can have.
    """

    def __init__(self, task: Task, planned: Rounds, history: HistoryWithByes, table: int, rng: Rng) -> None:
        self.task, self.planned, self.history, self.table, self.rng = task, planned, history, table, rng
        self.price_up = _prices(history[0], task)
        self.least = _least_price(task, history[0], self.price_up)

    def best(self, sitting_out: Sequence[Collection[int]], best_known: GreedyRepair | None = None) -> GreedyRepair:
        """Return the best repair found, or the best known one."""
        best = self.greedy(sitting_out)
        if best_known is not None:
            best = min(best, self.repair(best_known.byes, best_known.rounds), key=GreedyRepair.cost)
        best, proven = self.exhaustive(best)
        if proven or self.is_best(best):
            return best
        if self.table:
            return self.tabu_near_plan(best)
        best = self.pair_repaired(best)
        if best.price() > self.least:
            searched = self.tabu_searched(best)
            best = best if searched is best else min(best, self.pair_repaired(searched), key=GreedyRepair.cost)
        if best.price() <= self.least:
            best.sweep(0, self.rng)
        return best

    def is_best(self, repair: GreedyRepair) -> bool:
        """Report whether no rounds are better, by the lowest price of meetings and the tables that cannot stay."""
        return repair.cost() <= (self.least + self.table * repair.least, repair.least)

    def greedy(self, sitting_out: Sequence[Collection[int]]) -> GreedyRepair:
        """Return the best greedy repair: rounds as planned, reseated where tables cannot stay or a repeat is saved."""
        repairs = []
        for _repair in range(REPAIRS_FOR_FEW if self.task.players <= FEW_PLAYERS else REPAIRS):
            repair = self.repair(sitting_out)
            repair.improve(self.rng)
            repairs.append(repair)
            if self.is_best(repair):
                break
        return min(repairs, key=GreedyRepair.cost)

    def pair_repaired(self, best_known: GreedyRepair) -> GreedyRepair:
        """Return the best known repair, or a better one with pairs of rounds reseated so that they have no repeats."""
        best, pairs, pairs_left = best_known, list(combinations(range(len(best_known.rounds)), 2)), MAX_PAIRS
        while pairs_left > 0 and not self.is_best(best):
            start = best
            for pair in shuffled(pairs, self.rng)[:pairs_left]:
                best = self._pair_reseated(start, pair, best)
            if best is start:
                break
            pairs_left -= len(pairs)
        return best

    def _pair_reseated(self, start: GreedyRepair, pair: tuple[int, int], best: GreedyRepair) -> GreedyRepair:
        """Return the repair with the fewest changed tables in these two rounds and no repeat there, if it is better."""
        others = start.without_rounds(pair)
        first, second = (start.upcoming[number] for number in pair)
        (price, unchanged), (least, changed) = others.cost(), best.cost()
        if price > least:
            return best
        most = changed - unchanged - 1 if price == least else len(first.sizes) + len(second.sizes)
        reseated = PairRepair(first, second, others.strangers()).fewest_changes(most)
        if reseated is None:
            return best
        new = dict(zip(pair, reseated, strict=True))
        return self.repair(start.byes, [new.get(number, tables) for number, tables in enumerate(start.rounds)])

    def tabu_searched(self, best_known: GreedyRepair) -> GreedyRepair:
        """Return the best known repair, or a cheaper one found by tabu search from it or from random rounds."""
        best = best_known
        for search, evaluations in enumerate(MAX_EVALUATIONS):
            begin = self._random_rounds(best_known.rounds) if search else best_known.rounds
            repair = self._searched(begin, best_known.byes, evaluations)
            if repair.price() < best.price():
                best = repair
            if best.price() <= self.least:
                break
        return best

    def tabu_near_plan(self, best_known: GreedyRepair) -> GreedyRepair:
        """Return the best known repair, or a better one found by tabu search where changed tables are expensive."""
        if best_known.price() <= self.least:
            return best_known
        near = EVALUATIONS_NEAR_FOR_FEW if self.task.players <= FEW_PLAYERS else EVALUATIONS_NEAR
        repairs = [
            self._searched(best_known.rounds, best_known.byes, evaluations, NEW_PAIR_NEAR) for evaluations in near
        ]
        for repair in repairs:
            repair.improve(self.rng)
        return min(best_known, *repairs, key=GreedyRepair.cost)

    def _random_rounds(self, rounds: Groups) -> Groups:
        """Return the rounds with the players of each dealt at random to its tables."""
        dealt = []
        for tables in rounds:
            players = iter(shuffled([player for table in tables for player in table], self.rng))
            dealt.append([[next(players) for _place in table] for table in tables])
        return dealt

    def exhaustive(self, best_known: GreedyRepair) -> tuple[GreedyRepair, bool]:
        """Return the best known repair, or a better one if it is found in time, and whether it is proved best.

        Seatings with few changed tables are tried first.
        """
        if self.task.players > FEW_PLAYERS or min(self.price_up) < 0:
            return best_known, False
        best, search = best_known, ExhaustiveRepair(best_known.upcoming, self.history[0], self.price_up)
        for new_tables in range(best_known.least, 1 + len(best_known.upcoming) * len(self.task.sizes)):
            price, changed = best.cost()
            most = price - self.table * new_tables - (new_tables >= changed)
            if most < self.least or search.out_of_steps:
                break
            rounds = search.cheapest_tables(most if self.table else self.least, new_tables - best_known.least)
            if rounds is not None:
                best = self.repair(best_known.byes, rounds)
        return best, not search.out_of_steps

    def _searched(
        self, begin: Groups, byes: Sequence[Collection[int]], evaluations: int, new: int = NEW_PAIR
    ) -> GreedyRepair:
        seated = [[*tables, list(out)] for tables, out in zip(begin, byes, strict=True)]
        state = TabuState(seated, self.history, self.price_up, self.planned, new=new)
        rounds = tabu_search(state, self.rng, evaluations, self.least)
        return self.repair([tables[-1] for tables in rounds], [tables[:-1] for tables in rounds])

    def repair(self, sitting_out: Sequence[Collection[int]], begin: Groups | None = None) -> GreedyRepair:
        upcoming = [
            PlannedRound(tables, self.task.sizes, out, self.task.players)
            for tables, out in zip(self.planned, sitting_out, strict=True)
        ]
        return GreedyRepair(upcoming, self.history[:2], self.price_up, self.table, begin)


def _prices(met: list[list[int]], task: Task) -> list[int]:
    """Return the price of one more meeting by its entry in the matrix of meetings.

    A violation costs two changed tables more than in other plans: parting two players, or bringing them together,
    changes two tables, and their price must not prevent it.
    """
    plain = step_prices(met, task.rounds, task.aim)
    if len(plain) <= KIND:
        return plain
    apart = [price + 2 * TABLE_PRICE for price in plain[APART:TOGETHER]]
    return [*plain[:APART], *apart, plain[TOGETHER] - 2 * TABLE_PRICE, *plain[TOGETHER + 1 :]]


def _least_price(task: Task, met: Sequence[Sequence[int]], price_up: Sequence[int]) -> int:
    """Return the price of the coming meetings if all of them are the cheapest, each pair once a round at most."""
    pairs = Counter(met[player][other] for player, other in combinations(range(task.players), 2))
    steps = Counter[int]()
    for count, number in pairs.items():
        for more in range(task.rounds):
            steps[price_up[count + more]] += number
    meetings_left = task.rounds * sum(size * (size - 1) // 2 for size in task.sizes)
    price = 0
    for step, number in sorted(steps.items()):
        taken = min(meetings_left, number)
        price += taken * step
        meetings_left -= taken
    return price
