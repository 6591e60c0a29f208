"""Coming rounds made to fit other entrants: nobody meets again, or few tables change for few repeats.

First each round is seated anew beside the tables that can stay. Where somebody still meets again who need not, two
rounds after two are tried whole; where that is not enough those who meet again are moved, whatever table that breaks
up. Of few players all seatings are tried, as far as that goes.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final

from tourney.seating.constraints import APART, KIND, TOGETHER
from tourney.seating.model import Around, Before, Groups, Task
from tourney.seating.quality.metrics import Rounds
from tourney.seating.repair.exhaustive import Trying
from tourney.seating.repair.greedy import Coming, Course
from tourney.seating.repair.pair import TwoRounds
from tourney.seating.rng import Chance, shuffled
from tourney.seating.search.state import REPEAT, step_prices
from tourney.seating.search.tabu import NEW, Past, Tangle, untangle

SMALL: Final = 17
"""Up to so many players all seatings of the coming rounds are tried, as far as that goes."""

MANY: Final = 400
"""Among more players a repeat that is left is not searched for: there is room enough for none to be."""

COURSES, COURSES_OF_FEW = 2, 20
"""Ways through the rounds, in other orders, before the best of them is taken: of many players, and of few."""

LOOKS: Final = (40_000, *[100_000] * 4)
"""Searches where that leaves a repeat too many, by how many exchanges each may look at: the first from there, the
others from rounds dealt at random. Half a second together."""

PAIRS: Final = 8
"""Pairs of rounds that are tried whole, a tenth of a second each at most."""

LOOKS_NEAR, LOOKS_NEAR_OF_FEW = (20_000,) * 3, (60_000,) * 6
NEW_PAIR: Final = 60
"""Searches among all tables where a changed one has a price, and that of two who were not to share one: four of them
cost as much as a table. Few players hardly find room, and are searched for longer."""

TABLE: Final = REPEAT
"""The price of a table that is changed and could have stayed, where somebody meets again whatever is done."""


def replan(
    task: Task,
    ahead: Rounds,
    sitting: Sequence[Sequence[int]],
    before: Before,
    rests: list[int],
    draw: Chance,
    around: Around = "the rounds played",
) -> Groups:
    """The rounds `ahead` for the players of the task but those who sit out; what is not planned of them is new.

    1. Rounds that can stay as they are do, whatever repeats they have, if no wish is broken; but if they were planned
       `around` others than the rounds played, only if nobody meets again.
    2. Otherwise nobody meets again if such rounds are found, and as few tables change as are found to do. This is not
       tried where all tables could stay but for a wish, and people were to meet again as planned.
    3. Where somebody meets again, a table that could stay changes only if that saves more than one repeat for each such
       table. A third meeting of two counts as four repeats, a broken wish as four and a half.

    `sitting[r]` sit out in round r, or others whose turn it is as much where that saves a repeat; numbers behind the
    players' are people who have left. A table that stays keeps its place in the round. `before` are meetings (with the
    marks of wishes) and short turns of the rounds played, `rests` how often each player has sat out in them.
    """
    planned = [*ahead[: task.rounds], *([] for _ in range(task.rounds - len(ahead)))]
    sparing = _Search(task, planned, (*before, rests), 0, draw)
    now = sparing.course(sitting)
    as_meant = now.stays and (around == "the rounds played" or not now.meet_again)
    if as_meant and now.keeps_wishes:
        return now.in_places()
    if task.players > MANY:
        return sparing.gone_through(sitting).in_places()
    best = None
    if sparing.least <= 0 and not (as_meant and now.meet_again):
        best = sparing.best(sitting)
        if not best.meet_again:
            return best.in_places()
    return _Search(task, planned, (*before, rests), TABLE, draw).best(sitting, best).in_places()


class _Search:
    """Ways to the coming rounds of a task, from what is planned of them, where a changed table has a price; `least` is
    what all meetings of any rounds cost at the least."""

    def __init__(self, task: Task, planned: Rounds, past: Past, table: int, draw: Chance) -> None:
        self.task, self.planned, self.past, self.table, self.draw = task, planned, past, table, draw
        self.up = _prices(past[0], task)
        self.least = _least_price(task, past[0], self.up)

    def best(self, sitting: Sequence[Collection[int]], known: Course | None = None) -> Course:
        """The best rounds found, or those known."""
        best = self.gone_through(sitting)
        if known is not None:
            best = min(best, self.course(known.outs, known.rounds), key=Course.worth)
        best, proven = self.tried(best)
        if proven or self.is_best(best):
            return best
        if self.table:
            return self.loosened(best)
        best = self.in_twos(best)
        if best.price() > self.least:
            found = self.untangled(best)
            best = best if found is best else min(best, self.in_twos(found), key=Course.worth)
        if best.price() <= self.least:
            best.settle(0, self.draw)
        return best

    def is_best(self, course: Course) -> bool:
        """Whether no rounds are better, by what all meetings cost at the least and the tables that cannot stay."""
        return course.worth() <= (self.least + self.table * course.least, course.least)

    def gone_through(self, sitting: Sequence[Collection[int]]) -> Course:
        """The rounds as planned, those tables seated anew that cannot stay, and others where that saves a repeat."""
        courses = []
        for _course in range(COURSES_OF_FEW if self.task.players <= SMALL else COURSES):
            course = self.course(sitting)
            course.descend(self.draw)
            courses.append(course)
            if self.is_best(course):
                break
        return min(courses, key=Course.worth)

    def in_twos(self, known: Course) -> Course:
        """The course known, or a better one: the two rounds are seated anew of which that is best, and so on; nobody
        then meets again there."""
        best, pairs, left = known, list(combinations(range(len(known.rounds)), 2)), PAIRS
        while left > 0 and not self.is_best(best):
            start = best
            for pair in shuffled(pairs, self.draw)[:left]:
                best = self._two_anew(start, pair, best)
            if best is start:
                break
            left -= len(pairs)
        return best

    def _two_anew(self, start: Course, pair: tuple[int, int], best: Course) -> Course:
        """The course with as few changed tables in these two rounds as can be where nobody meets again there, if it is
        better than the best."""
        others = start.beside(pair)
        one, other = (start.coming[number] for number in pair)
        (price, unchanged), (least, changed) = others.worth(), best.worth()
        if price > least:
            return best
        most = changed - unchanged - 1 if price == least else len(one.sizes) + len(other.sizes)
        found = TwoRounds(one, other, others.strangers()).fewest(most)
        if found is None:
            return best
        new = dict(zip(pair, found, strict=True))
        return self.course(start.outs, [new.get(number, tables) for number, tables in enumerate(start.rounds)])

    def untangled(self, known: Course) -> Course:
        """The course known, or one with fewer repeats: searched for from there, and from rounds dealt at random."""
        best = known
        for search, looks in enumerate(LOOKS):
            begin = self._dealt(known.rounds) if search else known.rounds
            found = self._searched(begin, known.outs, looks)
            if found.price() < best.price():
                best = found
            if best.price() <= self.least:
                break
        return best

    def loosened(self, known: Course) -> Course:
        """The course known, or a better one: searched for among all tables from there, changed ones being dear."""
        if known.price() <= self.least:
            return known
        near = LOOKS_NEAR_OF_FEW if self.task.players <= SMALL else LOOKS_NEAR
        found = [self._searched(known.rounds, known.outs, looks, NEW_PAIR) for looks in near]
        for course in found:
            course.descend(self.draw)
        return min(known, *found, key=Course.worth)

    def _dealt(self, rounds: Groups) -> Groups:
        """The rounds with everybody at random who sits at a table."""
        dealt = []
        for tables in rounds:
            players = iter(shuffled([player for table in tables for player in table], self.draw))
            dealt.append([[next(players) for _place in table] for table in tables])
        return dealt

    def tried(self, known: Course) -> tuple[Course, bool]:
        """Better rounds than those known, if trying finds some before its steps give out, few changed tables first; and
        whether no rounds are better."""
        if self.task.players > SMALL or min(self.up) < 0:
            return known, False
        best, trying = known, Trying(known.coming, self.past[0], self.up)
        for now in range(known.least, 1 + len(known.coming) * len(self.task.sizes)):
            price, changed = best.worth()
            most = price - self.table * now - (now >= changed)
            if most < self.least or trying.ended:
                break
            found = trying.cheapest(most if self.table else self.least, now - known.least)
            if found is not None:
                best = self.course(known.outs, found)
        return best, not trying.ended

    def _searched(self, begin: Groups, outs: Sequence[Collection[int]], looks: int, new: int = NEW) -> Course:
        tangle = Tangle(begin, outs, self.past, self.up, self.planned, new=new)
        rounds = untangle(tangle, self.draw, looks, self.least)
        return self.course([tables[-1] for tables in rounds], [tables[:-1] for tables in rounds])

    def course(self, sitting: Sequence[Collection[int]], begin: Groups | None = None) -> Course:
        coming = [
            Coming(tables, self.task.sizes, out, self.task.players)
            for tables, out in zip(self.planned, sitting, strict=True)
        ]
        return Course(coming, self.past[:2], self.up, self.table, begin)


def _prices(met: list[list[int]], task: Task) -> list[int]:
    """What one more meeting costs by its entry in the matrix of meetings.

    A broken wish costs two changed tables more than in other plans: that many it takes to part two or bring them
    together, and it is not to stay broken for their sake.
    """
    plain = step_prices(met, task.rounds, task.aim)
    if len(plain) <= KIND:
        return plain
    apart = [price + 2 * TABLE for price in plain[APART:TOGETHER]]
    return [*plain[:APART], *apart, plain[TOGETHER] - 2 * TABLE, *plain[TOGETHER + 1 :]]


def _least_price(task: Task, met: Sequence[Sequence[int]], up: Sequence[int]) -> int:
    """What the meetings to come cost if all of them are those that are cheapest, each pair once a round at most."""
    pairs = Counter(met[one][other] for one, other in combinations(range(task.players), 2))
    steps = Counter[int]()
    for count, number in pairs.items():
        for more in range(task.rounds):
            steps[up[count + more]] += number
    left = task.rounds * sum(size * (size - 1) // 2 for size in task.sizes)
    price = 0
    for step, number in sorted(steps.items()):
        taken = min(left, number)
        price += taken * step
        left -= taken
    return price
