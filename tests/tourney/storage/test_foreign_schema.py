"""Tests of what another program adds to the file: triggers, views and tables are refused before anything is read."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.declarations import SCHEMAS, written
from tourney.domain.errors import ExitCode
from tourney.service import database
from tourney.storage import declarations, sqlite
from tourney.storage.session import foreign_objects

make_db = desk.make_everything

TRIGGER = "CREATE TRIGGER cheat AFTER INSERT ON hand_score BEGIN UPDATE hand_score SET points = 1; END"
VIEW = "CREATE VIEW seen AS SELECT * FROM score"
TABLE = "CREATE TABLE notes (text VARCHAR)"
ADDED = [
    pytest.param(TRIGGER, "trigger cheat does not belong to tourney", id="trigger"),
    pytest.param(VIEW, "view seen does not belong to tourney", id="view"),
    pytest.param(TABLE, "table notes does not belong to tourney", id="table"),
]
COMPUTED = [
    pytest.param(
        "ALTER TABLE person ADD COLUMN x AS (hex(zeroblob(1000)))",
        "table person is not built as tourney builds it",
        id="computed column",
    ),
    pytest.param(
        "CREATE INDEX slow ON person (hex(zeroblob(1000)))",
        "index slow does not belong to tourney",
        id="computed index",
    ),
    pytest.param(
        "INSERT INTO sqlite_master VALUES ('trigger', 'sqlite_cheat', 'hand_score', 0, '"
        + TRIGGER.replace("cheat", "sqlite_cheat")
        + "')",
        "trigger sqlite_cheat does not belong to tourney",
        id="trigger with a name of SQLite's",
    ),
]
"""Columns, indexes and triggers that SQLite would compute or run when a row is read or written."""
DECLARED = [
    pytest.param(", CHECK (instr(hex(zeroblob(20000000)), 'x') = 0)", id="a check that calls functions"),
    pytest.param(", CHECK (text LIKE '%a%a%a%')", id="a pattern"),
    pytest.param(", CHECK (text IN (x'00', 1e9))", id="other values"),
    pytest.param("/*'*/, CHECK (hex(zeroblob(9)) <> '')/*'*/", id="a check between comments"),
    pytest.param(", CHECK (length(hash) IN (text, kind) OR number >= 1)", id="a check of our own words"),
    pytest.param(" -- and no more\n", id="a comment"),
    pytest.param(", CONSTRAINT [ck_a'] CHECK (length(text) = 1 OR 'text' = 'text')", id="a name in brackets"),
    pytest.param(""", CONSTRAINT "ck_a'" CHECK (hex(zeroblob(9)) <> 'x')""", id="a check after half of a text"),
]
"""Expressions in the declaration of a table of ours, which SQLite would compute for each row."""
COMMANDS = [["standings"], ["status"], ["player", "add", "Zoe"], ["player", "add", "Zoe", "--dry-run"]]


@pytest.mark.parametrize(("statement", "named"), ADDED + COMPUTED)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands_refuse_a_file_that_another_program_changed(
    db: str, run: Runner, statement: str, named: str, words: list[str]
) -> None:
    """Reading and writing commands name what was added, and leave the file as it is."""
    desk.tamper(db, "PRAGMA writable_schema = ON", statement)
    before = Path(db).read_bytes()
    ran = run(*words, "--db", db)
    assert (ran.code, ran.out) == (ExitCode.STORAGE, "")
    assert named in ran.err
    assert Path(db).read_bytes() == before


@pytest.mark.parametrize("words", [*COMMANDS, ["db", "check"], ["db", "backup"]], ids=" ".join)
@pytest.mark.parametrize("added", DECLARED)
def test_no_command_computes_what_another_program_declared(db: str, run: Runner, added: str, words: list[str]) -> None:
    """SQLite would compute the expression when a row is written, or the file is checked."""
    text = f"{added})".replace("'", "''")
    statement = f"UPDATE sqlite_master SET sql = rtrim(sql, ')') || '{text}' WHERE name = 'act'"
    desk.tamper(db, "PRAGMA writable_schema = ON", statement)
    ran = run(*words, "--db", db)
    assert ran.code != 0
    assert "table act is not built as tourney builds it" in ran.out + ran.err


@pytest.mark.parametrize("version", sorted(SCHEMAS.glob("*.sql")), ids=lambda path: path.stem)
def test_no_version_of_ours_is_taken_for_a_foreign_one(version: Path) -> None:
    with sqlite.nameless("DEFERRED") as connection:
        for statement in version.read_text(encoding="utf-8").split(";\n"):
            if statement.strip().startswith("CREATE"):
                connection.exec_driver_sql(statement)
        assert foreign_objects(connection) == []


def test_the_kept_digests_are_those_of_the_schemas_of_all_versions() -> None:
    """None is kept by hand: `python -m tests.harness.declarations` writes them."""
    assert written() == declarations.DECLARED


def test_the_declaration_of_another_table_is_not_one_of_this_table(db: str) -> None:
    statement = "UPDATE sqlite_master SET sql = (SELECT sql FROM sqlite_master WHERE name = 'head') WHERE name = 'act'"
    with closing(sqlite3.connect(db)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(statement)
        (found,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'act'").fetchone()
        connection.rollback()
    assert declarations.is_ours("head", found)
    assert not declarations.is_ours("act", found)


def test_no_connection_computes_a_value_beyond_its_bound(db: str) -> None:
    """A second wall: an expression in a file cannot fill the memory, nor call what only a trusted schema may."""
    with closing(sqlite.connect(Path(db), "read")) as connection:
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
        with pytest.raises(sqlite3.DataError, match="too big"):
            connection.execute("SELECT hex(zeroblob(490000000))")


def test_no_declaration_takes_more_memory_than_its_bound(db: str, run: Runner) -> None:
    """The attack: 56 kB in an archive took 1.5 GB, since SQLite reads all declarations with the first statement."""
    long = f"CREATE TABLE x (a CHECK (a IN ({'1,' * 4_000_000}1)))"
    with closing(sqlite3.connect(db, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 2, ?)", (long,))
    for words in (["player", "list"], ["db", "check"]):
        done = run(*words, "--db", db)
        assert (done.code, "more memory than the program may have" in done.err) == (ExitCode.STORAGE, True), done.err


@pytest.mark.parametrize(("statement", "named"), ADDED)
def test_a_check_names_what_another_program_added(db: str, statement: str, named: str) -> None:
    """`db check` opens the file all the same."""
    desk.tamper(db, statement)
    assert database.check(db).problems == (named,)


@pytest.mark.parametrize(("statement", "named"), ADDED)
def test_a_backup_replaces_a_file_that_another_program_changed(db: str, statement: str, named: str) -> None:
    """`db restore` opens the file all the same, and nothing of what was added is left."""
    backup = database.backup(db).path
    desk.tamper(db, statement)
    database.restore(db, backup)
    assert database.check(db).problems == ()


@pytest.mark.parametrize(("statement", "named"), ADDED)
def test_no_backup_is_made_of_a_file_that_another_program_changed(db: str, statement: str, named: str) -> None:
    """A trigger would be kept in the copy."""
    desk.tamper(db, statement)
    with desk.refused(ExitCode.STORAGE, named):
        database.backup(db)


def test_a_check_finds_a_table_whose_declaration_was_changed(db: str) -> None:
    """A column that is computed instead of kept would show other values than those entered."""
    desk.tamper(db, "ALTER TABLE score ADD COLUMN extra_points INTEGER GENERATED ALWAYS AS (1) VIRTUAL")
    assert "table score is not built as tourney builds it" in database.check(db).problems


def test_tables_of_sqlite_are_not_foreign(db: str, run: Runner) -> None:
    """`ANALYZE` makes the table sqlite_stat1."""
    desk.tamper(db, "ANALYZE")
    assert "sqlite_stat1" in desk.tables(db)
    assert database.check(db).problems == ()
    assert run("status", "--db", db).code == ExitCode.DONE
