"""Tests of the framework of the command line: flags, errors in one line with a hint, and exit codes."""

import errno
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.commands import Runner, run_process
from tourney.cli.framework import app, errors, output
from tourney.domain.errors import ExitCode, TourneyError


def test_version_prints_the_version_of_the_distribution(run: Runner) -> None:
    result = run("--version")
    assert result.code == 0
    assert re.fullmatch(r"tourney (\d+\.\d+\.\d+\S*|\(not installed\))\n", result.out)


USAGE = [
    (("ruls",), "`tourney` has no “ruls”", "did you mean `tourney rules`?"),
    (("nonsense",), "`tourney` has no “nonsense”", "`tourney -h` lists the commands"),
    (("",), "`tourney` has no “”", "`tourney -h` lists the commands"),
    (("\x1b[31mred",), "`tourney` has no “\\x1b[31mred”", "`tourney -h` lists the commands"),
    (("draw", "Friday"), "`tourney` has no “draw”", "did you mean `tourney round draw`?"),
    (
        ("enter",),
        "`tourney` has no “enter”",
        "did you mean `tourney event`, `tourney event enter` or `tourney result enter`?",
    ),
    (("round", "list"), "`tourney round` has no “list”", "did you mean `tourney round show`?"),
    (("round", "new"), "`tourney round` has no “new”", "did you mean `tourney round draw`?"),
    (("event", "leave"), "`tourney event` has no “leave”", "did you mean `tourney event withdraw`?"),
    (("event", "close"), "`tourney event` has no “close”", "did you mean `tourney event finish`?"),
    (("player", "delete"), "`tourney player` has no “delete”", "did you mean `tourney player erase`?"),
    (("result", "delete"), "`tourney result` has no “delete”", "did you mean `tourney result void`?"),
    (("rules", "lst"), "`tourney rules` has no “lst”", "did you mean `tourney rules list`?"),
    (("bot",), "`tourney bot` needs a command after it: list, new, check, replay", "`tourney bot -h` explains them"),
    (
        ("rules", "list", "--formt", "csv"),
        "there is no option --formt",
        "did you mean --format? `tourney rules list -h` lists the options",
    ),
    (
        ("standings", "--wid"),
        "there is no option --wid",
        "did you mean --wide? `tourney standings -h` lists the options",
    ),
    (
        ("ruling", "penalty", "Ana", "-20", "late"),
        "-2 is read as an option: numbers here have no sign",
        "for example `tourney ruling penalty Ana 20 came late`; `tourney ruling penalty -h` explains it",
    ),
    (("redo", "--yes"), "there is no option --yes", "`tourney redo -h` lists the options"),
    (
        ("--db", "club.db", "player", "list"),
        "there is no option --db",
        "options go after the command, as in `tourney player list --db FILE`; `tourney -h` lists the commands",
    ),
    (
        ("player", "--db", "club.db", "list"),
        "there is no option --db",
        "options go after the command, as in `tourney player list --db FILE`; `tourney player -h` lists the commands",
    ),
    (
        ("rating", "pool", "set", "people", "--draw"),
        "--draw needs a value after it",
        "--draw SHARE: The probability of a tie, from 0.001 to 0.5, such as 0.01.",
    ),
    (("rules", "list", "--json=yes"), "--json takes no value", "`tourney rules list -h` explains it"),
    (
        ("result", "correct", "--round", "1", "--table", "3", "--drop"),
        "--reason is missing",
        'for example `tourney result correct --round 1 --table 2 --reason "it was right" --drop`; '
        "`tourney result correct -h` explains it",
    ),
    (
        ("event", "reopen"),
        "--reason is missing",
        'for example `tourney event reopen Friday --reason "a sheet was wrong"`; `tourney event reopen -h` explains it',
    ),
    (
        ("event", "use"),
        "EVENT is missing",
        "for example `tourney event use Friday`; `tourney event use -h` explains it",
    ),
    (
        ("event", "return"),
        "PLAYER is missing",
        "for example `tourney event return Elena`; `tourney event return -h` explains it",
    ),
    (
        ("event", "show", "Friday", "--event", "Saturday"),
        "“Friday” and “Saturday” contradict each other",
        "give only one of the two",
    ),
    (
        ("event", "new", "Friday", "evening"),
        "`tourney event new` does not take “evening”",
        'a name of several words needs quotes, such as "Ana María"; for example `tourney event new Friday`; '
        "`tourney event new -h` explains it",
    ),
    (
        ("player", "rename", "Ana", "Ana Ruiz"),
        "`tourney player rename` does not take “Ana Ruiz”",
        'a name of several words needs quotes, such as "Ana María"; '
        'for example `tourney player rename Ana --name "Ana Ruiz"`; `tourney player rename -h` explains it',
    ),
    (
        ("player", "rename", "Ana", "--to", "Anne"),
        "there is no option --to",
        "`tourney player rename -h` lists the options",
    ),
    (("redo", "3"), "`tourney redo` does not take “3”", "`tourney redo -h` explains it"),
    (
        ("event", "new", "A", "--rounds", "1.5"),
        "--rounds cannot be “1.5”: it must be a whole number from 1 up",
        "`tourney event new -h` explains it",
    ),
    (
        ("event", "new", "A", "--rounds", "9" * 5000),
        f"--rounds cannot be “{'9' * 39}…”: it has too many digits",
        "`tourney event new -h` explains it",
    ),
    (
        ("ruling", "cancel", "Friday", "0", "--reason", "x"),
        "NUMBER cannot be “0”: it must be a whole number from 1 up",
        "`tourney ruling cancel -h` explains it",
    ),
    (
        ("ratings", "--season", "26000"),
        "--season cannot be “26000”: it must be a whole number from 1 to 9999",
        "`tourney ratings -h` explains it",
    ),
    (
        ("seating", "plan", "--players", "'many'"),
        "--players cannot be “'many'”: it must be a whole number",
        "`tourney seating plan -h` explains it",
    ),
    (
        ("league", "status", "--level", "sure"),
        "--level cannot be “sure”: it must be a number",
        "`tourney league status -h` explains it",
    ),
    (
        ("event", "new", "A", "--short", "sit"),
        '--short cannot be “sit”: it must be "short tables" or "sit out"',
        'did you mean `--short "sit out"`?',
    ),
    (
        ("rules", "list", "--format", "xml"),
        "--format cannot be “xml”: it must be table, json, csv, csv-es, xlsx, markdown, html or message",
        "`tourney rules list -h` explains it",
    ),
    (
        ("rules", "list", "--json", "--format", "csv"),
        "--json and --format csv contradict each other",
        "give only one of the two options",
    ),
    (
        ("rules", "check", "oficial", "TT"),
        "give CONTRACT and MELDS, or - as the last argument",
        "- reads many questions from standard input, one in a line, with tabs between the parts",
    ),
]


