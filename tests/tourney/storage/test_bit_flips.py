"""Flipped bits: none shows a wrong table without an error, and `db check` finds every one that changes a report."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import TourneyError
from tourney.service import database, standings
from tourney.service.admin import journal
from tourney.service.events import events
from tourney.service.leagues import leagues
from tourney.service.people import players
from tourney.service.ratings import ratings
from tourney.service.results import results, rulings
from tourney.service.rounds import rounds
from tourney.storage.schema import METADATA

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
"""The last ones may write what they have worked out, so they come last."""

REPORTED = "reported"


def _said(verb: Callable[[str], object], db: str) -> str:
    try:
        return repr(verb(db))
    except TourneyError:
        return REPORTED


def _all_said(db: str) -> dict[str, str]:
    return {name: _said(verb, db) for name, verb in READERS.items()}


def _flip(source: Path, place: Path, bit: int) -> str:
    """A copy of the database with that bit of the file turned over."""
    content = bytearray(source.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    for left in place.parent.glob(f"{place.name}*"):
        left.unlink()
    place.write_bytes(content)
    return str(place)


def _wrong(full: str, place: Path, bits: list[int]) -> tuple[list[str], int]:
    """Return the flips that went unnoticed, a line each, and how many of the flips were detected."""
    sound = _all_said(full)
    assert REPORTED not in sound.values()
    wrong, shown = [], 0
    for bit in bits:
        db = _flip(Path(full), place, bit)
        checked = _said(lambda db: database.check(db).problems, db)
        found = _all_said(db)
        wrong += [f"bit {bit}: {name} is wrong" for name in found if found[name] not in (REPORTED, sound[name])]
        if found != sound:
            shown += 1
            wrong += [f"bit {bit}: db check finds nothing"] * (checked == repr(()))
    return wrong, shown


@pytest.mark.parametrize("table", sorted(METADATA.tables))
def test_a_changed_value_in_any_column_shows_no_wrong_table(full: str, tmp_path: Path, table: str) -> None:
    """Check a change that a flipped bit rarely makes: another number, or one more letter, in a row that is otherwise
    sound.
    """
    sound, wrong = _all_said(full), []
    for column in METADATA.tables[table].columns:
        db = str(shutil.copy(full, tmp_path / f"{column.name}.db"))
        by = 1000 if column.primary_key or column.name == "player" else 1
        desk.tamper(db, desk.changed(db, table, column.name, by))
        found = _all_said(db)
        wrong += [f"{column.name}: {name} is wrong" for name in found if found[name] not in (REPORTED, sound[name])]
    assert wrong == []


def _random_bits(full: str, seed: int, number: int) -> list[int]:
    return random.Random(seed).sample(range(Path(full).stat().st_size * 8), number)


def test_no_flipped_bit_shows_a_wrong_table_and_db_check_reports_them(full: str, tmp_path: Path) -> None:
    """Bits at random over the whole file, free space and SQLite's own structures included."""
    wrong, shown = _wrong(full, tmp_path / "flipped.db", _random_bits(full, 1, 150))
    assert wrong == []
    assert shown > 5


@pytest.mark.soak
def test_no_bit_of_a_thousand_shows_a_wrong_table(full: str, tmp_path: Path) -> None:
    """As issue 3 asks."""
    assert _wrong(full, tmp_path / "flipped.db", _random_bits(full, 2, 1000))[0] == []
