"""The contract's melds with the least points left over."""

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from engine.arrange.arc_search import ArcSearch
from engine.arrange.arcs import Cards
from engine.arrange.every import every_best
from engine.arrange.goal import Goal
from engine.arrange.search import Search
from engine.arrange.suit_cards import SuitCards
from engine.arrange.suits import best_runs
from engine.arrange.wild import own_wilds
from engine.cards import JOKER, Faces
from engine.copies import copied_by_fields
from engine.melds import HIGH, LOW, RUN, TRIO, Meld, laid_off, roles

_LARGE: Final = 18
"""Runs alone of a larger hand are woven at once, where jokers must stand apart: so many arcs fit that it is quicker."""


Melds = tuple[list[Cards], list[Cards]]
"""The cards of trios, and of runs."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A contract's melds, trios first, and what stays in the hand: its cards, jokers last, and their points."""

    melds: tuple[Meld, ...]
    left: tuple[int, ...]
    points: int


copied_by_fields(Arrangement)


def best_arrangement(goal: Goal, hand: Faces, reading: Faces, under: int | None) -> Arrangement | None:
    """The arrangement of a reading of the hand with the least points left; None if none leaves fewer than `under`.

    A slower search may give one with more.
    """
    search = Search(goal, reading, reading.jokers)
    search.run(0)
    if search.distance < 0:
        return None
    if goal.trios is None:
        found = _runs_alone(goal, search.suits, reading, under)
    elif goal.rules.trio.most is None:
        found = _by_arcs(goal, search.suits, reading, under)
    else:
        found = every_best(goal.rules, goal.trios.trios, goal.runs, reading)
    if found is None:
        return None
    laid = _laid(*found) if goal.rules.pack.wild_twos == "none" else _laid_in_roles(goal, *found, hand, reading)
    return _arranged(goal, laid, hand)


def _runs_alone(goal: Goal, suits: list[SuitCards], hand: Faces, under: int | None) -> Melds | None:
    """Arcs are enough where every joker that they do not need can be added to some run; otherwise runs are woven."""
    large = len(hand) > (_LARGE if goal.jokers_apart else goal.runs * _longest(goal))
    if not large:
        search = ArcSearch(goal, suits, hand.jokers, under)
        search.search()
        if not search.found:
            return None
        longer = _with_jokers(goal, search.runs, hand.jokers)
        if longer is not None:
            return [], longer
    found = best_runs(goal.rules, goal.runs, hand, under)
    return None if found is None else ([], found)


def _longest(goal: Goal) -> int:
    """How long any run may become, whatever it begins with."""
    corner = 1000 if goal.turns else 14
    most = goal.rules.run.most
    return corner if most is None else min(corner, most)


def _with_jokers(goal: Goal, runs: list[Cards], jokers: int) -> list[Cards] | None:
    """The runs with so many jokers in all, those that they lack at their ends; None if they have no room for them."""
    for cards in runs:
        jokers -= cards.count(JOKER)
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


def _by_arcs(goal: Goal, suits: list[SuitCards], hand: Faces, under: int | None) -> Melds | None:
    """Trios, and runs beside them if the contract has any."""
    search = ArcSearch(goal, suits, hand.jokers, under)
    search.search()
    if not search.found:
        return None
    jokers = hand.jokers
    for run in search.runs:
        jokers -= run.count(JOKER)
    return _made_trios(goal, search, jokers), search.runs


def _made_trios(goal: Goal, search: ArcSearch, jokers: int) -> list[Cards]:
    """The trios of the ranks found, with all that the runs leave of these ranks and so many jokers.

    Rank -1 is jokers alone, or beside a natural that a run has lent.
    """
    least, own = goal.rules.trio.least, min(1, goal.rules.trio.naturals)
    melds: list[list[int]] = []
    for rank, number in search.ranks:
        naturals = search.lent if rank < 0 else search.beside_runs(rank)
        first = 0
        for place in range(number):
            after = number - 1 - place
            last = first + 1 if rank < 0 else max(first + own, min(first + least, len(naturals) - own * after))
            meld = naturals[first:last]
            while len(meld) < least:
                meld.append(JOKER)
                jokers -= 1
            melds.append(meld)
            first = last
        melds[-1].extend(naturals[first:])
    melds[-1].extend([JOKER] * jokers)
    return [tuple(sorted(meld)) for meld in melds]


def _laid(trios: list[Cards], runs: list[Cards]) -> list[Meld]:
    """The melds in order."""
    laid: list[Meld] = []
    for cards in sorted(trios):
        laid.append(Meld(TRIO, cards))
    for cards in sorted(runs):
        laid.append(Meld(RUN, cards))
    return laid


def _laid_in_roles(goal: Goal, trios: list[Cards], runs: list[Cards], hand: Faces, reading: Faces) -> list[Meld]:
    """The melds in order, in the cards of the hand, red twos in their roles."""
    wilds = own_wilds(hand, reading)
    laid: list[Meld] = []
    for kind, melds in ((TRIO, trios), (RUN, runs)):
        own = [tuple([next(wilds) if face == JOKER else face for face in cards]) for cards in sorted(melds)]
        laid += [Meld(kind, cards) for cards in sorted([roles(goal.rules, kind, cards) for cards in own])]
    return laid


def _arranged(goal: Goal, laid: list[Meld], hand: Faces) -> Arrangement:
    """These melds, and what they leave."""
    rest = hand.copy()
    for meld in laid:
        for face in meld.cards:
            rest.remove(face)
    left = rest.cards()
    points: i64 = 0
    for face in left:
        points += goal.value(face)
    return Arrangement(tuple(laid), left, points)
