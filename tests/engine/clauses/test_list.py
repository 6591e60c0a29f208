"""The lists of clauses and the tests agree: every clause has a test and every test's clause is listed."""

import importlib
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.engine import kills

FOLDER = Path(__file__).parent
TESTS = FOLDER.parents[1]
LISTS = {
    file.stem.removeprefix("document-"): tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted(FOLDER.glob("document-*.toml"))
}
# Sentences of each document were counted by hand; a list shorter than this has lost some.
LEAST = {"000": 80, "001": 60, "002": 60, "003": 180, "004": 52}


@cache
def marked() -> Counter[str]:
    """How many tests bear each clause; a line of a parametrised test counts as one."""
    found: Counter[str] = Counter()
    for file in kills.bearers():
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


def test_the_five_documents_have_their_lists() -> None:
    assert set(LISTS) == set(LEAST)


@pytest.mark.parametrize("document", sorted(LEAST))
def test_every_clause_has_a_test_and_every_test_its_clause(document: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The ids of the list and the ids on the tests are the same."""
    listed = {**LISTS[document]["clauses"], **LISTS[document]["silent"]}
    tested = {clause: tests for clause, tests in marked().items() if clause.startswith(f"{document}/")}
    assert sorted(set(listed) - set(tested)) == [], "clauses without a test"
    assert sorted(set(tested) - set(listed)) == [], "tests of clauses that are not listed"
    assert len(listed) >= LEAST[document]
    with capsys.disabled():
        sys.stdout.write(f" {len(listed)} clauses of document {document}, borne by {sum(tested.values())} tests ")


@pytest.mark.parametrize("document", sorted(LEAST))
def test_no_clause_is_listed_twice_and_all_are_of_this_document(document: str) -> None:
    """Ids read document/section/name, and what is outside the engine is no clause of it."""
    parts = [set(LISTS[document].get(part, {})) for part in ("clauses", "silent", "outside")]
    assert sum(map(len, parts)) == len(set.union(*parts))
    for name in set.union(*parts):
        first, section, word = name.split("/")
        assert (first, word) == (document, word.lower())
        assert section.split(".")[0] in ("1", "2")
    assert all(entry["silent"] and entry["says"] for entry in LISTS[document]["silent"].values())
