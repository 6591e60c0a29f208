"""The contract's melds with the least points left over."""

from collections import Counter
from dataclasses import dataclass

from engine.arrange.arcs import ArcSearch, filled
from engine.arrange.every import every_best
from engine.arrange.suits import best_runs
from engine.cards import JOKER, Faces
from engine.melds import RUN, TRIO, Meld
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A contract's melds, trios first, and what stays in the hand: its cards, jokers last, and their points."""

    melds: tuple[Meld, ...]
    left: tuple[int, ...]
    points: int


def best_arrangement(rules: Rules, contract: str, hand: Faces) -> Arrangement | None:
    """The arrangement with the least points left; None if there is none.

    Runs alone are woven suit by suit. Beside trios that take any joker, arcs are enough. Where trios must
    have naturals of their own, or may not take every card, all runs are tried, which is slow.
    """
    trios, runs = contract.count(TRIO), contract.count(RUN)
    if trios == 0:
        found = best_runs(rules, runs, hand)
        return None if found is None else _arranged(rules, [], found, hand)
    if rules.trio.most is None and rules.trio.naturals == 0:
        return _beside_trios(rules, trios, runs, hand)
    melds = every_best(rules, trios, runs, hand)
    return None if melds is None else _arranged(rules, melds[0], melds[1], hand)


def _beside_trios(rules: Rules, trios: int, runs: int, hand: Faces) -> Arrangement | None:
    search = ArcSearch(rules, trios, runs, hand)
    search.search()
    if search.best < 0:
        return None
    left = hand.copy()
    found: list[tuple[int, ...]] = []
    for suit in range(4):
        arcs = [arc for arc in search.best_arcs if arc.suit == suit]
        if arcs:
            found.extend(filled(rules, suit, arcs, search.suits[suit]) or [])
    for run in found:
        for face in run:
            left.remove(face)
    return _arranged(rules, _made_trios(rules.trio.least, search.best_trios, left), found, hand)


def _made_trios(least: int, ranks: list[tuple[int, int]], left: Faces) -> list[tuple[int, ...]]:
    """The trios of these ranks, so many of each, with all that the cards left can add; -1 is jokers alone."""
    melds: list[list[int]] = []
    for rank, number in ranks:
        naturals = [face for face in left if face != JOKER and face % 13 == rank]
        for place in range(number):
            more = naturals[place * least : (place + 1) * least]
            melds.append(more + [JOKER] * (least - len(more)))
        melds[-1].extend(naturals[number * least :])
    spare = left.jokers - sum(meld.count(JOKER) for meld in melds)
    melds[-1].extend([JOKER] * spare)
    return [tuple(sorted(meld)) for meld in melds]


def _arranged(rules: Rules, trios: list[tuple[int, ...]], runs: list[tuple[int, ...]], hand: Faces) -> Arrangement:
    left = Counter(hand)
    for cards in (*trios, *runs):
        left.subtract(cards)
    rest = tuple(sorted(left.elements()))
    melds = [Meld(TRIO, cards) for cards in sorted(trios)] + [Meld(RUN, cards) for cards in sorted(runs)]
    return Arrangement(tuple(melds), rest, sum(rules.points(face) for face in rest))
