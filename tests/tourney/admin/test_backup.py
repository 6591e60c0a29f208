"""Tests of backups of the database and of restoring one."""

import hashlib
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.service.results import results
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage import sqlite
from tourney.storage.backup import copies, names
from tourney.storage.check import check_database

make_db = desk.make_everything


def content(db: str) -> dict[str, list[tuple]]:
    return {name: sorted(desk.query(db, f'SELECT * FROM "{name}"'), key=repr) for name in desk.tables(db)}


def without_keys(content: dict[str, list[tuple]]) -> dict[str, list[tuple]]:
    """Return the content without the keys of desks and tables, which only a present database can vouch for."""
    return {**content, "access": [], "seal": [row for row in content["seal"] if row[0] != "access"]}


def files_in_backup_folder(db: str) -> list[Path]:
    return sorted((Path(db).parent / "tourney-backups").glob("*"))


def recomputed_head(db: str) -> str:
    """Return the head of the journal as defined: SHA-256 over the hash before, a line feed and the text."""
    head = ""
    for (text,) in desk.query(db, "SELECT text FROM act ORDER BY number"):
        head = hashlib.sha256(f"{head}\n{text}".encode()).hexdigest()
    return head


def _upgrade_copy(db: str) -> None:
    """Make the copy that an upgrade makes first."""
    copies.backup_file(Path(db), "upgrade", lambda part: (0, part.name))


def make_unsound(db: str) -> None:
    desk.tamper(db, "UPDATE score SET points = points + 1 WHERE seat = 0")


@pytest.mark.skipif(os.name == "nt", reason="on Windows only administrators can make the link of this attack")
def test_a_link_among_the_backups_is_neither_restored_nor_named_as_the_newest(db: str, run: Runner) -> None:
    """Others may have put it there; a copy of another user is refused in the same place."""
    made = database.backup(db)
    link = Path(made.path).with_name(f"{Path(db).name}-20991130T235959Z-act9.db")
    link.symlink_to(made.path)
    newest = names.newest(Path(db))
    assert newest is not None
    assert newest.samefile(made.path)
    assert not newest.is_symlink()
    ran = run("db", "restore", link.name, "--db", db)
    assert (ran.code, "it is a link" in ran.err) == (ExitCode.STORAGE, True), ran.err


@pytest.mark.parametrize("time", ["99999999T999999Z", "20260230T120000Z", "٢٠٢٦١١٠١T120000Z"])
def test_a_file_without_a_time_in_its_name_is_not_a_backup(db: str, run: Runner, time: str) -> None:
    """`doctor` and each hint about a damaged database ended by an error in the program."""
    database.backup(db)
    made = names.newest_backup(Path(db))
    (Path(db).parent / "tourney-backups" / f"{Path(db).name}-{time}-act1.db").write_bytes(b"")
    assert (names.newest_backup(Path(db)), run("db", "check", "--db", db).code) == (made, 0)


def test_a_backup_has_every_row_and_is_in_the_folder_beside_the_database(db: str) -> None:
    """Check that a backup is one file, named by the database, the time and the number of changes."""
    made = database.backup(db)
    entries = desk.query(db, "SELECT count(*) FROM act")[0][0]
    assert (made.entries, made.head) == (entries, recomputed_head(db))
    assert [str(path) for path in files_in_backup_folder(db)] == [made.path]
    assert Path(made.path).name.startswith("club.db-20")
    assert Path(made.path).name.endswith(f"-act{entries}.db")
    assert content(made.path) == content(db)


def test_a_backup_includes_the_write_ahead_log(db: str) -> None:
    """A copy of the file alone would lack what another program has written only to the log."""
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("DELETE FROM rating_checkpoint")
        assert Path(f"{db}-wal").stat().st_size > 0
        made = database.backup(db)
    assert desk.query(made.path, "SELECT * FROM rating_checkpoint") == []


def test_a_backup_is_written_to_a_new_file_or_into_a_folder(db: str, tmp_path: Path) -> None:
    """In a folder the backup has its usual name; the folder beside the database is not created."""
    stick = tmp_path / "stick"
    stick.mkdir()
    assert database.backup(db, str(stick / "mine.db")).path == str(stick / "mine.db")
    named = Path(database.backup(db, str(stick)).path)
    assert named.parent == stick
    assert sorted(stick.iterdir()) == sorted([stick / "mine.db", named])
    assert files_in_backup_folder(db) == []


