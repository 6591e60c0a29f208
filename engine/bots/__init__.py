"""Bots, which choose an action from what their seat may see. A new one is a module of this folder with a `BOT`."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from engine.bots.bot import Bot, BotKind
from engine.errors import EngineError
from engine.seeds import Stream

__all__ = ["BOTS", "Bot", "BotKind", "make_bot"]

_MODULES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
_KINDS: list[BotKind] = [module.BOT for module in _MODULES if hasattr(module, "BOT")]

BOTS: Final[dict[str, BotKind]] = {kind.name: kind for kind in sorted(_KINDS, key=lambda kind: kind.strength)}
"""The built-in bots by name, weakest first."""


def make_bot(name: str, seed: str) -> Bot:
    """Return a built-in bot of that name, its randomness from the seed; EngineError for an unknown name."""
    kind = BOTS.get(name)
    if kind is None:
        raise EngineError(f"there is no bot '{name}'; the bots are {', '.join(BOTS)}")
    return kind.make(Stream(seed))
