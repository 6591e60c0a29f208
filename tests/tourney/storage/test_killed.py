"""Tests of kill -9 during every kind of writing: acknowledged changes are kept, and none is kept half.

The tests need a POSIX system, as the signal does. Each kind of work is killed 5 times after random delays, and 60
times in the soak test.
"""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.harness import desk, older, victims
from tests.harness.disk import round_backups
from tests.harness.slow import slow
from tourney.domain.events import EventSettings
from tourney.service import database, players
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.players import ImportPlayers, RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage import sqlite
from tourney.storage.tables import REVISION

Prepare = Callable[[Path], None]
Check = Callable[[Path, list[str]], None]


def prepare_event(folder: Path) -> None:
    """Create an event of twelve people with five drawn rounds."""
    db = str(folder / "club.db")
    apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=5, size=4)))
    apply(db, EnterPlayers("Friday", [player.name for player in players.listing(db)][:12]))
    for _round in range(5):
        apply(db, DrawRound())


def prepare_backups(folder: Path) -> None:
    """Create an event and two backups; the database and the second backup have one player more than the first."""
    prepare_event(folder)
    db = str(folder / "club.db")
    database.backup(db, str(folder / "one.db"))
    apply(db, RegisterPlayers(["Zoe"]))
    database.backup(db, str(folder / "two.db"))


def prepare_old_files(folder: Path) -> None:
    """Create `new.db`, with a whole evening, and five copies of it as databases of the first version."""
    prepare_event(folder)
    first = older.older(desk.evening(folder / "new.db"), folder / "old-0.db")
    for number in range(1, 5):
        shutil.copy(first, folder / f"old-{number}.db")


def results_are_kept(folder: Path, lines: list[str]) -> None:
    kept = desk.query(str(folder / "club.db"), "SELECT round, table_number FROM result ORDER BY round, table_number")
    assert set(lines) <= {f"{number} {table}" for number, table in kept}
    assert len(lines) <= len(kept) <= len(lines) + 1


def evenings_are_whole(folder: Path, lines: list[str]) -> None:
    db = str(folder / "club.db")
    kept = [event.settings.name for event in events.listing(db)][1:]
    assert kept[: len(lines)] == lines
    assert len(kept) <= len(lines) + 1
    assert desk.query(db, "SELECT DISTINCT count(*) FROM result GROUP BY event") in ([(30,)], [])


def undos_and_redos_are_in_the_journal(folder: Path, lines: list[str]) -> None:
    (changes,) = desk.query(str(folder / "club.db"), "SELECT count(*) FROM act WHERE kind IN ('undo', 'redo')")[0]
    assert len(lines) <= changes <= len(lines) + 1


def backups_are_sound(folder: Path, lines: list[str]) -> None:
    """Check that every file with the name of a backup is a sound backup, whether it was acknowledged or not."""
    kept = {path.name: path for path in (folder / "tourney-backups").glob("*.db")}
    assert set(lines) <= set(kept)
    for path in kept.values():
        assert database.check(str(path)).problems == ()


def finished_rounds_are_backed_up(folder: Path, lines: list[str]) -> None:
    """Check that a database made of the backup alone has all results of every acknowledged round."""
    db = str(folder / "club.db")
    if not lines:
        return
    new = round_backups.restored(db, folder / "restored")
    entries = round_backups.entries_of(new)
    assert entries == round_backups.entries_of(db)[: len(entries)]
    finished = desk.query(new, "SELECT round FROM result GROUP BY round HAVING count(*) = 3")
    assert {(int(line),) for line in lines} <= set(finished)


def one_of_two_is_restored(folder: Path, _lines: list[str]) -> None:
    """Check that the database equals one of the two backups row for row, and that the safety copies are sound."""
    now, first, second = (content(folder / name) for name in ("club.db", "one.db", "two.db"))
    assert now in (first, second)
    for path in (folder / "tourney-backups").glob("*.db"):
        assert database.check(str(path)).problems == ()


def content(path: Path) -> dict[str, list[tuple]]:
    return {name: desk.query(str(path), f'SELECT * FROM "{name}"') for name in desk.tables(str(path))}


def upgrades_are_whole(folder: Path, lines: list[str]) -> None:
    """Check that each file has one version or the other, and that a second upgrade succeeds."""
    entries = desk.query(str(folder / "new.db"), "SELECT number, text, hash FROM act")
    for path in sorted(folder.glob("old-*.db")):
        ((version,),) = desk.query(str(path), "SELECT version_num FROM alembic_version")
        assert version == REVISION if path.name in lines else version in ("0001", REVISION)
        assert database.upgrade(str(path)).before == version
        assert desk.query(str(path), "SELECT number, text, hash FROM act") == entries
        assert database.check(str(path)).problems == ()


WORK: dict[str, tuple[victims.Work, Prepare, Check, float]] = {
    "entry": (victims.enter, prepare_event, results_are_kept, 0.8),
    "import": (victims.bring_in, prepare_event, evenings_are_whole, 0.8),
    "undo": (victims.turn, prepare_event, undos_and_redos_are_in_the_journal, 0.5),
    "backup": (victims.back_up, prepare_event, backups_are_sound, 0.5),
    "rounds": (victims.play_rounds, prepare_event, finished_rounds_are_backed_up, 0.8),
    "restore": (victims.go_back, prepare_backups, one_of_two_is_restored, 0.5),
    "migration": (victims.upgrade, prepare_old_files, upgrades_are_whole, 0.8),
}
"""The work that is killed, what prepares its folder, the check afterwards, and the longest delay in seconds."""


def kill_repeatedly(kind: str, times: int, folder: Path) -> None:
    """Kill the work `times` times, each in a new copy of its folder, and check the copy."""
    work, prepare, check, longest_delay = WORK[kind]
    ready = folder / "ready"
    ready.mkdir()
    prepare(ready)
    rng = random.Random(f"kill {kind}")
    for number in range(times):
        copy = Path(shutil.copytree(ready, folder / str(number)))
        db = str(copy / "club.db")
        lines = victims.killed(work, db, rng.uniform(0, longest_delay))
        with patch.object(sqlite, "BUSY_SECONDS", 1):  # what was killed has left no lock for which others wait
            assert events.listing(db)
        check(copy, lines)
        assert database.check(db).problems == ()
        shutil.rmtree(copy)


@pytest.mark.parametrize("kind", ["entry", *slow(kind for kind in WORK if kind != "entry")])
def test_a_killed_program_loses_no_acknowledged_change_and_keeps_none_half(kind: str, tmp_path: Path) -> None:
    """Check also that the database opens within a second."""
    kill_repeatedly(kind, 5, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("kind", WORK)
def test_three_hundred_and_more_killed_programs_lose_nothing(kind: str, tmp_path: Path) -> None:
    """Each kind of work is killed 60 times."""
    kill_repeatedly(kind, 60, tmp_path)
