"""The frame: help everywhere, one line for whatever goes wrong, and the right exit code."""

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


def every_command() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every noun and verb with its command, from the command line itself."""
    root = app.root()
    yield (), root
    for noun in root.list_commands(None):
        yield from _under((noun,), root.get_command(None, noun))


def _under(path: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for verb, one in getattr(command, "commands", {}).items():
        if not one.hidden:
            yield from _under((*path, verb), one)


COMMANDS = dict(every_command())
# What has been built; the command line must have these and no others.
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
    alone, *rest = PROMISED.strip().split("\n")
    paths = {(word,) for word in alone.split()}
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
    """A sentence that ends as one; an option without help is a riddle."""
    command = COMMANDS[path]
    assert command.help
    assert command.help.rstrip().endswith((".", "cases."))
    for param in command.params:
        assert param.help, f"{' '.join(path)}: {param.name}"


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) if path else "tourney")
def test_h_is_help_everywhere_within_eighty_columns(run: Runner, path: tuple[str, ...]) -> None:
    short, long = run(*path, "-h"), run(*path, "--help")
    assert short == long
    assert short.code == 0
    assert short.err == ""
    assert short.out.startswith("Usage: tourney")
    assert max(len(line) for line in short.out.splitlines()) <= 80


def test_no_verb_s_sentence_is_cut_where_its_noun_lists_it(run: Runner) -> None:
    for path, command in COMMANDS.items():
        if hasattr(command, "commands"):
            assert "..." not in run(*path, "-h").out.partition("Commands:")[2], path


def test_changes_have_a_dry_run_and_listings_a_form() -> None:
    """`--dry-run` on every change, `--format` and `--json` on every listing, `--db` on all that opens the database."""
    acts = "player add/player import/event new/event use/event enter/event constrain/event import/round draw/round play"
    acts += "/round move/round cancel/round clock"
    acts += "/result enter/result correct/result void/rating import/db upgrade/db restore/undo/redo"
    acts += "/player rename/player merge/player erase/event set/event checkin/event withdraw/event return/event finish"
    acts += "/league join/event reopen/ruling add/ruling cancel/rating pool set"
    listings = "player list/event list/ruling list/round draw/round show/round slips/round play/round verify"
    listings += "/result show/standings/ratings/bot list"
    listings += "/rating show/rating history/rating explain"
    listings += "/rating predict/rating quality/rating compare/rating noise/rating whatif/rating smooth"
    listings += "/rules list/rules show/record show/record replay/db check/doctor/log"
    listings += "/seating plan/seating judge/seating advise/league run/league join/league resume"
    listings += "/league status/league why/league pilot"
    for path in acts.split("/"):
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
    return {option for param in COMMANDS[tuple(path.split())].params for option in param.opts}


def test_the_version_is_the_distribution_s(run: Runner) -> None:
    result = run("--version")
    assert result.code == 0
    assert re.fullmatch(r"tourney (\d+\.\d+\.\d+\S*|\(not installed\))\n", result.out)


def test_without_a_word_the_help_is_shown(run: Runner) -> None:
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
def test_a_wrong_line_is_one_error_with_a_hint(run: Runner, words: tuple[str, ...], err: str) -> None:
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
    """Check that an error says what is wrong and what to do, without usage text or anything that could steer a
    terminal.
    """
    result = run(*words)
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    error, hint, rest = result.err.split("\n")
    assert error.startswith("error: ")
    assert hint.startswith("hint: ")
    assert rest == ""
    assert "\x1b" not in result.err


@pytest.mark.parametrize("code", list(ExitCode)[1:6])
def test_a_refusal_keeps_its_code_and_its_hint(run: Runner, monkeypatch: pytest.MonkeyPatch, code: ExitCode) -> None:
    """Line breaks and control characters of a message stay on its one line."""

    def refuse(words: list[str]) -> int:
        raise TourneyError(code, "no such\nthing \x07", "try\tagain")

    monkeypatch.setattr(app, "_run", refuse)
    result = run("whatever")
    assert (result.code, result.err) == (code, "error: no such thing \\x07\nhint: try again\n")


def test_a_fault_shows_its_traceback_only_when_asked(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(words: list[str]) -> int:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr(app, "_run", stumble)
    result = run("rules")
    assert result.code == ExitCode.REFUSED
    assert result.err.startswith("error: this is a bug in tourney: ZeroDivisionError: by nought\nhint: ")
    assert "--verbose" in result.err
    assert "Traceback" not in result.err
    for words in (("--verbose", "rules"), ("rules", "--verbose")):
        done = run(*words)
        assert done.code == ExitCode.REFUSED
        assert "Traceback" in done.err
        assert done.err.endswith(result.err)


def test_verbose_behind_two_dashes_is_an_argument() -> None:
    assert app._without_verbose(["a", "--verbose", "--", "--verbose"]) == (["a", "--", "--verbose"], True)
    assert app._without_verbose(["a", "--", "--verbose"]) == (["a", "--", "--verbose"], False)


def test_an_interrupt_is_130_and_one_word(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(words: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "_run", stop)
    result = run("rules")
    assert (result.code, result.out, result.err) == (130, "", "interrupted\n")


def test_a_file_that_cannot_be_used_is_no_fault() -> None:
    """An OSError that nobody foresaw still names file and reason."""
    error = PermissionError(13, "Permission denied", "sheet.toml")
    code, lines = errors._sentence(error)
    assert code == ExitCode.STORAGE
    assert lines[0] == "error: cannot use “sheet.toml”: Permission denied"


def test_a_reader_who_leaves_early_is_no_error() -> None:
    """`tourney rules show | head -1` ends quietly and well."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "tourney", "rules", "show"], stdout=pipe, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


class Full(io.TextIOWrapper):
    """A file on a disk without room."""

    written = 0

    def write(self, text: str) -> int:
        self.written += len(text)
        return len(text)

    def flush(self) -> None:
        if self.written:
            raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_reported_in_one_line(run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "stdout", Full((tmp_path / "out").open("wb")))
    result = run("rules", "list")
    assert result.code == ExitCode.STORAGE
    assert result.err.startswith("error: the output cannot be written: No space left on device\nhint: ")
    assert result.err.count("\n") == 2


@pytest.mark.parametrize(
    "env", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "latin-1"}], ids=str
)
def test_output_is_utf_8_whatever_the_locale(env: dict[str, str]) -> None:
    """The reason repeats the word as it was typed; the word is no card."""
    result = run_process("rules", "score", "oficial", "ñandú", env=env)
    assert result.code == ExitCode.USAGE
    assert "ñandú" in result.err
