"""Run command lines with bad input in this process, and judge what they answer."""

import io
import os
import shlex
import signal
import sys
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from tests.harness.bad_input.cases import Case
from tests.harness.commands import KeptTerminal
from tests.harness.effort import slowness
from tourney.cli.framework.app import main
from tourney.domain.errors import ExitCode
from tourney.text.i18n import VARIABLE

MAX_SECONDS = 2.0
"""The most seconds of processor time that a refusal may take, on the machine of `tests/README.md`."""
MAX_WORK_SECONDS = 5.0
"""The most seconds of processor time of a command that succeeds, such as one that registers 10,000 people."""
MAX_CHARACTERS = 500
"""The most characters of a refusal."""
WORK_SECONDS = 0.3
"""The seconds of processor time after which a command of WORKS is interrupted."""
WORKS = ("demo", "league", "round play", "seating plan", "seating advise", "rating noise", "rating compare")
"""The commands whose work takes long if what they are given is sound, such as a million blocks."""
SERVE_SECONDS = 0.5
"""The seconds by the clock after which a command of SERVES is interrupted."""
SERVES = ("serve", "desk")
"""The commands that wait for visitors until they are interrupted."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A command's exit code and output, and the seconds of processor time that it took."""

    code: int
    out: str
    err: str
    seconds: float


def answer(case: Case, folder: Path) -> Answer:
    """Run the command in a folder with its files."""
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
    out, err = io.StringIO(), KeptTerminal() if case.terminal else io.StringIO()
    begun = time.process_time()
    language = {VARIABLE: case.language} if case.language else {}
    with (
        patch.dict(os.environ, language),
        _typed(case, folder / "typed"),
        redirect_stdout(out),
        redirect_stderr(err),
        _limited(case.words),
    ):
        code = main(case.words)
    return Answer(code, out.getvalue(), err.getvalue(), time.process_time() - begun)


def faults(case: Case, found: Answer) -> list[str]:
    """Return what is wrong with an answer; nothing if it is a result or a proper refusal."""
    text = found.out + found.err
    wrong = []
    if "bug in tourney" in found.err:
        wrong.append("is a bug in tourney")
    if "Traceback (most" in text and "--verbose" not in case.words:
        wrong.append("shows a traceback")
    if found.code not in iter(ExitCode):
        wrong.append(f"exit code {found.code}")
    if case.terminal:
        wrong += [f"a line of {len(line)} characters" for line in found.err.splitlines() if len(line) > MAX_CHARACTERS]
    elif (refusal := without_warning(case, found.err)).startswith("error: ") and not found.out:
        wrong += _refusal_faults(replace(found, err=refusal))
    elif found.code > 1 and found.code != ExitCode.INTERRUPTED:
        wrong.append("no error line")
    if found.seconds > (MAX_SECONDS if found.code else MAX_WORK_SECONDS) * slowness():
        wrong.append(f"{found.seconds:.1f} s")
    return wrong


def without_warning(case: Case, err: str) -> str:
    """Return what stands after the line about a language that we lack, which comes before a refusal."""
    warning, _end, rest = err.partition("\n")
    return rest if case.language and warning.startswith(f"warning: {VARIABLE} is ") else err


def _refusal_faults(found: Answer) -> Iterator[str]:
    if len(found.err) > MAX_CHARACTERS:
        yield f"{len(found.err)} characters"
    if found.code == 0:
        yield "exit code 0 with an error"
    if any(unicodedata.category(char) == "Cc" for char in found.err.replace("\n", "")):
        yield "control characters"
    lines = found.err.splitlines()
    if len(lines) != 2 or not lines[1].startswith("hint: "):
        yield f"{len(lines)} lines"


def command_of(case: Case) -> str:
    """Return the command as it is typed in a shell; the middles of long words are left out."""
    language = f"{VARIABLE}={_quoted(case.language)} " if case.language else ""
    return f"{language}tourney {' '.join(map(_quoted, case.words))}"


def _quoted(word: str) -> str:
    return shlex.quote(word if len(word) < 300 else f"{word[:100]}…{len(word)}…")


class _Keyboard(io.TextIOWrapper):
    """Typed text that says that it comes from a terminal."""

    def isatty(self) -> bool:
        return True


@contextmanager
def _typed(case: Case, file: Path) -> Iterator[None]:
    """Give the command its standard input, from a file, since the program waits for input with a system call."""
    file.write_bytes(case.typed)
    kind = _Keyboard if case.terminal else io.TextIOWrapper
    before = sys.stdin
    with file.open("rb") as typed:
        sys.stdin = kind(typed, encoding="utf-8", errors="surrogateescape")
        try:
            yield
        finally:
            sys.stdin = before


@contextmanager
def _limited(words: Sequence[str]) -> Iterator[None]:
    """Interrupt, as Ctrl-C does, a command that works for long, or that takes more processor time than it may."""
    works = " ".join(words).startswith(WORKS)
    seconds = WORK_SECONDS if works else (MAX_WORK_SECONDS + 0.2) * slowness()
    serves = " ".join(words).startswith(SERVES)
    with (
        ended_after(seconds),
        _interrupted(signal.SIGALRM, signal.ITIMER_REAL, SERVE_SECONDS if serves else 0),
    ):
        yield


def ended_after(seconds: float) -> AbstractContextManager[None]:
    """Interrupt, as Ctrl-C does, what takes more seconds of processor time than these."""
    return _interrupted(signal.SIGPROF, signal.ITIMER_PROF, seconds)


@contextmanager
def _interrupted(number: signal.Signals, timer: int, seconds: float) -> Iterator[None]:
    """Interrupt the program when so many seconds of a timer have passed, and again after each tenth; 0 is never."""
    before = signal.signal(number, lambda _number, _frame: os.kill(os.getpid(), signal.SIGINT))
    signal.setitimer(timer, seconds, seconds / 10)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(number, before)
