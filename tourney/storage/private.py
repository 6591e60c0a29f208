"""Files and folders that only their owner can read, whatever the umask: they have names and results of everybody."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IROTH, S_IXOTH
from typing import IO, Any

FILE, FOLDER = 0o600, 0o700
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def create(path: Path) -> None:
    """Create an empty file. Raises FileExistsError if there is one, or a link, whatever it leads to."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, FILE))


def create_if_missing(path: Path) -> None:
    """Create an empty file, unless there is one or a link."""
    with suppress(FileExistsError):
        create(path)


@contextmanager
def replacing(path: Path, mode: str = "w") -> Iterator[IO[Any]]:
    """Yield a file to write to, in UTF-8 if it is text, which takes the name when it is on the disk.

    Its first name is random, so that no link that somebody has put there is followed. Raises OSError.
    """
    draft = path.with_name(f"{path.name}-{secrets.token_hex(8)}")
    create(draft)
    try:
        with open(draft, mode, encoding=None if "b" in mode else "utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def readable_by_others(path: Path) -> bool:
    """Return whether other users of this computer can read the file, as far as it and its folder say."""
    try:
        return os.name != "nt" and bool(
            path.stat().st_mode & S_IROTH and path.absolute().parent.stat().st_mode & S_IXOTH
        )
    except OSError:
        return False
