"""Tests of the report on coming rounds (`ahead`), before and after a change: attendance, settings, edits, undo."""

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
from tourney.domain.rounds import EventPlanChanges, Round, TableChange
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import Change, apply
from tourney.service.events.attendance import CheckInPlayers, ReturnPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import EnterPlayers, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.players import MergePlayers, RenamePlayer
from tourney.service.rounds import edit_round, rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound, MovePlayer

NAMES = [f"P{number:02}" for number in range(1, 26)]


@pytest.fixture
def db(tmp_path: Path) -> str:
    """Create an event of 24 players, two of six rounds drawn; if one leaves, 23 can play the rest without a repeat."""
    return event_with_two_rounds_drawn(tmp_path, 24, 6)


def event_with_two_rounds_drawn(tmp_path: Path, players: int, number_of_rounds: int) -> str:
    """Create an event of the first `players` of NAMES, and draw two of its rounds; return the database."""
    db = str(tmp_path / "club.db")
    desk.people_in(db, NAMES, players, rounds=number_of_rounds)
    apply(db, UseEvent("Friday"))
    for _round in range(2):
        apply(db, DrawRound())
    return db


def rounds_and_names(changes: Sequence[TableChange] | None) -> list[tuple[int, set[str], set[str]]]:
    """Return the round of each change, with the names at the table before and after it."""
    assert changes is not None
    return [(change.round, {p.name for p in change.before}, {p.name for p in change.after}) for change in changes]


def draw_remaining_rounds(db: str) -> list[Round]:
    """Draw rounds 3 to 6 of the event of the fixture."""
    return [apply(db, DrawRound()).rounds[0] for _round in range(4)]


def test_a_withdrawal_changes_one_table_per_coming_round_as_the_dry_run_said(db: str) -> None:
    """The player is missing at their tables; the change and the next draw report what the dry run reported."""
    changes = rounds_and_names(preview(db, WithdrawPlayers(None, ["P05"])).outcome.ahead)
    assert [number for number, _before, _after in changes] == [3, 4, 5, 6]
    assert all(after == before - {"P05"} and len(before) == 4 for _number, before, after in changes)
    assert rounds_and_names(apply(db, WithdrawPlayers(None, ["P05"])).ahead) == changes
    assert rounds_and_names(preview(db, DrawRound()).outcome.ahead) == changes
    drawn = draw_remaining_rounds(db)
    for number, _before, after in changes:
        assert after in [{player.name for player in table.players} for table in drawn[number - 3].tables]


def test_a_late_entry_is_reported_with_the_table_that_is_new(db: str) -> None:
    """25 players need seven tables: in each round two tables lose a player to table 7, which is new."""
    changes = preview(db, EnterPlayers("Friday", ["P25"])).outcome.ahead
    assert changes is not None
    for number in range(3, 7):
        changed = [change for change in changes if change.round == number]
        assert [(change.number, change.before) for change in changed][-1] == (7, ())
        assert len(changed) == 3
        assert sorted(len(change.after) for change in changed) == [3, 3, 3]
    apply(db, EnterPlayers("Friday", ["P25"]))
    tables = {
        (round_.number, table.number): set(table.players)
        for round_ in draw_remaining_rounds(db)
        for table in round_.tables
    }
    assert {(change.round, change.number): set(change.after) for change in changes}.items() <= tables.items()


def test_a_player_who_returns_has_the_same_tables_again(db: str) -> None:
    """A player withdrawn and returned between two draws leaves the plan unchanged."""
    apply(db, WithdrawPlayers(None, ["P05"]))
    changes = rounds_and_names(preview(db, ReturnPlayers(None, ["P05"])).outcome.ahead)
    assert all(before == after - {"P05"} for _number, before, after in changes)
    apply(db, ReturnPlayers(None, ["P05"]))
    assert preview(db, DrawRound()).outcome.ahead == ()


@pytest.mark.slow
def test_a_draw_after_an_edited_round_changes_no_coming_round(db: str) -> None:
    """The edit has already replanned the coming rounds, so the draw changes none of them."""
    player, other = _meeting_too_early(db)
    apply(db, MovePlayer("Friday", player, edit_round.Swap(other)))
    assert preview(db, DrawRound()).outcome.ahead == ()
    assert len(draw_remaining_rounds(db)) == 4


def test_a_setting_is_reported_with_the_tables_that_it_changes(db: str) -> None:
    """With one round fewer its six tables disappear; with tables of three each round has two more."""
    fewer = preview(db, ChangeSettings(None, {"rounds": 5})).outcome.ahead
    assert fewer is not None
    assert [(change.number, change.after) for change in fewer if change.round == 6] == [
        (number, ()) for number in range(1, 7)
    ]
    assert preview(db, ChangeSettings(None, {"minutes": 50})).outcome.ahead is None
    smaller = preview(db, ChangeSettings(None, {"size": 3})).outcome.ahead
    assert smaller is not None
    assert [(change.number, change.before) for change in smaller if change.number > 6] == [(7, ()), (8, ())] * 4


