"""Tests of `db check`: changes made to any table without the program are found."""

import re
from pathlib import Path
from typing import Literal

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.slow import slow
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.events import UseEvent
from tourney.storage.schema import METADATA
from tourney.text.i18n import speaking

make_db = desk.make_everything

TABLES = sorted(METADATA.tables)
COLUMNS = [(name, column.name) for name in TABLES for column in METADATA.tables[name].columns]
CACHES = {"rated_round", "rating_checkpoint"}
"""The tables whose rows may be deleted, because the program computes them again."""


def _named(problems: tuple[str, ...], table: str) -> list[str]:
    """Return the problems that name the table (for `act` and `head`: the journal) or a foreign key."""
    word = "journal" if table in ("act", "head") else table
    return [problem for problem in problems if problem.startswith((word, "foreign"))]


def test_the_database_of_these_tests_is_sound_and_has_rows_in_every_table(full: str) -> None:
    """Check that the tests below have something to change in every table."""
    assert set(desk.tables(full)) == {*TABLES, "alembic_version"}
    assert [name for name in TABLES if not desk.query(full, f'SELECT 1 FROM "{name}"')] == []
    assert database.check(full).problems == ()


def test_checking_writes_nothing(db: str) -> None:
    """Check that the file is the same byte for byte."""
    before = Path(db).read_bytes()
    database.check(db)
    assert Path(db).read_bytes() == before


@pytest.mark.parametrize(("table", "column"), [*COLUMNS[::4], *slow(COLUMNS[1::4] + COLUMNS[2::4] + COLUMNS[3::4])])
def test_a_changed_value_is_reported_in_every_column(db: str, table: str, column: str) -> None:
    """Check that a problem names the table."""
    desk.tamper(db, desk.changed(db, table, column))
    assert _named(database.check(db).problems, table)


@pytest.mark.parametrize("table", [name for name in TABLES if name not in CACHES])
@pytest.mark.parametrize("order", ["ASC", "DESC"])
def test_a_deleted_row_is_reported(db: str, table: str, order: Literal["ASC", "DESC"]) -> None:
    """The first or the last row of a table is deleted, for every table except caches."""
    desk.tamper(db, f'DELETE FROM "{table}" WHERE {desk.end_row(db, table, order)}')
    problems = database.check(db).problems
    assert _named(problems, table)


@pytest.mark.parametrize("table", TABLES)
def test_an_inserted_row_is_reported(db: str, table: str) -> None:
    """A copy of the last row is inserted under another key."""
    keys = [column.name for column in METADATA.tables[table].primary_key.columns]
    unique = {"id", "bot", "folded", "name", "hash"} if table != "pool_import" else {"id"}
    values, last = [], desk.end_row(db, table)
    for column in METADATA.tables[table].columns:
        expression = f'"{column.name}"'
        if column.name == keys[-1] or column.name in unique:
            kind = desk.query(db, f'SELECT typeof({expression}) FROM "{table}" WHERE {last}')[0][0]
            expression = f"{expression} + 500" if kind == "integer" else f"substr({expression}, 2) || 'q'"
        if column.name in ("player", "number") and table in ("seat", "entrant"):
            expression = f'"{column.name}" + 500'
        values.append(expression)
    desk.tamper(db, f'INSERT INTO "{table}" SELECT {", ".join(values)} FROM "{table}" WHERE {last}')
    assert _named(database.check(db).problems, table)


def test_a_cut_tail_is_reported(db: str) -> None:
    """The last entry is removed together with its index rows; the head still counts it."""
    apply(db, UseEvent("Friday"))
    last = desk.query(db, "SELECT max(number) FROM act")[0][0]
    before = desk.query(db, "SELECT max(act) FROM trace WHERE part = 'current' AND act < ?", last)[0][0]
    deletions = [
        f"DELETE FROM {table} WHERE {column} = {last}" for table, column in (("step", "act"), ("trace", "act"))
    ]
    desk.tamper(db, *deletions, f"UPDATE current_event SET act = {before}", f"DELETE FROM act WHERE number = {last}")
    problems = database.check(db).problems
    assert any("entries are missing" in problem for problem in problems)


def test_two_names_exchanged_are_reported(db: str) -> None:
    """Each name is valid, but belongs to the other person."""
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


def test_a_value_stored_as_another_type_is_reported(db: str) -> None:
    """The contract of a hand is stored as bytes instead of text."""
    desk.tamper(db, "UPDATE hand SET contract = CAST(contract AS BLOB) WHERE hand = 0")
    assert _named(database.check(db).problems, "hand")


def test_one_wrong_value_is_one_problem(db: str) -> None:
    """Check that the problem names the row and the correct value."""
    desk.tamper(db, "UPDATE score SET points = points + 1 WHERE round = 1 AND table_number = 2 AND seat = 1")
    before = desk.query(db, "SELECT points - 1 FROM score WHERE round = 1 AND table_number = 2 AND seat = 1")[0][0]
    (problem,) = database.check(db).problems
    assert problem.startswith("score: in the row of event 1, round 1, table_number 2, seat 1")
    assert f"should be '{before}'" in problem


def test_foreign_and_missing_tables_are_reported(db: str) -> None:
    """A table is created and another one dropped."""
    desk.tamper(db, "CREATE TABLE note (text)", "DROP TABLE rating_checkpoint")
    problems = database.check(db).problems
    assert "table note does not belong to tourney" in problems
    assert "table rating_checkpoint is missing" in problems


def test_problems_are_sentences_in_the_language_of_the_reader(db: str) -> None:
    """A value is changed in every table; each sentence has the same numbers in both languages."""
    changes = [desk.changed(db, name, METADATA.tables[name].columns.keys()[-1]) for name in TABLES]
    desk.tamper(db, "DELETE FROM score WHERE round = 1", *changes)
    english = database.check(db).problems
    with speaking("es"):
        spanish = database.check(db).problems
    assert len(spanish) == len(english) >= 20
    assert set(spanish) & set(english) == set()
    for one, other in zip(english, spanish, strict=True):
        assert re.findall(r"\d+", one) == re.findall(r"\d+", other)


def test_csv_of_problems_has_the_same_bytes_for_every_reader(db: str, run: Runner) -> None:
    desk.tamper(db, "CREATE TABLE note (text)")
    english, spanish = (run("--lang", lang, "db", "check", "--db", db, "--format", "csv") for lang in ("en", "es"))
    assert english.out.splitlines() == ["problem", "table note does not belong to tourney"]
    assert (spanish.code, spanish.out) == (english.code, english.out)
    listed = run("--lang", "es", "db", "check", "--db", db, "--json").json["problems"]
    assert listed == ["la tabla note no es de tourney"]
