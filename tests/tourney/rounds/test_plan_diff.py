"""Tests of the changes that attendance would make to the coming rounds, shown beforehand."""

import json
import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.events import EventSettings
from tourney.domain.rounds import EventPlanChanges, Round, TableChange
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import Change, apply
from tourney.service.events.attendance import CheckInPlayers, ReturnPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.people.players import MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.rounds import edit_round, rounds
from tourney.service.rounds.edit_round import CancelRound, MovePlayer
from tourney.service.rounds.rounds import DrawRound

NAMES = [f"P{number:02}" for number in range(1, 26)]


@pytest.fixture
def db(tmp_path: Path) -> str:
    """24 people, two of six rounds drawn: 23 can go on without a repeat where one leaves."""
    return club(tmp_path, 24, 6)


def club(tmp_path: Path, people: int, wanted: int) -> str:
    """Create an event of so many NAMES and rounds, two of them drawn."""
    db = str(tmp_path / "club.db")
    apply(db, RegisterPlayers(NAMES))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=wanted)))
    apply(db, EnterPlayers("Friday", NAMES[:people]))
    apply(db, UseEvent("Friday"))
    for _round in range(2):
        apply(db, DrawRound())
    return db


def names(changes: Sequence[TableChange] | None) -> list[tuple[int, set[str], set[str]]]:
    assert changes is not None
    return [(change.round, {p.name for p in change.before}, {p.name for p in change.after}) for change in changes]


def rest(db: str) -> list[Round]:
    return [apply(db, DrawRound()).rounds[0] for _round in range(4)]


def test_a_withdrawal_would_change_one_table_of_each_round_and_then_does(db: str) -> None:
    """The player is missing at their tables; the change reports what the dry run did, and the next draw has it."""
    changes = names(preview(db, WithdrawPlayers(None, ["P05"])).outcome.ahead)
    assert [number for number, _before, _after in changes] == [3, 4, 5, 6]
    assert all(after == before - {"P05"} and len(before) == 4 for _number, before, after in changes)
    assert names(apply(db, WithdrawPlayers(None, ["P05"])).ahead) == changes
    assert names(preview(db, DrawRound()).outcome.ahead) == changes
    drawn = rest(db)
    for number, _before, after in changes:
        assert after in [{player.name for player in table.players} for table in drawn[number - 3].tables]


def test_a_late_entry_is_reported_with_the_table_that_is_new(db: str) -> None:
    """25 at seven tables: two tables of each round give one player each, and the last one had nobody before."""
    changes = preview(db, EnterPlayers("Friday", ["P25"])).outcome.ahead
    assert changes is not None
    for number in range(3, 7):
        changed = [change for change in changes if change.round == number]
        assert [(one.number, one.before) for one in changed][-1] == (7, ())
        assert len(changed) == 3
        assert sorted(len(one.after) for one in changed) == [3, 3, 3]
    apply(db, EnterPlayers("Friday", ["P25"]))
    tables = {
        (3 + at, table.number): set(table.players) for at, round_ in enumerate(rest(db)) for table in round_.tables
    }
    assert {(change.round, change.number): set(change.after) for change in changes}.items() <= tables.items()


def test_a_player_who_comes_back_has_the_same_tables_again(db: str) -> None:
    """Gone and back between two draws: nothing has changed."""
    apply(db, WithdrawPlayers(None, ["P05"]))
    changes = names(preview(db, ReturnPlayers(None, ["P05"])).outcome.ahead)
    assert all(before == after - {"P05"} for _number, before, after in changes)
    apply(db, ReturnPlayers(None, ["P05"]))
    assert preview(db, DrawRound()).outcome.ahead == ()


def test_a_round_edited_by_hand_changes_later_rounds_that_would_repeat(db: str) -> None:
    """Nobody has left: the draw would change nothing, since the plan after the edit is the plan."""
    one, other = _meeting_too_early(db)
    apply(db, MovePlayer("Friday", one, edit_round.Swap(other)))
    assert preview(db, DrawRound()).outcome.ahead == ()
    assert len(rest(db)) == 4


def test_a_setting_is_reported_with_the_tables_that_it_changes(db: str) -> None:
    """A round fewer, and the six tables of the last are gone; smaller tables, and two more of them in each round."""
    fewer = preview(db, ChangeSettings(None, {"rounds": 5})).outcome.ahead
    assert fewer is not None
    assert [(one.number, one.after) for one in fewer if one.round == 6] == [(number, ()) for number in range(1, 7)]
    assert preview(db, ChangeSettings(None, {"minutes": 50})).outcome.ahead is None
    smaller = preview(db, ChangeSettings(None, {"size": 3})).outcome.ahead
    assert smaller is not None
    assert [(one.number, one.before) for one in smaller if one.number > 6] == [(7, ()), (8, ())] * 4


