"""What the questions of both families' sheets share: who is meant, points or cards, and how a question is put."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.files.sheet_toml import read_points
from tourney.service.results.sheet_draft import OpenSheet
from tourney.service.results.sheets import Seats
from tourney.text.i18n import _, either

Kind = Literal["ending", "closer", "closing", "jokers", "points", "buy", "confirm"]
Lines = tuple[str, ...]

DEAD: Final = ("-", "−", "–")
YES, NO = ("y", "yes"), ("n", "no")
_NUMBER = re.compile(r"[\d\s.,]+")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked; `seat` says of whom (-1: of nobody)."""

    kind: Kind
    seat: int = -1


@dataclass(frozen=True, slots=True)
class Way:
    """How a kind of question is put, what an empty line keeps (as it would be typed), what an answer does, and
    the help on it."""

    ask: Callable[[Question], str]
    offered: Callable[[Question], str]
    take: Callable[[Question, str], Lines]
    help: Callable[[], Lines]


class HandQuestions(ABC):
    """The questions of the hand in question, of one family of rules."""

    def __init__(self, event: Event, seats: Seats, sheet: OpenSheet) -> None:
        self.event, self.seats, self.sheet = event, seats, sheet

    @property
    @abstractmethod
    def ways(self) -> Mapping[Kind, Way]:
        """How each kind of question is put."""

    @abstractmethod
    def answered(self) -> list[Question]:
        """The questions that have an answer, in their order."""

    @abstractmethod
    def next(self) -> Question:
        """The first question that has none."""

    @abstractmethod
    def rest(self, question: Question) -> SheetHand:
        """The hand without the answer to its last answered question."""

    @abstractmethod
    def totals(self) -> Lines:
        """Where everybody stands after the hands that are written."""

    @abstractmethod
    def stopped(self) -> str:
        """What it means that the game ended before the hand in question."""

    @abstractmethod
    def faulty(self, hand: SheetHand) -> str:
        """Why the hand, as far as it is written, cannot be; empty if it can."""

    @abstractmethod
    def meant(self, hand: SheetHand, seat: int) -> Sequence[int]:
        """Points that may have been meant at that seat instead."""

    def take_back(self, question: Question) -> None:
        """Take back the answer to the last answered question."""
        self.sheet.take_back(self.rest(question))

    def write(self, hand: SheetHand) -> Lines:
        """Put down what is known of the hand in question; the totals, when it is whole."""
        before = len(self.sheet.hands)
        self.sheet.write(hand)
        return self.totals() if len(self.sheet.hands) > before else ()

    def there(self) -> str:
        """Who sits there, everybody with the number to type."""
        return "   ".join(f"{number} {name}" for number, name in zip(self.seats.numbers, self.seats.names, strict=True))

    def who(self, typed: str) -> int | str:
        """The seat that is meant, or what to say where none is, or several."""
        found = self.seats.begun(typed)
        if len(found) == 1:
            return found[0]
        if found:
            several = either(self.seats.names[seat] for seat in found)
            return _("“{text}” may be {several}; type more of the name").format(text=typed[:40], several=several)
        return _("nobody called “{text}” sits here: {there}").format(text=typed[:40], there=self.there())

    def taken(self, typed: str, seat: int) -> Lines:
        """Who was taken where a number was typed: an entrant's, or else a seat's."""
        if not typed.isdecimal():
            return ()
        by = _("entrant {number}: {player}") if self.seats.meant(typed) else _("seat {number}: {player}")
        return (by.format(number=int(typed), player=self.seats.names[seat]),)

    def ask_points(self, question: Question) -> str:
        """A player's points, or cards."""
        return _("{hand}, {player}:").format(hand=self.sheet.name, player=self.seats.names[question.seat])

    def offered_points(self, question: Question) -> str:
        """The points or cards that stood there before."""
        offered = self.sheet.offered
        if offered is None:
            return ""
        points = offered.points.get(question.seat)
        return offered.left.get(question.seat, "") or ("" if points is None else str(points))

    def points_typed(self, typed: str, seat: int) -> SheetHand | str:
        """The hand with a seat's points or cards, or what is wrong with them."""
        points = read_points(typed)
        if not typed or (points is None and _NUMBER.fullmatch(typed)):
            wrong = _("“{text}” is no whole number; ").format(text=typed[:40]) if typed else ""
            return wrong + _("type the points, or the cards left as Kh 7d")
        hand = _with(self.sheet.begun, seat, points, typed)
        fault = self.faulty(hand)
        if not fault:
            return hand
        readings = self.readings(hand, seat)
        return _("{fault}; did you mean {meant}?").format(fault=fault, meant=readings) if readings else fault

    def readings(self, hand: SheetHand, seat: int) -> str:
        """What may have been meant instead of a seat's points; empty if nothing is near."""
        found = self.meant(hand, seat) if seat in hand.points else ()
        return numbers(found) if found else ""


def _with(hand: SheetHand, seat: int, points: int | None, cards: str) -> SheetHand:
    """The hand with a seat's points, or with its cards."""
    if points is None:
        return replace(hand, left={**hand.left, seat: cards})
    return replace(hand, points={**hand.points, seat: points})


def numbers(values: Sequence[int]) -> str:
    """As `15, 10 or 5`."""
    return either(str(value) for value in values)


def yes_or_no(typed: str) -> Literal["yes", "no", "neither"]:
    """What a folded word says."""
    if typed in (*YES, _("y")):
        return "yes"
    return "no" if typed in (*NO, _("n")) else "neither"


def nothing_offered(question: Question) -> str:
    """An empty line keeps nothing."""
    return ""


def help_points() -> Lines:
    """The help on points."""
    return (
        _("type the points, or the cards left: Kh 7d 10s As Jk (c d h s are the suits, Jk is a joker)"),
        _("b: back to the question before; q: leave, what was typed is kept"),
    )
