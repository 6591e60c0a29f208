"""Tests of start-up: which packages a command imports, and how much processor time it takes."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import empty_pythons, run_process
from tests.harness.desk import BAD
from tests.harness.slow import slow

make_db = desk.make_everything

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
    ("guide",),
    ("guide", "limits"),
    ("player", "--help"),
    ("rating", "explain", "--help"),
    ("nonsense",),
]
WITHOUT_TABLE = [
    ("--help",),
    ("--version",),
    ("rating", "explain", "--help"),
    ("rules", "show", "oficial", "--json"),
    ("seating", "plan", "--players", "8", "--rounds", "2", "--format", "csv"),
    ("rules", "list", "--format", "markdown"),
    ("nonsense",),
]
READING = [("standings",), ("ratings",), ("round", "show"), ("event", "list"), ("status",)]
LISTED = ("engine.", "tourney.bots.", "tourney.files.", "tourney.reports.", "tourney.seating.", "tourney.service.")
ORDINARY = [*READING, ("player", "list"), ("player", "add", "Zoe"), ("event", "use", "Friday")]


def imported(*words: str) -> set[str]:
    """Return the packages and modules that a command imports, as `-X importtime` reports them."""
    result = run_process(*words, flags=("-X", "importtime"))
    lines = [line.rpartition("|")[2].strip() for line in result.err.splitlines() if line.startswith("import time:")]
    assert lines
    return {name.partition(".")[0] for name in lines} | set(lines)


@pytest.mark.parametrize("words", WITHOUT_DATABASE, ids=" ".join)
def test_a_command_without_database_imports_no_database_library(words: tuple[str, ...]) -> None:
    assert imported(*words).isdisjoint(HEAVY)


@pytest.mark.parametrize("words", WITHOUT_TABLE, ids=" ".join)
def test_a_command_that_shows_no_table_does_not_import_rich(words: tuple[str, ...]) -> None:
    assert "rich" not in imported(*words)


@pytest.mark.parametrize("form", ["csv", "html"])
def test_only_html_imports_the_package_of_its_templates(form: str) -> None:
    assert ("jinja2" in imported("rules", "list", "--format", form)) == (form == "html")


@pytest.mark.parametrize(
    "words",
    [("--help",), ("serve", "--help"), ("site", "--help"), ("desk", "--help"), ("status", "--help")],
    ids=" ".join,
)
def test_only_a_running_server_imports_its_packages(words: tuple[str, ...]) -> None:
    assert imported(*words).isdisjoint({"starlette", "uvicorn", "segno", "asyncio", "tourney.web"})


def test_help_imports_neither_the_modules_of_commands_nor_the_engine() -> None:
    packages = imported("--help")
    assert "typer" in packages
    assert packages.isdisjoint({"engine", "rich"})
    assert {name for name in packages if name.startswith("tourney.")} == {
        "tourney.__main__",
        "tourney.cli",
        "tourney.cli.framework",
        "tourney.cli.framework.app",
        "tourney.cli.framework.help_pages",
        "tourney.cli.framework.language",
        "tourney.text",
        "tourney.text.i18n",
        "tourney.text.encoding",
        "tourney.text.signals",
    } & packages


@pytest.mark.parametrize("words", ORDINARY, ids=" ".join)
def test_a_command_that_finds_its_database_builds_no_table_classes(words: tuple[str, ...], db: str) -> None:
    """Only a new file and an upgrade need them: importing sqlmodel would double the time of every other command.

    Similar names are sought only where a name is wrong, and bots are loaded by what plays.
    """
    packages = imported(*words, "--db", db)
    assert "sqlalchemy" in packages
    assert packages.isdisjoint({"sqlmodel", "pydantic", "alembic", "sqlalchemy.orm", "rapidfuzz"})
    assert packages.isdisjoint({"engine.bots", "tourney.bots.roster", "tourney.league.playing"})


def test_reading_commands_import_the_listed_modules_and_no_other(db: str) -> None:
    """A module that comes to the list costs each reading command its time; use it by its package, as `lazy` says."""
    commands = [imported(*words, "--db", db) for words in READING]
    found = {name for packages in commands for name in packages if name.startswith(LISTED)}
    listed = Path(__file__).with_name("reading_commands.txt").read_text(encoding="utf-8").split()
    assert sorted(found) == listed


@pytest.mark.parametrize(
    ("words", "most"), [(("--help",), 9), (READING[0], 60), *slow((words, 60) for words in READING[1:])]
)
def test_a_command_takes_a_limited_multiple_of_an_empty_python(words: tuple[str, ...], most: int, db: str) -> None:
    """Processor times are compared, as medians of three turns.

    `python -m tests.benchmarks startup` has the targets, 7 and 40, which hold on a machine with nothing else to do.
    """
    database = [] if words == ("--help",) else ["--db", db]
    assert empty_pythons(*words, *database) <= most
