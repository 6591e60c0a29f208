"""The contract's melds with the least points left over."""

from dataclasses import dataclass

from engine.arrange.arc_search import ArcSearch
from engine.arrange.arcs import Cards
from engine.arrange.every import every_best
from engine.arrange.suits import best_runs
from engine.arrange.wild import own_wilds
from engine.cards import JOKER, Faces
from engine.copies import copied_by_fields
from engine.melds import HIGH, LOW, RUN, TRIO, Meld, laid_off, roles
from engine.rules import Rules

Melds = tuple[list[Cards], list[Cards]]
"""The cards of trios, and of runs."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A contract's melds, trios first, and what stays in the hand: its cards, jokers last, and their points."""

    melds: tuple[Meld, ...]
    left: tuple[int, ...]
    points: int


copied_by_fields(Arrangement)


def best_arrangement(rules: Rules, contract: str, hand: Faces, reading: Faces, under: int | None) -> Arrangement | None:
    """The arrangement of a reading of the hand with the least points left; None if none leaves fewer than `under`.

    A slower search may give one with more.
    """
    trios, runs = contract.count(TRIO), contract.count(RUN)
    if trios == 0:
        found = _runs_alone(rules, runs, reading, under)
    elif rules.trio.most is None:
        found = _by_arcs(rules, trios, runs, reading, under)
    else:
        found = every_best(rules, trios, runs, reading)
    return None if found is None else _arranged(rules, *found, hand, reading)


def _runs_alone(rules: Rules, runs: int, hand: Faces, under: int | None) -> Melds | None:
    """Arcs are enough where any joker can be added to some run; otherwise runs are woven."""
    if rules.run.jokers_adjacent == "allowed" and len(hand) <= runs * _longest(rules):
        return _by_arcs(rules, 0, runs, hand, under)
    found = best_runs(rules, runs, hand, under)
    return None if found is None else ([], found)


def _longest(rules: Rules) -> int:
    """How long any run may become, whatever it begins with."""
    corner = 1000 if rules.run.ace == "round" else 14
    return corner if rules.run.most is None else min(corner, rules.run.most)


def _by_arcs(rules: Rules, trios: int, runs: int, hand: Faces, under: int | None) -> Melds | None:
    search = ArcSearch(rules, trios, runs, hand, under)
    search.search()
    if search.best_runs is None:
        return None
    left = hand.copy()
    for face in [*search.best_lent, *[face for run in search.best_runs for face in run]]:
        left.remove(face)
    if trios == 0:
        return [], _with_jokers(rules, search.best_runs, left.jokers)
    return _made_trios(rules, search.best_trios, search.best_lent, left), search.best_runs


def _with_jokers(rules: Rules, runs: list[Cards], jokers: int) -> list[Cards]:
    """The runs with so many jokers more at their ends; they have room for them."""
    longer: list[Cards] = []
    for cards in runs:
        run: Meld | None = Meld(RUN, cards)
        while run is not None:
            cards = run.cards
            run = (laid_off(rules, run, JOKER, HIGH) or laid_off(rules, run, JOKER, LOW)) if jokers else None
            jokers -= run is not None
        longer.append(cards)
    return longer


def _made_trios(rules: Rules, ranks: list[tuple[int, int]], lent: list[int], left: Faces) -> list[Cards]:
    """The trios of these ranks, so many of each, with all that the cards left can add.

    Rank -1 is jokers alone, or beside a natural that a run has lent.
    """
    least, own = rules.trio.least, min(1, rules.trio.naturals)
    melds: list[list[int]] = []
    for rank, number in ranks:
        naturals = lent if rank < 0 else [face for face in left if face != JOKER and face % 13 == rank]
        first = 0
        for place in range(number):
            after = number - 1 - place
            last = first + 1 if rank < 0 else max(first + own, min(first + least, len(naturals) - own * after))
            more = naturals[first:last]
            melds.append(more + [JOKER] * (least - len(more)))
            first = last
        melds[-1].extend(naturals[first:])
    spare = left.jokers - sum(meld.count(JOKER) for meld in melds)
    melds[-1].extend([JOKER] * spare)
    return [tuple(meld) for meld in melds]


def _arranged(rules: Rules, trios: list[Cards], runs: list[Cards], hand: Faces, reading: Faces) -> Arrangement:
    """The melds in the cards of the hand, red twos in their roles."""
    wilds = own_wilds(hand, reading)
    laid: list[Meld] = []
    rest = hand.copy()
    for kind, melds in ((TRIO, [tuple(sorted(cards)) for cards in trios]), (RUN, runs)):
        own = [tuple([next(wilds) if face == JOKER else face for face in cards]) for cards in sorted(melds)]
        laid += [Meld(kind, cards) for cards in sorted([roles(rules, kind, cards) for cards in own])]
    for meld in laid:
        for face in meld.cards:
            rest.remove(face)
    left = rest.cards()
    return Arrangement(tuple(laid), left, sum([rules.points(face) for face in left]))
