"""The browsers that are signed in as desks: listed, and ended one by one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from tourney import storage
from tourney.service.web.access import DESK_TIME


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that is signed in: the hash of its key, and since when."""

    hash: str
    since: datetime


def signed_in(db: str | None) -> tuple[SignedIn, ...]:
    """Return the browsers that are signed in, the first first."""
    with storage.reading(db) as reader:
        rows = [row for row in reader.access() if row.kind == "desk" and row.ended is None]
    found = sorted((SignedIn(row.hash, datetime.fromisoformat(row.made)) for row in rows), key=lambda each: each.since)
    return tuple(each for each in found if datetime.now(UTC) - each.since < DESK_TIME)


def end(db: str | None, key_hash: str) -> bool:
    """End the key of one browser; return whether there was one with this hash."""
    with storage.writing(db) as store:
        found = any(row.hash == key_hash and row.kind == "desk" and row.ended is None for row in store.access())
        if found:
            store.end_access([key_hash])
        return found
