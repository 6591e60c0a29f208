"""The cards that lie in arcs: who has a card that two of them want, and which naturals make way for jokers."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import BIT, JOKER, bits
from engine.melds import RUN, is_meld, run_start
from engine.solver.contract import Goal
from engine.solver.counts import NUMBER, SPREAD, SuitCards
from engine.solver.spans import Arc, Holding, Taken

Cards = tuple[int, ...]

_PLACES: Final = 64
"""More places than a run can have."""


def fits(goal: Goal, holding: Holding, taken: Taken, arcs: list[Arc]) -> bool:
    """Whether the arcs of one suit, which take so much, can be filled; a full trial only where they want one card."""
    contested = holding.contested(taken)
    if not contested or not goal.jokers_apart:
        own = holding.cards.once & ~contested
        if all(NUMBER[arc.once & own] >= goal.run_naturals for arc in arcs):
            return True
    return len(_Fillings(goal, arcs, holding.cards, 1).found) > 0


def filled(goal: Goal, holding: Holding, arcs: list[Arc]) -> list[Cards]:
    """The arcs chosen in a suit with their cards; where they want one card, the first of `fillings`."""
    taken = holding.taken
    if taken is not None and holding.contested(taken):
        return _Fillings(goal, arcs, holding.cards, 1).runs(0)
    return [_alone(arc, holding.cards.once) for arc in arcs]


def fillings(goal: Goal, arcs: list[Arc], held: SuitCards) -> list[list[Cards]]:
    """The arcs of one suit with their cards, for every choice of who has a card that two want."""
    every = _Fillings(goal, arcs, held, -1)
    return [every.runs(number) for number in range(len(every.found))]


def _alone(arc: Arc, once: i64) -> Cards:
    """The cards of an arc that has all that is held of them."""
    cards: list[int] = []
    face = arc.first + arc.start
    for _ in range(arc.length):
        if once & BIT[face - arc.first]:
            cards.append(face)
        else:
            cards.append(JOKER)
        face = arc.next(face)
    return tuple(cards)


def _shared(arc: Arc, gaps: i64) -> Cards:
    """The cards of an arc that has jokers in these places."""
    cards: list[int] = []
    face = arc.first + arc.start
    for place in range(arc.length):
        if gaps & BIT[place]:
            cards.append(JOKER)
        else:
            cards.append(face)
        face = arc.next(face)
    return tuple(cards)


@final
@mypyc_attr(acyclic=True)
class _Fillings:
    """The ways to give every arc its naturals and jokers, as many as `limit`; all of them if that is negative.

    Each way found has for each arc the places of its jokers, a bit each. A rank that is held, but less often than
    it is wanted, has *spots*, of which so many as it lacks take jokers: each choice of them, the first ones first.
    """

    __slots__ = ("apart", "arcs", "faces", "found", "gaps", "lacking", "limit", "naturals", "spots")

    def __init__(self, goal: Goal, arcs: list[Arc], held: SuitCards, limit: int) -> None:
        self.arcs = arcs
        self.limit = limit
        self.apart = goal.jokers_apart
        self.naturals = goal.run_naturals
        self.gaps: list[int] = []
        self.faces: list[int] = []
        self.spots: list[list[int]] = []
        self.lacking: list[int] = []
        self.found: list[list[int]] = []
        wanted: i64 = 0
        for arc in arcs:
            wanted += SPREAD[arc.once] + SPREAD[arc.twice] + SPREAD[arc.thrice]
        for number, arc in enumerate(arcs):
            self._open(number, arc, held, wanted)
        if not self.apart or all(gaps & gaps >> 1 == 0 for gaps in self.gaps):
            self._fill(-1, 0, 0)

    def _open(self, number: i64, arc: Arc, held: SuitCards, wanted: i64) -> None:
        """Notes the arc's places of cards that are not held, and its spots."""
        gaps: i64 = 0
        face = arc.first + arc.start
        for place in range(arc.length):
            shift = 4 * (face - arc.first)
            copies = held.spread >> shift & 15
            if copies == 0:
                gaps |= BIT[place]
            elif wanted >> shift & 15 > copies:
                self._spots(face, (wanted >> shift & 15) - copies).append(_PLACES * number + place)
            face = arc.next(face)
        self.gaps.append(gaps)

    def _spots(self, face: int, lacking: int) -> list[int]:
        """The spots of a face, which are so many too many."""
        for place, known in enumerate(self.faces):
            if known == face:
                return self.spots[place]
        spots: list[int] = []
        self.faces.append(face)
        self.spots.append(spots)
        self.lacking.append(lacking)
        return spots

    def _fill(self, which: i64, first: i64, lacking: i64) -> None:
        """Gives jokers to so many spots more of that rank, from that one on, and then to the ranks after it."""
        if lacking == 0:
            if which + 1 == len(self.faces):
                self._note()
            else:
                self._fill(which + 1, 0, self.lacking[which + 1])
            return
        spots = self.spots[which]
        for place in range(first, len(spots) - lacking + 1):
            number, joker = spots[place] // _PLACES, BIT[spots[place] % _PLACES]
            gaps: i64 = self.gaps[number]
            if self.apart and gaps & (joker << 1 | joker >> 1):
                continue
            self.gaps[number] = gaps | joker
            self._fill(which, place + 1, lacking - 1)
            self.gaps[number] = gaps
            if len(self.found) == self.limit:
                return

    def _note(self) -> None:
        """Notes the way, if each run has the naturals that it needs."""
        for number, arc in enumerate(self.arcs):
            if arc.length - bits(self.gaps[number]) < self.naturals:
                return
        self.found.append(self.gaps[:])

    def runs(self, number: int) -> list[Cards]:
        """The arcs with their cards in one of the ways found."""
        way = self.found[number]
        return [_shared(arc, way[place]) for place, arc in enumerate(self.arcs)]


