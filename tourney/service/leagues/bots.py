"""The built-in bots."""

from tourney.rulebook import bot_descriptions, bot_names
from tourney.rulebook.answers import BotEntry


def listing() -> tuple[BotEntry, ...]:
    """The built-in bots, weakest first."""
    does = bot_descriptions()
    return tuple(BotEntry(name, does[name]) for name in bot_names())
