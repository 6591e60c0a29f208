"""The list of clauses and the tests agree: every clause has a test and every test's clause is listed."""

import importlib
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
LIST = tomllib.loads((FOLDER / "document-003.toml").read_text(encoding="utf-8"))


def marked() -> Counter[str]:
    """How many tests bear each clause; a line of a parametrised test counts as one."""
    found: Counter[str] = Counter()
    for file in sorted(FOLDER.glob("test_*.py")):
        module = importlib.import_module(f"tests.engine.clauses.{file.stem}")
        for name, test in vars(module).items():
            if name.startswith("test_"):
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


def test_every_clause_has_a_test_and_every_test_its_clause(capsys: pytest.CaptureFixture[str]) -> None:
    """The ids of the list and the ids on the tests are the same."""
    listed, tested = {**LIST["clauses"], **LIST["silent"]}, marked()
    assert sorted(set(listed) - set(tested)) == [], "clauses without a test"
    assert sorted(set(tested) - set(listed)) == [], "tests of clauses that are not listed"
    assert len(listed) >= 120
    with capsys.disabled():
        sys.stdout.write(f" {len(listed)} clauses of document 003, borne by {tested.total()} tests ")


def test_no_clause_is_listed_twice_and_all_are_of_this_document() -> None:
    """Ids read document/section/name, and what is outside the engine is no clause of it."""
    parts = [set(LIST[part]) for part in ("clauses", "silent", "outside")]
    assert sum(map(len, parts)) == len(set.union(*parts))
    for name in set.union(*parts):
        document, section, word = name.split("/")
        assert (document, section.split(".")[0], word) == ("003", "1", word.lower())
        assert 1 <= int(section.split(".")[1]) <= 10
    assert all(entry["silent"] and entry["says"] for entry in LIST["silent"].values())
