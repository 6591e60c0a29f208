"""Build knock hands with chosen cards, and knock games with chosen results."""

from collections.abc import Sequence

from engine.actions import BUY, DECLINE
from engine.cards import Faces, parse_cards
from engine.deal import Deal, pack_cards
from engine.games.knock_game import KnockGame
from engine.hand import Hand
from engine.rules import Rules, load_rules
from engine.scoring import HandResult, KnockEnding

KNOCK = load_rules("knock")
NO_MELD = "2c 4d 6h 8s Tc Qd As 3h 5s 9c"
"""Ten cards without a meld: 2 + 4 + 6 + 8 + 10 + 10 + 15 + 3 + 5 + 9 = 72 points, or 58 with the ace at 1."""
NO_MELD_POINTS = 72


def knock_position(
    hands: Sequence[str], *, stock: str = "", rules: Rules = KNOCK, dealer: int | None = None, only: bool = False
) -> Hand:
    """Return a hand in which each seat has been dealt the ten cards of its text; A leads unless a dealer is named.

    `stock` has the top cards of the stock. The rest of the packs follows in a fixed order; with `only` it is left out.
    """
    held = tuple(parse_cards(text) for text in hands)
    top = parse_cards(stock)
    rest = Faces(pack_cards(rules, len(hands), 1))
    for face in (*(face for cards in held for face in cards), *top):
        rest.remove(face)
    below = () if only else rest.cards()
    last = len(hands) - 1 if dealer is None else dealer
    return Hand(rules, Deal(1, "", last, held, None, (*top, *below), "a position"))


def ended(ending: KnockEnding | None, closer: int | None, *points: int, jokers: int = 0) -> HandResult:
    """Return the result of a knock hand; `points` are by seat, `jokers` are those of a rummy."""
    return HandResult("", points, closer, ending=ending, jokers=jokers)


def knock_game(players: int, *hands: HandResult, stake: int = 50, rules: Rules = KNOCK, buyers: str = "") -> KnockGame:
    """Return a game after these hands; the seats of `buyers` (`AC`) accept every offer to buy, other seats none."""
    game = KnockGame(rules, players, "a game", stake)
    for hand in hands:
        assert not game.over, "the game is over before its last hand"
        game.add_result(hand)
        while game.offer is not None:
            game.answer(BUY if "ABCDEF"[game.offer.seat] in buyers else DECLINE)
        assert balanced(game)
    return game


def balanced(game: KnockGame) -> bool:
    """Return whether the pot and all money received add up to all money paid."""
    pot = game.pot
    return pot.amount >= 0 and pot.amount + sum(pot.received) == sum(pot.paid)
