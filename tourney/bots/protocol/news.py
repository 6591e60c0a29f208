"""News for a program: the public events of a hand as lines, with its own cards that others do not see."""

from engine.actions import BUY, DrawStock
from tourney.bots.events import Acted, Bought, TableEvent
from tourney.bots.protocol import words


def news_lines(event: TableEvent) -> str:
    """Return the lines of an event between two decisions."""
    if isinstance(event, Acted):
        unseen = event.card if isinstance(event.action, DrawStock) else event.penalty
        got = "" if unseen is None else words.got_line([unseen])
        return words.see_line(event.seat, event.action) + got
    return words.see_line(event.seat, BUY) if isinstance(event, Bought) else words.SHUFFLED
