"""The proof of the level `wasm`: hostile modules, run in a process of their own."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tourney.bots.isolation.proof import refused

HOSTILE_MODULES: Final = Path(__file__).with_name("proof.py")
SECONDS: Final = 60.0
FEWEST: Final = 12
"""The fewest probes of a proof."""


def prove_modules(journal: str, others: Sequence[str]) -> tuple[str, ...]:
    """Return the probes that got through; `journal` and `others` are files that no module may read.

    Raises TourneyError REFUSED if they do not come to an end.
    """
    command = [sys.executable, "-I", str(HOSTILE_MODULES), journal, next(iter(others), journal)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise refused(str(error)) from None
    found = dict(line.split("\t") for line in ran.stdout.splitlines())
    if ran.returncode or len(found) < FEWEST:
        raise refused(ran.stderr.strip().rpartition("\n")[2])
    return tuple([name for name, result in found.items() if result != "closed"])
