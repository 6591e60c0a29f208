"""Write files that people name and that grow for hours: what is written is soon on the disk, and stays there."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import BinaryIO, Final

from tourney.domain.errors import ExitCode
from tourney.text.i18n import _
from tourney.text.names import written_at

SYNC_SECONDS: Final = 1.0
"""The longest time until a written line is on the disk."""


class NotWritten(Exception):
    """The file cannot be written any more; what was on the disk stays. `reason` is a sentence without its end."""

    def __init__(self, code: ExitCode, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class GrowingFile:
    """A file that takes its name once it has what was there before, and then grows.

    Every method raises NotWritten: STORAGE where the disk is full or forbids it, CONFLICT where the file was deleted
    meanwhile, or another program has written one of its name.
    """

    def __init__(self, path: str) -> None:
        self._path = written_at(path)
        self._draft = os.path.join(os.path.dirname(self._path), f".tourney-{secrets.token_hex(8)}")
        self._published = False
        self._synced = monotonic()
        with _reported():
            self._file: BinaryIO = open(self._draft, "xb")  # noqa: SIM115 - `close` does

    def write(self, text: str) -> None:
        """Add a text."""
        with _reported():
            self._file.write(text.encode())
        if monotonic() - self._synced > SYNC_SECONDS:
            self.sync()

    def publish(self) -> None:
        """Give the file its name."""
        self.sync()
        with _reported():
            # Windows renames no open file.
            self._file.close()
            os.replace(self._draft, self._path)
            self._file = open(self._path, "ab", opener=_no_link)  # noqa: SIM115 - as above
        self._published = True

    def sync(self) -> None:
        """Bring what was written to the disk."""
        with _reported():
            self._file.flush()
            os.fsync(self._file.fileno())
        self._synced = monotonic()
        if self._published and not self._is_in_place():
            raise NotWritten(ExitCode.CONFLICT, _("the file was deleted, or another program has written it"))

    def close(self) -> None:
        """Close the file; a draft is deleted."""
        with suppress(OSError):
            self._file.close()
        if not self._published:
            with suppress(OSError):
                os.unlink(self._draft)

    def _is_in_place(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(self._path))
        except OSError:
            return False


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = _("the file cannot be written ({why})").format(why=error.strerror or error)
        raise NotWritten(ExitCode.STORAGE, reason) from None
