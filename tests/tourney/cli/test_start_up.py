"""Starting up: what is imported for what, and how long that takes."""

import statistics
import subprocess
import sys
import time

import pytest

from tests.harness.commands import run_process
from tests.harness.desk import BAD

HEAVY = ("sqlmodel", "sqlalchemy", "pydantic", "trueskill")
LIGHT = [
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
    ("nonsense",),
]


def imported(*words: str) -> set[str]:
    """Every package that the command line imports, by Python's own account."""
    result = run_process(*words, flags=("-X", "importtime"))
    lines = [line.rpartition("|")[2].strip() for line in result.err.splitlines() if line.startswith("import time:")]
    assert lines
    return {name.partition(".")[0] for name in lines} | set(lines)


@pytest.mark.parametrize("words", LIGHT, ids=" ".join)
def test_what_needs_no_database_does_not_load_one(words: tuple[str, ...]) -> None:
    found = imported(*words)
    assert found.isdisjoint(HEAVY)
    assert "rich" not in found, "no terminal, no rich"


def test_help_imports_no_noun_and_not_the_engine() -> None:
    found = imported("--help")
    assert "typer" in found
    assert "engine" not in found
    assert {name for name in found if name.startswith("tourney.")} == {
        "tourney.__main__",
        "tourney.cli",
        "tourney.cli.framework",
        "tourney.cli.framework.app",
        "tourney.text",
        "tourney.text.signals",
        "tourney.text.i18n",
    } & found


def test_help_costs_at_most_nine_times_an_empty_python() -> None:
    """Taken side by side, so that a busy machine slows both; the medians of eleven runs each."""
    empty, help_ = [], []
    for _ in range(11):
        empty.append(seconds("-c", "pass"))
        help_.append(seconds("-m", "tourney", "--help"))
    assert statistics.median(help_) <= 9 * statistics.median(empty)


def seconds(*arguments: str) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin
