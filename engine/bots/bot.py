"""The interface of bots, players made of code, and their entry in the registry `BOTS`."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from engine.actions import Action, Answer
from engine.bots.parameters import Value
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.seeds import Stream
from engine.view import View


class Bot(Protocol):
    """A player made of code: given a view and the legal actions, it returns one of them.

    In the knock game it also answers offers to buy points off.
    """

    def choose(self, view: View, legal: Legal) -> Action:
        """Return the action for the seat of the view."""
        ...

    def answer(self, offer: Offer) -> Answer:
        """Return whether the seat of the offer buys."""
        ...


Make = Callable[[Stream, Mapping[str, Value]], Bot]
"""Makes a bot from a stream of random numbers and the values of its parameters."""


class BotKind(NamedTuple):
    """A built-in bot: its name, how strong it is (lists begin with the weakest), how it plays, how to make one.

    `parameters` are the parameters that can stand behind its name, with their defaults.
    """

    name: str
    strength: int
    description: str
    make: Make
    parameters: Mapping[str, Value] = MappingProxyType({})
