"""Temporary copies of a database, which hold names: those that a killed program left are deleted by the next command.

Beside the database, in the folder `club.db-copying`, a note has the path of each copy, wherever that is, and a lock
that its program holds. A note whose lock is free belongs to a program that has ended.
"""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from tourney.storage import private, sqlite
from tourney.storage.files.atomic_create import exclusive, flush_folder, lock_wholly, remove

_LOCK, _PART = ".lock", ".part"
_TRIES = 10
"""The tries to make a note: another program that ends may delete the folder of the notes just then."""


@contextmanager
def temporary_copy(path: Path, folder: Path) -> Iterator[Path]:
    """Yield the path of a file in the folder for a copy of the database at `path`; it is deleted after the block.

    Where nothing can be written beside the database, as on a read-only medium, a killed program leaves the file.
    """
    mark = uuid4().hex
    part = folder.absolute() / _name(path, mark)
    with ExitStack() as stack:
        with suppress(OSError, sqlite3.Error):
            _announce(_notes(path), mark, part, stack)
        try:
            yield part
        finally:
            remove(part)


def is_part(path: Path, file: Path) -> bool:
    """Return whether the file is a temporary copy of the database."""
    begin, end = map(re.escape, _name(path, "*").rsplit("*", 1))
    return re.fullmatch(f"{begin}[0-9a-f]{{32}}{end}", file.name) is not None


def sweep(path: Path) -> None:
    """Delete the temporary copies of this database that killed programs left; what cannot be deleted now stays."""
    notes = _notes(path)
    with suppress(OSError):
        private.refuse_folder(notes)
        for lock in notes.glob(f"*{_LOCK}"):
            with suppress(OSError, sqlite3.Error):
                _sweep(path, lock)
        notes.rmdir()


def _name(path: Path, mark: str) -> str:
    """Return the name of a copy, which no other file has."""
    return f"{Path(os.path.realpath(path)).name}-{mark}{_PART}"


def _notes(path: Path) -> Path:
    target = Path(os.path.realpath(path))
    return target.with_name(f"{target.name}-copying")


def _announce(notes: Path, mark: str, part: Path, stack: ExitStack) -> None:
    """Write a note of the copy, which is deleted when the stack is closed."""
    stack.callback(_remove_folder, notes)
    for attempt in range(_TRIES):
        private.make_folder(notes)
        try:
            stack.enter_context(exclusive(notes / f"{mark}{_LOCK}"))
            break
        except OSError:
            if attempt == _TRIES - 1:
                raise
    note = notes / mark
    stack.callback(note.unlink, missing_ok=True)
    with open(note, "x", encoding="utf-8", errors="surrogateescape", opener=private.opener) as file:
        file.write(str(part))
        file.flush()
        os.fsync(file.fileno())
    flush_folder(notes)


def _remove_folder(notes: Path) -> None:
    with suppress(OSError):
        notes.rmdir()


def _sweep(path: Path, lock: Path) -> None:
    """Delete the copy of this lock, and the note, if its program has ended."""
    private.refuse_file(lock)
    private.refuse_beside(lock)
    with closing(sqlite.connected(f"{lock.as_uri()}?mode=rw")) as connection:
        lock_wholly(connection)
        note = lock.with_suffix("")
        if note.exists():
            with open(note, encoding="utf-8", errors="surrogateescape", opener=private.opener) as file:
                part = Path(file.read())
            # A note that was not whole when the power failed, or that came with the database, could name another file.
            if is_part(path, part) and part.name == _name(path, note.name):
                remove(part)
            note.unlink()
        lock.unlink()
