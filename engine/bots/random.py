"""The bot `random`: any legal action, each kind of action equally likely."""

from typing import Final

from engine.actions import BUY, DECLINE, Action, Answer, LayDown
from engine.bots.bot import BotKind
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.seeds import Stream
from engine.text import marked
from engine.view import View

MAX_LAY_DOWNS = 16
"""The most lay-downs among which the bot chooses, since there can be millions."""


class RandomBot:
    """The bot that picks a kind of action at random, then one action of that kind."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def choose(self, view: View, legal: Legal) -> Action:
        """Return a legal action at random."""
        kinds: dict[type, list[Action]] = {}
        for action in legal:
            kinds.setdefault(type(action), []).append(action)
            if isinstance(action, LayDown) and len(kinds[LayDown]) == MAX_LAY_DOWNS:
                break
        return self._stream.choice(self._stream.choice(list(kinds.values())))

    def answer(self, offer: Offer) -> Answer:
        """Return whether to buy, at random."""
        answers: tuple[Answer, ...] = (BUY, DECLINE)
        return self._stream.choice(answers)


BOT: Final[BotKind] = BotKind(
    "random",
    0,
    marked("any legal action, each kind of action equally likely"),
    lambda stream, _values: RandomBot(stream),
)
