"""The contract's melds with the least points left over."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from engine.cards import JOKER, Faces
from engine.melds import RUN, TRIO, Meld, is_meld
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A contract's melds, trios first, and what stays in the hand: its cards, jokers last, and their points."""

    melds: tuple[Meld, ...]
    left: tuple[int, ...]
    points: int


def best_arrangement(rules: Rules, contract: str, hand: Faces) -> Arrangement | None:
    """The arrangement with the least points left, by trying every run and every choice of trios."""
    every = [run for suit in range(4) for run in _runs(rules, hand, suit)]
    trios = contract.count(TRIO)
    found: Arrangement | None = None
    for runs, rest in _run_choices(every, contract.count(RUN), hand):
        for melds, left in _trio_choices(rules, trios, rest):
            points = sum(rules.points(face) for face in left)
            if found is None or points < found.points:
                found = Arrangement((*melds, *[Meld(RUN, run) for run in runs]), left.cards(), points)
    return found


def _runs(rules: Rules, hand: Faces, suit: int) -> list[tuple[int, ...]]:
    """Every run of that suit, of any length and with jokers anywhere."""
    found: list[tuple[int, ...]] = []
    growing: list[tuple[int, tuple[int, ...]]] = [(start, ()) for start in range(13)]
    while growing:
        rank, cards = growing.pop()
        for face in (13 * suit + rank % 13, JOKER):
            longer = (*cards, face)
            if not hand.holds(longer):
                continue
            if rules.run.jokers_adjacent == "forbidden" and longer[-2:] == (JOKER, JOKER):
                continue
            growing.append((rank + 1, longer))
            if is_meld(rules, RUN, longer):
                found.append(longer)
    return sorted(found)


def _run_choices(
    every: list[tuple[int, ...]], number: int, hand: Faces
) -> Iterator[tuple[list[tuple[int, ...]], Faces]]:
    if number == 0:
        yield [], hand
        return
    for place, run in enumerate(every):
        if hand.holds(run):
            rest = hand.copy()
            for face in run:
                rest.remove(face)
            for others, left in _run_choices(every[place:], number - 1, rest):
                yield [run, *others], left


def _trio_choices(rules: Rules, number: int, hand: Faces) -> Iterator[tuple[list[Meld], Faces]]:
    """Trios of every choice of ranks, with what they leave; each as long as its cards allow."""
    for ranks in combinations_with_replacement(range(13), number):
        melds, left = _least_trios(rules, ranks, hand.copy())
        if melds is not None:
            yield _filled(rules, melds, ranks, left), left


def _least_trios(rules: Rules, ranks: tuple[int, ...], left: Faces) -> tuple[list[list[int]] | None, Faces]:
    """Trios of the least size; None if there are too few cards."""
    least = rules.trio.least
    melds: list[list[int]] = []
    for rank in ranks:
        faces = [face for face in left if face != JOKER and face % 13 == rank][:least]
        cards = faces + [JOKER] * (least - len(faces))
        if not left.holds(cards) or not is_meld(rules, TRIO, cards):
            return None, left
        for face in cards:
            left.remove(face)
        melds.append(cards)
    return melds, left


def _filled(rules: Rules, melds: list[list[int]], ranks: tuple[int, ...], left: Faces) -> list[Meld]:
    """The trios with every card that still goes on them."""
    most = rules.trio.most
    for cards, rank in zip(melds, ranks, strict=True):
        for face in (*left.cards()[::-1],):
            if (face == JOKER or face % 13 == rank) and (most is None or len(cards) < most):
                cards.append(face)
                left.remove(face)
    return [Meld(TRIO, tuple(sorted(cards))) for cards in sorted(melds)]
