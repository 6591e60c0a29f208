"""Tests of the progress of a league: on wide and narrow terminals, and in a log."""

import io
import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from tests.harness.commands import Runner
from tests.harness.terminal import CTRL_C, Terminal
from tourney.cli.leagues import progress
from tourney.domain.errors import ExitCode
from tourney.domain.league_tables import GapTestState, LeagueProgress
from tourney.domain.leagues import GapTest
from tourney.service.leagues import play

NOW = LeagueProgress(412, 1000, 152.4, ("planner", "greedy", "random"), 0.876, 3671.6, "played")

DISPLAYS = {
    "a wide terminal": (
        80,
        NOW,
        ["412 of 1000 blocks, 1:01:12 left, 152 games/s", "87.6 % sure: planner > greedy > random"],
    ),
    "a narrow terminal": (
        40,
        NOW,
        ["412 of 1000 blocks, 1:01:12 left, 152 g…", "87.6 % sure: planner > greedy > random"],
    ),
    "until the order is certain": (
        80,
        replace(NOW, until="certain", certainty=0.9999),
        ["412 of 1000 blocks, at most 1:01:12 left, 152 games/s", ">99.9 % sure: planner > greedy > random"],
    ),
    "a test": (
        80,
        replace(NOW, until="decided", test=GapTestState(GapTest(0.0, 1.0), 1.234, -2.944, 2.944)),
        [
            "412 of 1000 blocks, at most 1:01:12 left, 152 games/s",
            "log-likelihood ratio 1.23; bounds -2.94 and 2.94",
        ],
    ),
    "a test that has few blocks": (
        80,
        replace(NOW, until="decided", test=GapTestState(GapTest(0.0, 1.0), None, -2.944, 2.944)),
        ["412 of 1000", "log-likelihood ratio not yet known; bounds -2.94 and 2.94"],
    ),
    "no block is played": (80, LeagueProgress(0, 9, 0.0, (), 0.0, None, "played"), ["0 of 9 blocks"]),
    "one bot": (80, replace(NOW, order=("greedy",)), ["412 of 1000 blocks, 1:01:12 left, 152 games/s"]),
    "too few blocks for a certainty": (
        40,
        replace(NOW, order=("a", "b"), certainty=0.0),
        ["412 of 1000", "so far: a > b"],
    ),
    "ending": (40, replace(NOW, phase="ending"), ["412 of", "87.6 %", "finishing; Ctrl-C stops at once"]),
    "more bots than fit": (
        40,
        replace(NOW, order=("planner",) * 9),
        ["412 of", "87.6 % sure: planner > planner > planne…"],
    ),
}


@pytest.mark.parametrize(("columns", "now", "expected"), DISPLAYS.values(), ids=DISPLAYS)
def test_blocks_time_speed_order_and_certainty_fit_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, now: LeagueProgress, expected: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    console = Console(file=io.StringIO(), width=columns, legacy_windows=False)
    console.print(progress._display(now))
    lines = console.file.getvalue().splitlines()
    assert len(lines) == len(expected)
    assert max(map(len, lines)) <= columns
    for line, words in zip(lines, expected, strict=True):
        assert words in line


def test_a_log_gets_a_line_a_minute(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock advances 25 s whenever it is read; standard output has only the JSON of the table."""
    ticks = itertools.count(0, 25)
    monkeypatch.setattr(progress, "monotonic", lambda: next(ticks))
    monkeypatch.setattr(play, "PROGRESS_SECONDS", 0.0)
    words = (
        "--bots",
        "greedy,random",
        "--seats",
        "2",
        "--blocks",
        "8",
        "--workers",
        "1",
        "--seed",
        "1",
        "--db",
        str(tmp_path / "club.db"),
    )
    result = Runner(capsys)("league", "run", *words, "--json")
    assert result.json["blocks"] == 8
    lines = result.err.splitlines()
    assert [line.partition(" of 8 blocks, 0:0")[0] for line in lines] == ["2", "5", "8"]
    assert all("games/s; " in line and line.endswith("greedy > random") for line in lines)


def test_a_league_at_a_terminal_shows_a_bar_and_its_order(tmp_path: Path) -> None:
    """After Ctrl-C the display announces the end, and then the error and the hint are printed."""
    words = ("--bots", "greedy,random", "--seats", "2", "--blocks", "100000", "--workers", "1")
    with Terminal("league", "run", *words, "--db", str(tmp_path / "club.db"), TERM="xterm") as terminal:
        terminal.wait("0 of 100000 blocks")
        terminal.wait("sure: greedy > random")
        terminal.press(CTRL_C)
        terminal.wait("finishing; Ctrl-C stops at once")
        terminal.wait("error:")
        terminal.wait(" interrupted: ")
        terminal.wait("continue with\n")
        terminal.wait("`tourney league resume 1 --workers 1 --db ")
        assert terminal.code() == ExitCode.INTERRUPTED
