"""Minimal runs of one suit: how many cards they lack, and which cards would help.

A *place* of a run is filled by a natural that is held, or is a *gap*. A gap takes a joker, where the rules let one
stand, or a natural that is still to come.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.solver.counts import RANK_COUNTS, RANKS, SIZE

JOKER_SHIFT: Final = 52
ONE_JOKER: Final = 1 << 52
"""One joker, above the thirteen numbers of rank counts."""


@final
@mypyc_attr(acyclic=True)
class RunChoice:
    """One or more runs of one suit: their gaps, how jokers may fill these, and which naturals would help.

    Of the `gaps`, at most `joker_room` and at least `forced_jokers` hold jokers (forced: the packs hold no further copy
    of the card). `used` are the rank counts of the naturals used; `lendable` of them could be replaced by a joker. One
    more natural of the ranks `outs` helps while a gap can still take a joker; one of `outs_when_full` helps even when
    no gap can.
    """

    __slots__ = ("forced_jokers", "gaps", "joker_room", "lendable", "outs", "outs_when_full", "used")

    def __init__(
        self,
        gaps: i64,
        joker_room: i64,
        used: i64,
        lendable: i64,
        outs: i64,
        outs_when_full: i64,
    ) -> None:
        self.gaps = gaps
        self.joker_room = joker_room
        self.forced_jokers: i64 = 0
        self.used = used
        self.lendable = lendable
        self.outs = outs
        self.outs_when_full = outs_when_full

    def equals_but_cards(self, other: "RunChoice") -> bool:
        """Return whether both have equal gaps, jokers and naturals to lend, whichever cards they use or lack."""
        same_gaps = self.gaps == other.gaps and self.joker_room == other.joker_room
        return same_gaps and self.forced_jokers == other.forced_jokers and self.lendable == other.lendable

    def with_outs_of(self, other: "RunChoice") -> "RunChoice":
        """Return this choice with the outs of `other` added; `equals_but_cards` must be true of the two."""
        outs, outs_when_full = self.outs | other.outs, self.outs_when_full | other.outs_when_full
        merged = RunChoice(self.gaps, self.joker_room, self.used, self.lendable, outs, outs_when_full)
        merged.forced_jokers = self.forced_jokers
        return merged


@dataclass(frozen=True, slots=True)
class MinimalRun:
    """A run of the least length under a rule set: where it may start, and where its gaps may hold jokers.

    `windows` are the ranks of a run, by its start. The other tuples are indexed by a set of places. For gaps in these
    places, `joker_room` is how many of them may hold jokers at once, `joker_free` has every gap left without a joker in
    at least one placing of the most jokers, and `lendable` is how many naturals could be replaced by further jokers (0
    unless trios borrow naturals). `allowed` says whether jokers may be in exactly these places.
    """

    length: int
    starts: int
    windows: tuple[int, ...]
    joker_room: tuple[int, ...]
    joker_free: tuple[int, ...]
    allowed: tuple[bool, ...]
    lendable: tuple[int, ...]


def ranks_at(places: int, start: int) -> int:
    """Return the ranks at these places of a run that begins at the rank `start`."""
    wide = places << start
    return (wide | wide >> 13) & RANKS


def places_of(ranks: int, start: int, length: int) -> int:
    """Return the places of these ranks in a run that begins at the rank `start`."""
    return ((ranks | ranks << 13) >> start) & ((1 << length) - 1)


@cache
def minimal_run(length: int, naturals: int, ace: str, jokers_adjacent: str, lending: bool) -> MinimalRun:
    """Return the minimal run for these fields of `Rules.run`; `lending`: trios borrow naturals from runs."""
    starts = 13 if ace == "round" else 15 - length
    adjacent = jokers_adjacent == "allowed"
    allowed = tuple([_jokers_allowed(jokers, length, naturals, adjacent) for jokers in range(1 << length)])
    joker_room: list[int] = []
    joker_free: list[int] = []
    for gaps in range(1 << length):
        placings = [jokers for jokers in range(gaps + 1) if jokers & ~gaps == 0 and allowed[jokers]]
        most = max([jokers.bit_count() for jokers in placings])
        free = 0
        for jokers in placings:
            if jokers.bit_count() == most:
                free |= gaps & ~jokers
        joker_room.append(most)
        joker_free.append(free)
    windows = tuple([ranks_at((1 << length) - 1, start) for start in range(starts)])
    lendable = [_lendable(gaps, joker_room) if lending else 0 for gaps in range(1 << length)]
    return MinimalRun(length, starts, windows, tuple(joker_room), tuple(joker_free), allowed, tuple(lendable))


def _lendable(gaps: int, joker_room: list[int]) -> int:
    """Return the most gaps that could be added if jokers fill all of the added ones."""
    wider = [more for more in range(len(joker_room)) if more & gaps == gaps]
    return max(
        [
            more.bit_count() - gaps.bit_count()
            for more in wider
            if joker_room[more] - joker_room[gaps] == more.bit_count() - gaps.bit_count()
        ]
    )


def _jokers_allowed(jokers: int, length: int, naturals: int, adjacent: bool) -> bool:
    if length - jokers.bit_count() < max(naturals, 1):
        return False
    return adjacent or jokers & (jokers >> 1) == 0


@final
@mypyc_attr(acyclic=True)
class SingleRuns:
    """The choices of one run from one card of each rank of a set, fewest gaps first.

    `fewest_gaps` are the gaps of the first choice, `fewest_gaps_of_two` a lower bound on those of two runs together.
    """

    __slots__ = ("choices", "fewest_gaps", "fewest_gaps_of_two")

    def __init__(self, choices: list[RunChoice], fewest_gaps_of_two: i64) -> None:
        self.choices = choices
        self.fewest_gaps = choices[0].gaps
        self.fewest_gaps_of_two = fewest_gaps_of_two


@final
class RunTable:
    """The minimal runs of one suit, cached for each set of ranks held.

    With `keep_cards_apart`, choices that use different cards are not merged, which matters only with trios. `by_start`
    has every minimal run, by its start and then by the places that are held; `windows`, the ranks of a run, by its
    start; `pairs`, the ranks of each two runs.
    """

    __slots__ = (
        "_interned",
        "_singles",
        "_ways_to_fill",
        "by_start",
        "keep_cards_apart",
        "lending",
        "length",
        "minimal",
        "pairs",
        "places",
        "starts",
        "windows",
    )

    def __init__(self, minimal: MinimalRun, keep_cards_apart: bool, lending: bool) -> None:
        self.minimal = minimal
        self.length: i64 = minimal.length
        self.starts: i64 = minimal.starts
        self.places: i64 = (1 << minimal.length) - 1
        self.windows = list(minimal.windows)
        self.pairs = [first | second for first, second in combinations(minimal.windows, 2)]
        self.keep_cards_apart = keep_cards_apart
        self.lending = lending
        self.by_start = [
            _choice_of(minimal, start, held) for start in range(minimal.starts) for held in range(1 << minimal.length)
        ]
        self._ways_to_fill: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._interned: dict[tuple[int, int, int, int, int], RunChoice] = {}
        self._singles: list[SingleRuns | None] = [None] * (RANKS + 1)

    def single_runs(self, once: i64) -> SingleRuns:
        """Return the choices of one run from one card of each of these ranks; the caller must not change them."""
        single = self._singles[once]
        if single is None:
            single = SingleRuns(self._choices(once), self._fewest_gaps_of_two(once))
            self._singles[once] = single
        return single

    def fewest_gaps(self, once: i64) -> i64:
        """Return the fewest gaps of a run from one card of each of these ranks."""
        return self.single_runs(once).fewest_gaps

    def choice(self, start: i64, once: i64) -> RunChoice:
        """Return the run from the rank `start` with all of these ranks that it has; the caller must not change it."""
        held = (once | once << 13) >> start & self.places
        return self.by_start[start * (self.places + 1) + held]

    def ways_to_fill(self, start: int, ranks: int) -> list[tuple[int, int]]:
        """Return every way to fill the gaps `ranks` of a run.

        A way has its naturals as rank counts, with `ONE_JOKER` added for each joker, and as a rank set.
        """
        ways = self._ways_to_fill.get((start, ranks))
        if ways is None:
            gaps = places_of(ranks, start, self.minimal.length)
            ways = []
            for jokers in range(gaps + 1):
                if jokers & ~gaps == 0 and self.minimal.allowed[jokers]:
                    naturals = ranks_at(gaps & ~jokers, start)
                    ways.append((RANK_COUNTS[naturals] + jokers.bit_count() * ONE_JOKER, naturals))
            self._ways_to_fill[start, ranks] = ways
        return ways

    def _choices(self, once: i64) -> list[RunChoice]:
        kept: list[RunChoice] = []
        for start in range(self.starts):
            add_choice(kept, self.choice(start, once), self.keep_cards_apart)
        return [self._intern(choice) for choice in kept]

    def _intern(self, choice: RunChoice) -> RunChoice:
        """Return one object for all equal choices, to save memory: thousands of rank sets are cached."""
        return self._interned.setdefault(
            (choice.used, choice.joker_room, choice.lendable, choice.outs, choice.outs_when_full), choice
        )

    def _fewest_gaps_of_two(self, once: i64) -> i64:
        most: i64 = 0
        for windows in self.pairs:
            held: i64 = SIZE[windows & once]
            if held > most:
                most = held
        return 2 * self.length - most


def _choice_of(minimal: MinimalRun, start: int, held: int) -> RunChoice:
    """Return the run that begins at the rank `start`, with the places `held` held."""
    gaps = (1 << minimal.length) - 1 & ~held
    used: i64 = ranks_at(held, start)
    return RunChoice(
        gaps.bit_count(),
        minimal.joker_room[gaps],
        RANK_COUNTS[used],
        minimal.lendable[gaps],
        ranks_at(gaps, start),
        ranks_at(minimal.joker_free[gaps], start),
    )


def add_choice(kept: list[RunChoice], choice: RunChoice, keep_cards_apart: bool) -> None:
    """Add a choice to `kept`, which ascends by gaps, or merge it with a choice of which `equals_but_cards` is true.

    With `keep_cards_apart`, merge only choices that use the same cards.
    """
    for place, known in enumerate(kept):
        if known.gaps > choice.gaps:
            kept.insert(place, choice)
            return
        if (known.used == choice.used or not keep_cards_apart) and known.equals_but_cards(choice):
            kept[place] = known.with_outs_of(choice)
            return
    kept.append(choice)


@cache
def run_table(
    length: int, naturals: int, ace: str, jokers_adjacent: str, keep_cards_apart: bool, lending: bool
) -> RunTable:
    """Return the table for these fields of `Rules.run`."""
    return RunTable(minimal_run(length, naturals, ace, jokers_adjacent, lending), keep_cards_apart, lending)
