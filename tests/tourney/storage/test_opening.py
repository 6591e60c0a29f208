"""Databases that cannot be used, and what is left of a command that was refused."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service import database, standings
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.impact import preview
from tourney.service.people import players
from tourney.service.people.players import RegisterPlayers
from tourney.storage import sqlite
from tourney.storage.location import locate


@pytest.fixture
def db(tmp_path: Path) -> str:
    path = str(tmp_path / "club.db")
    apply(path, RegisterPlayers(["Ana", "Beñat"]))
    return path


def _other(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE act (number)")


def _newer(path: Path) -> None:
    apply(str(path), RegisterPlayers(["Ana"]))
    desk.tamper(str(path), "UPDATE alembic_version SET version_num = '9999'")


def _older(path: Path) -> None:
    apply(str(path), RegisterPlayers(["Ana"]))
    desk.tamper(str(path), "UPDATE alembic_version SET version_num = '0000'")


def _versionless(path: Path) -> None:
    apply(str(path), RegisterPlayers(["Ana"]))
    desk.tamper(str(path), "DELETE FROM alembic_version")


def _damaged(path: Path) -> None:
    apply(str(path), RegisterPlayers(["Ana"]))
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))


UNUSABLE = {
    "no database": (lambda path: path.write_text("seq,rank\n" * 300), "is not a database"),
    "another program's": (_other, "another program"),
    "a newer version": (_newer, "newer"),
    "an older version": (_older, "tourney db upgrade"),
    "no version": (_versionless, "version"),
    "damaged": (_damaged, "damaged"),
    "a folder": (lambda path: path.mkdir(), "cannot be opened"),
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_an_unusable_database_is_refused_in_one_line_and_left_as_it_was(tmp_path: Path, case: str) -> None:
    """Reading, writing and checking all end with exit code 5, and not a byte is changed."""
    make, word = UNUSABLE[case]
    path = tmp_path / "club.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    for verb in (players.listing, database.check, lambda db: apply(db, RegisterPlayers(["Zoe"]))):
        with desk.refused(ExitCode.STORAGE, word, "club.db"):
            verb(str(path))
    assert before is None or path.read_bytes() == before


def test_reading_without_a_database_says_how_to_begin_and_makes_none(tmp_path: Path) -> None:
    """A read command never creates a file."""
    path = tmp_path / "none.db"
    for verb in (players.listing, events.listing, standings.standings, database.check, database.upgrade):
        with desk.refused(ExitCode.NOT_FOUND, "none.db"):
            verb(str(path))
    with desk.refused(ExitCode.NOT_FOUND, "tourney player import", "--db"):
        players.listing(str(path))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_no_database_to_read_and_a_new_one_to_write(tmp_path: Path) -> None:
    """As `touch club.db` leaves it."""
    path = tmp_path / "club.db"
    path.touch()
    with desk.refused(ExitCode.NOT_FOUND, "is empty"):
        players.listing(str(path))
    apply(str(path), RegisterPlayers(["Ana"]))
    assert [player.name for player in players.listing(str(path))] == ["Ana"]


def test_a_refused_or_dry_first_command_leaves_no_file(tmp_path: Path) -> None:
    """Check that a database appears with its first change, not with the first mistake."""
    db = str(tmp_path / "club.db")
    with desk.refused(ExitCode.NOT_FOUND):
        apply(db, EnterPlayers("Friday", ["Ana"]))
    assert preview(db, RegisterPlayers(["Ana"])).outcome[0].id == 1
    preview(db, CreateEvent(EventSettings("Friday", "oficial")))
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_maker_or_a_deleted_database_left_is_not_in_a_new_one(db: str, tmp_path: Path) -> None:
    """A half-made draft, a lock, and a log whose database is gone: the new database has only what is written to it."""
    old = Path(db)
    with sqlite.transaction(sqlite.file_engine(old, "write"), "IMMEDIATE") as connection:
        connection.exec_driver_sql("UPDATE head SET acts = acts")
        log = Path(f"{db}-wal").read_bytes()
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "club.db-lock").touch()
    for name in ("club.db-new", "club.db-journal"):
        (folder / name).write_bytes(b"half" * 300)
    (folder / "club.db-wal").write_bytes(log)
    new = str(folder / "club.db")
    apply(new, RegisterPlayers(["Carmen"]))
    assert [player.name for player in players.listing(new)] == ["Carmen"]
    assert database.check(new).problems == ()
    assert [path.name for path in folder.iterdir()] == ["club.db"]


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """Only the user's own data folder is."""
    with desk.refused(ExitCode.STORAGE, "there is no folder", "missing"):
        apply(str(tmp_path / "missing" / "club.db"), RegisterPlayers(["Ana"]))
    assert list(tmp_path.iterdir()) == []