@pytest.mark.parametrize(
    ("to", "code", "word"),
    [("club.db", ExitCode.CONFLICT, "exists already"), ("nowhere/x.db", ExitCode.NOT_FOUND, "no folder")],
)
def test_a_backup_overwrites_no_file_and_creates_no_folder(
    db: str, tmp_path: Path, to: str, code: ExitCode, word: str
) -> None:
    before = Path(db).read_bytes()
    with desk.refused(code, word):
        database.backup(db, str(tmp_path / to))
    assert Path(db).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["club.db"]


def test_a_database_that_is_not_sound_is_not_backed_up(db: str) -> None:
    """A total differs from the journal; no incomplete copy is left."""
    make_unsound(db)
    with desk.refused(ExitCode.STORAGE, "club.db", "score", "no copy"):
        database.backup(db)
    assert files_in_backup_folder(db) == []


@pytest.mark.parametrize("following", [database.round_finished, _upgrade_copy], ids=["a round", "an upgrade"])
def test_the_last_three_automatic_copies_and_all_requested_ones_are_kept(db: str, following) -> None:
    """Earlier versions made a copy after each round; one of another database is not deleted."""
    folder = names.folder_of(Path(db))
    requested = Path(database.backup(db).path)
    automatic = [folder / f"club.db-200001{day:02}T190000Z-act{day}-{_occasion(day)}.db" for day in range(1, 15)]
    others = [requested, folder / "club.db-2-20000101T190000Z-act1-round.db"]
    for path in (*automatic, others[1]):
        path.touch()
    following(db)
    remaining = [path for path in files_in_backup_folder(db) if path.suffix == ".db"]
    assert {*others} <= {*remaining}
    kept = sorted({*remaining} - {*others})
    assert len(kept) == 3
    assert {path for path in kept if path in automatic} == {*automatic[-3 if following is not _upgrade_copy else -2 :]}


def _occasion(day: int) -> str:
    return "upgrade" if day == 5 else "round"


def test_partial_backups_of_killed_programs_are_deleted_after_an_hour(db: str) -> None:
    """A younger partial backup is kept: another program may still be writing it."""
    folder = Path(db).parent / "tourney-backups"
    folder.mkdir()
    old, young = (f"club.db-{digit * 32}.part" for digit in "12")
    for name, age in ((old, 4000.0), (young, 10.0)):
        (folder / name).touch()
        desk.set_age(folder / name, age)
    database.round_finished(db)
    assert [path.name for path in files_in_backup_folder(db) if path.suffix == ".part"] == [young]


def test_a_backup_that_fails_after_a_round_gives_a_warning_and_the_result_is_kept(new_db: str, tmp_path: Path) -> None:
    """The backup fails because a file has the name of the backup folder."""
    desk.event(new_db, 3, size=3, rounds=1)
    (table,) = apply(new_db, DrawRound()).rounds[0].tables
    (tmp_path / "tourney-backups").touch()
    with pytest.warns(UserWarning, match="no backup was made after the round: .*tourney-backups"):
        entered = apply(new_db, EnterResult(None, 1, 1, desk.hands([player.name for player in table.players]))).result
    assert results.show(new_db) == (entered,)


def test_a_failed_backup_is_one_line_of_warning_and_exit_code_0(new_db: str, tmp_path: Path, run: Runner) -> None:
    """Check also that standard output has only the JSON."""
    desk.event(new_db, 0, "random:3", size=3, rounds=1)
    apply(new_db, DrawRound())
    (tmp_path / "tourney-backups").touch()
    result = run("round", "play", "--db", new_db, "--json")
    assert result.code == 0
    assert result.json["played"] == [{"round": 1, "table": 1}]
    (warning,) = [line for line in result.err.splitlines() if line.startswith("warning: ")]
    assert "no backup was made after the round" in warning


