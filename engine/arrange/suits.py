"""The cheapest leftovers of a contract of runs alone: what each suit can do, and the best of them together."""

from itertools import combinations_with_replacement

from engine.arrange.threads import (
    Loom,
    Thread,
    Threads,
    Trail,
    closing,
    joined,
    loom_for,
    strands,
    weave,
)
from engine.cards import JOKER, Faces
from engine.rules import Rules


class Woven:
    """One way to make runs of a suit: its points and how to tell its runs."""

    __slots__ = ("begin", "first", "order", "points", "split", "trail")

    def __init__(self, points: int, begin: Threads, trail: Trail | None, order: tuple[int, ...], first: int) -> None:
        self.points = points
        self.begin = begin
        self.trail = trail
        self.order = order
        self.first = first

    def runs(self, suit: int) -> list[tuple[int, ...]]:
        """The runs, their cards in order."""
        ended, left = strands(self.begin, self.trail, self.first)
        whole = joined(self.begin, ended, left, self.order)
        return [tuple(JOKER if rank < 0 else 13 * suit + rank for rank in run) for run in whole]


Ways = dict[tuple[int, int], Woven]
"""By runs and jokers used: the way that covers the most points."""


class SuitRuns:
    """What one suit can do: so many runs with so many jokers, and the points of naturals in them."""

    def __init__(self, rules: Rules, hand: Faces, suit: int, runs: int, cards: int) -> None:
        self.run = rules.run
        self.points = list(rules.values.ranks)
        self.held = [hand.count(13 * suit + rank) for rank in range(13)]
        self.runs = runs
        self.jokers = hand.jokers
        self.suit = suit
        self.exact: Ways = {(0, 0): Woven(0, (), None, (), 0)}
        self.hope: dict[int, dict[tuple[int, int], int]] = {}
        self.ceiling = sum(copies * value for copies, value in zip(self.held, self.points, strict=True))
        self.first = (min(range(13), key=self.held.__getitem__) + 1) % 13
        self.crossing = runs + cards // 13
        if sum(self.held):
            self._weave_open()

    def _loom(self, most: int | None) -> Loom:
        return loom_for(self.run.least, most, self.run.naturals, self.run.jokers_adjacent)

    def _note(self, runs: int, jokers: int, way: Woven) -> None:
        known = self.exact.get((runs, jokers))
        if known is None or known.points < way.points:
            self.exact[runs, jokers] = way

    def _weave_open(self) -> None:
        """Notes the ways in which no run passes from the last rank to the first."""
        run = self.run
        most = None if run.most is None or run.most >= (13 if run.ace == "round" else 14) else run.most
        if run.ace == "round":
            self._weave(self._turned(self.held), self._turned(self.points), self.first, most)
            return
        for low in range(self.held[0] + 1):
            held = [low, *self.held[1:], self.held[0] - low]
            self._weave(held, [*self.points, self.points[0]], 0, most)

    def _turned(self, ranks: list[int]) -> list[int]:
        return ranks[self.first :] + ranks[: self.first]

    def _weave(self, held: list[int], points: list[int], first: int, most: int | None) -> None:
        loom = self._loom(most)
        for threads, runs, jokers, gained, trail in weave(loom, (), held, points, self.runs, self.jokers, 0):
            if all(loom.may_end(thread) for thread in threads):
                self._note(runs, jokers, Woven(gained, (), _closed(trail, threads), (), first))

    def hope_beyond(self, number: int, floor: int) -> None:
        """Works out, too kindly, what could be gained if so many runs pass from the last rank to the first."""
        last = self.held[self.first - 1]
        if self.run.ace != "round" or not sum(self.held) or number > min(self.crossing, last + self.jokers):
            return
        loom = self._loom(None)
        natural = Thread(self.run.least, False, loom.naturals, 0)
        joker = Thread(self.run.least, not loom.adjacent, loom.naturals, 0)
        begin = tuple(sorted([natural] * min(last, number) + [joker] * (number - min(last, number))))
        hope: dict[tuple[int, int], int] = {}
        held, points = self._turned(self.held), self._turned(self.points)
        for threads, runs, jokers, gained, _ in weave(loom, begin, held, points, self.runs, self.jokers, floor):
            known = self.exact.get((runs, jokers))
            if len(threads) == number and runs and (known is None or known.points < gained):
                hope[runs, jokers] = max(gained, hope.get((runs, jokers), 0))
        if hope:
            self.hope[number] = hope

    def fulfil(self, floor: int) -> None:
        """Works out exactly what was only hoped, for the least number of passing runs not yet settled."""
        number = min(self.hope)
        hope = self.hope.pop(number)
        loom = self._loom(self.run.most)
        kinds = [
            (age, joker, naturals)
            for age in range(1, loom.cap + 1)
            for joker in ((False,) if loom.adjacent else (False, True))
            for naturals in range(min(age, loom.naturals) + 1)
        ]
        for chosen in combinations_with_replacement(kinds, number):
            begin = tuple(sorted(Thread(*kind, place + 1) for place, kind in enumerate(chosen)))
            if loom.adjacent or sum(not thread.joker for thread in begin) <= self.held[self.first - 1]:
                self._weave_from(loom, begin, floor)
                if all(key in self.exact and self.exact[key].points >= best for key, best in hope.items()):
                    return

    def _weave_from(self, loom: Loom, begin: Threads, floor: int) -> None:
        held, points = self._turned(self.held), self._turned(self.points)
        for threads, runs, jokers, gained, trail in weave(loom, begin, held, points, self.runs, self.jokers, floor):
            known = self.exact.get((runs, jokers))
            if not runs or (known is not None and known.points >= gained):
                continue
            order = closing(begin, threads)
            if order is not None:
                self._note(runs, jokers, Woven(gained, begin, trail, order, self.first))

    def most_hoped(self) -> dict[tuple[int, int], int]:
        """The points of each number of runs and jokers, never less than the truth."""
        found = {key: way.points for key, way in self.exact.items()}
        for hope in self.hope.values():
            for key, points in hope.items():
                found[key] = max(points, found.get(key, 0))
        return found


