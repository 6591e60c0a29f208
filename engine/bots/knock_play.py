"""Bots in the knock game: keep deadwood low, end the hand as soon as possible, buy points off where it pays."""

from engine import actions as a
from engine.cards import JOKER, Faces
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.solver.deadwood import deadwood, deadwood_without, least_deadwood
from engine.state import Phase
from engine.view import View

PAIR = 3
"""The value of another card of the same rank, in points of deadwood."""
NEIGHBOUR = 2
"""The value of a card of the same suit at most two ranks away, in points of deadwood."""


def choose(view: View, legal: Legal) -> a.Action:
    """End the hand in the most profitable way possible; otherwise draw or discard for little deadwood."""
    first = next(iter(legal))  # ways to end the hand are listed first
    if isinstance(first, a.Declare | a.Knock):
        return first
    if view.phase == Phase.DRAW:
        return a.DRAW_DISCARD if _wants_discard(view) or a.DRAW_STOCK not in legal else a.DRAW_STOCK
    return a.DISCARDS[_discard(view, view.hand)]


def answer(offer: Offer) -> a.Answer:
    """Buy while the price is at most an even share of the pot."""
    return a.BUY if offer.price * len(offer.active) <= offer.pot else a.DECLINE


def _wants_discard(view: View) -> bool:
    """Return whether the top discard would be in a meld and reduce the deadwood."""
    if view.top is None:
        return False
    ace = _ace(view)
    cards = view.hand.copy()
    cards.add(view.top)
    cards.remove(_discard(view, cards))
    after = deadwood(view.rules, cards, ace)
    return view.top not in after.left and after.points < least_deadwood(view.rules, view.hand, ace)


def _ace(view: View) -> int:
    """Return the points of an ace in the hand of a player who knocks."""
    return view.rules.knocking.hand.closer_ace


def _discard(view: View, cards: Faces) -> int:
    """Return the card to discard: the one whose loss costs least.

    The cost is the deadwood left, plus the value of the pairs and neighbours that the discard would break up.
    """
    points_left = deadwood_without(view.rules, cards, _ace(view))
    return min(
        points_left, key=lambda face: (points_left[face] + _synergy(cards, face), -view.rules.points(face), face)
    )


def _synergy(cards: Faces, face: int) -> int:
    """Return the value of the pairs and neighbours of this card; 0 for a joker, which has no rank or suit."""
    if face == JOKER:
        return 0
    rank = face % 13
    pairs = sum(cards.count(rank + 13 * suit) for suit in range(4)) - 1
    near = sum(face + step in cards for step in (-2, -1, 1, 2) if 0 <= rank + step < 13)
    return PAIR * pairs + NEIGHBOUR * near
