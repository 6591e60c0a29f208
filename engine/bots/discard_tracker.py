"""The discards that a bot remembers, since the rules show only the top card of the pile (003/1.5)."""

from typing import Final, final

from engine.view import View

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
