"""Bots at a contract table: claiming, drawing, laying down, laying off, closing, and discarding the costliest card."""

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
    """Plays by the shortest plan for its own contract. Subclasses decide what to claim and what to discard."""

    def __init__(self) -> None:
        self.tracker = PlanTracker()

    def choose(self, view: View, legal: Legal) -> a.Action:
        """Return the action that its plan asks for."""
        if view.rules.kind == "knock":
            return knock_play.choose(view, legal)
        tracker = self.tracker
        tracker.follow(view)
        down = view.laid[view.seat] > 0
        if view.phase is CLAIM:
            return a.CLAIM if not down and self.claims(view) else a.PASS
        if view.phase is DRAW:
            return draw(view, legal, tracker)
        return place(legal, tracker.value.points) if down else self._lay_down_or_discard(view, legal)

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
        """Lay down if possible; otherwise discard a card that the plan does not keep."""
        found = self.tracker.valid(view).plan
        if found.distance == 0:
            laid = lay_down(view, legal)
            if laid is not None:
                return laid
        discard = a.DISCARDS[self.worst(view, spare_cards(view.hand, found.kept))]
        return discard if discard in legal else costliest(legal, self.tracker.value.points)


def fitting(view: View) -> i64:
    """Return the faces that could be laid off on some meld of the table, a bit each."""
    found: i64 = 0
    for meld in view.melds:
        found |= meld.fitting(view.rules, LOW) | meld.fitting(view.rules, HIGH)
    return found


def fits_table(view: View, face: int) -> bool:
    """Return whether the card could be laid off; a player who can no longer close keeps two cards until the discard."""
    if len(view.hand) < 2 and only_at_once(view.rules, view.contract):
        return False
    return fitting(view) & FACE_BIT[face] != 0


def draw(view: View, legal: Legal, tracker: PlanTracker) -> a.Action:
    """Take the top discard if it shortens the distance, or could be laid off; else draw from the stock."""
    top = view.top
    if top is not None and view.fresh:
        wanted = fits_table(view, top) if view.laid[view.seat] else tracker.helps(view)
        if wanted or (view.stock == 0 and a.DRAW_STOCK not in legal):
            return a.DRAW_DISCARD
    return a.DRAW_STOCK


def lay_down(view: View, legal: Legal) -> a.Action | None:
    """Return the lay-down with the cheapest leftovers; where its melds are too long, the first of minimum size."""
    found = best(view.rules, view.contract, view.hand)
    if found is not None:
        laid = a.LayDown(found.melds)
        if laid in legal:
            return laid
    for action in legal:
        if isinstance(action, a.LayDown):
            return action
    return None


def place(legal: Legal, points: list[int]) -> a.Action:
    """Lay off or swap whatever fits, then close or discard the costliest card."""
    actions: Sequence[a.Action] = legal.lay_offs() or legal.swaps() or legal.closings()
    return actions[0] if actions else costliest(legal, points)


def costliest(legal: Legal, points: list[int]) -> a.Action:
    """Return the legal discard of the card that costs most."""
    found, most = JOKER, -1
    for action in legal.discards():
        if points[action.face] > most:
            found, most = action.face, points[action.face]
    return a.DISCARDS[found]
