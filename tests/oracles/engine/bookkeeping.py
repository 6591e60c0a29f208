"""Work out from the documents alone what a state must show: packs, piles, who is asked, and what cards count.

Nothing here asks the engine's rules for a number: the tables are those of the rules page, document by document.
"""

from engine.actions import Action, Claim, CloseHolding, Declare, Discard, DrawDiscard, DrawStock, LayDown, TakeBack
from engine.cards import JOKER, RED_TWOS, Faces, held_face
from engine.hand import Hand
from engine.rules import Rules
from engine.view import View
from tests.harness.engine.positions import snapshot

PRINTED = (20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
ROUND = (20, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10)
"""Points of the ranks from the ace to the king: 003/1.2, and those of Fournier (000/1.2, 003/2.9)."""
SHUFFLES = 2
"""The number of times that the discards become a new stock (section 5.8)."""
SCALED = dict(zip(("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE"), range(-10, -80, -10), strict=True))
SCALED |= dict(zip(("TTTT", "TTTE", "TTEE", "TEEE", "EEEE"), range(-80, -130, -10), strict=True))
"""The bonus by contract of 003/2.6, and of A-31 for the longer hands; for `T` and `E` it is -10."""


def variants(rules: Rules) -> set[str]:
    """Return the variants that the rules' id names."""
    return set(rules.id.split("+")[1:])


# --- the packs ------------------------------------------------------------------------------------------


def packs_and_jokers(rules: Rules, players: int, hand: int) -> tuple[int, int]:
    """Return how many packs of 52 and how many jokers are in play in that hand (1.1)."""
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
    named = variants(rules)
    return 2, 0 if "no-jokers" in named else 4 if "two-jokers" in named else 6


def in_play(rules: Rules, players: int, hand: int) -> list[int]:
    """Return every card that must be somewhere in that hand, sorted."""
    packs, jokers = packs_and_jokers(rules, players, hand)
    return sorted([*range(52)] * packs) + [JOKER] * jokers


def whole(hand: Hand) -> list[int]:
    """Return every card in stocks, pile, hands and melds."""
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
    """Return the piles after the action.

    A claim takes its card from the penalty stock, if there is one; either stock serves for the other, and only when
    both are empty are the discards shuffled [A-09].
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
    """Apply the action, and again in a copy: neither affects the other, and both end the same."""
    copy, before = hand.clone(), snapshot(hand)
    hand.apply(action)
    assert snapshot(copy) == before
    copy.apply(action)
    assert snapshot(copy) == snapshot(hand)


def gained(action: Action, back: int) -> int:
    """Return how many cards the action brings to the player's hand; `back` are those that taking back brings."""
    if isinstance(action, LayDown):
        return -sum(len(meld.cards) for meld in action.melds)
    if isinstance(action, TakeBack):
        return back
    if isinstance(action, CloseHolding) or (isinstance(action, Declare) and action.face is not None):
        return -1
    return {"stock": 1, "take": 1, "claim": 2, "off": -1, "swap": -1, "discard": -1}.get(str(action).split()[0], 0)


# --- claims ---------------------------------------------------------------------------------------------


def barred_from_claiming(rules: Rules, view: View, seat: int, discarder: int) -> bool:
    """Return whether a variant keeps that seat from claiming: three claims made, or its own discard (003/2.10,
    2.14).
    """
    named = variants(rules)
    return ("claims3" in named and view.claims[seat] >= 3) or ("no-own-claim" in named and seat == discarder)


def next_asked(view: View, after: int, discarder: int) -> int | None:
    """Return who is asked for a claim next after that seat: in turn order, without the player in turn (003/1.6)."""
    reserve = view.stock + view.penalty > 0 or (view.shuffles < SHUFFLES and view.pile > 1)
    if view.rules.document == "004" or not view.fresh or not view.pile or not reserve:
        return None
    players = len(view.sizes)
    seat = (after + 1) % players
    while seat != view.turn:
        if not barred_from_claiming(view.rules, view, seat, discarder):
            return seat
        seat = (seat + 1) % players
    return None


# --- points ---------------------------------------------------------------------------------------------


def worth(rules: Rules, cards: Faces) -> int:
    """Return what these cards count in a hand: a joker 50, and a red two if it is wild (003/1.2, A-34)."""
    named = variants(rules)
    ranks = ROUND if rules.document == "000" or "round-values" in named else PRINTED
    wild = {JOKER, *RED_TWOS} if "red-twos" in named else {JOKER}
    return sum(50 if face in wild else ranks[face % 13] for face in cards.cards())


def closing_bonus(rules: Rules, contract: str, at_once: bool, all_placed: bool) -> int:
    """Return what the closer scores: the best bonus that the document and its variants give (1.10, A-32)."""
    named, offers = variants(rules), [0]
    if at_once and rules.document != "000":
        offers.append(-50 if "minus50" in named else SCALED.get(contract, -10) if "scaled" in named else -10)
    if all_placed and "all-placed50" in named:
        offers.append(-50)
    return min(offers)
