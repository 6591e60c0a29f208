"""Check the rule set of the knock game: what it lacks, and the values that no knock game can have."""

import pytest

from engine.errors import RulesError
from engine.rules import load_rules, parse_rules, write_rules
from tests.harness.engine.rule_texts import changed_rules

KNOCK = load_rules("knock")


def test_asking_a_rule_set_for_the_other_family_s_rules_is_refused() -> None:
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
def test_a_value_that_no_knock_game_can_have_is_refused_by_file_and_field(path: str, value: str, says: str) -> None:
    with pytest.raises(RulesError, match=f"changed: {says}"):
        changed_rules("knock", {path: value})


def test_a_deal_of_more_cards_than_the_packs_hold_is_refused() -> None:
    """One pack and six jokers are 58 cards; ten for each of six players and two to draw are 62."""
    with pytest.raises(RulesError, match=r"field 'hand\.deal' is 10, more than the packs' 58 cards allow 6 players"):
        changed_rules("knock", {"pack.packs": "[[6, 1, 1]]"})


def test_a_knock_file_cannot_have_a_table_of_contract_rules() -> None:
    with pytest.raises(RulesError, match="unknown table 'claim'"):
        parse_rules(write_rules(KNOCK) + '\n[claim]\nwho = { is = "anyone", clause = "x" }\n', "club.toml")
