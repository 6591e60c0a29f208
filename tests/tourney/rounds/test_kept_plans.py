"""Tests that the plan of the coming rounds is kept with the change that altered it, and planned once."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, processor_seconds
from tourney.service.admin.journal import Undo
from tourney.service.change import Change, apply
from tourney.service.events.attendance import ReturnPlayers, WithdrawPlayers
from tourney.service.events.events import EnterPlayers
from tourney.service.impact import preview
from tourney.service.rounds import draw_round
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.seating import plan_steps
from tourney.storage.check import check_database


def _event(path: Path, people: int, rounds: int = 4) -> str:
    db, names = str(path), [f"P{number:02}" for number in range(1, people + 1)]
    desk.people_in(db, names, rounds=rounds, seed="7")
    apply(db, DrawRound())
    return db


def _coming_and_going(changes: int) -> list[Change[Any]]:
    """Return changes in which each of some players leaves, and comes back after the next one has left."""
    steps: list[Change[Any]] = [WithdrawPlayers(None, ["P01"])]
    for number in range(2, 2 + changes):
        steps += [WithdrawPlayers(None, [f"P{number:02}"]), ReturnPlayers(None, [f"P{number - 1:02}"])]
    return steps[:changes]


class _Planner:
    """Counts the plans that are made, and forgets between two commands what one process would remember."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._plan, self.calls = plan_steps.plan, 0
        monkeypatch.setattr(plan_steps, "plan", self._counted)

    def _counted(self, *arguments: Any, **settings: Any) -> Any:
        self.calls += 1
        return self._plan(*arguments, **settings)

    def plans_of(self, command: Callable[[], object]) -> int:
        """Run the command as in a new process, and return the number of plans that it makes."""
        plan_steps._planned.cache_clear()
        self.calls = 0
        command()
        return self.calls


@pytest.fixture
def planner(monkeypatch: pytest.MonkeyPatch) -> _Planner:
    return _Planner(monkeypatch)


def _rewrite(db: str, edit: Callable[[dict[str, Any]], None]) -> None:
    """Edit the payload of every entry and compute all hashes again, as a cheat who knows the format could."""
    with closing(sqlite3.connect(db)) as connection:
        head = ""
        for number, text in connection.execute("SELECT number, text FROM act ORDER BY number").fetchall():
            entry = json.loads(text)
            edit(entry["payload"])
            line = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            head = hashlib.sha256(f"{head}\n{line}".encode()).hexdigest()
            connection.execute("UPDATE act SET text = ?, hash = ? WHERE number = ?", (line, head, number))
        connection.execute("UPDATE head SET hash = ?", (head,))
        connection.commit()


def test_each_change_plans_once_however_many_came_before(tmp_path: Path, planner: _Planner) -> None:
    """One plan for the new state; the one before it is kept. A returning player may need a plan nobody has seen."""
    db = _event(tmp_path / "club.db", 9)
    made = [planner.plans_of(lambda change=change: apply(db, change)) for change in _coming_and_going(5)]
    assert made[0] == 1
    assert max(made) <= 2
    assert planner.plans_of(lambda: preview(db, WithdrawPlayers(None, ["P07"]))) == 1
    assert planner.plans_of(lambda: apply(db, DrawRound())) == 0
    assert planner.plans_of(lambda: preview(db, WithdrawPlayers(None, ["P07"]))) == 1


def test_an_undone_change_leaves_the_plan_before_it(tmp_path: Path, planner: _Planner) -> None:
    db = _event(tmp_path / "club.db", 9)
    apply(db, WithdrawPlayers(None, ["P01"]))
    apply(db, WithdrawPlayers(None, ["P02"]))
    assert planner.plans_of(lambda: apply(db, Undo())) == 0
    assert planner.plans_of(lambda: preview(db, WithdrawPlayers(None, ["P03"]))) == 1


