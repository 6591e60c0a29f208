"""Tests of `event withdraw --out`: players leave the event and their table of the newest round in one change."""

import shlex

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound


def make_db(path: str) -> None:
    """The path of a database: eight people at two tables of round 1."""
    desk.event(path, 8, rounds=3)
    apply(path, DrawRound())


def seats(db: str, table: int) -> list[str]:
    return [player.shown for player in rounds.show(db, None, 1).rounds[0].tables[table - 1].players]


def test_a_player_who_never_came_leaves_event_and_table_and_one_undo_brings_both_back(run: Runner, db: str) -> None:
    first, *others = seats(db, 2)
    shown = run("event", "withdraw", first, "--no-show", "--out").out
    assert f"\nnow at table 2 of round 1: {', '.join(others)}\n" in shown
    assert "still sits" not in shown
    assert seats(db, 2) == others
    assert events.show(db).states.count("no-show") == 1
    apply(db, Undo())
    assert (seats(db, 2), events.show(db).states.count("no-show")) == ([first, *others], 0)


def test_two_players_leave_two_tables_at_once(run: Runner, db: str) -> None:
    gone = [seats(db, 1)[0], seats(db, 2)[0]]
    data = run("event", "withdraw", *gone, "--out", "--json").json
    assert data["left"] == [{"round": 1, "table": 1}, {"round": 1, "table": 2}]
    assert [len(seats(db, table)) for table in (1, 2)] == [3, 3]


def test_the_log_says_that_a_player_without_a_seat_left_the_table(run: Runner, db: str) -> None:
    """A player who takes the seat of one without a seat from now on is named, too."""

    def newest(number: int = 1) -> set[str]:
        lines = run("log", "--last", str(number), "--json").json
        return {str(line["said"]).partition(": players meet")[0] for line in lines}

    first, second = seats(db, 1)[0], seats(db, 2)[0]
    run("round", "move", first, "--out")
    assert newest() == {f"round 1: {first} left the table"}
    run("round", "move", first, "--with", second)
    assert newest() == {f"round 1: {first} sits elsewhere now; without a seat now: {second}"}
    run("round", "move", second, "--table", "1")
    assert newest() == {f"round 1: {second} sits elsewhere now"}
    gone = [seats(db, table)[0] for table in (1, 2)]
    run("event", "withdraw", *gone, "--out")
    assert newest(2) == {f"round 1: {name} left the table" for name in gone}


def test_a_player_who_left_before_is_taken_out_of_the_table_at_which_they_still_sit(run: Runner, db: str) -> None:
    """The command that withdrew them is given again, with --out."""
    first, *others = seats(db, 1)
    shown = run("event", "withdraw", first)
    assert f"{first} still sits at table 1" in " ".join((shown.out + shown.err).split())
    again = run("event", "withdraw", first, "--out", "--json").json
    assert (again["changed"], again["already"], again["left"]) == ([], [first], [{"round": 1, "table": 1}])
    assert seats(db, 1) == others


@pytest.mark.parametrize("table", [1, 2])
def test_whoever_was_entered_twice_is_taken_out_once_merged_and_seated_again(run: Runner, db: str, table: int) -> None:
    """The two registrations sat at one table of four or at two, as they were drawn; the next rounds are planned."""
    keep, gone = seats(db, 1)[0], seats(db, table)[-1]
    run("event", "withdraw", gone, "--out")
    assert run("player", "merge", keep, gone).code == 0
    for number in (2, 3):
        assert run("round", "draw").code == 0
        seated = [player.shown for at in rounds.show(db, None, number).rounds[0].tables for player in at.players]
        assert sorted(seated) == sorted({*desk.NAMES} - {gone})
    assert run("round", "verify").code == 0


def test_a_table_with_a_result_keeps_its_players(run: Runner, db: str) -> None:
    apply(db, EnterResult(None, 1, 1, desk.hands(seats(db, 1))))
    first = seats(db, 1)[0]
    assert run("event", "withdraw", first, "--out", "--json").json["left"] == []
    assert first in seats(db, 1)


def test_nothing_is_done_where_one_player_would_be_left_at_a_table(run: Runner, db: str) -> None:
    """Three of four cannot leave a table; with the two commands of the hint the fourth has a bye."""
    gone = seats(db, 2)[:3]
    refused = run("event", "withdraw", *gone, "--out", "--no-show")
    assert (refused.code, refused.err.splitlines()[0]) == (ExitCode.REFUSED, "error: table 2 would have 1 player")
    assert len(seats(db, 2)) == 4
    assert "no-show" not in events.show(db).states
    withdraw, dissolve = refused.err.split("`")[1::2]
    assert shlex.split(withdraw) == ["tourney", "event", "withdraw", *gone, "--no-show"]
    noted = " ".join(run(*shlex.split(withdraw)[1:]).out.split())
    assert f"where too few are left: enter its sheet, or seat the others elsewhere with `{dissolve}`" in noted
    assert "round move" not in noted
    assert run(*shlex.split(dissolve)[1:]).code == 0


def test_a_withdrawal_says_which_constraints_the_coming_rounds_cannot_keep(run: Runner, db: str) -> None:
    """Ana, Beñat and Carmen never share a table; three others leave, and the five who are left sit at two tables."""
    assert run("event", "constrain", "--never", "Ana,Beñat,Carmen").code == ExitCode.REFUSED
    run("event", "set", "--size", "3")
    assert run("event", "constrain", "--never", "Ana,Beñat,Carmen").code == 0
    assert "never share" not in run("event", "withdraw", "Diego", "--dry-run").out
    noted = " ".join(run("event", "withdraw", "Diego", "Elena", "Félix").out.split())
    assert "are never to share a table, and would have to at so few tables, so that the round is not drawn" in noted