def _closed(trail: Trail | None, threads: Threads) -> Trail | None:
    """The trail with one more step, in which every open thread ends."""
    return Trail(trail, ((), (), (), 0, 0)) if threads else trail


Choice = tuple[int, tuple[tuple[int, int], ...]]
"""Points of naturals and jokers covered; runs and jokers of each suit."""


def best_choice(suits: list[dict[tuple[int, int], int]], runs: int, jokers: int, joker: int) -> Choice | None:
    """The suits' ways that together make so many runs and cover the most points; None if there are none."""
    ways: dict[tuple[int, int], Choice] = {(0, 0): (0, ())}
    for suit in suits:
        after: dict[tuple[int, int], Choice] = {}
        for (made, spent), (gained, chosen) in ways.items():
            for (mine, wild), points in suit.items():
                key = (made + mine, spent + wild)
                total = gained + points + joker * wild
                if key[0] <= runs and key[1] <= jokers and (key not in after or after[key][0] < total):
                    after[key] = (total, (*chosen, (mine, wild)))
        ways = after
    full = [way for (made, _), way in ways.items() if made == runs]
    return max(full) if full else None


def best_runs(rules: Rules, runs: int, hand: Faces) -> list[tuple[int, ...]] | None:
    """So many runs that leave the fewest points in the hand; None if it has not so many."""
    suits = [SuitRuns(rules, hand, suit, runs, len(hand)) for suit in range(4)]
    joker = rules.values.joker
    total = sum(rules.points(face) for face in hand)
    found = _known(suits, runs, hand.jokers, joker)
    for number in range(1, suits[0].crossing + 1):
        if found is not None and found[0] == total:
            break
        for suit in suits:
            suit.hope_beyond(number, _floor(suits, suit, found, joker))
        found = _refined(suits, runs, hand.jokers, joker)
    if found is None:
        return None
    return [
        run
        for number, (suit, key) in enumerate(zip(suits, found[1], strict=True))
        for run in suit.exact[key].runs(number)
    ]


def _refined(suits: list[SuitRuns], runs: int, jokers: int, joker: int) -> Choice | None:
    """The best choice known once no hope is left that could better it."""
    while True:
        hoped = best_choice([suit.most_hoped() for suit in suits], runs, jokers, joker)
        found = _known(suits, runs, jokers, joker)
        if hoped is None or (found is not None and found[0] >= hoped[0]):
            return found
        for suit, key in zip(suits, hoped[1], strict=True):
            if suit.hope and (key not in suit.exact or suit.most_hoped()[key] > suit.exact[key].points):
                suit.fulfil(_floor(suits, suit, found, joker))
                break


def _floor(suits: list[SuitRuns], suit: SuitRuns, found: Choice | None, joker: int) -> int:
    """The least points of naturals with which the suit could better what is found."""
    if found is None:
        return 0
    others = sum(one.ceiling for one in suits if one is not suit)
    return found[0] + 1 - others - joker * suit.jokers


def _known(suits: list[SuitRuns], runs: int, jokers: int, joker: int) -> Choice | None:
    exact = [{key: way.points for key, way in suit.exact.items()} for suit in suits]
    return best_choice(exact, runs, jokers, joker)
