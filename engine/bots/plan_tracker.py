"""The plan that a bot follows in a hand, and what it asks of the rules for it."""

from typing import final

from engine.bots.card_value import Worth
from engine.bots.plan_cache import Way
from engine.cards import FACE_BIT, Faces
from engine.deal import supply
from engine.rules import Rules
from engine.solver import Plan, plan
from engine.view import View


@final
class Course:
    """What the rules say in a hand of the game, and the plan for one's cards as long as that says enough.

    `packs` and `jokers` are those in play, `worth` says what cards are worth. All belong to the last view followed.
    """

    worth: Worth  # learned with the rules

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._number = 0
        self._players = 0
        self._known: Way | None = None
        self.packs = 0
        self.jokers = 0

    def follow(self, view: View) -> None:
        """Asks the rules, if this is another hand of the game than the last."""
        rules, number, players = view.rules, view.number, len(view.laid)
        if rules is self._rules and number == self._number and players == self._players:
            return
        self._rules, self._number, self._players = rules, number, players
        self._known = None
        self.packs, self.jokers = supply(rules, players, number)
        self.worth = Worth(rules, view.contract)

    def helps(self, view: View) -> bool:
        """Whether the top discard shortens the way to the contract."""
        if view.top is None:
            return False
        known, bit = self._known, FACE_BIT[view.top]
        if known is not None and not known.plan.outs_mask & bit and known.bounds(view.hand):
            return False
        return self.planned(view).plan.outs_mask & bit != 0

    def planned(self, view: View) -> Way:
        """The plan for this very hand; made once for each hand of cards."""
        known = self._known
        if known is None or not known.hand.same(view.hand):
            known = self._known = Way(self.plan_for(view, view.hand), view.hand)
        return known

    def way(self, view: View) -> Way:
        """A plan that stands for the hand: it says how far off it is, and cards that it may keep."""
        known = self._known
        return known if known is not None and known.stands(view.hand) else self.planned(view)

    def plan_for(self, view: View, hand: Faces) -> Plan:
        """The plan for other cards."""
        return plan(view.rules, view.contract, hand, self.packs, self.jokers)


def spare_cards(hand: Faces, kept: Faces) -> Faces:
    """What of the hand may be thrown: what the plan does not keep; all, if that would be jokers alone."""
    spare = hand.less(kept)
    return hand if spare is None or len(spare) == spare.jokers else spare
