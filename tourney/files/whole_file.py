"""Write files that people name: whole or not at all, and over an existing file only where that was asked for."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import shown, unwritable
from tourney.text.i18n import _
from tourney.text.names import refuse_unnamed, written_at

_DATABASE = b"SQLite format 3\0"


def _private(path: str, flags: int) -> int:
    """Open a file as the `opener` of `open`, a new one for its owner alone."""
    return os.open(path, flags, 0o600)


@dataclass(frozen=True, slots=True)
class WholeFile:
    """A file to be written: its path, and whether it may replace a file that exists."""

    path: str
    force: bool = False

    def refuse(self) -> None:
        """Raise TourneyError if the file cannot be written; called before the work whose outcome goes there.

        USAGE for a path that no file can have, NOT_FOUND for a folder that is not there, CONFLICT where a file exists
        and may not be replaced, as a database never may, REFUSED for a folder or a device, STORAGE where the folder may
        not be written to.
        """
        refuse_unnamed(self.path)
        target = written_at(self.path)
        folder = os.path.dirname(target)
        if not os.path.isdir(folder):
            message = _("{file}: there is no folder {folder}").format(file=self._shown, folder=shown(folder, 200))
            raise TourneyError(ExitCode.NOT_FOUND, message, _("make the folder, or name another"))
        self._refuse_existing(target)
        if not os.access(folder, os.W_OK):
            raise unwritable(self.path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Yield a file to write to, which gets its name when the block has ended without an error.

        Raises TourneyError CONFLICT where a file exists by then and may not be replaced, STORAGE where it cannot be
        written. After any error, and after a kill, the name leads to what it led to before.
        """
        target = written_at(self.path)
        draft = os.path.join(os.path.dirname(target), f".tourney-{secrets.token_hex(8)}")
        opener = _private if self.force and os.path.exists(target) else None
        try:
            with open(draft, "xb", opener=opener) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            self._rename(draft, target)
        except OSError as error:
            raise unwritable(self.path, error) from None
        finally:
            with suppress(OSError):
                os.unlink(draft)

    def write(self, content: bytes) -> None:
        """Write the content. Raises TourneyError as `open` does."""
        with self.open() as file:
            file.write(content)

    def _rename(self, draft: str, target: str) -> None:
        self._refuse_existing(target)
        if self.force:
            # A file that is replaced keeps its permissions; until now only its owner could read the new one.
            with suppress(FileNotFoundError):
                os.chmod(draft, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(draft, target)
            return
        try:
            # Unlike a rename, a link never replaces a file that another program has made meanwhile.
            os.link(draft, target)
        except OSError:
            # It exists; or this is a stick whose file system has no links.
            self._refuse_existing(target)
            os.replace(draft, target)

    def _refuse_existing(self, target: str) -> None:
        try:
            mode = os.lstat(target).st_mode
        except FileNotFoundError:
            return
        except OSError as error:
            raise unwritable(self.path, error) from None
        if not stat.S_ISREG(mode):
            message = _("{file}: this is not a file").format(file=self._shown)
            raise TourneyError(ExitCode.REFUSED, message, _("give the name of a new file"))
        if not self.force:
            message = _("{file} exists already").format(file=self._shown)
            raise TourneyError(ExitCode.CONFLICT, message, _("name another file, or add --force to replace it"))
        if self._is_database(target):
            message = _("{file}: this is a database, which no output replaces").format(file=self._shown)
            raise TourneyError(ExitCode.CONFLICT, message, _("name another file"))

    def _is_database(self, target: str) -> bool:
        try:
            with open(target, "rb") as file:
                return file.read(len(_DATABASE)) == _DATABASE
        except OSError:
            return False

    @property
    def _shown(self) -> str:
        return shown(self.path, 200)
