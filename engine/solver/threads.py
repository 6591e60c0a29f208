"""Weaving: runs of one suit, laid card by card as its ranks are gone through in order.

The runs that are open at a rank are threads (`looms`). Runs that pass the corner are threads that are open before
the first rank; the end must agree with such a beginning.
"""

from itertools import permutations

from engine.solver.looms import Loom, Move, Step, Threads

Told = tuple[list[list[int]], int, int, int]
"""Whole runs, as ranks, and the runs, jokers and points before them."""


class Account:
    """How points are kept: for every number of runs begun and jokers used, side by side in one number.

    A *sum* is such a number. Points that can be had are kept as `base` more than they are; what cannot be
    had stays below the base, whatever is added to it. The top bit of each place is free: it is the guard
    that tells, place by place, which of two sums is larger. Points are of naturals and jokers together.
    """

    __slots__ = ("base", "guards", "joker", "jokers", "keep", "ones", "row", "runs", "width")

    def __init__(self, runs: int, jokers: int, points: int, joker: int, crowd: int) -> None:
        """For at most so many runs and jokers, so many points in all, and threads up to the crowd."""
        self.runs = runs
        self.jokers = jokers
        self.joker = joker
        self.row = jokers + 1 + min(jokers, crowd)
        most = points + joker * crowd
        self.base = 2 * most + 1
        self.width = (2 * (self.base + most)).bit_length() + 1
        places = [self.shift(made, wild) for made in range(runs + 1) for wild in range(jokers + 1)]
        self.ones = sum(1 << place for place in places)
        self.guards = self.ones << (self.width - 1)
        self.keep = self.guards - self.ones

    def shift(self, runs: int, jokers: int) -> int:
        """How far a sum moves by so many more runs and jokers."""
        return self.width * (self.row * runs + jokers)

    def only(self, points: int, runs: int) -> int:
        """What is left of a sum where exactly so many runs are begun."""
        return points & ((1 << self.shift(1, 0)) - 1) << self.shift(runs, 0)

    def read(self, points: int, runs: int, jokers: int) -> int:
        """The points for exactly so many runs and jokers; negative if they cannot be had."""
        return (points >> self.shift(runs, jokers) & (1 << self.width) - 1) - self.base

    def larger(self, one: int, other: int) -> int:
        """Place by place the larger of two sums."""
        mask = (one | self.guards) - other & self.guards
        mask -= mask >> (self.width - 1)
        return other ^ (other ^ one) & mask

    def reaching(self, points: int, hopes: int, aim: int) -> int:
        """What is left of a sum where only places stay that, with what they may hope for, reach the aim."""
        mask = (points + hopes | self.guards) - aim & self.guards
        return points & (mask - (mask >> (self.width - 1)))

    def aim(self, points: int) -> int:
        """The aim, for `reaching`, of so many points in every place."""
        return self.ones * (2 * self.base + points)

    def best(self, points: int) -> tuple[int, int]:
        """The most points with all runs made, and the jokers used for it; negative points if there are none."""
        return max((self.read(points, self.runs, wild), wild) for wild in range(self.jokers + 1))


class Row:
    """The ranks of a suit in the order of weaving, `first` the first: how many are held, what each counts."""

    __slots__ = ("crowd", "first", "held", "points")

    def __init__(self, held: list[int], points: list[int], first: int, crowd: int) -> None:
        self.held = held
        self.points = points
        self.first = first
        self.crowd = crowd


