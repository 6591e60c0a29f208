"""The bot `random`: any legal act, each kind of act equally likely."""

from engine.actions import BUY, DECLINE, Action, Answer, LayDown
from engine.games.knock_game import Offer
from engine.hand import Legal
from engine.seeds import Stream
from engine.view import View

LAY_DOWNS = 16
"""Of the lay-downs, which can be very many, it looks at the first few only."""


class RandomBot:
    """Picks a kind of act, then one act of that kind."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def choose(self, view: View, legal: Legal) -> Action:
        """A legal act at random."""
        kinds: dict[type, list[Action]] = {}
        for act in legal:
            kinds.setdefault(type(act), []).append(act)
            if isinstance(act, LayDown) and len(kinds[LayDown]) == LAY_DOWNS:
                break
        return self._stream.choice(self._stream.choice(list(kinds.values())))

    def answer(self, offer: Offer) -> Answer:
        """Buys as often as not."""
        answers: tuple[Answer, ...] = (BUY, DECLINE)
        return self._stream.choice(answers)
