"""Derive from the documents alone what a state must show: packs, piles, who is asked, and points.

No number comes from the engine's rules: the tables are those of the rules page, document by document.
"""

from engine.actions import Action, Claim, CloseHolding, Declare, Discard, DrawDiscard, DrawStock, LayDown, TakeBack
from engine.cards import JOKER, RED_TWOS, Faces, held_face
from engine.hand import Hand
from engine.rules import Rules
from engine.view import View
from tests.harness.engine.positions import snapshot

PRINTED = (20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
ROUND = (20, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10)
"""Points of the ranks from the ace to the king: `PRINTED` by 003/1.2, `ROUND` by 000/1.2 and 003/2.9."""
SHUFFLES = 2
"""The most times that the discards become a new stock (engine/SILENT.md, 5.8)."""
SCALED = dict(zip(("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE"), range(-10, -80, -10), strict=True))
SCALED |= dict(zip(("TTTT", "TTTE", "TTEE", "TEEE", "EEEE"), range(-80, -130, -10), strict=True))
"""The bonus by contract (003/2.6; A-31 for contracts of four melds); for `T` and `E` it is -10."""


def variants(rules: Rules) -> set[str]:
    """Return the variants that the rules' id names."""
    return set(rules.id.split("+")[1:])


# --- the packs ------------------------------------------------------------------------------------------


def packs_and_jokers(rules: Rules, players: int, hand: int) -> tuple[int, int]:
    """Return the numbers of packs of 52 and of jokers in hand number `hand` (1.1)."""
    if rules.document == "000":
        packs = 2 + (hand > 2) + (hand > 4 and players > 4)
        return packs, 2 * packs
    if rules.document == "001":
        return 2, max(players, 4)
    if rules.document == "002":
        return 2, 2
    if rules.document == "004":
        packs = max(2, (players + 1) // 2)
        return packs, 2 * packs
    variant_names = variants(rules)
    return 2, 0 if "no-jokers" in variant_names else 4 if "two-jokers" in variant_names else 6


def cards_in_play(rules: Rules, players: int, hand: int) -> list[int]:
    """Return all cards of hand number `hand`, sorted."""
    packs, jokers = packs_and_jokers(rules, players, hand)
    return sorted([*range(52)] * packs) + [JOKER] * jokers


def all_cards(hand: Hand) -> list[int]:
    """Return the cards that the state has in stocks, pile, hands and melds, unsorted."""
    state = hand._state
    cards = [*state.stock, *state.penalty, *state.pile]
    for held in state.hands:
        cards += held.cards()
    for meld in state.melds:
        cards += map(held_face, meld.cards)
    return cards


# --- the piles ------------------------------------------------------------------------------------------


def piles(view: View) -> tuple[int, int, int]:
    """Return the sizes of the stock, the penalty stock and the discard pile."""
    return view.stock, view.penalty, view.pile


def piles_after(view: View, action: Action) -> tuple[int, int, int]:
    """Return the sizes of the piles after the action.

    The penalty card of a claim comes from the penalty stock in document 000. If one stock is empty, cards are drawn
    from the other; only if both are empty are the discards shuffled [A-09].
    """
    stock, penalty, pile = piles(view)
    if isinstance(action, Discard | CloseHolding) or (isinstance(action, Declare) and action.face is not None):
        return stock, penalty, pile + 1
    if isinstance(action, DrawDiscard):
        return stock, penalty, pile - 1
    if isinstance(action, DrawStock):
        return (stock - 1, penalty, pile) if stock else (0, penalty - 1, pile) if penalty else (pile - 2, 0, 1)
    if not isinstance(action, Claim):
        return stock, penalty, pile
    pile -= 1
    if not stock and not penalty:
        return pile - 1, 0, 0
    from_penalty = penalty > 0 and (view.rules.document == "000" or not stock)
    return (stock, penalty - 1, pile) if from_penalty else (stock - 1, penalty, pile)


def apply_twice(hand: Hand, action: Action) -> None:
    """Apply the action to the hand and to a copy; check that neither affects the other and both end the same."""
    copy, before = hand.clone(), snapshot(hand)
    hand.apply(action)
    assert snapshot(copy) == before
    copy.apply(action)
    assert snapshot(copy) == snapshot(hand)


def cards_gained(action: Action, back: int) -> int:
    """Return how many cards the action adds to the player's hand; `back` is the number for taking back."""
    if isinstance(action, LayDown):
        return -sum(len(meld.cards) for meld in action.melds)
    if isinstance(action, TakeBack):
        return back
    if isinstance(action, CloseHolding) or (isinstance(action, Declare) and action.face is not None):
        return -1
    return {"stock": 1, "take": 1, "claim": 2, "off": -1, "swap": -1, "discard": -1}.get(str(action).split()[0], 0)


# --- claims ---------------------------------------------------------------------------------------------


def barred_from_claiming(rules: Rules, view: View, seat: int, discarder: int) -> bool:
    """Return whether a variant bars the seat from claiming: after three claims, or its own discard (003/2.10, 2.14)."""
    variant_names = variants(rules)
    return ("claims3" in variant_names and view.claims[seat] >= 3) or (
        "no-own-claim" in variant_names and seat == discarder
    )


def next_asked(view: View, after: int, discarder: int) -> int | None:
    """Return the next seat after `after` that is asked for a claim (003/1.6); None before the player in turn."""
    can_draw = view.stock + view.penalty > 0 or (view.shuffles < SHUFFLES and view.pile > 1)
    if view.rules.document == "004" or not view.fresh or not view.pile or not can_draw:
        return None
    players = len(view.sizes)
    seat = (after + 1) % players
    while seat != view.turn:
        if not barred_from_claiming(view.rules, view, seat, discarder):
            return seat
        seat = (seat + 1) % players
    return None


# --- points ---------------------------------------------------------------------------------------------


def hand_points(rules: Rules, cards: Faces) -> int:
    """Return the points of cards in a hand: 50 for a joker, and for a red two if it is wild (003/1.2, A-34)."""
    variant_names = variants(rules)
    ranks = ROUND if rules.document == "000" or "round-values" in variant_names else PRINTED
    wild = {JOKER, *RED_TWOS} if "red-twos" in variant_names else {JOKER}
    return sum(50 if face in wild else ranks[face % 13] for face in cards.cards())


def closing_bonus(rules: Rules, contract: str, at_once: bool, all_placed: bool) -> int:
    """Return the closer's score: the best bonus that the document and its variants give (1.10, A-32)."""
    variant_names, bonuses = variants(rules), [0]
    if at_once and rules.document != "000":
        bonuses.append(
            -50 if "minus50" in variant_names else SCALED.get(contract, -10) if "scaled" in variant_names else -10
        )
    if all_placed and "all-placed50" in variant_names:
        bonuses.append(-50)
    return min(bonuses)
