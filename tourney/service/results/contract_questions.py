"""The questions of a hand of contracts: who closed, whether at once, and what everybody else is left with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from tourney import rulebook
from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.domain.rules import RulesRef
from tourney.files.sheet_toml import read_points
from tourney.service.results.questions import (
    DEAD,
    HandQuestions,
    Kind,
    Lines,
    Question,
    Way,
    help_points,
    numbers,
    yes_or_no,
)
from tourney.service.results.sheet_draft import OpenSheet, without
from tourney.service.results.sheets import Seats
from tourney.text.i18n import _, ngettext
from tourney.text.names import fold


class ContractQuestions(HandQuestions):
    """Who closed, then the others in seat order. Points seldom seen are asked back once."""

    def __init__(self, event: Event, seats: Seats, sheet: OpenSheet) -> None:
        super().__init__(event, seats, sheet)
        self._doubted: int | None = None

    @property
    def ways(self) -> Mapping[Kind, Way]:
        """How each kind of question is put."""
        return {
            "closer": Way(self._ask_closer, self._offered_closer, self._take_closer, _help_closer),
            "closing": Way(self._ask_closing, self._offered_closing, self._take_closing, _help_closing),
            "points": Way(self.ask_points, self.offered_points, self._take_points, help_points),
        }

    def _questions(self) -> list[Question]:
        """Those after the first depend on who closed."""
        hand = self.sheet.begun
        asked = [Question("closer")]
        if hand.closer is not None and len(rulebook.closer_points(self.event.rules, hand.contract)) > 1:
            asked.append(Question("closing", hand.closer))
        return asked + [Question("points", seat) for seat in range(len(self.seats.players)) if seat != hand.closer]

    def _has(self, question: Question) -> bool:
        hand = self.sheet.begun
        if question.kind == "closer":
            return hand.closer is not None or hand.dead
        return question.seat not in self.sheet.waiting

    def answered(self) -> list[Question]:
        """The questions that have an answer, in their order."""
        return [one for one in self._questions() if self._has(one)]

    def next(self) -> Question:
        """The first question that has none."""
        return next(one for one in self._questions() if not self._has(one))

    def rest(self, question: Question) -> SheetHand:
        """The hand without the answer to its last answered question."""
        return self.sheet.blank() if question.kind == "closer" else without(self.sheet.begun, question.seat)

    def take_back(self, question: Question) -> None:
        """Take back the answer to the last answered question."""
        self._doubted = None
        super().take_back(question)

    def write(self, hand: SheetHand) -> Lines:
        """Put down what is known of the hand in question; the totals, when it is whole."""
        self._doubted = None
        return super().write(hand)

    def totals(self) -> Lines:
        """One line: everybody's points after the hands that are written."""
        if not self.sheet.hands:
            return ()
        rules, totals = self.event.rules, [0] * len(self.seats.players)
        for number, hand in enumerate(self.sheet.hands, 1):
            points = rulebook.hand_points(rules, len(totals), number, hand)
            totals = [total + more for total, more in zip(totals, points, strict=True)]
        said = ", ".join(f"{name} {total}" for name, total in zip(self.seats.names, totals, strict=True))
        return (_("after {hand}: {totals}").format(hand=self.sheet.hands[-1].contract, totals=said),)

    def stopped(self) -> str:
        """How many hands are missing."""
        missing = len(rulebook.contracts(self.event.rules)) - len(self.sheet.hands)
        return ngettext("{number} hand was not played", "{number} hands were not played", missing).format(
            number=missing
        )

    # --- who closed -----------------------------------------------------------------------------------------

    def _ask_closer(self, question: Question) -> str:
        return _("{hand}: who closed?").format(hand=self.sheet.name)

    def _offered_closer(self, question: Question) -> str:
        offered = self.sheet.offered
        if offered is None:
            return ""
        return "-" if offered.closer is None else self.seats.names[offered.closer]

    def _take_closer(self, question: Question, typed: str) -> Lines:
        if typed in DEAD:
            return self._closed_by(None)
        if not typed:
            return _help_closer()
        found = self.who(typed)
        return (found,) if isinstance(found, str) else (*self.taken(typed, found), *self._closed_by(found))

    def _closed_by(self, closer: int | None) -> Lines:
        hand = replace(self.sheet.blank(), closer=closer, dead=closer is None)
        choices, _how = self._choices()
        if closer is not None and len(choices) == 1:
            hand = replace(hand, points={closer: choices[0]})
        return self.write(hand)

    # --- whether at once ------------------------------------------------------------------------------------

    def _choices(self) -> tuple[tuple[int, ...], Literal["yes or no", "numbers"]]:
        """What the closer may have written down, and how it is asked: by whether it was in one turn if that says it."""
        ways = rulebook.closer_points(self.event.rules, self.sheet.name)
        return tuple(ways), "yes or no" if list(ways.values()) == [(False,), (True,)] else "numbers"

    def _ask_closing(self, question: Question) -> str:
        hand, player = self.sheet.name, self.seats.names[question.seat]
        choices, how = self._choices()
        if how == "numbers":
            told = _("{hand}: {player} closed, for {choices}?")
            return told.format(hand=hand, player=player, choices=numbers(choices))
        told = _("{hand}: did {player} lay down and close in one turn, for {points}? (y/n)")
        return told.format(hand=hand, player=player, points=choices[1])

    def _take_closing(self, question: Question, typed: str) -> Lines:
        choices, how = self._choices()
        points, said = read_points(typed), yes_or_no(fold(typed))
        if how == "yes or no" and said != "neither":
            points = choices[said == "yes"]
        if points not in choices:
            return (_("type y or n") if how == "yes or no" else _("type {choices}").format(choices=numbers(choices)),)
        return self.write(replace(self.sheet.begun, points={question.seat: points}))

    def _offered_closing(self, question: Question) -> str:
        """What the closer wrote down before, otherwise what is for an earlier lay-down."""
        (choices, how), offered = self._choices(), self.sheet.offered
        before = choices[0] if offered is None else offered.points.get(question.seat, choices[0])
        points = before if before in choices else choices[0]
        return str(points) if how == "numbers" else _("n") if points == choices[0] else _("y")

    # --- points or cards ------------------------------------------------------------------------------------

    def offered_points(self, question: Question) -> str:
        """Points that are doubted, or what stood there before; a closer's are nobody else's."""
        if self._doubted is not None:
            return str(self._doubted)
        kept = super().offered_points(question)
        points = read_points(kept)
        return kept if points is None or points > 0 else ""

    def _take_points(self, question: Question, typed: str) -> Lines:
        hand = self.points_typed(typed, question.seat)
        if isinstance(hand, str):
            return (hand,)
        points = hand.points.get(question.seat)
        most = rulebook.most_expected(*self._at())
        if points is not None and points > most and points != self._doubted and not self._stood(question.seat, points):
            self._doubted = points
            return (self._doubtful(hand, question.seat),)
        return self.write(hand)

    def faulty(self, hand: SheetHand) -> str:
        """Why the hand, as far as it is written, cannot be; empty if it can."""
        waiting = self.sheet.course.waiting(self.sheet.hands, hand)
        return rulebook.hand_fault(self.event.rules, self.seats.names, self.sheet.number, hand, waiting)

    def meant(self, hand: SheetHand, seat: int) -> Sequence[int]:
        """Points that may have been meant at that seat instead."""
        return rulebook.meant(*self._at(), hand, seat, self.sheet.course.waiting(self.sheet.hands, hand))

    def _at(self) -> tuple[RulesRef, int, int]:
        """What the engine is told of the hand in question: rules, players, number."""
        return self.event.rules, len(self.seats.players), self.sheet.number

    def _stood(self, seat: int, points: int) -> bool:
        """Whether these points stood there before: they have been asked about already."""
        return self.sheet.offered is not None and self.sheet.offered.points.get(seat) == points

    def _doubtful(self, hand: SheetHand, seat: int) -> str:
        readings = self.readings(hand, seat)
        asked = _("did you mean {meant}?").format(meant=readings) if readings else _("are they right?")
        said = _("{points} points are seldom seen in {hand}: {asked} Enter keeps {points}")
        return said.format(points=hand.points[seat], hand=hand.contract, asked=asked)


def _help_closer() -> Lines:
    return (
        _("type the number in front of a name, a seat, or how the name begins; - if nobody closed the hand"),
        _("end: the game ended before this hand; b: back; q: leave, all hands are kept"),
    )


def _help_closing() -> Lines:
    return (_("y if the closer had not laid down before that turn; an empty line is n"),)
