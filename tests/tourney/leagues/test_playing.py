"""Tests of playing blocks of a league: outcomes and their records, seeds, and bots that fail."""

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
from tourney.domain.leagues import League, PlayedBlock
from tourney.league import playing, time_limits
from tourney.league.blocks import read_block
from tourney.league.playing import (
    KEPT_FAULTS,
    block_games,
    bot_seed,
    deal_seed,
    fallback_action,
    play_block,
)

DESIGNS = ("pairs", "replace", "rotations", "fresh")


def league(rules: str = "oficial", bots: Sequence[str] = ("greedy", "random"), **others: object) -> League:
    """Return a league that keeps all records and has tables of three unless `others` says otherwise."""
    loaded_rules = load_rules(rules)
    stake = 100 if loaded_rules.kind == "knock" else 0
    fields = {"seats": 3, "seed": "7", "blocks": 9, "records": "all", **others}
    return League(tuple(bots), rules, stake=stake, rules_digest=loaded_rules.digest, **fields)


def played(settings: League, number: int = 0, **others: object) -> PlayedBlock:
    """Play a block of the league and return it."""
    return play_block(settings, load_rules(settings.rules), number, **others)


def failing(how: Failure, settings: League, number: int = 0, **others: object) -> PlayedBlock:
    """Play a block of the league, in which the bot `random` fails, and return it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing, "make_bot", failing_bots(how))
        return played(settings, number, **others)


@pytest.mark.parametrize("rules", ["oficial", "fournier", "continental-rummy", "zoliky", "knock"])
def test_the_outcome_of_a_block_matches_its_records(rules: str) -> None:
    """Every record replays, and points, places, money, closed hands, claims and hands are counted from the records."""
    settings = league(rules, ("greedy", "random", "greedy"), design="rotations", seats=2)
    block = played(settings, 3)
    counted = [Counter() for _entrant in settings.bots]
    contracts = [Counter() for _entrant in settings.bots]
    assert [game for game, _text in block.records] == list(range(len(read_block(block.text).games)))
    for (_at, text), game in zip(block.records, read_block(block.text).games, strict=True):
        record = read(text)
        result = replay(record)
        assert (game.points, game.places, game.money) == (result.points, result.places, result.money)
        assert game.hands == len(record.hands)
        assert record.players == tuple(settings.entrants[entrant] for entrant in game.seating)
        for seat, entrant in enumerate(game.seating):
            closed = sum(hand.closer == seat for hand in record.hands)
            claims = sum(line == f"{seat + 1} claim" for hand in record.hands for line in hand.actions)
            money = result.money[seat] if result.money else 0
            counted[entrant].update(
                hands=game.hands, points=result.points[seat], money=money, closes=closed, claims=claims
            )
            contracts[entrant].update({index: hand.points[seat] for index, hand in enumerate(record.hands)})
    for totals, counts, by_contract in zip(read_block(block.text).totals, counted, contracts, strict=True):
        assert {name: getattr(totals, name) for name in counts} == dict(counts)
        assert totals.faults == 0
        assert totals.contracts == (() if rules == "knock" else tuple(by_contract[index] for index in range(7)))


@pytest.mark.parametrize("design", DESIGNS)
def test_a_block_is_reproducible_and_differs_from_the_next(design: str) -> None:
    settings = league(design=design, seats=2)
    assert played(settings, 5) == played(settings, 5)
    assert read_block(played(settings, 5).text).games != read_block(played(settings, 6).text).games


@pytest.mark.parametrize("design", DESIGNS)
def test_games_have_the_same_cards_if_and_only_if_they_share_a_deal(design: str) -> None:
    settings = league(design=design, seats=2)
    block = played(settings)
    seeds = [read(text).seed for _at, text in block.records]
    deals = [game.deal for game in read_block(block.text).games]
    assert deals == [game.deal for game in block_games(settings, 0)]
    assert len(set(seeds)) == len(set(deals))
    assert len(set(zip(seeds, deals, strict=True))) == len(set(deals))


def test_deals_do_not_depend_on_the_bots() -> None:
    """The seed of a deal depends only on the seed of the league, the block and the deal."""
    blocks = [played(league(bots=bots)) for bots in (("greedy", "random"), ("random", "random"))]
    seeds = [[read(text).seed for _game, text in block.records] for block in blocks]
    assert seeds[0] == seeds[1] == [deal_seed("7", 0, 0)] * 2
    rules = load_rules("oficial")
    assert deal(rules, 3, deal_seed("7", 0, 0), 1) != deal(rules, 3, deal_seed("7", 1, 0), 1)


def test_every_source_of_randomness_has_its_own_seed() -> None:
    """The seeds of deals, and of bots by block, deal, seat and name, all differ; another league has other deals."""
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
    ("rules", "failure"),
    [("oficial", "raises"), ("oficial", "illegal"), ("oficial", "nothing"), ("zoliky", "illegal"), ("knock", "raises")],
)
def test_faults_are_counted_and_the_game_continues(rules: str, failure: Failure) -> None:
    """The first faults are kept with tracebacks, and the records, with fallback actions, replay."""
    settings = league(rules, seats=2)
    block = failing(failure, settings)
    totals = read_block(block.text).totals
    assert totals[0].faults == 0
    assert totals[1].faults > 10
    assert Counter(fault.game for fault in block.faults) == {0: KEPT_FAULTS, 1: KEPT_FAULTS}
    assert {fault.entrant for fault in block.faults} == {1}
    assert all("Traceback" in fault.trace and fault.what for fault in block.faults)
    for _at, text in block.records:
        replay(read(text))
    assert read_block(failing(failure, settings).text) == read_block(block.text)


@pytest.mark.parametrize("rules", ["oficial", "knock"])
def test_a_bot_that_never_answers_is_replaced_until_the_end_of_the_game(rules: str) -> None:
    """Each game keeps one fault, which names the line where the bot hung, and counts every action of the fallback."""
    block = failing("hangs", league(rules, seats=2), time_limit=60)
    assert [(fault.game, fault.entrant) for fault in block.faults] == [(0, 1), (1, 1)]
    answering, hanging = read_block(block.text).totals
    assert (answering.faults, answering.faults_by_kind) == (0, ())
    assert hanging.faults_by_kind == (0, 0, 0, hanging.faults, 0)
    assert hanging.faults > hanging.hands > 2
    line = r"OutOfTime: no answer within 60 s in line \d+ of failing_bots\.py; it is out of this game"
    assert all(re.fullmatch(line, fault.what) for fault in block.faults)
    assert all("failing_bots.py" in fault.trace for fault in block.faults)
    assert len(block.records) == 2
    for _at, text in block.records:
        replay(read(text))


def test_time_limits_do_not_change_games_of_bots_that_answer_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand alarms a second give the same block as no alarm, in a thread that gets no signals."""
    with ThreadPoolExecutor() as threads:
        without_alarm = threads.submit(played, league()).result()
    monkeypatch.setattr(time_limits, "MIN_TICKS", 600_000)
    assert played(league()) == without_alarm


