"""Tests of who can read a database and what lies beside it: only its owner, whatever the umask. No link is followed.

The kernel's modes of the files are the second source.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.storage import private
from tourney.storage.files.atomic_create import exclusive
from tourney.storage.mirror.remembered import note_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    """Take nothing away from new files, so that all permissions are the program's own choice."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """Return the permissions of everything in a folder, by path."""
    return {
        str(path.relative_to(folder)): oct(stat.S_IMODE(path.lstat().st_mode))
        for path in sorted(folder.rglob("*"))
        if not path.is_symlink()
    }


def test_only_its_owner_reads_a_database_its_log_backups_mirrors_and_notes(tmp_path: Path, run: Runner) -> None:
    place, stick = tmp_path / "place", tmp_path / "stick"
    place.mkdir()
    stick.mkdir()
    db = str(place / "club.db")
    desk.event(db, 4)
    assert run("db", "mirror", "add", str(stick), "--db", db).code == 0
    apply(db, RegisterPlayers(("Zoe Private",)))
    assert run("db", "backup", "--db", db).code == 0
    storage.back_up_round(db)
    with storage.writing(db), storage.reading(db):
        found = {**modes(place), **modes(stick), "note": oct(stat.S_IMODE(note_of(Path(db)).stat().st_mode))}
    assert "club.db-wal" in found
    assert len(found) >= 8
    wrong = {name: mode for name, mode in found.items() if mode not in ("0o600", "0o700")}
    assert wrong == {}


def test_the_data_folder_is_its_owner_s_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("TOURNEY_DB", raising=False)
    apply(None, RegisterPlayers(("Ana",)))
    folder = storage.locate(None).parent
    assert oct(stat.S_IMODE(folder.stat().st_mode)) == "0o700"


def test_a_file_that_the_user_names_has_the_permissions_that_the_user_s_umask_gives(
    tmp_path: Path, run: Runner
) -> None:
    db, out = desk.copied(tmp_path / "club.db", desk.event), tmp_path / "players.csv"
    assert run("player", "list", "--db", db, "--format", "csv", "--output", str(out)).code == 0
    assert oct(stat.S_IMODE(out.stat().st_mode)) == "0o666"


@pytest.mark.parametrize("end", ["-new", "-lock"])
def test_a_link_that_waits_beside_a_new_database_leads_nowhere(tmp_path: Path, end: str) -> None:
    victim, db = tmp_path / "victim", tmp_path / "club.db"
    Path(f"{db}{end}").symlink_to(victim)
    with suppress(TourneyError):  # a refusal is as good
        apply(str(db), RegisterPlayers(("Ana",)))
    assert not victim.exists()


def test_a_note_is_written_under_a_name_that_nobody_can_guess_and_replaces_a_link(tmp_path: Path) -> None:
    victim, note = tmp_path / "victim", tmp_path / "club.db-note"
    victim.write_text("mine")
    note.symlink_to(victim)
    with private.replacing(note) as file:
        (draft,) = [path for path in tmp_path.iterdir() if path not in (victim, note)]
        assert len(draft.name) == len(note.name) + 17
        file.write("note")
    assert (victim.read_text(), note.read_text(), note.is_symlink()) == ("mine", "note", False)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club.db-note", "victim"]


def test_a_lock_that_is_a_link_is_refused(tmp_path: Path) -> None:
    lock = tmp_path / "club.db-lock"
    lock.symlink_to(tmp_path / "victim")
    with pytest.raises(PermissionError), exclusive(lock):
        pass
    assert not (tmp_path / "victim").exists()


def test_the_doctor_warns_of_a_database_and_of_backups_that_others_can_read(tmp_path: Path, run: Runner) -> None:
    place = tmp_path / "place"
    place.mkdir(0o755)
    db = desk.copied(place / "club.db", desk.event)
    assert run("db", "backup", "--db", db).code == 0
    os.chmod(db, 0o600)
    assert ",ok,only its owner," in run("doctor", "--db", db, "--format", "csv").out
    os.chmod(db, 0o644)
    os.chmod(place / "tourney-backups", 0o755)
    found = run("doctor", "--db", db, "--format", "csv").out
    assert "every user of this computer can read club.db, tourney-backups" in found
    assert f"chmod -R o-rwx {db} {place / 'tourney-backups'}" in found
    place.chmod(0o700)
    assert ",ok,only its owner," in run("doctor", "--db", db, "--format", "csv").out
