"""Contract play of bots: a plan and whether it is still valid, claiming, laying, and discarding by value."""

from collections.abc import Sequence
from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from engine import actions as a
from engine.bots import knock_play
from engine.cards import BIT, FACE_BIT, FACE_OF, JOKER, RANK_MASK, Faces, bits
from engine.deal import supply
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.melds import HIGH, LOW, RUN, TRIO
from engine.rules import Rules
from engine.scoring import face_points, only_at_once
from engine.solver import Plan, best, plan
from engine.state import CLAIM, DRAW
from engine.view import View

PAIR: Final = 4
"""The value of another card of the rank to a hand that needs trios, in points that a card scores."""
NEIGHBOUR: Final = 2
"""The value of a card of the suit within three ranks to a hand that needs runs, in points."""
_NEAR: Final[tuple[int, ...]] = tuple(
    sum(BIT[face - face % 13 + (face % 13 + step) % 13] for step in (-3, -2, -1, 1, 2, 3)) for face in range(52)
)
"""By face, the other cards of the suit within three ranks, also round the corner, as a bit mask."""


@final
class CardValue:
    """The points of each face, and the value of cards that may form a meld with it under a contract."""

    def __init__(self, rules: Rules, contract: str) -> None:
        self.points = face_points(rules)
        self._pair = PAIR if TRIO in contract else 0
        self._neighbour = NEIGHBOUR if RUN in contract else 0

    def worst(self, hand: Faces, spare: Faces) -> int:
        """Return the spare card with the most points less synergy; a joker only when nothing else is spare.

        Of several equal cards, return the one of the highest face.
        """
        chosen, highest_cost = JOKER, -1000
        for face in spare.distinct():
            if face != JOKER:
                cost = self.points[face] - self.synergy(hand, face)
                if cost >= highest_cost:
                    chosen, highest_cost = face, cost
        return chosen

    def synergy(self, hand: Faces, face: int) -> int:
        """Return the bonus, in points, for other cards in the hand that may form a meld with this one."""
        value = 0
        if self._pair:
            rank: i64 = RANK_MASK[face % 13]
            same_rank = (
                bits(hand.once & rank) + bits(hand.twice & rank) + bits(hand.thrice & rank) + bits(hand.four & rank)
            )
            value += self._pair * (same_rank - 1)
        if self._neighbour:
            value += self._neighbour * bits(hand.once & _NEAR[face])
        return value


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


class PlanningBot:
    """A bot that plays by the shortest plan for its own contract; subclasses decide what to claim and to discard."""

    def __init__(self) -> None:
        self.tracker = PlanTracker()

    def choose(self, view: View, legal: Legal) -> a.Action:
        """Return the action that the bot's plan asks for."""
        if view.rules.kind == "knock":
            return knock_play.choose(view, legal)
        tracker = self.tracker
        tracker.follow(view)
        down = view.laid[view.seat] > 0
        if view.phase is CLAIM:
            return a.CLAIM if not down and self.claims(view) else a.PASS
        if view.phase is DRAW:
            return draw(view, legal, tracker)
        return lay_off_or_close(legal, tracker.value.points) if down else self._lay_down_or_discard(view, legal)

    def answer(self, offer: Offer) -> a.Answer:
        """Return whether to buy points off."""
        return knock_play.answer(offer)

    def claims(self, view: View) -> bool:
        """Return whether to claim the top discard."""
        return self.tracker.helps(view)

    def worst(self, view: View, spare: Faces) -> int:
        """Return the spare card that is best discarded; a joker only when nothing else is spare."""
        return self.tracker.value.worst(view.hand, spare)

    def _lay_down_or_discard(self, view: View, legal: Legal) -> a.Action:
        """Return a lay-down if possible, otherwise the discard of a card that the plan does not keep."""
        plan = self.tracker.valid(view).plan
        if plan.distance == 0:
            action = lay_down(view, legal)
            if action is not None:
                return action
        discard = a.DISCARDS[self.worst(view, spare_cards(view.hand, plan.kept))]
        return discard if discard in legal else costliest(legal, self.tracker.value.points)


def fitting(view: View) -> i64:
    """Return the faces that could be laid off on some meld of the table, as a bit mask."""
    faces: i64 = 0
    for meld in view.melds:
        faces |= meld.fitting(view.rules, LOW) | meld.fitting(view.rules, HIGH)
    return faces


def fits_table(view: View, face: int) -> bool:
    """Return whether the card could be drawn and laid off.

    A player who can no longer close must discard and still hold a card, so one card in hand is too few to lay off.
    """
    if len(view.hand) < 2 and only_at_once(view.rules, view.contract):
        return False
    return fitting(view) & FACE_BIT[face] != 0


def draw(view: View, legal: Legal, tracker: PlanTracker) -> a.Action:
    """Return the draw: the top discard or the stock.

    The discard is taken if it shortens the distance, could be laid off or is the only card to draw.
    """
    top = view.top
    if top is not None and view.fresh:
        is_useful = fits_table(view, top) if view.laid[view.seat] else tracker.helps(view)
        if is_useful or (view.stock == 0 and a.DRAW_STOCK not in legal):
            return a.DRAW_DISCARD
    return a.DRAW_STOCK


def lay_down(view: View, legal: Legal) -> a.Action | None:
    """Return the legal lay-down with the cheapest leftovers, else the first of minimum size; None if there is none."""
    arrangement = best(view.rules, view.contract, view.hand)
    if arrangement is not None:
        cheapest = a.LayDown(arrangement.melds)
        if cheapest in legal:
            return cheapest
    for action in legal:
        if isinstance(action, a.LayDown):
            return action
    return None


def lay_off_or_close(legal: Legal, points: list[int]) -> a.Action:
    """Return a lay-off or an exchange for a joker if there is one, else a close, else the costliest discard."""
    actions: Sequence[a.Action] = legal.lay_offs() or legal.swaps() or legal.closings()
    return actions[0] if actions else costliest(legal, points)


def costliest(legal: Legal, points: list[int]) -> a.Action:
    """Return the legal discard of the card with the most points."""
    chosen, most = JOKER, -1
    for action in legal.discards():
        if points[action.face] > most:
            chosen, most = action.face, points[action.face]
    return a.DISCARDS[chosen]
