"""The build under test gives what plain Python gives, bit for bit."""

import subprocess
import sys
from pathlib import Path

from tests import same_bits

ROOT = Path(__file__).resolve().parents[1]


def test_games_arrangements_standings_and_ratings_are_those_of_the_plain_sources() -> None:
    """The sources are run by another process, which shows besides that nothing hangs on a process's own hashes."""
    words = [sys.executable, "-m", "tests.same_bits"]
    plain = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "kind='sources'" in plain.stderr
    assert same_bits.digests() == plain.stdout
