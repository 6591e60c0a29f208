"""Names of backups and mirrors: the name of a copy says when it was made, of how many entries, and why."""

import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage.mirror.lines import tail
from tourney.storage.private import refuse_file
from tourney.text.i18n import _
from tourney.text.names import refuse_unnamed, written_at
from tourney.text.sanitize import quote_argument

Occasion = Literal["asked", "round", "upgrade", "restore"]
"""Why a copy was made; after rounds only by earlier versions."""

FOLDER = "tourney-backups"
AUTOMATIC: tuple[Occasion, ...] = ("round", "upgrade")
SUFFIX = "-backup.txt"
MIRROR_SUFFIX = "-mirror.txt"
MOST_SHOWN = 200
"""The most characters of a path, or of names, in a message."""
_NAME = r"-(?P<time>[0-9]{8}T[0-9]{6})Z-act(?P<entries>[0-9]+)(?:-(?P<occasion>[a-z]+))?(?:-(?P<number>[0-9]+))?\.db"


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
    sound = (copy for copy in copies_of(path) if is_copy(path, copy, ("asked", *AUTOMATIC)))
    last = max(sound, key=order, default=None)
    if last is None:
        return None
    time, entries, _number = order(last)
    return Newest(_time(time), entries, last)


def _round_backup(path: Path) -> Newest | None:
    """Return the backup after rounds, which says of itself what it has."""
    file = round_backup_of(path)
    try:
        refuse_file(file)
        written, last = file.stat().st_mtime, tail(file)
    except OSError:
        return None
    return Newest(datetime.fromtimestamp(int(written), UTC), last.number, file) if last.number else None


def copies_of(path: Path) -> tuple[Path, ...]:
    """Return every copy of ours in the folder of backups of that database, oldest first."""
    copies = (candidate for candidate in folder_of(path).glob("*") if is_copy(path, candidate, get_args(Occasion)))
    return tuple(sorted(filter(_is_ours, copies), key=order))


def _is_ours(file: Path) -> bool:
    with suppress(OSError):
        refuse_file(file)
        return True
    return False


def order(copy: Path) -> tuple[str, int, int]:
    """Return the key that sorts copies by age, from the name: time, number of entries, number of the copy."""
    match = re.search(f"{_NAME}$", copy.name)
    assert match is not None
    return match["time"], int(match["entries"]), int(match["number"] or 1)


def folder_of(path: Path) -> Path:
    """Return the folder of the backups of that database."""
    return path.parent / FOLDER


def round_backup_of(path: Path) -> Path:
    """Return the file of the backup after rounds of that database: its journal as text."""
    return folder_of(path) / f"{Path(os.path.realpath(path)).name}{SUFFIX}"


def is_copy(path: Path, candidate: Path, occasions: tuple[str, ...]) -> bool:
    """Return whether the file is a copy of that database, made on one of these occasions."""
    match = re.fullmatch(re.escape(path.name) + _NAME, candidate.name)
    return match is not None and (match["occasion"] or "asked") in occasions and _is_time(match["time"])


def _is_time(text: str) -> bool:
    with suppress(ValueError):
        return bool(_time(text))
    return False


def _time(text: str) -> datetime:
    return datetime.strptime(text, "%Y%m%dT%H%M%S").replace(tzinfo=UTC)


def journal_in(path: Path, given: str, which: Literal["new", "existing"]) -> Path:
    """Return the journal that `given` names: itself, or, in a folder, the journal of the database at `path`.

    For a database that has none in the folder, an `existing` one is the only journal that is there. Raises TourneyError
    NOT_FOUND if there is no folder or no journal, REFUSED if there are several, if the file cannot be one, and for a
    new one behind a link of another user.
    """
    refuse_unnamed(given)
    place = Path(os.path.abspath(Path(given).expanduser()))
    if which == "new":
        written_at(place)
    if os.path.isfile(place) and place.name.endswith(MIRROR_SUFFIX):
        return place
    if not os.path.isdir(place):  # False too for a name that no system can have, where Path.is_dir() may raise
        message = _("there is no folder {folder} for a mirror").format(folder=given[:MOST_SHOWN])
        raise TourneyError(ExitCode.NOT_FOUND, message, _("put the stick in, or name another folder"))
    own = place / f"{Path(os.path.realpath(path)).name}{MIRROR_SUFFIX}"
    return own if which == "new" or own.exists() else _only(place)


def _only(folder: Path) -> Path:
    found = sorted(folder.glob(f"*{MIRROR_SUFFIX}"))
    if not found:
        message = _("there is no mirror in {folder}").format(folder=folder)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("name the folder given to `tourney db mirror add`"))
    if len(found) > 1:
        names = ", ".join(file.name for file in found)[:MOST_SHOWN]
        message = _("there are several mirrors in {folder}: {names}").format(folder=folder, names=names)
        hint = _("name one: `tourney db restore --mirror {file}`").format(file=quote_argument(str(found[0])))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return found[0]
