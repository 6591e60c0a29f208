"""The time of ten seasons of forty evenings, which must be no more than a second."""

import time

import pytest

from tests.harness.evening.many_evenings import make_seasons
from tourney.service.seasons import seasons

SEASONS, EVENINGS, PLAYERS = 10, 40, 40


@pytest.mark.soak
def test_ten_seasons_of_forty_evenings_and_forty_players_take_a_second(db: str) -> None:
    """Processor time of this process, the best of three runs, in one database of 16,000 games and 112,000 hands."""
    make_seasons(db, SEASONS, EVENINGS, PLAYERS)
    seasons.standings(db, "Season 1")
    times = []
    for _run in range(3):
        start = time.process_time()
        tables = [seasons.standings(db, f"Season {number}") for number in range(1, SEASONS + 1)]
        times.append(time.process_time() - start)
    assert [row.counting for table in tables for row in table.rows] == [20] * PLAYERS * SEASONS
    assert min(times) <= 1
