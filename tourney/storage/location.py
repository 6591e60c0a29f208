"""Locate the database: a path or URL from the command line, the environment, or the user's data folder."""

import os
from pathlib import Path
from urllib.parse import unquote

from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage.private import FOLDER
from tourney.text.i18n import _
from tourney.text.names import is_encodable, written_at

VARIABLE = "TOURNEY_DB"
_SCHEME = "sqlite:///"


def locate(db: str | None) -> Path:
    """Return the database's file: `db` if given, else `TOURNEY_DB`, else `tourney.db` in the user's data folder.

    Nothing is created. Raises TourneyError STORAGE for a URL of anything but SQLite, or an empty path.
    """
    given = os.environ.get(VARIABLE) if db is None else db
    if given is None or (db is None and given == ""):
        return _default()
    if given.startswith(_SCHEME):
        given = unquote(given.removeprefix(_SCHEME))
    elif "://" in given:
        scheme = given.partition("://")[0]
        raise TourneyError(
            ExitCode.STORAGE,
            _("a database of the kind “{scheme}” cannot be used").format(scheme=scheme),
            _("give a file such as club.db, or a URL that begins with {scheme}").format(scheme=_SCHEME),
        )
    if given == ":memory:":
        message = _("a database in memory would be gone with the command")
        raise TourneyError(ExitCode.STORAGE, message, _("give a file such as club.db"))
    if not is_encodable(given):
        message = _("the path of the database contains half of a character")
        raise TourneyError(ExitCode.STORAGE, message, _("give a file such as club.db"))
    if not given.strip() or "\0" in given:
        raise TourneyError(ExitCode.STORAGE, _("the path of the database is empty"), _("give a file such as club.db"))
    return Path(given).expanduser()


def is_absent(path: Path) -> bool:
    """Return whether there is no database yet: no file, or an empty one."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def prepare_folder(path: Path) -> None:
    """Create the user's data folder if the database belongs in it; any other folder must exist already.

    Raises TourneyError STORAGE if there is no folder for the file, REFUSED for a link of another user on the way to it.
    """
    written_at(path)
    if path == _default():
        path.parent.mkdir(FOLDER, parents=True, exist_ok=True)
    if not path.parent.is_dir():
        message = _("there is no folder {folder} for the database {name}")
        message = message.format(folder=str(path.parent)[:200], name=path.name[:100])
        raise TourneyError(ExitCode.STORAGE, message, _("make the folder, or name another file with --db"))


def trusted_bots_file() -> Path:
    """Return the file that remembers which bots its user trusts: no database brings it along."""
    return user_folder() / "trusted-bots"


def _default() -> Path:
    return user_folder() / "tourney.db"


def user_folder() -> Path:
    """Return the folder of the user's data on this computer: what is decided there comes with no file of others."""
    from platformdirs import user_data_path

    return user_data_path("tourney", appauthor=False)