@pytest.mark.parametrize(
    ("words", "message", "hint"), USAGE, ids=[" ".join(words)[:60] for words, _message, _hint in USAGE]
)
def test_a_usage_error_has_this_message_and_hint(run: Runner, words: tuple[str, ...], message: str, hint: str) -> None:
    result = run(*words)
    assert (result.code, result.out, result.err) == (ExitCode.USAGE, "", f"error: {message}\nhint: {hint}\n")


@pytest.mark.parametrize("code", list(ExitCode)[1:6])
def test_a_refusal_gives_its_exit_code_and_its_hint(
    run: Runner, monkeypatch: pytest.MonkeyPatch, code: ExitCode
) -> None:
    """Line breaks and tabs of the message become blanks, and other control characters are spelled out."""

    def refuse(words: list[str]) -> int:
        raise TourneyError(code, "no such\nthing \x07", "try\tagain")

    monkeypatch.setattr(app, "_run", refuse)
    result = run("whatever")
    assert (result.code, result.err) == (code, "error: no such thing \\x07\nhint: try again\n")


def test_a_bug_shows_its_traceback_only_with_verbose(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(words: list[str]) -> int:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr(app, "_run", fail)
    result = run("rules")
    assert result.code == ExitCode.REFUSED
    assert result.err.startswith("error: this is a bug in tourney: ZeroDivisionError: by nought\nhint: ")
    assert "--verbose" in result.err
    assert "Traceback" not in result.err
    for words in (("--verbose", "rules"), ("rules", "--verbose")):
        verbose = run(*words)
        assert verbose.code == ExitCode.REFUSED
        assert "Traceback" in verbose.err
        assert verbose.err.endswith(result.err)


@pytest.mark.parametrize(
    "words",
    [("FLAG", "rules", "list"), ("rules", "FLAG", "list"), ("rules", "list", "FLAG"), ("rules", "list", "FLAG", "--")],
    ids=" ".join,
)
@pytest.mark.parametrize("flag", ["--wide", "--verbose"])
def test_a_global_flag_may_stand_anywhere(
    run: Runner, monkeypatch: pytest.MonkeyPatch, flag: str, words: tuple[str, ...]
) -> None:
    """Check what the command sees: its words without the flag, and the output that the flag asks for."""
    seen: list[tuple[list[str], bool, bool]] = []

    def look(words: list[str]) -> int:
        seen.append((words, output.is_wide(), output._DETAILED.get()))
        return 0

    monkeypatch.setattr(app, "_run", look)
    run(*(flag if word == "FLAG" else word for word in words))
    rest = [word for word in words if word != "FLAG"]
    assert seen == [(rest, flag == "--wide", flag == "--verbose")]
    assert not output.is_wide()


def test_global_flags_are_combined_and_are_arguments_after_two_dashes() -> None:
    both = {"--wide", "--verbose"}
    assert app._without_flags(["--wide", "a", "--verbose", "--", "--wide"]) == (["a", "--", "--wide"], both)
    assert app._without_flags(["a", "--", "--verbose"]) == (["a", "--", "--verbose"], set())


def test_an_interrupt_gives_exit_code_130_and_prints_one_word(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(words: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "_run", stop)
    result = run("rules")
    assert (result.code, result.out, result.err) == (130, "", "interrupted\n")


def test_an_unexpected_os_error_is_a_refusal_with_file_and_reason() -> None:
    """A file without permission gives exit code 5 instead of the message about a bug."""
    error = PermissionError(13, "Permission denied", "sheet.toml")
    code, lines = errors._sentence(error)
    assert code == ExitCode.STORAGE
    assert lines[0] == "error: cannot use “sheet.toml”: Permission denied"


def test_a_closed_pipe_is_no_error() -> None:
    """A command whose reader has ended, as in `tourney rules show | head -1`, prints nothing and exits with 0."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        completed = subprocess.run(
            [sys.executable, "-m", "tourney", "rules", "show"], stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert (completed.returncode, completed.stderr) == (0, b"")


class FullDisk(io.TextIOWrapper):
    """A file on a full disk: writing succeeds, flushing does not."""

    written = 0

    def write(self, text: str) -> int:
        self.written += len(text)
        return len(text)

    def flush(self) -> None:
        if self.written:
            raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_reported_in_one_line(run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stdout", FullDisk((tmp_path / "out").open("wb")))
    result = run("rules", "list")
    assert result.code == ExitCode.STORAGE
    assert result.err.startswith("error: the output cannot be written: No space left on device\nhint: ")
    assert result.err.count("\n") == 2


@pytest.mark.parametrize(
    "env", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}], ids=str
)
def test_output_is_utf_8_whatever_the_locale(env: dict[str, str]) -> None:
    """The refused argument, which is not a card, is repeated as it was typed."""
    result = run_process("rules", "score", "oficial", "ñandú", env=env)
    assert result.code == ExitCode.USAGE
    assert "ñandú" in result.err
