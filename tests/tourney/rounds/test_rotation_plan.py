"""Tests of coming rounds planned again after one change upon another."""

import shutil
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from tourney.domain.events import EventSettings
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.attendance import ReturnPlayers, WithdrawPlayers
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.people.players import RegisterPlayers
from tourney.service.rounds import rounds
from tourney.service.rounds.edit_round import CancelRound
from tourney.service.rounds.rounds import DrawRound

Plan = list[set[frozenset[str]]]


def club(tmp_path: Path, people: int) -> str:
    """An event of so many over six rounds, of which two are drawn."""
    db, names = str(tmp_path / "many.db"), [f"P{number:02}" for number in range(1, people + 1)]
    apply(db, RegisterPlayers(names))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=6, seed=f"t{people}")))
    apply(db, EnterPlayers("Friday", names))
    apply(db, DrawRound())
    apply(db, DrawRound())
    return db


def all_rounds(db: str) -> Plan:
    """Return who shares a table in each round, to the last, drawn in a copy of the database."""
    copy = str(Path(db).with_name("copy.db"))
    shutil.copy(db, copy)
    while len(rounds.show(copy).rounds) < 6:
        apply(copy, DrawRound())
    shown = rounds.show(copy).rounds
    return [{frozenset(player.name for player in table.players) for table in round_.tables} for round_ in shown]


def repeats(plan: Plan) -> int:
    met = Counter(pair for one in plan for table in one for pair in combinations(sorted(table), 2))
    return sum(count - 1 for count in met.values())


@pytest.mark.parametrize("people", [21, 23])
def test_who_leaves_second_changes_the_plan_that_was_shown_when_the_first_had_left(tmp_path: Path, people: int) -> None:
    """Check that taking the player out of four tables, and one more from a table of four at most, is a plan of the
    same repeats.
    """
    db = club(tmp_path, people)
    apply(db, WithdrawPlayers(None, ["P05"]))
    before = all_rounds(db)
    changes = apply(db, WithdrawPlayers(None, ["P09"])).ahead
    after = all_rounds(db)
    assert changes is not None
    changed = [(number, table) for number, one in enumerate(after) for table in one - before[number]]
    assert len(changed) == len({(change.round, change.number) for change in changes}) <= 5
    assert repeats(after) <= repeats(before)
    assert all_rounds(db)[:2] == before[:2]


def test_a_round_that_is_drawn_and_cancelled_leaves_the_plan_as_it_was(tmp_path: Path) -> None:
    """Somebody leaves before a draw and after it; the entries on both sides keep their order."""
    (tmp_path / "plain").mkdir()
    plain = club(tmp_path / "plain", 21)
    apply(plain, WithdrawPlayers(None, ["P05"]))
    apply(plain, WithdrawPlayers(None, ["P09"]))
    db = club(tmp_path, 21)
    apply(db, WithdrawPlayers(None, ["P05"]))
    apply(db, DrawRound())
    apply(db, WithdrawPlayers(None, ["P09"]))
    apply(db, CancelRound(None, "the bell rang"))
    assert all_rounds(db) == all_rounds(plain)


def test_who_leaves_and_comes_back_between_others_leaves_no_trace_in_the_plan(tmp_path: Path) -> None:
    db = club(tmp_path, 21)
    apply(db, WithdrawPlayers(None, ["P09"]))
    without_him = all_rounds(db)
    apply(db, Undo())
    apply(db, WithdrawPlayers(None, ["P05"]))
    apply(db, WithdrawPlayers(None, ["P09"]))
    apply(db, ReturnPlayers(None, ["P05"]))
    assert all_rounds(db) == without_him
