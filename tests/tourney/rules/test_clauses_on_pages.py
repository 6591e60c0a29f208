"""Tests that the pages of rules are complete: each clause of a document stands on its page, or in a list of exceptions.

The clauses are those of `tests/engine/clauses`; `clauses_on_pages.toml` says which sentence has which of them.
"""

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import rules as engine_rules
from tests.harness.commands import Runner
from tourney.domain.rules import RulesRef
from tourney.rulebook import rules_page
from tourney.rulebook.answers import Sentence, VariantRule
from tourney.rulebook.decisions import DECISIONS
from tourney.rulebook.rule_sentences import COMMON, FAMILY, TOGETHER
from tourney.rulebook.rules_page import VARIANTS
from tourney.rulebook.rulesets import resolve

LISTS = Path(__file__).parents[2] / "engine" / "clauses"
PLACES = tomllib.loads((Path(__file__).parent / "clauses_on_pages.toml").read_text(encoding="utf-8"))
NAMES = {engine_rules.load_rules(name).document: name for name in engine_rules.all_rules()}


@cache
def listed(document: str) -> dict[str, Any]:
    """Return every clause of the document's list, with the decision that it needs, if any, as `silent`."""
    lists = tomllib.loads((LISTS / f"document-{document}.toml").read_text(encoding="utf-8"))
    return {clause: said for part in ("clauses", "silent", "outside") for clause, said in lists.get(part, {}).items()}


def placed(document: str) -> dict[str, str]:
    """Return the field of the sentence for each clause of the document that its page has."""
    fields = {field: clauses for field, clauses in PLACES[document].items() if field != "left-out"}
    return {f"{document}/{clause}": field for field, clauses in fields.items() for clause in clauses.split()}


def left_out(document: str, clause: str) -> str:
    """Return why the page leaves out a clause, or its whole section; empty if it does not."""
    reasons = PLACES[document].get("left-out", {})
    section, _slash, name = clause.removeprefix(f"{document}/").rpartition("/")
    found: str = reasons.get(f"{section}/{name}", reasons.get(section, ""))
    return found


@cache
def sentences_on_page(document: str) -> dict[str, tuple[Sentence, ...]]:
    """Return the sentences by field of the rule set's page, its tables and the pages of its variants."""
    name = NAMES[document]
    found: dict[str, list[Sentence]] = {}
    for each in ("", *(f"+{variant}" for variant in engine_rules.variants_of(name))):
        rules = engine_rules.load_rules(name + each)
        for sentence in (*rules_page.page(RulesRef(rules.id, rules.digest)).sentences, *tables(rules)):
            found.setdefault(sentence.field, []).append(sentence)
    return {field: tuple(sentences) for field, sentences in found.items()}


def tables(rules: engine_rules.Rules) -> list[Sentence]:
    """Return the fields that the page shows as tables, as sentences without words."""
    paths = ("hands.order", "values.ranks", "values.joker", "values.wild_two")
    return [Sentence("", "", rules.clause(path), path) for path in paths if path in rules.sources]


@pytest.mark.parametrize("document", sorted(NAMES))
def test_every_clause_stands_on_its_page_or_in_the_list_of_exceptions(document: str) -> None:
    """Check that each clause has exactly one place, a reason if it is left out, and that no place is out of date."""
    clauses, places = listed(document), placed(document)
    assert [clause for clause in clauses if (clause in places) == bool(left_out(document, clause))] == []
    assert sorted(set(places) - set(clauses)) == [], "no such clause"
    sections = {clause.removeprefix(f"{document}/").rpartition("/")[0] for clause in clauses}
    reasons = PLACES[document].get("left-out", {})
    assert [key for key in reasons if f"{document}/{key}" not in clauses and key not in sections] == []
    named = " ".join(text for field, text in PLACES[document].items() if field != "left-out").split()
    assert [clause for clause, times in Counter(named).items() if times > 1] == []


