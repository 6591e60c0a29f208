"""Tests of eight programs that enter results into one event at the same time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Round, Table
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent
from tourney.storage.person_names import NewPerson
from tourney.storage.session import writing

PROGRAMS = 8
ENTERING = """
import sys
from tests.harness import desk
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
db, program, programs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
tables = [table for round_ in rounds.show(db).rounds for table in round_.tables]
for table in tables[program::programs]:
    hands = desk.hands([player.name for player in table.players])
    apply(db, EnterResult(None, table.round, table.number, hands))
    print(table.round, table.number, flush=True)
"""


def create_event(db: str, tables: int) -> None:
    """Create an event of eight drawn rounds of `tables` tables each."""
    event = apply(db, CreateEvent(EventSettings("Crowd", "oficial", rounds=8)))
    with writing(db) as store:
        people = store.add_persons([NewPerson(f"Player {number:03}", "", "") for number in range(4 * tables)])
        event = store.enter(event, people)
        for number in range(1, 9):
            seats = [people[(seat + number) % len(people)] for seat in range(len(people))]
            starts = enumerate(range(0, len(seats), 4), 1)
            round_tables = tuple(Table(number, table, tuple(seats[start : start + 4])) for table, start in starts)
            store.draw(event, Round(number, round_tables))


def enter_together(db: str, tables: int) -> None:
    """Let PROGRAMS programs enter all results of such an event, and check what they printed and stored."""
    create_event(db, tables)
    command = [sys.executable, "-W", "error::UserWarning", "-c", ENTERING, db]
    programs = [
        subprocess.Popen(
            [*command, str(number), str(PROGRAMS)],
            env={**os.environ, "PYTHONPATH": str(desk.ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(PROGRAMS)
    ]
    lines: list[str] = []
    for program in programs:
        out, error = program.communicate()
        assert (program.returncode, error) == (0, "")
        lines += out.split("\n")[:-1]
    spots = sorted((number, table) for number in range(1, 9) for table in range(1, tables + 1))
    assert sorted(tuple(map(int, line.split())) for line in lines) == spots
    assert desk.query(db, "SELECT round, table_number FROM result ORDER BY round, table_number") == spots
    assert desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'") == [(len(spots),)]
    # Every sheet is `desk.hands` of four players: the closers of its 7 hands are the seats 0 1 2 3 0 1 2.
    totals = {0: 5 * 20, 1: 5 * 30, 2: 5 * 40, 3: 6 * 50}
    assert dict(desk.query(db, "SELECT seat, points FROM score GROUP BY seat, points")) == totals
    assert database.check(db).problems == ()
    copies = list((Path(db).parent / "tourney-backups").iterdir())
    assert 1 <= len(copies) <= 10
    for copy in copies:
        assert database.check(str(copy)).problems == ()


def test_eight_programs_entering_results_lose_none_and_never_fail(tmp_path: Path) -> None:
    """Each program enters 10 results, all in the same rounds; every result is kept once, and the backups are sound."""
    enter_together(str(tmp_path / "club.db"), 10)


@pytest.mark.soak
def test_eight_programs_entering_a_hundred_results_each_lose_none_and_never_fail(tmp_path: Path) -> None:
    enter_together(str(tmp_path / "club.db"), 100)
