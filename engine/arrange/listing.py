"""Every lay-down of least-size melds, one after the other."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

from engine.arrange.trios import one_of_a_kind
from engine.cards import JOKER, RED_TWOS, Faces
from engine.melds import RUN, TRIO, Meld, is_meld, roles, run_suit, trio_rank
from engine.rules import Rules


def every_lay_down(rules: Rules, contract: str, hand: Faces) -> Iterator[tuple[Meld, ...]]:
    """Trios ascend, then runs, each by its cards; nothing is listed twice."""
    trios, runs = contract.count(TRIO), contract.count(RUN)
    options = [least_trios(rules, hand) if trios else [], least_runs(rules, hand) if runs else []]
    kinds = (0,) * trios + (1,) * runs
    return _extended(options, kinds, [], 0, hand.copy(), one_of_a_kind(rules))


def _extended(
    options: list[list[Meld]], kinds: tuple[int, ...], chosen: list[Meld], first: int, left: Faces, distinct: bool
) -> Iterator[tuple[Meld, ...]]:
    """The chosen melds with every choice of the others; those of one kind from `first` on."""
    if len(chosen) == len(kinds):
        yield tuple(chosen)
        return
    kind = kinds[len(chosen)]
    known = options[kind]
    for place in range(first, len(known)):
        cards = known[place].cards
        if not left.holds(cards) or (distinct and any(_alike(known[place], other) for other in chosen)):
            continue
        for face in cards:
            left.remove(face)
        chosen.append(known[place])
        same = len(chosen) < len(kinds) and kinds[len(chosen)] == kind
        yield from _extended(options, kinds, chosen, place if same else 0, left, distinct)
        chosen.pop()
        for face in cards:
            left.add(face)


def _alike(one: Meld, other: Meld) -> bool:
    """Whether two melds are runs of one suit, or trios of one rank; a trio of jokers has none (section 5.6)."""
    if one.kind != other.kind:
        return False
    if one.kind == RUN:
        return run_suit(one.cards) == run_suit(other.cards)
    return trio_rank(one.cards) == trio_rank(other.cards) >= 0


def wilds(rules: Rules, hand: Faces) -> list[int]:
    """The wild cards that the hand holds, each face once, the joker first."""
    twos = RED_TWOS if rules.pack.wild_twos == "red" else ()
    return [face for face in (JOKER, *twos) if face in hand]


def least_trios(rules: Rules, hand: Faces) -> list[Meld]:
    """Every trio of the least size that these cards make, wild cards last."""
    wild = wilds(rules, hand)
    found: dict[Meld, None] = {}
    for rank in range(13):
        faces = [face for face in range(rank, 52, 13) if face in hand and face not in wild]
        if sum([hand.count(face) for face in (*faces, *wild)]) < rules.trio.least:
            continue
        for cards in combinations_with_replacement([*faces, *wild], rules.trio.least):
            if hand.holds(cards):
                meld = Meld(TRIO, tuple(sorted(roles(rules, TRIO, cards))))
                if is_meld(rules, TRIO, meld.cards):
                    found[meld] = None
    return sorted(found, key=_cards)


def least_runs(rules: Rules, hand: Faces) -> list[Meld]:
    """Every run of the least size that these cards make."""
    wild = wilds(rules, hand)
    most_wild = sum([hand.count(face) for face in wild])
    found: dict[Meld, None] = {}
    for suit in range(4):
        for start in range(13):
            faces = [13 * suit + (start + place) % 13 for place in range(rules.run.least)]
            if sum([face in hand for face in faces]) + most_wild < rules.run.least:
                continue
            for cards in product(*[[face, *wild] if face in hand else wild for face in faces]):
                if hand.holds(cards):
                    meld = Meld(RUN, roles(rules, RUN, cards))
                    if is_meld(rules, RUN, meld.cards):
                        found[meld] = None
    return sorted(found, key=_cards)


def _cards(meld: Meld) -> tuple[int, ...]:
    return meld.cards
