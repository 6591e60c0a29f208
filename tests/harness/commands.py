"""Run command lines in tests: in this process for speed, in one of their own where the process matters."""

import io
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any, TextIO

import pytest


@dataclass(frozen=True)
class Ran:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The standard output as one JSON value."""
        return json.loads(self.out)


def done(ran: Ran) -> Ran:
    """Return what a command that must succeed has printed."""
    assert ran.code == 0, ran.err
    return ran


def refusal(ran: Ran, code: int) -> tuple[str, str]:
    """Return the error and the hint, a line each, of a command that must be refused with this exit code."""
    assert (ran.code, ran.out) == (code, ""), ran.err
    error, hint, rest = ran.err.split("\n")
    assert error.startswith("error: ")
    assert hint.startswith("hint: ")
    assert len(hint) > len("hint: ")
    assert rest == ""
    return error, hint


class KeptTerminal(io.StringIO):
    """A terminal that keeps what it is sent."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@contextmanager
def output_to(stream: TextIO, **environment: str) -> Iterator[None]:
    """Send what commands of this process print to `stream`, with these environment variables."""
    before = dict(os.environ)
    os.environ |= environment
    try:
        with redirect_stdout(stream), redirect_stderr(stream):
            yield
    finally:
        os.environ.clear()
        os.environ |= before


class Runner:
    """Run command lines in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str) -> Ran:
        from tourney.cli.framework.app import main

        self._capsys.readouterr()
        code = main(list(words))
        captured = self._capsys.readouterr()
        return Ran(code, captured.out, captured.err)


def run_here(*words: str) -> Ran:
    """Run a command line in this process."""
    from tourney.cli.framework.app import main

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(list(words))
    return Ran(code, out.getvalue(), err.getvalue())


def run_process(
    *words: str, given: bytes | None = b"", env: dict[str, str] | None = None, flags: tuple[str, ...] = ()
) -> Ran:
    """Run a command line in a process of its own; its output must be UTF-8."""
    done = subprocess.run(
        [sys.executable, *flags, "-m", "tourney", *words],
        input=given,
        capture_output=True,
        env={**os.environ, "TOURNEY_LANG": "en", **(env or {})},
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


EMPTY_RUNS = 5
"""The runs of `python -c pass` in each measurement; one run is close to the clock's resolution."""


def processor_seconds(*arguments: str, runs: int = 1) -> float:
    """Return the seconds of processor time that Python takes with these arguments, as the mean of several runs."""
    before = os.times()
    for _run in range(runs):
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, env=environment)
    after = os.times()
    return (after.children_user - before.children_user + after.children_system - before.children_system) / runs


def empty_pythons(*words: str) -> float:
    """Return the processor time of a command as a multiple of that of `python -c pass`, the median of three turns."""
    command = ("-m", "tourney", *words)
    processor_seconds(*command)  # fills the caches of bytecode and ratings
    turns = [processor_seconds(*command) / processor_seconds("-c", "pass", runs=EMPTY_RUNS) for _turn in range(3)]
    return statistics.median(turns)


def start_ups(*words: str, db: str) -> float:
    """Return the processor time of a command as a multiple of that of `db path`, which opens no database.

    Both run twice in turn and the shorter time of each counts, so that a busy machine does not slow only one.
    """
    times = [
        [processor_seconds("-m", "tourney", *line, "--db", db) for line in (words, ("db", "path"))] for _ in range(2)
    ]
    return min(command for command, _ in times) / min(start_up for _, start_up in times)


def all_commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the words and the command of every noun and verb, the hidden ones aside."""
    from tourney.cli.framework.app import root

    command = root()
    yield (), command
    for noun in command.list_commands(None):
        yield from _under((noun,), command.get_command(None, noun))


def _under(path: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for verb, subcommand in getattr(command, "commands", {}).items():
        if not subcommand.hidden:
            yield from _under((*path, verb), subcommand)