def _constrain(db: str) -> Change[Any]:
    """Keep apart two players who are planned to meet in round 3."""
    player, opponent = planned(db)[3][1][:2]
    return ConstrainSeating(None, [f"{player},{opponent}"])


def _meeting_too_early(db: str) -> tuple[str, str]:
    """Return two players of round 2: after their swap the first meets an opponent planned for them in round 3."""
    tables = [[player.name for player in table.players] for table in rounds.show(db).rounds[1].tables]
    for planned_table in planned(db)[3].values():
        for player, opponent in permutations(planned_table, 2):
            opponents_table = next(table for table in tables if opponent in table)
            if player not in opponents_table:
                return player, next(name for name in opponents_table if name != opponent)
    raise AssertionError("all players who meet in round 3 have met in round 2")


def _swap(db: str) -> Change[Any]:
    player, other = _meeting_too_early(db)
    return MovePlayer("Friday", player, edit_round.Swap(other))


def _tables_from_a_file(db: str) -> Change[Any]:
    """Draw round 3 from a file that holds a table planned for round 4."""
    file = Path(db).with_name("round3.json")
    file.write_text(json.dumps({"rounds": [[planned(db)[4][1]]]}), encoding="utf-8")
    return DrawRound(None, file)


def _cancel(db: str) -> Change[Any]:
    """Cancel the edited round: the plan made after the edit is cancelled too."""
    player, other = _meeting_too_early(db)
    apply(db, MovePlayer("Friday", player, edit_round.Swap(other)))
    return CancelRound(None, "drawn too early")


def _another_club(db: str) -> Change[Any]:
    """While clubs are kept apart, a player joins the club of an opponent of round 3."""
    player, opponent = planned(db)[3][1][:2]
    apply(db, RenamePlayer(player, club="Getxo"))
    apply(db, ConstrainSeating(None, ["club"]))
    return RenamePlayer(opponent, club="Getxo")


def _merge(db: str) -> Change[Any]:
    """Merge two entrants of one person; the second entered late and has not played."""
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
    "constraint": _constrain,
    "swap": _swap,
    "tables from a file": _tables_from_a_file,
    "cancelled": _cancel,
    "club": _another_club,
    "merge": _merge,
    "undo": _undo,
    "redo": _redo,
}


def planned(db: str) -> dict[int, dict[int, list[str]]]:
    """Return the names at each table of the coming rounds, by round and table, by drawing them in a copy of `db`."""
    copy = str(Path(db).with_name("copy.db"))
    with closing(sqlite3.connect(db)) as original, closing(sqlite3.connect(copy)) as copied:
        original.backup(copied)
    shown = rounds.show(copy)
    coming = [apply(copy, DrawRound()).rounds[0] for _round in range(shown.event.settings.rounds - len(shown.rounds))]
    return {
        round_.number: {table.number: [player.name for player in table.players] for table in round_.tables}
        for round_ in coming
    }


def _changes_ahead(outcome: Any) -> Sequence[TableChange] | None:
    """Return the tables of coming rounds that change, of the first event if the change concerns several."""
    (first, *_others) = outcome.ahead or [None]
    return first.changes if isinstance(first, EventPlanChanges) else outcome.ahead


MAY_CHANGE_NOTHING = {"cancelled"}
"""The cases of CHANGES after which the plan may be the same as before."""


@pytest.mark.parametrize("case", CHANGES)
def test_each_change_reports_exactly_the_coming_tables_that_change(tmp_path: Path, case: str) -> None:
    """Dry run and change report the same tables: those that differ between the rounds drawn without it and with it."""
    db = event_with_two_rounds_drawn(tmp_path, 20, 4)
    change = CHANGES[case](db)
    before = planned(db)
    changes = _changes_ahead(preview(db, change).outcome)
    assert changes is not None
    assert changes or case in MAY_CHANGE_NOTHING
    assert _changes_ahead(apply(db, change)) == changes
    after = planned(db)
    differing = {
        (number, table): (set(before[number].get(table, ())), set(after[number].get(table, ())))
        for number in before.keys() & after.keys()
        for table in {*before[number], *after[number]}
        if set(before[number].get(table, ())) != set(after[number].get(table, ()))
    }
    assert differing == {
        (change.round, change.number): ({p.name for p in change.before}, {p.name for p in change.after})
        for change in changes
    }


CHANGES_WITHOUT_EFFECT: dict[str, Callable[[str], object]] = {
    "a setting that does not affect seating": lambda db: apply(db, ChangeSettings(None, {"minutes": 50})).ahead,
    "a player who is already withdrawn": lambda db: (
        [apply(db, WithdrawPlayers(None, ["P05"])) for _time in range(2)][1].ahead
    ),
    "another label": lambda db: apply(db, RenamePlayer("P05", label="Getxo")).ahead or None,
    "a draw": lambda db: apply(db, DrawRound()).ahead,
    "a draw undone": lambda db: (apply(db, DrawRound()), apply(db, Undo()).ahead or None)[1],
}


@pytest.mark.parametrize("case", CHANGES_WITHOUT_EFFECT)
def test_a_change_that_affects_no_coming_round_reports_none(db: str, case: str) -> None:
    assert CHANGES_WITHOUT_EFFECT[case](db) is None


