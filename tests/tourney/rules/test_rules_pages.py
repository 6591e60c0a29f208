"""Tests of `rules show` and `rules diff`: the page of a rule set, and the differences of two, follow the documents."""

import re
import typing
from itertools import groupby, permutations
from pathlib import Path
from typing import Literal

import pytest

from engine import rules as engine_rules
from tests.harness.clubs import club
from tests.harness.commands import Runner
from tourney.rulebook.rule_sentences import COMMON, FAMILY, FOR_PROGRAMS, OTHER, TOGETHER

# Fields that a page shows in its tables, or inside another field's sentence.
SHOWN_ELSEWHERE = {"pack.jokers_counted", "hands.order", "values.ranks", "values.joker", "values.wild_two"}
# Document 003, values of the cards left in hand.
VALUES = dict(zip("A23456789TJQK", (20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))


WITHOUT_FIELD = {
    path
    for name in engine_rules.all_rules()
    for path in engine_rules.page_clauses(engine_rules.load_rules(name).document)
} | set(TOGETHER)
"""The paths of the sentences that no rules field decides alone."""


def test_the_page_has_the_hands_values_and_packs_of_the_document(run: Runner) -> None:
    """Compare with sections 1.1 to 1.3 of document 003."""
    data = run("rules", "show", "oficial", "--json").json
    assert data["players"] == {"least": 2, "most": 4}
    assert (data["packs"], data["jokers"]) == (2, 6)
    contracts = ["TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE"]
    assert data["hands"] == [{"contract": name, "deal": deal} for deal, name in enumerate(contracts, 7)]
    assert data["values"] == {**VALUES, "Jk": 50}


@pytest.mark.parametrize(
    ("rules", "rows"),
    [
        ("oficial", ["Joker 50", "Ace 20", "K, Q, J, 10 10", "9, 8, 7, 6, 5, 4, 3, 2 their number"]),
        ("fournier", ["Joker 50", "Ace 20", "K, Q, J, 10, 9, 8 10", "7, 6, 5, 4, 3, 2 5"]),
        ("oficial+no-jokers+round-values", ["Ace 20", "K, Q, J, 10, 9, 8 10", "7, 6, 5, 4, 3, 2 5"]),
        ("knock", ["Joker 20", "Ace 15", "K, Q, J, 10 10", "9, 8, 7, 6, 5, 4, 3, 2 their number"]),
    ],
)
def test_cards_of_one_value_share_a_row_under_their_names(run: Runner, rules: str, rows: list[str]) -> None:
    """Documents 000, 001 and 003, section 1.2: a five that counts 5 as a six does is not one that counts its number."""
    lines = [" ".join(line.split()) for line in run("rules", "show", rules).out.splitlines()]
    heading = lines.index("Values") + 2
    assert lines[heading : heading + len(rows) + 1] == [*rows, ""]


@pytest.mark.parametrize("name", ["oficial", "knock"])
def test_every_rules_field_has_a_sentence_for_every_value(name: str) -> None:
    """A field or a value that is added to the rules needs its sentence."""
    rules = engine_rules.load_rules(name)
    page_words = {path: words for table in (COMMON | FAMILY[rules.kind]).values() for path, words in table.items()}
    assert set(rules.sources) - SHOWN_ELSEWHERE == set(page_words) - WITHOUT_FIELD
    for path, words in ((path, page_words[path]) for path in set(page_words) - WITHOUT_FIELD):
        group, field = path.split(".")
        owner = getattr(rules.play if hasattr(rules.play, group) else rules, group)
        hint = typing.get_type_hints(type(owner))[field]
        if typing.get_origin(hint) is Literal:
            assert set(typing.get_args(hint)) == set(words), path
        else:
            assert isinstance(words, str) or OTHER in words, path


@pytest.mark.parametrize("name", engine_rules.all_rules())
def test_each_sentence_of_a_page_names_its_clause(run: Runner, name: str) -> None:
    page = run("rules", "show", name, "--json").json
    rules = engine_rules.load_rules(name)
    for sentence in page["sentences"]:
        if sentence["field"] in rules.sources:
            assert sentence["clause"].startswith(rules.sources[sentence["field"]].clause)
        assert sentence["clause"].startswith((f"{rules.document}/1.", "A-", "5.", "ours"))
        assert "{" not in sentence["text"]
    text = " ".join(run("rules", "show", name).out.split())
    told = [sentence for sentence in page["sentences"] if sentence["field"] not in FOR_PROGRAMS]
    assert all(f"{sentence['text']} [{sentence['clause']}]" in text for sentence in told)


@pytest.mark.parametrize("name", engine_rules.all_rules())
def test_a_page_fits_eighty_columns_and_has_headings_as_markdown(run: Runner, name: str) -> None:
    """The Markdown has a heading for each section of the JSON."""
    assert max(map(len, run("rules", "show", name).out.splitlines())) <= 80
    marked = run("rules", "show", name, "--format", "markdown").out
    sections = {sentence["section"] for sentence in run("rules", "show", name, "--json").json["sentences"]}
    assert {f"### {section}" for section in sections} <= set(marked.splitlines())


# The sentences by field in which documents 000 and 003 differ, about melds, the cut, bonuses, packs and claims.
DIFFERENCES = {
    "run.most": ("A run has at most 13 cards, none of them twice.", "A run may be of any length."),
    "trio.naturals": ("A trio has at least one card that is not a joker.", "Jokers alone may be a trio"),
    "table.cut": ("The player before the dealer cuts.", "The player after the dealer cuts."),
    "bonus.same_turn": ("in the same turn scores 0.", "in the same turn scores -10."),
    "pack.jokers": ("2 in each pack", "3 in each pack"),
    "claim.penalty": ("from the penalty stock", "the top one of the stock"),
}


def test_two_rule_sets_differ_where_their_documents_do(run: Runner) -> None:
    differences = {row["field"]: row for row in run("rules", "diff", "fournier", "oficial", "--json").json}
    for field, (fournier, oficial) in DIFFERENCES.items():
        assert fournier in differences[field]["one"]["text"]
        assert oficial in differences[field]["other"]["text"]
    assert {"run.least", "trio.least", "values.joker", "closing.all_placed"}.isdisjoint(differences)


@pytest.mark.parametrize(
    ("variant", "field"),
    [
        ("minus50", "bonus.same_turn"),
        ("claims3", "claim.limit"),
        ("super", "hands.order"),
        ("red-twos", "pack.wild_twos"),
        ("distinct", "laying.distinct"),
    ],
)
def test_a_variant_differs_from_its_rule_set_only_in_its_field(run: Runner, variant: str, field: str) -> None:
    differences = run("rules", "diff", "oficial", f"oficial+{variant}", "--json").json
    assert {row["about"] for row in differences} == {field}
    assert next(row for row in differences if row["field"] == field)


@pytest.mark.parametrize(
    ("rules", "text", "absent"),
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
def test_a_page_does_not_contradict_itself(run: Runner, rules: str, text: str, absent: str) -> None:
    page = " ".join(run("rules", "show", rules).out.split())
    assert text in page
    assert absent not in page


TURN_SENTENCES = [
    # Sentences about a turn, with the clause of the document, or of the decision where the document is silent.
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
    ("zoliky", "several trios of one rank, several runs of one suit.", "004/1.7, A-16b"),
    ("zoliky", "When something goes wrong at a table: `tourney rules ruling`", "004/1.12"),
    ("knock", "The player after the dealer plays first, and draws from the stock.", "001/1.5"),
    ("knock", "the last player left wins the pot, and deals the first hand of the next game.", "001/1.11"),
    ("zoliky", "trios may be longer than the minimum, runs not.", "004/1.7, 5.11"),
    ("knock", "Nobody lays down, and nobody lays cards off: when a hand ends all show their cards.", "001/1.8"),
    ("continental-rummy", "Jokers: 2 in all.", "002/1.1, A-03"),
    ("knock", "Jokers. With 2 to 4 players: 4 in all. With 5 players: 5 in all. With 6 players: 6 in all.", "001/1.1"),
    *(
        (rules, "When something goes wrong at a table: `tourney rules ruling`", "")
        for rules in ("oficial", "fournier", "continental-rummy", "knock")
    ),
    ("knock", "The game ends after hand 500 at the latest; then the lowest score wins the pot.", "ours"),
]


@pytest.mark.parametrize(("rules", "text", "clause"), TURN_SENTENCES)
def test_a_page_describes_a_turn_with_its_clauses(run: Runner, rules: str, text: str, clause: str) -> None:
    page = " ".join(run("rules", "show", rules).out.split())
    assert f"{text} [{clause}]" in page if clause else text in page


@pytest.mark.parametrize(
    ("rules", "absent"),
    [
        ("zoliky", ("covered", "If several want", "keeps 4", "face down")),
        ("fournier", ("keeps 4", "last card of a hand", "drawn again")),
        ("continental-rummy", ("face down", "horse")),
        ("knock", ("face down", "new melds", "covered")),
        ("oficial+no-jokers", ("a joker", "A joker", "Two jokers", "Jokers", "no jokers. [003/1", "but for jokers")),
        ("oficial", ("A red two", "holding cards that add up", "can no longer close", "do not count. [A-33]")),
    ],
)
def test_a_page_does_not_mention_what_its_rules_do_not_have(run: Runner, rules: str, absent: tuple[str, ...]) -> None:
    page = " ".join(run("rules", "show", rules).out.split())
    assert [words for words in absent if words in page] == []


@pytest.mark.parametrize("name", engine_rules.all_rules())
def test_every_page_explains_its_marks(run: Runner, name: str) -> None:
    """Every mark of a sentence is a clause of a document or of a kind that the page explains."""
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
def test_a_bonus_for_some_contracts_leaves_that_of_the_others(
    run: Runner, tmp_path: Path, base: str, points: int
) -> None:
    """The page and the differences have both bonuses."""
    rules = club(tmp_path, base, 'bonus.same_turn_by_contract [["TT", -25]]')
    page = " ".join(run("rules", "show", rules).out.split())
    assert "Laid down and closed in one turn, by contract: TT -25. [club]" in page
    assert f"Laid down and closed in one turn in any other hand: {points}. [003/" in page
    assert f"in the same turn scores {points}" not in page
    differences = {row["field"]: row for row in run("rules", "diff", base, rules, "--json").json}
    assert set(differences) == {"bonus.same_turn_by_contract", "bonus.same_turn"}
    assert f"any other hand: {points}." in differences["bonus.same_turn"]["other"]["text"]


def test_a_bonus_for_a_hand_that_is_not_played_makes_no_difference(run: Runner, tmp_path: Path) -> None:
    rules = club(tmp_path, "oficial", 'bonus.same_turn_by_contract [["TTTT", -25]]')
    assert run("rules", "diff", "oficial", rules, "--json").json == []


@pytest.mark.parametrize(
    ("field", "singular", "plural"),
    [
        ("claim.limit", "At most one claim for", "At most 2 claims for"),
        ("stock.shuffles", "once a hand", "at most 2 times a hand"),
        ("closing.held", "that add up to 1 or nothing", "that add up to 2 or less"),
    ],
)
def test_sentences_with_the_number_one_are_singular(
    run: Runner, tmp_path: Path, field: str, singular: str, plural: str
) -> None:
    for number, wording in ((1, singular), (2, plural)):
        page = " ".join(run("rules", "show", club(tmp_path, "oficial", f"{field} {number}")).out.split())
        assert wording in page


def test_the_points_of_red_twos_have_their_own_clause(run: Runner) -> None:
    """No document gives these points, so the clause is A-34; 003/1.2 gives the other values."""
    differences = run("rules", "diff", "oficial", "oficial+red-twos", "--json").json
    assert {row["field"]: row["other"]["clause"] for row in differences} == {
        "pack.wild_twos": "003/2.13",
        "pack.natural_twos": "5.7",
        "pack.twos_as_jokers": "5.7",
        "values.wild_two": "A-34",
    }
    assert all(row["one"] is None for row in differences)


@pytest.mark.parametrize(("one", "other"), list(permutations(engine_rules.all_rules(), 2)))
def test_no_difference_has_the_same_sentence_on_both_sides(run: Runner, one: str, other: str) -> None:
    """Rules that both sets have are no difference, even in two families; each section appears once."""
    rows = run("rules", "diff", one, other, "--json").json
    sides = [{row[side]["text"] for row in rows if row[side]} for side in ("one", "other")]
    assert sides[0] & sides[1] == set()
    sections = [row["section"] for row in rows]
    assert len(list(groupby(sections))) == len(set(sections))


def test_both_families_agree_on_the_stock_and_differ_on_the_dead_hand(run: Runner) -> None:
    differences = {row["field"]: row for row in run("rules", "diff", "oficial", "knock", "--json").json}
    assert {"stock.shuffles", "hand.shuffles", "hand.dead_hand"}.isdisjoint(differences)
    assert (
        differences["ending.dead_hand"]["one"]["clause"] == differences["ending.dead_hand"]["other"]["clause"] == "A-39"
    )
    assert differences["hands.order"]["other"]["text"] == "Cards dealt to each, every hand: 10."


def test_a_rule_set_does_not_differ_from_itself(run: Runner) -> None:
    assert run("rules", "diff", "knock", "knock").out == "knock and knock\n\nNo differences.\n"


def test_the_list_of_rule_sets(run: Runner) -> None:
    assert run("rules", "list", "--json").json[0] == {
        "id": "oficial",
        "document": "003",
        "title": "Reglamento oficial del Continental",
        "family": "contract",
        "players": {"least": 2, "most": 4},
        "variants": list(engine_rules.variants_of("oficial")),
    }
