"""The plan that a bot follows in a hand, and the test whether it is still valid after a card is drawn or discarded."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine.bots.card_value import CardValue
from engine.cards import FACE_BIT, FACE_OF, JOKER, Faces
from engine.deal import supply
from engine.rules import Rules
from engine.solver import Plan, plan
from engine.view import View


@final
@mypyc_attr(acyclic=True)
class CachedPlan:
    """A plan and the hand that it was made for, which must not change.

    More cards never lengthen the distance. So a hand with the cards that the plan keeps has at most the plan's
    distance, and a hand without a new card that helps has at least this distance: few hands need a plan of their own.
    """

    __slots__ = ("hand", "plan")

    def __init__(self, plan: Plan, hand: Faces) -> None:
        self.plan: Final = plan
        self.hand: Final = hand

    def covers(self, hand: Faces) -> bool:
        """Return whether the hand certainly has the plan's distance, and may keep the same cards.

        The hand must have these cards, and at most one card beyond the planned hand, which is not one that helps.
        """
        return self._no_nearer(hand) and hand.includes(self.plan.kept)

    def bounds_outs(self, hand: Faces) -> bool:
        """Return whether every card that helps the hand also helps the planned one.

        That holds for the planned hand, and for a part of it that has all cards which the plan keeps.
        """
        if self.hand.same(hand):
            return True
        return self.hand.includes(hand) and hand.includes(self.plan.kept)

    def _no_nearer(self, hand: Faces) -> bool:
        """Return whether the hand has nothing beyond the planned one, or one card that does not help."""
        old = self.hand
        once: i64 = hand.once & ~old.once
        twice: i64 = hand.twice & ~old.twice
        thrice_or_four: i64 = hand.thrice & ~old.thrice | hand.four & ~old.four
        added: i64 = once | twice | thrice_or_four
        if hand.jokers > old.jokers:
            return added == 0 and hand.jokers == old.jokers + 1 and self.plan.outs_mask & FACE_BIT[JOKER] == 0
        if added == 0:
            return True
        single = added & (added - 1) == 0 and once & twice == 0 and thrice_or_four == 0
        return single and self.plan.outs_mask & FACE_BIT[FACE_OF[added % 67]] == 0


@final
class PlanTracker:
    """The plan for a seat's cards in the current hand of the game, replaced only where it may no longer be valid.

    `packs` and `jokers` are the numbers in play, `value` gives the value of cards, all for the last view followed.
    """

    value: CardValue  # set by `follow`

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._number = 0
        self._players = 0
        self._cached: CachedPlan | None = None
        self.packs = 0
        self.jokers = 0

    def follow(self, view: View) -> None:
        """Start over if the view belongs to another hand of the game than the last one."""
        rules, number, players = view.rules, view.number, len(view.laid)
        if rules is self._rules and number == self._number and players == self._players:
            return
        self._rules, self._number, self._players = rules, number, players
        self._cached = None
        self.packs, self.jokers = supply(rules, players, number)
        self.value = CardValue(rules, view.contract)

    def helps(self, view: View) -> bool:
        """Return whether the top discard shortens the distance to the contract."""
        if view.top is None:
            return False
        cached, bit = self._cached, FACE_BIT[view.top]
        if cached is not None and not cached.plan.outs_mask & bit and cached.bounds_outs(view.hand):
            return False
        return self.exact(view).plan.outs_mask & bit != 0

    def exact(self, view: View) -> CachedPlan:
        """Return the plan made for exactly the cards of the view."""
        cached = self._cached
        if cached is None or not cached.hand.same(view.hand):
            cached = self._cached = CachedPlan(self.plan_for(view, view.hand), view.hand)
        return cached

    def valid(self, view: View) -> CachedPlan:
        """Return a plan that is valid for the hand: its distance, and cards that it may keep."""
        cached = self._cached
        return cached if cached is not None and cached.covers(view.hand) else self.exact(view)

    def plan_for(self, view: View, hand: Faces) -> Plan:
        """Return a new plan for the cards of `hand`."""
        return plan(view.rules, view.contract, hand, self.packs, self.jokers)


def spare_cards(hand: Faces, kept: Faces) -> Faces:
    """Return the cards of the hand that the plan does not keep.

    Return the whole hand if there are none but jokers, or if the hand lacks a kept card.
    """
    spare = hand.minus(kept)
    return hand if spare is None or len(spare) == spare.jokers else spare
