"""Faults of bots by kind, and what they cost: in the mean, between two bots, and in ratings."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness.bots.own_bots import misbehaving, write_bot
from tests.harness.commands import Runner
from tests.harness.slow import slow
from tourney.domain.leagues import FAULT_COST, FAULT_KINDS, League
from tourney.league.blocks import BlockOutcome, EntrantTotals, GameOutcome, LeagueHash, read_block, write_block
from tourney.league.tally import Tally
from tourney.rulebook.rulesets import resolve
from tourney.service import database
from tourney.service.leagues import leagues

FAILS_AT_DISCARDS = misbehaving(
    'if view.phase == "play":\n    raise ValueError\n'
    'return next((action for action in legal if str(action) in ("pass", "stock")), legal[0])'
)
"""A bot that lets the fallback choose its discards, and makes as few faults by it as it can."""


def small_league(rules: str = "oficial", fault_cost: int = FAULT_COST) -> League:
    """Return a league of two bots, which nobody plays."""
    ref = resolve(rules)
    return League(("greedy", "random"), rules, 2, "1", 1, rules_digest=ref.digest, fault_cost=fault_cost)


def played(by_kind: tuple[int, ...] = (), contracts: int = 7) -> str:
    """Return a block of one game of seven hands: the first bot has 70 points and these faults, the second 280."""
    faults = sum(by_kind)
    game = GameOutcome(0, 7, (0, 1), (70, 280), (1, 2), (70, -70), (faults, 0) if faults else ())
    first = EntrantTotals(7, 70, 70, faults=faults, contracts=(10,) * contracts, faults_by_kind=by_kind)
    return write_block(BlockOutcome(0, (game,), (first, EntrantTotals(7, 280, -70, contracts=(40,) * contracts))))


THREE = (1, 0, 0, 0, 2)


def test_a_fault_costs_points_in_the_mean_the_pair_and_the_place() -> None:
    """By hand: 70 points and 3 faults at 91 points are 343, or 49 a hand, which is 9 behind 40."""
    tally = Tally(small_league(fault_cost=91))
    tally.add(played(THREE))
    table = tally.table(1)
    assert [(bot.entrant, bot.mean, bot.points, bot.faults_by_kind) for bot in table.bots] == [
        ("random", 40.0, 280, (0, 0, 0, 0, 0)),
        ("greedy", 49.0, 70, (1, 0, 0, 0, 2)),
    ]
    assert [(pair.better, pair.gap) for pair in table.duels] == [("random", 9.0)]
    assert table.bots[0].mu > table.bots[1].mu


def test_in_the_knock_game_a_fault_costs_money() -> None:
    """By hand: 70 won less 3 faults at 70 are 140 lost, or 20 a hand, where the other loses 10."""
    tally = Tally(small_league("knock", fault_cost=70))
    tally.add(played(THREE, contracts=0))
    assert [(bot.entrant, bot.mean) for bot in tally.table(1).bots] == [("random", -10.0), ("greedy", -20.0)]
    assert tally.table(1).bots[0].mu > tally.table(1).bots[1].mu


def test_without_a_cost_faults_are_only_counted() -> None:
    tally = Tally(small_league(fault_cost=0))
    tally.add(played(THREE))
    assert [(bot.entrant, bot.mean) for bot in tally.table(1).bots] == [("greedy", 10.0), ("random", 40.0)]


def test_blocks_without_faults_are_written_as_before() -> None:
    """The text as the version before faults by kind wrote it, put down by hand."""
    ten, forty = "[10,10,10,10,10,10,10]", "[40,40,40,40,40,40,40]"
    assert played() == f"[1,0,[[0,7,[0,1],[70,280],[1,2],[70,-70]]],[[7,70,70,0,0,0,{ten}],[7,280,-70,0,0,0,{forty}]]]"
    with_faults = played(THREE)
    assert f",[70,-70],[3,0]]],[[7,70,70,0,0,3,{ten},[1,0,0,0,2]],[7,280," in with_faults
    assert write_block(read_block(with_faults)) == with_faults


def test_the_cost_belongs_to_the_hash_only_where_it_is_not_the_usual_one() -> None:
    usual, free = (LeagueHash(small_league(fault_cost=cost)).text() for cost in (FAULT_COST, 0))
    assert usual != free


@pytest.mark.parametrize(("opponent", "blocks"), [("greedy", 8), *slow([("random", 20), ("greedy", 60)])])
def test_failing_never_beats_random(folder: Path, run: Runner, opponent: str, blocks: int) -> None:
    """Without a cost the bot that lets the fallback play is better than random, as it was before."""
    write_bot(folder, "bad.py", FAILS_AT_DISCARDS)
    words = ("--bots", f"bad.py:Mine,random,{opponent}", "--design", "rotations", "--seats", "3")
    ran = run("league", "run", *words, "--blocks", str(blocks), "--workers", "1", "--json", "--db", "club.db")
    assert ran.code == 0, ran.err
    bad, random = (
        next(bot for bot in ran.json["bots"] if bot["entrant"] == name) for name in ("bad.py:Mine", "random")
    )
    assert bad["points"] / bad["hands"] < random["points"] / random["hands"]
    assert bad["mean"] > random["mean"]


def test_faults_stand_by_kind_in_json_and_table_and_the_cost_is_kept(folder: Path, run: Runner) -> None:
    write_bot(folder, "bad.py", FAILS_AT_DISCARDS)
    words = ("--bots", "bad.py:Mine,greedy", "--seats", "2", "--blocks", "1", "--fault-cost", "7", "--db", "club.db")
    ran = run("league", "run", *words, "--json")
    bad = next(bot for bot in ran.json["bots"] if bot["entrant"] == "bad.py:Mine")
    assert bad["faults_by_kind"] == dict.fromkeys(FAULT_KINDS, 0) | {"died": bad["faults"]}
    assert bad["mean"] == pytest.approx((bad["points"] + 7 * bad["faults"]) / bad["hands"])
    status = run("league", "status", "--db", "club.db")
    assert "Faults by kind" in status.out
    assert "7 points for every fault" in status.out
    assert run("league", "status", "--json", "--db", "club.db").json["fault_cost"] == 7
    assert run("league", "join", "--bots", "random", "--json", "--db", "club.db").json["fault_cost"] == 7
    assert database.check(str(folder / "club.db")).problems == ()


def test_leagues_of_built_in_bots_say_nothing_of_costs(folder: Path) -> None:
    league = replace(small_league(), rules_digest="")
    table = leagues.run("club.db", league)
    assert all(bot.faults_by_kind == (0, 0, 0, 0, 0) for bot in table.bots)
