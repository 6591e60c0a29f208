"""News for a program: the public events of a hand as lines, with its own cards that others do not see."""

from collections.abc import Iterable, Iterator

from engine.actions import BUY, DrawStock
from tourney.bots.events import Acted, Bought, Event, Shuffled
from tourney.bots.protocol import words


def news_lines(events: Iterable[Event]) -> str:
    """Return the lines of the events between two decisions."""
    return "".join(line for event in events for line in _lines(event))


def _lines(event: Event) -> Iterator[str]:
    if isinstance(event, Shuffled):
        yield words.SHUFFLED
    elif isinstance(event, Bought):
        yield words.see_line(event.seat, BUY)
    elif isinstance(event, Acted):
        yield words.see_line(event.seat, event.action)
        unseen = event.card if isinstance(event.action, DrawStock) else event.penalty
        if unseen is not None:
            yield words.got_line([unseen])
