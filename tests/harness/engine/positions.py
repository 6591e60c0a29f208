"""Build a hand with chosen cards, play it by a short script, and read what it shows.

Seats are the letters A, B, C, D in the order of play. Each line of a script is a seat and an action, as in `B discard
7h`; the seat is asserted to be in turn, so a script also checks who acts when.
"""

from collections.abc import Sequence
from functools import cache

import pytest

from engine.actions import DRAW_STOCK, PASS, Discard, LayDown, parse_action
from engine.cards import JOKER, Faces, cards_text, parse_cards
from engine.deal import Deal, pack_cards
from engine.errors import IllegalAction
from engine.hand import Hand
from engine.rules import Rules, load_rules
from engine.state import Phase
from tests.harness.engine.rule_texts import rules_with

SEATS = "ABCDEFGH"
OFICIAL = load_rules("oficial")
CONTRACTS = ("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE")
TRIOS = "7h 7d 7c 8h 8d 8c"
DOWN = "A down T: 7h 7d 7c / T: 8h 8d 8c"
"""The line with which A lays down these trios."""


def whole_pack() -> list[int]:
    """Return the 110 cards of document 003: two English packs and three jokers for each (003/1.1)."""
    return [*range(52), *range(52), *[JOKER] * 6]


def changed(path: str, value: str) -> Rules:
    """Return the rules of document 003 with the field at `path` (`claim.limit`) changed to `value`, as TOML text."""
    return rules_with({path: value})


def position(
    contract: str,
    hands: Sequence[str],
    *,
    upcard: str = "2c",
    stock: str = "",
    rules: Rules = OFICIAL,
    dealer: int | None = None,
    only: bool = False,
    penalty: str = "",
) -> Hand:
    """Return a hand in which each seat has been dealt the cards of its text; A leads unless a dealer is named.

    `stock` has the top cards of the stock, `penalty` the penalty stock. The rest of the packs follows on the stock in a
    fixed order; with `only` it is left out.
    """
    held = tuple(parse_cards(text) for text in hands)
    (shown,) = parse_cards(upcard)
    top, penalty_cards = parse_cards(stock), parse_cards(penalty)
    number = [name for name, _dealt in rules.contracts.hands.order].index(contract) + 1
    rest = Faces(whole_pack() if rules.document == "003" else pack_cards(rules, len(hands), number))
    for face in (*(face for cards in held for face in cards), shown, *top, *penalty_cards):
        rest.remove(face)
    below = () if only else rest.cards()
    last = len(hands) - 1 if dealer is None else dealer
    return Hand(rules, Deal(number, contract, last, held, shown, (*top, *below), "a position", penalty_cards))


def play(hand: Hand, script: str) -> Hand:
    """Play the lines of the script, each by the seat it names; return the same hand."""
    for line in script.strip().splitlines():
        for step in line.split(";"):
            seat, text = step.split(None, 1)
            assert not hand.over, f"the hand is over before '{step.strip()}'"
            assert SEATS[hand.actor] == seat, f"'{step.strip()}', but {SEATS[hand.actor]} is to act"
            hand.apply(parse_action(text))
    return hand


def asked(hand: Hand) -> list[int]:
    """Let every seat that is asked for a claim pass; return the seats in the order in which they were asked."""
    seats = []
    while hand.phase == Phase.CLAIM:
        seats.append(hand.actor)
        hand.apply(PASS)
    return seats


def play_dead(hand: Hand) -> list[int]:
    """Draw from the stock and discard, without a claim, until the hand is dead; return the shuffles after each draw."""
    shuffles = []
    while not hand.over:
        hand.apply(DRAW_STOCK)
        shuffles.append(hand.view(0).shuffles)
        asked(hand)
        hand.apply(next(action for action in hand.legal if isinstance(action, Discard)))
    return shuffles


def points(hand: Hand) -> tuple[int, ...]:
    """Return the points of a finished hand."""
    assert hand.result is not None
    return hand.result.points


def snapshot(hand: Hand) -> tuple[object, ...]:
    """Return the whole state of a hand as one value that can be compared."""
    state = hand._state
    return tuple([_frozen(getattr(state, name)) for name in _fields(type(state))])


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(sorted(getattr(kind, "__slots__", None) or kind.__mypyc_attrs__))  # the name in the compiled build


def _frozen(value: object) -> object:
    """Return items as a tuple, with the keys of hands instead of the hands; the items of a field have one type."""
    if not isinstance(value, list | tuple):
        return value
    return tuple([hand.key() for hand in value] if value and isinstance(value[0], Faces) else value)


def refused(hand: Hand, text: str) -> str:
    """Return the clause that refuses the action; check that every function refuses it and that nothing changes."""
    action = parse_action(text)
    before = snapshot(hand)
    refusal = hand.why_not(action)
    assert refusal is not None, f"'{text}' is legal"
    assert action not in hand.legal
    assert not hand.is_legal(action)
    if not isinstance(action, LayDown):
        assert action not in list(hand.legal), f"'{text}' is listed"
    with pytest.raises(IllegalAction) as caught:
        hand.apply(action)
    assert (caught.value.clause, caught.value.reason) == (refusal.clause, refusal.reason)
    assert refusal.clause in str(caught.value)
    assert snapshot(hand) == before, f"'{text}' was refused, but changed something"
    return refusal.clause


def listed(hand: Hand, verb: str) -> set[str]:
    """Return the texts of the legal actions that begin with `verb`."""
    return {str(action) for action in hand.legal if str(action).split()[0] == verb}


def melds(hand: Hand) -> list[str]:
    """Return the melds on the table, as text."""
    return [str(meld) for meld in hand.view(0).melds]


def held(hand: Hand, seat: str) -> str:
    """Return the cards of a seat as text, in the alphabetical order of their texts."""
    return " ".join(sorted(cards_text(hand.view(SEATS.index(seat)).hand.cards()).split()))


def holds(hand: Hand, seat: str, cards: str) -> bool:
    """Return whether the seat holds exactly these cards."""
    return held(hand, seat) == " ".join(sorted(cards.split()))


def sizes(hand: Hand) -> tuple[int, ...]:
    """Return how many cards each seat holds."""
    return hand.view(0).sizes
