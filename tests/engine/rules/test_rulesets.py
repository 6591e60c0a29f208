"""Check the built-in rule sets and their variants: sources, names, digests, ranges, and their text."""

import hashlib
import json
import re
import tomllib
import typing
from dataclasses import fields
from itertools import combinations, permutations
from random import Random

import pytest

from engine.errors import RulesError
from engine.rules import Contracts, Rules, all_rules, load_rules, parse_rules, variants_of, write_rules
from engine.rules.reading import FOR_READERS
from engine.rules.values import Between
from tests.harness.engine.rule_texts import OFICIAL_TEXT, pairs, rules_with

CONTRACT_SETS = ("oficial", "continental-rummy", "fournier", "zoliky")
VARIANTS = [f"{base}+{name}" for base in CONTRACT_SETS for name in variants_of(base)]
PAIRS = pairs()


def test_the_rule_sets_have_every_variant_of_the_documents() -> None:
    """Document 003 has thirteen variants, two more in 2.14 that concern the engine and a pack option; 000 has one."""
    assert set(variants_of("oficial")) == {
        *("super", "openers", "close5", "only-minus10", "last-minus10", "distinct", "scaled", "minus50"),
        *("all-placed50", "round-values", "claims3", "no-joker-upcard", "no-jokers", "red-twos"),
        *("no-joker-discard", "no-own-claim", "two-jokers"),
    }
    assert {base: variants_of(base) for base in CONTRACT_SETS[1:]} == {
        "continental-rummy": (),
        "fournier": ("extended",),
        "zoliky": (),
    }
    assert set(all_rules()) >= set(CONTRACT_SETS)


@pytest.mark.parametrize("name", [*all_rules(), *VARIANTS])
def test_every_field_names_a_clause_of_its_document_or_our_decision(name: str) -> None:
    """Decisions are A-nn for ambiguities and 5.nn for the course of a hand; `ours` is a rule that no document has."""
    rules = load_rules(name)
    label = rf"{rules.document}/[12]\.\d+|A-\d\d[bc]?|5\.\d+|ours"
    for path, source in rules.sources.items():
        assert re.fullmatch(rf"({label})(, ({label}))*", source.clause), (path, source)
        assert source.silent == (not source.clause.startswith(rules.document)) or ", " in source.clause


PARTLY_DECIDED = [
    # What the documents leave open: the ace (002), the third pack (000), bonuses beyond seven hands (003), stakes other
    # than 50 (001), the largest trio of two packs (000), runs of one suit and longer runs (004, which speaks of trios).
    ("continental-rummy", "values.ranks", "002/1.2, A-05"),
    ("continental-rummy", "pack.jokers_counted", "002/1.1, A-03"),
    ("fournier", "pack.packs", "000/1.1, A-02"),
    ("fournier", "trio.most", "000/1.7, A-13"),
    ("zoliky", "laying.distinct", "004/1.7, A-16b"),
    ("zoliky", "laying.longer_melds", "004/1.7, 5.11"),
    ("oficial+scaled", "bonus.same_turn_by_contract", "003/2.6, A-31"),
    ("knock", "bonuses.of_stake", "001/1.11, A-23"),
]


@pytest.mark.parametrize(("name", "path", "clause"), PARTLY_DECIDED)
def test_a_field_that_a_document_decides_in_part_names_the_ambiguity_too(name: str, path: str, clause: str) -> None:
    assert load_rules(name).clause(path) == clause


@pytest.mark.parametrize("name", [*all_rules(), *VARIANTS, *Random("pairs").sample(PAIRS, 30)])
def test_the_written_text_is_read_back_as_the_same_rules(name: str) -> None:
    """Check values, sources, names, digest and former digests."""
    rules = load_rules(name)
    assert parse_rules(write_rules(rules), "text") == rules


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_has_its_own_digest_and_no_former_ones(name: str) -> None:
    """Former digests name games from before a field was added, which were played without variants."""
    base = load_rules(name.split("+")[0])
    assert load_rules(name).digest != base.digest
    assert (load_rules(name).former, load_rules(name).narrower) == ((), ())


