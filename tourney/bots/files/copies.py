"""Copies of the files of bots, so that behind a wall runs what was digested, whatever happens to the author's folder.

Each process has a folder of its own for them, which only its user may enter, and deletes it at its end. The folder of a
process that was killed is deleted by the next process that makes one: nobody holds its lock any more.
"""

import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import file_digest
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Final

from tourney.bots.files.own_files import OwnFile, kept_mode
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import OutsideBot
from tourney.text.i18n import _

PREFIX: Final = "tourney-bots-"
"""The beginning of the names of the folders with copies, in the system's temporary folder."""

_copies: dict[tuple[object, ...], str] = {}


def copied(bot: OutsideBot, files: Sequence[OwnFile]) -> OutsideBot:
    """Return the bot with a folder of ours that has copies of its files, those that its digests name.

    Raises TourneyError REFUSED if one has changed or may not be the bot's, NOT_FOUND if one is gone.
    """
    key = os.getpid(), bot.folder, bot.files
    if key not in _copies:
        folder = Path(tempfile.mkdtemp(dir=_root(os.getpid())))
        for file, (name, digest) in zip(files, bot.files, strict=True):
            if _copy(file, folder / name) != digest:
                raise changed(bot, name)
        _copies[key] = str(folder)
    return replace(bot, folder=_copies[key])


def changed(bot: OutsideBot, name: str) -> TourneyError:
    """Return the error for a file of a bot that is not as it was."""
    message = _("{bot} has changed: its file {file} is not as it was").format(bot=bot.name, file=name)
    return TourneyError(ExitCode.REFUSED, message, _("put the old file back, or start a new league"))


def _copy(file: OwnFile, target: Path) -> str:
    """Copy a file, which nobody may write then, and return the copy's digest. Raises TourneyError as `opened`."""
    with file.opened() as source:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as copy:
            shutil.copyfileobj(source, copy)
        target.chmod(kept_mode(os.fstat(source.fileno()).st_mode))
    with target.open("rb") as written:
        return file_digest(written, "sha256").hexdigest()


@cache
def _root(owner: int) -> Path:
    """Return the folder of this process for copies, made and locked, after deleting those without an owner."""
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            _sweep(left)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        if _lock(folder) is not None and folder.is_dir():
            Finalize(None, _delete, (folder, owner), exitpriority=0)
            return folder


def _delete(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Delete a folder of this user whose process has ended. Raises OSError."""
    lock = _lock(folder)
    if lock is not None:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _lock(folder: Path) -> int | None:
    """Return the open folder, locked as long as it is open; None if another process holds it. Raises OSError."""
    import fcntl

    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(place).st_uid == os.getuid():
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return place
    except BlockingIOError:
        pass
    os.close(place)
    return None
