"""The browsers that are signed in as desks: listed, and ended one by one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tourney import storage
from tourney.service.web.access import is_desk, with_made_keys


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that is signed in: the hash of its key, and since when."""

    hash: str
    since: datetime


def signed_in(db: str | None, run: str = "") -> tuple[SignedIn, ...]:
    """Return the browsers that are signed in while this run of the program lasts, the first first."""
    with storage.reading(db) as reader:
        rows = [row for row in reader.outside.access() if is_desk(row, run)]
    found = (SignedIn(row.hash, datetime.fromisoformat(row.made)) for row in rows)
    return tuple(sorted(found, key=lambda each: each.since))


def end(db: str | None, key_hash: str) -> bool:
    """End the key of one browser, and those that it has made; return whether there was one with this hash."""
    with storage.writing(db) as store:
        found = any(row.hash == key_hash and row.kind == "desk" and row.ended is None for row in store.outside.access())
        if found:
            store.outside.end_access(with_made_keys(store, key_hash))
        return found
