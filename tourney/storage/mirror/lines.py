"""The journal of a mirror as lines of text: `NUMBER HASH TEXT` for each entry, as it stands in the database.

Texts outside the journal that an entry names by their digest stand before it, under its number: `NUMBER record TEXT`
is the record of a game as a JSON string, `NUMBER rows [[row, game, name, place], …]` are imported results.
"""

import errno
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from tourney.storage.journal.canonical import RowsDigest, bounded, sha256
from tourney.storage.journal.entries import FIRST, Entry, chain_hash, parse_entry
from tourney.storage.private import regular

CHUNK = 16_384
"""The bytes at the end of a journal that are read first; most entries are shorter."""
ROWS_A_LINE = 500
MOST_BYTES = 64_000_000
"""The most bytes of a line that is read: the entry of 100,000 imported players has a tenth of that."""
MOST_DAMAGED = 100
"""The most damaged lines that are remembered; a message names five."""
MOST_LOST = 10_000
"""The most lines, one after another, without an entry that are read: the longest import has 600."""
_CHAINS = 3
"""The most hashes from which the chain may go on behind damaged lines."""
_ENTRY = re.compile(rb"(\d{1,15}) ([0-9a-f]{64}) (\{.*\})")
_TEXT = re.compile(rb"(\d{1,15}) (record|rows) (.*)")
BEGINNING = re.compile(rb"\0.*|(1( ([a-z]{0,6}|(record|rows) .*|[0-9a-f]{0,64}|[0-9a-f]{64} (\{.*)?))?)?", re.DOTALL)
"""The beginning of a journal without a whole entry: empty, or its first line was cut off or not flushed."""


class Tail(NamedTuple):
    """The last entry of a journal: its number (0: none), its hash, and the bytes up to the end of its line."""

    number: int
    hash: str
    end: int


