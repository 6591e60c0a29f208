"""Operations on files as `shim.c` writes them down: read again, and named by what they do and to which kind of file."""

import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

_RECORD = struct.Struct("=IIIIQqQ")
"""Kind, lengths of the two paths, flags, file, offset, length of the data; as in `shim.c`."""


class Kind(IntEnum):
    """Kinds of operations; MARK is a mark of whoever reads them."""

    MARK, OPEN, WRITE, SYNC, TRUNCATE, RENAME, UNLINK, LINK, MKDIR, RMDIR = range(10)


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: its paths, the flags of an opening, the number of the file, an offset or size, and data."""

    kind: Kind
    path: str
    other: str = ""
    flags: int = 0
    file: int = 0
    offset: int = 0
    data: bytes = b""

    @property
    def creates(self) -> bool:
        """Return whether an opening creates a file that is not there."""
        return bool(self.flags & os.O_CREAT)

    @property
    def empties(self) -> bool:
        """Return whether an opening makes the file empty."""
        return bool(self.flags & os.O_TRUNC)

    @property
    def sort(self) -> str:
        """Return in words what is done to which kind of file."""
        return f"{self.kind.name.lower()} {sort_of_file(self.other or self.path)}"


_SORTS = {
    r"-journal": "a rollback journal",
    r"-wal": "a log",
    r"-shm": "the index of a log",
    r"\.part": "a temporary copy",
    r"-copying(/.*)?": "a note of a copy",
    r"-lock": "a lock",
    r"-new": "a new database",
    r"mirrors-[0-9a-f]{32}(-[0-9a-f]+)?": "the list of mirrors",
    r"-mirror-names\.txt.*": "the names of a mirror",
    r"-mirror.*\.txt.*": "a mirror",
    r"-backup-names\.txt.*": "the names of a backup after rounds",
    r"-backup.*\.txt.*": "a backup after rounds",
    r"tourney-backups/[^/]+": "a copy",
    r"/\w+\.db": "a database",
    r"/[\w-]+": "a folder",
}
"""The kinds of files of the program, by the ends of their paths."""


def sort_of_file(path: str) -> str:
    """Return the kind of a file of the program, in words."""
    return next((sort for end, sort in _SORTS.items() if re.search(f"{end}$", path)), "an output")


def operations(log: Path) -> Iterator[Operation]:
    """Yield the operations that were written down, in their order."""
    content = log.read_bytes() if log.exists() else b""
    at = 0
    while at < len(content):
        kind, first, second, flags, file, offset, length = _RECORD.unpack_from(content, at)
        at += _RECORD.size
        parts = []
        for size in (first, second, length):
            parts.append(content[at : at + size])
            at += size
        path, other, data = parts
        yield Operation(Kind(kind), os.fsdecode(path), os.fsdecode(other), flags, file, offset, data)


def mark(log: Path, text: str) -> None:
    """Write a mark behind the operations so far."""
    content = text.encode()
    with open(log, "ab") as file:
        file.write(_RECORD.pack(Kind.MARK, len(content), 0, 0, 0, 0, 0) + content)
