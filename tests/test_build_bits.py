"""The build under test gives the same results as plain Python, bit for bit."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import same_bits
from tests.harness.slow import slow

ROOT = Path(__file__).resolve().parents[1]


QUICK = ("records", "league")


@pytest.mark.parametrize("part", [*QUICK, *slow(part for part in same_bits.PARTS if part not in QUICK)])
def test_results_are_those_of_the_plain_sources(part: str) -> None:
    """Another process runs the sources, with other string hashes: no result may depend on those."""
    command = [sys.executable, "-m", "tests.same_bits", part]
    plain = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "kind='sources'" in plain.stderr
    assert same_bits.digests(part) == plain.stdout
