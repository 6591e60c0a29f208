"""Tests of commands on a disk that is full: the system itself limits the size of files, and nothing is simulated.

A process that may write files of 36 KiB only gets an error where its write begins beyond that, as on a full disk.
"""

import gc
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, refusal
from tests.harness.crowd import crowd
from tests.harness.disk.full_disk import full_disk
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.storage import sqlite

ROOM = 36 * 1024
"""The bytes that a file may have. SQLite's index of the log takes 32 KiB; a database, its backups and all outputs of
the event take more than this."""
ROOM_FOR_A_CHANGE = 64 * 1024
"""The bytes with which the log of a database can take a change, while the journal of its mirror has more already."""

OUTPUTS = {
    "a file of an event": "event export",
    "slips": "print slips",
    "a wall": "print wall",
    "a page": "standings --format html",
    "a workbook": "standings --format xlsx",
}


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a database with two rounds of 160 players, which are played."""
    (tmp_path / "club").mkdir()
    path = desk.copied(tmp_path / "club" / "club.db", crowd, people=160, rounds=2)
    monkeypatch.setenv("TOURNEY_DB", path)
    return Path(path)


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder with their content, except what SQLite keeps beside a database in use."""
    found = (file for file in folder.rglob("*") if file.is_file() and not file.name.endswith(("-wal", "-shm", "-lock")))
    return {str(file.relative_to(folder)): file.read_bytes() for file in found}


@pytest.mark.parametrize("words", OUTPUTS.values(), ids=OUTPUTS)
def test_an_output_for_which_there_is_no_room_leaves_nothing_and_replaces_nothing(
    run: Runner, db: Path, tmp_path: Path, words: str
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    (place / "old").write_text("old", encoding="utf-8")
    for name, force in (("new", ()), ("old", ("--force",))):
        with full_disk(ROOM):
            ran = run(*words.split(), "--output", str(place / name), *force)
        refusal(ran, ExitCode.STORAGE)
        assert str(place / name) in ran.err
        assert files(place) == {"old": b"old"}
    assert run(*words.split(), "--output", str(place / "new")).code == ExitCode.DONE
    assert (place / "new").stat().st_size > (0 if "xlsx" in words else ROOM)
    assert db.exists()


@pytest.mark.parametrize("words", ["db backup {place}/copy.db", "db mirror add {place}", "db backup"])
def test_a_copy_for_which_there_is_no_room_is_not_begun(run: Runner, db: Path, tmp_path: Path, words: str) -> None:
    place = tmp_path / "place"
    place.mkdir()
    before = files(tmp_path)
    with full_disk(ROOM):
        refusal(run(*words.format(place=place).split()), ExitCode.STORAGE)
    assert files(tmp_path) == before
    assert db.exists()


def test_a_mirror_on_a_full_stick_is_reported_once_and_completed_when_there_is_room(
    run: Runner, db: Path, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    database.add_mirror(str(db), str(stick))
    before = files(stick)
    with full_disk(ROOM_FOR_A_CHANGE):
        done, shown = run("player", "add", "Zoe"), run("player", "list")
    assert (done.code, shown.code, shown.err) == (ExitCode.DONE, ExitCode.DONE, "")
    assert "is away (File too large): the changes are kept" in done.err
    assert files(stick)[f"{db.name}-mirror.txt"] == before[f"{db.name}-mirror.txt"]
    assert "is back, and complete again: 1 change was written" in run("player", "list").err
    assert [state["state"] for state in run("db", "mirror", "list", "--json").json] == ["complete"]


def test_a_restore_for_which_there_is_no_room_leaves_the_database_as_it_was(
    run: Runner, db: Path, tmp_path: Path
) -> None:
    copy = shutil.copy(db, tmp_path / "copy.db")
    assert run("player", "add", "Zoe").code == ExitCode.DONE
    newest = run("db", "check").out
    with full_disk(ROOM):
        refusal(run("db", "restore", str(copy)), ExitCode.STORAGE)
    assert run("db", "check").out == newest


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a real file system of 4 MB in memory, which only root can."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tourney-test", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def copied_to(disk: Path, db: Path, room: int) -> str:
    """Copy the database to the disk, empty before, and leave so many bytes free; return the path of the copy."""
    # SQLite knows files by number, and the next may have that of a connection which waits to be collected.
    gc.collect()
    for found in disk.iterdir():
        shutil.rmtree(found) if found.is_dir() else found.unlink()
    copy = shutil.copy(db, disk / "club.db")
    (disk / "filler").write_bytes(bytes(shutil.disk_usage(disk).free - room))
    assert shutil.disk_usage(disk).free == room
    return str(copy)


COMMANDS = "player list|standings|status|log|db check|db backup|player add Zoe|undo|event new X|db restore {copy}"


def test_every_kind_of_command_on_a_full_disk_says_that_it_is_full(
    run: Runner, db: Path, small_disk: Path, tmp_path: Path
) -> None:
    """SQLite calls it an error of reading when it has no room for the index of its log, of 32 KiB."""
    copy = shutil.copy(db, tmp_path / "copy.db")
    for words, room in zip(COMMANDS.split("|"), cycle((0, 24 * 1024)), strict=False):
        full = copied_to(small_disk, db, room)
        ran = run(*words.format(copy=copy).split(), "--db", full)
        refusal(ran, ExitCode.STORAGE)
        assert "the disk is full" in ran.err, words
        (small_disk / "filler").unlink()
        assert Path(full).read_bytes() == db.read_bytes()


def test_a_copy_that_there_is_no_room_to_check_is_not_called_unsound(run: Runner, db: Path, small_disk: Path) -> None:
    """Between 1 and 32 KiB of room behind the copy are too few for the index of its log, with which it is read."""
    size, refusals = db.stat().st_size, []
    for room in range(size, size + 64 * 1024, 8192):
        ran = run("db", "backup", "--db", copied_to(small_disk, db, room))
        if ran.code:
            refusal(ran, ExitCode.STORAGE)
            assert "the disk is full" in ran.err
            refusals.append(room)
    assert len(refusals) > 4


def test_an_error_of_reading_where_there_is_room_is_not_called_a_full_disk(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    assert "cannot be read or written" in sqlite.explain(tmp_path / "club.db", error).message
