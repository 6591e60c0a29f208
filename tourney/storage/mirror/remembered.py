"""The note in the user's data folder that says which mirrors a database has.

What is mirrored, and where, is decided on this computer by its user: a note that comes with a database could name any
file. It is outside the database too because one that has lost its log would have lost the knowledge of its mirrors. The
database's path is its name there: a copy elsewhere does not write to the mirrors of the first.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from warnings import warn

from tourney.domain.errors import ExitCode, TourneyError, TourneyWarning
from tourney.storage.files.atomic_create import exclusive, flush_folder
from tourney.storage.location import user_folder
from tourney.storage.private import FOLDER, opener, replacing
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument

_MOST_BYTES: Final = 100_000
_MOST_SHOWN: Final = 3
_told: Final[set[Path]] = set()
"""The notes beside databases that people were told of since the program started."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """A mirror: the path of its journal, whether people were told that it is away, and how the database was restored.

    `restored` is the last hash of a backup that replaced the database since the journal was begun: the journal is then
    kept under another name, and another one begun.
    """

    journal: str
    away: bool = False
    restored: str | None = None


def note_of(path: Path) -> Path:
    """Return the file that names the mirrors of the database at `path`, whatever links lead to it."""
    target = os.path.normcase(os.path.realpath(path))
    return user_folder() / f"mirrors-{sha256(os.fsencode(target)).hexdigest()[:32]}"


def _note_beside(path: Path, end: str = "") -> Path:
    """Return the file beside the database in which earlier versions named its mirrors, or the lock of that name."""
    target = Path(os.path.realpath(path))
    return target.with_name(f"{target.name}-mirrors{end}")


def remembered(path: Path) -> tuple[Mirror, ...]:
    """Return the mirrors of the database. Warn once of others that a note beside it names, which get no changes.

    Raises TourneyError STORAGE if the file that names them is damaged, PermissionError if it may not be read.
    """
    note = note_of(path)
    try:
        found = _mirrors(note)
    except (FileNotFoundError, NotADirectoryError):
        found = ()
    except PermissionError:
        raise
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        message = _("the file {file}, which names the mirrors of the database, is damaged").format(file=note)
        hint = _("forget them with `tourney db mirror remove --db {path}`, then add them again")
        raise TourneyError(ExitCode.STORAGE, message, hint.format(path=quote_argument(str(path)))) from error
    _tell_of_others(path, found)
    return found


def _mirrors(note: Path) -> tuple[Mirror, ...]:
    """Return the mirrors that a note names. Raises OSError, ValueError, KeyError, TypeError or RecursionError."""
    with open(note, "rb", opener=opener) as file:
        found = [_mirror(each) for each in json.loads(file.read(_MOST_BYTES))["mirrors"]]
    return tuple({mirror.journal: mirror for mirror in found}.values())


def _mirror(given: Mapping[str, Any]) -> Mirror:
    """Return a mirror as it stands in the file. Raises ValueError, KeyError or TypeError if there is none."""
    journal = str(given["journal"])
    if "\0" in journal or not os.path.isabs(journal):
        raise ValueError("not a path")
    return Mirror(journal, bool(given["away"]), given["restored"])


def _others(path: Path, known: Sequence[Mirror]) -> list[str]:
    """Return the journals that only the note beside the database names; none if it cannot be read."""
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        return sorted({each.journal for each in _mirrors(_note_beside(path))} - {each.journal for each in known})
    return []


def _tell_of_others(path: Path, known: Sequence[Mirror]) -> None:
    note = _note_beside(path)
    if note in _told or not (others := _others(path, known)):
        return
    _told.add(note)
    text = _(
        "{note} names mirrors that were not added here, and that get no changes ({mirrors}): add those that are yours "
        "with `tourney db mirror add FOLDER --db {path}`, or delete that file"
    )
    shown = ", ".join(journal[:200] for journal in others[:_MOST_SHOWN])
    warn(TourneyWarning(text.format(note=note, mirrors=shown, path=quote_argument(str(path)))), stacklevel=2)


def forget_all(path: Path) -> Path:
    """Remove the file that names the mirrors, damaged as it may be; return its path. Raises OSError."""
    note = note_of(path)
    note.unlink(missing_ok=True)
    return note


def remember(path: Path, mirrors: Sequence[Mirror]) -> None:
    """Write which mirrors the database has; only `locked` programs do so. Raises OSError if that is impossible.

    The note beside the database, where earlier versions had it, is deleted when it names no others.
    """
    note = note_of(path)
    if not mirrors:
        note.unlink(missing_ok=True)
        return
    note.parent.mkdir(FOLDER, parents=True, exist_ok=True)
    with replacing(note) as file:
        content = {"database": str(path.absolute()), "mirrors": [asdict(mirror) for mirror in mirrors]}
        file.write(json.dumps(content, indent=1) + "\n")
    flush_folder(note.parent)
    if not _others(path, mirrors):
        _note_beside(path).unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Run the block in one program at a time, so that mirrors have their lines in order, and each once."""
    with exclusive(_note_beside(path, "-lock")):
        yield
