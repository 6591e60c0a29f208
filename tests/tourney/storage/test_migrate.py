"""Tests of upgrading a database: a verified copy first, one transaction, and nothing lost."""

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest
from sqlalchemy import Connection

from tests.harness import desk
from tests.harness.older import column, older
from tourney.domain.database import Upgrade
from tourney.domain.errors import ExitCode
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Table
from tourney.service import database
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.results import entry, standings
from tourney.service.results.entry import DropBegun, KeepPartialSheet
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage import migrate
from tourney.storage.journal.entries import FIRST, chain_hash
from tourney.storage.session import writing
from tourney.storage.tables import REVISION

make_db = desk.make_everything

GOOD = "ALTER TABLE event ADD COLUMN place VARCHAR NOT NULL DEFAULT ''"
LOSING = "DELETE FROM person WHERE player = 1"
DANGLING = "UPDATE record SET digest = replace(digest, substr(digest, 1, 9), 'abcdefghi')"
BREAKING = "UPDATE head SET acts = 0"


def _upgrade(db: str, statement: str, dry_run: bool = False) -> Upgrade:
    """Upgrade to a next version, which rebuilds the tables and then executes `statement`."""

    def rebuild(connection: Connection) -> None:
        migrate.rebuild_tables(connection)
        connection.exec_driver_sql(statement)

    return migrate.upgrade(db, dry_run, rebuild, "next")


def _content(db: str) -> dict[str, list[tuple]]:
    return {name: sorted(desk.query(db, f'SELECT * FROM "{name}"'), key=repr) for name in desk.tables(db)}


def _copies(db: str) -> list[Path]:
    return sorted((Path(db).parent / "tourney-backups").glob("*"))


def test_a_database_of_the_newest_version_is_not_upgraded(db: str) -> None:
    """Check that no copy is made and the file is unchanged."""
    before = Path(db).read_bytes()
    upgraded = database.upgrade(db)
    assert (upgraded.before, upgraded.after, upgraded.backup) == (REVISION, REVISION, "")
    assert Path(db).read_bytes() == before
    assert _copies(db) == []


def test_an_upgrade_keeps_every_row_and_a_copy_of_the_old_file(db: str, tmp_path: Path) -> None:
    """Check that rows that refer to a rebuilt table are kept, and that the copy equals the old database."""
    before = _content(db)
    upgraded = _upgrade(db, GOOD)
    after = _content(db)
    assert (upgraded.before, upgraded.after) == (REVISION, "next")
    assert [row[:-1] for row in after.pop("event")] == before["event"]
    assert after.pop("alembic_version") == [("next",)]
    assert after == {name: rows for name, rows in before.items() if name in after}
    assert [str(copy) for copy in _copies(db)] == [upgraded.backup]
    assert _content(upgraded.backup) == before


@pytest.mark.parametrize("body", [LOSING, DANGLING])
def test_an_upgrade_that_would_lose_rows_is_rolled_back(db: str, body: str) -> None:
    """One upgrade deletes a row, the other one leaves rows that refer to missing ones."""
    before = _content(db)
    with desk.refused(ExitCode.STORAGE, "taken back"):
        _upgrade(db, body)
    assert _content(db) == before
    assert database.check(db).problems == ()


def test_an_upgrade_that_fails_leaves_the_database_as_it_was(db: str, tmp_path: Path) -> None:
    """Check that the refusal names the broken constraint."""
    before = _content(db)
    with desk.refused(ExitCode.STORAGE, "CHECK constraint failed"):
        _upgrade(db, BREAKING)
    assert _content(db) == before


def test_a_dry_run_upgrades_nothing_and_makes_no_copy(db: str, tmp_path: Path) -> None:
    """Check that the dry run reports both versions."""
    before = _content(db)
    upgraded = _upgrade(db, GOOD, dry_run=True)
    assert (upgraded.before, upgraded.after, upgraded.backup) == (REVISION, "next", "")
    assert _content(db) == before
    assert _copies(db) == []


def test_a_damaged_database_is_not_upgraded(db: str, tmp_path: Path) -> None:
    """A changed journal entry makes the copy fail its verification."""
    desk.tamper(db, "UPDATE act SET text = replace(text, 'Friday', 'Monday')")
    with desk.refused(ExitCode.STORAGE, "damaged"):
        _upgrade(db, GOOD)
    assert desk.query(db, "SELECT version_num FROM alembic_version") == [(REVISION,)]


def test_a_newer_database_is_not_touched(db: str) -> None:
    """Check that the hint is to update the program."""
    desk.tamper(db, "UPDATE alembic_version SET version_num = '9999'")
    with desk.refused(ExitCode.STORAGE, "newer", "update tourney"):
        database.upgrade(db)
    assert _copies(db) == []


def test_the_copy_includes_the_write_ahead_log(db: str, tmp_path: Path) -> None:
    """A copy of the file alone would lack what another program has written only to the log."""
    with closing(sqlite3.connect(db, isolation_level=None)) as other:
        other.execute("INSERT INTO rating_checkpoint VALUES ('late', 1, '', '', '')")
        assert Path(f"{db}-wal").stat().st_size > 0
        upgraded = _upgrade(db, GOOD)
    assert ("late",) in desk.query(upgraded.backup, "SELECT pool FROM rating_checkpoint")


