"""Entries of the journal as lines of canonical text, chained by their hashes, without a database.

Entries of version 1 do not say who made them. They stay as they are, so that their hashes hold; every new entry is of
version 2, which has the author under `by`. An entry of version 3 was made in another database and came with its event:
it keeps its time and author, belongs to the command that imported it, and has its `origin`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tourney.storage.journal.canonical import canonical_json, sha256
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.domain.database import EntryState

FIRST_YEAR, LAST_YEAR = "1970", "9998"
"""The years of entries."""
VERSIONS = (1, 2, 3)
FIRST = ""
"""The hash before the first entry."""
PROGRAM = "tourney"
"""The author of entries that the program makes of its own accord, as in the demo."""

Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of an imported entry: its id and batch where it was made, and its state when it was imported.

    An entry that did not stand then does nothing here. `name` is the name that it gave its event, where the import has
    given the event another one.
    """

    id: str
    batch: str
    state: EntryState
    name: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One change. `batch` is the id of the first entry of its command; a command is undone as a whole.

    `by` says who made it: a desk, a table's phone, or the user of the command line; "" for an entry of version 1.
    """

    id: str
    kind: str
    time: str
    batch: str
    payload: Payload
    by: str
    origin: Origin | None = field(default=None, kw_only=True)

    @property
    def is_past(self) -> bool:
        """Return whether the entry did not stand when it was imported: it is kept, and does nothing."""
        return self.origin is not None and self.origin.state != "stands"


@dataclass(frozen=True, slots=True)
class LoggedEntry(Entry):
    """An entry with its number, from 1, and whether it stands."""

    number: int
    state: EntryState

    @classmethod
    def of(cls, entry: Entry, number: int, state: EntryState) -> LoggedEntry:
        """Return the entry with its number and state."""
        fields = {name: getattr(entry, name) for name in Entry.__slots__}
        return cls(**fields, number=number, state=state)


def new_id() -> str:
    """Return a random id of 32 hexadecimal digits."""
    return uuid4().hex


def utc_now() -> str:
    """Return the time in UTC, as `2026-11-20T20:53:06.000000Z`."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def entry_text(entry: Entry) -> str:
    """Return the entry as the line that is hashed and kept."""
    fields = {"id": entry.id, "kind": entry.kind, "time": entry.time, "batch": entry.batch, "payload": entry.payload}
    if entry.origin is not None:
        return canonical_json({**fields, "v": 3, "by": entry.by, "origin": asdict(entry.origin)})
    version = {"v": 2, "by": entry.by} if entry.by else {"v": 1}
    return canonical_json(version | fields)


def is_of_calendar(time: str) -> bool:
    """Return whether a time (UTC, ISO 8601) is one of every time zone: years 1 and 9999 would end where it is shown."""
    return FIRST_YEAR <= time[:4] <= LAST_YEAR


def parse_entry(text: str) -> Entry:
    """Return the entry that a line holds. Raises ValueError for a line that `entry_text` does not write."""
    try:
        fields = json.loads(text)
        version = fields["v"]
        by = fields["by"] if version >= 2 else ""
        origin = Origin(**fields["origin"]) if version == 3 else None
        entry = Entry(
            fields["id"], fields["kind"], fields["time"], fields["batch"], fields["payload"], by, origin=origin
        )
        canonical = entry_text(entry)
        if not is_of_calendar(entry.time):
            raise ValueError(_("it is not an entry"))
    except (KeyError, TypeError, RecursionError, json.JSONDecodeError) as error:
        raise ValueError(_("it is not an entry")) from error
    if version not in VERSIONS:
        raise ValueError(_("version {version} of entries is not known here").format(version=version))
    if canonical != text or not isinstance(by, str):
        raise ValueError(_("it is not canonical text"))
    return entry


def read_again(text: str) -> Entry:
    """Return the entry of a text that `parse_entry` has accepted before, in a third of the time."""
    fields = json.loads(text)
    origin = Origin(**fields["origin"]) if "origin" in fields else None
    chosen = {name: fields[name] for name in ("id", "kind", "time", "batch", "payload")}
    return Entry(**chosen, by=fields.get("by", ""), origin=origin)


def chain_hash(before: str, text: str) -> str:
    """Return the hash of an entry: SHA-256 over the hash of the entry before it, a line feed, and its text."""
    return sha256(f"{before}\n{text}")
