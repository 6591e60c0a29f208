"""Names of copies of the database: they say when a copy was made, of how many entries, and on which occasion."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

Occasion = Literal["asked", "round", "upgrade", "restore"]

FOLDER = "tourney-backups"
AUTOMATIC: tuple[Occasion, ...] = ("round", "upgrade")
_NAME = r"-\d{8}T\d{6}Z-act\d+(?:-(?P<occasion>[a-z]+))?(?:-\d+)?\.db"


def newest_backup(path: Path) -> tuple[datetime, int] | None:
    """Return when the newest backup was made (UTC) and its number of entries, both from its name; None without one."""
    last = newest(path)
    if last is None:
        return None
    time, entries, _number = order(last)
    return datetime.strptime(time, "%Y%m%dT%H%M%S").replace(tzinfo=UTC), entries


def newest(path: Path) -> Path | None:
    """Return the newest copy, checked when it was made, in that database's folder of backups; None if there is none.

    Files that a restore replaced are not counted: they may be damaged.
    """
    sound = (candidate for candidate in folder_of(path).glob("*") if is_copy(path, candidate, ("asked", *AUTOMATIC)))
    return max(sound, key=order, default=None)


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


def is_copy(path: Path, candidate: Path, occasions: tuple[str, ...]) -> bool:
    """Return whether the file is a copy of that database, made on one of these occasions."""
    match = re.fullmatch(re.escape(path.name) + _NAME, candidate.name)
    return match is not None and (match["occasion"] or "asked") in occasions
