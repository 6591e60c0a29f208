"""Tests of gauntlets: leagues of one bot against a field, and what their tables compare."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.commands import Ran, Runner
from tests.harness.desk import query
from tourney.league import statistics
from tourney.league.blocks import read_block
from tourney.league.statistics import BlockMeans

BOTS = ("greedy", "random", "planner")
RUN = ("league", "run", "--bots", ",".join(BOTS), "--design", "gauntlet", "--seats", "2", "--seed", "1")

Club = Callable[..., Ran]


@pytest.fixture
def club(run: Runner, tmp_path: Path) -> Club:
    """A function that runs a command with one database."""
    return lambda *words: run(*words, "--db", str(tmp_path / "club.db"))


def leads_of_first(db: Path) -> dict[str, BlockMeans]:
    """Return, for each bot of the field, points a hand of the first one and of it in their games, block by block."""
    leads = {name: BlockMeans(2) for name in BOTS[1:]}
    for (text,) in query(str(db), "SELECT text FROM league_block ORDER BY block"):
        games = read_block(text).games
        for number, name in enumerate(BOTS[1:], 1):
            met = [game for game in games if number in game.seating]
            hands = sum(game.hands for game in met)
            sides = [sum(game.points[game.seating.index(side)] for game in met) / hands for side in (0, number)]
            leads[name].add(sides)
    return leads


def test_a_gauntlet_compares_the_first_bot_with_each_other_in_their_games(club: Club, tmp_path: Path) -> None:
    """Leads are computed here from the games of the blocks; at tables of two, each has one seat in each game."""
    data = club(*RUN, "--blocks", "6", "--workers", "1", "--json").json
    assert {frozenset((duel["better"], duel["worse"])) for duel in data["duels"]} == {
        frozenset(("greedy", "random")),
        frozenset(("greedy", "planner")),
    }
    for name, means in leads_of_first(tmp_path / "club.db").items():
        (duel,) = (duel for duel in data["duels"] if name in (duel["better"], duel["worse"]))
        gap = means.gap(1, 0)
        sign = 1.0 if duel["better"] == "greedy" else -1.0
        assert math.isclose(sign * duel["gap"], gap.value)
        assert math.isclose(duel["error"], gap.error or 0.0)
        assert duel in data["pairs"]


def test_the_order_of_a_gauntlet_follows_from_the_leads_over_the_first_bot(club: Club, tmp_path: Path) -> None:
    """A mean over games against `random` is not compared with one over games against `greedy`."""
    data = club(*RUN, "--blocks", "6", "--workers", "1", "--json").json
    leads = {name: means.gap(1, 0).value for name, means in leads_of_first(tmp_path / "club.db").items()}
    order = sorted(BOTS, key=lambda name: leads.get(name, 0.0))
    assert [bot["entrant"] for bot in data["bots"]] == order
    assert sum(bot["hands"] for bot in data["bots"][1:] if bot["entrant"] != "greedy") <= data["hands"]


def test_the_table_of_a_gauntlet_has_a_row_for_each_bot_of_the_field(club: Club) -> None:
    out = club(*RUN, "--blocks", "3", "--workers", "1").out
    assert "greedy against each" in out
    section = out.partition("greedy against each")[2]
    assert section.index("random") < section.index("Lead: by how many points a hand greedy is better")
    assert "Every pair" not in out


def test_a_gauntlet_ends_when_the_order_is_certain(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "FIRST_LOOK", 4)
    data = club(*RUN[:3], "greedy,random", *RUN[4:], "--until-sure", "0.95", "--workers", "1", "--json").json
    assert (data["state"], data["blocks"]) == ("certain", 4)


def test_a_bot_joins_the_field_of_a_gauntlet(club: Club) -> None:
    """The league is then the one that all three would have started."""
    club(*RUN[:3], "greedy,random", *RUN[4:], "--blocks", "2", "--workers", "1")
    joined = club("league", "join", "--bots", "planner", "--workers", "1", "--json").json
    started = club(*RUN, "--blocks", "2", "--workers", "1", "--json").json
    assert joined["hash"] == started["hash"]
    assert joined["bots"] == started["bots"]
