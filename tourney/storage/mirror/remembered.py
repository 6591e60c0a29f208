"""The file beside a database that says which mirrors it has.

It stands outside the database, because a database that has lost its log would have lost the knowledge of its mirrors
too, and because a copy on another computer must not write to the mirrors of the first.
"""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage.files.atomic_create import exclusive, flush_folder
from tourney.storage.private import replacing
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument


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
    target = Path(os.path.realpath(path))
    return target.with_name(f"{target.name}-mirrors")


def remembered(path: Path) -> tuple[Mirror, ...]:
    """Return the mirrors of the database.

    Raises TourneyError STORAGE if the file that names them is damaged, PermissionError if it may not be read.
    """
    note = note_of(path)
    try:
        found = [_mirror(each) for each in json.loads(note.read_bytes())["mirrors"]]
        return tuple({mirror.journal: mirror for mirror in found}.values())
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except PermissionError:
        raise
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        message = _("the file {file}, which names the mirrors of the database, is damaged").format(file=note)
        hint = _("forget them with `tourney db mirror remove --db {path}`, then add them again")
        raise TourneyError(ExitCode.STORAGE, message, hint.format(path=quote_argument(str(path)))) from error


def _mirror(given: Mapping[str, Any]) -> Mirror:
    """Return a mirror as it stands in the file. Raises ValueError, KeyError or TypeError if there is none."""
    journal = str(given["journal"])
    if "\0" in journal or not os.path.isabs(journal):
        raise ValueError("not a path")
    return Mirror(journal, bool(given["away"]), given["restored"])


def forget_all(path: Path) -> Path:
    """Remove the file that names the mirrors, damaged as it may be; return its path.

    A folder in its place is given another name. Raises OSError.
    """
    note = note_of(path)
    if note.is_dir():
        note.rename(tempfile.mkdtemp(dir=note.parent, prefix=f"{note.name}-"))
    else:
        note.unlink(missing_ok=True)
    return note


def remember(path: Path, mirrors: Sequence[Mirror]) -> None:
    """Write which mirrors the database has; only `locked` programs do so. Raises OSError if that is impossible."""
    note = note_of(path)
    if not mirrors:
        note.unlink(missing_ok=True)
        return
    with replacing(note) as file:
        file.write(json.dumps({"mirrors": [asdict(mirror) for mirror in mirrors]}, indent=1) + "\n")
    flush_folder(note.parent)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Run the block in one program at a time, so that mirrors have their lines in order, and each once."""
    note = note_of(path)
    with exclusive(note.with_name(f"{note.name}-lock")):
        yield
