"""Tests of the markers that divide the tests: each test is run by some command, and the list of long ones is true."""

import ast
import re
import tomllib
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest

from tests.harness.long_tests import listed, long_tests

ROOT = Path(__file__).resolve().parents[1]
MARKERS = ("long", "slow", "soak")


def expressions(command: str) -> list[str]:
    """Return the expressions by which the commands of a script choose tests."""
    return re.findall(r'pytest"? [^\n]*-m "?([\w ]+?)"?(?: \|\||\s*\\?\n)', (ROOT / command).read_text("utf-8"))


def default() -> str:
    """Return the expression of pytest's settings, which the command of the README takes."""
    options = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]["addopts"]
    return re.findall(r"-m '(.*?)'", options)[0]


def runs(expression: str, markers: Mapping[str, bool]) -> bool:
    """Return whether an expression chooses a test with these markers."""
    return bool(eval(expression, {"__builtins__": {}}, dict(markers)))


@pytest.mark.parametrize("has", list(product([False, True], repeat=len(MARKERS))), ids=str)
def test_every_test_is_run_by_a_command(has: tuple[bool, ...]) -> None:
    """Tests that take hours are run every night, and the others for every change."""
    markers = dict(zip(MARKERS, has, strict=True))
    every_change, every_night = [default(), *expressions(".ci/run")], expressions(".ci/nightly")
    assert len(every_change) == 4
    assert len(every_night) == 2
    is_slow = markers["slow"] or markers["soak"]
    assert any(runs(expression, markers) for expression in every_change) != is_slow
    assert any(runs(expression, markers) for expression in every_night)


def test_each_test_that_is_listed_as_long_is_there() -> None:
    functions = {
        f"{path.relative_to(ROOT).as_posix()}::{node.name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef)
    }
    assert listed() - functions == set()


def test_a_test_is_long_by_the_mean_of_its_cases_or_by_what_one_has_made(tmp_path: Path) -> None:
    """The means are 0.5 and 0.6 s; of `made` one case took 2 s of a mean of 0.52, and of `many` one of five."""
    times = {"quick": [0.4, 0.6], "slow": [0.6, 0.6], "made": [2, 0, 0, 0.08], "many": [2, 0, 0, 0, 0]}
    cases = "".join(
        f'<testcase classname="tests.a" name="test_{name}[{at}]" time="{each}"/>'
        for name, seconds in times.items()
        for at, each in enumerate(seconds)
    )
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    assert list(long_tests(report)) == ["tests/a.py::test_slow", "tests/a.py::test_made"]
