"""Tests of programs as bots in leagues: played, refused before a league begins, and failing."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.harness.bots.transcripts import STARTERS
from tests.harness.commands import Runner
from tourney.bots.process import end_leaving
from tourney.bots.roster import read_roster
from tourney.domain.errors import ExitCode
from tourney.domain.leagues import League
from tourney.league.blocks import read_block
from tourney.league.playing import play_block
from tourney.rulebook.rulesets import rules_of

PYTHON = f"cmd:{sys.executable} -I -S"
"""A quick start of Python."""
BASE = (STARTERS / "bot.py").read_text("utf-8")
FAILING = {
    "died": ("say(str(choose(listed)))", "sys.exit(3)", "ended with exit code 3"),
    "illegal": ("say(str(choose(listed)))", 'say("999")', "there is no action 999"),
    "unreadable": ("say(str(choose(listed)))", 'say("seven of hearts")', "'seven' is not an action"),
}
"""Faults of a starter at every question: what stands in its text, what takes its place, and what the fault says."""


@pytest.fixture(autouse=True)
def folder(folder: Path) -> Path:
    """The folder in which the program runs, with the starter in it."""
    (folder / "bot.py").write_text(BASE, "utf-8")
    return folder


def league(folder: Path, *bots: str, blocks: int = 1) -> League:
    """Return a small league of two at a table."""
    roster = read_roster(bots, folder)
    return League(roster.bots, "oficial", 2, "7", blocks, outside=roster.outside)


def test_a_program_plays_a_league_and_leaves_no_process(run: Runner, folder: Path) -> None:
    words = ["--bots", f"greedy,{PYTHON} bot.py", "--rules", "oficial", "--seats", "2", "--blocks", "1", "--json"]
    ran = run("league", "run", *words, "--seed", "a seed that nobody guesses", "--db", "club.db")
    assert (ran.code, ran.err) == (0, "")
    assert sorted(row["faults"] for row in json.loads(ran.out)["bots"]) == [0, 0]
    end_leaving(at_once=True)
    assert not _running(str(folder))


def _running(folder: str) -> list[str]:
    """Return the processes that run in the folder, except this one, its keeper and the servers of its workers."""
    own, found = (b"killpg", b"multiprocessing"), []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                command = (process / "cmdline").read_bytes()
                if os.readlink(process / "cwd") == folder and not any(word in command for word in own):
                    found.append(process.name)
            except OSError:
                continue
    return found


def test_a_program_s_files_are_those_that_its_command_names_without_an_interpreter(folder: Path) -> None:
    (folder / "weights.bin").write_bytes(b"1")
    os.chmod(folder / "bot.py", 0o755)
    for command, files in (
        (f"{PYTHON} bot.py weights.bin --fast", ["bot.py", "weights.bin"]),
        ("cmd:./bot.py weights.bin", ["bot.py", "weights.bin"]),
        ("cmd:python3 missing.py", []),
    ):
        (bot,) = read_roster([command], folder).outside
        assert [name for name, _digest in bot.files] == files, command


@pytest.mark.parametrize("kind", FAILING)
def test_a_program_that_fails_at_every_question_ends_no_game(kind: str, folder: Path) -> None:
    """A program may end four times in a block; then the fallback plays."""
    before, after, says = FAILING[kind]
    assert before in BASE
    (folder / "bot.py").write_text(BASE.replace(before, after), "utf-8")
    settings = league(folder, "random", f"{PYTHON} bot.py")
    played = play_block(settings, rules_of(settings.rules_ref), 0)
    assert len(read_block(played.text).games) > 0
    assert read_block(played.text).totals[0].faults == 0
    assert read_block(played.text).totals[1].faults > 20
    assert played.faults[0].what.startswith(f"{kind}: ")
    assert says in played.faults[0].what


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("cmd:", "is not a command"),
        ("cmd:'", "is not a command"),
        ("cmd:./missing", "cannot be started: No such file or directory"),
        ("cmd:./bot.py", "cannot be started: Permission denied"),
        ("cmd:cat", "answers `hello 1 NAME`, not “tourney 1”"),
        ("cmd:true", "ended with exit code 0"),
        ("cmd:./old", "speaks version 2, not 1"),
        # A trace as Java writes it: what went wrong stands before the lines of the trace.
        ("cmd:./traced", "exit code 1: Exception: no cards"),
    ],
)
def test_a_program_that_cannot_play_is_refused_before_anything_begins(
    run: Runner, folder: Path, command: str, problem: str
) -> None:
    (folder / "old").write_text("#!/bin/sh\necho hello 2 old\necho ready\nread line\n", "utf-8")
    trace = "'Exception: no cards\\n\\tat Bad.main(Bad.java:4)\\n'"
    (folder / "traced").write_text(f"#!/bin/sh\nprintf {trace} >&2\nexit 1\n", "utf-8")
    for name in ("old", "traced"):
        os.chmod(folder / name, 0o755)
    ran = run("league", "run", "--bots", f"greedy,{command}", "--blocks", "1", "--db", "club.db")
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")
    assert problem in ran.err
    assert not _running(str(folder))


def test_a_program_that_is_silent_is_refused_after_its_limit(run: Runner, folder: Path) -> None:
    (folder / "field.toml").write_text(
        '[[bot]]\nname = "silent"\nentrant = "cmd:sleep 60"\nlimits = { start = 0.2 }\n[[bot]]\nentrant = "greedy"\n',
        "utf-8",
    )
    ran = run("league", "run", "--bots", "@field.toml", "--blocks", "1", "--db", "club.db")
    assert ran.code == ExitCode.USAGE
    assert "“sleep 60” does not answer the greeting: no answer in time" in ran.err
