"""Tests of programs killed while they copy the database: the next command deletes what they left, wherever that is."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.change import apply
from tourney.service.players import ErasePlayer, RegisterPlayers
from tourney.service.web import access
from tourney.storage.files.atomic_create import exclusive

if sys.platform == "win32":
    pytest.skip("these tests kill a program as POSIX does", allow_module_level=True)

KILLED_AFTER_A_COPY = """
import importlib, os, signal, sys
sys.argv, at = ["tourney", *sys.argv[2:]], sys.argv[1]
module, name = importlib.import_module(f"tourney.storage.backup.{at}"), "copy" if at == "copies" else "copy_file"
copy = getattr(module, name)
def copy_and_die(source, target):
    copy(source, target)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(module, name, copy_and_die)
from tourney.cli import run
run()
"""


@pytest.fixture
def club(tmp_path: Path) -> str:
    """A folder with a database that has a mirror, a backup from before a name was erased, and a key of a desk."""
    folder = tmp_path / "club"
    (folder / "stick").mkdir(parents=True)
    db = str(folder / "club.db")
    desk.drawn(Path(db))
    access.sign_in_token(db)
    database.backup(db, str(folder / "before.db"))
    apply(db, RegisterPlayers(["Zoe"]))
    apply(db, ErasePlayer("Diego"))
    database.add_mirror(db, str(folder / "stick"))
    return db


def _killed(at: str, *words: str) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED_AFTER_A_COPY, at, *words], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def _copies(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.name.endswith((".part", "-copying"))}


COMMANDS = [
    pytest.param("copies", ["db", "backup"], id="a backup beside the database"),
    pytest.param("copies", ["db", "backup", "{stick}"], id="a backup on a stick"),
    pytest.param("erasures", ["db", "restore", "{before}"], id="a backup without erased names"),
    pytest.param("restore", ["db", "restore", "{stick}/sound.db"], id="a backup with the present keys"),
    pytest.param("mirrored", ["db", "restore", "--mirror"], id="a database made of its mirror"),
]


@pytest.mark.parametrize(("at", "words"), COMMANDS)
@pytest.mark.parametrize("following", [["status"], ["player", "add", "Yago"]], ids=" ".join)
def test_the_next_command_deletes_the_copy_of_a_killed_program(
    club: str, run: Runner, at: str, words: list[str], following: list[str]
) -> None:
    """A copy with names is there after the kill, and neither it nor a note of it after the next command."""
    folder = Path(club).parent
    places = {"stick": folder / "stick", "before": folder / "before.db"}
    if at == "restore":
        database.backup(club, str(places["stick"] / "sound.db"))
    _killed(at, *(word.format(**places) for word in words), "--db", club)
    assert any(name.endswith(".part") for name in _copies(folder))
    assert run(*following, "--db", club).code == ExitCode.DONE
    assert _copies(folder) == set()


def test_the_copy_of_a_running_program_stays(club: str, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another command runs while a backup is being checked."""
    from tourney.storage.backup import copies

    checked = copies._checked

    def check(path: Path, part: Path) -> tuple[int, str]:
        environment = {**os.environ, "TOURNEY_LANG": "en"}
        command = [sys.executable, "-m", "tourney", "player", "list", "--db", club]
        assert subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0
        assert part.exists()
        return checked(path, part)

    monkeypatch.setattr(copies, "_checked", check)
    made = database.backup(club, str(Path(club).parent / "during.db"))
    assert database.check(made.path).problems == ()
    assert _copies(Path(club).parent) == set()


@pytest.mark.parametrize("note", ["", "{db}", "{db}-0", "/", "{db}\0"])
def test_a_note_that_was_torn_when_the_power_failed_deletes_nothing_but_itself(
    club: str, run: Runner, note: str
) -> None:
    """The beginning of a copy's path is that of the database."""
    notes = Path(f"{club}-copying")
    notes.mkdir()
    (notes / ("0" * 32)).write_text(note.format(db=club), encoding="utf-8")
    (notes / f"{'0' * 32}.lock").touch()
    before = {path for path in Path(club).parent.rglob("*") if notes not in (path, *path.parents)}
    assert run("player", "list", "--db", club).code == ExitCode.DONE
    assert {path for path in Path(club).parent.rglob("*") if path.suffix not in (".db-wal", ".db-shm")} == before


def test_a_lock_has_no_file_beside_it_that_a_kill_could_leave(tmp_path: Path) -> None:
    """SQLite's journal of the lock stayed if a program was killed after it had deleted the lock."""
    with exclusive(tmp_path / "club.db-lock"):
        assert [path.name for path in tmp_path.iterdir()] == ["club.db-lock"]
    assert list(tmp_path.iterdir()) == []
