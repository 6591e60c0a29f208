"""The opponent model of `search`: how others chose their cards, and the discards that it remembers."""

from typing import Final, final

from engine.bots.card_value import CardValue
from engine.cards import Faces
from engine.deal import supply
from engine.solver import plan
from engine.view import View

MAX_EXTRA = 4
"""The most cards beyond those held from which the model lets a player choose."""


@final
class DrawAndDiscardModel:
    """A model of the seats that have not laid down: they chose their cards from one extra card for every two turns."""

    def __init__(self, view: View) -> None:
        self._rules = view.rules
        self._contract = view.contract
        self._supply = supply(view.rules, len(view.laid), view.number)
        self._value = CardValue(view.rules, view.contract)
        self._laid = view.laid
        self._extra = min(MAX_EXTRA, (view.turns - 1) // (2 * len(view.laid)))

    def extra(self, seat: int) -> int:
        """Return how many cards beyond those that it holds the seat chose from."""
        return 0 if self._laid[seat] else self._extra

    def discards(self, known: Faces, cards: Faces, number: int) -> list[int]:
        """Return that many cards that the plan does not keep, the worst first; then any that are not known."""
        packs, jokers = self._supply
        kept = plan(self._rules, self._contract, cards, packs, jokers).kept
        left, discarded = cards.copy(), list[int]()
        for _ in range(number):
            spare = _without(_without(left, kept), known)
            if len(spare) == spare.jokers:
                spare = _without(left, known)
            discarded.append(self._value.worst(left, spare))
            left.remove(discarded[-1])
        return discarded


def _without(cards: Faces, others: Faces) -> Faces:
    """Return the cards less the others, as far as they are held."""
    rest = cards.copy()
    for face in others.cards():
        if face in rest:
            rest.remove(face)
    return rest


_UNKNOWN: Final = -1


@final
class DiscardTracker:
    """The discards that a seat has seen, by their height in the pile.

    A seat that is asked about every discard, or sees it before its draw, knows every card that stays in the pile.
    """

    def __init__(self) -> None:
        self._hand = (0, 0, 0)
        self._turns = 0
        self._shuffles = 0
        self._cards: list[int] = []

    def see(self, view: View) -> None:
        """Add the top card, and remove those that left the pile: after a shuffle, or in a new hand, all of them."""
        hand = (view.number, view.dealer, view.seat)
        if hand != self._hand or view.turns < self._turns or view.shuffles != self._shuffles:
            self._cards = []
        self._hand, self._turns, self._shuffles = hand, view.turns, view.shuffles
        del self._cards[view.pile :]
        while len(self._cards) < view.pile:
            self._cards.append(_UNKNOWN)
        if view.top is not None:
            self._cards[-1] = view.top

    def covered(self) -> list[int]:
        """Return the remembered cards under the top one, the lowest first."""
        return [face for face in self._cards[:-1] if face != _UNKNOWN]
