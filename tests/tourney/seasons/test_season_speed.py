"""The processor time of ten seasons of forty evenings."""

import json
import sqlite3
from contextlib import closing

import pytest

from tests.harness.effort import effort
from tests.harness.evening.many_evenings import make_seasons
from tourney.service.seasons import seasons
from tourney.standings.seasons.table import SeasonTable
from tourney.storage.journal.canonical import sha256

SEASONS, EVENINGS, PLAYERS = 10, 40, 40
MOST = 1.7
"""The most times as long as reading alone: 1.3 was measured."""


def _read_alone(db: str) -> None:
    """Read the seats and results of each event, and compute a checksum of them, as every reader has to."""
    with closing(sqlite3.connect(db)) as connection:
        for event in range(1, SEASONS * EVENINGS + 1):
            tables = ("seat", "result", "score", "hand", "hand_score")
            rows = [connection.execute(f"SELECT * FROM {name} WHERE event = ?", (event,)).fetchall() for name in tables]
            sha256(json.dumps(rows))


@pytest.mark.soak
def test_ten_seasons_of_forty_evenings_and_forty_players_take_little_longer_than_reading_them(db: str) -> None:
    """The least of three efforts each, in one database of 16,000 games and 112,000 hands."""
    make_seasons(db, SEASONS, EVENINGS, PLAYERS)
    seasons.standings(db, "Season 1")
    tables: list[SeasonTable] = []

    def read() -> None:
        tables.extend(seasons.standings(db, f"Season {number}") for number in range(1, SEASONS + 1))

    assert effort(read, turns=3) <= MOST * effort(lambda: _read_alone(db), turns=3)
    assert [row.counting for table in tables for row in table.rows] == [20] * PLAYERS * SEASONS * 3
