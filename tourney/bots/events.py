"""Public events of a hand, told to each seat with its own cards and without those of others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import (
    Action,
    Answer,
    Buy,
    Claim,
    CloseHolding,
    Declare,
    Decline,
    Discard,
    DrawDiscard,
    DrawStock,
    Pass,
)
from engine.rules import Rules
from engine.view import View as EngineView
from tourney.bots.values import copied_action

_SILENT: Final = (Pass, Decline)
"""Actions of which nobody hears: most are passes. A tuple is faster to compare with than a union."""
_TAKING: Final = (DrawDiscard, Claim)
_CLOSING: Final = (CloseHolding, Declare)

Actions = Sequence[tuple[int, Action | Answer]]
"""The actions of a hand so far, with their seats; the table adds to them."""


@dataclass(frozen=True, slots=True)
class HandBegan:
    """A hand was dealt: its number from 1, contract, dealer, one's own cards, the upcard, and totals by seat."""

    number: int
    contract: str
    dealer: int
    hand: tuple[int, ...]
    top: int | None
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat took an action. Passes are not told: who could claim a discard that nobody claimed has passed.

    `card` is the discard that was taken or claimed or, after one's own draw from the stock, the card drawn; otherwise
    None. `penalty` is one's own penalty card after a claim.
    """

    seat: int
    action: Action
    card: int | None = None
    penalty: int | None = None


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The discards became the new stock, shuffled."""


@dataclass(frozen=True, slots=True)
class Bought:
    """A seat of the knock game bought points off."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandEnded:
    """A hand ended: points by seat, and the seat that closed it (None: a dead hand).

    `ending` says how a knock hand ended.
    """

    points: tuple[int, ...]
    closer: int | None
    ending: str | None = None


Event = HandBegan | Acted | Shuffled | Bought | HandEnded


def copied_event(event: Event) -> Event:
    """Return the event with a copy of its action: the engine shares its own among all hands."""
    if not isinstance(event, Acted):
        return event
    return Acted(event.seat, copied_action(event.action), event.card, event.penalty)


class HandEvents:
    """The events of one hand for one seat, from the actions that the table keeps.

    Cards drawn face down are those by which the seat's hand has grown since it last decided. When the discards become
    the stock follows from how many cards lie in both.
    """

    def __init__(self, rules: Rules, view: EngineView, actions: Actions) -> None:
        self._penalty = rules.kind == "contract" and rules.contracts.claim.penalty != "none"
        self._actions, self._told, self._seat = actions, len(actions), view.seat
        self._stock = view.stock + view.penalty
        self._pile: list[int | None] = [*[None] * (view.pile - 1), *([] if view.top is None else [view.top])]
        self._held = view.hand.cards()

    def new(self, hand: tuple[int, ...] = ()) -> list[Event]:
        """Return the events since the last call; `hand` are the seat's cards if it is to decide.

        Their actions are the engine's own, of which a bot in this process must get copies.
        """
        events: list[Event] = []
        actions = self._actions
        for told in range(self._told, len(actions)):
            seat, action = actions[told]
            if isinstance(action, _SILENT):
                continue
            if isinstance(action, Discard):
                self._pile.append(action.face)
                events.append(Acted(seat, action))
            elif isinstance(action, Buy):
                events.append(Bought(seat))
            else:
                self._add(events, seat, action, hand)
        self._told = len(actions)
        return events

    def decided(self, hand: tuple[int, ...]) -> None:
        """Remember the seat's cards before its action."""
        self._held = hand

    def _add(self, events: list[Event], seat: int, action: Action, hand: tuple[int, ...]) -> None:
        """Add an action that is no discard, after the shuffle that it needed."""
        from_stock = isinstance(action, DrawStock)
        taken = self._pile.pop() if isinstance(action, _TAKING) else None
        drawn = from_stock or (self._penalty and isinstance(action, Claim))
        if drawn and self._takes_from_stock(covered=from_stock):
            events.append(Shuffled())
        if isinstance(action, _CLOSING) and action.face is not None:
            self._pile.append(action.face)
        if not drawn or seat != self._seat or not hand:
            events.append(Acted(seat, action, taken))
            return
        gained = _gained([*self._held, *([] if taken is None else [taken])], hand)
        card = gained[0] if gained else None
        events.append(Acted(seat, action, card) if taken is None else Acted(seat, action, taken, card))

    def _takes_from_stock(self, covered: bool) -> bool:
        """Take a card; return whether all discards, or those under the top one, became the stock first."""
        shuffled = not self._stock
        if shuffled:
            left = 1 if covered else 0
            self._stock = len(self._pile) - left
            self._pile = self._pile[len(self._pile) - left :]
        self._stock -= 1
        return shuffled


def _gained(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """Return the cards that the hand `after` has more often than the hand `before`."""
    rest = list(after)
    for card in before:
        if card in rest:
            rest.remove(card)
    return rest
