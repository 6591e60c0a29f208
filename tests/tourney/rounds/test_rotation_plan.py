"""Tests of coming rounds that are planned again after several changes."""

import shutil
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import slow
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.attendance import ReturnPlayers, WithdrawPlayers
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound

Plan = list[set[frozenset[str]]]


def event_with_two_rounds_drawn(tmp_path: Path, people: int) -> str:
    """Create an event of six rounds, two of them drawn; return the database."""
    db, names = str(tmp_path / "many.db"), [f"P{number:02}" for number in range(1, people + 1)]
    desk.people_in(db, names, rounds=6, seed=f"t{people}")
    apply(db, DrawRound())
    apply(db, DrawRound())
    return db


def all_rounds(db: str) -> Plan:
    """Return the players of each table in all six rounds, by drawing the coming ones in a copy of the database."""
    copy = str(Path(db).with_name("copy.db"))
    shutil.copy(db, copy)
    while len(rounds.show(copy).rounds) < 6:
        apply(copy, DrawRound())
    shown = rounds.show(copy).rounds
    return [{frozenset(player.name for player in table.players) for table in round_.tables} for round_ in shown]


def repeats(plan: Plan) -> int:
    met = Counter(pair for tables in plan for table in tables for pair in combinations(sorted(table), 2))
    return sum(count - 1 for count in met.values())


@pytest.mark.parametrize("people", [23, *slow([21])])
def test_a_second_withdrawal_changes_the_plan_made_after_the_first(tmp_path: Path, people: int) -> None:
    """Check that the player leaves four tables, at most one other table changes, and there are no more repeats."""
    db = event_with_two_rounds_drawn(tmp_path, people)
    apply(db, WithdrawPlayers(None, ["P05"]))
    before = all_rounds(db)
    changes = apply(db, WithdrawPlayers(None, ["P09"])).ahead
    after = all_rounds(db)
    assert changes is not None
    changed = [(number, table) for number, tables in enumerate(after) for table in tables - before[number]]
    assert len(changed) == len({(change.round, change.number) for change in changes}) <= 5
    assert repeats(after) <= repeats(before)
    assert all_rounds(db)[:2] == before[:2]


@pytest.mark.slow
def test_a_round_that_is_drawn_and_cancelled_leaves_the_plan_as_it_was(tmp_path: Path) -> None:
    """One player leaves before the draw that is cancelled and one after it; the plan is that of an event without it."""
    (tmp_path / "undrawn").mkdir()
    undrawn = event_with_two_rounds_drawn(tmp_path / "undrawn", 21)
    apply(undrawn, WithdrawPlayers(None, ["P05"]))
    apply(undrawn, WithdrawPlayers(None, ["P09"]))
    db = event_with_two_rounds_drawn(tmp_path, 21)
    apply(db, WithdrawPlayers(None, ["P05"]))
    apply(db, DrawRound())
    apply(db, WithdrawPlayers(None, ["P09"]))
    apply(db, CancelRound(None, "the bell rang"))
    assert all_rounds(db) == all_rounds(undrawn)


def test_a_player_who_leaves_and_returns_around_another_withdrawal_does_not_change_the_plan(tmp_path: Path) -> None:
    db = event_with_two_rounds_drawn(tmp_path, 21)
    apply(db, WithdrawPlayers(None, ["P09"]))
    without_p09 = all_rounds(db)
    apply(db, Undo())
    apply(db, WithdrawPlayers(None, ["P05"]))
    apply(db, WithdrawPlayers(None, ["P09"]))
    apply(db, ReturnPlayers(None, ["P05"]))
    assert all_rounds(db) == without_p09
