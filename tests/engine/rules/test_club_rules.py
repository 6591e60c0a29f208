"""Check a club's own rules: a file that changes some fields of a built-in rule set."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import RulesError, UnknownRules
from engine.rules import club_rules, load_rules, parse_rules, write_rules
from engine.scoring import closing_points

BAD = Path(__file__).parents[3] / "fixtures" / "bad"
FRIDAYS = """
id = "getxo"
base = "oficial+scaled"
title = "Getxo's Fridays"

[set]
"claim.limit" = { is = 2, clause = "Getxo 2024" }
values.joker = { is = 30, silent = "A-34" }
"""


def test_a_club_file_overlays_a_built_in_rule_set() -> None:
    """Check that a club's file sets its own values and sources, and that the rest is the base's, variants included."""
    rules, base = club_rules(FRIDAYS, "getxo.toml"), load_rules("oficial+scaled")
    assert (rules.id, rules.title, rules.document, rules.kind) == ("getxo", "Getxo's Fridays", "003", "contract")
    assert (rules.contracts.claim.limit, rules.values.joker) == (2, 30)
    assert (rules.clause("claim.limit"), rules.sources["values.joker"].silent) == ("Getxo 2024", True)
    assert (rules.contracts.bonus, rules.contracts.hands) == (base.contracts.bonus, base.contracts.hands)
    assert {path for path in base.sources if base.sources[path] != rules.sources[path]} == {
        "claim.limit",
        "values.joker",
    }
    assert rules.digest not in (base.digest, load_rules("oficial").digest)
    assert rules.former == ()


@pytest.mark.parametrize("base", ["oficial", "zoliky"])
def test_club_rules_are_not_named_by_the_earlier_digests_of_their_base(base: str) -> None:
    """A record by the rules of before must not pass for one by rules that a club has changed since."""
    earlier = load_rules(base).former + load_rules(base).narrower
    changed = '"values.joker" = { is = 30, clause = "Getxo 2024" }'
    rules = club_rules(f'id = "getxo"\nbase = "{base}"\ntitle = "Getxo"\n[set]\n{changed}\n', "getxo.toml")
    assert earlier
    assert not any(rules.named_by(digest) for digest in earlier)


def test_the_digest_of_club_rules_is_that_of_their_values() -> None:
    """A club that sets the field of a variant to its value has the digest of that variant."""
    text = FRIDAYS.split("[set]")[0].replace("oficial+scaled", "oficial")
    same = club_rules(f'{text}[set]\n"claim.limit" = {{ is = 3, clause = "ours" }}\n', "c")
    assert same.digest == load_rules("oficial+claims3").digest
    assert club_rules(text, "c").digest == load_rules("oficial").digest


def test_contracts_may_be_spelled_as_in_the_document() -> None:
    """A club file may write TET, ETE and ET for TTE, TEE and TE in hands and bonuses; 003 writes TET and ETE."""
    head = FRIDAYS.split("[set]")[0].replace("oficial+scaled", "oficial")
    hands = '[["ET", 8], ["TET", 11], ["ETE", 12]]'
    bonus = '[["TET", -50], ["ETE", -60]]'
    text = f"""{head}[set]
