"""Dialects of a conversation: the words of the protocol, with their news, or values for a Python class in a process.

A conversation in values has the same greeting, faults and farewell, and one answer to each question; what the guide's
page describes as lines comes as lines `value TEXT` instead, whose text is a pickled value.
"""

import io
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from pickle import HIGHEST_PROTOCOL, Pickler
from typing import Any, Final, Generic, Protocol, TypeVar

from engine.actions import BUY, DECLINE, Action, Answer, DrawStock
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.rules import Rules
from engine.scoring import GameResult, HandResult
from engine.view import View
from tourney.bots.events import Acted, Bought, HandBegan, HandEnded, SeatEvents, TableEvent
from tourney.bots.faults import RAISED, UNREADABLE, BotFault
from tourney.bots.protocol import words
from tourney.bots.values import copied_rules, legal_of, offer_of, result_of, view_of


def news_lines(event: TableEvent) -> str:
    """Return the lines of an event between two decisions."""
    if isinstance(event, Acted):
        unseen = event.card if isinstance(event.action, DrawStock) else event.penalty
        got = "" if unseen is None else words.got_line([unseen])
        return words.see_line(event.seat, event.action) + got
    return words.see_line(event.seat, BUY) if isinstance(event, Bought) else words.SHUFFLED


Decision = TypeVar("Decision", Action, Answer)

ANSWERS: Final[tuple[Answer, ...]] = (BUY, DECLINE)
RULES: Final = "rules"
"""The name of the rules in pickled values: they are sent once."""


@dataclass(frozen=True, slots=True)
class Question(Generic[Decision]):
    """A question as text, and what an answer to it means; `read` raises BotFault for none."""

    text: str
    read: Callable[[str], Decision]


class Dialect(Protocol):
    """The form of everything that is sent to a bot."""

    def game(self, rules: Rules, players: int, seat: int, seed: str, stake: int) -> str:
        """Return what begins a game."""
        ...

    def hand(self, view: View) -> str:
        """Return what begins a hand."""
        ...

    def news(self, events: SeatEvents, hand: tuple[int, ...]) -> str:
        """Return the new events between two decisions; `hand` are the seat's cards if it is to decide."""
        ...

    def ask(self, view: View, legal: Legal) -> Question[Action]:
        """Return the question for an action."""
        ...

    def offer(self, offer: Offer) -> Question[Answer]:
        """Return the question for an answer to an offer."""
        ...

    def result(self, result: HandResult) -> str:
        """Return what ends a hand."""
        ...

    def end(self, result: GameResult) -> str:
        """Return what ends a game."""
        ...


class Words:
    """The words of the protocol."""

    def __init__(self) -> None:
        self._rules: dict[tuple[str, str], str] = {}

    def game(self, rules: Rules, players: int, seat: int, seed: str, stake: int) -> str:
        """Return the lines of the rules, which every game has again, and of the game."""
        known = (rules.id, rules.digest)
        if known not in self._rules:
            self._rules[known] = words.rules_lines(rules)
        return self._rules[known] + words.game_line(players, seat, seed, stake)

    def hand(self, view: View) -> str:
        """Return the lines that begin a hand."""
        return words.hand_lines(view)

    def news(self, events: SeatEvents, hand: tuple[int, ...]) -> str:
        """Return the lines of the events."""
        return events.new_text(news_lines, hand)

    def ask(self, view: View, legal: Legal) -> Question[Action]:
        """Return the legal actions as a numbered list."""
        actions = words.listed(legal)
        text = words.ask_lines(words.PHASES[view.phase], actions)
        return Question(text, lambda line: words.read_action(line, actions, legal))

    def offer(self, offer: Offer) -> Question[Answer]:
        """Return the offer and both answers as a numbered list."""
        text = words.offer_line(offer) + words.ask_lines("offer", ANSWERS)
        return Question(text, lambda line: words.read_offer_answer(line, ANSWERS))

    def result(self, result: HandResult) -> str:
        """Return the line that ends a hand."""
        return words.result_line(result)

    def end(self, result: GameResult) -> str:
        """Return the line that ends a game."""
        return words.end_line(result)


class PickledValues:
    """Pickled values, for one Python class at one seat; what they are, the methods of `tourney.bots.Bot` say."""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._own_rules = rules, copied_rules(rules)

    def game(self, rules: Rules, players: int, seat: int, seed: str, stake: int) -> str:
        """Return the rules, the seat and the seed."""
        return _line(("start", self._own_rules, seat, seed))

    def hand(self, view: View) -> str:
        """Return the event that begins a hand."""
        hand = view.hand.cards()
        return self._line(("see", HandBegan(view.number, view.contract, view.dealer, hand, view.top, view.totals)))

    def news(self, events: SeatEvents, hand: tuple[int, ...]) -> str:
        """Return the events."""
        return events.new_text(_seen_line, hand)

    def ask(self, view: View, legal: Legal) -> Question[Action]:
        """Return the view and the legal actions; the answer is an action's text."""
        text = self._line(("choose", view_of(view), legal_of(self._rules, self._own_rules, legal)))
        return Question(text, lambda line: words.read_action(_decided(line), (), legal))

    def offer(self, offer: Offer) -> Question[Answer]:
        """Return the offer."""
        text = self._line(("answer", offer_of(offer)))
        return Question(text, lambda line: words.read_offer_answer(_decided(line), ANSWERS))

    def result(self, result: HandResult) -> str:
        """Return the event that ends a hand."""
        return self._line(("see", HandEnded(result.points, result.closer, result.ending)))

    def end(self, result: GameResult) -> str:
        """Return the result of the game."""
        return self._line(("finish", result_of(result)))

    def _line(self, value: object) -> str:
        return _line(value, self._own_rules)


class _Pickler(Pickler):
    """A pickler in whose values the rules, which are long, are only named."""

    def __init__(self, file: io.BytesIO, rules: Rules | None) -> None:
        super().__init__(file, HIGHEST_PROTOCOL)
        self._rules = rules

    def persistent_id(self, value: Any) -> str | None:
        """Return the name of the rules, and none for other values."""
        return RULES if value is self._rules and value is not None else None


def _line(value: object, rules: Rules | None = None) -> str:
    pickled = io.BytesIO()
    _Pickler(pickled, rules).dump(value)
    return f"value {b64encode(pickled.getvalue()).decode()}\n"


def _seen_line(event: TableEvent) -> str:
    return _line(("see", event))


def _decided(line: str) -> str:
    """Return the answer of a class. Raises BotFault if it says that the class has failed."""
    word, _blank, problem = line.partition(" ")
    if word == "raised":
        raise BotFault(RAISED, problem)
    if word == "wrong":
        raise BotFault(UNREADABLE, problem)
    return line


WORDS: Final = Words()
