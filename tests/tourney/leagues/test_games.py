"""Tests of records and comparisons of games, in leagues of every design and family of rules, with a failing bot."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.records.record import read
from engine.records.replay import replay
from tests.harness import desk
from tests.harness.failing_bots import failing_bots
from tourney.domain.errors import ExitCode
from tourney.domain.league_tables import LeagueTable
from tourney.domain.leagues import Design, League
from tourney.league import playing
from tourney.service.leagues import comparisons, leagues

LEAGUES = [
    ("oficial", 3, "pairs"),
    ("fournier", 2, "replace"),
    ("continental-rummy", 2, "rotations"),
    ("zoliky", 2, "fresh"),
    ("knock", 2, "pairs"),
]


def played(db: str, league: League) -> LeagueTable:
    """Run the league, the bot `random` failing at times, and return its table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing, "make_bot", failing_bots("raises"))
        return leagues.run(db, league)


@pytest.mark.parametrize(("rules", "seats", "design"), LEAGUES, ids=lambda value: str(value))
def test_every_kept_record_replays(tmp_path: Path, rules: str, seats: int, design: Design) -> None:
    """Records replay to their points even if a bot failed; only games of two bots can be compared."""
    db = str(tmp_path / "club.db")
    table = played(db, League(("greedy", "random"), rules, seats, "7", 1, design, records="all"))
    assert [bot.faults > 0 for bot in sorted(table.bots, key=lambda bot: bot.entrant)] == [False, True]
    for game in range(1, table.games + 1):
        record = read(comparisons.record(db, None, 1, game))
        assert record.points == replay(record).points
    if design in ("rotations", "fresh"):
        with desk.refused(ExitCode.REFUSED, "not between two bots alone", "`pairs` or `replace`"):
            comparisons.compare(db, "greedy", "random")
    else:
        assert comparisons.compare(db, "greedy", "random").hands


def test_a_record_that_was_not_kept_is_played_again_or_refused(tmp_path: Path) -> None:
    """The record of block 1 is kept; when block 2 is played again the bot does not fail, so it ends differently."""
    db = str(tmp_path / "club.db")
    league = League(("greedy", "random"), "oficial", 2, "7", 2, records="sampled")
    played(db, league)
    replay(read(comparisons.record(db, None, 1, 2)))
    with desk.refused(ExitCode.REFUSED, "block 2 of league 1 ends differently", "`--records all`"):
        comparisons.record(db, None, 2, 1)
    leagues.run(db, replace(league, records="none"))
    replay(read(comparisons.record(db, 2, 2, 1)))
