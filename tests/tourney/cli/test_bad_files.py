"""Tests of the files of fixtures/bad: each is refused by its command in one line with a hint, and nothing is kept."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness.commands import Runner, refusal
from tests.harness.desk import BAD, CLUB, copied, event
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.players import ImportPlayers
from tourney.service.rounds.draw_round import DrawRound

FILES = sorted(path.name for path in BAD.iterdir() if path.name != "commands.toml")
COMMANDS = {
    "players": ("player", "import", "FILE"),
    "entries": ("event", "enter", "Friday", "--file", "FILE"),
    "score-sheets": ("event", "import", "Evening", "--sheets", "FILE", "--rules", "oficial"),
    "sheet": ("result", "enter", "Friday", "--round", "1", "--table", "1", "--file", "FILE"),
    "results": ("rating", "import", "FILE", "--pool", "p"),
    "record": ("record", "verify", "FILE"),
    "seating": ("seating", "judge", "FILE"),
    "rules": ("event", "new", "Ours", "--rules", "FILE"),
    "plan": ("event", "new", "Weekend", "--plan", "FILE"),
    "book": ("league", "run", "--bots", "greedy,random", "--book", "FILE"),
    "league": ("league", "import", "FILE"),
}
"""The command that reads the file, by the beginning of the file's name."""

# Words of the message about each bad results file: the line, and a word of the fault.
RESULTS = {
    "results-date-no-day.csv": ("line 4", "2023-02-30"),
    "results-driver-twice.csv": ("line 4", "Ana"),
    "results-empty.csv": ("empty",),
    "results-missing-column.csv": ("rank",),
    "results-rank-as-text.csv": ("line 3", "second"),
    "results-rank-zero.csv": ("line 2", "0"),
    "results-short-row.csv": ("line 3",),
    "results-two-dates.csv": ("line 5", "2023-03-05", "2023-03-12"),
    "results-unclosed-quote.csv": ("line 2", "quote"),
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line with the people of the club evening and an event of four of them, its first round drawn."""
    monkeypatch.setenv("TOURNEY_DB", copied(tmp_path / "desk.db", make_a_round_and_people))
    return Runner(capsys)


def make_a_round_and_people(db: str) -> None:
    event(db, 4)
    apply(db, DrawRound())
    apply(db, ImportPlayers(CLUB / "players.csv"))


def journal_rows(path: Path) -> list[tuple[object, ...]]:
    """Return the rows of the journal, read with SQLite and without the program."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM act").fetchall()


def command(name: str, file: Path) -> list[str]:
    """Return the command that reads a file of this name, with the path in it."""
    kind = max((kind for kind in COMMANDS if name.startswith(f"{kind}-")), key=len)
    return [str(file) if word == "FILE" else word for word in COMMANDS[kind]]


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_is_refused_in_one_line_with_a_hint_and_changes_nothing(
    run: Runner, tmp_path: Path, name: str
) -> None:
    before = journal_rows(tmp_path / "desk.db")
    result = run(*command(name, BAD / name))
    error, _hint = refusal(result, ExitCode.NOT_FOUND if "unregistered" in name else ExitCode.REFUSED)
    assert "fault in tourney" not in error
    assert journal_rows(tmp_path / "desk.db") == before
    assert before


def test_a_bad_results_file_is_refused_for_the_fault_in_its_name(run: Runner) -> None:
    """Check that the message has the name of the file and the words of RESULTS."""
    assert set(RESULTS) == {name for name in FILES if name.startswith("results-")}
    for name, words in RESULTS.items():
        output = run("rating", "import", str(BAD / name), "--pool", "p").err
        assert all(word in output for word in (name, *words)), output


def test_the_golden_records_replay(capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted((BAD.parent / "records").glob("*.toml"))
    assert files
    for file in files:
        result = Runner(capsys)("record", "verify", str(file), "--json")
        assert result.json["replays"] is True, file.name
