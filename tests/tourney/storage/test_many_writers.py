"""Tests of several programs at once, of killed programs, and of changes sent twice."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.harness import desk, victims
from tests.harness.programs import run_at_once
from tourney.domain.errors import ExitCode
from tourney.domain.results import SheetHand
from tourney.service import database, players
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.players import ImportPlayers, RegisterPlayers
from tourney.service.results import results
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage import sqlite
from tourney.storage.session import reading

WRITER = """
import sys
from tourney.service.change import apply
from tourney.service import players
for number in range(int(sys.argv[3])):
    apply(sys.argv[1], players.RegisterPlayers([f"Player {sys.argv[2]} {number}"]))
"""
IMPORTER = """
import sys
import warnings
from tourney.domain.errors import DoubtWarning
from tourney.service.change import apply
from tourney.service.events.import_sheets import ImportSheets
warnings.simplefilter("ignore", DoubtWarning)
print("ready", flush=True)
for number in range(1000):
    apply(sys.argv[1], ImportSheets(f"{sys.argv[2]} {number}", sys.argv[3], "oficial"))
    print(f"{sys.argv[2]} {number}", flush=True)
"""


def _start(code: str, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(desk.ROOT)}
    command = [sys.executable, "-c", code, *arguments]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=environment, text=True, **pipes)


def test_several_programs_writing_at_once_lose_nothing(db: str) -> None:
    """Four programs register 20 people each: no program fails, and the people are numbered without a gap."""
    apply(db, RegisterPlayers(["Ana"]))
    run_at_once(victims.register, [(db, writer, 20) for writer in range(4)])
    registered = players.listing(db)
    expected = {f"Player {writer} {number}" for writer in range(4) for number in range(20)} | {"Ana"}
    assert {player.name for player in registered} == expected
    assert sorted(player.id for player in registered) == list(range(1, 82))
    assert database.check(db).problems == ()


@pytest.mark.slow
def test_a_killed_import_keeps_no_evening_half(db: str) -> None:
    """Kill imports with -9 at random moments: each evening is whole or absent, and no reported evening is lost.

    Every test run kills imports in `test_killed.py`; here one database sees all kills, of programs started anew.
    The last import is killed only after it has reported an evening, even on a slow machine.
    """
    apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    rng = random.Random(5)
    lines: list[str] = []
    for kill in range(6):
        importer = _start(IMPORTER, db, f"kill {kill}", str(desk.CLUB / "score-sheets.csv"))
        assert importer.stdout is not None
        importer.stdout.readline()
        if kill == 5:
            lines.append(importer.stdout.readline().strip())
        time.sleep(rng.uniform(0.1, 2.0))
        importer.send_signal(signal.SIGKILL)
        out, error = importer.communicate()
        assert error == ""
        lines += [line for line in out.splitlines() if line]
    with patch.object(sqlite, "BUSY_SECONDS", 1):  # what was killed has left no lock for which others wait
        kept = [event.settings.name for event in events.listing(db)]
    assert set(lines) <= set(kept)
    assert lines
    with open(desk.CLUB / "score-sheets.csv", encoding="utf-8") as file:
        tables = {tuple(line.split(",")[:2]) for line in file.read().splitlines()[1:]}
    counts = desk.query(db, "SELECT event, count(*) FROM result GROUP BY event")
    assert [results for _event, results in counts] == [len(tables)] * len(kept)
    assert database.check(db).problems == ()


def test_programs_that_create_a_database_at_once_share_it(tmp_path: Path) -> None:
    """Six programs start without a database: one creates it, the others wait for it, and none fails."""
    for attempt in range(3):
        db = str(tmp_path / f"club {attempt}.db")
        run_at_once(victims.register, [(db, writer, 1) for writer in range(6)])
        assert {player.name for player in players.listing(db)} == {f"Player {writer} 0" for writer in range(6)}
        assert database.check(db).problems == ()
        assert desk.query(db, "PRAGMA journal_mode") == [("wal",)]


REFUSED = """
import sys, time
from tourney.domain.errors import ExitCode, TourneyError
from tourney.storage.session import writing
try:
    with writing(sys.argv[1]) as store:
        print("begun", flush=True)
        sys.stdin.readline()
        raise TourneyError(ExitCode.REFUSED, "no")
except TourneyError:
    pass
"""


@pytest.mark.slow
def test_programs_waiting_for_a_new_database_create_it_if_the_first_is_refused(db: str) -> None:
    """The file of the refused command is deleted; the waiting programs write to a new one."""
    first = _start(REFUSED, db)
    assert first.stdout is not None
    assert first.stdout.readline() == "begun\n"
    waiting = [_start(WRITER, db, str(writer), "1") for writer in range(2)]
    time.sleep(1.5)
    assert [writer.poll() for writer in waiting] == [None, None]
    assert first.communicate("go on\n", timeout=600) == ("", "")
    for writer in waiting:
        assert writer.communicate(timeout=600) == ("", "")
    assert {player.name for player in players.listing(db)} == {"Player 0 0", "Player 1 0"}
    assert database.check(db).problems == ()


@pytest.fixture
def drawn(db: str) -> tuple[str, list[str]]:
    """The path of a database with one drawn table, and the names at this table."""
    desk.event(db, 4, rounds=2)
    (table,) = apply(db, DrawRound()).rounds[0].tables
    return db, [player.name for player in table.players]


def test_an_entry_sent_twice_under_one_id_is_kept_once(drawn: tuple[str, list[str]]) -> None:
    """Entering, correcting and voiding a result are repeated, as by a sender that missed the answer."""
    db, names = drawn
    sheet, other = desk.hands(names), desk.hands(names, range(7, 0, -1))
    for _attempt in range(2):
        entered = apply(db, EnterResult("Friday", 1, 1, sheet, entry_id="1" * 32)).result
    assert results.show(db, "Friday") == (entered,)
    for _attempt in range(2):
        apply(db, CorrectResult("Friday", 1, 1, other, "slip", entry_id="2" * 32))
    for _attempt in range(2):
        apply(db, VoidResult("Friday", 1, 1, "set aside", entry_id="3" * 32))
    kinds = desk.query(db, "SELECT kind FROM act WHERE number > 4 ORDER BY number")
    assert kinds == [("result.enter",), ("result.correct",), ("result.void",)]


def test_a_different_change_under_the_same_id_is_a_conflict(drawn: tuple[str, list[str]]) -> None:
    """Check that the second change is refused, whether its kind or only its content differs."""
    db, names = drawn
    apply(db, EnterResult("Friday", 1, 1, desk.hands(names), entry_id="1" * 32))
    with desk.refused(ExitCode.CONFLICT, "result.enter", "new id"):
        apply(db, CorrectResult("Friday", 1, 1, desk.hands(names, range(7, 0, -1)), "slip", entry_id="1" * 32))
    other = [SheetHand(hand.contract, hand.points) for hand in desk.hands(names, range(7, 0, -1))]
    with desk.refused(ExitCode.CONFLICT, "belongs to another entry"):
        apply(db, EnterResult("Friday", 1, 1, other, entry_id="1" * 32))
    with reading(db) as reader:
        assert reader.journal.entry("1" * 32) is not None
        assert reader.journal.entry("9" * 32) is None
