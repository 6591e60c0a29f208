"""The cards of runs: which span gets a contested card, and where jokers go.

A held card is *contested* if the spans of its suit need it more often than it is held. A *filling* gives every span its
naturals and jokers. Jokers that no span needs are *spare*.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import BIT, JOKER, bits
from engine.melds import RUN, is_meld, run_start
from engine.solver.contract import Goal
from engine.solver.counts import RANK_COUNTS, SIZE, SuitCards
from engine.solver.spans import Coverage, Span, SuitHolding

Cards = tuple[int, ...]

_PLACES: Final = 64
"""More places than a run can have."""


def can_fill(goal: Goal, holding: SuitHolding, coverage: Coverage, spans: list[Span]) -> bool:
    """Return whether spans of one suit have a filling; search only if the uncontested naturals leave it open."""
    contested = holding.contested(coverage)
    if not contested or not goal.jokers_apart:
        own = holding.cards.once & ~contested
        if all(SIZE[span.once & own] >= goal.run_naturals for span in spans):
            return True
    return len(_FillSearch(goal, spans, holding.cards, 1).found) > 0


def first_filling(goal: Goal, holding: SuitHolding, spans: list[Span]) -> list[Cards]:
    """Return the chosen spans of a suit with their cards; where cards are contested, the first of `all_fillings`."""
    coverage = holding.coverage
    if coverage is not None and holding.contested(coverage):
        return _FillSearch(goal, spans, holding.cards, 1).runs(0)
    return [_uncontested(span, holding.cards.once) for span in spans]


def all_fillings(goal: Goal, spans: list[Span], held: SuitCards) -> list[list[Cards]]:
    """Return the spans of one suit with their cards, for every assignment of contested cards."""
    search = _FillSearch(goal, spans, held, -1)
    return [search.runs(number) for number in range(len(search.found))]


def _uncontested(span: Span, once: i64) -> Cards:
    """Return the cards of a span that gets a natural at each rank held, and jokers at the others."""
    cards: list[int] = []
    face = span.first + span.start
    for _ in range(span.length):
        if once & BIT[face - span.first]:
            cards.append(face)
        else:
            cards.append(JOKER)
        face = span.next(face)
    return tuple(cards)


def _with_gaps(span: Span, gaps: i64) -> Cards:
    """Return the cards of a span with jokers at the places `gaps`, a bit each."""
    cards: list[int] = []
    face = span.first + span.start
    for place in range(span.length):
        if gaps & BIT[place]:
            cards.append(JOKER)
        else:
            cards.append(face)
        face = span.next(face)
    return tuple(cards)


@final
@mypyc_attr(acyclic=True)
class _FillSearch:
    """A search for up to `limit` fillings, or for all if `limit` is negative.

    A filling in `found` has for each span the places of its jokers, a bit each. `faces` are the contested cards; for
    each of them, `contenders` are the places that need it, and `lacking` is how many of these take jokers.
    """

    __slots__ = ("contenders", "faces", "found", "gaps", "jokers_apart", "lacking", "limit", "naturals", "spans")

    def __init__(self, goal: Goal, spans: list[Span], held: SuitCards, limit: int) -> None:
        self.spans = spans
        self.limit = limit
        self.jokers_apart = goal.jokers_apart
        self.naturals = goal.run_naturals
        self.gaps: list[int] = []
        self.faces: list[int] = []
        self.contenders: list[list[int]] = []
        self.lacking: list[int] = []
        self.found: list[list[int]] = []
        needed: i64 = 0
        for span in spans:
            needed += RANK_COUNTS[span.once] + RANK_COUNTS[span.twice] + RANK_COUNTS[span.thrice]
        for number, span in enumerate(spans):
            self._add_span(number, span, held, needed)
        if not self.jokers_apart or all(gaps & gaps >> 1 == 0 for gaps in self.gaps):
            self._fill(-1, 0, 0)

    def _add_span(self, number: i64, span: Span, held: SuitCards, needed: i64) -> None:
        """Add the gaps of a span, which are places of cards not held, and its places of contested cards."""
        gaps: i64 = 0
        face = span.first + span.start
        for place in range(span.length):
            shift = 4 * (face - span.first)
            copies = held.counts >> shift & 15
            if copies == 0:
                gaps |= BIT[place]
            elif needed >> shift & 15 > copies:
                self._places_of(face, (needed >> shift & 15) - copies).append(_PLACES * number + place)
            face = span.next(face)
        self.gaps.append(gaps)

    def _places_of(self, face: int, lacking: int) -> list[int]:
        """Return the list of places that need a contested card, `lacking` of which take jokers."""
        for place, known in enumerate(self.faces):
            if known == face:
                return self.contenders[place]
        places: list[int] = []
        self.faces.append(face)
        self.contenders.append(places)
        self.lacking.append(lacking)
        return places

    def _fill(self, which: i64, first: i64, lacking: i64) -> None:
        """Choose `lacking` more places for jokers in `contenders[which]`, from index `first` on; then the next card."""
        if lacking == 0:
            if which + 1 == len(self.faces):
                self._record()
            else:
                self._fill(which + 1, 0, self.lacking[which + 1])
            return
        places = self.contenders[which]
        for place in range(first, len(places) - lacking + 1):
            number, joker = places[place] // _PLACES, BIT[places[place] % _PLACES]
            gaps: i64 = self.gaps[number]
            if self.jokers_apart and gaps & (joker << 1 | joker >> 1):
                continue
            self.gaps[number] = gaps | joker
            self._fill(which, place + 1, lacking - 1)
            self.gaps[number] = gaps
            if len(self.found) == self.limit:
                return

    def _record(self) -> None:
        """Record the filling, if each run has the naturals that it needs."""
        for number, span in enumerate(self.spans):
            if span.length - bits(self.gaps[number]) < self.naturals:
                return
        self.found.append(self.gaps[:])

    def runs(self, number: int) -> list[Cards]:
        """Return the spans with their cards in filling `number` of those found."""
        filling = self.found[number]
        return [_with_gaps(span, filling[place]) for place, span in enumerate(self.spans)]


def lend(goal: Goal, runs: list[Cards], number: int, ranks: set[int]) -> list[int] | None:
    """Replace `number` naturals of the runs by jokers and return these naturals; None if that is impossible.

    Where melds must be distinct, the naturals are of different ranks, none of them in `ranks`. The runs change only if
    naturals are returned.
    """
    if number == 0:
        return []
    for which, run in enumerate(runs):
        for place, face in enumerate(run):
            if face == JOKER or face % 13 in ranks:
                continue
            runs[which] = (*run[:place], JOKER, *run[place + 1 :])
            if is_meld(goal.rules, RUN, runs[which]):
                others = lend(goal, runs, number - 1, {*ranks, face % 13} if goal.distinct else ranks)
                if others is not None:
                    return [face, *others]
            runs[which] = run
    return None


_Placing = tuple[int, int, bool]
"""A state of placing spare jokers card by card.