def test_a_fault_has_its_block_game_and_hand_and_its_error() -> None:
    block = failing("raises", league(seats=2), 4)
    first = block.faults[0]
    assert (block.number, first.game, first.hand) == (4, 0, 0)
    assert first.what == "ZeroDivisionError: by nought"
    assert first.trace.endswith("ZeroDivisionError: by nought\n")


def test_the_fallback_is_a_pass_a_draw_or_the_first_discard() -> None:
    """The fallback is checked at every step of a hand of random bots."""
    rules = load_rules("oficial")
    hand = Hand(rules, deal(rules, 3, "fallback", 1))
    bots = [make_bot("random", str(seat)) for seat in range(3)]
    counts: Counter[type] = Counter()
    while not hand.over:
        action, listed = fallback_action(hand.legal), list(hand.legal)
        assert hand.is_legal(action)
        simple_actions = [legal for legal in listed if isinstance(legal, Pass | DrawStock | Discard)]
        assert action == (simple_actions[0] if simple_actions else listed[0])
        counts[type(action)] += 1
        hand.apply(bots[hand.actor].choose(hand.view(hand.actor), hand.legal))
    assert min(counts[Pass], counts[DrawStock], counts[Discard]) > 3


@pytest.mark.parametrize(
    ("records", "kept"), [("none", []), ("sampled", [0, 100, 200]), ("all", [0, 1, 99, 100, 101, 200])]
)
def test_records_are_kept_of_no_block_every_hundredth_or_every_block(records: str, kept: list[int]) -> None:
    settings = league(bots=("greedy",), seats=2, records=records)
    blocks = (0, 1, 99, 100, 101, 200)
    assert [number for number in blocks if played(settings, number).records] == kept


def test_keeping_records_does_not_change_the_games() -> None:
    settings = league()
    assert read_block(played(replace(settings, records="none")).text) == read_block(played(settings).text)


def test_a_bot_named_twice_has_equal_shares_of_seats_and_different_seeds() -> None:
    settings = league(bots=("random", "random"), seats=4)
    first, second = read_block(played(settings).text).totals
    assert first.hands == second.hands
    assert first != second
