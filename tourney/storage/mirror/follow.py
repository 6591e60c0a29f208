"""Bring mirrors up to date after a change: append the entries that they lack, and flush them to the disk.

An entry is written to a mirror only after its commit, and by one program at a time: a mirror never has an entry that
the database never had, and it has them in order. A program that is killed in between leaves a mirror behind, which the
next one completes.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from warnings import warn

from tourney.domain.errors import ExitCode, TourneyError, TourneyNotice, TourneyWarning
from tourney.storage import sqlite
from tourney.storage.journal.canonical import person_checksum
from tourney.storage.journal.entries import FIRST, Entry, chain_hash, parse_entry
from tourney.storage.mirror.compare import difference
from tourney.storage.mirror.kept import erase_in_kept, set_aside
from tourney.storage.mirror.lines import (
    BEGINNING,
    CHUNK,
    MirroredEntry,
    Tail,
    entry_lines,
    names_texts,
    read_journal,
    tail,
)
from tourney.storage.mirror.names import Row, read_names, write_names
from tourney.storage.mirror.remembered import Mirror, locked, remember, remembered
from tourney.storage.private import not_ours, opener
from tourney.text.i18n import _, ngettext
from tourney.text.names import written_at
from tourney.text.signals import deferred

_ENTRIES = "SELECT number, hash, text FROM act WHERE number > ? ORDER BY number"
_KINDS = "SELECT DISTINCT kind FROM act WHERE number > ?"
_RECORD = "SELECT text FROM record WHERE digest = ?"
_IMPORTED = "SELECT row, game, name, place FROM pool_result WHERE pool_import = ? ORDER BY row"
_PERSONS = "SELECT player, version, name, label, club, checksum FROM person ORDER BY player, version"


def kinds_after(connection: sqlite3.Connection, number: int) -> frozenset[str]:
    """Return the kinds of the entries after that number."""
    return frozenset(kind for (kind,) in connection.execute(_KINDS, (number,)))


def entries_after(connection: sqlite3.Connection, path: Path, last: Tail) -> Iterator[MirroredEntry]:
    """Yield the entries after `last`, with the texts that they name.

    Raises TourneyError STORAGE for the first that is not as it was written: damage must not get into a copy.
    """
    before, head = last.number, last.hash
    for number, digest, text in connection.execute(_ENTRIES, (last.number,)):
        head = chain_hash(head, text)
        if (number, digest) != (before + 1, head):
            raise _damaged(path, before + 1)
        found = _with_texts(connection, number, digest, text)
        if found is None:
            raise _damaged(path, number)
        yield found
        before = number


def _with_texts(connection: sqlite3.Connection, number: int, digest: str, text: str) -> MirroredEntry | None:
    """Return the entry with the record and the imported rows that it names; None if they are not as they were."""
    entry = parse_entry(text)
    record, rows = _record(connection, entry), _imported(connection, entry)
    return MirroredEntry(number, digest, text, record, rows) if names_texts(entry, record, rows) else None


def _record(connection: sqlite3.Connection, entry: Entry) -> str | None:
    if "record" not in entry.payload:
        return None
    found = connection.execute(_RECORD, (entry.payload["record"],)).fetchone()
    return None if found is None else str(found[0])


def _imported(connection: sqlite3.Connection, entry: Entry) -> tuple[tuple[int, int, str, int], ...]:
    if entry.kind != "rating.import":
        return ()
    return tuple(connection.execute(_IMPORTED, (entry.payload["import"],)))


def persons(connection: sqlite3.Connection, path: Path) -> list[Row]:
    """Return every version of people's names. Raises TourneyError STORAGE if one is not as it was written."""
    rows = connection.execute(_PERSONS).fetchall()
    for row in rows:
        if person_checksum(*row[:5]) != row[5]:
            message = _("the database {path} is damaged: the name of player {number} is not as it was written")
            raise TourneyError(ExitCode.STORAGE, message.format(path=path, number=row[0]), _("run `tourney db check`"))
    return rows


def _damaged(path: Path, number: int) -> TourneyError:
    message = _("the database {path} is damaged: change {number} is not as it was written")
    return TourneyError(ExitCode.STORAGE, message.format(path=path, number=number), _("run `tourney db check`"))


AT_ONCE = 16_384
"""The most bytes that are written and flushed together, but for a longer line.

When the power fails, only what was written last may be torn: some sectors of it are on the disk, and some are not.
"""
MOST_COMPARED = 16 * AT_ONCE
"""The most bytes at the end of a mirror that are compared: the rows of a long import are not."""


class DifferingMirrorError(Exception):
    """The mirror has entries that the database does not have."""


def follow(path: Path) -> None:
    """Complete every mirror of the database at `path`. Warn once of one that is away, and tell once that it is back.

    The change that the database has stands in any case.
    """
    if not remembered(path):
        return
    messages: list[TourneyWarning | TourneyNotice] = []
    try:
        with deferred(), locked(path), closing(sqlite.connect(path, "read")) as connection:
            before = remembered(path)
            after = [_followed(connection, path, mirror, messages) for mirror in before]
            if tuple(after) != before:
                remember(path, after)
    except (OSError, sqlite3.Error, TourneyError) as error:
        why = getattr(error, "strerror", None) or error
        messages.append(TourneyWarning(_("the mirrors of {path} are not up to date: {why}").format(path=path, why=why)))
    for message in messages:
        warn(message, stacklevel=2)


def begin_anew(path: Path, head: str) -> None:
    """Let each mirror begin anew, because a backup with this last hash is about to replace the database."""
    if remembered(path):
        with deferred(), locked(path):
            remember(path, [replace(mirror, restored=head) for mirror in remembered(path)])


