"""Mark cases of a parametrized test as slow: every test run tries the others, and `.ci/nightly` all."""

from collections.abc import Iterable
from typing import Any

import pytest


def slow(cases: Iterable[Any]) -> list[Any]:
    """Return the cases, each marked as slow; a tuple has the values of several parameters."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def half_slow(cases: Iterable[Any]) -> list[Any]:
    """Return the cases of which every second one runs only when slow tests are asked for."""
    every = list(cases)
    return [*every[::2], *slow(every[1::2])]
