"""A sheet while it is being written: complete hands, the hand in question, and the way back to earlier hands."""

from collections.abc import Sequence
from dataclasses import replace

from tourney.domain.results import Length, SheetHand
from tourney.service.results.hand_sequence import HandSequence
from tourney.text.cards import Alphabet, prompt_alphabet


class SheetDraft:
    """The hands of one table in order, some of them not written yet.

    `hands` are the hands before `current`, the hand in question; a hand that is being changed has more hands after it.
    `previous` is the earlier version of `current`, whose answers are offered again; `doubted` are points that have been
    questioned and may be confirmed, `suggested` is the answer about the closer that was probably meant. `length` is
    "short" once the game is declared stopped. Cards are typed in the letters of `alphabet`.
    """

    def __init__(
        self, sequence: HandSequence, hands: Sequence[SheetHand[int]] = (), letters: Alphabet | None = None
    ) -> None:
        self.sequence, self.event, self.seats = sequence, sequence.event, sequence.seats
        self.alphabet: Alphabet = letters or prompt_alphabet(self.event.settings.lang)
        self.length: Length = "whole"
        self.hands: list[SheetHand[int]] = []
        self.previous: SheetHand[int] | None = None
        self.doubted: int | None = None
        self.suggested = ""
        self._replaced: SheetHand[int] | None = None
        self._later: list[SheetHand[int]] = []
        self._dropped: list[SheetHand[int]] = []
        self.current = self._blank()
        self._resume(hands)

    @property
    def over(self) -> bool:
        """Return whether no hand is in question."""
        return (self.length == "short" or self.sequence.ended(self.hands)) and self._replaced is None

    @property
    def hand_name(self) -> str:
        """Return the name of the hand in question."""
        return self.sequence.name(len(self.hands))

    @property
    def hand_number(self) -> int:
        """Return the number of the hand in question, from 1."""
        return len(self.hands) + 1

    @property
    def complete(self) -> tuple[SheetHand[int], ...]:
        """Return the complete hands in order; a hand that is being changed is in its earlier version."""
        replaced = [] if self._replaced is None else [self._replaced]
        return (*self.hands, *replaced, *self._later)

    @property
    def kept(self) -> tuple[SheetHand[int], ...]:
        """Return the hands that a partial sheet keeps: the complete ones, and the next if it has been begun."""
        is_next = len(self.complete) == len(self.hands)
        return (*self.complete, self.current) if is_begun(self.current) and is_next else self.complete

    @property
    def unkept(self) -> str:
        """Return the name of an earlier hand whose change is begun, which a partial sheet does not keep; else empty."""
        return self.hand_name if is_begun(self.current) and len(self.complete) > len(self.hands) else ""

    @property
    def taken_back(self) -> tuple[int, ...]:
        """Return the seats whose points `b` took back and nobody gave again, which a partial sheet does not keep."""
        previous = self.previous if self._replaced is None and is_begun(self.current) else None
        answered = {} if previous is None else {**previous.points, **previous.left}
        return tuple(seat for seat in self.missing if seat in answered)

    @property
    def hand_names(self) -> tuple[str, ...]:
        """Return the names of the hands that can be changed; in a stopped game also of the next hand."""
        return tuple(self.sequence.name(place) for place in range(len(self.complete) + (self.length == "short")))

    @property
    def dropped(self) -> int:
        """Return the number of hands dropped because the game now ends before them."""
        return len(self._dropped)

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the seats whose points are not written in the hand in question."""
        return self.sequence.missing(self.hands, self.current)

    def fault(self, hand: SheetHand[int]) -> str:
        """Return why `hand` cannot be the hand in question; empty if it can."""
        return self.sequence.fault(self.hands, hand)

    def blank(self) -> SheetHand[int]:
        """Return the hand in question with nothing written."""
        return self.sequence.blank(len(self.hands))

    def write(self, hand: SheetHand[int]) -> None:
        """Write the answers so far to the hand in question. Once it is complete, the hands after it are restored.

        The first of these that is now impossible or incomplete becomes the hand in question.
        """
        self.current = hand
        self._forget_doubts()
        if self.sequence.complete(self.hands, hand):
            later = self._later
            self.hands.append(hand)
            self._open(None, ())
            self._resume(later)

    def go_to(self, place: int) -> None:
        """Make the hand at `place` (from 0) the hand in question; the hands after it stay."""
        hands = (*self.complete, *self._dropped)
        self.hands, self._dropped = list(hands[:place]), []
        if place == len(hands):
            self.length = "whole"
        self._open(hands[place] if place < len(hands) else None, hands[place + 1 :])

    def stop(self) -> None:
        """Declare the game stopped before the hand in question, and delete that hand and those after it."""
        self.length = "short"
        self._open(None, ())

    def take_back(self, rest: SheetHand[int]) -> None:
        """Take back an answer: the hand in question becomes `rest`, and the answer is offered again."""
        self.previous = _merged(self.current, self.previous or self.blank())
        self.current = rest
        self._forget_doubts()

    def _resume(self, hands: Sequence[SheetHand[int]]) -> None:
        """Append hands as long as they are possible and complete; the next becomes the hand in question."""
        rest = list(hands)
        while rest and not self.sequence.ended(self.hands) and not self.fault(rest[0]):
            if not self.sequence.complete(self.hands, rest[0]):
                break
            self.hands.append(rest.pop(0))
        if self.sequence.ended(self.hands):
            self._dropped = rest
            rest = []
        self.current = self._blank()
        if rest:
            partial = self.blank() if self.fault(rest[0]) else rest[0]
            self._open(None if partial == rest[0] and len(rest) == 1 else rest[0], rest[1:])
            self.current = partial

    def _open(self, replaced: SheetHand[int] | None, later: Sequence[SheetHand[int]]) -> None:
        self._replaced = self.previous = replaced
        self._later = list(later)
        self._forget_doubts()
        self.current = self._blank()

    def _forget_doubts(self) -> None:
        self.doubted, self.suggested = None, ""

    def _blank(self) -> SheetHand[int]:
        return SheetHand("", {}) if self.over else self.blank()


def is_begun(hand: SheetHand[int]) -> bool:
    """Return whether it is written how the hand ended, or who closed it."""
    return hand.closer is not None or hand.dead or hand.ending != ""


def without(hand: SheetHand[int], seat: int) -> SheetHand[int]:
    """Return the hand without that seat's points or cards."""
    points = {other: number for other, number in hand.points.items() if other != seat}
    return replace(hand, points=points, left={other: cards for other, cards in hand.left.items() if other != seat})


def _merged(hand: SheetHand[int], previous: SheetHand[int]) -> SheetHand[int]:
    """Return the hand, completed by the answers of the previous version that it lacks."""
    points = {seat: number for seat, number in previous.points.items() if seat not in hand.left}
    left = {seat: cards for seat, cards in previous.left.items() if seat not in hand.points}
    buys = [seat for seat in previous.buys if seat not in hand.declined]
    declined = [seat for seat in previous.declined if seat not in hand.buys]
    return replace(
        hand,
        closer=previous.closer if hand.closer is None and not hand.dead else hand.closer,
        points={**points, **hand.points},
        left={**left, **hand.left},
        # A rummy whose jokers are asked for again keeps the previous number of jokers.
        ending=previous.ending if hand.ending and previous.ending.startswith(hand.ending) else hand.ending,
        buys=tuple(dict.fromkeys((*buys, *hand.buys))),
        declined=tuple(dict.fromkeys((*declined, *hand.declined))),
    )
