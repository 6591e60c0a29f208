"""Tests of eight programs that enter results into one event at the same time."""

from pathlib import Path

import pytest

from tests.harness import desk, victims
from tests.harness.crowd import seated
from tests.harness.disk import round_backups
from tests.harness.programs import run_at_once
from tourney.service import database

PROGRAMS = 8


def enter_together(db: str, tables: int) -> None:
    """Let PROGRAMS programs enter all results of such an event, and check what they printed and stored."""
    seated(db, tables)
    outputs = run_at_once(victims.enter_share, [(db, number, PROGRAMS) for number in range(PROGRAMS)])
    lines = [line for output in outputs for line in output.splitlines()]
    spots = sorted((number, table) for number in range(1, 9) for table in range(1, tables + 1))
    assert sorted(tuple(map(int, line.split())) for line in lines) == spots
    assert desk.query(db, "SELECT round, table_number FROM result ORDER BY round, table_number") == spots
    assert desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'") == [(len(spots),)]
    # Every sheet is `desk.hands` of four players: the closers of its 7 hands are the seats 0 1 2 3 0 1 2.
    totals = {0: 5 * 20, 1: 5 * 30, 2: 5 * 40, 3: 6 * 50}
    assert dict(desk.query(db, "SELECT seat, points FROM score GROUP BY seat, points")) == totals
    assert database.check(db).problems == ()
    new = round_backups.restored(db, Path(db).with_name("restored"))
    assert round_backups.entries_of(new) == round_backups.entries_of(db)


def test_eight_programs_entering_results_lose_none_and_never_fail(tmp_path: Path) -> None:
    """Each program enters 4 results, all in the same rounds; every result is kept once, also in the backup."""
    enter_together(str(tmp_path / "club.db"), 4)


@pytest.mark.slow
def test_no_writer_of_sixteen_waits_for_many_others(db: str) -> None:
    """In a queue each would wait for at most 15 others; with equal chances one in 304 would wait for about 90.

    Turns are counted and no seconds, which depend on how busy the machine is.
    """
    seated(db, 40)
    outputs = run_at_once(victims.enter_queued, [(db, number, 16, 19) for number in range(16)])
    turns = sorted(int(line) for output in outputs for line in output.split())
    assert len(turns) == 304
    assert turns[-1] <= 60


@pytest.mark.soak
def test_eight_programs_entering_a_hundred_results_each_lose_none_and_never_fail(tmp_path: Path) -> None:
    enter_together(str(tmp_path / "club.db"), 100)
