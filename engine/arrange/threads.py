"""The cheapest leftovers of a contract of runs alone, suit by suit.

The ranks of a suit are gone through in order. The runs that are open there are *threads*: each takes a
natural or a joker, or ends, and new ones begin. What matters of a thread is its age (up to the least length
of a run), whether its last card is a joker and, where that is no matter of course, how many naturals it has.
Runs that pass the corner are threads that are open before the first rank: every such beginning is tried
that could still gain something, and the end must agree with it.
"""

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import NamedTuple


class Thread(NamedTuple):
    """An open run; `through` numbers those that were open before the first rank, from 1."""

    age: int
    joker: bool
    naturals: int
    through: int


Threads = tuple[Thread, ...]
Step = tuple[Threads, tuple[int, ...], tuple[bool, ...], int, int]
"""Threads after a rank; for each, its place before (-1: new) and whether it took a joker; new ones; jokers."""

Move = tuple[int, int, Step]
"""What a step adds to a state (with the new threads' number), how many naturals it uses, and the step."""

_RUN = 64
_STATE = 16 * _RUN
"""A state is threads, runs begun and jokers used in one number: threads * _STATE + runs * _RUN + jokers."""


class Trail:
    """The steps taken so far, the last one first."""

    __slots__ = ("before", "step")

    def __init__(self, before: "Trail | None", step: Step) -> None:
        self.before = before
        self.step = step


class Loom:
    """The steps that one rule set's threads may take, worked out once.

    Ages are counted up to the least length of a run, or to the most where one is given.
    """

    def __init__(self, least: int, most: int | None, naturals: int, jokers_adjacent: str) -> None:
        self.least = least
        self.most = most
        self.cap = least if most is None else most
        self.adjacent = jokers_adjacent == "allowed"
        self.naturals = max(1, naturals) if self.adjacent or naturals > 1 else 0
        self.known: dict[tuple[int, int, int, int], tuple[Move, ...]] = {}
        self.numbers: dict[Threads, int] = {}
        self.threads: list[Threads] = []
        self.every: dict[tuple[Threads, int, int, int], tuple[Step, ...]] = {}

    def number(self, threads: Threads) -> int:
        """The number that stands for these threads."""
        found = self.numbers.get(threads)
        if found is None:
            found = len(self.threads)
            self.numbers[threads] = found
            self.threads.append(threads)
        return found

    def moves(
        self, threads: int, held: int, runs: int, jokers: int, most_runs: int, most_jokers: int
    ) -> tuple[Move, ...]:
        """Every way on from the threads of that number, at a rank of which so many cards are held.

        So many runs and jokers are left of the most there were; the most alone are worked out, the rest sifted.
        """
        key = (threads, held, runs, jokers)
        found = self.known.get(key)
        if found is None:
            every = self._every(self.threads[threads], held, most_runs, most_jokers)
            found = tuple(
                [
                    (self.number(step[0]) * _STATE + step[3] * _RUN + step[4], len(step[0]) - step[4], step)
                    for step in every
                    if step[3] <= runs and step[4] <= jokers
                ]
            )
            self.known[key] = found
        return found

    def _every(self, threads: Threads, held: int, runs: int, jokers: int) -> tuple[Step, ...]:
        key = (threads, held, runs, jokers)
        found = self.every.get(key)
        if found is None:
            steps: dict[tuple[Threads, int, int], Step] = {}
            for step in self._ways(threads, held, runs, jokers):
                steps.setdefault((step[0], step[3], step[4]), step)
            found = tuple(steps.values())
            self.every[key] = found
        return found

    def _ways(self, threads: Threads, held: int, runs: int, jokers: int) -> Iterator[Step]:
        partial: list[tuple[list[tuple[Thread, int, bool]], int, int]] = [([], 0, 0)]
        for place, thread in enumerate(threads):
            longer = []
            for taken, naturals, wild in partial:
                if self.may_end(thread):
                    longer.append((taken, naturals, wild))
                if thread.age == self.most:
                    continue
                if naturals < held:
                    longer.append(([*taken, (self._on(thread, False), place, False)], naturals + 1, wild))
                if wild < jokers and (self.adjacent or not thread.joker):
                    longer.append(([*taken, (self._on(thread, True), place, True)], naturals, wild + 1))
            partial = longer
        natural = (Thread(1, False, min(1, self.naturals), 0), -1, False)
        joker = (Thread(1, not self.adjacent, 0, 0), -1, True)
        for taken, naturals, wild in partial:
            for new in range(runs + 1):
                for wild_new in range(new + 1):
                    if naturals + new - wild_new <= held and wild + wild_new <= jokers:
                        every = sorted([*taken, *[natural] * (new - wild_new), *[joker] * wild_new])
                        yield (
                            tuple(one[0] for one in every),
                            tuple(one[1] for one in every),
                            tuple(one[2] for one in every),
                            new,
                            wild + wild_new,
                        )

    def may_end(self, thread: Thread) -> bool:
        """Whether the thread is a whole run."""
        return thread.age >= self.least and thread.naturals >= self.naturals

    def _on(self, thread: Thread, joker: bool) -> Thread:
        naturals = thread.naturals if joker else min(self.naturals, thread.naturals + 1)
        return Thread(min(self.cap, thread.age + 1), joker and not self.adjacent, naturals, thread.through)


