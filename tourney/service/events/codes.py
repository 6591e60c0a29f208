"""Codes on paper and in messages, which say what state was printed: made, and the entry of one found.

The code of an event is the beginning of the last hash of its own chain, as it is exported. All others are the
journal's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from tourney import storage
from tourney.domain.database import CODE_LENGTH, CodeFound
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import EventSettings
from tourney.service.events import event_chain
from tourney.service.lookup import find_event
from tourney.text.i18n import _

_CODE: Final = re.compile(r"[0-9a-f]{16,64}")


def read_code(typed: str) -> str:
    """Return a code of 16 digits, or a whole hash, without spaces and capitals. Raises TourneyError USAGE."""
    code = "".join(typed.split()).lower()
    if not _CODE.fullmatch(code):
        message = _("“{text}” is not a code").format(text=typed[:80])
        hint = _("a code has {n} digits from 0 to 9 and a to f, as printed pages have it").format(n=CODE_LENGTH)
        raise TourneyError(ExitCode.USAGE, message, hint)
    return code


def find_code(db: str | None, code: str) -> CodeFound:
    """Return the entry after which the journal or an event had this code, as `read_code` returns it.

    Raises TourneyError NOT_FOUND if no entry has it: it was mistyped, it is from another database, or an entry up to it
    has been changed since.
    """
    with storage.reading(db) as reader:
        found = next((found for found in _all_codes(reader) if found.hash.startswith(code)), None)
    if found is None:
        message = _("no change of the database {path} gave the code {code}").format(path=storage.locate(db), code=code)
        hint = _(
            "compare the digits; if they are right, the code is from another database, or this one was changed "
            "without tourney: `tourney db restore` brings back a backup"
        )
        raise TourneyError(ExitCode.NOT_FOUND, message, hint)
    return found


def _all_codes(reader: storage.Reader) -> Iterator[CodeFound]:
    """Yield all codes that the journal and its events have had: first the journal's, then those of events."""
    entries, hashes = list(reader.journal.entries()), list(reader.journal.hashes())
    for entry, hash_ in zip(entries, hashes, strict=True):
        yield CodeFound(hash_, "", entry.number, len(entries), entry.number, entry.time)
    lines = list(event_chain.all_chains(entries))
    lengths = {line.event: line.place for line in lines}
    names = reader.events.names()
    for line in lines:
        name = names.get(line.event, str(line.event))
        yield CodeFound(line.hash, name, line.place, lengths[line.event], line.entry.number, line.entry.time)


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
