"""How others come by their hands, as `search` thinks of it: cards that help stay, dear ones that do not are thrown."""

from typing import final

from engine.bots.card_value import Worth
from engine.cards import Faces
from engine.deal import supply
from engine.solver import plan
from engine.view import View

MOST = 4
"""Whoever has drawn more often has chosen from no more cards than this beyond those that he holds."""


@final
class DrawnAndThrown:
    """Seats that are not down have chosen their cards, a card more for every two turns that they have had."""

    def __init__(self, view: View) -> None:
        self._rules = view.rules
        self._contract = view.contract
        self._supply = supply(view.rules, len(view.laid), view.number)
        self._worth = Worth(view.rules, view.contract)
        self._laid = view.laid
        self._extra = min(MOST, (view.turns - 1) // (2 * len(view.laid)))

    def extra(self, seat: int) -> int:
        """How many cards more than it holds the seat chose from."""
        return 0 if self._laid[seat] else self._extra

    def thrown(self, known: Faces, cards: Faces, number: int) -> list[int]:
        """So many cards that the way to the contract does not keep, the worst first; then any that are not known."""
        packs, jokers = self._supply
        kept = plan(self._rules, self._contract, cards, packs, jokers).kept
        left, thrown = cards.copy(), list[int]()
        for _ in range(number):
            spare = _without(_without(left, kept), known)
            if len(spare) == spare.jokers:
                spare = _without(left, known)
            thrown.append(self._worth.worst(left, spare))
            left.remove(thrown[-1])
        return thrown


def _without(cards: Faces, others: Faces) -> Faces:
    """The cards that are left when as many of the others as there are are taken away."""
    rest = cards.copy()
    for face in others.cards():
        if face in rest:
            rest.remove(face)
    return rest
