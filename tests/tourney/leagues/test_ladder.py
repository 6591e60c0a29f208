"""Tests of the ladder of the built-in bots: the stored run, its table in the guide, and some games played again.

`fixtures/ladder.jsonl` has the blocks of `tourney league run --bots random,greedy,planner,search --blocks 80 --seed 1`,
one in each line.
"""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from engine.rules import load_rules
from tourney.domain.league_tables import LeagueTable
from tourney.domain.leagues import League
from tourney.league.blocks import read_block
from tourney.league.playing import play_block
from tourney.league.tally import Tally, at_level
from tourney.reports.leagues import table as reports
from tourney.reports.render.page import page_text
from tourney.service.leagues.leagues import checked

ROOT = Path(__file__).resolve().parents[3]
STORED = (ROOT / "fixtures" / "ladder.jsonl").read_text(encoding="utf-8").splitlines()
PAGE = (ROOT / "tourney" / "guide" / "leagues.md").read_text(encoding="utf-8")
BOTS = ("random", "greedy", "planner", "search")
RULES = load_rules("oficial")


def ladder() -> League:
    """Return the league of the stored run."""
    return checked(League(BOTS, RULES.id, 4, "1", blocks=80))


def stored_table() -> LeagueTable:
    """Return the table of the stored run, with intervals of 99 %."""
    tally = Tally(ladder())
    for text in STORED:
        tally.add(text)
    assert tally.verdict == "played"
    return at_level(tally.table(1), 0.99)


def test_each_bot_beats_the_next_weaker_one_with_an_interval_above_zero() -> None:
    duels = {frozenset((duel.better, duel.worse)): duel for duel in stored_table().duels}
    for weaker, stronger in pairwise(BOTS):
        duel = duels[frozenset((weaker, stronger))]
        assert (duel.low if duel.better == stronger else -duel.high) > 0.0


def test_the_guide_shows_the_stored_run() -> None:
    shown = page_text(reports.table(stored_table()), 80)
    duels = shown.split("Head to head: only the games in which both sat\n")[1].split("\n\n")[0]
    assert f"```text\n{duels}\n```" in PAGE
    assert stored_table().hash[:12] in PAGE


@pytest.mark.parametrize("number", [0, 79])
def test_the_games_of_the_stored_run_without_search_are_played_again(number: int) -> None:
    """The games of a pair depend on the league's seed and the block, not on the other entrants."""
    stored = [game for game in read_block(STORED[number]).games if max(game.seating) < 3]
    played = read_block(play_block(replace(ladder(), bots=BOTS[:3]), RULES, number).text).games
    assert list(played) == stored
    assert len(stored) == 6


@pytest.mark.soak
@pytest.mark.parametrize("number", [0, 40, 79])
def test_whole_blocks_of_the_stored_run_are_played_again(number: int) -> None:
    assert play_block(ladder(), RULES, number).text == STORED[number]
