"""A disk that loses its power: of what was not flushed, some is there afterwards and some is not.

The model is stricter than most file systems. A folder's names are on the disk once the folder has been flushed; later
ones are there up to some point of their order, as a file system with a journal keeps them. What was written to a file
is on the disk once the file has been flushed; of each later write every sector may be there, or not.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.harness.disk.operations import Kind, Operation

SECTOR = 512


@dataclass(slots=True)
class _File:
    """The content of a file that is surely on the disk, and the writes and cuts since, in their order."""

    flushed: bytearray = field(default_factory=bytearray)
    later: list[tuple[int, bytes | None]] = field(default_factory=list)
    """The offset and data of a write; the size and None of a cut."""

    def flush(self) -> None:
        for offset, data in self.later:
            _apply(self.flushed, offset, data)
        self.later.clear()

    def after_loss(self, rng: random.Random) -> bytes:
        """Return what the disk has after the power was lost."""
        content, kept = bytearray(self.flushed), rng.choice((0.0, 0.5, 0.5, 0.9, 1.0))
        for offset, data in self.later:
            if data is None:
                if rng.random() < kept:
                    _apply(content, offset, None)
                continue
            at = offset
            while at < offset + len(data):
                end = min(offset + len(data), (at // SECTOR + 1) * SECTOR)
                if rng.random() < kept:
                    _apply(content, at, data[at - offset : end - offset])
                at = end
        return bytes(content)


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if data is None:
        del content[offset:]
    content.extend(bytes(max(0, offset - len(content))))
    if data is not None:
        content[offset : offset + len(data)] = data


@dataclass(frozen=True, slots=True)
class _Name:
    """A change of names: a path leads to a file or a folder, or to nothing any more (None)."""

    changes: Mapping[str, "_File | str | None"]


_FOLDER = "a folder"


class Disk:
    """The files below a folder: as programs see them, and as a loss of power leaves them."""

    def __init__(self, folder: Path, before: Path, *, flushes: bool = True) -> None:
        """Begin with what a copy of the folder has, all of it on the disk. Without `flushes` no flush does anything."""
        self._folder, self._flushes = folder, flushes
        self._names: dict[str, _File | str] = {str(folder): _FOLDER}
        self._numbers: dict[int, _File] = {}
        for path in before.rglob("*"):
            node = _FOLDER if path.is_dir() else _File(bytearray(path.read_bytes()))
            self._names[str(folder / path.relative_to(before))] = node
        self._on_disk = dict(self._names)
        self._later: list[_Name] = []

    def do(self, done: Operation) -> None:
        """Let a program do an operation."""
        match done.kind:
            case Kind.OPEN:
                self._open(done)
            case Kind.WRITE:
                self._numbers[done.file].later.append((done.offset, done.data))
            case Kind.TRUNCATE:
                self._numbers[done.file].later.append((done.offset, None))
            case Kind.SYNC:
                self._sync(done)
            case Kind.RENAME:
                self._rename(done)
            case Kind.LINK:
                self._change({done.other: self._names[done.path]})
            case Kind.UNLINK | Kind.RMDIR:
                self._change({done.path: None})
            case Kind.MKDIR:
                self._change({done.path: _FOLDER})

    def _open(self, done: Operation) -> None:
        found = self._names.get(done.path)
        if found is None:
            assert done.creates, done
            found = _File()
            self._change({done.path: found})
        assert isinstance(found, _File)
        self._numbers[done.file] = found
        if done.empties:
            found.later.append((0, None))

    def _rename(self, done: Operation) -> None:
        if self._names[done.path] == _FOLDER:
            moved = {path: node for path, node in self._names.items() if f"{path}/".startswith(f"{done.path}/")}
            to = {done.other + path.removeprefix(done.path): node for path, node in moved.items()}
            self._change({**dict.fromkeys(moved), **to})
        else:
            self._change({done.other: self._names[done.path], done.path: None})

    def _change(self, changes: Mapping[str, _File | str | None]) -> None:
        self._later.append(_Name(changes))
        _rename(self._names, changes)

    def _sync(self, done: Operation) -> None:
        if not self._flushes:
            return
        if done.file in self._numbers and self._names.get(done.path) != _FOLDER:
            self._numbers[done.file].flush()
            return
        last = max((at for at, each in enumerate(self._later) if _concerns(each, done.path)), default=-1)
        for each in self._later[: last + 1]:
            _rename(self._on_disk, each.changes)
        del self._later[: last + 1]

    def lose_power(self, rng: random.Random, to: Path) -> None:
        """Write what the disk has after a loss of power to a folder."""
        names = dict(self._on_disk)
        for each in self._later[: rng.choice((0, rng.randint(0, len(self._later)), len(self._later)))]:
            _rename(names, each.changes)
        for path, node in sorted(names.items()):
            target = to / Path(path).relative_to(self._folder)
            if isinstance(node, _File):
                target.write_bytes(node.after_loss(rng))
            else:
                target.mkdir(exist_ok=True)


def _rename(names: dict[str, _File | str], changes: Mapping[str, _File | str | None]) -> None:
    for path, node in changes.items():
        if node is None:
            names.pop(path, None)
        else:
            names[path] = node


def _concerns(name: _Name, folder: str) -> bool:
    return any(path.rpartition("/")[0] == folder for path in name.changes)
