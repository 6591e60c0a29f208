"""A rule set as a page for players, and how two of them differ: what the documents say, and nothing besides."""

import re
import typing
from itertools import groupby, permutations
from pathlib import Path
from typing import Literal

import pytest

from engine import rules as engine_rules
from tests.harness.clubs import club
from tests.harness.commands import Runner
from tourney.rulebook.rule_sentences import COMMON, FAMILY, OTHER

# Fields that a page shows in its tables, or inside another field's sentence.
ELSEWHERE = {"pack.jokers_counted", "hands.order", "values.ranks", "values.joker", "values.wild_two"}
# Document 003, values of the cards left in hand.
VALUES = dict(zip("A23456789TJQK", (20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))


UNWRITTEN = {
    path
    for name in engine_rules.all_rules()
    for path in engine_rules.page_clauses(engine_rules.load_rules(name).document)
}
"""The sentences that no field decides."""


def test_the_page_has_the_document_s_hands_values_and_packs(run: Runner) -> None:
    """Sections 1.1 to 1.3 of document 003."""
    data = run("rules", "show", "oficial", "--json").json
    assert data["players"] == {"least": 2, "most": 4}
    assert (data["packs"], data["jokers"]) == (2, 6)
    contracts = ["TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE"]
    assert data["hands"] == [{"contract": name, "deal": deal} for deal, name in enumerate(contracts, 7)]
    assert data["values"] == {**VALUES, "Jk": 50}


@pytest.mark.parametrize("name", ["oficial", "knock"])
def test_every_field_of_the_rules_has_a_sentence_for_every_choice(name: str) -> None:
    """A field or a choice that somebody adds to the rules must be given its sentence."""
    rules = engine_rules.load_rules(name)
    page_words = {path: words for table in (COMMON | FAMILY[rules.kind]).values() for path, words in table.items()}
    assert set(rules.sources) - ELSEWHERE == set(page_words) - UNWRITTEN
    for path, words in ((path, page_words[path]) for path in set(page_words) - UNWRITTEN):
        group, field = path.split(".")
        owner = getattr(rules.play if hasattr(rules.play, group) else rules, group)
        hint = typing.get_type_hints(type(owner))[field]
        if typing.get_origin(hint) is Literal:
            assert set(typing.get_args(hint)) == set(words), path
        else:
            assert OTHER in words, path


@pytest.mark.parametrize("name", engine_rules.all_rules())
def test_each_sentence_of_a_page_names_its_clause_and_silences_are_named(run: Runner, name: str) -> None:
    page = run("rules", "show", name, "--json").json
    rules = engine_rules.load_rules(name)
    for sentence in page["sentences"]:
        if sentence["field"] in rules.sources:
            assert sentence["clause"] == rules.sources[sentence["field"]].clause
        assert sentence["clause"].startswith((f"{rules.document}/1.", "A-", "5.", "ours"))
        assert "{" not in sentence["text"]
    text = " ".join(run("rules", "show", name).out.split())
    assert all(f"{one['text']} [{one['clause']}]" in text for one in page["sentences"])


@pytest.mark.parametrize("name", engine_rules.all_rules())
def test_a_page_fits_a_wall(run: Runner, name: str) -> None:
    """Within 80 columns, and as Markdown with a heading for each of its parts."""
    assert max(map(len, run("rules", "show", name).out.splitlines())) <= 80
    marked = run("rules", "show", name, "--format", "markdown").out
    parts = {sentence["section"] for sentence in run("rules", "show", name, "--json").json["sentences"]}
    assert {f"### {part}" for part in parts} <= set(marked.splitlines())


# What documents 000 and 003 say otherwise about runs, closing, ties and the packs; sections of the matrix.
FOURNIER = {
    "run.most": ("A run has at most 13 cards.", "A run may be of any length."),
    "trio.naturals": ("A trio has 1 or more cards that are not jokers.", "A trio may be of jokers alone."),
    "table.cut": ("The player before the dealer cuts.", "The player after the dealer cuts."),
    "bonus.same_turn": ("in the same turn scores 0.", "in the same turn scores -10."),
    "pack.jokers": ("2 in each pack", "3 in each pack"),
    "claim.penalty": ("from the penalty stock", "the top one of the stock"),
}


def test_two_rule_sets_differ_in_what_their_documents_say_otherwise(run: Runner) -> None:
    found = {row["field"]: row for row in run("rules", "diff", "fournier", "oficial", "--json").json}
    for field, (fournier, oficial) in FOURNIER.items():
        assert fournier in found[field]["one"]["text"]
        assert oficial in found[field]["other"]["text"]
    assert {"run.least", "trio.least", "values.joker", "closing.all_placed"}.isdisjoint(found)


@pytest.mark.parametrize(
    ("variant", "field"),
    [
        ("minus50", "bonus.same_turn"),
        ("claims3", "claim.limit"),
        ("super", "hands.order"),
        ("round-values", "values.ranks"),
        ("distinct", "laying.distinct"),
    ],
)
def test_a_variant_differs_from_its_rule_set_in_its_field_alone(run: Runner, variant: str, field: str) -> None:
    found = run("rules", "diff", "oficial", f"oficial+{variant}", "--json").json
    assert [row["field"] for row in found] == [field]


@pytest.mark.parametrize(
    ("rules", "message", "unsaid"),
    [
        ("oficial+scaled", "EEE -70", "in the same turn scores -10"),
        ("oficial+only-minus10", "only in the turn in which one lays down", "down before that turn"),
        ("fournier", "the other serves for both", "In that draw the ace is low"),
        ("fournier+extended", "Packs of 52 cards: 2; from hand 3 on: 3.", "With 3 to 4 players"),
        ("oficial+no-jokers", "There are no jokers.", "Jk"),
        ("oficial+no-jokers", "begins the discards. [003/1.4]", "joker."),
        ("oficial+no-jokers", "A run takes cards at its two ends only; its cards never move.", "joker of"),
        ("oficial+no-jokers", "A trio is 3 or more cards", "o jokers. [003/1"),
        ("knock", "not in a hand begun by two", "penalty card"),
    ],
)
def test_a_page_does_not_contradict_itself(run: Runner, rules: str, message: str, unsaid: str) -> None:
    page = " ".join(run("rules", "show", rules).out.split())
    assert message in page
    assert unsaid not in page


TOLD = [
    # What people at a table must know of a turn, as each document has it or where it is silent.
    ("oficial", "The player after the dealer plays first.", "003/1.4"),
    ("oficial", "A turn begins with a draw: the top discard or the top card of the stock.", "003/1.5"),
    ("oficial", "It ends with one card discarded.", "003/1.5"),
    ("oficial", "the last card of a hand face down; what touches the pile stays there.", "003/1.5"),
    ("oficial", "If several players want the card, the one whose turn comes first gets it.", "003/1.6"),
    ("oficial", "then it is covered, and gone for this hand.", "003/1.6"),
    ("oficial", "No new melds are laid later; cards are only added to those on the table.", "003/1.8"),
    ("oficial", "A run that a joker leaves keeps 4 or more cards, all in order.", "003/1.9"),
    ("oficial", "A joker in a trio stays there, and none goes back to a hand.", "003/1.9"),
    ("fournier", "The player after the dealer plays first.", "000/1.4"),
    ("fournier", "then it is covered, and gone for this hand.", "A-11, 5.1"),
    ("fournier", "No new melds are laid later; cards are only added to those on the table.", "A-16"),
    ("fournier", "With 2 to 4 players: 2; from hand 3 on: 3.", ""),
    ("fournier", "With 5 to 8 players: 2; from hand 3 on: 3; from hand 5 on: 4.", "000/1.1, A-02"),
    ("continental-rummy", "If several players want the card, the one whose turn comes first gets it.", "002/1.6"),
    ("continental-rummy", "A run that a joker leaves keeps 4 or more cards, all in order.", "A-20"),
    ("continental-rummy", "The player who draws the lowest card deals first.", "002/1.4"),
    ("zoliky", "A turn begins with a draw: the top discard or the top card of the stock.", "004/1.5"),
    ("zoliky", "No new melds are laid later; cards are only added to those on the table.", "004/1.8"),
    ("zoliky", "Trios of one rank may stand side by side, and so may runs of one suit.", "004/1.7, A-16b"),
    ("zoliky", "When something goes wrong at a table: `tourney rules ruling`", "004/1.12"),
    ("knock", "The player after the dealer plays first, and draws from the stock.", "001/1.5"),
    ("knock", "Nobody lays down, and nobody lays cards off: when a hand ends all show their cards.", "001/1.8"),
    ("knock", "Jokers. With 2 to 4 players: 4 in all. With 5 players: 5 in all. With 6 players: 6 in all.", "001/1.1"),
    ("knock", "The game ends after hand 500 at the latest; then the lowest score wins the pot.", "ours"),
]


@pytest.mark.parametrize(("rules", "text", "clause"), TOLD)
def test_a_page_says_how_a_turn_goes_and_where_that_stands(run: Runner, rules: str, text: str, clause: str) -> None:
    page = " ".join(run("rules", "show", rules).out.split())
    assert f"{text} [{clause}]" in page if clause else text in page


@pytest.mark.parametrize(
    ("rules", "unsaid"),
    [
        ("zoliky", ("covered", "If several want", "keeps 4", "face down")),
        ("fournier", ("keeps 4", "face down", "drawn again")),
        ("continental-rummy", ("face down",)),
        ("knock", ("face down", "new melds", "covered")),
        ("oficial+no-jokers", ("a joker", "A joker", "Two jokers", "Jokers", "no jokers. [003/1", "but for jokers")),
    ],
)
def test_a_page_is_silent_on_what_its_rules_do_not_have(run: Runner, rules: str, unsaid: tuple[str, ...]) -> None:
    page = " ".join(run("rules", "show", rules).out.split())
    assert [words for words in unsaid if words in page] == []


@pytest.mark.parametrize("name", engine_rules.all_rules())
def test_every_page_ends_with_what_its_marks_mean(run: Runner, name: str) -> None:
    """Each kind of mark that the pages bear is named; a programs' page has none of it."""
    page = " ".join(run("rules", "show", name).out.split())
    assert "Marks that begin with A- or 5. are decisions of this program where the documents are silent" in page
    assert "“ours” are rules of its own" in page
    clauses = ", ".join(
        sentence["clause"] for sentence in run("rules", "show", name, "--json").json["sentences"]
    ).split(", ")
    ours = [clause for clause in clauses if not re.fullmatch(r"00\d/1\.\d+", clause)]
    assert all(clause.startswith(("A-", "5.")) or clause == "ours" for clause in ours)


@pytest.mark.parametrize(
    ("base", "points"),
    [("oficial", -10), ("oficial+minus50", -50)],
)
def test_a_bonus_for_some_contracts_leaves_the_others_theirs(
    run: Runner, tmp_path: Path, base: str, points: int
) -> None:
    """The page and the difference tell both, as the sheets have both."""
    rules = club(tmp_path, base, 'bonus.same_turn_by_contract [["TT", -25]]')
    page = " ".join(run("rules", "show", rules).out.split())
    assert "Laid down and closed in one turn, by contract: TT -25. [club]" in page
    assert f"Laid down and closed in one turn in any other hand: {points}. [003/" in page
    assert f"in the same turn scores {points}" not in page
    found = {row["field"]: row for row in run("rules", "diff", base, rules, "--json").json}
    assert set(found) == {"bonus.same_turn_by_contract", "bonus.same_turn"}
    assert f"any other hand: {points}." in found["bonus.same_turn"]["other"]["text"]


def test_a_bonus_for_hands_that_are_not_played_says_nothing(run: Runner, tmp_path: Path) -> None:
    rules = club(tmp_path, "oficial", 'bonus.same_turn_by_contract [["TTTT", -25]]')
    assert run("rules", "diff", "oficial", rules, "--json").json == []


@pytest.mark.parametrize(
    ("field", "one", "many"),
    [
        ("claim.limit", "At most one claim for", "At most 2 claims for"),
        ("stock.shuffles", "once a hand", "at most 2 times a hand"),
        ("closing.held", "of 1 point or none", "of 2 points or less"),
    ],
)
def test_one_of_a_thing_is_singular(run: Runner, tmp_path: Path, field: str, one: str, many: str) -> None:
    for number, wording in ((1, one), (2, many)):
        page = " ".join(run("rules", "show", club(tmp_path, "oficial", f"{field} {number}")).out.split())
        assert wording in page


def test_a_red_two_s_points_stand_by_their_own_decision(run: Runner) -> None:
    """A-34: no document gives them; 003/1.2 gives the other values."""
    found = run("rules", "diff", "oficial", "oficial+red-twos", "--json").json
    assert {row["field"]: row["other"]["clause"] for row in found} == {
        "pack.wild_twos": "003/2.13",
        "values.wild_two": "A-34",
    }
    assert all(row["one"] is None for row in found)


@pytest.mark.parametrize(("one", "other"), list(permutations(engine_rules.all_rules(), 2)))
def test_no_sentence_differs_from_itself(run: Runner, one: str, other: str) -> None:
    """Check that what two families of rules have in common is one rule, and that each section stands once."""
    rows = run("rules", "diff", one, other, "--json").json
    sides = [{row[side]["text"] for row in rows if row[side]} for side in ("one", "other")]
    assert sides[0] & sides[1] == set()
    sections = [row["section"] for row in rows]
    assert len(list(groupby(sections))) == len(set(sections))


def test_the_families_say_of_the_stock_the_same_and_of_the_dead_hand_not(run: Runner) -> None:
    found = {row["field"]: row for row in run("rules", "diff", "oficial", "knock", "--json").json}
    assert {"stock.shuffles", "hand.shuffles", "hand.dead_hand"}.isdisjoint(found)
    assert found["ending.dead_hand"]["one"]["clause"] == found["ending.dead_hand"]["other"]["clause"] == "A-39"
    assert found["hands.order"]["other"]["text"] == "Cards dealt to each, every hand: 10."


def test_a_rule_set_is_played_like_itself(run: Runner) -> None:
    assert run("rules", "diff", "knock", "knock").out == "knock and knock\n\nNo differences.\n"


def test_the_list_of_rules(run: Runner) -> None:
    assert run("rules", "list", "--json").json[0] == {
        "id": "oficial",
        "document": "003",
        "title": "Reglamento oficial del Continental",
        "family": "contract",
        "players": {"least": 2, "most": 4},
        "variants": list(engine_rules.variants_of("oficial")),
    }
