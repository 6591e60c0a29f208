"""Entries of the journal as lines of canonical text, chained by their hashes, without a database.

Entries of version 1 do not say who made them. They stay as they are, so that their hashes hold; every new entry is of
version 2, which has the author under `by`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tourney.storage.journal.canonical import canonical_json, sha256

if TYPE_CHECKING:
    from tourney.domain.database import EntryState

VERSIONS = (1, 2)
FIRST = ""
"""The hash before the first entry."""
PROGRAM = "tourney"
"""The author of entries that the program makes of its own accord, as in the demo."""

Payload = Mapping[str, Any]


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


@dataclass(frozen=True, slots=True)
class LoggedEntry(Entry):
    """An entry with its number, from 1, and whether it stands."""

    number: int
    state: EntryState


def new_id() -> str:
    """Return a random id of 32 hexadecimal digits."""
    return uuid4().hex


def utc_now() -> str:
    """Return the time in UTC, as `2026-11-20T20:53:06.000000Z`."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def entry_text(entry: Entry) -> str:
    """Return the entry as the line that is hashed and kept."""
    fields = {"id": entry.id, "kind": entry.kind, "time": entry.time, "batch": entry.batch, "payload": entry.payload}
    version = {"v": 2, "by": entry.by} if entry.by else {"v": 1}
    return canonical_json(version | fields)


def parse_entry(text: str) -> Entry:
    """Return the entry that a line holds. Raises ValueError for a line that `entry_text` does not write."""
    try:
        fields = json.loads(text)
        version = fields["v"]
        by = fields["by"] if version == 2 else ""
        entry = Entry(fields["id"], fields["kind"], fields["time"], fields["batch"], fields["payload"], by)
        canonical = entry_text(entry)
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError("it is not an entry") from error
    if version not in VERSIONS:
        raise ValueError(f"version {version} of entries is not known here")
    if canonical != text or not isinstance(by, str):
        raise ValueError("it is not canonical text")
    return entry


def chain_hash(before: str, text: str) -> str:
    """Return the hash of an entry: SHA-256 over the hash of the entry before it, a line feed, and its text."""
    return sha256(f"{before}\n{text}")