@pytest.mark.parametrize("document", sorted(NAMES))
def test_the_sentence_of_a_clause_is_there_and_refers_to_its_section_or_to_our_decision(document: str) -> None:
    """A clause that another reference covers is in the list of these, and no other clause is."""
    elsewhere = []
    for clause, field in placed(document).items():
        assert field in sentences_on_page(document), (clause, field)
        said = listed(document)[clause]
        asked = clause.rpartition("/")[0] if isinstance(said, str) else said["silent"].removeprefix("section ")
        references = [mark for sentence in sentences_on_page(document)[field] for mark in sentence.clause.split(", ")]
        elsewhere += [] if asked in references else [clause]
    assert elsewhere == [clause for clause in PLACES["elsewhere"].split() if clause.startswith(f"{document}/")]


@pytest.mark.parametrize("document", sorted(NAMES))
def test_no_sentence_without_a_field_can_vanish(document: str) -> None:
    """A document's file has the clause of every such sentence of its family, or says why its page lacks it."""
    rules = engine_rules.load_rules(NAMES[document])
    paths = {path for table in (COMMON | FAMILY[rules.kind]).values() for path in table}
    without_field = paths - set(rules.sources) - set(TOGETHER)
    written, lacking = engine_rules.page_clauses(document), engine_rules.unwritten(document)
    assert set(written) | set(lacking) == without_field
    assert set(written) & set(lacking) == set()
    assert all(lacking.values())
    assert all(written.values())


def test_a_club_that_allows_claims_gets_the_sentences_that_its_document_never_needed(
    run: Runner, tmp_path: Path
) -> None:
    """Document 004 has no claims; the page of a club that adds them to `zoliky` says how they are made."""
    file = tmp_path / "claims.toml"
    fields = {"claim.who": '"anyone"', "claim.penalty": '"stock"', "claim.own_discard": '"allowed"'}
    changes = "".join(f'"{field}" = {{ is = {value}, clause = "club" }}\n' for field, value in fields.items())
    file.write_text(f'id = "claims"\nbase = "zoliky"\ntitle = "Claims"\n[set]\n{changes}', encoding="utf-8")
    fields_told = {sentence["field"] for sentence in run("rules", "show", str(file), "--json").json["sentences"]}
    assert {"claim.owes", "claim.first", "claim.covered", "claim.once", "claim.none_left"} <= fields_told


def all_names() -> list[str]:
    """Return the built-in rule sets, each alone and with each of its variants."""
    return [
        name + each
        for name in engine_rules.all_rules()
        for each in ("", *(f"+{variant}" for variant in engine_rules.variants_of(name)))
    ]


@pytest.mark.parametrize("name", all_names())
def test_every_reference_of_a_page_resolves(name: str) -> None:
    """Each part of a sentence's clause has its words, a quotation or our decision; so has that of each variant."""
    page = rules_page.page(resolve(name), quoted=True)
    cited: list[Sentence | VariantRule] = [*page.sentences, *page.variants]
    for each in cited:
        for reference in each.clause.split(", "):
            assert f"{reference}: " in each.words, (each.text, reference)


@pytest.mark.parametrize("document", sorted(NAMES))
def test_quotations_are_short_and_all_used(document: str) -> None:
    """A quotation has at most 160 characters, and stands for a sentence of some page."""
    file = Path(rules_page.__file__).parent / "documents" / f"{document}.toml"
    quoted = tomllib.loads(file.read_text(encoding="utf-8"))
    used = {
        (reference, sentence.field)
        for sentences in sentences_on_page(document).values()
        for sentence in sentences
        for reference in sentence.clause.split(", ")
    }
    for section, words in quoted.items():
        for field, text in words.items():
            assert 0 < len(text) <= 160, (section, field, len(text))
            assert (f"{document}/{section}", field) in used, (section, field)


def test_every_decision_is_of_a_mark_that_the_engine_explains() -> None:
    """Each mark has a row in the tables of the engine's page, where its reason stands."""
    rows = {line.split("|")[1].strip() for line in _engine_page().splitlines() if line.startswith("|")}
    assert set(DECISIONS) <= rows