class Lane:
    """One weaving of a row from given threads on; remembers what each state covers after each rank."""

    __slots__ = ("account", "begin", "layers", "loom", "row")

    def __init__(self, account: Account, row: Row, loom: Loom, begin: Threads) -> None:
        self.account = account
        self.row = row
        self.loom = loom
        self.begin = begin
        self.layers: list[dict[int, int]] = []

    def weave(self, covered: int, hopes: list[list[int]], aim: int) -> dict[int, int]:
        """The sums of all threads open at the end, from the sum at the beginning.

        What cannot reach the aim with what may be hoped for (by rank and by `standing`) is dropped.
        """
        account = self.account
        states = {self.loom.number(self.begin): covered}
        self.layers = [states]
        for rank in range(len(self.row.held)):
            hoped = hopes[rank + 1]
            states = {
                threads: points
                for threads, total in self._after(rank, states).items()
                if (points := account.reaching(total, hoped[self.loom.standing[threads]], aim))
            }
            self.layers.append(states)
        return states

    def _after(self, rank: int, states: dict[int, int]) -> dict[int, int]:
        """Every state after that rank; `Account.larger` is written out, because all time is spent here."""
        account = self.account
        guards, keep, top = account.guards, account.keep, account.width - 1
        after: dict[int, int] = {}
        adding: list[tuple[int, int]] = []
        for threads, points in states.items():
            for to, added in self._moves(rank, threads):
                if added >= len(adding):
                    adding += self._adding(rank, len(adding))
                shift, more = adding[added]
                total = (points << shift & keep) + more
                known = after.get(to)
                if known is not None:
                    mask = (total | guards) - known & guards
                    total = known ^ (known ^ total) & (mask - (mask >> top))
                after[to] = total
        return after

    def _moves(self, rank: int, threads: int) -> tuple[Move, ...]:
        crowd = self.row.crowd
        return self.loom.moves(threads, self.row.held[rank], self.account.runs, min(self.account.jokers, crowd), crowd)

    def _adding(self, rank: int, first: int) -> list[tuple[int, int]]:
        """How far a sum moves and what each place of it gains, for the loom's numbers from `first` on."""
        account, value = self.account, self.row.points[rank]
        return [
            (account.shift(runs, jokers), account.ones * (value * naturals + account.joker * jokers))
            for runs, jokers, naturals in self.loom.added[first:]
        ]

    def order(self, threads: int) -> tuple[int, ...] | None:
        """Which beginning each thread left over goes on as (none, if all end); None if they cannot stay so."""
        left = self.loom.threads[threads]
        if self.begin:
            return closing(self.begin, left)
        return () if all(self.loom.may_end(thread) for thread in left) else None

    def whole(self) -> int:
        """The sum of all ends that make whole runs."""
        points = 0
        for threads, covered in self.layers[-1].items():
            if self.order(threads) is not None:
                points = self.account.larger(points, covered)
        return points

    def told(self, runs: int, jokers: int, points: int) -> Told | None:
        """Whole runs that cover so much; None if there are none."""
        for threads, covered in self.layers[-1].items():
            if self.account.read(covered, runs, jokers) == points:
                order = self.order(threads)
                if order is not None:
                    steps, runs, jokers, points = self._steps(threads, runs, jokers, points)
                    ended, left = strands(self.begin, steps, self.row.first)
                    if not self.begin:
                        return joined((), [*ended, *left], [], ()), runs, jokers, points
                    return joined(self.begin, ended, left, order), runs, jokers, points
        return None

    def _steps(self, threads: int, runs: int, jokers: int, points: int) -> tuple[list[Step], int, int, int]:
        """The steps of one way to that end, and the runs, jokers and points from which it set out."""
        steps: list[Step] = []
        for rank in range(len(self.row.held) - 1, -1, -1):
            value = self.row.points[rank]
            before, step = self._step(rank, threads, runs, jokers, points)
            steps.append(step)
            threads, runs, jokers = before, runs - step[3], jokers - step[4]
            points -= value * (len(step[0]) - step[4]) + self.account.joker * step[4]
        steps.reverse()
        return steps, runs, jokers, points

    def _step(self, rank: int, last: int, runs: int, jokers: int, points: int) -> tuple[int, Step]:
        """A state before that rank, and the step from it, that lead to this state and to so much."""
        account, crowd = self.account, self.row.crowd
        adding = [
            (new, wild, points - self.row.points[rank] * naturals - account.joker * wild)
            for new, wild, naturals in self.loom.added
        ]
        for threads, covered in self.layers[rank].items():
            for place, (to, added) in enumerate(self._moves(rank, threads)):
                if to == last:
                    new, wild, before = adding[added]
                    if new <= runs and wild <= jokers and account.read(covered, runs - new, jokers - wild) == before:
                        held, most = self.row.held[rank], min(account.jokers, crowd)
                        return threads, self.loom.ways(threads, held, account.runs, most, crowd)[place]
        raise AssertionError("nothing leads to a state that was reached")


class Strand:
    """One run's cards, as ranks in order of the weaving; -1 is a joker."""

    __slots__ = ("cards", "through")

    def __init__(self, through: int) -> None:
        self.through = through
        self.cards: list[int] = []


def strands(begin: Threads, steps: list[Step], first: int) -> tuple[list[Strand], list[Strand]]:
    """The strands that ended on the way, and those open at its end; `first` is the first rank gone through."""
    ended: list[Strand] = []
    open_now = [Strand(thread.through) for thread in begin]
    for place, step in enumerate(steps):
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
