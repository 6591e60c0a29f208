"""Check that the tests of every clause fail with its mutant: a wrong rule in a rules file or in an engine module."""

from collections import defaultdict

import pytest

from tests.harness.engine import clause_kills, mutants

CLAUSES_OF: dict[str, list[str]] = defaultdict(list)
for _clause, _mutant in clause_kills.recorded_kills().items():
    CLAUSES_OF[_mutant].append(_clause)


# All recorded mutants; every test run tries one of forty, which shows that mutants are still made and detected.
MUTANTS = [
    pytest.param(mutant, marks=[] if number % 40 == 0 else pytest.mark.soak)
    for number, mutant in enumerate(sorted(CLAUSES_OF))
]


def test_every_listed_clause_has_a_recorded_mutant() -> None:
    assert sorted(clause_kills.recorded_kills()) == sorted(clause_kills.listed_clauses())


def test_every_recorded_mutant_can_still_be_made() -> None:
    """A function that is renamed or split leaves its mutants without a place, and their clauses without a check."""
    for mutant in CLAUSES_OF:
        if mutant.split(" ")[0].endswith(".toml"):
            mutants.mutated_file(mutant)
        else:
            mutants.MutatedModule(mutant)


@pytest.mark.soak
def test_nearly_every_mutant_breaks_a_rule_of_its_clause_s_section() -> None:
    """The mutated field or function names the clause's section or our decision; at most 20 clauses are exceptions."""
    exceptions = [
        clause
        for clause, mutant in clause_kills.recorded_kills().items()
        if not clause_kills.breaks_related_rule(clause, mutant)
    ]
    assert len(exceptions) <= 20, exceptions


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_tests_of_a_mutant_s_clauses_fail_with_it(mutant: str) -> None:
    assert clause_kills.failing_clauses(mutant, CLAUSES_OF[mutant]) == set(CLAUSES_OF[mutant])
