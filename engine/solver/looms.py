"""Looms: the steps that the threads of a rule set may take, each worked out once.

The runs that are open at a rank are *threads*: each takes a natural or a joker, or ends, and new ones begin.
What matters of a thread is its age (up to the least length of a run), whether its last card is a joker and,
where that is no matter of course, how many naturals it has.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

MOST_THREADS: Final = 32
"""More threads than four packs could keep open: five runs that lap them all."""


def standing(threads: int, jokers: int) -> int:
    """One number for how many threads are open and how many of their last cards are jokers."""
    return MOST_THREADS * threads + jokers


class Thread(NamedTuple):
    """An open run; `through` numbers those that were open before the first rank, from 1."""

    age: int
    joker: bool
    naturals: int
    through: int


Threads = tuple[Thread, ...]
Step = tuple[Threads, tuple[int, ...], tuple[bool, ...], int, int]
"""Threads after a rank; for each, its place before (-1: new) and whether it took a joker; new ones; jokers."""

Move = tuple[int, int]
"""The number of the threads after a step, and that of what it adds (`Loom.added`)."""


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
        self.numbers: dict[Threads, int] = {}
        self.threads: list[Threads] = []
        self.standing: list[int] = []
        self.added: list[tuple[int, int, int]] = []
        self.steps: dict[tuple[int, int, int, int, int], tuple[Step, ...]] = {}
        self.known: dict[tuple[int, int, int, int, int], tuple[Move, ...]] = {}

    def number(self, threads: Threads) -> int:
        """The number that stands for these threads."""
        found = self.numbers.get(threads)
        if found is None:
            found = len(self.threads)
            self.numbers[threads] = found
            self.threads.append(threads)
            self.standing.append(standing(len(threads), sum([thread.joker for thread in threads])))
        return found

    def moves(self, threads: int, held: int, runs: int, jokers: int, crowd: int) -> tuple[Move, ...]:
        """Every way on from the threads of that number, at a rank of which so many cards are held.

        At most so many new runs and jokers, and no more threads than the crowd; in the order of `ways`.
        """
        key = (threads, held, runs, jokers, crowd)
        found = self.known.get(key)
        if found is None:
            found = tuple([(self.number(step[0]), self._adding(step)) for step in self.ways(*key)])
            self.known[key] = found
        return found

    def _adding(self, step: Step) -> int:
        """The number that stands for the step's new runs, jokers and naturals."""
        adding = (step[3], step[4], len(step[0]) - step[4])
        if adding not in self.added:
            self.added.append(adding)
        return self.added.index(adding)

    def ways(self, threads: int, held: int, runs: int, jokers: int, crowd: int) -> tuple[Step, ...]:
        """The steps behind `moves`."""
        key = (threads, held, runs, jokers, crowd)
        found = self.steps.get(key)
        if found is None:
            steps: dict[tuple[Threads, int, int], Step] = {}
            for step in self._ways(self.threads[threads], held, runs, jokers):
                if len(step[0]) <= crowd:
                    known = self.threads[self.number(step[0])]
                    steps.setdefault((known, step[3], step[4]), (known, *step[1:]))
            found = tuple(steps.values())
            self.steps[key] = found
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


_LOOMS: Final[dict[tuple[int, int | None, int, str], Loom]] = {}
_REMEMBERED: Final = 10_000
"""So many steps take some 30 MB. Ordinary hands of a rule set need a tenth of them."""


def loom_for(least: int, most: int | None, naturals: int, jokers_adjacent: str) -> Loom:
    """The loom for these fields of the rules' `run`."""
    key = (least, most, naturals, jokers_adjacent)
    found = _LOOMS.get(key)
    if found is None:
        found = _LOOMS[key] = Loom(least, most, naturals, jokers_adjacent)
    return found


def drop_large_looms() -> None:
    """Forgets the looms that know too many steps: to be called between hands, since a hand needs its steps again."""
    for key in [key for key, loom in _LOOMS.items() if len(loom.steps) > _REMEMBERED]:
        del _LOOMS[key]