def lend(goal: Goal, runs: list[Cards], number: int, ranks: set[int]) -> list[int] | None:
    """Takes so many naturals out of the runs, jokers in their places; None, and nothing taken, if that cannot be.

    Where melds must be distinct, the naturals are of different ranks and of none of those given.
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
"""While a run is gone through card by card: jokers added, naturals replaced, whether the last card is a joker."""

_Placed = tuple[int, Cards]
"""The points of the naturals replaced, and the run."""


def place_spare_jokers(goal: Goal, runs: list[Cards], spare: int) -> tuple[int, list[Cards]]:
    """Place spare jokers in the runs, as many as pays: the points that stay in the hand for it, and the runs.

    A joker stands at an end of a run, where there is room, or takes the place of a natural.
    """
    best: dict[int, tuple[int, list[Cards]]] = {0: (0, [])}
    for cards in runs:
        longer: dict[int, tuple[int, list[Cards]]] = {}
        for more, (replaced, run) in _placements(goal, cards, spare).items():
            for before, (points, chosen) in best.items():
                added = before + more
                if added <= spare and (added not in longer or points + replaced < longer[added][0]):
                    longer[added] = (points + replaced, [*chosen, run])
        best = longer
    return min([(points + goal.joker * (spare - added), chosen) for added, (points, chosen) in best.items()])


def _placements(goal: Goal, cards: Cards, spare: int) -> dict[int, _Placed]:
    """For each number of jokers added to a run, up to `spare`, the cheapest way to place them."""
    room = min(goal.run_most - len(cards), spare)
    low, high = _room_at_ends(goal, cards, room)
    reached: dict[_Placing, _Placed] = {(added, 0, added > 0): (0, (JOKER,) * added) for added in range(low + 1)}
    replaceable = sum([face != JOKER for face in cards]) - goal.run_naturals
    for face in cards:
        reached = _after(goal, face, reached, replaceable, spare)
    found: dict[int, _Placed] = {}
    for (added, replaced, last_is_joker), (points, run) in reached.items():
        blocked = goal.jokers_apart and last_is_joker
        most = 0 if blocked else min(high, room - (added - replaced), spare - added)
        for more in range(most + 1):
            if added + more not in found or points < found[added + more][0]:
                found[added + more] = (points, run + (JOKER,) * more)
    return found


def _after(
    goal: Goal, face: int, reached: dict[_Placing, _Placed], replaceable: int, spare: int
) -> dict[_Placing, _Placed]:
    """Every way to take the next card of a run: as it is, or a joker in its place."""
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
    """How many jokers may stand before the run and after it, where there is room for so many in all."""
    low, high = room, room
    if not goal.turns:
        start = run_start(cards)
        low, high = min(low, start), min(high, 14 - start - len(cards))
    if goal.jokers_apart:
        low, high = min(low, 1), min(high, 1)
    return low, high
