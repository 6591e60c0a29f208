"""A sheet on its way from paper to the program: the hands written, the one begun, and going back among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tourney.domain.results import Length, SheetHand
from tourney.service.results.hand_sequence import Course


class OpenSheet:
    """The hands of one table in their order, some of them not written yet.

    `hands` are written and stand before `begun`, the one in question. `offered` is what stood in its place,
    whole or not, so that answers may be kept; a hand that is being changed has more hands behind it. `length`
    is short once the game is said to have ended early.
    """

    def __init__(self, course: Course, hands: Sequence[SheetHand] = ()) -> None:
        self.course = course
        self.length: Length = "whole"
        self.hands: list[SheetHand] = []
        self.offered: SheetHand | None = None
        self._before: SheetHand | None = None
        self._behind: list[SheetHand] = []
        self._beyond: list[SheetHand] = []
        self.begun = self._blank()
        self._take_up(hands)

    @property
    def over(self) -> bool:
        """Whether no hand is in question: none is being changed, and the others are written or were not played."""
        return (self.length == "short" or self.course.ended(self.hands)) and self._before is None

    @property
    def name(self) -> str:
        """What the hand in question is called."""
        return self.course.name(len(self.hands))

    @property
    def number(self) -> int:
        """The number of the hand in question, from 1."""
        return len(self.hands) + 1

    @property
    def whole(self) -> tuple[SheetHand, ...]:
        """The hands that are whole, in order; one that is being changed as it was."""
        before = [] if self._before is None else [self._before]
        return (*self.hands, *before, *self._behind)

    @property
    def kept(self) -> tuple[SheetHand, ...]:
        """The hands that are whole and, behind the last, what is written of the next."""
        answered = self.begun.closer is not None or self.begun.dead or self.begun.ending != ""
        return (*self.whole, self.begun) if answered and len(self.whole) == len(self.hands) else self.whole

    @property
    def names(self) -> tuple[str, ...]:
        """What the hands are called that may be changed: those written, and the next if the game ended before it."""
        there = len(self.whole) + (self.length == "short")
        return tuple(self.course.name(place) for place in range(there))

    @property
    def left_out(self) -> int:
        """How many hands stood behind the one with which the game ends now."""
        return len(self._beyond)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose points are not written in the hand in question."""
        return self.course.waiting(self.hands, self.begun)

    def write(self, hand: SheetHand) -> None:
        """Put down what is known of the hand in question; when it is complete, what stood behind it comes back.

        Of those the first that the changed hand makes impossible, or leaves incomplete, is in question then.
        """
        self.begun = hand
        if self.course.complete(self.hands, hand):
            behind = self._behind
            self.hands.append(hand)
            self._open(None, ())
            self._take_up(behind)

    def blank(self) -> SheetHand:
        """The hand in question with nothing written."""
        return self.course.blank(len(self.hands))

    def change(self, place: int) -> None:
        """Come to the hand at that place (from 0), written already or the next; those behind it stay."""
        hands = (*self.whole, *self._beyond)
        self.hands, self._beyond = list(hands[:place]), []
        if place == len(hands):
            self.length = "whole"
        self._open(hands[place] if place < len(hands) else None, hands[place + 1 :])

    def end(self) -> None:
        """The game ended before the hand in question: what stood there and behind it goes."""
        self.length = "short"
        self._open(None, ())

    def take_back(self, rest: SheetHand) -> None:
        """Take back an answer, so that `rest` stands there of the hand in question; the answer is offered again."""
        self.offered = _answers(self.begun, self.offered or self.blank())
        self.begun = rest

    def _take_up(self, hands: Sequence[SheetHand]) -> None:
        """Puts hands behind those written, as far as they may stand there; the next is the one in question."""
        rest = list(hands)
        while rest and not self.course.ended(self.hands) and self._stands(rest[0]):
            if not self.course.complete(self.hands, rest[0]):
                break
            self.hands.append(rest.pop(0))
        if self.course.ended(self.hands):
            self._beyond = rest
            rest = []
        self.begun = self._blank()
        if rest:
            half = rest[0] if self._stands(rest[0]) else self.blank()
            self._open(None if half == rest[0] and len(rest) == 1 else rest[0], rest[1:])
            self.begun = half

    def _stands(self, hand: SheetHand) -> bool:
        return not self.course.fault(self.hands, hand)

    def _open(self, before: SheetHand | None, behind: Sequence[SheetHand]) -> None:
        self._before = self.offered = before
        self._behind = list(behind)
        self.begun = self._blank()

    def _blank(self) -> SheetHand:
        return SheetHand("", {}) if self.over else self.blank()


def without(hand: SheetHand, seat: int) -> SheetHand:
    """The hand without that seat's points or cards."""
    points = {other: number for other, number in hand.points.items() if other != seat}
    return replace(hand, points=points, left={other: cards for other, cards in hand.left.items() if other != seat})


def _answers(hand: SheetHand, before: SheetHand) -> SheetHand:
    """The hand with the answers that stood there before, where it has none of its own."""
    points = {seat: number for seat, number in before.points.items() if seat not in hand.left}
    left = {seat: cards for seat, cards in before.left.items() if seat not in hand.points}
    buys = [seat for seat in before.buys if seat not in hand.declined]
    declined = [seat for seat in before.declined if seat not in hand.buys]
    return replace(
        hand,
        closer=before.closer if hand.closer is None and not hand.dead else hand.closer,
        points={**points, **hand.points},
        left={**left, **hand.left},
        # A rummy whose jokers are to be said again is still the one that stood there.
        ending=before.ending if hand.ending and before.ending.startswith(hand.ending) else hand.ending,
        buys=tuple(dict.fromkeys((*buys, *hand.buys))),
        declined=tuple(dict.fromkeys((*declined, *hand.declined))),
    )
