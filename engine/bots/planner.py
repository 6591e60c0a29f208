"""The bot `planner`: plays as `greedy` does, but buys cards for a long contract, throws what leaves most cards that
help, and holds back what the next player could lay off."""

from typing import Final, Literal, final, get_args

from mypy_extensions import i64

from engine import actions as a
from engine.bots import knock_play
from engine.bots.plan_tracker import Course, spare_cards
from engine.bots.table_play import dearest, draw, fitting, lay_down, place
from engine.cards import FACE_BIT, JOKER, Faces, bits
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.melds import RUN, TRIO
from engine.solver import Plan
from engine.state import CLAIM, DRAW
from engine.view import View

Ability = Literal["buying", "counting", "guarding"]
"""What it does otherwise than `greedy`: each can be left out, to measure what it gains.

`buying`: claims cards that do not shorten its way, for a long contract. `counting`: throws the card after which most
copies of cards would help. `guarding`: holds back what the next player could lay off.
"""
ABILITIES: Final[frozenset[Ability]] = frozenset(get_args(Ability))

ASKED: Final = 15
"""What each card that the contract asks for adds to the worth of two cards more, where three others throw cards.

With it grow the way there and what one is caught with.
"""
MORE: Final = 3
"""What each copy adds that would help with the claimed card in hand, and does not now."""
PRICE: Final = 140
"""What two cards more must be worth."""
THROWERS: Final = 3
"""With fewer others who throw cards there is less to buy, and the others are down before it pays."""

OUT: Final = 6
"""What each unseen copy of a card that helps is worth to the hand kept, in points of the discard."""
GUARD: Final = 15
"""What it costs to let the next player lay a card off."""


@final
class PlannerBot:
    """Buys, counts and guards; without these abilities it does what `greedy` does."""

    def __init__(self, abilities: frozenset[Ability] = ABILITIES) -> None:
        self._buying = "buying" in abilities
        self._counting = "counting" in abilities
        self._guarding = "guarding" in abilities
        self._course = Course()

    def choose(self, view: View, legal: Legal) -> a.Action:
        """The act that its plan asks for."""
        if view.rules.kind == "knock":
            return knock_play.choose(view, legal)
        course = self._course
        course.follow(view)
        down = view.laid[view.seat] > 0
        if view.phase is CLAIM:
            return a.CLAIM if not down and (course.helps(view) or self._buys(view)) else a.PASS
        if view.phase is DRAW:
            return draw(view, legal, course)
        return place(legal, course.worth.points) if down else self._play(view, legal)

    def answer(self, offer: Offer) -> a.Answer:
        """Whether to buy points off."""
        return knock_play.answer(offer)

    def _buys(self, view: View) -> bool:
        """Whether a discard that does not shorten the way is worth having, with the penalty card.

        Where claims are limited they are kept for what helps.
        """
        course, top = self._course, view.top
        if not self._buying or top is None or view.rules.contracts.claim.limit is not None:
            return False
        now = course.planned(view).plan
        if now.distance == 0:
            return False
        worth = _hoped(view)
        if worth >= PRICE:
            return True
        more = view.hand.copy()
        more.add(top)
        then = course.plan_for(view, more)
        return worth + MORE * (self._copies(then, more) - self._copies(now, view.hand)) >= PRICE

    def _play(self, view: View, legal: Legal) -> a.Action:
        """Lays down if it can; otherwise discards a card that its plan does not keep."""
        way = self._course.way(view)
        if way.plan.distance == 0:
            laid = lay_down(view, legal)
            if laid is not None:
                return laid
        spare = spare_cards(view.hand, way.plan.kept)
        thrown = a.DISCARDS[self._worst(view, spare)]
        return thrown if thrown in legal else dearest(legal, self._course.worth.points)

    def _worst(self, view: View, spare: Faces) -> int:
        """The spare card that is best thrown; a joker only when nothing else is held.

        Of several the one of the highest face.
        """
        guarded = self._guarded(view)
        worst, most = JOKER, -10_000
        for face in spare.distinct():
            if face != JOKER:
                worth = self._without(view, face)
                if guarded & FACE_BIT[face]:
                    worth -= GUARD
                if worth >= most:
                    worst, most = face, worth
        return worst

    def _without(self, view: View, face: int) -> int:
        """What the hand is worth without the card, in points: what it no longer counts, what would still help it."""
        course = self._course
        worth = course.worth.points[face] - course.worth.company(view.hand, face)
        if self._counting:
            rest = view.hand.copy()
            rest.remove(face)
            worth += OUT * self._copies(course.plan_for(view, rest), rest)
        return worth

    def _guarded(self, view: View) -> i64:
        """What the next player could lay off, a bit for each face."""
        follower = view.seat + 1 if view.seat + 1 < len(view.laid) else 0
        return fitting(view) if self._guarding and view.laid[follower] else 0

    def _copies(self, found: Plan, hand: Faces) -> int:
        """How many cards outside the hand would shorten the way."""
        course, outs = self._course, found.outs_mask
        naturals: i64 = outs & ~FACE_BIT[JOKER]
        held = bits(naturals & hand.once) + bits(naturals & hand.twice) + bits(naturals & hand.thrice)
        wild = course.jokers - hand.jokers if outs != naturals else 0
        return course.packs * bits(naturals) - held + wild


def _hoped(view: View) -> int:
    """What any two cards more are worth to a hand that is short of its contract."""
    rules, contract = view.rules, view.contract
    asked = contract.count(TRIO) * rules.trio.least + contract.count(RUN) * rules.run.least
    return ASKED * asked * min(len(view.laid) - 1, THROWERS) // THROWERS
