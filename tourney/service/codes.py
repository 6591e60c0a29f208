"""Codes of 16 characters on paper and in messages, which say what state was printed or posted.

That of an event is the beginning of the last hash of its own chain, as it is exported; otherwise the journal's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tourney import storage
from tourney.domain.database import CODE_LENGTH
from tourney.domain.errors import TourneyError
from tourney.domain.events import EventSettings
from tourney.service import event_chain
from tourney.service.lookup import find_event

State = TypeVar("State")
CodeOf = Callable[[str | None], str]
"""A function that returns a code of a database."""


def coded(db: str | None, read: Callable[[], State], code_of: CodeOf) -> tuple[State, str]:
    """Return what `read` reads, and the code at that moment: while other programs write, it is read once more."""
    while True:
        before = code_of(db)
        state = read()
        if code_of(db) == before:
            return state, before


def journal_code(db: str | None) -> str:
    """Return the code of the whole database: the beginning of the journal's last hash."""
    with storage.reading(db) as reader:
        return reader.journal.head()[1][:CODE_LENGTH]


def journal_code_if_any(db: str | None) -> str:
    """Return the code of the whole database; empty where there is none that can be read.

    It is for pages that need no database: a file that is missing, damaged or of an older version stops none of them.
    """
    try:
        return journal_code(db)
    except TourneyError:
        return ""


@dataclass(frozen=True, slots=True)
class EventCode:
    """The function that returns an event's code; it raises TourneyError as `find_event` does."""

    event: str | None

    def __call__(self, db: str | None) -> str:
        with storage.reading(db) as reader:
            return event_chain.event_code(reader, find_event(reader, self.event))


def event_code(event: str | None) -> CodeOf:
    """Return the function that returns an event's code."""
    return EventCode(event)


def settings_of(db: str | None, code_of: CodeOf) -> EventSettings | None:
    """Return the settings of the event of this code; None if it is not an event's."""
    if not isinstance(code_of, EventCode):
        return None
    with storage.reading(db) as reader:
        return find_event(reader, code_of.event).settings
