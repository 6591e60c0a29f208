"""Export of a whole event as the text of its file."""

from __future__ import annotations

from dataclasses import dataclass
from warnings import warn

from tourney import storage
from tourney.domain.database import CODE_LENGTH
from tourney.domain.errors import TourneyWarning
from tourney.domain.events import Event
from tourney.service.event_chain import event_chain, file_lines
from tourney.service.lookup import find_event
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class Exported:
    """An event as the text of its file: its numbers of entries and of people, and the code of its chain."""

    event: Event
    text: str
    entries: int
    people: int
    code: str


def exported(db: str | None, event: str | None = None) -> Exported:
    """Return the text of an event's file. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        if found.state == "open" and found.settings.drawn_deals:
            message = _("the file has the seed of the bots' deals, which gives away all cards")
            warn(TourneyWarning(message), stacklevel=2)
        chain = event_chain(reader, found)
        text = "".join(f"{line.hash} {line.text}\n" for line in file_lines(reader, chain))
        return Exported(found, text, len(chain.lines) - 1, len(chain.people), chain.head[:CODE_LENGTH])
