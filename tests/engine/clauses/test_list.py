"""Check that the lists of clauses and the marks of tests agree."""

import importlib
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from engine.rules import load_rules
from tests.harness.engine import clause_kills

FOLDER = Path(__file__).parent
TESTS = FOLDER.parents[1]
LISTS = {
    file.stem.removeprefix("document-"): tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted(FOLDER.glob("document-*.toml"))
}
# The sentences of each document, counted by hand: a list may not have fewer clauses.
MIN_CLAUSES = {"000": 80, "001": 60, "002": 60, "003": 180, "004": 52}


@cache
def clause_counts() -> Counter[str]:
    """Return how many tests are marked with each clause; a parameter set with a mark of its own counts as a test."""
    found: Counter[str] = Counter()
    for file in clause_kills.clause_test_files():
        name = ".".join(("tests", *file.relative_to(TESTS).with_suffix("").parts))
        for word, test in vars(importlib.import_module(name)).items():
            if word.startswith("test_"):
                found.update(_clauses(getattr(test, "pytestmark", [])))
    return found


def _clauses(marks: list[pytest.Mark]) -> list[str]:
    found: list[str] = []
    for mark in marks:
        if mark.name == "clause":
            found += mark.args
        elif mark.name == "parametrize":
            for line in mark.args[1]:
                found += _clauses(list(getattr(line, "marks", [])))
    return found


def test_each_of_the_five_documents_has_a_list() -> None:
    assert set(LISTS) == set(MIN_CLAUSES)


@pytest.mark.parametrize("document", sorted(MIN_CLAUSES))
def test_every_clause_has_a_test_and_every_test_its_clause(document: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Check that the clauses of the list and the clauses on the tests are the same."""
    listed = {**LISTS[document]["clauses"], **LISTS[document]["silent"]}
    tested = {clause: tests for clause, tests in clause_counts().items() if clause.startswith(f"{document}/")}
    assert sorted(set(listed) - set(tested)) == [], "clauses without a test"
    assert sorted(set(tested) - set(listed)) == [], "tests of clauses that are not listed"
    assert len(listed) >= MIN_CLAUSES[document]
    with capsys.disabled():
        sys.stdout.write(f" {len(listed)} clauses of document {document}, marked on {sum(tested.values())} tests ")


@pytest.mark.parametrize("document", sorted(MIN_CLAUSES))
def test_no_clause_is_listed_twice_and_all_are_of_this_document(document: str) -> None:
    """Check that ids have the form document/section/name, and that no id is in two parts of the list."""
    parts = [set(LISTS[document].get(part, {})) for part in ("clauses", "silent", "outside")]
    assert sum(map(len, parts)) == len(set.union(*parts))
    for name in set.union(*parts):
        first, section, word = name.split("/")
        assert (first, word) == (document, word.lower())
        assert section.split(".")[0] in ("1", "2")
    assert all(entry["silent"] and entry["says"] for entry in LISTS[document]["silent"].values())


# A field of a rule set, and the clause of its document's list that decides it.
FIELD_CLAUSES = [
    ("fournier", "jokers.move", "000/1.9/no-moves"),
    ("fournier", "jokers.swap", "000/1.9/swap-any-owner"),
    ("fournier", "trio.most", "000/1.7/trio-most"),
    ("fournier", "trio.naturals", "000/1.7/no-trio-of-jokers"),
    ("fournier", "run.jokers_adjacent", "000/1.7/adjacent-jokers"),
    ("fournier", "stock.penalty_share", "000/1.4/penalty-share"),
    ("fournier", "claim.own_discard", "000/1.6/own-discard"),
    ("fournier", "claim.when_down", "000/1.6/when-down"),
    ("fournier", "laying.lay_off", "000/1.8/lay-off-own"),
    ("fournier", "laying.distinct", "000/1.8/two-runs-of-a-suit"),
    ("fournier", "ending.tie", "000/1.10/tie-shared"),
    ("continental-rummy", "claim.who", "002/1.6/anyone-else"),
    ("continental-rummy", "claim.own_discard", "002/1.6/own-discard"),
    ("continental-rummy", "claim.when_down", "002/1.6/when-down"),
    ("continental-rummy", "bonus.same_turn", "002/1.10/in-one-turn"),
    ("continental-rummy", "ending.tie", "002/1.10/tie-shared"),
    ("oficial", "claim.own_discard", "003/1.6/own-discard"),
    ("oficial", "claim.when_down", "003/1.6/when-down"),
    ("oficial", "laying.first_turn", "003/1.8/first-turn"),
    ("oficial", "discarding.taken", "003/1.5/discard-just-drawn"),
    ("oficial", "discarding.jokers", "003/1.5/discard-jokers"),
    ("oficial", "jokers.freed", "003/1.9/swap-other-run-of-owner"),
    ("zoliky", "claim.who", "004/1.6/no-claims"),
    ("zoliky", "run.least", "004/1.7/run-four"),
    ("zoliky", "laying.distinct", "004/1.7/several-trios-of-a-rank"),
    ("zoliky", "laying.lay_off", "004/1.8/onto-melds-only"),
    ("zoliky", "trio.least", "004/1.7/trio-three-or-more"),
    ("zoliky", "laying.longer_melds", "004/1.7/longer-trio"),
]


@pytest.mark.parametrize(("name", "path", "clause"), FIELD_CLAUSES)
def test_a_field_and_its_clause_name_the_same_source(name: str, path: str, clause: str) -> None:
    """Check that field and clause name the same decision where the document is silent, or else the same section."""
    rules = load_rules(name)
    listed, source = LISTS[rules.document], rules.sources[path]
    if source.silent:
        assert listed["silent"][clause]["silent"].removeprefix("section ") == source.clause
    else:
        assert listed["clauses"][clause]
        assert source.clause.split(",")[0] == clause.rpartition("/")[0]
