"""What bots do at the table: drawing, laying down, laying off, closing, throwing what is dearest."""

from collections.abc import Sequence

from mypy_extensions import i64

from engine import actions as a
from engine.bots.plan_tracker import Course
from engine.cards import FACE_BIT, JOKER
from engine.hand import Legal
from engine.melds import HIGH, LOW
from engine.scoring import only_at_once
from engine.solver import best
from engine.view import View


def fitting(view: View) -> i64:
    """The faces that could be laid off on some meld of the table, a bit each."""
    found: i64 = 0
    for meld in view.melds:
        found |= meld.fitting(view.rules, LOW) | meld.fitting(view.rules, HIGH)
    return found


def fits_table(view: View, face: int) -> bool:
    """Whether the card could be laid off; who may no longer close keeps the last two cards before his discard."""
    if len(view.hand) < 2 and only_at_once(view.rules, view.contract):
        return False
    return fitting(view) & FACE_BIT[face] != 0


def draw(view: View, legal: Legal, course: Course) -> a.Action:
    """Takes the top discard if it shortens the way, or could be laid off; else draws from the stock."""
    top = view.top
    if top is not None and view.fresh:
        wanted = fits_table(view, top) if view.laid[view.seat] else course.helps(view)
        if wanted or (view.stock == 0 and a.DRAW_STOCK not in legal):
            return a.DRAW_DISCARD
    return a.DRAW_STOCK


def lay_down(view: View, legal: Legal) -> a.Action | None:
    """The lay-down with the cheapest leftovers; where its melds are too long, the first of the least size."""
    found = best(view.rules, view.contract, view.hand)
    if found is not None:
        laid = a.LayDown(found.melds)
        if laid in legal:
            return laid
    for act in legal:
        if isinstance(act, a.LayDown):
            return act
    return None


def place(legal: Legal, points: list[int]) -> a.Action:
    """Lays off or swaps whatever it can, then closes or discards the dearest card."""
    acts: Sequence[a.Action] = legal.lay_offs() or legal.swaps() or legal.closings()
    return acts[0] if acts else dearest(legal, points)


def dearest(legal: Legal, points: list[int]) -> a.Action:
    """The discard of the card that costs most, of those that may be thrown."""
    found, most = JOKER, -1
    for act in legal.discards():
        if points[act.face] > most:
            found, most = act.face, points[act.face]
    return a.DISCARDS[found]
