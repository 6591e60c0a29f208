"""Create a database atomically: under a temporary name, until the file is complete and gets its own.

The command that creates the file may be refused, and the file is then deleted. If other programs had it open by its
final name, their journal would share a name with that of the next file, and SQLite would delete the wrong one. So no
other program opens the file before it is complete.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path

from tourney.storage import private, sqlite


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Yield the path at which to create the database; after the block it has its own name, or is deleted.

    Other programs that want to create it wait. If one of them was first, the path is the final one and the file exists.
    Raises sqlite3.OperationalError if the wait is too long, OSError if the folder cannot be written.
    """
    target = Path(os.path.realpath(path))
    with exclusive(target.with_name(f"{target.name}-lock")):
        if target.exists():
            yield path
            return
        draft = target.with_name(f"{target.name}-new")
        # Left by a program that was killed; or a log whose database was deleted.
        remove(draft)
        remove(target)
        try:
            private.create(draft)
            yield draft
            draft.rename(target)
            flush_folder(target.parent)
        finally:
            remove(draft)


@contextmanager
def exclusive(lock: Path) -> Iterator[None]:
    """Run the block in one program at a time. Nothing is written to the lock.

    Raises sqlite3.OperationalError if the wait is too long, OSError if the folder cannot be written or the lock is not
    ours.
    """
    with ExitStack() as stack:
        while not _locked(lock, stack):
            pass
        try:
            yield
        finally:
            # Where an open file cannot be deleted, it stays, empty.
            with suppress(PermissionError):
                lock.unlink()


def _locked(lock: Path, stack: ExitStack) -> bool:
    """Wait for the lock; return False if its holder deleted it meanwhile, since another program may hold a new one."""
    private.create_if_missing(lock)
    private.refuse_beside(lock)
    before = _identity(lock)
    with ExitStack() as attempt:
        # Without any waiting of SQLite's own, in which one of many programs may starve.
        connection = attempt.enter_context(closing(sqlite.connected(lock)))
        try:
            sqlite.until_free(partial(lock_wholly, connection))
        except sqlite3.OperationalError:
            # SQLite reports an error for a file that is gone.
            if _identity(lock) == before:
                raise
            return False
        if _identity(lock) != before:
            return False
        stack.push(attempt.pop_all())
    return True


def lock_wholly(connection: sqlite3.Connection) -> None:
    """Lock every other program out of a lock. Raises sqlite3.OperationalError if another has it.

    SQLite makes a journal for it, which in a file would outlive a program that is killed when it has deleted the lock.
    """
    connection.execute("PRAGMA journal_mode = MEMORY")
    connection.execute("BEGIN EXCLUSIVE")


def _identity(path: Path) -> tuple[int, int] | None:
    """Return which file the path leads to, by device and number; None if there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def remove(path: Path) -> None:
    """Delete a database, and what SQLite keeps beside it."""
    for end in ("", "-journal", "-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)


def flush_folder(folder: Path) -> None:
    """Flush the folder's names to the disk where the system can, so that a new one survives a power cut."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
