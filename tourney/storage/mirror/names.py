"""The file with the names of people beside the journal of a mirror: rewritten whole, so that erasing reaches it.

Its first line is a JSON object with the database's path and the SHA-256 of the lines that follow, one for each version
of a person's name: `[player, version, name, label, club, checksum]`.
"""

import hashlib
import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from tourney.storage.files.atomic_create import flush_folder
from tourney.storage.journal.canonical import bounded, sha256
from tourney.storage.private import not_ours, opener, regular
from tourney.text.i18n import _

Row = tuple[Any, ...]
MOST_BYTES: Final = 64_000_000
"""The most bytes of a file of names that is read: those of 100,000 people have a quarter of that."""
MOST_LINE: Final = 1_000_000
"""The most bytes of a line: the names of one version of a person have a hundredth of that."""
MOST_NUMBER: Final = 2**63 - 1
"""The highest number that SQLite has."""
_TYPES: Final = [int, int, str, str, str, str]
_HEAD: Final = b'{"database": "'
_BEGINNING: Final = re.compile(_HEAD + rb"|\0*", re.DOTALL)
"""The beginning of a file of names; a file that was being overwritten when the program was killed has zeros."""


@dataclass(frozen=True, slots=True)
class MirroredNames:
    """The path of the database that a mirror belongs to, and the rows of its people's names."""

    database: str
    rows: tuple[Row, ...]


def names_of(journal: Path) -> Path:
    """Return the file with the names that belong to a journal."""
    return journal.with_name(f"{journal.stem}-names{journal.suffix}")


def read_names(journal: Path) -> MirroredNames | None:
    """Return the names beside a journal; None if there are none that are as they were written."""
    return _read(names_of(journal)) or _read(_draft_of(journal))


def write_names(journal: Path, database: str, rows: Sequence[Row]) -> None:
    """Replace the names beside a journal atomically; the former content is overwritten on the disk.

    Raises OSError, also for a file that is not ours or has no names.

    A program that is killed leaves one of the two files whole, and `read_names` finds it.
    """
    target, draft = names_of(journal), _draft_of(journal)
    _refuse_another_kind(target)
    if draft.exists() and _read(target) is None and _read(draft) is not None:
        os.replace(draft, target)
    body = "".join(f"{json.dumps(row, separators=(',', ':'), ensure_ascii=False)}\n" for row in rows)
    head = json.dumps({"database": database, "sha256": sha256(body)}, ensure_ascii=False)
    try:
        draft.unlink(missing_ok=True)
        with open(draft, "xb", opener=opener) as stream:
            _flushed(stream, f"{head}\n{body}".encode())
    except OSError:
        with suppress(OSError):
            draft.unlink()
        raise
    _blank(target)
    os.replace(draft, target)
    flush_folder(journal.parent)


def _draft_of(journal: Path) -> Path:
    target = names_of(journal)
    return target.with_name(f"{target.name}.new")


def _refuse_another_kind(file: Path) -> None:
    """Raise NotOursError for a file that is not ours, or has something other than names."""
    with suppress(FileNotFoundError), open(file, "rb", opener=opener) as stream:
        if not _BEGINNING.fullmatch(stream.read(len(_HEAD))):
            raise not_ours(file, _("it has something other than names of a mirror"))


def _blank(file: Path) -> None:
    """Overwrite the names on the disk."""
    with suppress(FileNotFoundError), open(file, "r+b", opener=opener) as stream:
        _flushed(stream, bytes(os.fstat(stream.fileno()).st_size))


def _flushed(stream: BinaryIO, content: bytes) -> None:
    stream.write(content)
    stream.flush()
    os.fsync(stream.fileno())


def _is_row(row: Row) -> bool:
    """Return whether these are values that a database can have; the checksum may be wrong.

    Raises UnicodeEncodeError for a text that no file can have.
    """
    "".join(row[2:]).encode()
    return [type(value) for value in row] == _TYPES and all(0 <= number <= MOST_NUMBER for number in row[:2])


def _read(file: Path) -> MirroredNames | None:
    try:
        with open(file, "rb", opener=regular) as opened:
            content = opened.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            return None
        head, _line_feed, body = content.partition(b"\n")
        lines = [line for line in body.split(b"\n") if line]
        # As UTF-8 each character of a text with a single wide one would take four bytes; the values are as many so.
        bounded(content.decode("latin-1"))
        if any(len(line) > MOST_LINE for line in (head, *lines)):
            return None
        fields = json.loads(head.decode())
        if fields["sha256"] != hashlib.sha256(body).hexdigest():
            return None
        rows = tuple(tuple(json.loads(line.decode())) for line in lines)
        path = fields["database"]
        path.encode()  # half of a character has no place in a file
        return MirroredNames(path, rows) if all(map(_is_row, rows)) else None
    except (OSError, ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return None
