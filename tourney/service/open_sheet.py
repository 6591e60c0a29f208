"""A sheet on its way from paper to the program: the hands written, the one begun, and going back among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tourney.domain import Length, SheetHand


class OpenSheet:
    """The hands of one table in their order, some of them not written yet.

    `hands` are written and stand before `begun`, the one in question. `offered` is what stood in its place,
    whole or not, so that answers may be kept; a hand that is being changed has more hands behind it. `length`
    is short once the game is said to have ended early.
    """

    def __init__(self, contracts: Sequence[str], players: int, hands: Sequence[SheetHand] = ()) -> None:
        self.contracts = tuple(contracts)
        self.players = players
        self.length: Length = "whole"
        self.hands = [hand for hand in hands if self.complete(hand)]
        self.offered: SheetHand | None = None
        self._before: SheetHand | None = None
        self.begun = next((hand for hand in hands if not self.complete(hand)), self._blank())
        self._behind: list[SheetHand] = []

    @property
    def over(self) -> bool:
        """Whether no hand is in question: none is being changed, and the others are written or were not played."""
        ended = self.length == "short" or len(self.hands) == len(self.contracts)
        return ended and self._before is None

    @property
    def contract(self) -> str:
        """The contract of the hand in question."""
        return self.contracts[len(self.hands)]

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
        answered = self.begun.closer is not None or self.begun.dead
        return (*self.whole, self.begun) if answered and len(self.whole) == len(self.hands) else self.whole

    def complete(self, hand: SheetHand) -> bool:
        """Whether the hand has everybody's points or cards."""
        return not self.waiting(hand)

    def waiting(self, hand: SheetHand) -> tuple[int, ...]:
        """The seats whose points are not written in that hand."""
        return tuple(seat for seat in range(self.players) if seat not in hand.points and seat not in hand.left)

    def write(self, hand: SheetHand) -> None:
        """Put down what is known of the hand in question; when it is complete, what stood behind it comes back."""
        self.begun = hand
        if self.complete(hand):
            self.hands += [hand, *self._behind]
            self._open(None, ())

    def blank(self) -> SheetHand:
        """The hand in question with nothing written."""
        return SheetHand(self.contract, {})

    def change(self, place: int) -> None:
        """Come to the hand at that place (from 0), written already or the next; those behind it stay."""
        hands = self.whole
        self.hands = list(hands[:place])
        if place == len(hands):
            self.length = "whole"
        self._open(hands[place] if place < len(hands) else None, hands[place + 1 :])

    def end(self) -> None:
        """The game ended before the hand in question: what stood there and behind it goes."""
        self.length = "short"
        self._open(None, ())

    def take_back(self, seat: int | None) -> None:
        """Take back a seat's points or cards, or who closed (None); the answer is offered again."""
        hand, before = self.begun, self.offered or self.blank()
        points = {seat: number for seat, number in before.points.items() if seat not in hand.left}
        left = {seat: cards for seat, cards in before.left.items() if seat not in hand.points}
        self.offered = replace(hand, points={**points, **hand.points}, left={**left, **hand.left})
        self.begun = self.blank() if seat is None else without(hand, seat)

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
