"""Tests of start-up: which packages a command imports, and how long the help takes."""

import statistics
import subprocess
import sys
import time

import pytest

from tests.harness.commands import run_process
from tests.harness.desk import BAD

HEAVY = ("sqlmodel", "sqlalchemy", "pydantic", "trueskill")
WITHOUT_DATABASE = [
    ("--help",),
    ("--version",),
    ("rules", "--help"),
    ("rules", "list"),
    ("rules", "show", "oficial"),
    ("rules", "check", "oficial", "T", "7h 7d 7c"),
    ("rules", "layoff", "oficial", "7h 7d 7c", "7s"),
    ("rules", "arrange", "oficial", "T", "7h 7d 7c 8s"),
    ("rules", "score", "oficial", "7h"),
    ("bot", "list"),
    ("seating", "plan", "--players", "8", "--rounds", "2"),
    ("seating", "judge", str(BAD / "seating-one-at-a-table.json")),
    ("player", "--help"),
    ("rating", "explain", "--help"),
    ("nonsense",),
]


def imported(*words: str) -> set[str]:
    """Return the packages and modules that a command imports, as `-X importtime` reports them."""
    result = run_process(*words, flags=("-X", "importtime"))
    lines = [line.rpartition("|")[2].strip() for line in result.err.splitlines() if line.startswith("import time:")]
    assert lines
    return {name.partition(".")[0] for name in lines} | set(lines)


@pytest.mark.parametrize("words", WITHOUT_DATABASE, ids=" ".join)
def test_a_command_without_database_imports_no_database_library(words: tuple[str, ...]) -> None:
    packages = imported(*words)
    assert packages.isdisjoint(HEAVY)
    assert "rich" not in packages, "rich is needed only on a terminal"


def test_help_imports_neither_the_modules_of_commands_nor_the_engine() -> None:
    packages = imported("--help")
    assert "typer" in packages
    assert "engine" not in packages
    assert {name for name in packages if name.startswith("tourney.")} == {
        "tourney.__main__",
        "tourney.cli",
        "tourney.cli.framework",
        "tourney.cli.framework.app",
        "tourney.cli.framework.help_pages",
        "tourney.text",
        "tourney.text.signals",
        "tourney.text.i18n",
    } & packages


def test_help_takes_at_most_nine_times_as_long_as_an_empty_python() -> None:
    """The medians of eleven runs are compared; the runs alternate, so that a busy machine slows both."""
    empty, help_ = [], []
    for _ in range(11):
        empty.append(seconds("-c", "pass"))
        help_.append(seconds("-m", "tourney", "--help"))
    assert statistics.median(help_) <= 9 * statistics.median(empty)


def seconds(*arguments: str) -> float:
    """Return how many seconds Python takes with these arguments."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin
