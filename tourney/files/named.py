"""Files that people name: only regular files are read, and only up to a size."""

import os
import stat
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final, NamedTuple

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.text.names import refuse_unnamed

_ROWS: Final = 1_000
"""The rows of a block that are read one by one."""

Path = str | os.PathLike[str]


class Block(NamedTuple):
    """Neighbouring rows by column: the line where each begins, and for each column as many fields."""

    lines: Sequence[int]
    columns: Sequence[Sequence[str]]


class NamedRows(NamedTuple):
    """The rows of a file below its header: the header's line and fields, and blocks of as many columns."""

    line: int
    header: list[str]
    blocks: Iterator[Block]


def blocks_of(rows: Iterator[tuple[int, list[str]]]) -> Iterator[Block]:
    """Yield blocks of the rows, which have a line and fields; those before an error come before it is raised."""
    while True:
        found: list[tuple[int, list[str]]] = []
        error = None
        try:
            for row in islice(rows, _ROWS):
                found.append(row)
        except TourneyError as raised:
            error = raised
        if found:
            lines, fields = zip(*found, strict=True)
            yield Block(lines, list(zip(*fields, strict=True)))
        if error is not None:
            raise error
        if len(found) < _ROWS:
            return


def refuse_no_file(path: Path, hint: str) -> None:
    """Raise TourneyError NOT_FOUND for a missing file, REFUSED for a folder, a pipe or a device, USAGE for no name.

    Called before opening, because a pipe would block then, and a device has no end.
    """
    refuse_unnamed(path)
    name = shown(os.fspath(path), 200)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        raise TourneyError(ExitCode.NOT_FOUND, _("{file}: there is no such file").format(file=name), hint) from None
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    if not stat.S_ISREG(mode):
        raise TourneyError(ExitCode.REFUSED, _("{file}: this is not a file").format(file=name), hint)


def refusal(path: Path, line: int, message: str, hint: str = "") -> TourneyError:
    """Return the error that names file and line (0: the file as a whole)."""
    where = shown(os.fspath(path), 200)
    if line:
        where = _("{file}, line {line}").format(file=where, line=line)
    return TourneyError(ExitCode.REFUSED, f"{where}: {message}", hint)


def read_bytes(path: Path, most: int, hint: str) -> bytes:
    """Return the content of a file. Raises TourneyError as `refuse_no_file`, and REFUSED for more than `most` bytes."""
    refuse_no_file(path, hint)
    try:
        with open(path, "rb") as file:
            raw = file.read(most + 1)
    except OSError as error:
        raise unreadable(path, error) from None
    if len(raw) > most:
        name = shown(os.fspath(path), 200)
        message = _("{file}: the file is too large: {most} bytes are the most").format(file=name, most=most)
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return raw


def unreadable(path: Path, error: Exception) -> TourneyError:
    """Return the error for a file that exists and cannot be opened."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    name = shown(os.fspath(path), 200)
    message = _("{file}: the file cannot be read ({why})").format(file=name, why=why)
    return TourneyError(ExitCode.REFUSED, message, _("check its permissions"))


def unwritable(path: Path, error: OSError) -> TourneyError:
    """Return the error for a file that cannot be written."""
    name = shown(os.fspath(path), 200)
    message = _("{file}: the file cannot be written ({why})").format(file=name, why=error.strerror or error)
    return TourneyError(ExitCode.STORAGE, message, _("make room, allow writing, or name another place"))


def toml_tables(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text, by the engine's reader, which has a bound for all that makes TOML costly.

    Raises ValueError and RecursionError as it does.
    """
    from engine.text import toml_tables as tables

    return tables(text)


def read_failure(error: ValueError | RecursionError) -> str:
    """Return why JSON or TOML cannot be read: the reader's message, or ours for an error of Python itself."""
    if isinstance(error, RecursionError):
        return _("it is nested too deep")
    if type(error) is ValueError:
        return _("a number in it has too many digits")
    why: str = error.args[0]
    template: str | None = getattr(why, "template", None)
    return str(error) if template is None else _(template).format(**vars(why)["values"])


def shown(text: str, most: int = 40) -> str:
    """Return the text for a message: on one line, without control characters, not too long."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(char if char.isprintable() else "�" for char in cut)


def refuse_without_openpyxl() -> None:
    """Raise TourneyError REFUSED if workbooks can neither be read nor written."""
    if find_spec("openpyxl") is None:
        message = _("workbooks (.xlsx) need the package openpyxl, which is not installed")
        raise TourneyError(ExitCode.REFUSED, message, _("pip install openpyxl"))
