"""An evening of seventeen in whole commands: people come and go, sheets are wrong, time expires, changes are undone.

Expected points are added up here from the sheets as they were typed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.rounds.clock import ChangeClock

NAMES = (*desk.NAMES, "Irene", "Jon", "Karmele", "Luis", "Manolo", "Nerea", "Olga", "Pilar", "Quique")
SHEET = {contract: 20 + 5 * place for place, contract in enumerate(desk.CONTRACTS)}
"""The points of everybody but the closer, by hand."""


class Evening:
    """The desk of an evening: it types commands, and keeps the points of its sheets by hand."""

    def __init__(self, run: Runner, db: str) -> None:
        self._run = run
        self.db = db
        self.points: Counter[str] = Counter()

    def types(self, *words: str) -> str:
        """Type a command that succeeds without a message, and return what it prints."""
        ran = self._run(*words)
        assert (ran.code, ran.err) == (0, ""), ran.err
        return ran.out

    def refused(self, code: ExitCode, *words: str) -> Ran:
        """Type a command that is refused in two lines."""
        ran = self._run(*words)
        assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 2), ran
        return ran

    def tables(self, number: int) -> list[list[str]]:
        """Return the players of a round's tables, in seat order."""
        tables: list[list[str]] = self._run("round", "show", "--round", str(number), "--json").json["rounds"][0]
        return tables

    def table_of(self, number: int, name: str) -> int:
        """Return the number of the table at which somebody sits in a round."""
        return next(place for place, names in enumerate(self.tables(number), 1) if name in names)

    def standings(self) -> dict[str, int]:
        """Return everybody's points."""
        return {row["player"]: row["points"] for row in self._run("standings", "--json").json}

    def change(self, words: str) -> str:
        """Return the number of the first change in the log that says these words."""
        return next(str(change["number"]) for change in self._run("log", "--json").json if words in change["said"])

    def enters(self, number: int, table: int, hands: int = 7, *options: str) -> str:
        """Enter a sheet whose hands are closed by the seats in turn; no two tables have the same points."""
        names = self.tables(number)[table - 1]
        for hand, contract in enumerate(desk.CONTRACTS[:hands]):
            points = SHEET[contract] + table - 1
            self.points.update({name: points for name in names if name != names[hand % len(names)]})
        place = ("--round", str(number), "--table", str(table))
        return self.types("result", "enter", *place, *sheet(names, hands=hands, more=table - 1), *options)


def sheet(names: Sequence[str], changed: Mapping[str, int] | None = None, hands: int = 7, more: int = 0) -> list[str]:
    """Return the options of a sheet with `more` points a hand; `changed` has other points in the first hand."""
    words = []
    for hand, contract in enumerate(desk.CONTRACTS[:hands]):
        held = SHEET[contract] + more
        points = {name: 0 if place == hand % len(names) else held for place, name in enumerate(names)}
        points |= changed or {} if hand == 0 else {}
        words += ["--hand", " ".join((contract, *(f"{name}={number}" for name, number in points.items())))]
    return words


