"""Files and folders of ours: only their owner reads them, whatever the umask, since they have everybody's names.

Others can put a file, a link or a folder where one of ours goes. So a new file takes the place of nothing, no link is
followed, and what is there already is used only if it is ours. On Windows, which says no owner, only links are refused.
"""

import errno
import os
import secrets
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_IROTH, S_ISDIR, S_ISLNK, S_ISREG, S_IWGRP, S_IWOTH, S_IXOTH
from typing import TextIO

from tourney.text.i18n import _

FILE, FOLDER = 0o600, 0o700
_NO_LINK, _NO_WAIT = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_NONBLOCK", 0)
_OTHERS_IN_FILES, _OTHERS_IN_FOLDERS = 0o027, 0o022
"""The permissions that are taken from others: all but the group's reading, and writing in folders."""


_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")
"""The end of a journal of SQLite that names a super-journal, by the page “Database File Format” of sqlite.org."""


class NotOursError(PermissionError):
    """Something that is not ours stands where a file or a folder of ours goes."""


def not_ours(path: Path | str, why: str) -> NotOursError:
    """Return the error for a file or a folder that is not used."""
    return NotOursError(errno.ELOOP, why, str(path))


def regular(path: str, flags: int) -> int:
    """Open a file of anybody's as the `opener` of `open`, which never waits as for a pipe. Raises NotOursError."""
    file = os.open(path, flags | _NO_WAIT, FILE)
    if S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise not_ours(path, _("it is not a file"))


def opener(path: str, flags: int) -> int:
    """Open a file as the `opener` of `open`: a new one for its owner alone, or one that is there and ours.

    Not for the mode "w", which empties a file before anybody has looked at it. Raises NotOursError, and OSError as
    `os.open`.
    """
    if not flags & os.O_EXCL:
        with suppress(FileNotFoundError):
            refuse_file(path)
    file = regular(path, flags | _NO_LINK)
    try:
        found = os.fstat(file)
        _refuse(found, path)
        if os.name != "nt" and flags & (os.O_WRONLY | os.O_RDWR) and found.st_mode & _OTHERS_IN_FILES:
            # A stick of Windows has no permissions that could be taken.
            with suppress(OSError):
                os.fchmod(file, S_IMODE(found.st_mode) & ~_OTHERS_IN_FILES)
    except OSError:
        os.close(file)
        raise
    return file


def refuse_file(path: Path | str) -> None:
    """Raise NotOursError for a file that is not ours, FileNotFoundError if there is none."""
    _refuse(os.lstat(path), path)


def refuse_beside(database: Path | str) -> None:
    """Raise NotOursError for what SQLite would read, write or delete with a database, and what is not of it alone.

    These are links, pipes and files with a second name where its logs are; logs of users that may not write the
    database, which SQLite would write into it; and a journal that names another file: SQLite deletes that one, whatever
    it is, as soon as the database is read. Ours never change two files at once.
    """
    real = os.path.realpath(database)
    others = _writers(real)
    for end in ("-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            _refuse(os.lstat(real + end), real + end, others=others)
    with suppress(FileNotFoundError), open(f"{real}-journal", "rb", opener=regular) as file:
        file.seek(max(file.seek(0, os.SEEK_END) - len(_NAMES_ANOTHER), 0))
        if file.read() == _NAMES_ANOTHER:
            raise not_ours(file.name, _("it names another file, which would be deleted"))


def _writers(database: str) -> Collection[int] | None:
    """Return who may write the database besides us; None if its permissions let everybody write it."""
    with suppress(OSError):
        found = os.stat(database)
        if found.st_mode & S_IWOTH:
            return None
        return {found.st_uid, *(_members(found.st_gid) if found.st_mode & S_IWGRP else ())}
    return ()


def _members(group: int) -> Iterator[int]:
    """Yield the users of a group, so far as the computer lists them."""
    try:
        import grp
        import pwd

        names = set(grp.getgrgid(group).gr_mem)
        yield from (user.pw_uid for user in pwd.getpwall() if user.pw_gid == group or user.pw_name in names)
    except (ImportError, KeyError):
        return


def _refuse(
    found: os.stat_result, path: Path | str, *, folder: bool = False, others: Collection[int] | None = ()
) -> None:
    """Raise NotOursError for a link, a file of another user, one with several names, and what is not of the kind."""
    if S_ISLNK(found.st_mode):
        raise not_ours(path, _("it is a link"))
    if not (S_ISDIR if folder else S_ISREG)(found.st_mode):
        raise not_ours(path, _("it is not a folder") if folder else _("it is not a file"))
    if os.name != "nt" and others is not None and found.st_uid not in (os.geteuid(), 0, *others):
        raise not_ours(path, _("it belongs to another user"))
    if not folder and found.st_nlink > 1:
        raise not_ours(path, _("it has a second name elsewhere"))


def create(path: Path) -> None:
    """Create an empty file. Raises FileExistsError if there is one, or a link, whatever it leads to."""
    open(path, "xb", opener=opener).close()


def create_if_missing(path: Path) -> None:
    """Create an empty file, unless there is one of ours. Raises NotOursError if one is not."""
    try:
        create(path)
    except FileExistsError:
        with suppress(FileNotFoundError):
            refuse_file(path)


def make_folder(path: Path) -> None:
    """Make a folder, unless there is one of ours, which others may not write to from now on. Raises NotOursError."""
    try:
        path.mkdir(FOLDER)
    except FileExistsError:
        refuse_folder(path)


def refuse_folder(path: Path) -> None:
    """Raise NotOursError for a folder that is not ours, and take from others the permission to write to one that is."""
    found = os.lstat(path)
    _refuse(found, path, folder=True)
    if os.name != "nt" and found.st_mode & _OTHERS_IN_FOLDERS:
        with suppress(OSError):
            path.chmod(S_IMODE(found.st_mode) & ~_OTHERS_IN_FOLDERS)


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """Yield a new file to write text to, which takes the name when it is on the disk.

    Its first name is random, so that no link that somebody has put there is followed. Raises OSError.
    """
    draft = path.with_name(f"{path.name}-{secrets.token_hex(8)}")
    try:
        with open(draft, "x", encoding="utf-8", opener=opener) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def add_lines(path: Path, lines: Iterable[str]) -> None:
    """Add lines to a file of ours, which is made with its folder if it is missing. Raises OSError."""
    path.parent.mkdir(FOLDER, parents=True, exist_ok=True)
    with open(path, "a", encoding="utf-8", opener=opener) as file:
        file.write("".join(f"{line}\n" for line in lines))


def readable_by_others(path: Path) -> bool:
    """Return whether other users of this computer can read the file, as far as it and its folder say."""
    try:
        return os.name != "nt" and bool(
            path.stat().st_mode & S_IROTH and path.absolute().parent.stat().st_mode & S_IXOTH
        )
    except OSError:
        return False
