"""The memory of `search`: a model of how opponents choose their cards, and the discards seen in the pile."""

from typing import Final, final

from engine.bots.card_value import CardValue
from engine.cards import Faces
from engine.deal import supply
from engine.solver import plan
from engine.view import View

MAX_EXTRA = 4
"""The most extra cards, beyond the hand, from which the model lets a player choose."""


@final
class SearchOpponentModel:
    """A model in which a seat that has not laid down holds the best cards out of a hand plus some extra cards.

    The seat has had one extra card for every two of its turns, at most MAX_EXTRA.
    """

    def __init__(self, view: View) -> None:
        self._rules = view.rules
        self._contract = view.contract
        self._supply = supply(view.rules, len(view.laid), view.number)
        self._value = CardValue(view.rules, view.contract)
        self._laid = view.laid
        self._extra = min(MAX_EXTRA, (view.turns - 1) // (2 * len(view.laid)))

    def extra(self, seat: int) -> int:
        """Return the number of extra cards from which the seat has chosen its hand."""
        return 0 if self._laid[seat] else self._extra

    def discards(self, known: Faces, cards: Faces, number: int) -> list[int]:
        """Return the `number` cards that the seat discards: the worst that its plan does not need, then others.

        Cards of `known`, which everybody knows to be held, are never among them.
        """
        packs, jokers = self._supply
        kept = plan(self._rules, self._contract, cards, packs, jokers).kept
        remaining, discarded = cards.copy(), list[int]()
        for _ in range(number):
            spare = _without(_without(remaining, kept), known)
            if len(spare) == spare.jokers:
                spare = _without(remaining, known)
            discarded.append(self._value.worst(remaining, spare))
            remaining.remove(discarded[-1])
        return discarded


def _without(cards: Faces, others: Faces) -> Faces:
    """Return a copy of the cards with those of `others` removed; cards not held are ignored."""
    rest = cards.copy()
    for face in others.cards():
        if face in rest:
            rest.remove(face)
    return rest


_UNKNOWN: Final = -1


@final
class DiscardTracker:
    """The discards that a seat has seen, by their height in the pile.

    A seat sees each discard when it is asked to claim it or before its own draw, so it knows every card in the pile.
    """

    def __init__(self) -> None:
        self._hand_key = (0, 0, 0)
        self._turns = 0
        self._shuffles = 0
        self._cards: list[int] = []

    def see(self, view: View) -> None:
        """Add the top card, and forget the cards that left the pile: all after a shuffle or in a new hand."""
        hand_key = (view.number, view.dealer, view.seat)
        if hand_key != self._hand_key or view.turns < self._turns or view.shuffles != self._shuffles:
            self._cards = []
        self._hand_key, self._turns, self._shuffles = hand_key, view.turns, view.shuffles
        del self._cards[view.pile :]
        while len(self._cards) < view.pile:
            self._cards.append(_UNKNOWN)
        if view.top is not None:
            self._cards[-1] = view.top

    def covered(self) -> list[int]:
        """Return the remembered cards under the top one, the lowest first."""
        return [face for face in self._cards[:-1] if face != _UNKNOWN]
