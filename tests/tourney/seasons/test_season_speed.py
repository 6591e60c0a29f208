"""The processor time of ten seasons of forty evenings."""

import pytest

from tests.harness.effort import effort
from tests.harness.evening.many_evenings import make_seasons
from tourney.service.seasons import seasons
from tourney.standings.seasons.table import SeasonTable

SEASONS, EVENINGS, PLAYERS = 10, 40, 40


@pytest.mark.soak
def test_ten_seasons_of_forty_evenings_and_forty_players_take_the_time_of_85_million_passes(db: str) -> None:
    """The least of three efforts, in one database of 16,000 games and 112,000 hands."""
    make_seasons(db, SEASONS, EVENINGS, PLAYERS)
    seasons.standings(db, "Season 1")
    tables: list[SeasonTable] = []

    def read() -> None:
        tables.extend(seasons.standings(db, f"Season {number}") for number in range(1, SEASONS + 1))

    assert effort(read, turns=3) <= 85
    assert [row.counting for table in tables for row in table.rows] == [20] * PLAYERS * SEASONS * 3
