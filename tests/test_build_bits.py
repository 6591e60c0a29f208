"""The build under test gives the same results as plain Python, bit for bit."""

import subprocess
import sys
from pathlib import Path

from tests import same_bits

ROOT = Path(__file__).resolve().parents[1]


def test_games_arrangements_standings_and_ratings_are_those_of_the_plain_sources() -> None:
    """Another process runs the sources, with other string hashes: no result may depend on those."""
    command = [sys.executable, "-m", "tests.same_bits"]
    plain = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "kind='sources'" in plain.stderr
    assert same_bits.digests() == plain.stdout
