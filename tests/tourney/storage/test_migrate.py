"""Upgrading: a verified copy first, one transaction, and nothing lost."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection

from tests.harness import desk
from tests.harness.older import column, older
from tourney.domain.database import Upgrade
from tourney.domain.errors import ExitCode
from tourney.service import database, standings
from tourney.service.change import apply
from tourney.service.people.players import RegisterPlayers
from tourney.service.ratings import ratings
from tourney.storage import migrate
from tourney.storage.schema import REVISION
from tourney.storage.session import writing

GOOD = "ALTER TABLE event ADD COLUMN place VARCHAR NOT NULL DEFAULT ''"
LOSING = "DELETE FROM person WHERE player = 1"
DANGLING = "UPDATE record SET digest = replace(digest, substr(digest, 1, 9), 'abcdefghi')"
BREAKING = "UPDATE head SET acts = 0"


def _upgrade(db: str, statement: str, dry_run: bool = False) -> Upgrade:
    """The next version: what this one does, and one statement more."""

    def rebuild(connection: Connection) -> None:
        migrate.rebuild_tables(connection)
        connection.exec_driver_sql(statement)

    return migrate.upgrade(db, dry_run, rebuild, "next")


def _content(db: str) -> dict[str, list[tuple]]:
    return {name: sorted(desk.query(db, f'SELECT * FROM "{name}"'), key=repr) for name in desk.tables(db)}


def _copies(db: str) -> list[Path]:
    return sorted((Path(db).parent / "tourney-backups").glob("*"))


def test_the_newest_version_needs_nothing(db: str) -> None:
    """No copy is made, and nothing changes."""
    before = Path(db).read_bytes()
    done = database.upgrade(db)
    assert (done.before, done.after, done.backup) == (REVISION, REVISION, "")
    assert Path(db).read_bytes() == before
    assert _copies(db) == []


def test_an_upgrade_keeps_every_row_and_a_copy_of_the_old_file(db: str, tmp_path: Path) -> None:
    """A table created anew keeps the rows that refer to it; the copy is the database as it was."""
    before = _content(db)
    done = _upgrade(db, GOOD)
    after = _content(db)
    assert (done.before, done.after) == (REVISION, "next")
    assert [row[:-1] for row in after.pop("event")] == before["event"]
    assert after.pop("alembic_version") == [("next",)]
    assert after == {name: rows for name, rows in before.items() if name in after}
    assert [str(copy) for copy in _copies(db)] == [done.backup]
    assert _content(done.backup) == before


@pytest.mark.parametrize("body", [LOSING, DANGLING])
def test_an_upgrade_that_would_lose_rows_is_taken_back(db: str, body: str) -> None:
    """Fewer rows than before, or rows without those they refer to."""
    before = _content(db)
    with desk.refused(ExitCode.STORAGE, "taken back"):
        _upgrade(db, body)
    assert _content(db) == before
    assert database.check(db).problems == ()


def test_an_upgrade_that_fails_leaves_the_database_as_it_was(db: str, tmp_path: Path) -> None:
    """Check that the constraint that it breaks is named in one line."""
    before = _content(db)
    with desk.refused(ExitCode.STORAGE, "CHECK constraint failed"):
        _upgrade(db, BREAKING)
    assert _content(db) == before


def test_a_dry_run_upgrades_nothing_and_makes_no_copy(db: str, tmp_path: Path) -> None:
    """Check that a dry run of an upgrade says what it would do."""
    before = _content(db)
    done = _upgrade(db, GOOD, dry_run=True)
    assert (done.before, done.after, done.backup) == (REVISION, "next", "")
    assert _content(db) == before
    assert _copies(db) == []


def test_a_damaged_database_is_not_upgraded(db: str, tmp_path: Path) -> None:
    """Check that a database whose copy cannot be verified is not upgraded."""
    desk.tamper(db, "UPDATE act SET text = replace(text, 'Friday', 'Monday')")
    with desk.refused(ExitCode.STORAGE, "damaged"):
        _upgrade(db, GOOD)
    assert desk.query(db, "SELECT version_num FROM alembic_version") == [(REVISION,)]


def test_a_newer_database_is_not_touched(db: str) -> None:
    """The hint is to update the program."""
    desk.tamper(db, "UPDATE alembic_version SET version_num = '9999'")
    with desk.refused(ExitCode.STORAGE, "newer", "update tourney"):
        database.upgrade(db)
    assert _copies(db) == []


def test_the_copy_has_what_stands_in_the_log(db: str, tmp_path: Path) -> None:
    """A copy of the file alone would lack what another program has written and not yet moved from the log."""
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("INSERT INTO rating_checkpoint VALUES ('late', 1, '', '', '')")
        assert Path(f"{db}-wal").stat().st_size > 0
        done = _upgrade(db, GOOD)
    assert ("late",) in desk.query(done.backup, "SELECT pool FROM rating_checkpoint")


OLD = desk.ROOT / "fixtures" / "databases"
"""Databases as older programs left them, as SQL."""


SCHEMAS = sorted({path.stem for path in (OLD / "schemas").glob("*.sql")} - {"0001", REVISION})
"""Versions whose tables can hold what today's database says; the first is tested with a database of its own."""


