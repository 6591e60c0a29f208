"""Run command lines of the program, and compare what they print with a recording of an older version.

This module imports nothing of the program. A command line runs as `python -m tourney` does, but in this process, so
that a recording of hundreds of commands is replayed in seconds.
"""

import csv
import io
import json
import math
import os
import runpy
import shlex
import signal
import sqlite3
import sys
import time
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import chdir, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from tests.harness.commands import Ran

ROOT: Final = Path(__file__).resolve().parents[2]
FIXTURES: Final = ROOT / "fixtures"
HANDLED: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
EXACT: Final = sys.platform == "linux"
"""True where floating-point numbers must be equal bit for bit; on other systems the last digits may differ."""

MAX_LENGTH: Final = 500
"""The most characters that a message, or its hint, may have."""

FORMS: Final = {"--format csv ": "csv", "--format markdown ": "shown", "--record ": "text", " - ": "lines"}
"""The form in which output is read, by an option of the command line; JSON if it has none of them."""


def run(*words: str, stdin: str = "") -> Ran:
    """Run `tourney WORDS` in the current folder, with the current environment."""
    out, err = _stream(b""), _stream(b"")
    with (
        _signals_kept(),
        patch.multiple(
            sys, argv=["tourney", *words], path=sys.path[:], stdin=_stream(stdin.encode()), stdout=out, stderr=err
        ),
    ):
        try:
            runpy.run_module("tourney", run_name="__main__")
        except SystemExit as ended:
            code = ended.code
        else:
            raise AssertionError(f"`tourney {' '.join(words)}` ended without an exit code")
    assert isinstance(code, int)
    return Ran(code, _written(out), _written(err))


def _stream(content: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="\n")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Restore the signal handlers afterwards: a program that ends ignores all further signals."""
    before = {number: signal.getsignal(number) for number in HANDLED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def working_in(folder: Path) -> Iterator[Path]:
    """Make the folder current, with the database `club.db` in it, English messages and UTC; yield its resolved path."""
    folder = folder.resolve()
    with chdir(folder), patch.dict(os.environ, TOURNEY_DB="club.db", TOURNEY_LANG="en"), in_time_zone("UTC"):
        yield folder


@contextmanager
def in_time_zone(zone: str) -> Iterator[None]:
    """Choose the time zone of the block."""
    try:
        with patch.dict(os.environ, TZ=zone):
            _use_time_zone()
            yield
    finally:
        _use_time_zone()


def _use_time_zone() -> None:
    if sys.platform != "win32":
        time.tzset()


def words_of(line: str) -> tuple[list[str], str]:
    """Return the words of a command line, with `--json` if it has no other format, and the form of its output."""
    form = next((form for option, form in FORMS.items() if option in f"{line} "), "json")
    words = [word.replace("FIXTURES", str(FIXTURES)) for word in shlex.split(line)]
    return ([*words, "--json"] if form == "json" else words), form


def answer_of(ran: Ran, form: str, folder: Path) -> dict[str, Any]:
    """Return the exit code of a command and its output as a value.

    For a refusal the value says only whether it has the form of one, for a text for people whether it is not empty.
    """
    if ran.code and not ran.out:
        return {"exit": ran.code, "error": refused(ran)}
    if form == "shown":
        return {"exit": ran.code, "shown": ran.out.strip() != ""}
    return {"exit": ran.code, form: parsed(without_folder(ran.out, folder), form)}


def answer(line: str, folder: Path) -> dict[str, Any]:
    """Run a command line and return its answer."""
    words, form = words_of(line)
    return answer_of(run(*words), form, folder)


def refused(ran: Ran) -> bool:
    """Return whether a command wrote a refusal to standard error, one line and one hint, and no other output."""
    error, _, hint = ran.err.removesuffix("\n").partition("\n")
    lines = ((error, "error: "), (hint, "hint: "))
    return ran.out == "" and all(
        line.startswith(start) and "\n" not in line and len(line) <= MAX_LENGTH + len(start) for line, start in lines
    )


def without_folder(text: str, folder: Path) -> str:
    """Return the text with the paths of the folder and of the fixtures replaced by FOLDER and FIXTURES."""
    for path, name in ((folder, "FOLDER"), (FIXTURES, "FIXTURES")):
        for spelled in (json.dumps(str(path))[1:-1], str(path)):
            text = text.replace(spelled, name)
    return text.replace("FOLDER\\\\", "FOLDER/")


def parsed(text: str, form: str) -> Any:
    """Return printed text as a value, read as JSON, JSON lines, CSV or plain text."""
    if form == "json":
        return json.loads(text)
    if form == "lines":
        return [json.loads(line) for line in text.splitlines()]
    if form == "csv":
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        return {"header": header, "rows": [dict(zip(header, row, strict=True)) for row in rows]}
    return text


CONTRACT: Final = FIXTURES / "contract"
SCENES: Final[dict[str, Any]] = {
    scene["name"]: scene for scene in tomllib.loads((CONTRACT / "commands.toml").read_text(encoding="utf-8"))["scenes"]
}
"""The commands whose answers `answers.json` beside them has, by scene."""


def recording(file: Path) -> list[list[Any]]:
    """Return the answers of commands that the program of commit ac1db33 gave; nothing replaces them."""
    answers: list[list[Any]] = json.loads(file.read_text(encoding="utf-8"))["answers"]
    return answers


def play(name: str, folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run the commands of a scene in `folder`, the current one; yield each command line with its answer."""
    scene = SCENES[name]
    for file, text in scene.get("files", {}).items():
        (folder / file).write_text(text, encoding="utf-8")
    for command in scene["commands"]:
        options = {"line": command} if isinstance(command, str) else command
        words, form = words_of(options["line"])
        if "shown" in options:
            words, form = shlex.split(options["line"]), "shown"
        ran = run(*words, stdin=options.get("stdin", ""))
        if "keep" in options:
            (folder / options["keep"]).write_text(ran.out, encoding="utf-8")
        yield options["line"], answer_of(ran, form, folder)


