"""Every clause has a wrong rule that its tests notice: in a file of rules, or in a module that reads them."""

from collections import defaultdict

import pytest

from tests.harness.engine import clause_kills

CLAUSES_OF: dict[str, list[str]] = defaultdict(list)
for _clause, _mutant in clause_kills.known().items():
    CLAUSES_OF[_mutant].append(_clause)


# All mutants, nine of ten of them for the long run alone.
MUTANTS = [
    pytest.param(mutant, marks=[] if number % 10 == 0 else pytest.mark.soak)
    for number, mutant in enumerate(sorted(CLAUSES_OF))
]


def test_every_clause_has_its_mutant() -> None:
    assert sorted(clause_kills.known()) == sorted(clause_kills.listed())


def test_nearly_every_mutant_breaks_a_rule_of_its_clause_s_own_section() -> None:
    """A field or function that names the section or our decision; few clauses have only a mutant that is related."""
    others = [clause for clause, mutant in clause_kills.known().items() if not clause_kills.own(clause, mutant)]
    assert len(others) <= 20, others


@pytest.mark.parametrize("mutant", MUTANTS)
def test_the_tests_of_its_clauses_notice_the_mutant(mutant: str) -> None:
    assert clause_kills.noticed(mutant, CLAUSES_OF[mutant]) == set(CLAUSES_OF[mutant])
