"""Faults of bots: the five ways to fail. For every fault the fallback acts, and the record has its action.

The fallback is the same for all kinds: it passes, draws from the stock, or discards the first card allowed; failing
these, it takes the first legal action. It declines offers. The kinds differ in what becomes of the bot.
"""

from dataclasses import dataclass
from typing import Final

from engine.melds import Refusal

MOST_TEXT = 200
"""The most characters of a fault's text: a bot may say anything, and as much as it likes."""


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One of the ways to fail; after some, the bot is ended, and started again unless it has failed too often."""

    name: str
    ends_bot: bool = False


ILLEGAL: Final = FaultKind("illegal")
"""The answer can be read, and is not a legal action."""
UNREADABLE: Final = FaultKind("unreadable")
"""The answer is no number and no action, is too long, or is not UTF-8."""
SLOW: Final = FaultKind("slow")
"""No answer in time. The bot goes on; its late answer is thrown away."""
STALLED: Final = FaultKind("stalled", ends_bot=True)
"""No answer in time, and none to an earlier question either: the bot is ended."""
DIED: Final = FaultKind("died", ends_bot=True)
"""The bot has ended, or closed its output, or has failed too often."""
RAISED: Final = FaultKind(DIED.name)
"""A class has raised an error, or has exited: counted as a bot that died, but its object plays on."""

NO_ANSWER: Final = "no answer in time"
"""The text of a fault of which no more is known."""


class BotFault(Exception):
    """A bot has failed; the text is cut and printable, and `complete` if nothing of limits is to be added.

    A `grave` fault holds up the league, or ends the bot: after some of them the bot is out of the block.
    """

    def __init__(self, kind: FaultKind, text: str, complete: bool = False, grave: bool = False) -> None:
        super().__init__(cut(text))
        self.kind, self.complete, self.grave = kind, complete, grave or kind.ends_bot


class IllegalChoice(BotFault):
    """A bot has chosen an action, given as text, that the engine refuses."""

    def __init__(self, action: str, refused: Refusal) -> None:
        super().__init__(ILLEGAL, f"{action}: {refused.reason} [{refused.clause}]")
        self.action, self.refused = cut(action), refused


def cut(text: str) -> str:
    """Return the text in one printable line of at most MOST_TEXT characters."""
    line = "".join(char if char.isprintable() else " " for char in text[: 2 * MOST_TEXT])
    line = " ".join(line.split())
    return line if len(line) <= MOST_TEXT else f"{line[: MOST_TEXT - 1]}…"
