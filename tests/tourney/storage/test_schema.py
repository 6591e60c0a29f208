"""Tests of the schema and of the parts of a store: tables, constraints, connections, and the time of a new file."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from tests.harness import desk
from tests.harness.effort import effort
from tourney.storage import sqlite
from tourney.storage.schema import METADATA
from tourney.storage.session import create_all, writing
from tourney.storage.store import Reader, Store
from tourney.storage.table_rows import lacks_parent
from tourney.storage.tables import COLUMNS, OUTSIDE, create_tables

make_db = desk.make_everything

WRONG = [
    ("CHECK", "INSERT INTO player VALUES (50, 'robot', NULL, 1, 0, NULL, 1)"),
    ("CHECK", "INSERT INTO player VALUES (50, 'bot', NULL, 0, 0, NULL, 1)"),
    ("CHECK", "INSERT INTO player VALUES (50, 'person', 'greedy-9', 1, 0, NULL, 1)"),
    ("CHECK", "INSERT INTO player VALUES (50, 'person', NULL, 1, 2, NULL, 1)"),
    ("UNIQUE", "INSERT INTO player VALUES (50, 'bot', 'greedy-1', 0, 0, NULL, 1)"),
    ("FOREIGN KEY", "INSERT INTO player VALUES (50, 'person', NULL, 1, 0, NULL, 999)"),
    ("FOREIGN KEY", "INSERT INTO player VALUES (50, 'person', NULL, 1, 0, 99, 1)"),
    ("UNIQUE", "INSERT INTO person VALUES (5, 1, 'Ána', '', '', 'ana', '')"),
    ("UNIQUE", "INSERT INTO person VALUES (1, 1, 'X', '', '', 'x', '')"),
    ("CHECK", "UPDATE person SET version = 0"),
    ("UNIQUE", "UPDATE person SET folded = 'ana'"),
    ("CHECK", "UPDATE event SET state = 'closed'"),
    ("CHECK", "UPDATE entrant SET state = 'late'"),
    ("CHECK", "UPDATE round SET started = 'x', minutes = NULL"),
    ("CHECK", "UPDATE round SET started = 'x', minutes = 0"),
    ("FOREIGN KEY", "INSERT INTO entrant VALUES (1, 50, 99, 'entered', 1)"),
    ("UNIQUE", "INSERT INTO entrant VALUES (1, 50, 1, 'entered', 1)"),
    ("FOREIGN KEY", "INSERT INTO seat VALUES (1, 1, 1, 9, 99)"),
    ("UNIQUE", "INSERT INTO seat VALUES (1, 1, 9, 0, 1)"),
    ("FOREIGN KEY", "INSERT INTO sitting_out VALUES (1, 9, 1)"),
    ("UNIQUE", "INSERT INTO result VALUES (1, 1, 1, 'counts', '', 0, NULL, 1)"),
    ("CHECK", "UPDATE result SET state = 'lost'"),
    ("CHECK", "UPDATE result SET short = -1"),
    ("CHECK", "UPDATE ruling SET kind = 'warning'"),
    ("CHECK", "UPDATE ruling SET state = 'open'"),
    ("FOREIGN KEY", "UPDATE ruling SET player = 99"),
    ("FOREIGN KEY", "UPDATE step SET batch = 999"),
    ("CHECK", "UPDATE step SET state = 'lost'"),
    ("CHECK", "UPDATE seal SET digest = ''"),
    ("CHECK", "UPDATE result SET state = 'void' WHERE record IS NOT NULL"),
    ("FOREIGN KEY", "UPDATE result SET record = 'x' WHERE state = 'counts'"),
    ("FOREIGN KEY", "INSERT INTO score VALUES (1, 1, 1, 9, 0, 0, 1, NULL, NULL)"),
    ("CHECK", "UPDATE score SET place = 0"),
    ("FOREIGN KEY", "UPDATE hand SET closer = 9 WHERE closer IS NOT NULL"),
    ("CHECK", "UPDATE hand SET closer = NULL, at_once = 1"),
    ("FOREIGN KEY", "DELETE FROM result WHERE state = 'counts'"),
    ("CHECK", "INSERT INTO head VALUES (2, 1, 'x')"),
    ("NOT NULL", "UPDATE hand_score SET points = NULL"),
    ("CHECK", "INSERT INTO pool VALUES (9, 'x', 'x', 'friends', '1', '1', '1', '1', '1', '0', 'game', 1)"),
    ("CHECK", "INSERT INTO pool VALUES (9, 'x', 'x', 'imported', '1', '1', '1', '1', '1', '0', 'hand', 1)"),
    ("UNIQUE", "INSERT INTO pool_result VALUES (1, 1, 1, 'Eva', 3)"),
]


@pytest.mark.parametrize(("constraint", "statement"), WRONG)
def test_the_constraints_of_the_schema_refuse_impossible_rows(full: str, constraint: str, statement: str) -> None:
    """SQLModel does not validate table models, so SQLite has to."""
    with closing(sqlite3.connect(full)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(sqlite3.IntegrityError, match=constraint):
            connection.execute(statement)
        connection.rollback()


def test_the_names_for_reading_and_writing_are_those_of_the_schema() -> None:
    """Tables, in the order in which they refer to others, and their columns: those of the key, then the others."""
    declared = {}
    for table in METADATA.sorted_tables:
        key = [column.name for column in table.primary_key.columns]
        names = [column.name for column in table.columns]
        assert names[: len(key)] == key, table.name
        declared[table.name] = (" ".join(key), " ".join(names[len(key) :]))
    assert list(COLUMNS.items()) == list(declared.items())
    assert set(OUTSIDE) <= set(COLUMNS)


def test_every_connection_has_the_settings_that_make_writing_safe(full: str) -> None:
    """Check WAL, synchronous FULL, foreign keys, and at least five seconds of waiting for other writers."""
    with writing(full, dry_run=True) as store:
        execute = store.transaction.connection.exec_driver_sql
        assert execute("PRAGMA journal_mode").scalar() == "wal"
        assert execute("PRAGMA synchronous").scalar() == 2
        assert execute("PRAGMA foreign_keys").scalar() == 1
        assert execute("PRAGMA busy_timeout").scalar() >= 5000


def test_a_new_database_takes_the_time_of_59_million_passes_at_most(tmp_path) -> None:
    """Registering the first player, which creates file and schema, takes at most so much."""

    def register() -> None:
        with writing(str(tmp_path / "new.db")) as store:
            store.people.add_bots(["greedy-1"])

    assert effort(register) <= 59


def test_a_service_imports_no_database_library_before_it_is_called(tmp_path) -> None:
    """An early import of the libraries would double the start-up time of every command."""
    code = (
        "import sys\nfrom tourney.service import players\nfrom tourney.service.events import events\n"
        "from tourney.service.change import apply\n"
        "assert not [name for name in ('sqlmodel', 'sqlalchemy', 'pydantic') if name in sys.modules]\n"
        "apply(sys.argv[1], players.RegisterPlayers(['Ana']))\nassert players.listing(sys.argv[1])[0].name == 'Ana'\n"
        "assert 'sqlmodel' in sys.modules\n"
    )
    environment = {"PYTHONPATH": str(desk.ROOT), "PATH": ""}
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "new.db")], check=True, env=environment)


def _objects(connection: Connection) -> dict[str, str | None]:
    """Return every table and index of a database, and the statement that made it."""
    return dict(sqlite.rows(connection, "SELECT name, sql FROM sqlite_master"))


def test_new_tables_are_those_that_sqlalchemy_creates_itself_and_existing_ones_stay() -> None:
    """The second source is `MetaData.create_all`, which also creates indexes; `create_tables` is called twice."""
    with sqlite.nameless("DEFERRED") as ours, sqlite.nameless("DEFERRED") as theirs:
        METADATA.create_all(theirs)
        create_tables(ours)
        ours.exec_driver_sql("INSERT INTO counter VALUES ('event', 0, 7)")
        create_tables(ours)
        assert _objects(ours) == _objects(theirs)
        assert sqlite.rows(ours, "SELECT last FROM counter") == [(7,)]


def test_a_nameless_database_gives_its_memory_back_at_the_end_of_its_block() -> None:
    """A program that restored 62 times had no memory left for the next database."""
    with sqlite.nameless("DEFERRED") as connection:
        driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        driver.execute("SELECT 1")


@pytest.mark.parametrize("path", ["x" * 300, "missing/club.db", "club.db/inner.db"])
def test_a_file_that_cannot_be_looked_at_counts_as_missing(tmp_path: Path, path: str) -> None:
    (tmp_path / "club.db").touch()
    assert sqlite.last_written(tmp_path / path) == (None, None)


GONE = [
    "DELETE FROM entrant WHERE number = 1",
    "DELETE FROM round",
    "DELETE FROM result WHERE state = 'counts'",
    "DELETE FROM seat WHERE seat = 0",
    "DELETE FROM hand WHERE hand = 1",
    "DELETE FROM record",
    "DELETE FROM act WHERE number > 5",
    "DELETE FROM event",
    "UPDATE ruling SET player = 999 WHERE player IS NOT NULL",
    "SELECT 1",
]


@pytest.mark.parametrize("statement", GONE)
def test_rows_of_an_event_that_refer_to_nothing_are_those_that_sqlite_finds(db: str, statement: str) -> None:
    """SQLite's own check of all tables is the second source; it says of each row only its table and number."""
    with closing(sqlite3.connect(db)) as other:
        other.execute(statement)
        other.commit()
        found = {row[0] for row in other.execute("PRAGMA foreign_key_check")}
        events = [number for (number,) in other.execute("SELECT DISTINCT event FROM entrant")]
    engine = sqlite.file_engine(Path(db), "read")
    with sqlite.transaction(engine, "DEFERRED") as connection:
        lacking = {name for name in COLUMNS if any(lacks_parent(connection, name, event) for event in events)}
    of_events = {name for name in COLUMNS if name == "event" or "event" in " ".join(COLUMNS[name]).split()}
    assert lacking == found & of_events
    assert bool(lacking) == (statement != "SELECT 1")


@pytest.mark.parametrize("whole", [Reader, Store])
def test_a_part_is_small_and_inherits_from_one_class_at_most(whole: type[Reader]) -> None:
    """One class had 139 methods before, most of them inherited from seven others in a row."""
    with sqlite.nameless("IMMEDIATE") as connection:
        create_all(connection)
        opened = whole(connection)
    for part in (opened, *vars(opened).values()):
        if type(part).__module__.startswith("tourney."):
            assert len([name for name in dir(part) if not name.startswith("_")]) <= 25, part
            assert len(type(part).__mro__) <= 3, part


def test_only_the_parts_of_a_store_know_a_transaction_that_writes() -> None:
    """A function that takes a reader, or a reader's part, cannot write, whatever it calls."""
    with sqlite.nameless("IMMEDIATE") as connection:
        create_all(connection)
        reader, store = Reader(connection), Store(connection)
        assert not hasattr(reader.transaction, "write")
        parts = [part for name, part in vars(reader).items() if name not in ("transaction", "db")]
        assert {part._transaction for part in parts} == {reader.transaction}
        assert all(part._transaction is store.transaction for part in (store.people, store.rounds, store.results))
