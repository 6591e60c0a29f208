"""Names of backups: those of copies say when they were made, of how many entries, and on which occasion."""

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from tourney.storage.mirror.lines import tail

Occasion = Literal["asked", "round", "upgrade", "restore"]
"""Why a copy was made; after rounds only by earlier versions."""

FOLDER = "tourney-backups"
AUTOMATIC: tuple[Occasion, ...] = ("round", "upgrade")
SUFFIX = "-backup.txt"
_NAME = r"-\d{8}T\d{6}Z-act\d+(?:-(?P<occasion>[a-z]+))?(?:-\d+)?\.db"


class Newest(NamedTuple):
    """A backup: when it was made (UTC), the number of its entries, and its file."""

    time: datetime
    entries: int
    file: Path


def newest_backup(path: Path) -> tuple[datetime, int] | None:
    """Return when the newest backup was made (UTC) and its number of entries; None without one."""
    last = _newest(path)
    return None if last is None else (last.time, last.entries)


def newest(path: Path) -> Path | None:
    """Return the newest backup in that database's folder of backups; None if there is none.

    Files that a restore replaced are not counted: they may be damaged.
    """
    last = _newest(path)
    return None if last is None else last.file


def _newest(path: Path) -> Newest | None:
    found = [each for each in (_newest_copy(path), _round_backup(path)) if each is not None]
    return max(found, key=lambda each: each[:2], default=None)


def _newest_copy(path: Path) -> Newest | None:
    """Return the newest copy, which was checked when it was made."""
    sound = (candidate for candidate in folder_of(path).glob("*") if is_copy(path, candidate, ("asked", *AUTOMATIC)))
    last = max(sound, key=order, default=None)
    if last is None:
        return None
    time, entries, _number = order(last)
    return Newest(datetime.strptime(time, "%Y%m%dT%H%M%S").replace(tzinfo=UTC), entries, last)


def _round_backup(path: Path) -> Newest | None:
    """Return the backup after rounds, which says of itself what it has."""
    file = round_backup_of(path)
    try:
        written, last = file.stat().st_mtime, tail(file)
    except OSError:
        return None
    return Newest(datetime.fromtimestamp(int(written), UTC), last.number, file) if last.number else None


def copies_of(path: Path) -> tuple[Path, ...]:
    """Return every copy in the folder of backups of that database, oldest first."""
    copies = (candidate for candidate in folder_of(path).glob("*") if is_copy(path, candidate, get_args(Occasion)))
    return tuple(sorted(copies, key=order))


def order(copy: Path) -> tuple[str, int, int]:
    """Return the key that sorts copies by age, from the name: time, number of entries, number of the copy."""
    match = re.search(r"-(\d{8}T\d{6})Z-act(\d+)(?:-[a-z]+)?(?:-(\d+))?\.db$", copy.name)
    assert match is not None
    return match[1], int(match[2]), int(match[3] or 1)


def folder_of(path: Path) -> Path:
    """Return the folder of the backups of that database."""
    return path.parent / FOLDER


def round_backup_of(path: Path) -> Path:
    """Return the file of the backup after rounds of that database: its journal as text."""
    return folder_of(path) / f"{Path(os.path.realpath(path)).name}{SUFFIX}"


def is_copy(path: Path, candidate: Path, occasions: tuple[str, ...]) -> bool:
    """Return whether the file is a copy of that database, made on one of these occasions."""
    match = re.fullmatch(re.escape(path.name) + _NAME, candidate.name)
    return match is not None and (match["occasion"] or "asked") in occasions
