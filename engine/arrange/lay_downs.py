"""Every lay-down of least-size melds, one after the other."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from engine.cards import JOKER, Faces
from engine.melds import RUN, TRIO, Meld, is_meld
from engine.rules import Rules


def every_lay_down(rules: Rules, contract: str, hand: Faces) -> Iterator[tuple[Meld, ...]]:
    """Trios ascend, then runs, each by its cards; nothing is listed twice."""
    trios, runs = contract.count(TRIO), contract.count(RUN)
    options = [least_trios(rules, hand) if trios else [], least_runs(rules, hand) if runs else []]
    kinds = (0,) * trios + (1,) * runs
    return _extended(options, kinds, [], 0, hand.copy())


def _extended(
    options: list[list[Meld]], kinds: tuple[int, ...], chosen: list[Meld], first: int, left: Faces
) -> Iterator[tuple[Meld, ...]]:
    """The chosen melds with every choice of the others; those of one kind from `first` on."""
    if len(chosen) == len(kinds):
        yield tuple(chosen)
        return
    kind = kinds[len(chosen)]
    known = options[kind]
    for place in range(first, len(known)):
        cards = known[place].cards
        if not left.holds(cards):
            continue
        for face in cards:
            left.remove(face)
        chosen.append(known[place])
        same = len(chosen) < len(kinds) and kinds[len(chosen)] == kind
        yield from _extended(options, kinds, chosen, place if same else 0, left)
        chosen.pop()
        for face in cards:
            left.add(face)


def least_trios(rules: Rules, hand: Faces) -> list[Meld]:
    """Every trio of the least size that these cards make, all jokers last."""
    least = rules.trio.least
    found: dict[Meld, None] = {}
    for rank in range(13):
        faces = [face for face in range(rank, 52, 13) if face in hand]
        for jokers in range(min(least - 1, hand.jokers) + 1):
            for naturals in combinations_with_replacement(faces, least - jokers):
                meld = Meld(TRIO, (*naturals, *[JOKER] * jokers))
                if hand.holds(meld.cards) and is_meld(rules, TRIO, meld.cards):
                    found[meld] = None
    jokers_alone = Meld(TRIO, (JOKER,) * least)
    if hand.jokers >= least and is_meld(rules, TRIO, jokers_alone.cards):
        found[jokers_alone] = None
    return sorted(found, key=_cards)


def least_runs(rules: Rules, hand: Faces) -> list[Meld]:
    """Every run of the least size that these cards make."""
    least = rules.run.least
    found: list[Meld] = []
    for suit in range(4):
        for start in range(13):
            faces = [13 * suit + (start + place) % 13 for place in range(least)]
            for jokers in range(1 << least):
                cards = tuple(JOKER if jokers >> place & 1 else face for place, face in enumerate(faces))
                if hand.holds(cards) and is_meld(rules, RUN, cards):
                    found.append(Meld(RUN, cards))
    return sorted(found, key=_cards)


def _cards(meld: Meld) -> tuple[int, ...]:
    return meld.cards