@pytest.fixture
def evening(run: Runner, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """Seventeen people for four rounds of an hour, Ana and Beñat never at one table; the first round is drawn."""
    db = str(tmp_path_factory.mktemp("evening") / "club.db")
    monkeypatch.setenv("TOURNEY_DB", db)
    monkeypatch.setenv("TOURNEY_BY", "Marta")
    evening = Evening(run, db)
    evening.types("player", "add", *NAMES)
    evening.types("event", "new", "Friday", "--rounds", "4", "--seed", "17", "--minutes", "60")
    evening.types("event", "enter", "--all")
    evening.types("event", "constrain", "--never", "Ana,Beñat")
    evening.types("round", "draw")
    return evening


def seated(tables: Sequence[Sequence[str]]) -> list[str]:
    """Return everybody at the tables, sorted."""
    return sorted(name for table in tables for name in table)


def test_the_evening_from_the_draw_to_the_winner(evening: Evening) -> None:
    """Four rounds, in which two leave, one comes late and one comes back; the sum of the sheets is the standings."""
    first_round(evening)
    people_come_and_go(evening)
    second_round(evening)
    third_round(evening)
    last_round(evening)


def first_round(evening: Evening) -> None:
    """Seventeen fill two tables of four and three of three; a partial sheet is undone, and a slip corrected."""
    assert sorted(map(len, evening.tables(1))) == [3, 3, 3, 4, 4]
    assert seated(evening.tables(1)) == sorted(NAMES)
    names = evening.tables(1)[1]
    evening.types("result", "enter", "--round", "1", "--table", "2", "--half", *sheet(names, hands=1))
    evening.types("undo")
    assert seated(evening.tables(1)) == sorted(NAMES), "undo takes back the hand, and not the draw"
    for table in range(1, 6):
        evening.enters(1, table)
    corrected(evening)


def corrected(evening: Evening) -> None:
    """At table 1 the player in seat 2 has 93 points in the first hand instead of 20; a dry run says what moves."""
    names = evening.tables(1)[0]
    before = evening.standings()
    assert before == dict(evening.points)
    words = ("result", "correct", "--round", "1", "--table", "1", "--reason", "a slip", *sheet(names, {names[1]: 93}))
    assert f"{before[names[1]]} → {before[names[1]] + 73}" in evening.types(*words, "--dry-run")
    assert evening.standings() == before
    evening.types(*words)
    evening.points[names[1]] += 93 - 20
    assert evening.standings() == dict(evening.points)


def people_come_and_go(evening: Evening) -> None:
    """Between the rounds Quique leaves, Rosa comes and Jon leaves; each change says which tables to come it moves."""
    assert "of the coming rounds change" in evening.types("event", "withdraw", "Quique", "--reason", "the last train")
    assert "They play from round 2." in evening.types("event", "enter", "Rosa", "--add")
    evening.types("event", "withdraw", "Jon")
    evening.types("undo")
    assert "withdrawn: Jon" in evening.types("event", "withdraw", "jo")
    refusal = evening.refused(ExitCode.NOT_FOUND, "event", "withdraw", "Carmn")
    assert "did you mean Carmen" in refusal.err


def second_round(evening: Evening) -> None:
    """Sixteen play at four tables, Pilar leaves hers, and time expires before the last table's game is over."""
    evening.types("round", "draw")
    here = {*NAMES, "Rosa"} - {"Quique", "Jon"}
    assert seated(evening.tables(2)) == sorted(here)
    evening.types("event", "withdraw", "Pilar", "--out")
    assert seated(evening.tables(2)) == sorted(here - {"Pilar"})
    assert sorted(map(len, evening.tables(2))) == [3, 4, 4, 4]
    assert "60 min left" in evening.types("round", "clock", "--start")
    for table in (1, 2, 3):
        evening.enters(2, table)
    time_expires(evening)
    evening.enters(2, 4, 5, "--stopped")
    assert evening.standings() == dict(evening.points)


def time_expires(evening: Evening) -> None:
    """An hour and a minute after the start the clock and the status name the table that still plays."""
    evening.types("round", "clock", "--stop")
    apply(evening.db, ChangeClock(None, "start", now=datetime.now(UTC) - timedelta(minutes=61)))
    assert "1 table unfinished" in evening.types("round", "clock")
    assert "result enter --round 2 --table 4" in evening.types("status")
    refusal = evening.refused(ExitCode.USAGE, "round", "clock", "--watch")
    assert "`tourney round clock`" in refusal.err


def third_round(evening: Evening) -> None:
    """Quique is back. A penalty counts, is undone, and is made again."""
    evening.types("event", "return", "Quique")
    evening.types("round", "draw")
    here = sorted({*NAMES, "Rosa"} - {"Jon", "Pilar"})
    assert seated(evening.tables(3)) == here
    for table in range(1, len(evening.tables(3)) + 1):
        evening.enters(3, table)
    words = ("--kind", "penalty", "--player", "Olga", "--points", "50", "--reason", "came late twice")
    evening.types("ruling", "add", *words)
    evening.points["Olga"] += 50
    assert evening.standings() == dict(evening.points)
    assert "penalty of 50 points for Olga" in evening.types("undo")
    assert evening.standings()["Olga"] == evening.points["Olga"] - 50
    evening.types("redo")
    assert evening.standings() == dict(evening.points)
    undone_alone(evening)


def undone_alone(evening: Evening) -> None:
    """A penalty is undone below a later note; a draw is not, for results rest on it."""
    evening.types("ruling", "add", "--kind", "note", "--reason", "a pack was marked")
    evening.types("undo", evening.change("penalty of 50 points"))
    evening.points["Olga"] -= 50
    assert evening.standings() == dict(evening.points)
    refusal = evening.refused(ExitCode.REFUSED, "undo", evening.change("round 1 drawn"))
    assert "rest on it" in refusal.err


def last_round(evening: Evening) -> None:
    """The event cannot be finished before its last sheet; then it names the winner, whom the sheets give too."""
    evening.types("round", "draw")
    refusal = evening.refused(ExitCode.REFUSED, "event", "finish")
    assert "round 4, tables 1 to 4" in refusal.err
    for table in range(1, len(evening.tables(4)) + 1):
        evening.enters(4, table)
    assert evening.standings() == dict(evening.points)
    assert all(evening.table_of(number, "Ana") != evening.table_of(number, "Beñat") for number in range(1, 5))
    games = Counter(name for number in range(1, 5) for table in evening.tables(number) for name in table)
    ranked = [name for name, played in games.items() if played >= 2]
    winner = min(ranked, key=lambda name: evening.points[name] / games[name])
    assert winner in evening.types("event", "finish")
    assert evening.types("log").count("Marta") > 10
    assert "consistent" in evening.types("db", "check")


def test_a_table_that_two_players_leave_is_dissolved(evening: Evening) -> None:
    """Two of a table of three leave in round 1, after the sheet of another table: the third joins an open table."""
    small = next(number for number, names in enumerate(evening.tables(1), 1) if len(names) == 3)
    other = next(number for number in range(1, 6) if number != small)
    evening.enters(1, other)
    first, second, third = evening.tables(1)[small - 1]
    evening.types("round", "move", first, "--out")
    refusal = evening.refused(ExitCode.REFUSED, "round", "move", second, "--out")
    assert f"`tourney round dissolve --round 1 --table {small}" in refusal.err
    dry = evening.types("round", "dissolve", "--table", str(small), "--dry-run")
    assert "nothing was saved" in dry
    evening.types("round", "dissolve", "--table", str(small))
    assert evening.tables(1)[other - 1], "the table with a sheet stays"
    assert third in seated(evening.tables(1))
    evening.types("undo")
    assert len(evening.tables(1)) == 5