def _engine_page() -> str:
    return (Path(engine_rules.__file__).parents[1] / "SILENT.md").read_text(encoding="utf-8")


def numbers(entry: Any) -> set[int]:
    """Return every number in a table or list of a rules file."""
    if isinstance(entry, dict | list):
        return set().union(*map(numbers, entry.values() if isinstance(entry, dict) else entry))
    return {entry} if isinstance(entry, int) else set()


@pytest.mark.parametrize("name", engine_rules.all_rules())
def test_each_variant_is_a_sentence_with_the_numbers_of_its_rules(name: str) -> None:
    """A number of the sentence is one of the variant's values, or of those that it replaces."""
    folder = Path(engine_rules.__file__).parents[1] / "rulesets"
    table = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
    assert {variant for base, variant in VARIANTS if base == name} == set(engine_rules.variants_of(name))
    for variant in rules_page.variants(name):
        change = table["variants"][variant.id]
        changed = [path.split(".") for part in ("set", "before", "after") for path in change.get(part, {})]
        allowed = numbers(change) | numbers([table[group][field] for group, field in changed])
        assert {int(number) for number in re.findall(r"-?\d+", variant.text)} <= allowed, variant.id
        assert variant.text.endswith(".")


def test_what_counts_when_two_bonuses_meet_is_on_the_page(run: Runner) -> None:
    """003/2.6 and 2.8 together: A-32 says that the bonus better for the closer counts."""
    page = " ".join(run("rules", "show", "oficial+all-placed50+scaled").out.split())
    assert "of two, the one that is better for the closer counts, whenever they laid down. [A-32]" in page
    variants = " ".join(run("rules", "show", "oficial").out.split())
    assert "as in all-placed50+scaled, they do not add up: the one that is better for the closer counts." in variants
    assert "Not together: last-minus10 and only-minus10, minus50 and scaled, no-jokers and two-jokers" in variants


def test_contracts_have_the_names_of_slips_and_once_those_of_the_document(run: Runner) -> None:
    """Document 003 writes TET, ETE and EEET; slips, sheets and questions, as document 000, TTE, TEE and TEEE."""
    shown = run("rules", "show", "oficial+super+scaled").out
    assert re.findall("([TE]+) \\(([TE]+)\\)", shown) == [("TTE", "TET"), ("TEE", "ETE"), ("TEEE", "EEET")]
    assert Counter(re.findall("[TE]+", shown)) >= Counter(TET=1, ETE=1, EEET=1, TTE=2, TEE=2, TEEE=1, TTEE=1)
    assert len(re.findall("TET|ETE|EEET", shown)) == 3
    data = run("rules", "show", "oficial", "--json").json
    assert [hand["contract"] for hand in data["hands"]][4:6] == ["TTE", "TEE"]


def test_quote_shows_the_words_of_a_clause_and_where_they_come_from(run: Runner) -> None:
    page = " ".join(run("rules", "show", "oficial", "--quote").out.split())
    assert "the top one of the stock. [003/1.6: “robando además como penalización la carta superior del mazo”]" in page
    assert "[003/2.10: “No permitir a cada jugador robar de contra más de tres veces por juego.”]" in page
    assert "the closer counts. [A-32: Document 003 does not say what two bonuses together are worth" in page
    assert "[A-10: No document says whether the discard just taken may be discarded again: it may." in page
    assert "Document 003: Reglamento oficial del Continental" in page
    rows = run("rules", "show", "oficial", "--quote", "--json").json["sentences"]
    assert all(row["words"] for row in rows)
    assert "words" not in run("rules", "show", "oficial", "--json").json["sentences"][0]


def test_fournier_has_its_own_words_on_the_longest_trio_beside_our_ruling(run: Runner) -> None:
    page = " ".join(run("rules", "show", "fournier").out.split())
    assert "“four cards in each deck plus two jokers”, and we take two jokers for each deck. [000/1.7, A-13]" in page
