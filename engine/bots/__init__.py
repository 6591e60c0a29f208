"""Bots, which choose an action from what their seat may see. A new one is a module whose `BOT` is listed here."""

from typing import Final

from engine.bots import greedy, planner, random, search
from engine.bots.bot import Bot, BotKind
from engine.errors import EngineError
from engine.seeds import Stream

__all__ = ["BOTS", "Bot", "BotKind", "make_bot"]

BOTS: Final[dict[str, BotKind]] = {kind.name: kind for kind in (random.BOT, greedy.BOT, planner.BOT, search.BOT)}
"""The built-in bots by name, weakest first."""


def make_bot(name: str, seed: str) -> Bot:
    """Return a built-in bot of that name, its randomness from the seed; EngineError for an unknown name."""
    kind = BOTS.get(name)
    if kind is None:
        raise EngineError(f"there is no bot '{name}'; the bots are {', '.join(BOTS)}")
    return kind.make(Stream(seed))
