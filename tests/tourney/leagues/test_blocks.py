"""Tests of blocks as text, of the hash of a league, and of the names of its entrants."""

import hashlib
import json
from dataclasses import replace

import pytest

from tourney.domain.leagues import League
from tourney.league.blocks import (
    BlockOutcome,
    EntrantTotals,
    GameOutcome,
    LeagueHash,
    block_hash,
    read_block,
    write_block,
)

GAME = GameOutcome(0, 7, (0, 1, 0, 1), (10, -5, 300, 40), (2, 1, 4, 3))
MONEY = GameOutcome(1, 3, (1, 0), (10, 101), (1, 2), (400, -400))
BLOCKS = {
    "contracts": BlockOutcome(
        0, (GAME, replace(GAME, deal=1)), (EntrantTotals(14, 310, 0, 3, 9, 1, (1, 2)), EntrantTotals(14, 35))
    ),
    "money": BlockOutcome(41, (MONEY,), (EntrantTotals(3, 101, -400), EntrantTotals(3, 10, 400, 3))),
    "nothing": BlockOutcome(7, (), ()),
}


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_block_as_text_reads_back_equal(block: BlockOutcome) -> None:
    assert read_block(write_block(block)) == block
    assert "\n" not in write_block(block)


@pytest.mark.parametrize("text", ["", "{}", "[1,2]", "7", "[2,0,[],[]]", "[1,0,[[1]],[]]", "[1,0,[],[3]]"])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message may be json's own
        read_block(text)


def test_the_hash_of_a_league_covers_its_settings_and_its_blocks_in_order() -> None:
    """The expected hash is computed with hashlib alone, as the docstring describes it."""
    league = League(("greedy", "random"), "oficial", 4, "7", 20, "fresh", stake=0, rules_digest="abc")
    texts = [write_block(block) for block in BLOCKS.values()]
    lines = ['[["greedy","random"],"abc",4,"fresh","7",0]'] + [
        hashlib.sha256(text.encode()).hexdigest() for text in texts
    ]
    league_hash = LeagueHash(league)
    for text in texts:
        league_hash.add(text)
    assert league_hash.text() == hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    assert block_hash(texts[0]) == lines[1]


@pytest.mark.parametrize(
    "change",
    [
        {"bots": ("random", "greedy")},
        {"seats": 3},
        {"seed": "8"},
        {"design": "pairs"},
        {"stake": 50},
        {"rules_digest": "abd"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_setting_that_affects_play_changes_the_hash(change: dict) -> None:
    league = League(("greedy", "random"), "oficial", 4, "7", 20, "fresh", rules_digest="abc")
    assert LeagueHash(replace(league, **change)).text() != LeagueHash(league).text()


def test_length_and_kept_records_do_not_change_the_hash() -> None:
    league = League(("greedy", "random"), "oficial", 4, "7", 20, rules_digest="abc")
    longer = replace(league, blocks=40, certainty="0.95", records="all")
    assert LeagueHash(longer).text() == LeagueHash(league).text()


@pytest.mark.parametrize(
    ("bots", "entrants"),
    [
        (("greedy", "random"), ("greedy", "random")),
        (("greedy", "greedy"), ("greedy", "greedy-2")),
        (("greedy", "random", "greedy", "greedy"), ("greedy", "random", "greedy-2", "greedy-3")),
        (("greedy",), ("greedy",)),
    ],
)
def test_a_bot_named_twice_gets_a_number_after_its_name(bots: tuple[str, ...], entrants: tuple[str, ...]) -> None:
    assert League(bots, "oficial", 4, "1", 1).entrants == entrants


def test_the_text_of_a_block_is_plain_json() -> None:
    """The text has version, number, then a row for each game and for each entrant, in the order of the fields."""
    version, number, games, totals = json.loads(write_block(BLOCKS["money"]))
    assert (version, number) == (1, 41)
    assert games == [[1, 3, [1, 0], [10, 101], [1, 2], [400, -400]]]
    assert totals == [[3, 101, -400, 0, 0, 0, []], [3, 10, 400, 3, 0, 0, []]]
