"""Find the entry at which a printed code stood: a code is the beginning of a hash, of the journal or of an event."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tourney import storage
from tourney.domain.database import CODE_LENGTH, CodeFound
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.event_chain import all_chains
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
    lines = list(all_chains(entries))
    lengths = {line.event: line.place for line in lines}
    names = reader.events.names()
    for line in lines:
        name = names.get(line.event, str(line.event))
        yield CodeFound(line.hash, name, line.place, lengths[line.event], line.entry.number, line.entry.time)
