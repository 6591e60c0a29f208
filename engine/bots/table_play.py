"""Contract play of bots: claiming, drawing, laying down, laying off, closing, and discarding the costliest card."""

from collections.abc import Sequence

from mypy_extensions import i64

from engine import actions as a
from engine.bots import knock_play
from engine.bots.plan_tracker import PlanTracker, spare_cards
from engine.cards import FACE_BIT, JOKER, Faces
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.melds import HIGH, LOW
from engine.scoring import only_at_once
from engine.solver import best
from engine.state import CLAIM, DRAW
from engine.view import View


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