def test_games_by_the_narrower_rules_of_before_are_games_by_these_but_the_rules_are_not_the_same() -> None:
    """Until November 2026 `zoliky` was named 407d3dfdd754b82e, as its golden record still says: of trios three cards
    were laid down, and more are allowed since."""
    rules = load_rules("zoliky")
    assert rules.named_by("407d3dfdd754b82e")
    assert not rules.same_as("407d3dfdd754b82e")
    assert rules.same_as(rules.digest)
    assert rules.digest != "407d3dfdd754b82e"


def test_no_two_variants_have_the_same_rules() -> None:
    """Compare the digests of all rule sets, variants, and pairs of variants that do not contradict each other."""
    names = [*CONTRACT_SETS, *VARIANTS, *PAIRS]
    assert len({load_rules(name).digest for name in names}) == len(names)


def test_the_order_in_which_variants_are_named_does_not_matter() -> None:
    """All orders give one id and one digest; the hands of openers come first, those of super last."""
    rule_sets = [load_rules("+".join(("oficial", *names))) for names in permutations(("super", "scaled", "openers"))]
    assert len({(rules.id, rules.digest) for rules in rule_sets}) == 1
    rules = rule_sets[0]
    assert [contract for contract, _dealt in rules.contracts.hands.order] == (
        ["T", "E", "TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE", "TTTT", "TTTE", "TTEE", "TEEE", "EEEE"]
    )
    assert rules.clause("hands.order") == "003/2.2, 003/1.3, 003/2.1"


def test_all_other_pairs_of_variants_can_be_loaded() -> None:
    """Check every pair of variants that is not in `CONTRADICTIONS`."""
    for name in PAIRS:
        assert load_rules(name).id.startswith("oficial+")


def test_variants_that_set_one_field_refuse_each_other() -> None:
    """Otherwise one of the two would silently have no effect."""
    for base in CONTRACT_SETS:
        variants = tomllib.loads(source_text(base)).get("variants", {})
        for first, second in combinations(variants, 2):
            if set(variants[first].get("set", {})) & set(variants[second].get("set", {})):
                assert second in variants[first].get("refuses", []), (first, second)
                assert first in variants[second].get("refuses", []), (first, second)


def source_text(base: str) -> str:
    """Return the text of a built-in rules file."""
    from importlib import resources

    return (resources.files("engine") / "rulesets" / f"{base}.toml").read_text(encoding="utf-8")


# --- digests ----------------------------------------------------------------------------------------------

ADDED_FIELDS = {
    "pack.wild_twos": "none",
    "values.wild_two": 50,
    "stock.penalty_share": "none",
    "discarding.taken": "allowed",
    "discarding.jokers": "allowed",
    "laying.first_turn": "allowed",
    "closing.held_counts": "no",
}
"""Fields added to document 003's file after databases and records had its digest; these values keep its rules."""


def test_the_digest_of_the_first_version_still_names_the_official_rules() -> None:
    """Recompute the first digest from today's values without the added fields, and with `run.naturals` 0.

    A run of jokers only was never legal, since it has no suit.
    """
    table = tomllib.loads(OFICIAL_TEXT)
    groups = {
        name: rows for name, rows in table.items() if isinstance(rows, dict) and name not in ("variants", *FOR_READERS)
    }
    digested: dict[str, dict[str, object]] = {}
    for name, rows in groups.items():
        values = {field: entry["is"] for field, entry in rows.items() if f"{name}.{field}" not in ADDED_FIELDS}
        if values:
            digested[name] = values
    assert {path: groups[path.split(".")[0]][path.split(".")[1]]["is"] for path in ADDED_FIELDS} == ADDED_FIELDS
    digested["run"]["naturals"] = 0
    first_digest = hashlib.sha256(json.dumps({"kind": "contract", **digested}, sort_keys=True).encode()).hexdigest()[
        :16
    ]
    assert first_digest == "a48a4ccc1ce0692c"
    rules = load_rules("oficial")
    assert rules.named_by(first_digest)
    assert rules.named_by(rules.digest)
    assert not rules.named_by(load_rules("oficial+scaled").digest)
    assert not load_rules("oficial+scaled").named_by(first_digest)


# --- numbers ----------------------------------------------------------------------------------------------


