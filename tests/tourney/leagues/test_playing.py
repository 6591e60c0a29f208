"""One block of a league: what its games gave, told a second time by their records; seeds; bots that fail."""

import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from engine.actions import Discard, DrawStock, Pass
from engine.bots import make_bot
from engine.deal import deal
from engine.hand import Hand
from engine.records.record import read
from engine.records.replay import replay
from engine.rules import load_rules
from tests.harness.failing_bots import Failure, failing_bots
from tourney.domain.leagues import League
from tourney.league import time_limits
from tourney.league.playing import (
    KEPT_FAULTS,
    PlayedBlock,
    block_games,
    bot_seed,
    deal_seed,
    fallback_action,
    play_block,
)

DESIGNS = ("pairs", "replace", "rotations", "fresh")


def league(rules: str = "oficial", bots: Sequence[str] = ("greedy", "random"), **others: object) -> League:
    """Records of all games, three at a table."""
    found = load_rules(rules)
    stake = 100 if found.kind == "knock" else 0
    fields = {"seats": 3, "seed": "7", "blocks": 9, "records": "all", **others}
    return League(tuple(bots), rules, stake=stake, rules_digest=found.digest, **fields)


def played(wanted: League, number: int = 0, **others: object) -> PlayedBlock:
    return play_block(wanted, load_rules(wanted.rules), number, **others)


@pytest.mark.parametrize("rules", ["oficial", "fournier", "continental-rummy", "zoliky", "knock"])
def test_what_a_block_gave_is_what_its_records_say(rules: str) -> None:
    """Every record replays; points, places, money, closed hands, claims and hands are counted again in them."""
    wanted = league(rules, ("greedy", "random", "greedy"), design="rotations", seats=2)
    block = played(wanted, 3)
    counted = [Counter() for _entrant in wanted.bots]
    contracts = [Counter() for _entrant in wanted.bots]
    assert [at for at, _text in block.records] == list(range(len(block.outcome.games)))
    for (_at, text), game in zip(block.records, block.outcome.games, strict=True):
        record = read(text)
        result = replay(record)
        assert (game.points, game.places, game.money) == (result.points, result.places, result.money)
        assert game.hands == len(record.hands)
        assert record.players == tuple(wanted.entrants[entrant] for entrant in game.seating)
        for seat, entrant in enumerate(game.seating):
            closed = sum(hand.closer == seat for hand in record.hands)
            claims = sum(line == f"{seat + 1} claim" for hand in record.hands for line in hand.acts)
            money = result.money[seat] if result.money else 0
            counted[entrant].update(
                hands=game.hands, points=result.points[seat], money=money, closes=closed, claims=claims
            )
            contracts[entrant].update({at: hand.points[seat] for at, hand in enumerate(record.hands)})
    for totals, found, by_hand in zip(block.outcome.totals, counted, contracts, strict=True):
        assert {name: getattr(totals, name) for name in found} == dict(found)
        assert totals.faults == 0
        assert totals.contracts == (() if rules == "knock" else tuple(by_hand[at] for at in range(7)))


@pytest.mark.parametrize("design", DESIGNS)
def test_a_block_is_the_same_again_and_another_number_another(design: str) -> None:
    wanted = league(design=design, seats=2)
    assert played(wanted, 5) == played(wanted, 5)
    assert played(wanted, 5).outcome.games != played(wanted, 6).outcome.games


@pytest.mark.parametrize("design", DESIGNS)
def test_games_of_one_deal_have_the_same_cards_and_others_have_others(design: str) -> None:
    wanted = league(design=design, seats=2)
    block = played(wanted)
    seeds = [read(text).seed for _at, text in block.records]
    deals = [game.deal for game in block.outcome.games]
    assert deals == [game.deal for game in block_games(wanted, 0)]
    assert len(set(seeds)) == len(set(deals))
    assert len(set(zip(seeds, deals, strict=True))) == len(set(deals))


def test_deals_do_not_depend_on_what_bots_draw_nor_on_who_they_are() -> None:
    """The decks follow from the league's seed, the block and the deal."""
    one, other = (played(league(bots=bots)) for bots in (("greedy", "random"), ("random", "random")))
    seeds = [[read(text).seed for _at, text in block.records] for block in (one, other)]
    assert seeds[0] == seeds[1] == [deal_seed("7", 0, 0)] * 2
    rules = load_rules("oficial")
    assert deal(rules, 3, deal_seed("7", 0, 0), 1) != deal(rules, 3, deal_seed("7", 1, 0), 1)


