"""The rule set of the knock game: what its file may say, and what no knock game can have."""

import pytest

from engine.errors import RulesError
from engine.rules import load_rules, parse_rules, write_rules
from tests.harness.engine.rule_texts import changed_rules

KNOCK = load_rules("knock")


def test_every_field_names_its_clause_or_its_ambiguity() -> None:
    """Clauses are sections 1.1 to 1.11 of the matrix read in document 001; what no document says of the end is ours."""
    for path, source in KNOCK.sources.items():
        assert source.clause.startswith(("A-", "ours") if source.silent else "001/1."), path


def test_the_text_of_the_rule_set_reads_back_equal() -> None:
    assert parse_rules(write_rules(KNOCK), "again.toml") == KNOCK


def test_each_family_has_its_own_part() -> None:
    with pytest.raises(RulesError, match="knock has no contracts"):
        _ = KNOCK.contracts
    with pytest.raises(RulesError, match="oficial is a contract game; it has no knocking"):
        _ = load_rules("oficial").knocking


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("trio.most", "8", "field 'trio.most' is 8; in the knock game it must be 'none'"),
        ("run.most", "13", "field 'run.most' is 13; in the knock game it must be 'none'"),
        ("trio.naturals", "0", "field 'trio.naturals' is 0; in the knock game it must be 1 or more"),
        ("run.ace", '"round"', "field 'run.ace' is 'round'; in the knock game it must be 'ends'"),
        ("run.jokers_adjacent", '"forbidden"', "field 'run.jokers_adjacent' is 'forbidden'; in the knock game"),
        ("pack.wild_twos", '"red"', "field 'pack.wild_twos' is 'red'; in the knock game it must be 'none'"),
        ("hand.deal", "13", "field 'hand.deal' is 13; in the knock game it is at most 12"),
        ("hand.rummy", "10", "field 'hand.rummy' is 10; it must be from -1000 to 0"),
        ("hand.knock_at", "0", "field 'hand.knock_at' is 0; it must be from 1 to 100"),
        ("hand.declare", '"never"', "field 'hand.declare' is 'never'; it must be one of 'any time'"),
        ("bonuses.of_stake", "0", "field 'bonuses.of_stake' is 0; it must be from 1 to"),
        ("bonuses.pot_payer", '"dealer"', "field 'bonuses.pot_payer' is 'dealer'; it must be one of"),
        ("survival.buy_above", "101", "field 'survival.buy_above' is 101, above survival.eliminated_above"),
        ("survival.buy_others", "1", "field 'survival.buy_others' is 1; it must be from 2 to"),
        ("survival.most_hands", "0", "field 'survival.most_hands' is 0; it must be from 1 to"),
    ],
)
def test_what_no_knock_game_can_have_is_refused_by_file_and_field(path: str, value: str, says: str) -> None:
    with pytest.raises(RulesError, match=f"changed: {says}"):
        changed_rules("knock", {path: value})


def test_more_cards_than_the_packs_hold_are_not_dealt() -> None:
    """One pack and six jokers are 58 cards: ten each to six players are 60, and two more to draw."""
    with pytest.raises(RulesError, match=r"field 'hand\.deal' is 10, more than the packs' 58 cards allow 6 players"):
        changed_rules("knock", {"pack.packs": "[[6, 1, 1]]"})


def test_a_knock_file_cannot_carry_a_contract_s_table() -> None:
    with pytest.raises(RulesError, match="unknown table 'claim'"):
        parse_rules(write_rules(KNOCK) + '\n[claim]\nwho = { is = "anyone", clause = "x" }\n', "club.toml")
