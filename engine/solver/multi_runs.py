"""Two or more minimal runs of one suit: every choice of starts, and every assignment of contested cards.

Runs may overlap. A rank is *contested* if more of the chosen runs have it than there are cards of it.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.solver.contract import Goal
from engine.solver.counts import ONES, RANK_COUNTS, TOPS, SuitCards, at_least
from engine.solver.runs import JOKER_SHIFT, ONE_JOKER, RunChoice, add_choice

_SLOTS: Final = 251
_CACHE: Final[list["MultiRunSearch | None"]] = [None] * _SLOTS
"""Cached searches, each in a slot given by a hash of its arguments: most calls repeat one for the same hand."""


def multi_run_choices(goal: Goal, cards: SuitCards, runs: i64, jokers: i64, most_gaps: i64) -> list[RunChoice]:
    """Return every choice of `runs` runs of a suit with at most `most_gaps` gaps, fewest gaps first.

    Choices with more gaps may follow: a cached search may have allowed more.
    Where the contract has only these runs, the search stops at a choice without a missing card.
    """
    slot = (cards.once + 8 * cards.twice + 31 * runs) % _SLOTS
    search = _CACHE[slot]
    if search is None or not search.answers(goal, cards, runs, jokers, most_gaps):
        search = MultiRunSearch(goal, cards, runs, jokers, most_gaps)
        _CACHE[slot] = search
    return search.choices


@final
@mypyc_attr(acyclic=True)
class MultiRunSearch:
    """The `choices` of `runs` runs of a suit with at most `most_gaps` gaps, fewest first.

    `stopped_early` says that the search has stopped at a choice that makes all others unnecessary.
    """

    __slots__ = (
        "assigned",
        "choices",
        "fewest_gaps",
        "goal",
        "jokers",
        "most_gaps",
        "one_is_enough",
        "packs",
        "runs",
        "selected",
        "starts",
        "stopped_early",
        "suit",
        "table",
    )

    def __init__(self, goal: Goal, suit: SuitCards, runs: i64, jokers: i64, most_gaps: i64) -> None:
        self.goal = goal
        self.table = goal.table
        self.packs: i64 = goal.packs
        self.suit = suit
        self.runs = runs
        self.jokers = jokers
        self.most_gaps = most_gaps
        self.fewest_gaps = goal.table.fewest_gaps(suit.once)
        self.one_is_enough = goal.only_runs == runs
        self.stopped_early = False
        self.choices: list[RunChoice] = []
        self.starts: list[int] = [0] * runs
        self.assigned: list[int] = self.starts[:]
        self.selected: list[RunChoice] = [goal.table.by_start[0]] * runs
        self._extend(runs, suit.once, suit.twice, suit.thrice, suit.four, most_gaps)

    def answers(self, goal: Goal, cards: SuitCards, runs: i64, jokers: i64, most_gaps: i64) -> bool:
        """Return whether the choices are those that `multi_run_choices` needs for these arguments."""
        if goal is not self.goal or runs != self.runs or jokers != self.jokers or not cards.same(self.suit):
            return False
        return most_gaps == self.most_gaps or (most_gaps < self.most_gaps and not self.stopped_early)

    def _extend(self, runs: i64, once: i64, twice: i64, thrice: i64, four: i64, gaps: i64) -> None:
        """Select `runs` more runs, none before the last one, from the unused naturals, with at most `gaps` gaps."""
        table = self.table
        # Each further run has at least as many gaps as a run from all cards.
        most = gaps - self.fewest_gaps * (runs - 1)
        place = self.runs - runs
        first: i64 = self.starts[place - 1] if place else 0
        for start in range(first, table.starts):
            choice = table.choice(start, once)
            if choice.gaps > most:
                continue
            self.starts[place] = start
            self.selected[place] = choice
            if runs == 1:
                self._add_selected()
            else:
                used = table.windows[start] & once
                rest = ~used
                self._extend(
                    runs - 1,
                    once & rest | twice & used,
                    twice & rest | thrice & used,
                    thrice & rest | four & used,
                    four & rest,
                    gaps - choice.gaps,
                )
            if self.stopped_early:
                return

    def _add_selected(self) -> None:
        """Add the selected runs, and every assignment of contested cards where that may change the use of jokers."""
        choice = self._combined(self.selected)
        if choice is not None:
            self._add(choice)
            plenty = choice.joker_room > self.jokers or choice.joker_room == choice.gaps
            if self.stopped_early or (plenty and choice.forced_jokers == 0 and not self.table.lending):
                return
        self._assign_contested()

    def _contested(self) -> int:
        """Return the contested ranks of which at least one card is held."""
        once: i64 = 0
        twice: i64 = 0
        thrice: i64 = 0
        four: i64 = 0
        five: i64 = 0
        for start in self.starts:
            window: i64 = self.table.windows[start]
            five |= four & window
            four |= thrice & window
            thrice |= twice & window
            twice |= once & window
            once |= window
        return self.suit.contested(once, twice, thrice, four) | five & self.suit.once

    def _assign_contested(self) -> None:
        """Add the selected runs for every assignment of the contested cards."""
        contested = self._contested()
        if contested:
            for place, start in enumerate(self.starts):
                self.assigned[place] = self.table.windows[start] & self.suit.once & ~contested
            self._assign(contested, 0, self.suit.copies(contested & -contested))

    def _assign(self, contested: i64, first: i64, copies: i64) -> None:
        """Assign `copies` copies of the lowest contested rank to runs from number `first` on, then the other ranks."""
        if copies:
            low = contested & -contested
            for place in range(first, self.runs):
                if self.table.windows[self.starts[place]] & low and not self._equals_the_run_before(place):
                    self.assigned[place] |= low
                    self._assign(contested, place + 1, copies - 1)
                    self.assigned[place] ^= low
            return
        rest = contested & (contested - 1)
        if rest:
            self._assign(rest, 0, self.suit.copies(rest & -rest))
            return
        choice = self._combined(
            [self.table.choice(start, self.assigned[place]) for place, start in enumerate(self.starts)]
        )
        if choice is not None:
            self._add(choice)

    def _equals_the_run_before(self, place: i64) -> bool:
        """Return whether the run of this number and the one before it have the same start and the same cards so far."""
        before = place - 1
        return (
            before >= 0 and self.starts[before] == self.starts[place] and self.assigned[before] == self.assigned[place]
        )

    def _add(self, choice: RunChoice) -> None:
        add_choice(self.choices, choice, self.table.keep_cards_apart)
        if self.one_is_enough and choice.gaps <= min(choice.joker_room, self.jokers):
            self.stopped_early = True

    def _combined(self, runs: list[RunChoice]) -> RunChoice | None:
        """Return the runs as one choice; None if their gaps cannot be filled from the packs."""
        combined = RunChoice(0, 0, 0, 0, 0, 0)
        for run in runs:
            combined.gaps += run.gaps
            combined.joker_room += run.joker_room
            combined.used += run.used
            combined.lendable += run.lendable
            combined.outs |= run.outs
            combined.outs_when_full |= run.outs_when_full
        packs = self.packs
        if self.runs > packs:
            demand = sum([RANK_COUNTS[self.table.windows[start]] for start in self.starts])
            if at_least(demand, packs + 1):
                return self._with_forced_jokers(combined, [run.outs for run in runs])
        return combined

    def _with_forced_jokers(self, combined: RunChoice, gaps: list[int]) -> RunChoice | None:
        """Return the choice with gaps that must hold jokers, as the packs have no more copies; None if impossible."""
        fillings = self._fillings(gaps)
        if not fillings:
            return None
        forced, room = min(fillings), max(fillings)
        combined.forced_jokers, combined.joker_room = forced, room
        combined.outs_when_full = fillings[room]
        if forced == room:
            combined.outs = combined.outs_when_full
        return combined

    def _fillings(self, gaps: list[int]) -> dict[int, int]:
        """Return, by the number of jokers in the gaps, the ranks of which naturals may fill the other gaps.

        Naturals are counted only of scarce ranks, which might need more copies than the packs hold.
        """
        held: i64 = self.suit.counts
        needed: i64 = sum([RANK_COUNTS[ranks] for ranks in gaps])
        scarce = 15 * (at_least(held + needed, self.packs + 1) >> 3)
        # The top bits of the counts are set by one card more than the packs hold.
        partial: dict[int, int] = {(held + (7 - self.packs) * ONES) & scarce: 0}
        for start, ranks in zip(self.starts, gaps, strict=True):
            after: dict[int, int] = {}
            for way, naturals in self.table.ways_to_fill(start, ranks):
                added: i64 = way & (scarce | -ONE_JOKER)
                for before, others in partial.items():
                    counts = before + added
                    if not counts & TOPS:
                        after[counts] = after.get(counts, 0) | others | naturals
            partial = after
        fillings: dict[int, int] = {}
        for counts, ranks in partial.items():
            fillings[counts >> JOKER_SHIFT] = fillings.get(counts >> JOKER_SHIFT, 0) | ranks
        return fillings