OLD = desk.ROOT / "fixtures" / "databases"
"""The folder of databases of older versions, as SQL."""


SCHEMAS = sorted({path.stem for path in (OLD / "schemas").glob("*.sql")} - {"0001", REVISION})
"""The versions to which a database of today can be converted back; the first has a database of its own below."""


@pytest.fixture
def first(tmp_path: Path) -> str:
    """The path of a database of the first version, with people, bots, results of all kinds and pools."""
    db = str(tmp_path / "old.db")
    with closing(sqlite3.connect(db)) as connection:
        connection.executescript((OLD / "0001.sql").read_text(encoding="utf-8"))
    return db


def _columns(db: str, table: str) -> list[str]:
    return [row[1] for row in desk.query(db, f'PRAGMA table_info("{table}")')]


def _rows(db: str, columns: Mapping[str, Sequence[str]]) -> dict[str, list[tuple]]:
    """Return the rows of these tables with these columns; event settings, now one column, are read as separate ones."""
    current_columns = {name: _columns(db, name) for name in columns}
    selected = {
        name: ", ".join(column(old_column, current_columns[name]) for old_column in columns[name]) for name in columns
    }
    return {name: sorted(desk.query(db, f'SELECT {selected[name]} FROM "{name}"'), key=repr) for name in columns}


def _kept_columns(old: str) -> dict[str, list[str]]:
    """Return the columns of an old database that an upgrade keeps; ratings are computed again."""
    return {name: _columns(old, name) for name in desk.tables(old) if name not in ("alembic_version", "rating_cache")}


def test_a_database_of_the_first_version_keeps_every_row(first: str, db: str) -> None:
    """Check that every row is equal in every column, except the checksum of a name, which now covers its version."""
    columns = _kept_columns(first)
    columns["person"].remove("checksum")
    before = _rows(first, columns)
    assert all(before.values())
    assert database.upgrade(first).before == "0001"
    assert _schema(first) == _schema(db)
    assert _rows(first, columns) == before
    assert database.check(first).problems == ()


def test_changes_can_be_undone_redone_and_added_after_an_upgrade(first: str) -> None:
    """All changes are undone and redone, which gives the same standings, and a new one is made."""
    database.upgrade(first)
    before = standings.standings(first, "Friday").rows
    totals = desk.query(first, "SELECT player, sum(points) FROM score NATURAL JOIN seat GROUP BY player")
    assert {row.player.id: row.points for row in before if row.games} == dict(totals)
    steps = 0
    with writing(first) as store:
        while store.journal.next_undo().entries:
            store.undo()
            steps += 1
        for _step in range(steps):
            store.redo()
    assert steps > 10
    assert standings.standings(first, "Friday").rows == before
    apply(first, RegisterPlayers(["Irene"]))
    assert database.check(first).problems == ()


def test_a_database_of_the_second_version_keeps_every_row_except_cached_ratings(db: str, tmp_path: Path) -> None:
    """Check that the ratings computed after the upgrade equal those of the current database."""
    old = older(db, tmp_path / "old.db", "0002")
    desk.tamper(old, "INSERT INTO rating_cache VALUES ('people', '', '[]', '')")
    columns = _kept_columns(old)
    before = _rows(old, columns)
    assert database.upgrade(old).before == "0002"
    assert "rating_cache" not in desk.tables(old)
    added_columns = desk.query(old, "SELECT DISTINCT wishes, json_extract(settings, '$.tables') FROM event")
    assert added_columns == [("[]", None)], "the second version had neither constraints nor a number of tables"
    assert desk.query(old, "SELECT DISTINCT absence FROM pool") == [("0.0",)], (
        "absence did not change ratings in the second version"
    )
    assert _rows(old, columns) == before
    assert database.check(old).problems == ()
    assert ratings.ratings(old) == ratings.ratings(db)


@pytest.mark.parametrize("revision", SCHEMAS)
def test_every_older_schema_is_upgraded_to_that_of_a_new_file(db: str, tmp_path: Path, revision: str) -> None:
    """Check that every table of the old schema keeps its number of rows, except the cache of ratings.

    No older version noted which entries end partial sheets.
    """
    old = older(db, tmp_path / "old.db", revision)
    for table in {"seal", "trace"} & set(desk.tables(old)):
        desk.tamper(old, f"DELETE FROM {table} WHERE part = 'sheets'")
    before = _content(old)
    assert database.upgrade(old).before == revision
    assert _schema(old) == _schema(db)
    after = _content(old)
    new = {name: sum(row[0] == "sheets" for row in after[name]) for name in ("seal", "trace")}
    assert new["trace"] > 0
    assert {name: len(rows) - new.get(name, 0) for name, rows in after.items() if name in before} == {
        name: len(rows) for name, rows in before.items() if name != "rating_cache"
    }
    assert database.check(old).problems == ()