def test_a_restore_gives_the_backup_and_keeps_a_copy_of_the_replaced_database(db: str) -> None:
    """Restoring that copy restores the replaced database."""
    made = database.backup(db)
    old = content(db)
    apply(db, RegisterPlayers(["Zoe"]))
    new = content(db)
    done = database.restore(db, made.path)
    assert content(db) == old
    assert content(done.kept) == new
    assert (done.entries, done.before, done.common) == (made.entries, made.entries + 1, made.entries)
    assert not Path(f"{db}-wal").exists()
    second_restore = database.restore(db, Path(done.kept).name)
    assert content(db) == new
    assert (second_restore.before, second_restore.common, second_restore.entries) == (
        made.entries,
        made.entries,
        made.entries + 1,
    )
    assert database.check(db).problems == ()


def test_a_restore_reports_how_many_changes_both_databases_share(db: str) -> None:
    """The backup has one change of its own and the database two; all earlier ones are shared."""
    shared = desk.query(db, "SELECT count(*) FROM act")[0][0]
    other = str(shutil.copy(db, Path(db).with_name("other.db")))
    apply(other, RegisterPlayers(["Zoe"]))
    for name in ("Iker", "June"):
        apply(db, RegisterPlayers([name]))
    done = database.restore(db, other)
    assert (done.before, done.common, done.entries) == (shared + 2, shared, shared + 1)


def test_a_dry_run_of_restore_changes_no_byte(db: str) -> None:
    made = database.backup(db)
    apply(db, RegisterPlayers(["Zoe"]))
    before = Path(db).read_bytes()
    done = database.restore(db, made.path, dry_run=True)
    assert (done.kept, done.before, done.common) == ("", made.entries + 1, made.entries)
    assert Path(db).read_bytes() == before
    assert [str(path) for path in files_in_backup_folder(db)] == [made.path]


def test_a_lost_database_is_restored_from_its_backup(db: str) -> None:
    """The database is missing, or an empty file is in its place."""
    made = database.backup(db)
    expected = without_keys(content(db))
    Path(db).unlink()
    for _state in ("no file", "an empty file"):
        done = database.restore(db, made.path)
        assert (done.kept, done.before) == ("", 0)
        assert content(db) == expected
        Path(db).write_bytes(b"")


