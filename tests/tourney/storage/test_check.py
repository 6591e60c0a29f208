"""`db check` finds whatever was changed behind the program's back, in every table."""

from pathlib import Path

import pytest

from tests.harness import desk
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.events import UseEvent
from tourney.storage.schema import METADATA

TABLES = sorted(METADATA.tables)
COLUMNS = [(name, column.name) for name in TABLES for column in METADATA.tables[name].columns]
FORGOTTEN = {"rated_round", "rating_checkpoint"}
"""The tables whose rows may be deleted, because they are worked out again."""


def _named(problems: tuple[str, ...], table: str) -> list[str]:
    """Return the problems that name the table; entries and their head are the journal."""
    word = "journal" if table in ("act", "head") else table
    return [problem for problem in problems if problem.startswith((word, "foreign"))]


def test_every_table_has_rows_here_and_nothing_is_wrong(full: str) -> None:
    """Otherwise the tests below would hold nothing."""
    assert set(desk.tables(full)) == {*TABLES, "alembic_version"}
    assert [name for name in TABLES if not desk.query(full, f'SELECT 1 FROM "{name}"')] == []
    assert database.check(full).problems == ()


def test_checking_writes_nothing(db: str) -> None:
    """Not a byte of the file."""
    before = Path(db).read_bytes()
    database.check(db)
    assert Path(db).read_bytes() == before


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_changed_value_is_reported_in_every_column(db: str, table: str, column: str) -> None:
    """The problem names the table."""
    desk.tamper(db, desk.changed(db, table, column))
    assert _named(database.check(db).problems, table)


@pytest.mark.parametrize("table", [name for name in TABLES if name not in FORGOTTEN])
@pytest.mark.parametrize("which", ["min", "max"])
def test_a_deleted_row_is_reported(db: str, table: str, which: str) -> None:
    """The first and the last row of every table that is no cache."""
    desk.tamper(db, f'DELETE FROM "{table}" WHERE rowid = (SELECT {which}(rowid) FROM "{table}")')
    problems = database.check(db).problems
    assert _named(problems, table)


@pytest.mark.parametrize("table", TABLES)
def test_an_inserted_row_is_reported(db: str, table: str) -> None:
    """A copy of a row under another key."""
    keys = [column.name for column in METADATA.tables[table].primary_key.columns]
    unique = {"id", "bot", "folded", "name", "hash"} if table != "pool_import" else {"id"}
    values = []
    for column in METADATA.tables[table].columns:
        text = f'"{column.name}"'
        if column.name == keys[-1] or column.name in unique:
            kind = desk.query(db, f'SELECT typeof({text}) FROM "{table}" ORDER BY rowid DESC LIMIT 1')[0][0]
            text = f"{text} + 500" if kind == "integer" else f"substr({text}, 2) || 'q'"
        if column.name in ("player", "number") and table in ("seat", "entrant"):
            text = f'"{column.name}" + 500'
        values.append(text)
    last = f'(SELECT max(rowid) FROM "{table}")'
    desk.tamper(db, f'INSERT INTO "{table}" SELECT {", ".join(values)} FROM "{table}" WHERE rowid = {last}')
    assert _named(database.check(db).problems, table)


def test_a_cut_tail_is_reported(db: str) -> None:
    """Check that the head still counts a last entry that was removed with its index rows."""
    apply(db, UseEvent("Friday"))
    last = desk.query(db, "SELECT max(number) FROM act")[0][0]
    before = desk.query(db, "SELECT max(act) FROM trace WHERE part = 'current' AND act < ?", last)[0][0]
    gone = [f"DELETE FROM {table} WHERE {column} = {last}" for table, column in (("step", "act"), ("trace", "act"))]
    desk.tamper(db, *gone, f"UPDATE current_event SET act = {before}", f"DELETE FROM act WHERE number = {last}")
    problems = database.check(db).problems
    assert any("entries are missing" in problem for problem in problems)


def test_two_names_exchanged_are_reported(db: str) -> None:
    """Each name is sound, but stands with the wrong person."""
    desk.tamper(
        db,
        "UPDATE person SET player = player + 100 WHERE player <= 2",
        "UPDATE person SET player = 203 - player - 100 WHERE player > 100",
    )
    assert [row[0] for row in desk.query(db, "SELECT name FROM person WHERE player < 3 ORDER BY player")] == [
        "Beñat",
        "Ana",
    ]
    assert len(_named(database.check(db).problems, "person")) == 2


def test_a_number_stored_as_another_type_is_reported(db: str) -> None:
    """1 and 1.0 are equal, and not the same."""
    desk.tamper(db, "UPDATE hand SET contract = CAST(contract AS BLOB) WHERE hand = 0")
    assert _named(database.check(db).problems, "hand")


def test_every_result_that_is_wrong_in_one_place_is_one_problem(db: str) -> None:
    """The line says which row, what stands there, and what should."""
    desk.tamper(db, "UPDATE score SET points = points + 1 WHERE round = 1 AND table_number = 2 AND seat = 1")
    before = desk.query(db, "SELECT points - 1 FROM score WHERE round = 1 AND table_number = 2 AND seat = 1")[0][0]
    (problem,) = database.check(db).problems
    assert problem.startswith("score: in the row of event 1, round 1, table_number 2, seat 1")
    assert f"should be '{before}'" in problem


def test_tables_that_are_not_ours_or_gone_are_reported(db: str) -> None:
    """A trigger's helper, or a table dropped."""
    desk.tamper(db, "CREATE TABLE note (text)", "DROP TABLE rating_checkpoint")
    problems = database.check(db).problems
    assert "table note does not belong to tourney" in problems
    assert "table rating_checkpoint is missing" in problems
