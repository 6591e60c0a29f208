"""Coming rounds made to fit other entrants: few repeats, and of such plans one that changes few tables.

First each round is seated anew beside the tables that can stay. Where somebody still meets again who need not, those
who do are moved, whatever table that breaks up, and what was found is brought nearer to the plan again.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Final

from tourney.seating.attempts import deal
from tourney.seating.chance import Chance, shuffled
from tourney.seating.course import Coming, Course
from tourney.seating.judge import Rounds
from tourney.seating.search import step_prices
from tourney.seating.trying import Trying
from tourney.seating.untangle import Past, Tangle, untangle
from tourney.seating.values import Before, Groups, Task

SMALL: Final = 16
"""Up to so many players all seatings of the coming rounds are tried, as far as that goes."""

MANY: Final = 400
"""Among more players a repeat that is left is not searched for: there is room enough for none to be."""

COURSES: Final = 2
"""Ways through the rounds, in other orders, before the better of them is taken."""

SEARCHES: Final = (40_000, 200_000, 40_000, 200_000)
"""Searches where that leaves a repeat too many, by how many exchanges each may look at, half a second together: the
first from there, the second from rounds dealt at random, and so on."""

OPENED: Final = 100
FIXED_STEPS: Final = 2_500
"""For small events: choices of planned tables to break up, and tables that may be looked at for each of them."""

NEARER: Final = 1_000
NEAR_LOOKS: Final = 2_000
"""Planned tables, times players, that may be tried to be brought back, and what each of these searches may look at."""


def replan(
    task: Task,
    ahead: Rounds,
    sitting: Sequence[Sequence[int]],
    before: Before,
    rests: list[int],
    draw: Chance,
) -> Groups:
    """The rounds `ahead` for the players of the task but those who sit out; what is not planned of them is new.

    `sitting[r]` sit out in round r, or others whose turn it is as much where that saves a repeat; numbers behind the
    players' are people who have left. A table that stays keeps its place in the round. `before` are meetings (with the
    marks of wishes) and short turns of the rounds played, `rests` how often each player has sat out in them.
    """
    planned = [*ahead[: task.rounds], *([] for _ in range(task.rounds - len(ahead)))]
    search = _Search(task, planned, (*before, rests), draw)
    best = search.gone_through(sitting)
    if best.price() > search.least and task.players <= MANY:
        best = search.untangled(best)
    best = search.nearer(best, sitting)
    if task.players <= SMALL and best.worth() > (search.least, best.least):
        best = _tried(task, best, before)
    return best.in_places()


class _Search:
    """Ways to the coming rounds of a task, from what is planned of them; `least` no rounds can cost less than."""

    def __init__(self, task: Task, planned: Rounds, past: Past, draw: Chance) -> None:
        self.task, self.planned, self.past, self.draw = task, planned, past, draw
        self.least = _least_price(task, past[0], step_prices(past[0], task.rounds, task.aim))

    def gone_through(self, sitting: Sequence[Collection[int]]) -> Course:
        """The rounds as planned, those tables seated anew that cannot stay, and others where that saves a repeat."""
        courses = []
        for _course in range(COURSES):
            course = self._course(sitting)
            course.descend(self.draw)
            courses.append(course)
            if course.worth() <= (0, course.least):
                break
        return min(courses, key=Course.worth)

    def untangled(self, known: Course) -> Course:
        """The course known, or one with fewer repeats: searched for from there, and from rounds dealt at random."""
        best = known
        for search, looks in enumerate(SEARCHES):
            begin = known.rounds if search % 2 == 0 else [deal(self.task, sorted(out), self.draw) for out in known.outs]
            found = self._searched(begin, known.outs, looks, self.least)
            if found.price() < best.price():
                best = found
            if best.price() <= self.least:
                break
        if best is not known:
            best.descend(self.draw)
        return best

    def nearer(self, best: Course, sitting: Sequence[Collection[int]]) -> Course:
        """Rounds with no more repeats and, if any are found, with fewer tables that are not as planned."""
        if best.worth() <= (best.price(), best.least):
            return best
        near = self._course(sitting)
        near.settle(0, self.draw)
        few = self._with_few_opened(near, best) if self.task.players <= SMALL else None
        return few or self._with_tables_brought_back(best)

    def _with_few_opened(self, near: Course, best: Course) -> Course | None:
        """Rounds better than the best, where all but a few tables that could stay do; the fewer the better."""
        stays, tries = near.stays(), OPENED
        for opened in range(1, best.worth()[1] - near.worth()[1]):
            for fixed in self._chosen(stays, len(stays) - opened, tries):
                found = self._with_fixed(near, fixed, best.price())
                if found is not None:
                    return found
                tries -= 1
        return None

    def _with_fixed(self, near: Course, fixed: Sequence[Collection[int]], goal: int) -> Course | None:
        """Rounds with these tables of the course that cost no more than `goal`, if trying all finds some soon."""
        kept = [[tables[at] for at in places] for tables, places in zip(near.rounds, fixed, strict=True)]
        course = self._course(near.outs, kept)
        here = [sorted(one.here.difference(*tables)) for one, tables in zip(near.coming, kept, strict=True)]
        sizes = [
            [len(table) for at, table in enumerate(tables) if at not in places]
            for tables, places in zip(near.rounds, fixed, strict=True)
        ]
        trying = Trying(course.met, course.up, lambda _number, _tables: 0, [0] * len(kept), FIXED_STEPS)
        found = trying.better(here, sizes, (goal - course.price() + 1, 0))
        if found is None:
            return None
        return self._course(near.outs, [[*old, *new] for old, new in zip(kept, found, strict=True)])

    def _chosen(self, stays: Sequence[tuple[int, int]], number: int, tries: int) -> Iterator[list[set[int]]]:
        """So many of these tables as places in each round: every choice, or some drawn."""
        chosen: Iterable[Sequence[tuple[int, int]]] = combinations(stays, number)
        if comb(len(stays), number) > tries:
            chosen = (shuffled(list(stays), self.draw)[:number] for _try in range(tries))
        for tables in chosen:
            yield [{at for which, at in tables if which == place} for place in range(self.task.rounds)]

    def _with_tables_brought_back(self, best: Course) -> Course:
        """With as many planned tables as can be brought back one after another without a repeat more."""
        tries = NEARER // self.task.players
        while True:
            for number, table in shuffled(best.lost(), self.draw)[:tries]:
                tries -= 1
                rounds, fixed = best.with_table(number, table)
                if not rounds:
                    continue
                found = self._searched(rounds, best.outs, NEAR_LOOKS, best.price(), fixed)
                if found.worth() < best.worth():
                    best = found
                    break
            else:
                return best

    def _searched(
        self,
        begin: Groups,
        outs: Sequence[Collection[int]],
        looks: int,
        goal: int,
        fixed: Sequence[Collection[int]] = (),
    ) -> Course:
        tangle = Tangle(begin, outs, self.past, self.task.aim, self.planned, fixed)
        rounds = untangle(tangle, self.draw, looks, goal)
        return self._course([tables[-1] for tables in rounds], [tables[:-1] for tables in rounds])

    def _course(self, sitting: Sequence[Collection[int]], begin: Groups | None = None) -> Course:
        coming = [
            Coming(tables, self.task.sizes, out, self.task.players)
            for tables, out in zip(self.planned, sitting, strict=True)
        ]
        return Course(coming, self.past[:2], self.task.aim, begin)


def _tried(task: Task, known: Course, before: Before) -> Course:
    """Better rounds than those known, if trying all seatings finds some before its steps give out."""
    if min(known.up) < 0:
        return known
    coming = known.coming
    trying = Trying(
        before[0], known.up, lambda number, tables: coming[number].changed(tables), [one.least for one in coming]
    )
    found = trying.better([sorted(one.here) for one in coming], [task.sizes] * len(coming), known.worth())
    return known if found is None else Course(coming, before, task.aim, found)


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
