"""Tests of what others put where a file of ours goes: links, files, folders and notes that come with a database.

What they lead to is compared with what was written there before: nothing of it may change.
"""

import hashlib
import json
import os
import sqlite3
import stat
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service import database
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.storage import private
from tourney.storage.files.atomic_create import exclusive
from tourney.storage.mirror.remembered import note_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")

MINE = "export EDITOR=vi\n"
NOBODY = 65534


@pytest.fixture
def club(tmp_path: Path) -> str:
    """The path of a database of four with a round."""
    (tmp_path / "club").mkdir()
    return desk.drawn(tmp_path / "club" / "club.db")


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of the user's own."""
    file = tmp_path / "victim.txt"
    file.write_text(MINE, encoding="utf-8")
    return file


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the file belong to another user; where only root could do that, become another one."""
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    else:
        uid = os.geteuid() + 1
        monkeypatch.setattr(private.os, "geteuid", lambda: uid)


def _link(place: Path, victim: Path, _monkeypatch: pytest.MonkeyPatch) -> None:
    place.symlink_to(victim)


def _hard_link(place: Path, victim: Path, _monkeypatch: pytest.MonkeyPatch) -> None:
    os.link(victim, place)


def _of_another_user(place: Path, _victim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.touch()
    place.chmod(0o666)
    give_away(place, monkeypatch)


def _of_another_kind(place: Path, _victim: Path, _monkeypatch: pytest.MonkeyPatch) -> None:
    place.write_text(MINE, encoding="utf-8")


Plant = Callable[[Path, Path, pytest.MonkeyPatch], None]
PLANTS: dict[str, tuple[Plant, str]] = {
    "a link": (_link, "it is a link"),
    "a second name": (_hard_link, "it has a second name elsewhere"),
    "a file of another user": (_of_another_user, "it belongs to another user"),
    "a file of another kind": (_of_another_kind, "it has something other than"),
}
each_plant = pytest.mark.parametrize(("plant", "why"), PLANTS.values(), ids=PLANTS)


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


@each_plant
@pytest.mark.parametrize("name", ["club.db-mirror.txt", "club.db-mirror-names.txt"])
def test_a_planted_file_does_not_become_a_mirror(
    club: str, victim: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, plant: Plant, why: str, name: str
) -> None:
    """The planted file is refused in one line and a hint, and neither it nor what it leads to is written."""
    stick = victim.with_name("stick")
    stick.mkdir()
    plant(stick / name, victim, monkeypatch)
    before = contents(stick)
    done = run("db", "mirror", "add", str(stick), "--db", club)
    assert (done.code, done.out, len(done.err.splitlines())) == (ExitCode.STORAGE, "", 2)
    assert why in done.err
    assert victim.read_text(encoding="utf-8") == MINE
    assert contents(stick) == before
    assert not note_of(Path(club)).exists()


@each_plant
@pytest.mark.parametrize("name", ["club.db-backup.txt", "club.db-backup-names.txt"])
def test_a_planted_file_does_not_become_the_backup_after_rounds(
    club: str, victim: Path, monkeypatch: pytest.MonkeyPatch, plant: Plant, why: str, name: str
) -> None:
    folder = Path(club).parent / "tourney-backups"
    folder.mkdir()
    plant(folder / name, victim, monkeypatch)
    before = contents(folder)[name]
    with desk.refused(ExitCode.STORAGE, why):
        storage.back_up_round(club)
    assert victim.read_text(encoding="utf-8") == MINE
    assert contents(folder)[name] == before


@pytest.mark.parametrize("planted", ["a link", "of another user"])
def test_a_planted_folder_gets_no_backup(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    folder, elsewhere = Path(club).parent / "tourney-backups", tmp_path / "elsewhere"
    elsewhere.mkdir()
    if planted == "a link":
        folder.symlink_to(elsewhere)
    else:
        folder.mkdir(0o777)
        give_away(folder, monkeypatch)
    for back_up in (storage.back_up_round, database.backup):
        with desk.refused(ExitCode.STORAGE, "cannot be used"):
            back_up(club)
    assert list(folder.iterdir()) == []


def test_others_can_write_neither_to_files_nor_to_folders_of_ours_once_they_are_used(club: str) -> None:
    folder = Path(club).parent / "tourney-backups"
    storage.back_up_round(club)
    written = folder / "club.db-backup.txt"
    folder.chmod(0o777)
    written.chmod(0o666)
    apply(club, RegisterPlayers(["Zoe"]))
    storage.back_up_round(club)
    modes = [oct(stat.S_IMODE(path.stat().st_mode)) for path in (folder, written)]
    assert modes == ["0o755", "0o640"]


@pytest.mark.parametrize("planted", ["a link", "of another user"])
def test_no_note_of_a_copy_goes_into_a_planted_folder(
    club: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    """The backup is made all the same: the note only serves to delete a copy that a killed program left."""
    from tourney.storage.backup import copies

    notes, elsewhere = Path(f"{club}-copying"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    if planted == "a link":
        notes.symlink_to(elsewhere)
    else:
        notes.mkdir()
        give_away(notes, monkeypatch)
    found = list[Path]()
    checked = copies._checked
    monkeypatch.setattr(copies, "_checked", lambda path, part: (found.extend(notes.iterdir()), checked(path, part))[1])
    made = database.backup(club, str(tmp_path / "copy.db"))
    assert (found, Path(made.path).exists()) == ([], True)


MARK = "0" * 32


@pytest.mark.parametrize(
    ("mark", "named"),
    [("2026", "film-2026.part"), (MARK, f"film-{MARK}.part"), ("x", "club.db-x.part")],
)
def test_a_note_that_came_with_a_database_deletes_no_other_file(
    club: str, tmp_path: Path, run: Runner, mark: str, named: str
) -> None:
    """Only a copy of this database has such a name."""
    notes, download = Path(f"{club}-copying"), tmp_path / named
    notes.mkdir()
    download.write_text(MINE, encoding="utf-8")
    (notes / mark).write_text(str(download), encoding="utf-8")
    (notes / f"{mark}.lock").touch()
    assert run("status", "--db", club).code == ExitCode.DONE
    assert download.read_text(encoding="utf-8") == MINE


def test_old_downloads_in_the_folder_of_backups_stay(club: str) -> None:
    storage.back_up_round(club)
    download = Path(club).parent / "tourney-backups" / "film.part"
    download.touch()
    os.utime(download, (0, 0))
    storage.back_up_round(club)
    assert download.exists()


@pytest.mark.parametrize("words", ["status", "player add Zoe", "db mirror list"])
def test_a_list_of_mirrors_that_came_with_a_database_is_told_of_and_written_nowhere(
    club: str, victim: Path, run: Runner, words: str
) -> None:
    note = Path(f"{club}-mirrors")
    note.write_text(json.dumps({"mirrors": [{"journal": str(victim), "away": False, "restored": None}]}))
    victim.write_bytes(b"")
    done = run(*words.split(), "--db", club)
    assert (done.code, done.err.count("\n")) == (ExitCode.DONE, 1)
    assert done.err.startswith(f"warning: {note} names mirrors that were not added here")
    assert victim.read_bytes() == b""
    assert {path.name for path in victim.parent.iterdir()} == {"club", "victim.txt"}


@pytest.mark.parametrize("forged", [{"kind": "player.x"}, {"payload": {}}, {"payload": {"player": [], "rows": 5}}])
def test_a_mirror_with_an_entry_of_another_form_is_told_of_in_one_line(
    club: str, tmp_path: Path, run: Runner, forged: dict[str, object]
) -> None:
    """The entry's hash holds, so that the database lacks it; nothing can be said of what it did."""
    stick = tmp_path / "stick"
    stick.mkdir()
    assert run("db", "mirror", "add", str(stick), "--db", club).code == ExitCode.DONE
    assert run("event", "new", "Saturday", "--db", club).code == ExitCode.DONE
    journal = stick / "club.db-mirror.txt"
    number, before, text = journal.read_text(encoding="utf-8").splitlines()[-1].split(" ", 2)
    entry = json.loads(text) | {"id": "f" * 32, "batch": "f" * 32} | forged
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(f"{before}\n{text}".encode()).hexdigest()
    with journal.open("a", encoding="utf-8") as file:
        file.write(f"{int(number) + 1} {digest} {text}\n")
    done = run("status", "--db", club)
    assert (done.code, done.out, len(done.err.splitlines())) == (ExitCode.STORAGE, "", 2), done.err
    assert done.err.startswith("error: the database lacks 1 change that its mirror ")


