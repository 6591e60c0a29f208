"""Tests of the framework of the command line: help, errors in one line with a hint, and exit codes."""

import errno
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.harness.commands import Runner, run_process
from tourney.cli.framework import app, errors
from tourney.domain.errors import ExitCode, TourneyError


def all_commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the words and the command of every noun and verb."""
    root = app.root()
    yield (), root
    for noun in root.list_commands(None):
        yield from _under((noun,), root.get_command(None, noun))


def _under(path: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for verb, subcommand in getattr(command, "commands", {}).items():
        if not subcommand.hidden:
            yield from _under((*path, verb), subcommand)


COMMANDS = dict(all_commands())
# The commands that exist; in the first line those without a verb.
PROMISED = """
    demo standings ratings undo redo log doctor
    player add list show rename merge erase import
    event new list show use set enter constrain checkin withdraw return finish reopen import
    round draw show move cancel verify clock slips play
    result enter correct void show | ruling add list cancel
    rating show history explain import pool pool/set verify predict quality compare noise whatif smooth
    bot list | league run join resume status record why pilot | record verify replay show | seating plan judge advise
    db path check backup restore upgrade | rules list show diff check layoff arrange score ruling
"""


def promised() -> set[tuple[str, ...]]:
    """Return the words of every command in PROMISED."""
    without_verb, *rest = PROMISED.strip().split("\n")
    paths = {(word,) for word in without_verb.split()}
    for part in "|".join(rest).split("|"):
        noun, *verbs = part.split()
        paths |= {(noun,)} | {(noun, *verb.split("/")) for verb in verbs}
    return paths


def test_event_wish_is_a_hidden_alias_of_event_constrain() -> None:
    event = app.root().get_command(None, "event")
    alias, command = event.commands["wish"], event.commands["constrain"]
    assert alias.hidden
    assert [param.opts for param in alias.params] == [param.opts for param in command.params]


def test_the_command_line_has_the_promised_commands_and_no_others() -> None:
    assert set(COMMANDS) - {()} == promised()


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) if path else "tourney")
def test_every_command_and_every_option_has_help(path: tuple[str, ...]) -> None:
    """Check that the help of a command ends as a sentence and that every option has help."""
    command = COMMANDS[path]
    assert command.help
    assert command.help.rstrip().endswith((".", "cases."))
    for param in command.params:
        assert param.help, f"{' '.join(path)}: {param.name}"


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) if path else "tourney")
def test_h_and_help_print_the_same_page_of_eighty_columns(run: Runner, path: tuple[str, ...]) -> None:
    short, long = run(*path, "-h"), run(*path, "--help")
    assert short == long
    assert short.code == 0
    assert short.err == ""
    assert short.out.startswith("Usage: tourney")
    assert max(len(line) for line in short.out.splitlines()) <= 80


def test_no_sentence_is_shortened_in_a_list_of_commands(run: Runner) -> None:
    for path, command in COMMANDS.items():
        if hasattr(command, "commands"):
            assert "..." not in run(*path, "-h").out.partition("Commands:")[2], path


def test_changes_have_a_dry_run_and_listings_a_format() -> None:
    """Changes have `--dry-run`, listings `--format` and `--json`, and all commands that open the database `--db`."""
    changes = (
        "player add/player import/event new/event use/event enter/event constrain/event import/round draw/round play"
    )
    changes += "/round move/round cancel/round clock"
    changes += "/result enter/result correct/result void/rating import/db upgrade/db restore/undo/redo"
    changes += (
        "/player rename/player merge/player erase/event set/event checkin/event withdraw/event return/event finish"
    )
    changes += "/league join/event reopen/ruling add/ruling cancel/rating pool set"
    listings = "player list/event list/ruling list/round draw/round show/round slips/round play/round verify"
    listings += "/result show/standings/ratings/bot list"
    listings += "/rating show/rating history/rating explain"
    listings += "/rating predict/rating quality/rating compare/rating noise/rating whatif/rating smooth"
    listings += "/rules list/rules show/record show/record replay/db check/doctor/log"
    listings += "/seating plan/seating judge/seating advise/league run/league join/league resume"
    listings += "/league status/league why/league pilot"
    for path in changes.split("/"):
        assert "--dry-run" in options(path), path
    for path in listings.split("/"):
        assert {"--format", "--json"} <= options(path), path
    stored = ("player", "event", "round", "result", "ruling", "rating", "league", "db")
    for path, command in COMMANDS.items():
        if len(path) > 1 and path[0] in stored and path != ("league", "pilot"):
            assert "--db" in options(" ".join(path)), path
        if path and not hasattr(command, "commands") and path not in (("demo",),):
            assert "--json" in options(" ".join(path)), path


def options(path: str) -> set[str]:
    """Return the options of a command, such as "player add"."""
    return {option for param in COMMANDS[tuple(path.split())].params for option in param.opts}


def test_version_prints_the_version_of_the_distribution(run: Runner) -> None:
    result = run("--version")
    assert result.code == 0
    assert re.fullmatch(r"tourney (\d+\.\d+\.\d+\S*|\(not installed\))\n", result.out)


def test_without_a_command_the_help_is_shown(run: Runner) -> None:
    assert run() == run("--help")


USAGE = [
    (("ruls",), "error: `tourney` has no “ruls”\nhint: did you mean `tourney rules`?\n"),
    (("rules", "lst"), "error: `tourney rules` has no “lst”\nhint: did you mean `tourney rules list`?\n"),
    (
        ("bot",),
        "error: `tourney bot` needs a verb: list\nhint: `tourney bot -h` says what each does\n",
    ),
    (
        ("rules", "list", "--formt", "csv"),
        "error: no such option: --formt\nhint: did you mean --format? `tourney rules list -h` says what it takes\n",
    ),
    (
        ("--db", "club.db", "player", "list"),
        "error: no such option: --db\nhint: --db goes after the verb: `tourney player list --db FILE`\n",
    ),
    (
        ("player", "list", "--db"),
        "error: option '--db' requires an argument\nhint: `tourney player list -h` says what it takes\n",
    ),
    (
        ("event", "new", "A", "--rounds", "1.5"),
        "error: invalid value for '--rounds': '1.5' is not a whole number\n"
        "hint: `tourney event new -h` says what it takes\n",
    ),
    (
        ("event", "new", "A", "--rounds", "9" * 5000),
        f"error: invalid value for '--rounds': '{'9' * 39}…' has too many digits\n"
        "hint: `tourney event new -h` says what it takes\n",
    ),
    (
        ("league", "status", "--level", "sure"),
        "error: invalid value for '--level': 'sure' is not a number\n"
        "hint: `tourney league status -h` says what it takes\n",
    ),
    (
        ("rules", "list", "--json", "--format", "csv"),
        "error: --json and --format csv contradict each other\nhint: give one of them\n",
    ),
    (
        ("rules", "check", "oficial", "TT"),
        "error: give CONTRACT and MELDS, or '-' in their place\n"
        "hint: '-' reads cases from standard input, tabs between\n",
    ),
]


@pytest.mark.parametrize(("words", "err"), USAGE, ids=[" ".join(words)[:60] for words, _err in USAGE])
def test_a_usage_error_has_this_message_and_hint(run: Runner, words: tuple[str, ...], err: str) -> None:
    result = run(*words)
    assert (result.code, result.out, result.err) == (ExitCode.USAGE, "", err)


@pytest.mark.parametrize(
    "words",
    [
        ("rules", "check"),
        ("rules", "list", "--format", "xml"),
        ("rules", "list", "--format"),
        ("rules", "list", "extra"),
        ("event", "new"),
        ("event", "new", "A", "--rounds", "many"),
        ("event", "new", "A", "--rounds", "0"),
        ("result", "enter", "--round", "1"),
        ("--no-such-thing",),
        ("",),
        ("\x1b[31mred",),
    ],
    ids=repr,
)
def test_every_usage_error_is_two_lines_on_standard_error(run: Runner, words: tuple[str, ...]) -> None:
    """Check that there is an error line and a hint, no usage text, and no escape character."""
    result = run(*words)
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    error, hint, rest = result.err.split("\n")
    assert error.startswith("error: ")
    assert hint.startswith("hint: ")
    assert rest == ""
    assert "\x1b" not in result.err


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


def test_verbose_after_two_dashes_is_an_argument() -> None:
    assert app._without_verbose(["a", "--verbose", "--", "--verbose"]) == (["a", "--", "--verbose"], True)
    assert app._without_verbose(["a", "--", "--verbose"]) == (["a", "--", "--verbose"], False)


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