"hands.order" = {{ is = {hands}, clause = "ours" }}
"bonus.same_turn_by_contract" = {{ is = {bonus}, clause = "ours" }}
"""
    theirs, ours = club_rules(text, "c"), club_rules(text.replace("TET", "TTE").replace("ETE", "TEE"), "c")
    assert theirs.contracts.hands.order == (("TE", 8), ("TTE", 11), ("TEE", 12))
    assert [closing_points(theirs, contract, True, False) for contract in ("TE", "TTE", "TEE")] == [-10, -50, -60]
    assert (theirs.digest, theirs.contracts) == (ours.digest, ours.contracts)


def test_the_written_text_of_club_rules_is_complete() -> None:
    """Check that the text has every field and reads back equal without base or club file."""
    rules = club_rules(FRIDAYS, "getxo.toml")
    text = write_rules(rules)
    assert parse_rules(text, "kept") == rules
    assert "base" not in text
    assert text.count(" = { is = ") == len(rules.sources)


@pytest.mark.parametrize("title", ['A "quoted" one', "back\\slash", "Beñat's", "two\nlines", "tab\there"])
def test_any_title_is_written_and_read_back(title: str) -> None:
    """Check titles with quotes, backslashes, accents and control characters."""
    rules = parse_rules(write_rules(load_rules("oficial")).replace("Reglamento oficial del Continental", "T"), "t")
    assert rules.title == "T"
    named = replace(rules, title=title)
    assert parse_rules(write_rules(named), "t") == named


def test_a_path_is_read_each_time_it_is_loaded(tmp_path: Path) -> None:
    """Check that a changed file gives the changed rules; a byte order mark is ignored."""
    file = tmp_path / "getxo.toml"
    file.write_text("\ufeff" + FRIDAYS, encoding="utf-8")
    assert load_rules(str(file)).contracts.claim.limit == 2
    file.write_text(FRIDAYS.replace("is = 2", "is = 4"), encoding="utf-8")
    assert load_rules(str(file)).contracts.claim.limit == 4


def test_a_file_that_is_not_there_is_unknown(tmp_path: Path) -> None:
    """Neither is a folder a file."""
    with pytest.raises(UnknownRules, match="there is no file"):
        load_rules(str(tmp_path / "other.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(RulesError, match="cannot be read"):
        load_rules(str(tmp_path / "folder.toml"))


def test_a_file_far_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """The limit is a million bytes; the message names file and limit."""
    file = tmp_path / "photos.toml"
    file.write_text(FRIDAYS + "#" * 1_000_000, encoding="utf-8")
    with pytest.raises(RulesError, match=r"photos\.toml: the file is too large: the limit is 1000000 bytes"):
        load_rules(str(file))


# The words of the refusal of each file: the field or entry, and words of the fault.
FAULTS = {
    "bonus-of-no-close": ("bonus.all_placed", "-50", "closing.all_placed is 'forbidden'"),
    "bonus-positive": ("bonus.same_turn", "10", "-1000 to 0"),
    "choice-unknown": ("claim.who", "everybody", "'anyone', 'nobody'"),
    "closing-never": ("closing.all_placed", "forbidden", "closing.last_discard"),
    "contract-synonym-twice": ("hands.order", "TTE twice"),
    "contract-unknown": ("hands.order", "'TX'"),
    "deal-too-large": ("players.most", "EEE deals 28 cards to each of 4 players", "110"),
    "deal-too-small": ("hands.order", "deals 4 cards for TT, which takes 6", "at least 5"),
    "field-twice": ("'set'", "'claim.limit' twice"),
    "five-packs": ("pack.packs", "5", "1 to 4"),
    "five-runs-distinct": ("laying.distinct", "EEEEE", "suits"),
    "hand-twice": ("hands.order", "TT twice"),
    "hands-out-of-shape": ("hands.order", "wrong shape"),
    "id-no-name": ("'id'", "Getxo 2024", "lowercase letters"),
    "id-taken": ("'id'", "fournier"),
    "jokers-twice": ("pack.jokers", "2 rows", "4 players"),
    "limit-absurd": ("claim.limit", "1 to 50"),
    "limit-negative": ("claim.limit", "-3", "1 to 50"),
    "limit-text": ("claim.limit", "'three'", "whole number"),
    "limit-zero": ("claim.limit", "is 0", "1 to 50"),
    "most-below-least": ("run.most", "below run.least"),
    "name-of-many-parts": ("more than 100 parts",),
    "no-base": ("'base'", "missing"),
    "no-clause": ("claim.limit", "clause"),
    "no-hands": ("hands.order", "0 hands"),
    "no-packs-for-players": ("pack.packs", "6 players"),
    "no-toml": ("line 4",),
    "not-utf8": ("byte", "UTF-8"),
    "packs-twice": ("pack.packs", "2 rows", "up to 4 players from hand 1"),
    "penalty-stock-missing": ("claim.penalty", "stock.stocks is 1"),
    "players-absurd": ("players.most", "40", "2 to 12"),
    "players-upside-down": ("players.least", "5", "players.most"),
    "red-twos-alone": ("pack.wild_twos", "'red'", "pack.jokers has none"),
    "run-of-jokers": ("run.naturals", "at least 1"),
    "set-no-table": ("'set'", "not a table"),
    "too-many-players": ("players.most", "EEE deals 14 cards to each of 8 players", "108"),
    "twelve-ranks": ("values.ranks", "12 values", "thirteen"),
    "unknown-base": ("'base'", "oficiel", "did you mean 'oficial'"),
    "unknown-entry": ("titel", "title"),
    "unknown-field": ("claim.limits", "not a field", "did you mean 'claim.limit'"),
    "unknown-variant": ("'base'", "scald", "did you mean 'scaled'"),
    "value-alone": ("claim.limit", "clause"),
    "variant-twice": ("'base'", "'scaled' is named twice"),
    "variants-contradict": ("'base'", "'scaled' and 'minus50' contradict"),
}


def test_every_bad_file_has_its_words_in_the_table() -> None:
    """Check that files and table have the same names."""
    assert {path.name for path in BAD.glob("rules-*")} == {f"rules-{name}.toml" for name in FAULTS}


@pytest.mark.parametrize("name", FAULTS)
def test_a_bad_file_is_refused_for_the_fault_in_its_name(name: str) -> None:
    """Check that the refusal is one line with file, field and reason."""
    with pytest.raises(RulesError) as caught:
        load_rules(str(BAD / f"rules-{name}.toml"))
    message = str(caught.value)
    assert "\n" not in message
    assert re.match(rf"rules-{name}\.toml: ", message)
    assert all(word in message for word in FAULTS[name]), message


def test_a_club_keeps_its_own_words_in_the_text_of_its_rules() -> None:
    """Words change no digest, and are read again as they were written."""
    words = '[words]\ntrio = "tercia"\njoker = { word = "mono", plural = "monos", gender = "m" }\n'
    rules = club_rules(f"{FRIDAYS}{words}", "getxo.toml")
    assert [(word.term, word.word, word.plural, word.gender) for word in rules.words] == [
        ("trio", "tercia", "", ""),
        ("joker", "mono", "monos", "m"),
    ]
    assert parse_rules(write_rules(rules), "stored") == rules
    assert rules.digest == club_rules(FRIDAYS, "getxo.toml").digest


def test_a_very_long_entry_is_named_by_its_beginning() -> None:
    """A file of dashes is one key of ten thousand characters, or a variant's."""
    for text in ("-" * 10_000 + " = 1\n", f"{FRIDAYS}[variant.quick]\n{'-' * 10_000} = 1\n"):
        with pytest.raises(RulesError) as caught:
            club_rules(text, "getxo.toml")
        assert len(str(caught.value)) < 300, str(caught.value)[:300]