@pytest.fixture
def first(tmp_path: Path) -> str:
    """A database of the first version: people, bots, results of all kinds, pools."""
    db = str(tmp_path / "old.db")
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript((OLD / "0001.sql").read_text(encoding="utf-8"))
    return db


def _columns(db: str, table: str) -> list[str]:
    return [row[1] for row in desk.query(db, f'PRAGMA table_info("{table}")')]


def _rows(db: str, columns: Mapping[str, Sequence[str]]) -> dict[str, list[tuple]]:
    """Return the rows of these tables with these columns, also where settings of events now stand in one."""
    today = {name: _columns(db, name) for name in columns}
    lists = {name: ", ".join(column(each, today[name]) for each in columns[name]) for name in columns}
    return {name: sorted(desk.query(db, f'SELECT {lists[name]} FROM "{name}"'), key=repr) for name in columns}


def _kept_columns(old: str) -> dict[str, list[str]]:
    """Return the columns of an old database that an upgrade keeps; ratings are computed again."""
    return {name: _columns(old, name) for name in desk.tables(old) if name not in ("alembic_version", "rating_cache")}


def test_a_database_of_the_first_version_keeps_every_row(first: str, db: str) -> None:
    """Check that every row is the same, column for column, except that a name's checksum covers its version now."""
    columns = _kept_columns(first)
    columns["person"].remove("checksum")
    before = _rows(first, columns)
    assert all(before.values())
    assert database.upgrade(first).before == "0001"
    assert _schema(first) == _schema(db)
    assert _rows(first, columns) == before
    assert database.check(first).problems == ()


def test_an_upgraded_database_can_be_used(first: str) -> None:
    """Check that all changes can be undone back to the first one and redone, and that new ones follow."""
    database.upgrade(first)
    before = standings.standings(first, "Friday").rows
    totals = desk.query(first, "SELECT player, sum(points) FROM score NATURAL JOIN seat GROUP BY player")
    assert {row.player.id: row.points for row in before if row.games} == dict(totals)
    steps = 0
    with writing(first) as store:
        while store.next_undo().entries:
            store.undo()
            steps += 1
        for _step in range(steps):
            store.redo()
    assert steps > 10
    assert standings.standings(first, "Friday").rows == before
    apply(first, RegisterPlayers(["Irene"]))
    assert database.check(first).problems == ()


def test_a_database_of_the_second_version_keeps_every_row_but_ratings_worked_out(db: str, tmp_path: Path) -> None:
    """Check that ratings are worked out again, with different arithmetic, and are the same."""
    old = older(db, tmp_path / "old.db", "0002")
    desk.tamper(old, "INSERT INTO rating_cache VALUES ('people', '', '[]', '')")
    columns = _kept_columns(old)
    before = _rows(old, columns)
    assert database.upgrade(old).before == "0002"
    assert "rating_cache" not in desk.tables(old)
    newer = desk.query(old, "SELECT DISTINCT wishes, json_extract(settings, '$.tables') FROM event")
    assert newer == [("[]", None)], "nobody was kept apart then, and nobody counted the tables"
    assert desk.query(old, "SELECT DISTINCT absence FROM pool") == [("0.0",)], "the calendar did nothing then"
    assert _rows(old, columns) == before
    assert database.check(old).problems == ()
    assert ratings.ratings(old) == ratings.ratings(db)


@pytest.mark.parametrize("revision", SCHEMAS)
def test_every_older_schema_becomes_that_of_a_new_file(db: str, tmp_path: Path, revision: str) -> None:
    """With the rows that the old schema had, but the caches of ratings."""
    old = older(db, tmp_path / "old.db", revision)
    before = _content(old)
    assert database.upgrade(old).before == revision
    assert _schema(old) == _schema(db)
    assert {name: len(rows) for name, rows in _content(old).items() if name in before} == {
        name: len(rows) for name, rows in before.items() if name != "rating_cache"
    }
    assert database.check(old).problems == ()


def _schema(db: str) -> dict[str, str]:
    rows = desk.query(db, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: re.sub(r"\s*([(),])\s*|\s+", lambda found: found[1] or " ", sql) for name, sql in rows}


def test_a_table_of_somebody_else_stays(first: str) -> None:
    """A check names it; an upgrade is not the moment to lose it."""
    desk.tamper(first, "CREATE TABLE notes (text VARCHAR)")
    desk.tamper(first, "INSERT INTO notes VALUES ('bring chairs')")
    database.upgrade(first)
    assert desk.query(first, "SELECT text FROM notes") == [("bring chairs",)]


def test_a_name_that_was_damaged_before_is_found_after_the_upgrade(first: str) -> None:
    """An upgrade writes new checksums, but not over what is wrong."""
    desk.tamper(first, "UPDATE person SET name = 'Anb' WHERE name = 'Ana'")
    database.upgrade(first)
    assert database.check(first).problems == ("person: the name of player 1 is not as it was written",)


def test_a_table_that_differs_from_its_journal_is_not_upgraded(first: str) -> None:
    """Check that an upgrade is refused if it would lose a row that no entry of the journal has written."""
    desk.tamper(first, "INSERT INTO sitting_out VALUES (1, 2, 1)")
    with desk.refused(ExitCode.STORAGE, "sitting_out", "taken back"):
        database.upgrade(first)
    assert desk.query(first, "SELECT version_num FROM alembic_version") == [("0001",)]
