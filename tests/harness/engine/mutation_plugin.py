"""A pytest plugin that runs the tests of some clauses against a mutant and writes the clauses whose tests fail.

Three environment variables set it up. MUTANT names the mutant. MUTANT_CLAUSES is the path of a file that lists the
clauses (all, if it is not set). MUTANT_NOTICED is the path to which the clauses of the failed tests are written, a
line each.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.engine import mutants

_failed_clauses: set[str] = set()

if "MUTANT" in os.environ:
    mutants.apply(os.environ["MUTANT"])


def _clauses(item: pytest.Item) -> set[str]:
    return {clause for mark in item.iter_markers("clause") for clause in mark.args}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    clauses_file = os.environ.get("MUTANT_CLAUSES")
    listed = None if clauses_file is None else set(Path(clauses_file).read_text(encoding="utf-8").split())
    items[:] = [item for item in items if (clauses := _clauses(item)) and (listed is None or clauses & listed)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed:
        _failed_clauses.update(_clauses(item))
    return report


def pytest_sessionfinish() -> None:
    output = os.environ.get("MUTANT_NOTICED")
    if output is not None:
        Path(output).write_text("\n".join(sorted(_failed_clauses)), encoding="utf-8")