def test_the_end_of_planning_ahead_is_reported(db: str, run: Runner) -> None:
    """After a change to `swiss` no round is planned ahead; after the change back to `rotation` all are."""
    swiss = run("event", "set", "Friday", "--format", "swiss", "--db", db)
    assert "The coming rounds are no longer planned: each is seated when it is drawn." in swiss.out
    assert (
        "24 tables of the coming rounds change" in run("event", "set", "Friday", "--format", "rotation", "--db", db).out
    )


def test_a_late_check_in_is_reported_with_its_tables(tmp_path: Path) -> None:
    """Only checked-in entrants are seated: 24 of 25 first, then the 25th checks in."""
    db = str(tmp_path / "late.db")
    desk.people_in(db, NAMES, rounds=4, checkin="required")
    apply(db, CheckInPlayers("Friday", NAMES[:24]))
    apply(db, DrawRound("Friday"))
    changes = rounds_and_names(preview(db, CheckInPlayers("Friday", ["P25"])).outcome.ahead)
    assert [number for number, _before, after in changes if "P25" in after] == [2, 3, 4]


@pytest.mark.parametrize("format", ["swiss", "rated swiss", "snake", "random"])
def test_formats_without_a_plan_report_no_coming_rounds(new_db: str, format: str) -> None:
    desk.event(new_db, 8, rounds=3, format=format)
    apply(new_db, DrawRound(anyway=True))
    assert preview(new_db, WithdrawPlayers(None, ["Ana"])).outcome.ahead is None
    assert preview(new_db, DrawRound(anyway=True)).outcome.ahead is None


def test_before_the_first_draw_nothing_is_reported(new_db: str) -> None:
    """A plan that nobody has seen cannot change for anybody."""
    desk.event(new_db, 8, rounds=3)
    assert preview(new_db, WithdrawPlayers(None, ["Ana"])).outcome.ahead is None


def test_a_withdrawal_prints_one_row_per_changed_table(db: str, run: Runner) -> None:
    """The output has a row per round with who stays and who leaves, and the JSON the same; nobody joins."""
    ran = run("event", "withdraw", "Friday", "P05", "--dry-run", "--db", db)
    heading, columns, *rows = ran.out.split("\n\n")[1].splitlines()
    assert heading == "4 tables of the coming rounds change"
    assert columns.split() == ["Round", "Table", "Staying", "Leaving"]
    assert [(row.split()[0], row.split()[-1]) for row in rows] == [(number, "P05") for number in "3456"]
    data = run("event", "withdraw", "Friday", "P05", "--dry-run", "--json", "--db", db).json["ahead"]
    assert [change["round"] for change in data] == [3, 4, 5, 6]
    assert all(set(change["before"]) - set(change["after"]) == {"P05"} for change in data)
    assert "The coming rounds stay as planned." in run("round", "draw", "--dry-run", "--db", db).out


def test_a_change_says_in_one_line_which_coming_rounds_change(db: str, run: Runner) -> None:
    """P05 leaves a table of each of four rounds; only `--verbose` lists who stays there."""
    brief = "4 tables of the coming rounds change, in rounds 3 to 6; `--verbose` lists them."
    changed = run("event", "withdraw", "Friday", "P05", "--db", db).out
    assert f"{brief}\n" in changed
    assert "Staying" not in changed
    _undone, last = run("undo", "--db", db).out.rsplit("\n\n", 1)
    assert " ".join(last.split()) == f"Friday: {brief}"
    listed = run("redo", "--verbose", "--db", db).out
    assert "Friday: 4 tables of the coming rounds change\n" in listed
    assert re.findall(r"^ +([3-6]) +[0-9] .* P05$", listed, re.MULTILINE) == list("3456")
    assert "--verbose" not in listed


def test_staying_players_are_listed_in_their_order_in_the_json(db: str, run: Runner) -> None:
    """P05 leaves four tables: each row lists the three who stay in the order of the JSON field `before`."""
    words = ("event", "withdraw", "Friday", "P05", "--dry-run", "--db", db)
    ahead = run(*words, "--json").json["ahead"]
    staying = [", ".join(name for name in change["before"] if name != "P05") for change in ahead]
    rows = run(*words).out.split("\n\n")[1].splitlines()[2:]
    assert [", ".join(re.findall("P[0-9]{2}", row)[:3]) for row in rows] == staying
    assert len(rows) == 4


def test_coming_byes_are_reported(new_db: str, run: Runner) -> None:
    """Eight players at two tables: with one table there are four byes, which the JSON reports with `table: null`."""
    desk.event(new_db, 8, rounds=2)
    apply(new_db, DrawRound())
    words = ("event", "set", "Friday", "--tables", "1", "--dry-run", "--db", new_db)
    page = run(*words).out
    assert re.search(r"\n +2 +bye +[A-Z]", page)
    assert "bye: no table in that round" in page
    byes = run(*words, "--json").json["ahead"][-1]
    assert (byes["round"], byes["table"], byes["before"], len(byes["after"])) == (2, None, [], 4)
