"""How a game goes from hand to hand, as far as its sheet must know: what is still missing, and when it is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tourney import rulebook
from tourney.domain.events import Event
from tourney.domain.results import SheetHand
from tourney.text.i18n import _


class Course(Protocol):
    """What the rules say of the hand behind those `before` it; places count from 0."""

    def name(self, place: int) -> str:
        """What the hand at that place is called."""
        ...

    def blank(self, place: int) -> SheetHand:
        """The hand at that place with nothing written."""
        ...

    def ended(self, hands: Sequence[SheetHand]) -> bool:
        """Whether the game is over after these hands."""
        ...

    def waiting(self, before: Sequence[SheetHand], hand: SheetHand) -> tuple[int, ...]:
        """The seats whose points are not written."""
        ...

    def complete(self, before: Sequence[SheetHand], hand: SheetHand) -> bool:
        """Whether nothing is missing in the hand."""
        ...

    def fault(self, before: Sequence[SheetHand], hand: SheetHand) -> str:
        """Why the hand, as far as it is written, cannot stand there; empty if it can."""
        ...


class ContractCourse:
    """Contracts in a fixed order; everybody plays every hand."""

    def __init__(self, event: Event, names: Sequence[str]) -> None:
        self.contracts = tuple(contract for contract, _cards in rulebook.contracts(event.rules))
        self._players = len(names)

    def name(self, place: int) -> str:
        """The contract."""
        return self.contracts[place]

    def blank(self, place: int) -> SheetHand:
        """The hand of that contract."""
        return SheetHand(self.contracts[place], {})

    def ended(self, hands: Sequence[SheetHand]) -> bool:
        """After the last contract."""
        return len(hands) == len(self.contracts)

    def waiting(self, before: Sequence[SheetHand], hand: SheetHand) -> tuple[int, ...]:
        """All seats without points or cards."""
        return tuple(seat for seat in range(self._players) if seat not in hand.points and seat not in hand.left)

    def complete(self, before: Sequence[SheetHand], hand: SheetHand) -> bool:
        """Once everybody has points."""
        return not self.waiting(before, hand)

    def fault(self, before: Sequence[SheetHand], hand: SheetHand) -> str:
        """None that depends on the other hands: each was judged when it was typed."""
        return ""


class KnockCourse:
    """Hands until the pot is won; who is out plays no more, and after a hand points may be bought off."""

    def __init__(self, event: Event, names: Sequence[str]) -> None:
        self._rules, self._stake, self._names = event.rules, event.settings.stake, names

    def name(self, place: int) -> str:
        """The hand's number."""
        return _("hand {number}").format(number=place + 1)

    def blank(self, place: int) -> SheetHand:
        """A hand of no contract."""
        return SheetHand("", {})

    def ended(self, hands: Sequence[SheetHand]) -> bool:
        """Once somebody has the pot."""
        return self.standing(hands).winners != ()

    def waiting(self, before: Sequence[SheetHand], hand: SheetHand) -> tuple[int, ...]:
        """Those still in, except one who ended the hand otherwise than by a knock: the ending gives his points."""
        given = {*hand.points, *hand.left} | (set() if hand.ending in ("", "knock") else {hand.closer})
        return tuple(seat for seat in self.standing(before).active if seat not in given)

    def complete(self, before: Sequence[SheetHand], hand: SheetHand) -> bool:
        """Once it has an ending, everybody's points, and an answer of all who may buy."""
        ended = hand.dead or hand.closer is not None
        return ended and not self.waiting(before, hand) and self.offer(before, hand) is None

    def offer(self, before: Sequence[SheetHand], hand: SheetHand) -> rulebook.BuyOffer | None:
        """Who is to be asked for a buy after that hand, which has everybody's points."""
        hands = (*before, hand)
        return rulebook.knock_standing(self._rules, len(self._names), hands, self._stake, "open").offer

    def fault(self, before: Sequence[SheetHand], hand: SheetHand) -> str:
        """What the referee says of it."""
        if hand.closer is None and not hand.dead:
            return ""  # nothing can be wrong with what is not said
        return rulebook.knock_fault(self._rules, self._names, before, hand, self.waiting(before, hand))

    def standing(self, hands: Sequence[SheetHand]) -> rulebook.KnockStanding:
        """The game after these hands."""
        return rulebook.knock_standing(self._rules, len(self._names), hands, self._stake)
