"""Tests of where the database is, of unusable databases, and of what a refused command leaves behind."""

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
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service import database, players
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.impact import preview
from tourney.service.players import RegisterPlayers
from tourney.service.results import standings
from tourney.storage import sqlite
from tourney.storage.location import locate


def make_db(path: str) -> None:
    """The path of a database with two players."""
    apply(path, RegisterPlayers(["Ana", "Beñat"]))


def _make_foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE act (number)")


def _make_newer(path: Path) -> None:
    apply(str(path), RegisterPlayers(["Ana"]))
    desk.tamper(str(path), "UPDATE alembic_version SET version_num = '9999'")


def _make_older(path: Path) -> None:
    apply(str(path), RegisterPlayers(["Ana"]))
    desk.tamper(str(path), "UPDATE alembic_version SET version_num = '0000'")


def _make_versionless(path: Path) -> None:
    apply(str(path), RegisterPlayers(["Ana"]))
    desk.tamper(str(path), "DELETE FROM alembic_version")


def _make_damaged(path: Path) -> None:
    apply(str(path), RegisterPlayers(["Ana"]))
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))


UNUSABLE = {
    "no database": (lambda path: path.write_text("seq,rank\n" * 300), "is not a database"),
    "another program's": (_make_foreign, "another program"),
    "a newer version": (_make_newer, "newer"),
    "an older version": (_make_older, "tourney db upgrade"),
    "no version": (_make_versionless, "version"),
    "damaged": (_make_damaged, "damaged"),
    "a folder": (lambda path: path.mkdir(), "cannot be opened"),
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_an_unusable_database_is_refused_in_one_line_and_left_as_it_was(tmp_path: Path, case: str) -> None:
    """Reading, writing and checking end with exit code 5, and the file is the same byte for byte."""
    make, word = UNUSABLE[case]
    path = tmp_path / "club.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    for verb in (players.listing, database.check, lambda db: apply(db, RegisterPlayers(["Zoe"]))):
        with desk.refused(ExitCode.STORAGE, word, "club.db"):
            verb(str(path))
    assert before is None or path.read_bytes() == before


def test_reading_without_a_database_says_how_to_begin_and_creates_none(tmp_path: Path) -> None:
    """Check every kind of reading; listing players names the command to begin with."""
    path = tmp_path / "none.db"
    for verb in (players.listing, events.listing, standings.standings, database.check, database.upgrade):
        with desk.refused(ExitCode.NOT_FOUND, "none.db"):
            verb(str(path))
    with desk.refused(ExitCode.NOT_FOUND, "tourney player import", "--db"):
        players.listing(str(path))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_cannot_be_read_but_becomes_a_database_when_written_to(tmp_path: Path) -> None:
    """The file is empty, as after `touch club.db`."""
    path = tmp_path / "club.db"
    path.touch()
    with desk.refused(ExitCode.NOT_FOUND, "is empty"):
        players.listing(str(path))
    apply(str(path), RegisterPlayers(["Ana"]))
    assert [player.name for player in players.listing(str(path))] == ["Ana"]


def test_a_first_command_that_is_refused_or_dry_leaves_no_file(new_db: str, tmp_path: Path) -> None:
    """Check that only a change that is kept creates a database."""
    with desk.refused(ExitCode.NOT_FOUND):
        apply(new_db, EnterPlayers("Friday", ["Ana"]))
    assert preview(new_db, RegisterPlayers(["Ana"])).outcome[0].id == 1
    preview(new_db, CreateEvent(EventSettings("Friday", "oficial")))
    assert list(tmp_path.iterdir()) == []


def test_remains_of_another_database_are_not_used_in_a_new_one(db: str, tmp_path: Path) -> None:
    """The folder has a lock, half a file of a killed creation, and the log of a deleted database."""
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


def test_a_missing_folder_is_not_created(tmp_path: Path) -> None:
    """A database in a missing folder is refused; only the user's data folder is created."""
    with desk.refused(ExitCode.STORAGE, "there is no folder", "missing"):
        apply(str(tmp_path / "missing" / "club.db"), RegisterPlayers(["Ana"]))
    assert list(tmp_path.iterdir()) == []


def test_a_program_that_is_leaving_waits_for_others_for_seconds_only(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(sqlite, "monotonic", lambda: clock[0])
    monkeypatch.setattr(sqlite, "sleep", lambda seconds: clock.append(clock.pop() + seconds))

    def locked() -> None:
        error = sqlite3.OperationalError("locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error

    with pytest.raises(sqlite3.OperationalError, match="locked"):
        sqlite.until_free(locked, "leaving")
    assert 3 < clock[0] < 4


def test_a_locked_database_is_a_conflict_and_says_to_wait(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a change waits for another program's write before exit code 4, and that reading is not blocked."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with desk.refused(ExitCode.CONFLICT, "locked", "try again"):
            apply(db, RegisterPlayers(["Carmen"]))
        assert len(players.listing(db)) == 2
        other.execute("ROLLBACK")
    assert len(apply(db, RegisterPlayers(["Carmen"]))) == 1


READ_ONLY = """
import os, sys
sys.path.insert(0, sys.argv[1])
from tests.harness.unprivileged import obey_permissions
from tourney.domain.errors import TourneyError
from tourney.service.events import events
from tourney.service import database as files
from tourney.service.admin import journal as history
from tourney.service.change import apply
from tourney.service import players
from tourney.service.ratings import ratings
from tourney.service.results import results
from tourney.service.rounds import rounds
from tourney.service.results import rulings
from tourney.service.results import standings
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
    """Neither the file nor its folder can be written; the computed ratings are not cached."""
    folder = tmp_path / "stick"
    folder.mkdir()
    writable = desk.everything(tmp_path / "copy.db")
    desk.tamper(writable, "DELETE FROM rating_checkpoint")
    db = str(shutil.copy(writable, folder / "club.db"))
    os.chmod(db, 0o444)
    os.chmod(folder, 0o555)
    for parent in folder.parents:
        if parent == Path(tempfile.gettempdir()):
            break
        os.chmod(parent, 0o755)
    try:
        command = [sys.executable, "-X", "utf8", "-c", READ_ONLY, str(desk.ROOT), db, writable]
        completed = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=folder, check=False)
    finally:
        os.chmod(folder, 0o755)
    assert completed.stderr == ""
    assert completed.stdout.startswith(f"{int(ExitCode.STORAGE)} the database {db} is read-only")
    assert [path.name for path in folder.iterdir()] == ["club.db"]


def test_a_database_of_holes_that_would_be_copied_to_be_read_is_refused(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: a few kilobytes in an archive, which held 2 GB of memory when they were looked at."""
    db = str(tmp_path / "club.db")
    make_db(db)
    Path(f"{db}-wal").touch()
    monkeypatch.setattr(sqlite, "file_writable", lambda _path: False)
    assert run("player", "list", "--db", db).code == 0
    os.truncate(db, sqlite.MOST_COPIED + 1)
    done = run("player", "list", "--db", db)
    assert (done.code, done.out) == (ExitCode.STORAGE, "")
    assert "copy both to a folder where you may write" in done.err


PLACES = [
    ("a path", "{folder}/club.db", None, "{folder}/club.db"),
    ("a URL", "sqlite:///{folder}/club.db", None, "{folder}/club.db"),
    ("a URL with a blank", "sqlite:///{folder}/my%20club.db", None, "{folder}/my club.db"),
    ("the environment", None, "{folder}/env.db", "{folder}/env.db"),
    ("the option before the environment", "{folder}/club.db", "{folder}/env.db", "{folder}/club.db"),
]


@pytest.mark.parametrize(("_case", "option", "variable", "expected"), PLACES)
def test_the_option_or_the_environment_names_the_database(
    _case: str, option: str | None, variable: str | None, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that `--db` has precedence over TOURNEY_DB, and that both accept a path or a URL."""
    monkeypatch.delenv("TOURNEY_DB", raising=False)
    if variable is not None:
        monkeypatch.setenv("TOURNEY_DB", variable.format(folder=tmp_path))
    path = locate(None if option is None else option.format(folder=tmp_path))
    assert path == Path(expected.format(folder=tmp_path))


def test_the_database_is_by_default_in_the_data_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that the folder is created by the first change."""
    monkeypatch.delenv("TOURNEY_DB", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path / "data" / "tourney")
    assert database.path(None) == str(tmp_path / "data" / "tourney" / "tourney.db")
    assert not (tmp_path / "data").exists()
    apply(None, RegisterPlayers(["Ana"]))
    assert (tmp_path / "data" / "tourney" / "tourney.db").is_file()


@pytest.mark.parametrize("named", [True, False], ids=["by the run", "by nobody"])
def test_a_test_that_names_no_database_cannot_write(named: bool, monkeypatch: pytest.MonkeyPatch, run: Runner) -> None:
    """Without the variable, too, nothing gets into the data folder of whoever runs the tests."""
    if not named:
        monkeypatch.delenv("TOURNEY_DB")
    where = str(Path(__file__).parents[2] / "conftest.py") if named else os.environ["XDG_DATA_HOME"]
    assert str(database.path(None)).startswith(where)
    assert run("player", "list").code == (ExitCode.NOT_FOUND if named else ExitCode.STORAGE)
    with desk.refused(ExitCode.STORAGE, "conftest.py" if named else "tourney.db"):
        apply(None, RegisterPlayers(["Ana"]))


@pytest.mark.parametrize("url", ["postgresql://host/db", "", "  ", "a\0b"])
def test_an_impossible_path_or_url_of_a_database_is_refused(url: str) -> None:
    """Check another kind of database, empty names and a zero byte."""
    with desk.refused(ExitCode.STORAGE, "database"):
        locate(url)


def test_a_copy_of_a_closed_database_is_complete(db: str, tmp_path: Path) -> None:
    """While no command runs, the log is empty and the file holds everything."""
    copy = shutil.copy(db, tmp_path / "copy.db")
    assert players.listing(str(copy)) == players.listing(db)


def test_a_damaged_name_is_an_error_and_not_a_wrong_table(db: str) -> None:
    """Check that a changed letter in a person's row is refused before a report shows it."""
    desk.tamper(db, "UPDATE person SET name = 'Anb' WHERE name = 'Ana'")
    with desk.refused(ExitCode.STORAGE, "player 1", "tourney db check"):
        players.listing(db)


LONG_PATH = "a/" * 600 + "x"


@pytest.mark.parametrize(
    "words",
    [
        ("db", "backup", LONG_PATH),
        ("db", "mirror", "add", LONG_PATH),
        ("db", "restore", "--mirror", LONG_PATH),
        ("player", "add", "Zoe", "--db", LONG_PATH),
    ],
    ids=lambda words: " ".join(words[:-1]),
)
def test_a_very_long_path_is_refused_in_a_short_line(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """A desk's form takes 40,000 characters, of which all stood in the refusal."""
    monkeypatch.setenv("TOURNEY_DB", desk.drawn(tmp_path / "club.db"))
    ran = run(*words)
    assert ran.code in (ExitCode.NOT_FOUND, ExitCode.STORAGE)
    assert "there is no folder a/a/" in ran.err
    assert len(ran.err) < 500
