"""Bots: each chooses an act from what its seat may see."""

from typing import Protocol

from engine.actions import Action, Answer
from engine.errors import EngineError
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.seeds import Stream
from engine.view import View


class Bot(Protocol):
    """A player made of code. It gets a view and the legal acts, and returns one of them.

    In the knock game it also answers offers of points to be bought off.
    """

    def choose(self, view: View, legal: Legal) -> Action:
        """The act for the seat of the view."""
        ...

    def answer(self, offer: Offer) -> Answer:
        """Whether the seat of the offer buys."""
        ...


NAMES = ("random", "greedy", "planner", "search")
"""The built-in bots, weakest first."""

DESCRIPTIONS = {
    "random": "any legal act, each kind of act equally likely",
    "greedy": "lays down or knocks when it can, keeps what shortens its way, throws what costs most and helps least",
    "planner": "as greedy, but claims more for long contracts, counts what would help, keeps from others what fits",
    "search": "as planner, unless another act turns out cheaper in up to 256 deals played to their end; thinks long",
}


def make_bot(name: str, seed: str) -> Bot:
    """The built-in bot of that name, its own randomness from the seed; EngineError if there is none."""
    stream = Stream(seed)
    if name == "random":
        from engine.bots.random import RandomBot

        return RandomBot(stream)
    if name == "greedy":
        from engine.bots.greedy import GreedyBot

        return GreedyBot()
    if name == "planner":
        from engine.bots.planner import PlannerBot

        return PlannerBot()
    if name == "search":
        from engine.bots.search import SearchBot

        return SearchBot(stream)
    raise EngineError(f"there is no bot '{name}'; the bots are {', '.join(NAMES)}")
