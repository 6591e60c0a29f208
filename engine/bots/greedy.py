"""The bot `greedy`: lays down when it can, keeps what shortens its way, throws what costs most and helps
least, claims what helps."""

from typing import final

from engine import actions as a
from engine.bots import knock_play
from engine.bots.plan_tracker import Course, spare_cards
from engine.bots.table_play import dearest, draw, lay_down, place
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.state import CLAIM, DRAW
from engine.view import View


@final
class GreedyBot:
    """Plans for its own contract only and sees no danger in others."""

    def __init__(self) -> None:
        self._course = Course()

    def choose(self, view: View, legal: Legal) -> a.Action:
        """The act that its own hand asks for."""
        if view.rules.kind == "knock":
            return knock_play.choose(view, legal)
        course = self._course
        course.follow(view)
        down = view.laid[view.seat] > 0
        if view.phase is CLAIM:
            return a.CLAIM if not down and course.helps(view) else a.PASS
        if view.phase is DRAW:
            return draw(view, legal, course)
        return place(legal, course.worth.points) if down else self._play(view, legal)

    def answer(self, offer: Offer) -> a.Answer:
        """Whether to buy points off."""
        return knock_play.answer(offer)

    def _play(self, view: View, legal: Legal) -> a.Action:
        """Lays down if it can; otherwise discards a card that its plan does not keep."""
        course = self._course
        way = course.way(view)
        if way.plan.distance == 0:
            laid = lay_down(view, legal)
            if laid is not None:
                return laid
        spare = spare_cards(view.hand, way.plan.kept)
        thrown = a.DISCARDS[course.worth.worst(view.hand, spare)]
        return thrown if thrown in legal else dearest(legal, course.worth.points)
