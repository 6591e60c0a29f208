"""Find the journal of a mirror in a folder that a person names."""

import os
from pathlib import Path
from typing import Literal

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.text.names import refuse_unnamed, written_at
from tourney.text.sanitize import quote_argument

SUFFIX = "-mirror.txt"
MOST_SHOWN = 200
"""The most characters of a path, or of names, in a message."""


def journal_in(path: Path, given: str, which: Literal["new", "existing"]) -> Path:
    """Return the journal that `given` names: itself, or in a folder that of the database at `path`.

    For a database that has none in the folder, an `existing` one is the only journal that is there. Raises TourneyError
    NOT_FOUND if there is no folder or no journal, REFUSED if there are several, if the file cannot be one, and for a
    new one behind a link of another user.
    """
    refuse_unnamed(given)
    place = Path(os.path.abspath(Path(given).expanduser()))
    if which == "new":
        written_at(place)
    if os.path.isfile(place) and place.name.endswith(SUFFIX):
        return place
    if not os.path.isdir(place):  # False too for a name that no system can have, where Path.is_dir() may raise
        message = _("there is no folder {folder} for a mirror").format(folder=given[:MOST_SHOWN])
        raise TourneyError(ExitCode.NOT_FOUND, message, _("put the stick in, or name another folder"))
    own = place / f"{Path(os.path.realpath(path)).name}{SUFFIX}"
    return own if which == "new" or own.exists() else _only(place)


def _only(folder: Path) -> Path:
    found = sorted(folder.glob(f"*{SUFFIX}"))
    if not found:
        message = _("there is no mirror in {folder}").format(folder=folder)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("name the folder given to `tourney db mirror add`"))
    if len(found) > 1:
        names = ", ".join(file.name for file in found)[:MOST_SHOWN]
        message = _("there are several mirrors in {folder}: {names}").format(folder=folder, names=names)
        hint = _("name one: `tourney db restore --mirror {file}`").format(file=quote_argument(str(found[0])))
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return found[0]
