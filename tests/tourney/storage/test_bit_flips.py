"""Tests of flipped bits: none makes a report wrong without an error; `db check` finds each that changes a report."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import slow
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service import database, players
from tourney.service.admin import journal
from tourney.service.events import events
from tourney.service.leagues import leagues
from tourney.service.ratings import ratings
from tourney.service.results import results, rulings, standings
from tourney.service.rounds import rounds
from tourney.storage.schema import METADATA

make_db = desk.make_everything

READERS: dict[str, Callable[[str], object]] = {
    "player list": players.listing,
    "player show": lambda db: players.show(db, "Ana"),
    "event list": events.listing,
    "event show": events.show,
    "round show": rounds.show,
    "result show": results.show,
    "record": lambda db: results.record(db, None, 2, 2),
    "ruling list": rulings.listing,
    "standings": standings.standings,
    "log": journal.log,
    "league status": leagues.status,
    "ratings": ratings.ratings,
    "ratings of bots": lambda db: ratings.ratings(db, "bots"),
    "ratings of a file": lambda db: ratings.ratings(db, "races"),
}
"""The services behind the reports; ratings come last, because they may write to their cache."""

REPORTED = "reported"


def _output(reader: Callable[[str], object], db: str) -> str:
    """Return what a service gives, as text; REPORTED where it raises an error."""
    try:
        return repr(reader(db))
    except TourneyError:
        return REPORTED


def _all_outputs(db: str) -> dict[str, str]:
    return {name: _output(reader, db) for name, reader in READERS.items()}


def _flip(source: Path, place: Path, bit: int) -> str:
    """Write a copy of `source`, one bit of it flipped, to `place` and return its path."""
    content = bytearray(source.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    for old_file in place.parent.glob(f"{place.name}*"):
        old_file.unlink()
    place.write_bytes(content)
    return str(place)


def _undetected(full: str, sound: dict[str, str], place: Path, bits: list[int]) -> tuple[list[str], int]:
    """Return a line for each wrong output that no error reports, and the number of flips that change an output."""
    undetected, effective = [], 0
    for bit in bits:
        db = _flip(Path(full), place, bit)
        checked = _output(lambda db: database.check(db).problems, db)
        outputs = _all_outputs(db)
        undetected += [
            f"bit {bit}: {name} is wrong" for name in outputs if outputs[name] not in (REPORTED, sound[name])
        ]
        if outputs != sound:
            effective += 1
            undetected += [f"bit {bit}: db check finds nothing"] * (checked == repr(()))
    return undetected, effective


@pytest.fixture(scope="module")
def sound(full: str) -> dict[str, str]:
    """The outputs of the unchanged database, none of which is an error."""
    outputs = _all_outputs(full)
    assert REPORTED not in outputs.values()
    return outputs


COLUMNS = [(name, column.name) for name in sorted(METADATA.tables) for column in METADATA.tables[name].columns]


@pytest.mark.parametrize(("table", "column"), [*COLUMNS[::4], *slow(COLUMNS[1::4] + COLUMNS[2::4] + COLUMNS[3::4])])
def test_a_changed_value_in_any_column_shows_no_wrong_table(
    db: str, sound: dict[str, str], table: str, column: str
) -> None:
    """Check changes that a flipped bit rarely makes: another number, or one more letter, in an otherwise sound row.

    Every test run tries one column in four; that `db check` reports each of them is tested in `test_check.py`.
    """
    increase = 1000 if METADATA.tables[table].columns[column].primary_key or column == "player" else 1
    desk.tamper(db, desk.changed(db, table, column, increase))
    outputs = _all_outputs(db)
    assert [name for name in outputs if outputs[name] not in (REPORTED, sound[name])] == []


def _random_bits(full: str, seed: int, number: int) -> list[int]:
    return random.Random(seed).sample(range(Path(full).stat().st_size * 8), number)


@pytest.mark.parametrize(("number", "shown"), [(40, 0), *slow([(150, 5)])])
def test_no_flipped_bit_shows_a_wrong_table_and_db_check_reports_them(
    full: str, sound: dict[str, str], tmp_path: Path, number: int, shown: int
) -> None:
    """The bits are chosen at random from the whole file, including free space and SQLite's own structures.

    More than `shown` flips change an output.
    """
    wrong, effective = _undetected(full, sound, tmp_path / "flipped.db", _random_bits(full, 1, number))
    assert wrong == []
    assert effective > shown


@pytest.mark.parametrize("number", [150, *slow([350])])
@pytest.mark.parametrize("name", ["trace", "sqlite_autoindex_trace_1"])
def test_no_flipped_bit_hides_an_entry_from_a_void_sheet(full: str, tmp_path: Path, name: str, number: int) -> None:
    """A void table's sheet is that of its last entry, which is found by the table of traces and by its index.

    Of random bits in the one page of each, some hide an entry if only that one is read.
    """
    with closing(sqlite3.connect(full)) as connection:
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,))
        ((size,),) = connection.execute("PRAGMA page_size")
    reader = READERS["result show"]
    sound, wrong, reported = _output(reader, full), [], 0
    for bit in random.Random(6).sample(range((page - 1) * size * 8, page * size * 8), number):
        shown = _output(reader, _flip(Path(full), tmp_path / "flipped.db", bit))
        reported += shown == REPORTED
        wrong += [bit] * (shown not in (REPORTED, sound))
    assert wrong == []
    assert reported > number // 150


@pytest.mark.soak
def test_no_bit_of_a_thousand_shows_a_wrong_table(full: str, sound: dict[str, str], tmp_path: Path) -> None:
    """Check 1,000 random bits."""
    assert _undetected(full, sound, tmp_path / "flipped.db", _random_bits(full, 2, 1000))[0] == []


def _mirrored(folder: Path) -> Path:
    """Create a database with a sheet and a mirror; return its path."""
    (folder / "stick").mkdir()
    db = desk.with_a_sheet(folder / "club.db")
    database.add_mirror(db, str(folder / "stick"))
    return Path(db)


@pytest.mark.parametrize("sector", range(8))
def test_an_empty_sector_of_the_journal_is_reported_and_the_mirror_brings_all_back(tmp_path: Path, sector: int) -> None:
    """In four of the eight sectors of its page the check ended with an error in the program."""
    db = _mirrored(tmp_path)
    entries = desk.query(str(db), "SELECT text FROM act")
    ((page,),) = desk.query(str(db), "SELECT rootpage FROM sqlite_master WHERE name = 'act'")
    content, at = db.read_bytes(), (page - 1) * 4096 + sector * 512
    db.write_bytes(content[:at] + bytes(512) + content[at + 512 :])
    checked = _output(lambda path: database.check(path).problems, str(db))
    assert (checked == repr(())) == (content[at : at + 512] == bytes(512))
    database.restore_mirror(str(db), None)
    assert desk.query(str(db), "SELECT text FROM act") == entries
    assert database.check(str(db)).problems == ()


def test_the_mirror_brings_back_a_database_whose_damaged_schema_is_no_text(tmp_path: Path) -> None:
    """SQLite quotes the damaged name in its error, which Python cannot read then."""
    db = _mirrored(tmp_path)
    entries = desk.query(str(db), "SELECT text FROM act")
    content = db.read_bytes()
    assert content.count(b"CREATE TABLE act ") == 1
    db.write_bytes(content.replace(b"CREATE TABLE act ", b"CREATE TABLE \xa0\xa0\xa0("))
    with desk.refused(ExitCode.STORAGE, "damaged"):
        standings.standings(str(db))
    database.restore_mirror(str(db), None)
    assert desk.query(str(db), "SELECT text FROM act") == entries
