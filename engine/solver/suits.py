"""The cheapest leftovers of a contract of runs alone: suit after suit, guided by what may still be hoped for.

One account goes through all suits, those with few cards first. What a suit and those after it may still cover
is worked out beforehand, too kindly: threads forget their age there. The aim is first all that may be hoped
for, then less, and whatever cannot reach it is dropped at once; the best way that reaches an aim is the best.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from engine.cards import JOKER, Faces
from engine.rules import Rules
from engine.solver.contract import suit_points
from engine.solver.looms import MOST_THREADS, Loom, Thread, drop_large_looms, loom_for, standing
from engine.solver.threads import Account, Lane, Row, Told
from engine.solver.trios import one_of_a_kind

_LIGHT: Final = 8
"""Suits with no more naturals are woven in every way: that takes a few milliseconds, and nothing is hoped amiss."""

_SLACK: Final = (0, 8, 25, 50, 100, 200, 400)
"""How far below all hope the aim is set, one after the other; after these it is any way at all."""

GameLength = tuple[int, int, int, int]
"""A step of threads without age: their `standing` after it, new runs, jokers, naturals."""

Short = tuple[tuple[int, bool], ...]
"""Of each thread its age, up to the least length of a run, and whether its last card is a joker."""


@lru_cache(maxsize=128)
def _paces(crowd: int, jokers: int, held: int, adjacent: bool) -> tuple[tuple[int, tuple[GameLength, ...]], ...]:
    """For each standing the steps from it, at a rank of which so many cards are held."""
    return tuple(
        (
            standing(threads, last),
            tuple(_paces_from(threads, threads if adjacent else threads - last, crowd, jokers, held)),
        )
        for threads in range(crowd + 1)
        for last in range(min(threads, jokers) + 1)
    )


def _paces_from(threads: int, free: int, crowd: int, jokers: int, held: int) -> Iterator[GameLength]:
    """The steps of threads of which so many are free to take a joker, each with the fewest new runs."""
    for after in range(crowd + 1):
        for wild in range(max(0, after - held), min(after, jokers) + 1):
            for new in range(max(0, after - threads), after + 1):
                if wild <= new + min(after - new, free):
                    yield standing(after, wild), new, wild, after - wild
                    break


class Hopes:
    """What may be hoped for on a row whose corner so many threads pass (0: none), and on all that comes after."""

    __slots__ = ("at", "passing", "start")

    def __init__(self, passing: int, at: list[list[int]], start: int) -> None:
        """`at` has, for each rank and for the end, sums by `standing`; `start` is what the whole may bring."""
        self.passing = passing
        self.at = at
        self.start = start


def _measured(account: Account, row: Row, passing: int, adjacent: bool, after: int) -> Hopes:
    """The hopes of a row, where `after` is the sum hoped for behind it."""
    last = [0] * (MOST_THREADS * (row.crowd + 1))
    for threads in range(row.crowd + 1) if passing == 0 else (passing,):
        for wild in range(threads + 1):
            last[standing(threads, wild)] = after
    at = [last]
    for held, value in zip(reversed(row.held), reversed(row.points), strict=True):
        last = _hoped_before(account, last, _paces(row.crowd, account.jokers, held, adjacent), value)
        at.append(last)
    at.reverse()
    return Hopes(passing, at, last[standing(passing, max(0, passing - row.held[-1]))])


def _unmeasured(account: Account, row: Row, passing: int) -> Hopes:
    """Hopes with which any way at all goes on, where measuring would take longer than trying."""
    some = account.ones * account.base
    every = [some] * (MOST_THREADS * (row.crowd + 1))
    return Hopes(passing, [every] * (len(row.held) + 1), some)


def _hoped_before(
    account: Account, after: list[int], paces: tuple[tuple[int, tuple[GameLength, ...]], ...], value: int
) -> list[int]:
    """The hopes before a rank whose cards count so much, from those after it."""
    before = [0] * len(after)
    for source, ways in paces:
        best = 0
        for target, runs, wild, naturals in ways:
            hope = after[target]
            if hope:
                more = account.ones * (value * naturals + account.joker * wild)
                best = account.larger(best, (hope >> account.shift(runs, wild) & account.keep) + more)
        before[source] = best
    return before


class Suit:
    """One suit of the hand: its rows, and how many threads may pass their corner.

    Where the ace stands at either end it has a row for each number of aces that stand low.
    """

    def __init__(self, rules: Rules, hand: Faces, suit: int, runs: int) -> None:
        self.run = rules.run
        self.suit = suit
        held = [hand.count(13 * suit + rank) for rank in range(13)]
        points = list(suit_points(rules, suit))
        self.naturals = sum(held)
        crowd = runs + max(0, self.naturals + hand.jokers - runs) // 13
        if rules.run.ace == "round":
            first = (min(range(13), key=lambda rank: (held[rank], held[(rank + 1) % 13])) + 1) % 13
            self.rows = [Row(held[first:] + held[:first], points[first:] + points[:first], first, crowd)]
            self.passing = min(crowd, held[first - 1] + hand.jokers)
            if held[first - 1] == held[first] == 0 and rules.run.jokers_adjacent == "forbidden":
                self.passing = 0
        else:
            aces = range(held[0] + 1)
            self.rows = [Row([low, *held[1:], held[0] - low], [*points, points[0]], 0, crowd) for low in aces]
            self.passing = 0
        self.hopes: list[list[Hopes]] = []
        self.lanes: dict[int, list[Lane]] = {}
        self.before = 0

    def hope_for_any(self, account: Account) -> None:
        """Prepares for trying every way."""
        passing = range(self.passing + 1)
        self.hopes = [[_unmeasured(account, row, number) for number in passing] for row in self.rows]

    def hope(self, account: Account, after: int) -> int:
        """Works out what may be hoped for from here on, where `after` is hoped for behind this suit."""
        adjacent = self.run.jokers_adjacent == "allowed"
        passing = range(self.passing + 1)
        self.hopes = [[_measured(account, row, number, adjacent, after) for number in passing] for row in self.rows]
        most = after
        for row in self.hopes:
            for hopes in row:
                most = account.larger(most, hopes.start)
        return most

    def open_loom(self) -> Loom:
        """The loom of runs that do not pass the corner: a row is too short for a most of 13 to matter."""
        run = self.run
        most = None if run.most is None or run.most >= (13 if run.ace == "round" else 14) else run.most
        return loom_for(run.least, most, run.naturals, run.jokers_adjacent)

    def passing_loom(self, most: int | None) -> Loom:
        """The loom of runs that may pass the corner, up to that length."""
        return loom_for(self.run.least, most, self.run.naturals, self.run.jokers_adjacent)


class Weaving:
    """The search for the runs of all suits that cover the most points, and leave fewer than `under`."""

    def __init__(self, rules: Rules, runs: int, hand: Faces, under: int | None) -> None:
        every = [Suit(rules, hand, suit, runs) for suit in range(4)]
        self.suits = sorted([suit for suit in every if suit.naturals], key=_few_cards_first)
        self.one_each = one_of_a_kind(rules)
        self.light = sum(suit.naturals <= _LIGHT for suit in self.suits[:-1])
        crowd = max([row.crowd for suit in self.suits for row in suit.rows], default=runs)
        points = sum([rules.points(face) for face in hand])
        self.account = Account(runs, hand.jokers, points, rules.values.joker, crowd)
        self.least = 0 if under is None else max(0, points - under + 1)
        self.ahead = self.account.ones * self.account.base
        for suit in self.suits[: self.light]:
            suit.hope_for_any(self.account)
        for suit in reversed(self.suits[self.light :]):
            self.ahead = suit.hope(self.account, self.ahead)

    def best(self) -> list[tuple[int, ...]] | None:
        """The runs, suit by suit; None if there are not so many."""
        account = self.account
        covered = self._through(self.suits[: self.light], account.base, 0)
        hope = self._hope(covered)
        for floor in (*[hope - slack for slack in _SLACK if hope - slack > self.least], self.least):
            points, jokers = account.best(self._through(self.suits[self.light :], covered, floor))
            if points >= floor:
                return self._told(jokers, points)
        return None

    def _hope(self, covered: int) -> int:
        """The most points that may be hoped for when the light suits are woven."""
        account, after = self.account, self.ahead
        fields = [(runs, wild) for runs in range(account.runs + 1) for wild in range(account.jokers + 1)]
        sums = [(account.read(covered, *field), account.read(after, *field)) for field in fields]
        return max([one + other for one, other in sums if one >= 0 and other >= 0], default=0)

    def _through(self, suits: list[Suit], covered: int, floor: int) -> int:
        """The sum after these suits from that before them, of all that may reach so many points in the end."""
        for suit in suits:
            covered = self._woven(suit, covered, floor)
        return covered

    def _woven(self, suit: Suit, covered: int, floor: int) -> int:
        """The same for one suit; behind the last one, what is found raises the floor.

        Where runs must be of different suits, the suit adds none or one, to each number of runs before it.
        """
        suit.lanes = {}
        if not self.one_each:
            return self._added(suit, 0, covered, floor)
        account = self.account
        after = suit.before = covered
        for runs in range(account.runs):
            one_more = self._added(suit, runs, account.only(covered, runs), floor)
            after = account.larger(after, account.only(one_more, runs + 1))
        return after

    def _added(self, suit: Suit, before: int, covered: int, floor: int) -> int:
        """The sum behind the suit's lanes, which it keeps under the number of runs before them, where that counts."""
        account = self.account
        lanes = suit.lanes[before] = []
        after = 0
        for row, every in zip(suit.rows, suit.hopes, strict=True):
            for hopes in every:
                if not account.reaching(covered, hopes.start, account.aim(floor)):
                    continue
                for lane in self._lanes(suit, row, hopes, covered, floor):
                    lane.weave(covered, hopes.at, account.aim(floor))
                    lanes.append(lane)
                    after = account.larger(after, lane.whole())
                    if suit is self.suits[-1]:
                        floor = max(floor, account.best(after)[0] + 1)
        return after

    def _lanes(self, suit: Suit, row: Row, hopes: Hopes, covered: int, floor: int) -> Iterator[Lane]:
        """The lanes of a row: one if no thread passes its corner, else one for each beginning worth a trial."""
        if hopes.passing == 0:
            yield Lane(self.account, row, suit.open_loom(), ())
            return
        loom = suit.passing_loom(suit.run.most)
        ends = self._free_ends(suit, row, hopes, covered, floor)
        for chosen in combinations_with_replacement(_kinds(loom), hopes.passing):
            if _in_short(chosen, loom.least) in ends:
                begin = tuple(sorted(Thread(*kind, place + 1) for place, kind in enumerate(chosen)))
                yield Lane(self.account, row, loom, begin)

    def _free_ends(self, suit: Suit, row: Row, hopes: Hopes, covered: int, floor: int) -> set[Short]:
        """The ends that can be reached if all threads begin as freely as can be: a beginning must be among them."""
        loom = suit.passing_loom(None)
        natural = Thread(loom.least, False, loom.naturals, 0)
        joker = Thread(loom.least, not loom.adjacent, loom.naturals, 0)
        naturals = min(row.held[-1], hopes.passing)
        begin = sorted([natural] * naturals + [joker] * (hopes.passing - naturals))
        ends = Lane(self.account, row, loom, tuple(begin)).weave(covered, hopes.at, self.account.aim(floor))
        return {_in_short([thread[:3] for thread in loom.threads[number]], loom.least) for number in ends}

    def _told(self, jokers: int, points: int) -> list[tuple[int, ...]]:
        """The runs of a way that uses so many jokers and covers so many points, from the last suit back."""
        runs = self.account.runs
        found: list[tuple[int, ...]] = []
        for suit in reversed(self.suits):
            if self.one_each and self.account.read(suit.before, runs, jokers) == points:
                continue
            lanes = suit.lanes[runs - 1 if self.one_each else 0]
            whole, runs, jokers, points = _told_by(lanes, runs, jokers, points)
            found += [tuple([JOKER if rank < 0 else 13 * suit.suit + rank for rank in run]) for run in whole]
        return found


