"""The built-in bots."""

from dataclasses import dataclass

from tourney.games import bot_descriptions, bot_names


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A built-in bot and what it does, in one sentence."""

    name: str
    does: str


def listing() -> tuple[BotEntry, ...]:
    """The built-in bots, weakest first."""
    does = bot_descriptions()
    return tuple(BotEntry(name, does[name]) for name in bot_names())