def test_the_newest_schema_is_kept_for_later_versions(db: str, tmp_path: Path) -> None:
    """The file of this version has every table of a new database, so that a later version upgrades from it."""
    kept = str(tmp_path / "kept.db")
    with closing(sqlite3.connect(kept)) as connection:
        connection.executescript((OLD / "schemas" / f"{REVISION}.sql").read_text(encoding="utf-8"))
    assert _schema(kept) == _schema(db)


def test_a_partial_sheet_outside_the_journal_stays_after_an_upgrade(new_db: str, tmp_path: Path) -> None:
    """Version 0008 had it in a table of its own: a result hides it, undo brings it back, a new hand stands over it."""
    desk.event(new_db, 4, rounds=1)
    (at,) = apply(new_db, DrawRound()).rounds[0].tables
    sheet = desk.hands([player.name for player in at.players])
    old = older(new_db, tmp_path / "old.db", "0008")
    desk.tamper(old, f"INSERT INTO draft VALUES (1, 1, 1, '{_draft(at, sheet[:1])}')")
    assert database.upgrade(old).before == "0008"
    assert database.check(old).problems == ()
    shown = [_partial_hands(old)]
    for change in (
        EnterResult(None, 1, 1, sheet),
        Undo(),
        KeepPartialSheet(None, 1, 1, sheet[1:3]),
        Undo(),
        DropBegun(None, 1, 1, "misread"),
        Undo(),
    ):
        apply(old, change)
        shown.append(_partial_hands(old))
    assert shown == [("TT",), (), ("TT",), ("TT", "TE", "EE"), ("TT",), (), ("TT",)]
    assert database.check(old).problems == ()
    desk.tamper(old, "UPDATE draft SET text = replace(text, 'TT', 'TE')")
    assert "draft: partial sheets are not as they were written" in database.check(old).problems


def _draft(at: Table, hands: Sequence[SheetHand[str]]) -> str:
    """Return hands as version 0008 kept them: players by number, and 0 as the last entry about the table's sheet."""
    ids = {player.name: f"#{player.id}" for player in at.players}
    rows = [
        {
            **asdict(hand),
            "points": {ids[name]: points for name, points in hand.points.items()},
            "closer": hand.closer and ids[hand.closer],
        }
        for hand in hands
    ]
    return json.dumps({"hands": rows, "people": [player.id for player in at.players], "result": 0})


def _partial_hands(db: str) -> tuple[str, ...]:
    return tuple(hand for sheet in entry.partial_sheets_of(db, None) for hand in sheet.hands)


def _schema(db: str) -> dict[str, str]:
    rows = desk.query(db, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {name: re.sub(r"\s*([(),])\s*|\s+", lambda match: match[1] or " ", sql.strip()) for name, sql in rows}


def test_a_database_with_a_table_of_another_program_is_not_upgraded(first: str) -> None:
    """Check that the table is named, and that the file is the same byte for byte."""
    desk.tamper(first, "CREATE TABLE notes (text VARCHAR)")
    before = Path(first).read_bytes()
    with desk.refused(ExitCode.STORAGE, "table notes does not belong to tourney"):
        database.upgrade(first)
    assert Path(first).read_bytes() == before


def test_a_damaged_name_is_still_found_after_an_upgrade(first: str) -> None:
    """Check that the upgrade writes no new checksum for a wrong name."""
    desk.tamper(first, "UPDATE person SET name = 'Anb' WHERE name = 'Ana'")
    database.upgrade(first)
    assert database.check(first).problems == ("person: the name of player 1 is not as it was written",)


@pytest.mark.parametrize(
    ("value", "other"), [('"players":[', '"players":1,"x":['), ('"v":1', '"v":4611686018427387904')]
)
def test_a_journal_of_odd_values_whose_hashes_hold_is_not_upgraded(first: str, value: str, other: str) -> None:
    """The attack: such a file of a stranger was called a bug in tourney."""
    head, changed = FIRST, 0
    with closing(sqlite3.connect(first)) as connection, connection:
        for number, before in connection.execute("SELECT number, text FROM act ORDER BY number").fetchall():
            text = before if changed else before.replace(value, other, 1)
            changed, head = changed + (text != before), chain_hash(head, text)
            connection.execute("UPDATE act SET text = ?, hash = ? WHERE number = ?", (text, head, number))
    assert changed == 1
    with desk.refused(ExitCode.STORAGE, "restore a sound backup"):
        database.upgrade(first)
    assert desk.query(first, "SELECT version_num FROM alembic_version") == [("0001",)]


def test_a_table_that_differs_from_its_journal_is_not_upgraded(first: str) -> None:
    """Check that an upgrade is refused if it would lose a row that follows from no journal entry."""
    desk.tamper(first, "INSERT INTO sitting_out VALUES (1, 2, 1)")
    with desk.refused(ExitCode.STORAGE, "sitting_out", "taken back"):
        database.upgrade(first)
    assert desk.query(first, "SELECT version_num FROM alembic_version") == [("0001",)]