def _constrain(db: str) -> Change[Any]:
    """Two part who were to meet in round 3."""
    one, other = planned(db)[3][1][:2]
    return ConstrainSeating(None, [f"{one},{other}"])


def _meeting_too_early(db: str) -> tuple[str, str]:
    """Return two players of round 2 to swap, so that the first has an opponent planned for round 3."""
    tables = [[player.name for player in table.players] for table in rounds.show(db).rounds[1].tables]
    for three in planned(db)[3].values():
        for one, friend in permutations(three, 2):
            there = next(table for table in tables if friend in table)
            if one not in there:
                return one, next(name for name in there if name != friend)
    raise AssertionError("everybody of round 3 has met in round 2")


def _swap(db: str) -> Change[Any]:
    one, other = _meeting_too_early(db)
    return MovePlayer("Friday", one, edit_round.Swap(other))


def _by_hand(db: str) -> Change[Any]:
    """A table that is planned for round 4 is given for round 3."""
    file = Path(db).with_name("round3.json")
    file.write_text(json.dumps({"rounds": [[planned(db)[4][1]]]}), encoding="utf-8")
    return DrawRound(None, file)


def _cancel(db: str) -> Change[Any]:
    """An edit is undone: the plan made after it is gone too."""
    one, other = _meeting_too_early(db)
    apply(db, MovePlayer("Friday", one, edit_round.Swap(other)))
    return CancelRound(None, "drawn too early")


def _another_club(db: str) -> Change[Any]:
    """With clubs kept apart, the player joins the club of an opponent of round 3."""
    one, other = planned(db)[3][1][:2]
    apply(db, RenamePlayer(one, club="Getxo"))
    apply(db, ConstrainSeating(None, ["club"]))
    return RenamePlayer(other, club="Getxo")


def _merge(db: str) -> Change[Any]:
    """Merge two entrants of one person, one of whom came late and never sat."""
    apply(db, EnterPlayers("Friday", ["P25"]))
    return MergePlayers("P05", "P25")


def _undo(db: str) -> Change[Any]:
    apply(db, WithdrawPlayers(None, ["P05"]))
    return Undo()


def _redo(db: str) -> Change[Any]:
    apply(db, WithdrawPlayers(None, ["P05"]))
    apply(db, Undo())
    return Redo()


CHANGES: dict[str, Callable[[str], Change[Any]]] = {
    "late entry": lambda db: EnterPlayers("Friday", ["P25"]),
    "withdrawal": lambda db: WithdrawPlayers(None, ["P05"]),
    "no-show": lambda db: WithdrawPlayers(None, ["P06"], absence="no-show"),
    "size": lambda db: ChangeSettings(None, {"size": 3}),
    "wish": _constrain,
    "swap": _swap,
    "tables by hand": _by_hand,
    "cancelled": _cancel,
    "club": _another_club,
    "merge": _merge,
    "undo": _undo,
    "redo": _redo,
}


