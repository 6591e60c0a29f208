"""Copies of the database, and going back to one."""

import hashlib
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
from tourney.service.impact import preview
from tourney.service.people.players import RegisterPlayers
from tourney.service.results import results
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.rounds import DrawRound
from tourney.storage import sqlite
from tourney.storage.backup import copies
from tourney.storage.check import check_database


def content(db: str) -> dict[str, list[tuple]]:
    return {name: desk.query(db, f'SELECT * FROM "{name}"') for name in desk.tables(db)}


def kept(db: str) -> list[Path]:
    return sorted((Path(db).parent / "tourney-backups").glob("*"))


def chained(db: str) -> str:
    """The journal's head, by the definition: SHA-256 over the hash before, a line feed and the text."""
    head = ""
    for (text,) in desk.query(db, "SELECT text FROM act ORDER BY number"):
        head = hashlib.sha256(f"{head}\n{text}".encode()).hexdigest()
    return head


def unsound(db: str) -> None:
    desk.tamper(db, "UPDATE score SET points = points + 1 WHERE seat = 0")


def test_a_backup_holds_every_row_and_stands_beside_the_database(db: str) -> None:
    """Check that a backup is one file, named after the database, the time and the number of changes."""
    made = database.backup(db)
    acts = desk.query(db, "SELECT count(*) FROM act")[0][0]
    assert (made.entries, made.head) == (acts, chained(db))
    assert [str(path) for path in kept(db)] == [made.path]
    assert Path(made.path).name.startswith("club.db-20")
    assert Path(made.path).name.endswith(f"-act{acts}.db")
    assert content(made.path) == content(db)


def test_a_backup_has_what_stands_in_the_log(db: str) -> None:
    """A copy of the file alone would lack what another program has written and not yet moved from the log."""
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("DELETE FROM rating_checkpoint")
        assert Path(f"{db}-wal").stat().st_size > 0
        made = database.backup(db)
    assert desk.query(made.path, "SELECT * FROM rating_checkpoint") == []


def test_a_backup_goes_to_a_new_file_or_a_folder(db: str, tmp_path: Path) -> None:
    """A folder gives it the usual name; the folder beside the database is then not made."""
    stick = tmp_path / "stick"
    stick.mkdir()
    assert database.backup(db, str(stick / "mine.db")).path == str(stick / "mine.db")
    named = Path(database.backup(db, str(stick)).path)
    assert named.parent == stick
    assert sorted(stick.iterdir()) == sorted([stick / "mine.db", named])
    assert kept(db) == []


@pytest.mark.parametrize(
    ("to", "code", "word"),
    [("club.db", ExitCode.CONFLICT, "exists already"), ("nowhere/x.db", ExitCode.NOT_FOUND, "no folder")],
)
def test_a_backup_overwrites_nothing_and_makes_no_folder(
    db: str, tmp_path: Path, to: str, code: ExitCode, word: str
) -> None:
    before = Path(db).read_bytes()
    with desk.refused(code, word):
        database.backup(db, str(tmp_path / to))
    assert Path(db).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["club.db"]


def test_a_database_that_is_not_sound_is_not_backed_up(db: str) -> None:
    """A total that is not what its journal says; no half copy stays behind."""
    unsound(db)
    with desk.refused(ExitCode.STORAGE, "club.db", "score", "no copy"):
        database.backup(db)
    assert kept(db) == []


def test_the_last_ten_automatic_backups_stay_and_all_that_were_asked_for(db: str) -> None:
    """Thirteen rounds and one upgrade: the four oldest go. Copies of another database are not touched."""
    asked = [Path(database.backup(db).path) for _time in range(12)]
    other = Path(copies.make_backup(str(shutil.copy(db, Path(db).with_name("club.db-2"))), occasion="round").path)
    automatic = [_made_on(db, day) for day in range(1, 14)]
    copies.make_backup(db, occasion="round")
    left = set(kept(db))
    assert set(asked) | {other} <= left
    assert {path for path in automatic if path in left} == set(automatic[4:])
    assert len(left) == 12 + 1 + 10


def _made_on(db: str, day: int) -> Path:
    """An automatic copy, named as if it had been made on that day of January 2000."""
    made = Path(copies.make_backup(db, occasion="upgrade" if day == 5 else "round").path)
    date = len("club.db-")
    return made.rename(made.with_name(f"{made.name[:date]}200001{day:02}{made.name[date + 8 :]}"))


def test_what_killed_programs_left_is_swept_away_after_an_hour(db: str) -> None:
    """A younger one may be another program's, still at work."""
    folder = Path(db).parent / "tourney-backups"
    folder.mkdir()
    for name, age in (("club.db-1.part", 4000.0), ("club.db-2.part", 10.0)):
        (folder / name).touch()
        desk.aged(folder / name, age)
    copies.make_backup(db, occasion="round")
    assert [path.name for path in kept(db) if path.suffix == ".part"] == ["club.db-2.part"]