def test_every_source_of_chance_has_a_seed_of_its_own() -> None:
    """Deals of blocks, and bots by block, deal, seat and name; no two are the same, none shows the league's."""
    deals = [deal_seed("7", block, number) for block in range(5) for number in range(5)]
    bots = [
        bot_seed("7", block, number, seat, bot)
        for block in range(3)
        for number in range(3)
        for seat in range(3)
        for bot in ("greedy", "greedy-2", "random")
    ]
    assert len({*deals, *bots}) == len(deals) + len(bots)
    assert deal_seed("8", 0, 0) not in deals


@pytest.mark.parametrize(
    ("rules", "how"),
    [("oficial", "raises"), ("oficial", "illegal"), ("oficial", "nothing"), ("zoliky", "illegal"), ("knock", "raises")],
)
def test_a_bot_that_fails_is_counted_and_stops_nothing(rules: str, how: Failure) -> None:
    """Each fault is kept with its traceback, and the record of the game replays with the acts done in its place."""
    wanted = league(rules, seats=2)
    block = played(wanted, make=failing_bots(how))
    totals = block.outcome.totals
    assert totals[0].faults == 0
    assert totals[1].faults > 10
    assert Counter(fault.game for fault in block.faults) == {0: KEPT_FAULTS, 1: KEPT_FAULTS}
    assert {fault.entrant for fault in block.faults} == {1}
    assert all("Traceback" in fault.traceback and fault.error for fault in block.faults)
    for _at, text in block.records:
        replay(read(text))
    assert played(wanted, make=failing_bots(how)).outcome == block.outcome


@pytest.mark.parametrize("rules", ["oficial", "knock"])
def test_a_bot_that_never_answers_is_broken_off_and_its_game_is_played_to_the_end(rules: str) -> None:
    """A fault in each game, with the line where it hung; it is not waited for again, and the records replay."""
    block = played(league(rules, seats=2), make=failing_bots("hangs"), time_limit=0.2)
    assert [(fault.game, fault.entrant) for fault in block.faults] == [(0, 1), (1, 1)]
    assert [totals.faults for totals in block.outcome.totals] == [0, 2]
    line = r"OutOfTime: no answer within 0\.2 s in line \d+ of failing_bots\.py; it is out of this game"
    assert all(re.fullmatch(line, fault.error) for fault in block.faults)
    assert all("failing_bots.py" in fault.traceback for fault in block.faults)
    assert len(block.records) == 2
    for _at, text in block.records:
        replay(read(text))


def test_an_alarm_changes_nothing_for_bots_that_answer_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand ticks a second, or none at all, as in a thread that hears no signals."""
    with ThreadPoolExecutor() as threads:
        quiet = threads.submit(played, league()).result()
    monkeypatch.setattr(time_limits, "MIN_TICKS", 600_000)
    assert played(league()) == quiet


def test_a_fault_says_where_it_was_and_what_it_was() -> None:
    block = played(league(seats=2), 4, make=failing_bots("raises"))
    first = block.faults[0]
    assert (first.block, first.game, first.hand) == (4, 0, 0)
    assert first.error == "ZeroDivisionError: by nought"
    assert first.traceback.endswith("ZeroDivisionError: by nought\n")


def test_what_is_done_for_a_bot_that_failed_is_a_pass_a_draw_or_the_first_discard() -> None:
    """At every step of a game of random bots."""
    rules = load_rules("oficial")
    hand = Hand(rules, deal(rules, 3, "fallback", 1))
    bots = [make_bot("random", str(seat)) for seat in range(3)]
    done: Counter[type] = Counter()
    while not hand.over:
        act, listed = fallback_action(hand.legal), list(hand.legal)
        assert hand.is_legal(act)
        plain = [one for one in listed if isinstance(one, Pass | DrawStock | Discard)]
        assert act == (plain[0] if plain else listed[0])
        done[type(act)] += 1
        hand.apply(bots[hand.actor].choose(hand.view(hand.actor), hand.legal))
    assert min(done[Pass], done[DrawStock], done[Discard]) > 3


@pytest.mark.parametrize(
    ("records", "kept"), [("none", []), ("sampled", [0, 100, 200]), ("all", [0, 1, 99, 100, 101, 200])]
)
def test_records_are_kept_of_no_game_of_all_or_of_every_hundredth_block(records: str, kept: list[int]) -> None:
    wanted = league(bots=("greedy",), seats=2, records=records)
    blocks = (0, 1, 99, 100, 101, 200)
    assert [number for number in blocks if played(wanted, number).records] == kept


def test_who_keeps_records_plays_the_same_games() -> None:
    wanted = league()
    assert played(replace(wanted, records="none")).outcome == played(wanted).outcome


def test_a_bot_named_twice_shares_the_seats_evenly_and_draws_for_itself() -> None:
    wanted = league(bots=("random", "random"), seats=4)
    one, other = played(wanted).outcome.totals
    assert one.hands == other.hands
    assert one != other