@dataclass(frozen=True, slots=True)
class MirroredEntry:
    """An entry of a mirror, with the record and the imported rows that it names."""

    number: int
    hash: str
    text: str
    record: str | None = None
    rows: tuple[tuple[int, int, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class MirroredJournal:
    """The entries of a mirror that are as they were written.

    `damaged` are the numbers of the first lines before the last entry that are not; `after` those of the first whole
    lines behind it, up to MOST_DAMAGED each. A last line that was cut off is none of them. `end` are the bytes up to
    the end of the last entry.
    """

    entries: tuple[MirroredEntry, ...]
    damaged: tuple[int, ...]
    after: tuple[int, ...]
    end: int

    @property
    def tail(self) -> Tail:
        """Return the last entry."""
        if not self.entries:
            return Tail(0, FIRST, 0)
        return Tail(self.entries[-1].number, self.entries[-1].hash, self.end)


def entry_lines(entry: MirroredEntry) -> Iterator[str]:
    """Yield the lines of an entry, with their line ends."""
    if entry.record is not None:
        yield f"{entry.number} record {json.dumps(entry.record, ensure_ascii=False)}\n"
    for start in range(0, len(entry.rows), ROWS_A_LINE):
        rows = json.dumps(entry.rows[start : start + ROWS_A_LINE], separators=(",", ":"), ensure_ascii=False)
        yield f"{entry.number} rows {rows}\n"
    yield f"{entry.number} {entry.hash} {entry.text}\n"


def tail(journal: Path, before: int | None = None) -> Tail:
    """Return the last entry that has a whole line, reading only the end of the file.

    With `before`, only that many bytes at the beginning of the file count. Raises OSError, also for a file that ends
    with more than MOST_BYTES or MOST_LOST lines without an entry.
    """
    with open(journal, "rb", opener=regular) as file:
        size, room = file.seek(0, os.SEEK_END) if before is None else max(before, 0), CHUNK
        while True:
            start = max(size - room, 0)
            file.seek(start)
            found = _last_entry(file.read(size - start), start)
            if found is not None or start == 0:
                return found or Tail(0, FIRST, 0)
            if room > MOST_BYTES:
                raise _too_long()
            room *= 4


def _last_entry(block: bytes, start: int) -> Tail | None:
    """Return the last entry of a block that begins at byte `start`; None if it has no whole one. Raises OSError."""
    end = block.rfind(b"\n") + 1
    for _line in range(MOST_LOST):
        if end == 0:
            return None
        begin = block.rfind(b"\n", 0, end - 1) + 1
        if begin == 0 and start:
            return None
        found = _ENTRY.fullmatch(block[begin : end - 1])
        if found is not None:
            return Tail(int(found[1]), found[2].decode(), start + end)
        end = begin
    raise _too_long()


def _too_long() -> OSError:
    return OSError(errno.EFBIG, os.strerror(errno.EFBIG))


@dataclass(slots=True)
class _Pending:
    """Texts that stand before their entry: their lines, and what they hold."""

    lines: list[int] = field(default_factory=list)
    record: str | None = None
    rows: list[tuple[int, int, str, int]] = field(default_factory=list)

    def add(self, place: int, kind: bytes, text: bytes) -> None:
        """Add a line. Raises ValueError if it cannot be read."""
        try:
            value = json.loads(bounded(_decoded(text)))
        except RecursionError as error:
            raise ValueError(str(error)) from error
        if kind == b"record":
            self.record = _required(value, str)
        else:
            self.rows += [_row(row) for row in _required(value, list)]
        self.lines = _first(self.lines, place)

    def fit(self, entry: Entry) -> bool:
        """Return whether these are the texts that the entry names."""
        return names_texts(entry, self.record, self.rows)


def names_texts(entry: Entry, record: str | None, rows: Iterable[tuple[int, int, str, int]]) -> bool:
    """Return whether the entry names exactly this record and these imported rows by their digests."""
    named, digest = entry.payload.get("record"), RowsDigest()
    if named is not None and (record is None or sha256(record) != named):
        return False
    if entry.kind != "rating.import":
        return True
    for _number, game, name, place in rows:
        digest.add((game,), (name,), (place,))
    return bool(digest.text() == entry.payload["digest"])


def _required(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise ValueError("not as it was written")
    return value


def _row(row: Any) -> tuple[int, int, str, int]:
    number, game, name, place = _required(row, list)
    if [type(value) for value in (number, game, name, place)] != [int, int, str, int]:
        raise ValueError("not as it was written")
    return number, game, name, place


def read_journal(journal: Path) -> MirroredJournal:
    """Read a mirror and check each line. Raises OSError.

    Nothing is read behind a line that is cut off or has more than MOST_BYTES, or behind MOST_LOST without an entry.
    """
    with open(journal, "rb", opener=regular) as file:
        return _read(iter(lambda: file.readline(MOST_BYTES), b""))


def _read(lines: Iterable[bytes]) -> MirroredJournal:
    entries: list[MirroredEntry] = []
    damaged: list[int] = []
    suspect: list[int] = []
    hashes: tuple[str, ...] = (FIRST,)
    pending, number, end, offset, last = _Pending(), 0, 0, 0, 0
    for place, line in enumerate(lines, 1):
        offset += len(line)
        if not line.endswith(b"\n") or place - last > MOST_LOST:
            break
        text = _TEXT.fullmatch(line[:-1])
        if text is not None and _added(pending, place, text):
            continue
        found = _ENTRY.fullmatch(line[:-1])
        entry = None if found is None else _entry(found, number, hashes, pending)
        if entry is None:
            suspect = _first(suspect, *pending.lines, place)
        else:
            lines_lack = entry.number != number + 1 and not suspect
            damaged, suspect, end = _first(damaged, *suspect, *[place] * lines_lack), [], offset
            entries.append(entry)
            number, hashes, last = entry.number, (entry.hash,), place
        if entry is None and found is not None:
            # The chain goes on from the hash that stands there, or from the one that the text gives.
            number = int(found[1])
            by_text = (chain_hash(before, _decoded(found[3])) for before in hashes)
            hashes = (found[2].decode(), *by_text)[:_CHAINS]
        pending = _Pending()
    return MirroredJournal(tuple(entries), tuple(damaged), tuple(suspect), end)


def _added(pending: _Pending, place: int, found: re.Match[bytes]) -> bool:
    try:
        pending.add(place, found[2], found[3])
    except (ValueError, TypeError):
        return False
    return True


def _entry(found: re.Match[bytes], before: int, hashes: Sequence[str], pending: _Pending) -> MirroredEntry | None:
    """Return the entry of a line if it can follow those before it; None for a damaged line."""
    number, digest, text = int(found[1]), found[2].decode(), _decoded(found[3])
    try:
        entry = parse_entry(bounded(text))
        fits = pending.fit(entry)
    except (ValueError, AttributeError, KeyError, TypeError):
        return None
    # Behind lines that cannot be read the hash before is not known.
    follows = digest in [chain_hash(each, text) for each in hashes] if number == before + 1 else number > before + 1
    if not (follows and fits):
        return None
    return MirroredEntry(number, digest, text, pending.record, tuple(pending.rows))


def _first(lines: list[int], *more: int) -> list[int]:
    """Return the first of these numbers of lines: empty lines would take 50 times their file."""
    return [*lines, *more[: MOST_DAMAGED - len(lines)]] if len(lines) < MOST_DAMAGED else lines


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")