def test_entries_of_before_without_a_plan_are_planned_once(tmp_path: Path, planner: _Planner) -> None:
    """Without their plans the entries are those of an older program; the next change keeps all that it plans.

    The first draw, two departures and the new one are four plans; then there is one for each change.
    """
    db = _event(tmp_path / "club.db", 9)
    for change in _coming_and_going(2):
        apply(db, change)
    ahead = preview(db, WithdrawPlayers(None, ["P05"])).outcome.ahead
    _rewrite(db, lambda payload: payload.pop("plan", None))
    assert check_database(db).problems == ()
    assert planner.plans_of(lambda: preview(db, WithdrawPlayers(None, ["P05"]))) == 4
    assert preview(db, WithdrawPlayers(None, ["P05"])).outcome.ahead == ahead
    assert planner.plans_of(lambda: apply(db, WithdrawPlayers(None, ["P05"]))) == 4
    assert planner.plans_of(lambda: preview(db, WithdrawPlayers(None, ["P06"]))) == 1
    assert draw_round.verify(db).agree


def _exchange(payload: dict[str, Any]) -> None:
    """Exchange two players of the second coming round in every plan that an entry keeps."""
    for step in payload.get("plan", ()):
        first, second = step["rounds"]["3"][:2]
        first[0], second[0] = second[0], first[0]


def test_a_kept_plan_that_was_tampered_with_is_found(tmp_path: Path, planner: _Planner, run: Runner) -> None:
    """The hashes hold again, so that only planning again from the seed can tell."""
    db = _event(tmp_path / "club.db", 9)
    apply(db, WithdrawPlayers(None, ["P01"]))
    assert run("round", "verify", "--db", db).code == 0
    _rewrite(db, _exchange)
    assert check_database(db).problems == ()
    verified = run("round", "verify", "--db", db)
    assert verified.code == 1
    assert "plan of the coming rounds" in verified.out
    assert planner.plans_of(lambda: draw_round.verify(db)) >= 2


def test_a_round_drawn_from_a_plan_that_was_tampered_with_is_found(tmp_path: Path) -> None:
    db = _event(tmp_path / "club.db", 9)
    _rewrite(db, _exchange)
    for _round in range(2):
        apply(db, DrawRound())
    assert [round_.state for round_ in draw_round.verify(db).rounds] == ["the same", "the same", "other"]


def test_a_kept_plan_that_seats_others_than_the_present_players_is_not_used(tmp_path: Path) -> None:
    db = _event(tmp_path / "club.db", 9)

    def stranger(payload: dict[str, Any]) -> None:
        for step in payload.get("plan", ()):
            step["rounds"]["2"][0][0] = 99

    _rewrite(db, stranger)
    apply(db, DrawRound())
    verified = draw_round.verify(db)
    assert [round_.state for round_ in verified.rounds] == ["the same", "the same"]
    assert not verified.agree


def test_rounds_drawn_as_people_come_and_go_verify(tmp_path: Path) -> None:
    db = _event(tmp_path / "club.db", 9)
    for number, change in enumerate(_coming_and_going(6)):
        apply(db, change)
        if number % 3 == 2:
            apply(db, DrawRound())
    assert draw_round.verify(db).agree


@pytest.mark.slow
def test_a_withdrawal_after_20_more_changes_takes_as_long_as_after_one(tmp_path: Path) -> None:
    """The bound is 1.2 times the processor time of the whole command, with 17 players and five rounds.

    Both plan the same state, since one plan may take three times as long as another.
    """
    db = _event(tmp_path / "club.db", 17, rounds=5)
    apply(db, WithdrawPlayers(None, ["P01"]))
    command = ("-m", "tourney", "event", "withdraw", "--event", "Friday", "P17", "--dry-run", "--db", db)
    after_one = min(processor_seconds(*command) for _time in range(2))
    for number in range(2, 12):
        apply(db, WithdrawPlayers(None, [f"P{number:02}"]))
        apply(db, ReturnPlayers(None, [f"P{number:02}"]))
    assert min(processor_seconds(*command) for _time in range(2)) <= 1.2 * after_one


def test_a_state_of_one_player_that_nobody_has_seen_needs_no_plan(tmp_path: Path) -> None:
    """After P02 left beside P03, who has left as well, and P04 came, no table was ever planned for P01 alone."""
    db = str(tmp_path / "t.db")
    desk.people_in(db, ["P01", "P02", "P03", "P04"], 2, rounds=4, seed="7")
    apply(db, DrawRound())
    apply(db, EnterPlayers("Friday", ["P03"]))
    apply(db, WithdrawPlayers("Friday", ["P02"]))
    apply(db, WithdrawPlayers("Friday", ["P03"]))
    entered = apply(db, EnterPlayers("Friday", ["P04"]))
    assert {player.shown for change in entered.ahead or () for player in change.after} == {"P01", "P04"}