def numbers() -> list[tuple[str, Between, bool]]:
    """Return each field that is a number: its path, its range, and whether it may be none."""
    ranges: list[tuple[str, Between, bool]] = []
    groups = {**typing.get_type_hints(Rules), **typing.get_type_hints(Contracts)}
    for group in ("players", "trio", "run", "values", *(field.name for field in fields(Contracts))):
        for name, hint in typing.get_type_hints(groups[group], include_extras=True).items():
            options = typing.get_args(hint)
            optional = type(None) in options
            metadata = getattr(options[0] if optional else hint, "__metadata__", ())
            ranges += [(f"{group}.{name}", limits, optional) for limits in metadata]
    return ranges


def test_every_number_has_a_range() -> None:
    """Check that each field of the official rules with an integer value has a range."""
    paths = {path for path, _limits, _optional in numbers()}
    for path in load_rules("oficial").sources:
        group, name = path.split(".")
        owner = getattr(load_rules("oficial").contracts, group, None) or getattr(load_rules("oficial"), group)
        value = getattr(owner, name)
        if isinstance(value, int) and path != "stock.stocks":
            assert path in paths, path


@pytest.mark.parametrize(("path", "limits", "optional"), numbers(), ids=[path for path, _, _ in numbers()])
@pytest.mark.parametrize("value", [-1001, -1, 0, 201, 10**6, 10**30])
def test_a_number_beyond_its_range_is_refused_by_field(path: str, limits: Between, optional: bool, value: int) -> None:
    """Check negative, zero, large and absurd numbers outside the range; the message states the range."""
    if limits.least <= value <= limits.most:
        return
    with pytest.raises(RulesError) as caught:
        rules_with({path: str(value)})
    assert f"field '{path}' is {value}; it must be from {limits.least} to {limits.most}" in str(caught.value)
    assert ("or 'none'" in str(caught.value)) == optional


IMPOSSIBLE = {
    "no jokers": ({"players.most": "5", "pack.packs": "[[5, 1, 2]]"}, "'pack.jokers' has no jokers for 5"),
    "packs begin late": ({"pack.packs": "[[4, 2, 2]]"}, "'pack.packs' has no packs for 4 players in hand 1"),
    "more naturals than cards": ({"trio.naturals": "4"}, "'trio.naturals' is 4, above trio.least, which is 3"),
    "two naturals in a trio": ({"trio.naturals": "2"}, "'trio.naturals' is 2; where contracts are laid, a trio needs"),
    "most below least": ({"trio.least": "4", "trio.most": "3"}, "'trio.most' is 3, below trio.least, which is 4"),
    "out of reach": ({"hands.order": '[["TTE", 8]]'}, "deals 8 cards for TTE, which takes 10; deal at least 9"),
    "longer trios": ({"trio.least": "4"}, "deals 10 cards for TTT, which takes 12; deal at least 11"),
    "two stocks without a share": ({"stock.stocks": "2"}, "'stock.penalty_share' is none with stock.stocks 2"),
    "a share of one stock": ({"stock.penalty_share": "3"}, "'stock.penalty_share' is 3 with stock.stocks 1"),
    "bonus twice": ({"bonus.same_turn_by_contract": '[["TT", -1], ["TT", -2]]'}, "contract' has TT twice"),
    "bonus of nothing": ({"bonus.same_turn_by_contract": '[["X", -1]]'}, "has a contract 'X'"),
    "six melds": ({"hands.order": '[["TTTTTT", 18]]'}, "has a contract 'TTTTTT'"),
}


@pytest.mark.parametrize(("changes", "says"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_values_that_no_game_can_have_together_are_refused(changes: dict[str, str], says: str) -> None:
    """Check that the message has the field, its value and the reason."""
    with pytest.raises(RulesError, match=re.escape(says)):
        rules_with(changes)


JUST_POSSIBLE = [
    {"hands.order": '[["TTE", 9]]'},  # nine cards and the one drawn make the ten of the contract
    {"hands.order": '[["TT", 27]]'},  # four times 27, an upcard and a card to draw are all 110 cards
    {"trio.naturals": "1"},
    {"players.least": "4"},
]


@pytest.mark.parametrize("changes", JUST_POSSIBLE, ids=str)
def test_values_that_are_just_possible_are_accepted(changes: dict[str, str]) -> None:
    """Check values on the legal side of a bound."""
    assert rules_with(changes).digest != load_rules("oficial").digest