def test_a_mirror_of_an_earlier_version_is_taken_up_by_adding_it_again(club: str, tmp_path: Path, run: Runner) -> None:
    """The note next to the database is deleted once it names no other mirrors."""
    sticks = [tmp_path / "one", tmp_path / "two"]
    note = Path(f"{club}-mirrors")
    journals = [{"journal": str(each / "club.db-mirror.txt"), "away": False, "restored": None} for each in sticks]
    note.write_text(json.dumps({"mirrors": journals}))
    for at, stick in enumerate(sticks):
        stick.mkdir()
        assert run("db", "mirror", "add", str(stick), "--db", club).code == ExitCode.DONE
        assert note.exists() is (at == 0)
    assert run("player", "add", "Zoe", "--db", club).err == ""
    first, second = (contents(stick)["club.db-mirror.txt"] for stick in sticks)
    assert first == second
    assert len(first.splitlines()) == len(desk.query(club, "SELECT * FROM act"))


def test_a_copy_of_a_database_and_of_all_beside_it_is_not_mirrored(club: str, tmp_path: Path, run: Runner) -> None:
    stick, copy = tmp_path / "stick", tmp_path / "copy"
    stick.mkdir()
    assert run("db", "mirror", "add", str(stick), "--db", club).code == ExitCode.DONE
    before = contents(stick)
    Path(club).parent.rename(copy)
    assert run("player", "add", "Zoe", "--db", str(copy / "club.db")).err == ""
    assert contents(stick) == before