Jokers placed (those that replace naturals included), naturals replaced, and whether the last card is a joker.
"""

_Placed = tuple[int, Cards]
"""The cheapest result for a `_Placing`: the points of the naturals replaced, and the run so far."""


def place_spare_jokers(goal: Goal, runs: list[Cards], spare: int) -> tuple[int, list[Cards]]:
    """Place spare jokers in the runs as cheaply as possible; return the points left over in the hand, and the runs.

    A joker goes to an end of a run, where there is room, or replaces a natural. Points left over are those of the
    naturals replaced and of jokers that are not placed.
    """
    best: dict[int, tuple[int, list[Cards]]] = {0: (0, [])}
    for cards in runs:
        longer: dict[int, tuple[int, list[Cards]]] = {}
        for in_run, (replaced, run) in _placements(goal, cards, spare).items():
            for before, (points, chosen) in best.items():
                added = before + in_run
                if added <= spare and (added not in longer or points + replaced < longer[added][0]):
                    longer[added] = (points + replaced, [*chosen, run])
        best = longer
    return min([(points + goal.joker * (spare - added), chosen) for added, (points, chosen) in best.items()])


def _placements(goal: Goal, cards: Cards, spare: int) -> dict[int, _Placed]:
    """Return the cheapest way to add each number of jokers to a run, up to `spare`: a dynamic programme over cards."""
    room = min(goal.run_most - len(cards), spare)
    low, high = _room_at_ends(goal, cards, room)
    reached: dict[_Placing, _Placed] = {(added, 0, added > 0): (0, (JOKER,) * added) for added in range(low + 1)}
    replaceable = sum([face != JOKER for face in cards]) - goal.run_naturals
    for face in cards:
        reached = _after(goal, face, reached, replaceable, spare)
    cheapest: dict[int, _Placed] = {}
    for (added, replaced, last_is_joker), (points, run) in reached.items():
        blocked = goal.jokers_apart and last_is_joker
        most = 0 if blocked else min(high, room - (added - replaced), spare - added)
        for at_end in range(most + 1):
            if added + at_end not in cheapest or points < cheapest[added + at_end][0]:
                cheapest[added + at_end] = (points, run + (JOKER,) * at_end)
    return cheapest


def _after(
    goal: Goal, face: int, reached: dict[_Placing, _Placed], replaceable: int, spare: int
) -> dict[_Placing, _Placed]:
    """Return the states after the next card of a run, which is kept or replaced by a joker."""
    after: dict[_Placing, _Placed] = {}
    for (added, replaced, last_is_joker), (points, run) in reached.items():
        blocked = goal.jokers_apart and last_is_joker
        if face != JOKER:
            _keep_cheaper(after, (added, replaced, False), (points, (*run, face)))
            if not blocked and added < spare and replaced < replaceable:
                _keep_cheaper(after, (added + 1, replaced + 1, True), (points + goal.value(face), (*run, JOKER)))
        elif not blocked:
            _keep_cheaper(after, (added, replaced, True), (points, (*run, JOKER)))
    return after


def _keep_cheaper(reached: dict[_Placing, _Placed], placing: _Placing, placed: _Placed) -> None:
    if placing not in reached or placed[0] < reached[placing][0]:
        reached[placing] = placed


def _room_at_ends(goal: Goal, cards: Cards, room: int) -> tuple[int, int]:
    """Return how many jokers may be added before a run and after it, each at most `room`."""
    low, high = room, room
    if not goal.round_corner:
        start = run_start(cards)
        low, high = min(low, start), min(high, 14 - start - len(cards))
    if goal.jokers_apart:
        low, high = min(low, 1), min(high, 1)
    return low, high
