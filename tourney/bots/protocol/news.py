"""News for a program: the public events of a hand as lines, with its own cards that others do not see."""

from collections.abc import Iterable

from engine.actions import BUY, DrawStock
from tourney.bots.events import Acted, Bought, Event, Shuffled
from tourney.bots.protocol import words


def news_lines(events: Iterable[Event]) -> str:
    """Return the lines of the events between two decisions."""
    lines: list[str] = []
    for event in events:
        if isinstance(event, Acted):
            lines.append(words.see_line(event.seat, event.action))
            unseen = event.card if isinstance(event.action, DrawStock) else event.penalty
            if unseen is not None:
                lines.append(words.got_line([unseen]))
        elif isinstance(event, Shuffled):
            lines.append(words.SHUFFLED)
        elif isinstance(event, Bought):
            lines.append(words.see_line(event.seat, BUY))
    return "".join(lines)
