"""Public events of a hand, told to each seat with its own cards and without those of others."""

from collections.abc import Callable, Sequence
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


TableEvent = Acted | Shuffled | Bought
Event = HandBegan | TableEvent | HandEnded


def copied_event(event: TableEvent) -> TableEvent:
    """Return a copy of an event of the table: seats share events, and the engine shares actions among all hands."""
    if isinstance(event, Acted):
        return Acted(event.seat, copied_action(event.action), event.card, event.penalty)
    return Bought(event.seat) if isinstance(event, Bought) else Shuffled()


class TableEvents:
    """The events of one hand that everybody sees, from the actions that the table keeps; all seats share them.

    `view` is that of any seat when the hand begins. When the discards become the stock follows from how many cards lie
    in both.
    """

    def __init__(self, view: EngineView, actions: Actions) -> None:
        self._penalty = view.rules.kind == "contract" and view.rules.contracts.claim.penalty != "none"
        self._actions, self._read = actions, len(actions)
        self._stock = view.stock + view.penalty
        self._pile: list[int | None] = [*[None] * (view.pile - 1), *([] if view.top is None else [view.top])]
        self._events: list[TableEvent] = []
        self._texts: dict[Callable[[TableEvent], str], list[str]] = {}
        self._last_draws: dict[int, int] = {}

    def since(self, number: int) -> list[TableEvent]:
        """Return the events from that number on."""
        if self._read < len(self._actions):
            for seat, action in self._actions[self._read :]:
                self._add(seat, action)
            self._read = len(self._actions)
        return self._events[number:]

    def texts_since(self, number: int, text: Callable[[TableEvent], str]) -> list[str]:
        """Return the texts of the events from that number on; each is made once for all seats."""
        texts = self._texts.setdefault(text, [])
        texts += map(text, self.since(len(texts)))
        return texts[number:]

    def last_draw(self, seat: int) -> int:
        """Return the number of the last event in which the seat took a card face down; -1 if there is none."""
        return self._last_draws.get(seat, -1)

    def _add(self, seat: int, action: Action | Answer) -> None:
        if isinstance(action, _SILENT):
            return
        if isinstance(action, Discard):
            self._pile.append(action.face)
            self._events.append(Acted(seat, action))
        elif isinstance(action, Buy):
            self._events.append(Bought(seat))
        else:
            self._add_other(seat, action)

    def _add_other(self, seat: int, action: Action) -> None:
        """Add an action that is no discard, after the shuffle that it needed."""
        from_stock = isinstance(action, DrawStock)
        taken = self._pile.pop() if isinstance(action, _TAKING) else None
        if from_stock or (self._penalty and isinstance(action, Claim)):
            if self._takes_from_stock(covered=from_stock):
                self._events.append(Shuffled())
            self._last_draws[seat] = len(self._events)
        if isinstance(action, _CLOSING) and action.face is not None:
            self._pile.append(action.face)
        self._events.append(Acted(seat, action, taken))

    def _takes_from_stock(self, covered: bool) -> bool:
        """Take a card; return whether all discards, or those under the top one, became the stock first."""
        shuffled = not self._stock
        if shuffled:
            left = 1 if covered else 0
            self._stock = len(self._pile) - left
            self._pile = self._pile[len(self._pile) - left :]
        self._stock -= 1
        return shuffled


class SeatEvents:
    """The events of one hand for one seat, with the cards that it drew.

    Cards drawn face down are those by which the seat's hand has grown since it last decided; it decides after each.
    """

    def __init__(self, view: EngineView, table: TableEvents) -> None:
        self._table, self._seat = table, view.seat
        self._heard = len(table.since(0))
        self._held = view.hand.cards()

    def new(self, hand: tuple[int, ...] = ()) -> list[TableEvent]:
        """Return the events since the last call; `hand` are the seat's cards if it is to decide.

        The table's events and the engine's actions are in them, of which a bot in this process must get copies.
        """
        events = self._table.since(self._heard)
        drawn = self._table.last_draw(self._seat) - self._heard
        if hand and drawn >= 0:
            events[drawn] = self._with_drawn(events[drawn], hand)
        self._heard += len(events)
        return events

    def new_text(self, text: Callable[[TableEvent], str], hand: tuple[int, ...] = ()) -> str:
        """Return the text of the events that `new` would return; `text` is that of one event."""
        texts = self._table.texts_since(self._heard, text)
        drawn = self._table.last_draw(self._seat) - self._heard
        if hand and drawn >= 0:
            (event, *_later) = self._table.since(self._heard + drawn)
            texts[drawn] = text(self._with_drawn(event, hand))
        self._heard += len(texts)
        return "".join(texts)

    def decided(self, hand: tuple[int, ...]) -> None:
        """Remember the seat's cards before its action."""
        self._held = hand

    def _with_drawn(self, event: TableEvent, hand: tuple[int, ...]) -> TableEvent:
        """Return the seat's draw with the card that it got."""
        assert isinstance(event, Acted)
        before = self._held if event.card is None else (*self._held, event.card)
        card = sum(hand) - sum(before) if len(hand) > len(before) else None
        return Acted(event.seat, event.action, *((card,) if event.card is None else (event.card, card)))
