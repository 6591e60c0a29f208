"""Files of bots from outside: regular files in the bot's folder, reached without a link.

An archive or a clone of an author may hold links to whatever the organiser can read. So a file is opened component by
component from its folder, and none of them may be a link.
"""

import errno
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import OutsideBot
from tourney.text.i18n import _

MOST_BYTES: Final = 256 << 20
"""The most bytes of a bot's files together; each process that plays the bot has a copy."""
MOST_FILES: Final = 1_000
"""The most files of a bot."""
_READ: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file of a bot, which must lie in its folder; None: a program or an installed module may lie anywhere."""

    path: Path
    folder: Path | None

    @property
    def name(self) -> str:
        """The path without what differs from machine to machine."""
        inside = self.folder is not None and self.path.is_relative_to(self.folder)
        return self.path.relative_to(self.folder).as_posix() if inside and self.folder else self.path.name

    def opened(self) -> BufferedReader:
        """Open the file. Raises TourneyError REFUSED if the bot may not have it, NOT_FOUND if it cannot be read."""
        try:
            number = os.open(self.path, _READ) if self.folder is None else self._opened_inside(self.folder)
        except OSError as error:
            raise _unreadable(self.path, error) from None
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            os.close(number)
            raise _not_a_file(self.path, found)
        if found.st_size > MOST_BYTES:
            os.close(number)
            message = _("the bot's file {path} has more than {most} bytes")
            raise _refused(message.format(path=self.path, most=MOST_BYTES))
        return os.fdopen(number, "rb")

    def digest(self) -> str:
        """Return the SHA-256 of the file. Raises TourneyError as `opened`."""
        with self.opened() as file:
            return file_digest(file, "sha256").hexdigest()

    def _opened_inside(self, folder: Path) -> int:
        """Open the file from its folder on. Raises TourneyError REFUSED for a link, or a file outside of the folder."""
        if not self.path.is_relative_to(folder) or ".." in self.path.relative_to(folder).parts:
            message = _("the bot's file {path} lies outside its folder {folder}")
            raise _refused(message.format(path=self.path, folder=folder))
        parts = self.path.relative_to(folder).parts
        for length in range(1, len(parts) + 1):
            _refuse_link(folder.joinpath(*parts[:length]))
        return _opened_from(folder, parts) if os.open in os.supports_dir_fd else os.open(self.path, _READ)


def _opened_from(folder: Path, parts: Sequence[str]) -> int:
    """Open a file of a folder so that nobody can put a link in its way meanwhile. Raises OSError."""
    place = os.open(folder, os.O_RDONLY)
    for number, part in enumerate(parts, 1):
        try:
            after = os.open(part, _READ | _NO_LINK | (0 if number == len(parts) else os.O_DIRECTORY), dir_fd=place)
        finally:
            os.close(place)
        place = after
    return place


def _refuse_link(path: Path) -> None:
    """Raise TourneyError REFUSED, with its target, for a link."""
    if path.is_symlink():
        message = _("the bot's file {path} is a link to {target}").format(path=path, target=os.readlink(path))
        raise _refused(message)


def _not_a_file(path: Path, found: os.stat_result) -> TourneyError:
    refused = _refused(_("the bot's file {path} is not a regular file").format(path=path))
    if not stat.S_ISDIR(found.st_mode):
        return refused
    hint = _("name the file in this folder that is to run or to be read: what else is in it could change")
    return TourneyError(refused.code, refused.message, hint)


def _refused(message: str) -> TourneyError:
    hint = _("a bot may read only regular files in its own folder: put the file itself there, or name another one")
    return TourneyError(ExitCode.REFUSED, message, hint)


def _unreadable(path: Path, error: OSError) -> TourneyError:
    message = _("the bot's file {path} cannot be read: {reason}").format(path=path, reason=error.strerror)
    if error.errno == errno.ENOENT:
        message = _("there is no file {path}").format(path=path)
    return TourneyError(ExitCode.NOT_FOUND, message, _("check the path; it counts from the folder you are in"))


def kept_mode(mode: int) -> int:
    """Return the permissions of a copy: its owner may read it, and run it if the owner of the file may; no more."""
    return stat.S_IRUSR | mode & stat.S_IXUSR


def with_digests(files: Sequence[OwnFile]) -> tuple[tuple[str, str], ...]:
    """Return the names of files, each with its digest. Raises TourneyError as `OwnFile.opened`, or for too many."""
    return tuple([(file.name, file.digest()) for file in _within_bounds(tuple(dict.fromkeys(files)))])


def _within_bounds(files: tuple[OwnFile, ...]) -> tuple[OwnFile, ...]:
    """Return the files of a bot. Raises TourneyError REFUSED for too many, or for too many bytes together."""
    bytes_ = sum(file.path.lstat().st_size for file in files if file.path.is_file())
    # One file alone is refused by its name when it is opened.
    if len(files) > MOST_FILES or (len(files) > 1 and bytes_ > MOST_BYTES):
        message = _("the bot at {path} has {files} files, {bytes} bytes; {most_files} and {most_bytes} are the most")
        shown = files[0].folder or files[0].path
        said = message.format(path=shown, files=len(files), bytes=bytes_, most_files=MOST_FILES, most_bytes=MOST_BYTES)
        raise TourneyError(ExitCode.REFUSED, said, _("name only the files that the bot needs to play"))
    return files


def files_of(bot: OutsideBot, known: Sequence[OwnFile]) -> tuple[OwnFile, ...]:
    """Return the files of a bot where they lie: in its folder, or where `known` ones of that name are."""
    folder = Path(bot.folder)
    elsewhere = {file.path.name: file for file in known}
    return _within_bounds(
        tuple([_place(OwnFile(folder / name, folder), elsewhere.get(name)) for name, _digest in bot.files])
    )


def _place(file: OwnFile, elsewhere: OwnFile | None) -> OwnFile:
    return file if elsewhere is None or file.path.is_file() else elsewhere