def test_a_pipe_in_the_place_of_the_backup_after_rounds_holds_up_nobody(club: str) -> None:
    folder = Path(club).parent / "tourney-backups"
    folder.mkdir()
    os.mkfifo(folder / "club.db-backup.txt")
    command = [sys.executable, "-m", "tourney", "status", "--db", club]
    done = subprocess.run(command, capture_output=True, check=False, timeout=600)
    assert done.returncode == ExitCode.DONE


def test_a_copy_of_an_unreadable_file_is_not_written_through_a_link(
    club: str, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy's name could be known before: it has the time in it."""
    from tourney.storage.backup import restore

    made = database.backup(club)
    Path(club).write_bytes(b"no database" * 300)
    kept = Path(club).parent / "tourney-backups" / "kept.db"
    kept.symlink_to(victim)
    monkeypatch.setattr(restore, "named", lambda *_given: kept)
    with pytest.raises(TourneyError):
        database.restore(club, made.path)
    assert victim.read_text(encoding="utf-8") == MINE


def _super_journal(place: Path, victim: Path) -> None:
    """Write a hot journal whose end names the victim, in the format of sqlite.org."""
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    header = (magic + struct.pack(">IIIII", 0, 0, place.stat().st_size // 4096, 512, 4096)).ljust(512, b"\0")
    trailer = struct.pack(">I", 0x40000000 // 4096 + 1) + name + struct.pack(">II", len(name), sum(name)) + magic
    Path(f"{place}-journal").write_bytes(header + trailer)


BESIDE: dict[str, Callable[[Path, Path], None]] = {
    "a journal that names another file": _super_journal,
    "a pipe as a journal": lambda place, _victim: os.mkfifo(f"{place}-journal"),
    "a link as a journal": lambda place, victim: Path(f"{place}-journal").symlink_to(victim),
    "a second name as a log": lambda place, victim: os.link(victim, f"{place}-wal"),
    "a second name as shared memory": lambda place, victim: os.link(victim, f"{place}-shm"),
}


@pytest.mark.parametrize("words", ["status", "player list", "log", "db check", "player add Zoe", "db restore DB"])
@pytest.mark.parametrize("beside", BESIDE)
def test_what_lies_beside_a_database_of_others_deletes_and_writes_nothing(
    club: str, victim: Path, run: Runner, beside: str, words: str
) -> None:
    BESIDE[beside](Path(club), victim)
    end = ("--db", str(victim.with_name("new.db"))) if "DB" in words else ("--db", club)
    done = run(*words.replace("DB", club).split(), *end)
    assert (done.code, done.out) == (ExitCode.STORAGE, "")
    assert "hint: move it away, and try again\n" in done.err
    assert victim.read_text(encoding="utf-8") == MINE


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files to others")
@pytest.mark.parametrize("mode", [0o600, 0o660])
@pytest.mark.parametrize("words", ["status", "player list", "db check", "player add Zoe"])
def test_no_log_of_another_user_is_written_into_a_database(
    club: str, tmp_path: Path, run: Runner, words: str, mode: int
) -> None:
    """SQLite would replay the other user's log into a file that only its owner, or its group, may write."""
    Path(club).chmod(mode)
    other = desk.drawn(tmp_path / "other.db")
    with closing(sqlite3.connect(other, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("VACUUM")
        Path(f"{club}-wal").write_bytes(Path(f"{other}-wal").read_bytes())
    os.chown(f"{club}-wal", NOBODY, NOBODY)
    before = Path(club).read_bytes()
    done = run(*words.split(), "--db", club)
    assert (done.code, done.out, Path(club).read_bytes()) == (ExitCode.STORAGE, "", before)
    assert "it belongs to another user" in done.err


def test_a_lock_beside_a_database_brings_no_journal(club: str, victim: Path) -> None:
    lock = Path(f"{club}-lock")
    lock.write_bytes(Path(club).read_bytes())
    _super_journal(lock, victim)
    with suppress(TourneyError, OSError), exclusive(lock):
        pass
    assert victim.read_text(encoding="utf-8") == MINE
