"""Facts about the database file, its folder and its copies; the service judges them."""

import os
import re
import sqlite3
import sys
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tourney.storage import private, sqlite
from tourney.storage.backup.names import folder_of

MOUNTS = Path("/proc/self/mountinfo")


@dataclass(frozen=True, slots=True)
class Journaled:
    """The file's journal mode (`wal` unless changed), its number of entries, and the last one's time in UTC."""

    mode: str
    entries: int
    last: datetime | None


def sqlite_version() -> tuple[int, int, int]:
    """Return the version of SQLite that Python uses here."""
    return sqlite3.sqlite_version_info[:3]


def journaled(path: Path) -> Journaled | None:
    """Return journal mode, number of entries and last time of the file; None if it cannot be read."""
    try:
        with closing(sqlite.connect(path, "read")) as connection:
            kept = str(connection.execute("PRAGMA journal_mode").fetchone()[0])
            mode = "wal" if sqlite.log_alone(path) else kept
            rows = connection.execute("SELECT number, time FROM act ORDER BY number DESC LIMIT 1").fetchall()
        return Journaled(mode, rows[0][0], datetime.fromisoformat(rows[0][1])) if rows else Journaled(mode, 0, None)
    except (sqlite3.Error, ValueError, TypeError):
        return None


def filesystem(path: Path, mounts: Path = MOUNTS) -> str | None:
    """Return the kind of file system that the folder of `path` is on, as `ext4`; `unc` for a Windows share.

    Works on Linux and Windows; returns None if the system does not say.
    """
    folder = path.absolute().parent
    if sys.platform == "win32":
        return "unc" if _remote_drive(folder.drive) else "local"
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    kinds = {_unescaped(line.split()[4]): line.partition(" - ")[2].split()[0] for line in lines}
    resolved = folder.resolve()
    return next((kinds[str(mount)] for mount in (resolved, *resolved.parents) if str(mount) in kinds), None)


def readable_by_others(path: Path) -> tuple[Path, ...]:
    """Return the database, and the folder of its backups, as far as other users of this computer can read them."""
    return tuple(each for each in (path, folder_of(path)) if private.readable_by_others(each))


def _unescaped(mounted: str) -> str:
    """Decode the octal numbers that the kernel writes for blanks in the paths of mounts."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), mounted)


def _remote_drive(drive: str) -> bool:
    """Return whether Windows calls the drive remote: a share, given by its own name or by a letter."""
    import ctypes

    remote = 4
    kernel = getattr(ctypes, "windll", None)
    return drive.startswith("\\\\") or (kernel is not None and kernel.kernel32.GetDriveTypeW(f"{drive}\\") == remote)


def writable(path: Path) -> bool:
    """Return whether the folder, and the file if it exists, can be written."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or sqlite.file_writable(path))