def test_a_finished_round_is_backed_up_and_an_unfinished_one_is_not(tmp_path: Path) -> None:
    """Two tables: the second sheet brings the copy, which has both results."""
    db = str(tmp_path / "club.db")
    desk.event(db, 6, size=3, rounds=2)
    first, second = apply(db, DrawRound()).rounds[0].tables
    apply(db, EnterResult(None, 1, first.number, desk.hands([player.name for player in first.players])))
    preview(db, EnterResult(None, 1, second.number, desk.hands([player.name for player in second.players])))
    assert kept(db) == []
    apply(db, EnterResult(None, 1, second.number, desk.hands([player.name for player in second.players])))
    (copy,) = kept(db)
    assert copy.name.endswith("-round.db")
    assert desk.query(str(copy), "SELECT count(*) FROM result") == [(2,)]


def test_a_round_that_the_engine_has_played_is_backed_up_once(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 0, "random:6", size=3, rounds=1)
    apply(db, DrawRound())
    rounds.play(db)
    (copy,) = kept(db)
    assert desk.query(str(copy), "SELECT count(*) FROM result") == [(2,)]


def test_a_backup_that_fails_after_a_round_is_a_warning_and_the_result_stands(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    db = str(tmp_path / "club.db")
    desk.event(db, 3, size=3, rounds=1)
    (table,) = apply(db, DrawRound()).rounds[0].tables
    (tmp_path / "tourney-backups").touch()
    with pytest.warns(UserWarning, match="no backup was made after the round: .*tourney-backups"):
        entered = apply(db, EnterResult(None, 1, 1, desk.hands([player.name for player in table.players])))
    assert results.show(db) == (entered,)


def test_the_command_says_the_warning_in_one_line_and_ends_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Check also a command that prints nothing but JSON on standard output."""
    db = str(tmp_path / "club.db")
    desk.event(db, 0, "random:3", size=3, rounds=1)
    apply(db, DrawRound())
    (tmp_path / "tourney-backups").touch()
    result = Runner(capsys)("round", "play", "--db", db, "--json")
    assert result.code == 0
    assert result.json["played"] == [{"round": 1, "table": 1}]
    (warning,) = [line for line in result.err.splitlines() if line.startswith("warning: ")]
    assert "no backup was made after the round" in warning


def test_an_imported_evening_is_backed_up(tmp_path: Path) -> None:
    db = desk.evening(tmp_path / "club.db")
    (copy,) = kept(db)
    assert content(str(copy)) == content(db)


def test_a_restored_database_is_the_backup_and_the_file_as_it_was_is_kept(db: str) -> None:
    """And going back to what was kept brings everything back."""
    made = database.backup(db)
    old = content(db)
    apply(db, RegisterPlayers(["Zoe"]))
    new = content(db)
    done = database.restore(db, made.path)
    assert content(db) == old
    assert content(done.kept) == new
    assert (done.entries, done.before, done.common) == (made.entries, made.entries + 1, made.entries)
    assert not Path(f"{db}-wal").exists()
    back = database.restore(db, Path(done.kept).name)
    assert content(db) == new
    assert (back.before, back.common, back.entries) == (made.entries, made.entries, made.entries + 1)
    assert database.check(db).problems == ()


def test_the_entry_at_which_two_histories_part_is_shown(db: str) -> None:
    """Check a backup with one more change of its own and a database with two: they share what was before."""
    shared = desk.query(db, "SELECT count(*) FROM act")[0][0]
    other = str(shutil.copy(db, Path(db).with_name("other.db")))
    apply(other, RegisterPlayers(["Zoe"]))
    for name in ("Iker", "June"):
        apply(db, RegisterPlayers([name]))
    done = database.restore(db, other)
    assert (done.before, done.common, done.entries) == (shared + 2, shared, shared + 1)


def test_a_dry_run_of_restore_changes_not_a_byte(db: str) -> None:
    made = database.backup(db)
    apply(db, RegisterPlayers(["Zoe"]))
    before = Path(db).read_bytes()
    done = database.restore(db, made.path, dry_run=True)
    assert (done.kept, done.before, done.common) == ("", made.entries + 1, made.entries)
    assert Path(db).read_bytes() == before
    assert [str(path) for path in kept(db)] == [made.path]


def test_a_lost_database_is_restored_from_its_backup(db: str) -> None:
    """Check also the case of an empty file in its place."""
    made = database.backup(db)
    wanted = content(db)
    Path(db).unlink()
    for _state in ("no file", "an empty file"):
        done = database.restore(db, made.path)
        assert (done.kept, done.before) == ("", 0)
        assert content(db) == wanted
        Path(db).write_bytes(b"")


RUINS = {
    "no database": lambda content: b"seq,rank\n" * 1000,
    "a ruined head": lambda content: b"\xff" * 100 + content[100:],
    "ruined pages": lambda content: content[:4096] + b"\xff" * (len(content) - 4096),
    "cut off": lambda content: content[: len(content) // 2],
}


@pytest.mark.parametrize("how", RUINS)
def test_a_ruined_database_is_restored_and_its_bytes_are_kept(db: str, how: str) -> None:
    made = database.backup(db)
    wanted = content(db)
    Path(db).write_bytes(RUINS[how](Path(db).read_bytes()))
    done = database.restore(db, made.path)
    assert content(db) == wanted
    assert database.check(db).problems == ()
    assert Path(done.kept).stat().st_size > 0


def test_the_log_of_a_ruined_database_is_kept_and_not_played_into_the_new_one(db: str) -> None:
    """The log of another state, left by a killed program beside a file that SQLite cannot open."""
    made = database.backup(db)
    wanted = content(db)
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("DELETE FROM rating_checkpoint")
        log = Path(f"{db}-wal").read_bytes()
    Path(db).write_bytes(b"rubbish" * 1000)
    Path(f"{db}-wal").write_bytes(log)
    done = database.restore(db, made.path)
    assert content(db) == wanted
    assert Path(done.kept).read_bytes() == b"rubbish" * 1000
    assert Path(f"{done.kept}-wal").read_bytes() == log


def _older(path: str) -> None:
    desk.tamper(path, "UPDATE alembic_version SET version_num = '0000'")


def _rubbish(path: str) -> None:
    Path(path).write_bytes(b"rubbish" * 1000)


UNFIT = {
    "not sound": (unsound, ExitCode.REFUSED, "not sound"),
    "no database": (_rubbish, ExitCode.STORAGE, "is not a database"),
    "an older version": (_older, ExitCode.STORAGE, "older version"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_nothing_is_restored_from_what_is_not_sound(db: str, case: str) -> None:
    """The database stays as it is, and no copy of it is made."""
    spoil, code, word = UNFIT[case]
    made = database.backup(db, str(Path(db).with_name("old.db")))
    spoil(made.path)
    before = Path(db).read_bytes()
    with desk.refused(code, "old.db", word):
        database.restore(db, made.path)
    assert Path(db).read_bytes() == before
    assert kept(db) == []


def test_of_backups_of_one_second_the_one_with_the_last_entry_is_the_newest(db: str) -> None:
    """Check that numbers of changes are compared as numbers, and that of equal ones the second copy is the newer."""
    folder = copies.folder_of(Path(db))
    folder.mkdir(exist_ok=True)
    stem = f"{Path(db).name}-20261121T190000Z"
    ends = ("act9", "act10", "act10-2", "act10-round-3")
    for end in ends:
        (folder / f"{stem}-{end}.db").touch()
    for end in reversed(ends):
        newest = folder / f"{stem}-{end}.db"
        assert copies.newest(Path(db)) == newest
        newest.unlink()


def test_a_missing_backup_is_refused_with_the_newest_one(db: str) -> None:
    with desk.refused(ExitCode.NOT_FOUND, "none.db", "tourney db backup"):
        database.restore(db, "none.db")
    made = database.backup(db)
    with desk.refused(ExitCode.NOT_FOUND, "none.db", made.path):
        database.restore(db, "none.db")
    with desk.refused(ExitCode.REFUSED, "the database itself"):
        database.restore(db, db)


def test_another_program_s_database_is_never_restored_over(db: str, tmp_path: Path) -> None:
    """As a slip in --db would do."""
    theirs = tmp_path / "theirs.db"
    with closing(sqlite3.connect(theirs)) as connection:
        connection.execute("CREATE TABLE precious (thing)")
    before = theirs.read_bytes()
    with desk.refused(ExitCode.STORAGE, "another program", "--db"):
        database.restore(str(theirs), db)
    assert theirs.read_bytes() == before


@pytest.mark.parametrize("work", ["BEGIN IMMEDIATE", "BEGIN; SELECT * FROM act"])
def test_restore_waits_for_other_programs_and_then_gives_up(
    db: str, monkeypatch: pytest.MonkeyPatch, work: str
) -> None:
    """While another one writes or reads, nothing is changed; once it is done, the same command does its work."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)
    made = database.backup(db)
    apply(db, RegisterPlayers(["Zoe"]))
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        for statement in work.split("; "):
            other.execute(statement)
        with desk.refused(ExitCode.CONFLICT, "locked", "try again"):
            database.restore(db, made.path)
        assert other.execute("SELECT count(*) FROM act").fetchone() == (made.entries + 1,)
    assert [str(path) for path in kept(db)] == [made.path]
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


def test_backup_and_restore_say_what_they_did(db: str, capsys: pytest.CaptureFixture[str]) -> None:
    run = Runner(capsys)
    made = run("db", "backup", "--db", db)
    acts, head = desk.query(db, "SELECT acts, hash FROM head")[0]
    path = str(kept(db)[0])
    assert (made.code, made.out) == (0, f"backup: {path}\n\n{acts} changes\njournal head {head[:16]}\n")
    run("player", "add", "Zoe", "--db", db)
    done = run("db", "restore", path, "--db", db, "--json")
    assert (done.code, done.json["acts"], done.json["before"], done.json["common"]) == (0, acts, acts + 1, acts)
    result = run("db", "restore", done.json["kept"], "--db", db)
    assert result.out.startswith(f"restored: {done.json['kept']}\n\n{acts + 1} changes\njournal head ")
    assert "every change that was there before is in it" in result.out
