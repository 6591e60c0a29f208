"""kill -9 in the middle of everything that writes: what was acknowledged is there, and nothing is half done.

POSIX only, like the signal. Each kind of work is killed 5 times here, after delays that follow from a seed, and 60
times in the long form.
"""

import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import desk, older, victims
from tourney.domain.events import EventSettings
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.people import players
from tourney.service.people.players import ImportPlayers, RegisterPlayers
from tourney.service.rounds.rounds import DrawRound
from tourney.storage.schema import REVISION

Begin = Callable[[Path], None]
Holds = Callable[[Path, list[str]], None]


def an_event(folder: Path) -> None:
    """Twelve people, five drawn rounds."""
    db = str(folder / "club.db")
    apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=5, size=4)))
    apply(db, EnterPlayers("Friday", [player.name for player in players.listing(db)][:12]))
    for _round in range(5):
        apply(db, DrawRound())


def two_backups(folder: Path) -> None:
    """The second has somebody more, as has the database."""
    an_event(folder)
    db = str(folder / "club.db")
    database.backup(db, str(folder / "one.db"))
    apply(db, RegisterPlayers(["Zoe"]))
    database.backup(db, str(folder / "two.db"))


def old_files(folder: Path) -> None:
    """Databases of the first version, each with a whole evening."""
    an_event(folder)
    first = older.older(desk.evening(folder / "new.db"), folder / "old-0.db")
    for number in range(1, 5):
        shutil.copy(first, folder / f"old-{number}.db")


def results_are_kept(folder: Path, lines: list[str]) -> None:
    kept = desk.query(str(folder / "club.db"), "SELECT round, table_number FROM result ORDER BY round, table_number")
    assert set(lines) <= {f"{number} {table}" for number, table in kept}
    assert len(lines) <= len(kept) <= len(lines) + 1


def evenings_are_whole(folder: Path, lines: list[str]) -> None:
    db = str(folder / "club.db")
    kept = [found.settings.name for found in events.listing(db)][1:]
    assert kept[: len(lines)] == lines
    assert len(kept) <= len(lines) + 1
    assert desk.query(db, "SELECT DISTINCT count(*) FROM result GROUP BY event") in ([(30,)], [])


def turns_are_in_the_journal(folder: Path, lines: list[str]) -> None:
    (turns,) = desk.query(str(folder / "club.db"), "SELECT count(*) FROM act WHERE kind IN ('undo', 'redo')")[0]
    assert len(lines) <= turns <= len(lines) + 1


def backups_are_sound(folder: Path, lines: list[str]) -> None:
    """Check that every file with the name of a backup is one, whether it was acknowledged or not."""
    kept = {path.name: path for path in (folder / "tourney-backups").glob("*.db")}
    assert set(lines) <= set(kept)
    for path in kept.values():
        assert database.check(str(path)).problems == ()


def one_of_two_is_restored(folder: Path, _said: list[str]) -> None:
    """Row for row, and what was put aside is whole."""
    now, one, two = (content(folder / name) for name in ("club.db", "one.db", "two.db"))
    assert now in (one, two)
    for path in (folder / "tourney-backups").glob("*.db"):
        assert database.check(str(path)).problems == ()


def content(path: Path) -> dict[str, list[tuple]]:
    return {name: desk.query(str(path), f'SELECT * FROM "{name}"') for name in desk.tables(str(path))}


def upgrades_are_whole(folder: Path, lines: list[str]) -> None:
    """Each file is of one version or the other; the upgrade goes through when it is asked for again."""
    acts = desk.query(str(folder / "new.db"), "SELECT number, text, hash FROM act")
    for path in sorted(folder.glob("old-*.db")):
        ((version,),) = desk.query(str(path), "SELECT version_num FROM alembic_version")
        assert version == REVISION if path.name in lines else version in ("0001", REVISION)
        assert database.upgrade(str(path)).before == version
        assert desk.query(str(path), "SELECT number, text, hash FROM act") == acts
        assert database.check(str(path)).problems == ()


WORK: dict[str, tuple[victims.Work, Begin, Holds, float]] = {
    "entry": (victims.enter, an_event, results_are_kept, 0.8),
    "import": (victims.bring_in, an_event, evenings_are_whole, 0.8),
    "undo": (victims.turn, an_event, turns_are_in_the_journal, 0.5),
    "backup": (victims.back_up, an_event, backups_are_sound, 0.5),
    "restore": (victims.go_back, two_backups, one_of_two_is_restored, 0.5),
    "migration": (victims.upgrade, old_files, upgrades_are_whole, 0.8),
}
"""The verb that is killed, its starting database, what must hold afterwards, and the longest delay in seconds."""


def kill_again_and_again(kind: str, times: int, folder: Path) -> None:
    act, begin, holds, longest = WORK[kind]
    ready = folder / "ready"
    ready.mkdir()
    begin(ready)
    chance = random.Random(f"kill {kind}")
    for number in range(times):
        here = Path(shutil.copytree(ready, folder / str(number)))
        db = str(here / "club.db")
        lines = victims.killed(act, db, chance.uniform(0, longest))
        began = time.perf_counter()
        assert events.listing(db)
        assert time.perf_counter() - began < 1
        holds(here, lines)
        assert database.check(db).problems == ()
        shutil.rmtree(here)


@pytest.mark.parametrize("kind", WORK)
def test_a_killed_program_loses_nothing_acknowledged_and_leaves_nothing_half_done(kind: str, tmp_path: Path) -> None:
    """And the database opens within a second."""
    kill_again_and_again(kind, 5, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("kind", WORK)
def test_three_hundred_and_more_killed_programs_lose_nothing(kind: str, tmp_path: Path) -> None:
    """60 times each: entry, import, undo, backup, restore, migration."""
    kill_again_and_again(kind, 60, tmp_path)