@cache
def loom_for(least: int, most: int | None, naturals: int, jokers_adjacent: str) -> Loom:
    """The loom for these fields of the rules' `run`."""
    return Loom(least, most, naturals, jokers_adjacent)


Ending = tuple[Threads, int, int, int, Trail | None]
"""Threads still open, runs begun, jokers used, points of the naturals used, steps."""


def weave(
    loom: Loom, begin: Threads, held: list[int], points: list[int], runs: int, jokers: int, floor: int
) -> list[Ending]:
    """Every way through the ranks in order that differs in what is left open, begun or spent: the best of each.

    `held` and `points` say for each rank in order how many cards are held and what one of them counts. Ways
    that cannot reach `floor` points are left out.
    """
    ahead = sum(copies * value for copies, value in zip(held, points, strict=True))
    states: dict[int, tuple[int, Trail | None]] = {loom.number(begin) * _STATE: (0, None)}
    for copies, value in zip(held, points, strict=True):
        after: dict[int, tuple[int, Trail | None]] = {}
        ahead -= copies * value
        needed = floor - ahead
        for state, (gained, trail) in states.items():
            rest = state % _STATE
            left_runs, left_jokers = runs - rest // _RUN, jokers - rest % _RUN
            for added, naturals, step in loom.moves(state // _STATE, copies, left_runs, left_jokers, runs, jokers):
                total = gained + value * naturals
                if total >= needed:
                    key = rest + added
                    known = after.get(key)
                    if known is None or known[0] < total:
                        after[key] = (total, Trail(trail, step))
        states = after
    return [
        (loom.threads[state // _STATE], state % _STATE // _RUN, state % _RUN, way[0], way[1])
        for state, way in states.items()
    ]


class Strand:
    """One run's cards, as ranks in order of the weaving; -1 is a joker."""

    __slots__ = ("cards", "through")

    def __init__(self, through: int) -> None:
        self.through = through
        self.cards: list[int] = []


def strands(begin: Threads, trail: Trail | None, first: int) -> tuple[list[Strand], list[Strand]]:
    """The strands that ended on the way, and those open at its end; `first` is the first rank gone through."""
    steps: list[Step] = []
    while trail is not None:
        steps.append(trail.step)
        trail = trail.before
    ended: list[Strand] = []
    open_now = [Strand(thread.through) for thread in begin]
    for place, step in enumerate(reversed(steps)):
        after: list[Strand] = []
        for before, joker in zip(step[1], step[2], strict=True):
            strand = open_now[before] if before >= 0 else Strand(0)
            strand.cards.append(-1 if joker else (first + place) % 13)
            after.append(strand)
        ended.extend(strand for number, strand in enumerate(open_now) if number not in step[1])
        open_now = after
    return ended, open_now


def joined(begin: Threads, ended: list[Strand], left: list[Strand], order: tuple[int, ...]) -> list[list[int]]:
    """The whole runs, where the strand left at place i goes on as the beginning `order[i]`."""
    follows = {
        strand.through: begin[place].through for strand, place in zip(left, order, strict=True) if strand.through
    }
    pieces = {strand.through: strand.cards for strand in [*ended, *left] if strand.through}
    runs = [strand.cards for strand in ended if not strand.through]
    for strand, place in zip(left, order, strict=True):
        if not strand.through:
            cards = list(strand.cards)
            through = begin[place].through
            while through:
                cards += pieces[through]
                through = follows.get(through, 0)
            runs.append(cards)
    return runs


def closing(begin: Threads, left: Threads) -> tuple[int, ...] | None:
    """Which beginning each thread left over goes on as, so that no run bites its tail; None if that cannot be."""
    if len(begin) != len(left):
        return None
    for order in permutations(range(len(begin))):
        alike = all(left[i][:3] == begin[place][:3] for i, place in enumerate(order))
        if alike and _open_chain(begin, left, order):
            return order
    return None


def _open_chain(begin: Threads, left: Threads, order: tuple[int, ...]) -> bool:
    follows = {thread.through: begin[place].through for thread, place in zip(left, order, strict=True)}
    for thread in begin:
        through = thread.through
        for _ in range(len(begin) + 1):
            through = follows.get(through, 0)
            if not through:
                break
        if through:
            return False
    return True
