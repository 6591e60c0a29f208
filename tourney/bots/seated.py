"""A bot at a table: what the table tells it and asks it, and how a bot in Python is seated."""

import os
from collections.abc import Callable, Sequence
from typing import Protocol

from engine.actions import BUY, DECLINE, DRAW_STOCK, Action, Answer, DrawDiscard
from engine.games.knock_game import Offer as EngineOffer
from engine.hand import Legal as EngineLegal
from engine.rules import Rules
from engine.scoring import GameResult, HandResult
from engine.view import View as EngineView
from tourney.bots.api import Bot
from tourney.bots.events import Event, HandBegan, HandEnded, SeatEvents, TableEvents, copied_event
from tourney.bots.faults import ILLEGAL, UNREADABLE, BotFault
from tourney.bots.isolation.own_process import end_copies
from tourney.bots.values import copied_rules, legal_of, offer_of, plain_action, result_of, view_of


class SeatedBot(Protocol):
    """A bot from outside at one seat of one game. Any call but the first may raise: that is the bot's fault."""

    asked: int
    """The questions that were put to it; a program's filters answer others."""
    fuel: Sequence[int]
    """The cost of each answer of a module; empty for others."""

    def hand_begins(self, view: EngineView, table: TableEvents) -> None:
        """Begin a hand, seen as dealt; the table's events follow."""
        ...

    def hear(self, view: EngineView) -> None:
        """Hear of a decision of its seat that somebody else takes."""
        ...

    def choose(self, view: EngineView, legal: EngineLegal) -> Action:
        """Return the bot's action, which the hand still has to judge."""
        ...

    def answer(self, offer: EngineOffer) -> Answer:
        """Return whether the bot buys."""
        ...

    def hand_ends(self, result: HandResult) -> None:
        """Tell the end of a hand."""
        ...

    def game_ends(self, result: GameResult) -> None:
        """Tell the end of the game."""
        ...

    def close(self) -> None:
        """Let the bot go, wherever the game is."""
        ...


MOST_IN_TURN = 200
"""The most decisions of a seat in one turn: a bot could lay down and take back for ever."""


MOST_TURNS = 2000
"""The turn of a hand from which on no discard is taken: without it bots could take each other's discards for ever.

Hands of random play have at most 648 turns in 1,700 tried, by all rules.
"""


class TurnLimit:
    """A bot that is asked a limited number of times in one turn; from there on, the turn is not its own.

    In a hand without an end it has to draw from the stock, which brings the end.
    """

    def __init__(self, bot: SeatedBot) -> None:
        self._bot = bot
        self._turn, self._asked = (0, 0), 0
        self.answer = bot.answer

    def choose(self, view: EngineView, legal: EngineLegal) -> Action:
        """Return the bot's action. Raises BotFault beyond the limit, and whatever the bot raises."""
        turn = (view.number, view.turns)
        if turn != self._turn:
            self._turn, self._asked = turn, 0
        self._asked += 1
        if self._asked > MOST_IN_TURN:
            raise BotFault(ILLEGAL, f"the turn has no end: {MOST_IN_TURN} actions in it")
        action = self._bot.choose(view, legal)
        if turn[1] > MOST_TURNS and isinstance(action, DrawDiscard) and DRAW_STOCK in legal:
            raise BotFault(ILLEGAL, f"the hand has no end: {MOST_TURNS} turns in it; draw from the stock")
        return action


class PythonSeat:
    """A bot of a Python class at its seat; the object is made, and hears of the game, at its first decision."""

    def __init__(self, make: Callable[[], Bot], rules: Rules, seat: int, seed: str) -> None:
        self._make, self._rules, self.seat, self._seed = make, rules, seat, seed
        self._own_rules, self._owner = copied_rules(rules), os.getpid()
        self._bot: Bot | None = None
        self._events: SeatEvents | None = None
        self._unseen: list[Event] = []
        self.asked = 0
        self.fuel: Sequence[int] = ()

    def hand_begins(self, view: EngineView, table: TableEvents) -> None:
        """Begin a hand, of which the bot hears with its first decision."""
        self._note(())
        self._events = SeatEvents(view, table)
        hand = view.hand.cards()
        self._unseen.append(HandBegan(view.number, view.contract, view.dealer, hand, view.top, view.totals))

    def hear(self, view: EngineView) -> None:
        """Hear of a decision that somebody else takes."""
        self._decides(view.hand.cards())

    def choose(self, view: EngineView, legal: EngineLegal) -> Action:
        """Return the bot's action. Raises BotFault for an answer that is none, and whatever the bot raises."""
        seen = view_of(view)
        self._decides(seen.hand)
        self.asked += 1
        answer = self._informed().choose(seen, legal_of(self._rules, self._own_rules, legal))
        end_copies(self._owner)
        action = plain_action(answer)
        if action is None:
            raise BotFault(UNREADABLE, f"{type(answer).__name__} is not an action")
        return action

    def answer(self, offer: EngineOffer) -> Answer:
        """Return whether the bot buys. Raises BotFault if it does not say, and whatever the bot raises."""
        self._note(())
        self.asked += 1
        answer = self._informed().answer(offer_of(offer))
        end_copies(self._owner)
        if type(answer) is not bool:
            raise BotFault(UNREADABLE, f"{type(answer).__name__} is neither True nor False")
        return BUY if answer else DECLINE

    def hand_ends(self, result: HandResult) -> None:
        """Tell the bot how the hand ended."""
        self._note(())
        self._unseen.append(HandEnded(result.points, result.closer, result.ending))
        self._informed()

    def game_ends(self, result: GameResult) -> None:
        """Tell the bot the result of the game."""
        self._note(())
        self._informed().finish(result_of(result))

    def close(self) -> None:
        """Do nothing: an object needs no farewell."""

    def _decides(self, hand: tuple[int, ...]) -> None:
        """Note what has happened before a decision, and the cards of the seat that decides."""
        self._note(hand)
        if self._events is not None:
            self._events.decided(hand)

    def _note(self, hand: tuple[int, ...]) -> None:
        """Note what has happened; `hand` are the seat's cards if it is to decide."""
        if self._events is not None:
            self._unseen += map(copied_event, self._events.new(hand))

    def _informed(self) -> Bot:
        """Return the bot, started and told all that has happened. Raises whatever it raises."""
        if self._bot is None:
            bot = self._make()
            bot.start(self._own_rules, self.seat, self._seed)
            self._bot = bot
        unseen, self._unseen = self._unseen, []
        for event in unseen:
            self._bot.see(event)
        return self._bot
