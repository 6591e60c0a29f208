"""A plugin of pytest: run the tests of some clauses against a mutant, and write down which clauses noticed.

MUTANT names the mutant, the file MUTANT_CLAUSES lists the clauses (all, if it is not set), and the file MUTANT_NOTICED
is written: the clauses of the tests that failed, a line each.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.engine import mutants

_noticed: set[str] = set()

if "MUTANT" in os.environ:
    mutants.apply(os.environ["MUTANT"])


def _clauses(item: pytest.Item) -> set[str]:
    return {clause for mark in item.iter_markers("clause") for clause in mark.args}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    wanted = os.environ.get("MUTANT_CLAUSES")
    listed = None if wanted is None else set(Path(wanted).read_text(encoding="utf-8").split())
    items[:] = [item for item in items if (found := _clauses(item)) and (listed is None or found & listed)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.failed:
        _noticed.update(_clauses(item))
    return report


def pytest_sessionfinish() -> None:
    noticed = os.environ.get("MUTANT_NOTICED")
    if noticed is not None:
        Path(noticed).write_text("\n".join(sorted(_noticed)), encoding="utf-8")