def test_a_locked_database_is_a_conflict_and_says_to_wait(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that another program's write is waited for before exit code 4, while reading continues."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with desk.refused(ExitCode.CONFLICT, "locked", "try again"):
            apply(db, RegisterPlayers(["Carmen"]))
        assert len(players.listing(db)) == 2
        other.execute("ROLLBACK")
    assert len(apply(db, RegisterPlayers(["Carmen"]))) == 1


_OBEYING = """
import os, sys
sys.path.insert(0, sys.argv[1])
from tests.harness.unprivileged import obey_permissions
from tourney.domain.errors import TourneyError
from tourney.service.events import events
from tourney.service import database as files
from tourney.service.admin import journal as history
from tourney.service.change import apply
from tourney.service.people import players
from tourney.service.ratings import ratings
from tourney.service.results import results
from tourney.service.rounds import rounds
from tourney.service.results import rulings
from tourney.service import standings
READERS = [
    files.check, players.listing, events.listing, events.show, rounds.show, results.show, rulings.listing,
    standings.standings, history.log, ratings.ratings, lambda db: ratings.ratings(db, "races"),
]
expected = [repr(verb(sys.argv[3])) for verb in READERS]
obey_permissions()
assert [repr(verb(sys.argv[2])) for verb in READERS] == expected
try:
    apply(sys.argv[2], players.RegisterPlayers(["Zoe"]))
except TourneyError as error:
    print(int(error.code), error.message)
"""


def test_a_read_only_medium_can_be_read_and_checked_and_refuses_writing(tmp_path: Path) -> None:
    """Neither the file nor its folder can be written, as on a stick with its lock set; ratings are not remembered."""
    folder = tmp_path / "stick"
    folder.mkdir()
    copy = desk.everything(tmp_path / "copy.db")
    desk.tamper(copy, "DELETE FROM rating_checkpoint")
    db = str(shutil.copy(copy, folder / "club.db"))
    os.chmod(db, 0o444)
    os.chmod(folder, 0o555)
    for above in folder.parents:
        if above == Path(tempfile.gettempdir()):
            break
        os.chmod(above, 0o755)
    try:
        command = [sys.executable, "-X", "utf8", "-c", _OBEYING, str(desk.ROOT), db, copy]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=folder, check=False)
    finally:
        os.chmod(folder, 0o755)
    assert done.stderr == ""
    assert done.stdout.startswith(f"{int(ExitCode.STORAGE)} the database {db} is read-only")
    assert [path.name for path in folder.iterdir()] == ["club.db"]


PLACES = [
    ("a path", "{folder}/club.db", None, "{folder}/club.db"),
    ("a URL", "sqlite:///{folder}/club.db", None, "{folder}/club.db"),
    ("a URL with a blank", "sqlite:///{folder}/my%20club.db", None, "{folder}/my club.db"),
    ("the environment", None, "{folder}/env.db", "{folder}/env.db"),
    ("the option before the environment", "{folder}/club.db", "{folder}/env.db", "{folder}/club.db"),
]


@pytest.mark.parametrize(("_what", "given", "variable", "wanted"), PLACES)
def test_the_database_is_where_option_or_environment_say(
    _what: str, given: str | None, variable: str | None, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--db` first, then TOURNEY_DB."""
    monkeypatch.delenv("TOURNEY_DB", raising=False)
    if variable is not None:
        monkeypatch.setenv("TOURNEY_DB", variable.format(folder=tmp_path))
    found = locate(None if given is None else given.format(folder=tmp_path))
    assert found == Path(wanted.format(folder=tmp_path))


def test_without_option_and_environment_it_is_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that the folder is made with the first change."""
    monkeypatch.delenv("TOURNEY_DB", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path / "data" / "tourney")
    assert database.path(None) == str(tmp_path / "data" / "tourney" / "tourney.db")
    assert not (tmp_path / "data").exists()
    apply(None, RegisterPlayers(["Ana"]))
    assert (tmp_path / "data" / "tourney" / "tourney.db").is_file()


@pytest.mark.parametrize("url", ["postgresql://host/db", "", "  ", "a\0b"])
def test_what_is_no_place_for_a_database_is_refused(url: str) -> None:
    """Another kind of database, and no path at all."""
    with desk.refused(ExitCode.STORAGE, "database"):
        locate(url)


def test_a_copy_of_a_closed_database_is_the_whole_of_it(db: str, tmp_path: Path) -> None:
    """When no command runs, the file alone holds everything: its log is empty."""
    copy = shutil.copy(db, tmp_path / "copy.db")
    assert players.listing(str(copy)) == players.listing(db)


def test_a_damaged_name_is_an_error_and_not_a_wrong_table(db: str) -> None:
    """A flipped letter in a person's row does not reach a report."""
    desk.tamper(db, "UPDATE person SET name = 'Anb' WHERE name = 'Ana'")
    with desk.refused(ExitCode.STORAGE, "player 1", "tourney db check"):
        players.listing(db)
