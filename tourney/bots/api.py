"""The base class of bots in Python, as authors see it; the engine's own `Bot` is asked with the engine's values."""

from typing import ClassVar

from engine.actions import Action
from engine.bots.parameters import Value
from engine.rules import Rules
from tourney.bots.events import Event
from tourney.bots.values import Legal, Offer, Result, View


class Bot:
    """A player made of code. A bot of your own is a subclass with at least a method `choose`.

    An object is made for each game and seat, and told what happens there. `parameters` gives the parameters that can
    stand behind its name, with their defaults: `mine.py:Mine?risk=3` makes `Mine(risk=3)` if there is
    `parameters = {"risk": 2}`.
    """

    parameters: ClassVar[dict[str, Value]] = {}

    def start(self, rules: Rules, seat: int, seed: str) -> None:
        """Begin a game by these rules at this seat (from 0); all randomness should come from the seed."""

    def see(self, event: Event) -> None:
        """See what happened: called for every event before the next decision, and at the end of a hand."""

    def choose(self, view: View, legal: Legal) -> Action:
        """Return one of the legal actions."""
        raise NotImplementedError(f"{type(self).__name__} has no method `choose`")

    def answer(self, offer: Offer) -> bool:
        """Return whether to buy points off, in the knock game."""
        return False

    def finish(self, result: Result) -> None:
        """See the result of the game."""
