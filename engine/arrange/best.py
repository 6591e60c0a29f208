"""The contract's melds with the least points left over."""

from dataclasses import dataclass

from engine.arrange.arcs import ArcSearch, Cards
from engine.arrange.every import every_best
from engine.arrange.one_each import best_runs_apart
from engine.arrange.plan import one_of_a_kind
from engine.arrange.suits import best_runs
from engine.arrange.wild import own_wilds
from engine.cards import JOKER, Faces
from engine.melds import RUN, TRIO, Meld, roles
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A contract's melds, trios first, and what stays in the hand: its cards, jokers last, and their points."""

    melds: tuple[Meld, ...]
    left: tuple[int, ...]
    points: int


def best_arrangement(rules: Rules, contract: str, hand: Faces, reading: Faces) -> Arrangement | None:
    """The arrangement of a reading of the hand with the least points left; None if there is none.

    Runs alone are woven suit by suit, or chosen one of each suit where they must be of different suits. Beside
    trios, arcs are enough. Where trios may not take every card, all runs are tried, which is slow.
    """
    trios, runs = contract.count(TRIO), contract.count(RUN)
    if trios == 0:
        woven = best_runs_apart(rules, runs, reading) if one_of_a_kind(rules) else best_runs(rules, runs, reading)
        found: tuple[list[Cards], list[Cards]] | None = None if woven is None else ([], woven)
    elif rules.trio.most is None:
        found = _beside_trios(rules, trios, runs, reading)
    else:
        found = every_best(rules, trios, runs, reading)
    return None if found is None else _arranged(rules, *found, hand, reading)


def _beside_trios(rules: Rules, trios: int, runs: int, hand: Faces) -> tuple[list[Cards], list[Cards]] | None:
    search = ArcSearch(rules, trios, runs, hand)
    search.search()
    if search.best < 0:
        return None
    left = hand.copy()
    for face in [*search.best_lent, *[face for run in search.best_runs for face in run]]:
        left.remove(face)
    return _made_trios(rules, search.best_trios, search.best_lent, left), search.best_runs


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