def _told_by(lanes: list[Lane], runs: int, jokers: int, points: int) -> Told:
    """What the first lane tells that knows a way."""
    for lane in lanes:
        told = lane.told(runs, jokers, points)
        if told is not None:
            return told
    raise AssertionError("no lane tells of what was reached")


def _few_cards_first(suit: Suit) -> tuple[int, int]:
    return (suit.naturals, suit.suit)


def _kinds(loom: Loom) -> list[tuple[int, bool, int]]:
    """Every age, kind of last card and number of naturals that a thread may pass the corner with."""
    return [
        (age, joker, naturals)
        for age in range(1, loom.cap + 1)
        for joker in ((False,) if loom.adjacent else (False, True))
        for naturals in range(min(age, loom.naturals) + 1)
    ]


def _in_short(threads: Sequence[tuple[int, bool, int]], least: int) -> Short:
    """The threads without what a free beginning may have changed: ages above the least, and naturals."""
    return tuple(sorted((min(age, least), joker) for age, joker, _ in threads))


def best_runs(rules: Rules, runs: int, hand: Faces, under: int | None) -> list[tuple[int, ...]] | None:
    """So many runs that leave the fewest points in the hand; None if it has not so many, or none under that."""
    drop_large_looms()
    return Weaving(rules, runs, hand, under).best()
