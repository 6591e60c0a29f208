"""Bots, which choose an action from what their seat may see. A new one is a module of this folder with a `BOT`."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from engine.bots.bot import Bot, BotKind
from engine.bots.parameters import Value, read_parameters, split_bot, written_parameters
from engine.errors import EngineError
from engine.seeds import Stream

__all__ = ["BOTS", "Bot", "BotKind", "canonical_bot", "make_bot", "read_bot"]

_MODULES = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
_KINDS: list[BotKind] = [module.BOT for module in _MODULES if hasattr(module, "BOT")]

BOTS: Final[dict[str, BotKind]] = {kind.name: kind for kind in sorted(_KINDS, key=lambda kind: kind.strength)}
"""The built-in bots by name, weakest first."""


def make_bot(text: str, seed: str) -> Bot:
    """Return a built-in bot, its randomness from the seed; the text is its name, or a name with parameters.

    Raises EngineError as `read_bot`.
    """
    kind = BOTS.get(text)
    if kind is not None:
        return kind.make(Stream(seed), kind.parameters)
    kind, values = read_bot(text)
    return kind.make(Stream(seed), values)


def read_bot(text: str) -> tuple[BotKind, dict[str, Value]]:
    """Return the built-in bot that a text such as `planner?guarding=off` names, and the values of its parameters.

    Raises EngineError for an unknown name, and as `read_parameters`.
    """
    name, parameters = split_bot(text)
    kind = BOTS.get(name)
    if kind is None:
        raise EngineError(f"there is no bot '{name[:40]}'; the bots are {', '.join(BOTS)}")
    return kind, read_parameters(parameters, kind.parameters)


def canonical_bot(text: str) -> str:
    """Return the one text of a built-in bot with these parameters. Raises EngineError as `read_bot`."""
    kind, values = read_bot(text)
    return kind.name + written_parameters(values, kind.parameters)
