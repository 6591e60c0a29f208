"""Run command lines of the program, and compare what they print with a recording of an older version.

Nothing inside the program is named here: a command line runs as `python -m tourney` does, though in this process, so
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
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

ROOT: Final = Path(__file__).resolve().parents[2]
FIXTURES: Final = ROOT / "fixtures"
HANDLED: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
EXACT: Final = sys.platform == "linux"
"""True where floating-point numbers must be equal bit for bit; elsewhere the last digit may be rounded otherwise."""

LONGEST: Final = 500
"""Characters of a message, or of its hint."""

FORMS: Final = {"--format csv ": "csv", "--format markdown ": "shown", "--record ": "text", " - ": "lines"}
"""The form in which output is read, by the option that a command line has; JSON without any of them."""


@dataclass(frozen=True)
class Ran:
    """A command's exit code and what it wrote to standard output and standard error."""

    code: int
    out: str
    err: str


def run(*words: str, stdin: str = "") -> Ran:
    """Run `tourney WORDS` in the current folder, with the current environment."""
    out, err = _stream(b""), _stream(b"")
    with (
        _signals_kept(),
        patch.multiple(sys, argv=["tourney", *words], stdin=_stream(stdin.encode()), stdout=out, stderr=err),
    ):
        try:
            runpy.run_module("tourney", run_name="__main__")
        except SystemExit as leaving:
            code = leaving.code
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
    """Restore signal handlers: a program that ends ignores all further signals."""
    before = {number: signal.getsignal(number) for number in HANDLED}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def settled(folder: Path) -> Iterator[Path]:
    """Work in that folder, with `club.db` there as the database, English and the time of Greenwich."""
    folder = folder.resolve()
    with chdir(folder), patch.dict(os.environ, TOURNEY_DB="club.db", LANGUAGE="en", TZ="UTC"):
        _use_time_zone()
        yield folder
    _use_time_zone()


def _use_time_zone() -> None:
    if sys.platform != "win32":
        time.tzset()


def words_of(line: str) -> tuple[list[str], str]:
    """Return the words of a command line and the form of its output: JSON where it asks for no other."""
    form = next((form for option, form in FORMS.items() if option in f"{line} "), "json")
    words = [word.replace("FIXTURES", str(FIXTURES)) for word in shlex.split(line)]
    return ([*words, "--json"] if form == "json" else words), form


def answered(ran: Ran, form: str, folder: Path) -> dict[str, Any]:
    """Return the exit code of a command, and its output as a value.

    A refusal is reduced to whether it came as a refusal does, a text for people to whether there was one.
    """
    if ran.code and not ran.out:
        return {"exit": ran.code, "error": refused(ran)}
    if form == "shown":
        return {"exit": ran.code, "shown": ran.out.strip() != ""}
    return {"exit": ran.code, form: parsed(without_folder(ran.out, folder), form)}


def answer(line: str, folder: Path) -> dict[str, Any]:
    """Run a command line and return its answer to programs."""
    words, form = words_of(line)
    return answered(run(*words), form, folder)


def refused(ran: Ran) -> bool:
    """Return whether a command wrote a refusal to standard error, of a line and a hint, and nothing else anywhere."""
    error, _, hint = ran.err.removesuffix("\n").partition("\n")
    lines = ((error, "error: "), (hint, "hint: "))
    return ran.out == "" and all(
        line.startswith(start) and "\n" not in line and len(line) <= LONGEST + len(start) for line, start in lines
    )


def without_folder(text: str, folder: Path) -> str:
    """Return the text with the paths of the folder and of the fixtures replaced by FOLDER and FIXTURES."""
    for path, name in ((folder, "FOLDER"), (FIXTURES, "FIXTURES")):
        for spelled in (json.dumps(str(path))[1:-1], str(path)):
            text = text.replace(spelled, name)
    return text.replace("FOLDER\\\\", "FOLDER/")


def parsed(text: str, form: str) -> Any:
    """Return printed text as a value: of JSON, of JSON lines, or of CSV."""
    if form == "json":
        return json.loads(text)
    if form == "lines":
        return [json.loads(line) for line in text.splitlines()]
    if form == "csv":
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        return {"header": header, "rows": [dict(zip(header, row, strict=True)) for row in rows]}
    return text


def record(file: Path, commit: str, answers: Sequence[Sequence[Any]]) -> None:
    """Write a recording as JSON, with a line for each command and its answer."""
    lines = ",\n".join(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) for answer in answers)
    file.write_text(f'{{"commit":{json.dumps(commit)},"answers":[\n{lines}\n]}}\n', encoding="utf-8")


def refuse_to_record(*files: Path) -> None:
    """End if a recording would be replaced, or made by the program of this very tree."""
    for file in files:
        if file.exists():
            raise SystemExit(f"{file} is a recording of an older program, and is not replaced")
    found = find_spec("tourney")
    if found is None or Path(str(found.origin)).is_relative_to(ROOT):
        raise SystemExit("the program of this tree is found first: put the older one before it in PYTHONPATH")


@dataclass(frozen=True)
class Loose:
    """Keys whose values need not be equal: `varying` ones have the same type, `sentences` are also empty alike."""

    sentences: Collection[str] = ()
    varying: Collection[str] = ()


def differences(then: Any, now: Any, loose: Loose = Loose(), place: str = "") -> list[str]:
    """Return every difference between a recorded value and today's, a line each: its place, then, now."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        if list(then) != list(now):
            return [f"{place or 'top'}: keys {list(then)} then, {list(now)} now"]
        return [line for key in then for line in _of_key(key, then[key], now[key], loose, f"{place}.{key}")]
    if isinstance(then, list) and isinstance(now, list):
        if len(then) != len(now):
            return [f"{place or 'top'}: {len(then)} items then, {len(now)} now"]
        pairs = enumerate(zip(then, now, strict=True))
        return [line for index, (a, b) in pairs for line in differences(a, b, loose, f"{place}[{index}]")]
    return [] if _equal(then, now) else [f"{place or 'top'}: {then!r} then, {now!r} now"]


def _of_key(key: str, then: Any, now: Any, loose: Loose, place: str) -> list[str]:
    if key in loose.varying:
        return [] if type(then) is type(now) else [f"{place}: {then!r} then, {now!r} now"]
    if key in loose.sentences:
        return [] if _kind(then) == _kind(now) else [f"{place}: {then!r} then, {now!r} now"]
    return differences(then, now, loose, place)


def _kind(value: Any) -> Any:
    """Return the part of a sentence that stays when its words change: its type, and whether it is empty."""
    if isinstance(value, list):
        return [_kind(item) for item in value]
    return (type(value), bool(value))


def _equal(then: Any, now: Any) -> bool:
    if type(then) is not type(now):
        return False
    if isinstance(then, float) and not EXACT:
        return math.isclose(then, now, rel_tol=1e-9)
    return bool(then == now)