def _followed(
    connection: sqlite3.Connection, path: Path, mirror: Mirror, messages: list[TourneyWarning | TourneyNotice]
) -> Mirror:
    """Complete a mirror; return how it is to be remembered."""
    try:
        written = complete(connection, path, mirror)
    except DifferingMirrorError:
        # The next command that opens the database refuses it.
        return mirror
    except OSError as error:
        if not mirror.away:
            text = _("the mirror {mirror} is away ({why}): the changes are kept, and written there when it is back")
            messages.append(TourneyWarning(text.format(mirror=mirror.journal, why=error.strerror or error)))
        return replace(mirror, away=True)
    if mirror.away:
        text = ngettext(
            "the mirror {mirror} is back, and complete again: {number} change was written to it",
            "the mirror {mirror} is back, and complete again: {number} changes were written to it",
            written,
        )
        messages.append(TourneyNotice(text.format(mirror=mirror.journal, number=written)))
    return Mirror(mirror.journal)


def complete(connection: sqlite3.Connection, path: Path, mirror: Mirror) -> int:
    """Append what a mirror lacks; return the number of entries.

    Raises OSError, also for a file that is not ours or not a mirror, DifferingMirrorError if it has an entry that the
    database does not have, TourneyError STORAGE for an entry or a name that is not as it was written.
    """
    journal = Path(written_at(os.path.dirname(mirror.journal)), os.path.basename(mirror.journal))
    with sqlite.one_state(connection):
        if mirror.restored is not None:
            _begin(connection, journal, mirror.restored)
        last = _common_end(connection, journal)
        _refuse_another_kind(journal, last)
        kinds = kinds_after(connection, last.number)
        if any(kind.startswith("player.") for kind in kinds) or read_names(journal) is None:
            write_names(journal, str(path.absolute()), persons(connection, path))
        if "player.erase" in kinds:
            erase_in_kept(connection, journal)
        return _append_after(connection, path, journal, _whole_end(connection, path, journal, last) if kinds else last)


def _refuse_another_kind(journal: Path, last: Tail) -> None:
    """Raise NotOursError for a file that is not ours, or has something other than a mirror, which would be cut off."""
    with open(journal, "rb", opener=opener) as file:
        if not last.number and not BEGINNING.fullmatch(file.read(CHUNK)):
            raise not_ours(journal, _("it has something other than a mirror"))


def _append_after(connection: sqlite3.Connection, path: Path, journal: Path, last: Tail) -> int:
    """Append the entries after the last one that the journal has; return their number."""
    end, written, piece = last.end, 0, b""
    for entry in entries_after(connection, path, last):
        written += 1
        for line in map(str.encode, entry_lines(entry)):
            if piece and len(piece) + len(line) > AT_ONCE:
                _append(journal, end, piece)
                end, piece = end + len(piece), b""
            piece += line
    _append(journal, end, piece)
    return written


def _whole_end(connection: sqlite3.Connection, path: Path, journal: Path, last: Tail) -> Tail:
    """Return the last entry, or an earlier one behind which the journal is not as it was written.

    The last line may be there after a loss of power, and lines of the same piece before it not.
    """
    start = tail(journal, last.end - AT_ONCE)
    if not agrees(connection, start):
        start = Tail(0, FIRST, 0)
    if last.end - start.end > MOST_COMPARED:
        return last
    with open(journal, "rb", opener=opener) as file:
        file.seek(start.end)
        try:
            for entry in takewhile(lambda entry: entry.number <= last.number, entries_after(connection, path, start)):
                expected = "".join(entry_lines(entry)).encode()
                if file.read(len(expected)) != expected:
                    return start
                start = Tail(entry.number, entry.hash, start.end + len(expected))
        except TourneyError:
            # The database has an entry that is not as it was written: the journal's own may be the last sound one.
            return last
    return start


def agrees(connection: sqlite3.Connection, last: Tail) -> bool:
    """Return whether the database has the entry."""
    rows = connection.execute("SELECT hash FROM act WHERE number = ?", (last.number,)).fetchall()
    return last.number == 0 or rows == [(last.hash,)]


def _begin(connection: sqlite3.Connection, journal: Path, head: str) -> None:
    """Keep a journal that has other entries than the database under another name, and create an empty one.

    Raises DifferingMirrorError if it differs because the database lacks entries, and not because it was restored.
    """
    if journal.exists():
        with suppress(DifferingMirrorError):
            _common_end(connection, journal)
            return
        hashes = dict(connection.execute("SELECT number, hash FROM act").fetchall())
        if not difference(hashes, journal).is_of_restored(hashes, head):
            raise DifferingMirrorError
    set_aside(journal)


def _common_end(connection: sqlite3.Connection, journal: Path) -> Tail:
    """Return the last entry of the journal, behind which the next goes; a damaged end is passed over."""
    try:
        last = tail(journal)
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        last = read_journal(journal).tail
    if not agrees(connection, last):
        last = read_journal(journal).tail
        if not agrees(connection, last):
            raise DifferingMirrorError
    return last


def _append(journal: Path, end: int, lines: bytes) -> None:
    """Write lines behind the first `end` bytes of the journal; if that fails, it stays as it was.

    Raises OSError.
    """
    if not lines and journal.stat().st_size == end:
        return
    try:
        with open(journal, "r+b", opener=opener) as file:
            file.truncate(end)
            file.seek(end)
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        with suppress(OSError), open(journal, "r+b", opener=opener) as file:
            file.truncate(end)
        raise