OLD_DATABASE: Final = FIXTURES / "databases" / "0007.sql"
"""The season of a club, with everything that the program of commit ac1db33 could write."""


def load(sql: Path, db: Path) -> None:
    """Create a database from a dump."""
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript(sql.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class LooseKeys:
    """JSON keys whose values may differ.

    Values of `varying` keys must have the recorded type; values of `sentences` must also be empty if recorded empty;
    `added` keys may stand where none were recorded.
    """

    sentences: Collection[str] = ()
    varying: Collection[str] = ()
    added: Collection[str] = ()


def differences(then: Any, now: Any, loose: LooseKeys = LooseKeys(), path: str = "") -> list[str]:
    """Return a line for every difference of a recorded value and the current one: its JSON path, `then` and `now`."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        if list(then) != [key for key in now if key in then or key not in loose.added]:
            return [f"{path or 'top'}: keys {list(then)} then, {list(now)} now"]
        return [line for key in then for line in _of_key(key, then[key], now[key], loose, f"{path}.{key}")]
    if isinstance(then, list) and isinstance(now, list):
        if len(then) != len(now):
            return [f"{path or 'top'}: {len(then)} items then, {len(now)} now"]
        pairs = enumerate(zip(then, now, strict=True))
        return [line for index, (a, b) in pairs for line in differences(a, b, loose, f"{path}[{index}]")]
    return [] if _equal(then, now) else [f"{path or 'top'}: {then!r} then, {now!r} now"]


def _of_key(key: str, then: Any, now: Any, loose: LooseKeys, path: str) -> list[str]:
    if key == "header":
        now = [name for name in now if name in then or name not in loose.added]
    if key in loose.varying:
        return [] if type(then) is type(now) else [f"{path}: {then!r} then, {now!r} now"]
    if key in loose.sentences:
        return [] if _kind(then) == _kind(now) else [f"{path}: {then!r} then, {now!r} now"]
    return differences(then, now, loose, path)


def _kind(value: Any) -> Any:
    """Return the type of a sentence and whether it is not empty; for a list, those of its items."""
    if isinstance(value, list):
        return [_kind(item) for item in value]
    return (type(value), bool(value))


def _equal(then: Any, now: Any) -> bool:
    if type(then) is not type(now):
        return False
    if isinstance(then, float) and not EXACT:
        return math.isclose(then, now, rel_tol=1e-9)
    return bool(then == now)
