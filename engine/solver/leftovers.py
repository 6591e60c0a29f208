"""The arrangement of a hand: the contract's melds with the least points left over."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.cards import JOKER, Faces
from engine.melds import HIGH, LOW, RUN, TRIO, Meld, laid_off, roles
from engine.solver.contract import Goal
from engine.solver.counts import SuitCards, suits_of
from engine.solver.distance_search import meets
from engine.solver.exhaustive import exhaustive_best
from engine.solver.joker_fill import Cards
from engine.solver.span_search import SpanSearch, SpanSolution
from engine.solver.trios import Trios
from engine.solver.wild_twos import wild_cards

Melds = tuple[list[Cards], list[Cards]]
"""The cards of trios and of runs."""


@final
@mypyc_attr(acyclic=True)
class Arrangement:
    """A contract's melds, trios first, and the cards that stay in the hand, jokers last, with their points.

    Immutable, and written by hand for speed.
    """

    __slots__ = ("left", "melds", "points")

    def __init__(self, melds: tuple[Meld, ...], left: tuple[int, ...], points: int) -> None:
        self.melds: Final[tuple[Meld, ...]] = melds
        self.left: Final[tuple[int, ...]] = left
        self.points: Final[int] = points

    def _fields(self) -> tuple[tuple[Meld, ...], tuple[int, ...], int]:
        return self.melds, self.left, self.points

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Arrangement) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __reduce__(self) -> tuple[type["Arrangement"], tuple[tuple[Meld, ...], tuple[int, ...], int]]:
        return Arrangement, self._fields()

    def __repr__(self) -> str:
        return "Arrangement(melds={!r}, left={!r}, points={!r})".format(*self._fields())


def best_arrangement(goal: Goal, hand: Faces, reading: Faces, under: int | None) -> Arrangement | None:
    """Return the arrangement with the least points left of one reading; None without one, or one below `under`."""
    if not meets(goal, reading):
        return None
    suits = suits_of(reading)
    if goal.trios is None:
        melds = _runs_alone(goal, suits, reading, under)
    elif goal.rules.trio.most is None:
        melds = _trios_and_runs(goal, goal.trios, suits, reading, under)
    else:
        melds = exhaustive_best(goal.rules, goal.trios.trios, goal.runs, reading)
    if melds is None:
        return None
    trios, runs = melds
    laid = _laid_in_roles(goal, trios, runs, hand, reading) if goal.wild_twos else _laid(trios, runs)
    arrangement = _arranged(goal, laid, hand)
    return arrangement if under is None or arrangement.points < under else None


def _runs_alone(goal: Goal, suits: list[SuitCards], hand: Faces, under: int | None) -> Melds | None:
    """Return the best runs; where their ends have no room for all jokers, the search places the jokers too."""
    search = SpanSearch(goal, suits, hand.jokers, under)
    search.search()
    if search.found is None:
        return None
    longer = _lengthened(goal, search.found.runs, search.found.jokers)
    if longer is not None:
        return [], longer
    search = SpanSearch(goal, suits, hand.jokers, under, True)
    search.search()
    return None if search.found is None else ([], search.found.runs)


def _lengthened(goal: Goal, runs: list[Cards], jokers: int) -> list[Cards] | None:
    """Return the runs with `jokers` more jokers at their ends; None if there is no room for them."""
    if jokers == 0:
        return runs
    longer: list[Cards] = []
    for cards in runs:
        run: Meld | None = Meld(RUN, cards)
        while run is not None:
            cards = run.cards
            run = (laid_off(goal.rules, run, JOKER, HIGH) or laid_off(goal.rules, run, JOKER, LOW)) if jokers else None
            jokers -= run is not None
        longer.append(cards)
    return None if jokers else longer


def _trios_and_runs(goal: Goal, trios: Trios, suits: list[SuitCards], hand: Faces, under: int | None) -> Melds | None:
    """Return the best trios, and the best runs if the contract has any."""
    search = SpanSearch(goal, suits, hand.jokers, under)
    search.search()
    solution = search.found
    return None if solution is None else (_made_trios(trios, solution, suits), solution.runs)


def _made_trios(trios: Trios, found: SpanSolution, suits: list[SuitCards]) -> list[Cards]:
    """Return the trios of the ranks found, with all naturals of these ranks and all jokers that the runs leave.

    A trio of rank -1 has only jokers, or jokers and a natural that a run has lent.
    """
    least = trios.least
    own: i64 = 1 if trios.need_natural else 0
    melds: list[list[int]] = []
    jokers = found.jokers
    for rank, number in found.ranks:
        naturals = found.lent if rank < 0 else _left_by_runs(found, suits, rank)
        for after in range(number - 1, -1, -1):
            meld = naturals
            if after:
                size = 1 if rank < 0 else max(own, min(least, len(naturals) - own * after))
                meld, naturals = naturals[:size], naturals[size:]
            while len(meld) < least:
                meld.append(JOKER)
                jokers -= 1
            melds.append(meld)
    melds[-1].extend([JOKER] * jokers)
    return [tuple(meld) for meld in melds]


def _left_by_runs(found: SpanSolution, suits: list[SuitCards], rank: i64) -> list[int]:
    """Return the naturals of a rank that the runs leave, ascending."""
    cards: list[int] = []
    place = 4 * rank
    face = rank
    for suit, held in enumerate(suits):
        counts = held.counts - found.used[suit]
        number = counts >> place & 15
        while number:
            cards.append(face)
            number -= 1
        face += 13
    return cards


def _laid(trios: list[Cards], runs: list[Cards]) -> list[Meld]:
    """Return the melds, trios first, each kind ascending by its cards."""
    laid: list[Meld] = []
    for cards in sorted(trios) if len(trios) > 1 else trios:
        laid.append(Meld(TRIO, cards))
    for cards in sorted(runs) if len(runs) > 1 else runs:
        laid.append(Meld(RUN, cards))
    return laid


def _laid_in_roles(goal: Goal, trios: list[Cards], runs: list[Cards], hand: Faces, reading: Faces) -> list[Meld]:
    """Return the melds in the same order with the cards of the hand, red twos in their roles."""
    wilds = wild_cards(hand, reading)
    laid: list[Meld] = []
    for kind, melds in ((TRIO, trios), (RUN, runs)):
        own = [tuple([next(wilds) if face == JOKER else face for face in cards]) for cards in sorted(melds)]
        laid += [Meld(kind, cards) for cards in sorted([roles(goal.rules, kind, cards) for cards in own])]
    return laid


def _arranged(goal: Goal, laid: list[Meld], hand: Faces) -> Arrangement:
    """Return the arrangement of these melds: what they leave of the hand, and its points."""
    rest = hand.copy()
    for meld in laid:
        for face in meld.cards:
            rest.remove(face)
    left = rest.cards()
    points: i64 = 0
    for face in left:
        points += goal.value(face)
    return Arrangement(tuple(laid), left, points)