DAMAGE = {
    "no database": lambda content: b"seq,rank\n" * 1000,
    "a damaged file header": lambda content: b"\xff" * 100 + content[100:],
    "damaged pages": lambda content: content[:4096] + b"\xff" * (len(content) - 4096),
    "cut off": lambda content: content[: len(content) // 2],
}


@pytest.mark.parametrize("case", DAMAGE)
def test_a_damaged_database_is_restored_and_its_file_is_kept(db: str, case: str) -> None:
    made = database.backup(db)
    expected = without_keys(content(db))
    Path(db).write_bytes(DAMAGE[case](Path(db).read_bytes()))
    done = database.restore(db, made.path)
    assert content(db) == expected
    assert database.check(db).problems == ()
    assert Path(done.kept).stat().st_size > 0


def test_the_log_of_a_damaged_database_is_kept_and_not_applied_to_the_restored_one(db: str) -> None:
    """A killed program left the log of another state beside a file that SQLite cannot open."""
    made = database.backup(db)
    expected = without_keys(content(db))
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("DELETE FROM rating_checkpoint")
        log = Path(f"{db}-wal").read_bytes()
    Path(db).write_bytes(b"rubbish" * 1000)
    Path(f"{db}-wal").write_bytes(log)
    done = database.restore(db, made.path)
    assert content(db) == expected
    assert Path(done.kept).read_bytes() == b"rubbish" * 1000
    assert Path(f"{done.kept}-wal").read_bytes() == log


def _make_older(path: str) -> None:
    desk.tamper(path, "UPDATE alembic_version SET version_num = '0000'")


def _overwrite(path: str) -> None:
    Path(path).write_bytes(b"rubbish" * 1000)


UNUSABLE = {
    "not sound": (make_unsound, ExitCode.REFUSED, "not sound"),
    "no database": (_overwrite, ExitCode.STORAGE, "is not a database"),
    "an older version": (_make_older, ExitCode.STORAGE, "older version"),
}


@pytest.mark.parametrize("case", UNUSABLE)
def test_an_unusable_backup_is_not_restored(db: str, case: str) -> None:
    """Check that the database is unchanged and that no copy of it is made."""
    spoil, code, word = UNUSABLE[case]
    made = database.backup(db, str(Path(db).with_name("old.db")))
    spoil(made.path)
    before = Path(db).read_bytes()
    with desk.refused(code, "old.db", word):
        database.restore(db, made.path)
    assert Path(db).read_bytes() == before
    assert files_in_backup_folder(db) == []


def test_the_newest_backup_of_one_second_is_the_one_with_the_last_entry(db: str) -> None:
    """Check that numbers in file names are compared as numbers, and that of equal ones the later copy is the newer."""
    folder = names.folder_of(Path(db))
    folder.mkdir(exist_ok=True)
    stem = f"{Path(db).name}-20261121T190000Z"
    endings = ("act9", "act10", "act10-2", "act10-round-3")
    for ending in endings:
        (folder / f"{stem}-{ending}.db").touch()
    for ending in reversed(endings):
        newest = folder / f"{stem}-{ending}.db"
        assert names.newest(Path(db)) == newest
        newest.unlink()


def test_a_missing_backup_is_refused_with_the_newest_one(db: str) -> None:
    with desk.refused(ExitCode.NOT_FOUND, "none.db", "tourney db backup"):
        database.restore(db, "none.db")
    made = database.backup(db)
    with desk.refused(ExitCode.NOT_FOUND, "none.db", made.path):
        database.restore(db, "none.db")
    with desk.refused(ExitCode.REFUSED, "the database itself"):
        database.restore(db, db)


def test_a_restore_never_replaces_a_database_of_another_program(db: str, tmp_path: Path) -> None:
    """Check the refusal that protects against a wrong --db."""
    foreign = tmp_path / "theirs.db"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE precious (thing)")
    before = foreign.read_bytes()
    with desk.refused(ExitCode.STORAGE, "another program", "--db"):
        database.restore(str(foreign), db)
    assert foreign.read_bytes() == before


@pytest.mark.parametrize("work", ["BEGIN IMMEDIATE", "BEGIN; SELECT * FROM act"])
def test_restore_is_refused_while_another_program_uses_the_database(
    db: str, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    """While another program writes or reads, the restore is refused; afterwards it succeeds."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)
    made = database.backup(db)
    apply(db, RegisterPlayers(["Zoe"]))
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        for statement in work.split("; "):
            other.execute(statement)
        with desk.refused(ExitCode.CONFLICT, "locked", "try again"):
            database.restore(db, made.path)
        assert other.execute("SELECT count(*) FROM act").fetchone() == (made.entries + 1,)
    assert [str(path) for path in files_in_backup_folder(db)] == [made.path]
    assert database.restore(db, made.path).entries == made.entries


def test_a_change_made_during_a_restore_is_kept_with_the_old_file(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a change made during a restore is either in the copy that is kept or refused.

    Here the lock is taken before the copy, so it is refused.
    """
    made = database.backup(db)
    apply(db, RegisterPlayers(["Zoe"]))
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)
    overwrite = copies.keep

    def keep(*arguments: object) -> object:
        copy = overwrite(*arguments)
        with desk.refused(ExitCode.CONFLICT, "locked"):
            apply(db, RegisterPlayers(["Late"]))
        return copy

    monkeypatch.setattr("tourney.storage.backup.restore.keep", keep)
    done = database.restore(db, made.path)
    assert "Zoe" in {row[0] for row in desk.query(done.kept, "SELECT name FROM person")}
    assert check_database(done.kept).problems == ()


def test_backup_and_restore_print_file_changes_and_head(db: str, run: Runner) -> None:
    made = run("db", "backup", "--db", db)
    entries, head = desk.query(db, "SELECT acts, hash FROM head")[0]
    path = str(files_in_backup_folder(db)[0])
    assert (made.code, made.out) == (0, f"backup: {path}\n\n{entries} changes\njournal head {head[:16]}\n")
    run("player", "add", "Zoe", "--db", db)
    done = run("db", "restore", path, "--db", db, "--json")
    assert (done.code, done.json["acts"], done.json["before"], done.json["common"]) == (
        0,
        entries,
        entries + 1,
        entries,
    )
    result = run("db", "restore", done.json["kept"], "--db", db)
    assert result.out.startswith(f"restored: {done.json['kept']}\n\n{entries + 1} changes\njournal head ")
    assert "every change that was there before is in it" in result.out
