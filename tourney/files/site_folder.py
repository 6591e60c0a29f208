"""Write a static site into a folder: all of it or nothing, and never over or instead of a file of somebody else's."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from shutil import rmtree
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import shown, unwritable
from tourney.text.i18n import _
from tourney.text.names import refuse_unnamed, written_at

MARK: Final = b'content="tourney"'
"""The text by which a file is known as one of a site; it stands at the beginning of each."""
FRONT: Final = "index.html"
_DRAFT: Final = ".tourney-site"
"""The folder inside the folder in which a site is written before it takes the place of an older one."""
_BEGINNING: Final = 400


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """A folder for a site; with `force` it may have other files beside those of a site, which stay."""

    path: str
    force: bool = False

    def refuse(self) -> None:
        """Raise TourneyError if no site may be written there; called before the work whose outcome goes there.

        USAGE for a path that no folder can have, NOT_FOUND where the folder above is missing, REFUSED for a file,
        CONFLICT for a folder with files that are not of a site, unless `force` allows that.
        """
        refuse_unnamed(self.path)
        above = os.path.dirname(self._target)
        if not os.path.isdir(above):
            message = _("{folder}: there is no folder {above}").format(folder=self._shown, above=shown(above, 200))
            raise TourneyError(ExitCode.NOT_FOUND, message, _("make the folder, or name another"))
        if not os.path.lexists(self._target):
            return
        if not os.path.isdir(self._target):
            message = _("{file}: this is not a folder").format(file=self._shown)
            raise TourneyError(ExitCode.REFUSED, message, _("give the name of a new folder"))
        self._refuse_of_others(("",))
        self._refuse_others()

    def _refuse_of_others(self, folders: Iterable[str]) -> None:
        """Raise TourneyError REFUSED for a folder of another user, who may put a link where it is meanwhile."""
        for folder in map(self._file, folders):
            if os.name != "nt" and os.path.lexists(folder) and os.lstat(folder).st_uid not in (os.geteuid(), 0):
                message = _("{folder} is a folder of another user").format(folder=shown(folder, 200))
                raise TourneyError(ExitCode.REFUSED, message, _("name a folder of your own"))

    def write(self, files: Mapping[str, bytes]) -> None:
        """Write these files, and delete those of an older site that are not among them.

        Raises TourneyError as `refuse` does, CONFLICT where somebody else's file has the name of one of these, and
        STORAGE if they cannot be written; the folder is then as it was before.
        """
        self.refuse()
        files = marked(files)
        self._refuse_of_others({*_folders(files), *self._parts()})
        self._refuse_taken(files)
        draft = os.path.join(self._target, _DRAFT)
        is_new = not os.path.lexists(self._target)
        try:
            with suppress(FileNotFoundError):
                rmtree(draft)
            os.makedirs(draft, 0o700)
            self._write_draft(draft, files)
        except OSError as error:
            self._take_back(draft, files, is_new)
            raise unwritable(self.path, error) from None
        try:
            self._put_in_place(draft, files)
        except OSError as error:
            raise unwritable(self.path, error) from None

    def _write_draft(self, draft: str, files: Mapping[str, bytes]) -> None:
        for file, content in files.items():
            path = os.path.join(draft, *file.split("/"))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "xb") as written:
                written.write(content)
                written.flush()
                os.fsync(written.fileno())
        # Folders take room, too, which the renaming of files does not.
        for folder in _folders(files):
            os.makedirs(self._file(folder), exist_ok=True)

    def _take_back(self, draft: str, files: Iterable[str], is_new: bool) -> None:
        rmtree(draft, ignore_errors=True)
        self._remove_empty(_folders(files))
        if is_new:
            with suppress(OSError):
                os.rmdir(self._target)

    def _remove_empty(self, folders: Iterable[str]) -> None:
        for folder in folders:
            with suppress(OSError):  # one that has files, or is missing
                os.rmdir(self._file(folder))

    def _put_in_place(self, draft: str, files: Mapping[str, bytes]) -> None:
        """Rename each file to its place, which takes no room, the front page last; then delete what is too much."""
        for file in sorted(files, key=lambda each: (each == FRONT, each)):
            os.replace(os.path.join(draft, *file.split("/")), self._file(file))
        older = [file for file in self._ours() if file not in files]
        for file in older:
            os.unlink(self._file(file))
        self._remove_empty(_folders(older))
        rmtree(draft, ignore_errors=True)

    def _refuse_others(self) -> None:
        """Raise TourneyError CONFLICT for a folder that is neither empty nor one of a site."""
        try:
            found = [name for name in sorted(os.listdir(self._target)) if not self._is_part(name)]
        except OSError as error:
            raise unwritable(self.path, error) from None
        if not found or self.force or _is_ours(self._file(FRONT)):
            return
        message = _("{folder} has files that are not of a site, such as {file}")
        hint = _("name another folder, or add --force to put the site next to them")
        text = message.format(folder=self._shown, file=shown(found[0], 80))
        raise TourneyError(ExitCode.CONFLICT, text, hint)

    def _is_part(self, name: str) -> bool:
        """Return whether a file is of a site, or a folder is empty or has a page of one."""
        path = self._file(name)
        if not _is_folder(path):
            return _is_ours(path)
        try:
            pages = os.listdir(path)
        except OSError:
            # A folder that nobody may look into, as some sticks have one.
            return False
        return name == _DRAFT or not pages or any(self._is_page(f"{name}/{page}") for page in pages)

    def _is_page(self, file: str) -> bool:
        """Return whether a file is a page of a site with the name which that gave it: a copy has another."""
        return file.endswith(".html") and _is_ours(self._file(file), _mark_of(file))

    def _parts(self) -> Iterator[str]:
        """Yield the folders that a site has."""
        names = os.listdir(self._target) if os.path.isdir(self._target) else []
        yield from (name for name in names if name != _DRAFT and _is_folder(self._file(name)) and self._is_part(name))

    def _refuse_taken(self, files: Mapping[str, bytes]) -> None:
        """Raise TourneyError CONFLICT if something that is not of a site is where a file or folder may go.

        A link to a folder is refused, too: it leads to files that are not a part of this site.
        """
        folders = [folder for folder in (_DRAFT, *_folders(files)) if not _is_folder(self._file(folder))]
        others = [file for file in files if not _is_ours(self._file(file))]
        taken = [name for name in (*folders, *others) if os.path.lexists(self._file(name))]
        if taken:
            file = shown(self._file(min(taken)), 200)
            message = _("{file} is not of a site, and would be replaced").format(file=file)
            raise TourneyError(ExitCode.CONFLICT, message, _("move it away, or name another folder"))

    def _ours(self) -> Iterator[str]:
        """Yield the pages of an older site."""
        for folder in ("", *self._parts()):
            names = os.listdir(self._file(folder))
            yield from filter(self._is_page, (f"{folder}/{name}" if folder else name for name in names))

    def _file(self, file: str) -> str:
        return os.path.join(self._target, *file.split("/"))

    @property
    def _target(self) -> str:
        return written_at(self.path)

    @property
    def _shown(self) -> str:
        return shown(self.path, 200)


def _folders(files: Iterable[str]) -> set[str]:
    """Return the folders that these files need inside that of the site."""
    return {file.rpartition("/")[0] for file in files} - {""}


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def marked(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a site in which each page says its own name, by which a later site knows it."""
    return {file: content.replace(MARK, _mark_of(file), 1) for file, content in files.items()}


def _mark_of(file: str) -> bytes:
    """Return the mark of one page, which says its name."""
    return MARK + f' data-file="{escape(file)}"'.encode() if file.endswith(".html") else MARK


def _is_ours(path: str, mark: bytes = MARK) -> bool:
    """Return whether this is a file of a site."""
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return mark in file.read(_BEGINNING)
    except OSError:
        return False