def planned(db: str) -> dict[int, dict[int, list[str]]]:
    """The names at each table of the rounds to come, by round and table: all are drawn in a copy of the database."""
    copy = str(Path(db).with_name("copy.db"))
    with closing(sqlite3.connect(db)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    drawn = rounds.show(copy)
    found = [apply(copy, DrawRound()).rounds[0] for _round in range(drawn.event.settings.rounds - len(drawn.rounds))]
    return {
        round_.number: {table.number: [player.name for player in table.players] for table in round_.tables}
        for round_ in found
    }


def _ahead(outcome: Any) -> Sequence[TableChange] | None:
    """Return the tables of coming rounds that change, of the first event if the change concerns several."""
    (first, *_others) = outcome.ahead or [None]
    return first.changes if isinstance(first, EventPlanChanges) else outcome.ahead


MAY_STAY = {"cancelled"}
"""The kinds of changes after which the plan may stay what it was."""


@pytest.mark.parametrize("case", CHANGES)
def test_whatever_changes_the_rounds_to_come_tells_all_that_it_changes_and_no_more(tmp_path: Path, case: str) -> None:
    """Dry run and change report alike: the difference between the rounds drawn without the change and with it."""
    db = club(tmp_path, 20, 4)
    change = CHANGES[case](db)
    before = planned(db)
    changes = _ahead(preview(db, change).outcome)
    assert changes is not None
    assert changes or case in MAY_STAY
    assert _ahead(apply(db, change)) == changes
    after = planned(db)
    to_come = before.keys() & after.keys()
    differing = {
        (number, at): (set(before[number].get(at, ())), set(after[number].get(at, ())))
        for number in to_come
        for at in {*before[number], *after[number]}
        if set(before[number].get(at, ())) != set(after[number].get(at, ()))
    }
    assert differing == {
        (one.round, one.number): ({player.name for player in one.before}, {player.name for player in one.after})
        for one in changes
    }


STILL: dict[str, Callable[[str], object]] = {
    "a setting that seats nobody": lambda db: apply(db, ChangeSettings(None, {"minutes": 50})).ahead,
    "who has gone already": lambda db: [apply(db, WithdrawPlayers(None, ["P05"])) for _time in range(2)][1].ahead,
    "another label": lambda db: apply(db, RenamePlayer("P05", label="Getxo")).ahead or None,
    "a draw": lambda db: apply(db, DrawRound()).ahead,
    "a draw undone": lambda db: (apply(db, DrawRound()), apply(db, Undo()).ahead or None)[1],
}


@pytest.mark.parametrize("case", STILL)
def test_what_changes_nothing_to_come_tells_nothing(db: str, case: str) -> None:
    assert STILL[case](db) is None


def test_the_end_of_planning_ahead_is_reported(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """From a rotation to swiss nothing is planned any more, and back again everything is."""
    run = Runner(capsys)
    there = run("event", "set", "Friday", "--format", "swiss", "--db", db)
    assert "The coming rounds are no longer planned: each is seated when it is drawn." in there.out
    assert (
        "24 tables of the coming rounds change" in run("event", "set", "Friday", "--format", "rotation", "--db", db).out
    )


def test_a_late_check_in_is_reported_with_its_tables(tmp_path: Path) -> None:
    """Where only checked-in entrants are seated: 24 of 25, then the last one."""
    db = str(tmp_path / "late.db")
    apply(db, RegisterPlayers(NAMES))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=4, checkin="required")))
    apply(db, EnterPlayers("Friday", NAMES))
    apply(db, CheckInPlayers("Friday", NAMES[:24]))
    apply(db, DrawRound("Friday"))
    changes = names(preview(db, CheckInPlayers("Friday", ["P25"])).outcome.ahead)
    assert [number for number, _before, after in changes if "P25" in after] == [2, 3, 4]


@pytest.mark.parametrize("format", ["swiss", "rated swiss", "snake", "random"])
def test_where_nothing_is_planned_nothing_is_reported(tmp_path: Path, format: str) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=3, format=format)
    apply(db, DrawRound())
    assert preview(db, WithdrawPlayers(None, ["Ana"])).outcome.ahead is None
    assert preview(db, DrawRound()).outcome.ahead is None


def test_before_the_first_draw_nothing_is_reported(tmp_path: Path) -> None:
    """Nobody has seen a plan."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=3)
    assert preview(db, WithdrawPlayers(None, ["Ana"])).outcome.ahead is None


def test_the_desk_reads_the_change_table_by_table(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A row for each round with who stays and who leaves, and the same as JSON; nobody comes."""
    run = Runner(capsys)
    ran = run("event", "withdraw", "Friday", "P05", "--dry-run", "--db", db)
    heading, columns, *rows = ran.out.split("\n\n")[1].splitlines()
    assert heading == "4 tables of the coming rounds change"
    assert columns.split() == ["Round", "Table", "Staying", "Leaving"]
    assert [(row.split()[0], row.split()[-1]) for row in rows] == [(number, "P05") for number in "3456"]
    data = run("event", "withdraw", "Friday", "P05", "--dry-run", "--json", "--db", db).json["ahead"]
    assert [one["round"] for one in data] == [3, 4, 5, 6]
    assert all(set(one["before"]) - set(one["after"]) == {"P05"} for one in data)
    assert "The coming rounds stay as planned." in run("round", "draw", "--dry-run", "--db", db).out


def test_who_stays_stands_as_before(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    """P05 is missing from four tables: the three others stand in the order in which programs find them before."""
    words = ("event", "withdraw", "Friday", "P05", "--dry-run", "--db", db)
    run = Runner(capsys)
    stay = [", ".join(name for name in one["before"] if name != "P05") for one in run(*words, "--json").json["ahead"]]
    rows = run(*words).out.split("\n\n")[1].splitlines()[2:]
    assert [", ".join(re.findall("P[0-9]{2}", row)[:3]) for row in rows] == stay
    assert len(rows) == 4


def test_coming_byes_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Eight at two tables of four: with one table left there are four byes; for programs they have no table."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=2)
    apply(db, DrawRound())
    run = Runner(capsys)
    words = ("event", "set", "Friday", "--tables", "1", "--dry-run", "--db", db)
    page = run(*words).out
    assert re.search(r"\n +2 +bye +[A-Z]", page)
    assert "bye: no table in that round" in page
    out = run(*words, "--json").json["ahead"][-1]
    assert (out["round"], out["table"], out["before"], len(out["after"])) == (2, None, [], 4)
