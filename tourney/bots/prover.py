"""The proof of each level that has one, by its name."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tourney.bots.walls.levels import SANDBOX, WASM
from tourney.bots.walls.proof import prove, refused
from tourney.bots.walls.sandbox import sandbox
from tourney.bots.wasm import wire

Prover = Callable[[str, Sequence[str]], tuple[str, ...]]
"""Returns the probes that got through; it is given the journal, and files of bots."""

HOSTILE_MODULES: Final = Path(wire.__file__).with_name("proof.py")
SECONDS: Final = 60.0


def _sandbox(journal: str, others: Sequence[str]) -> tuple[str, ...]:
    return prove(sandbox(), journal, others).leaks


def _modules(journal: str, others: Sequence[str]) -> tuple[str, ...]:
    """Run the hostile modules in a process of their own. Raises TourneyError REFUSED if they do not come to an end."""
    command = [sys.executable, "-I", str(HOSTILE_MODULES), journal, next(iter(others), journal)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise refused(str(error)) from None
    found = dict(line.split("\t") for line in ran.stdout.splitlines())
    if ran.returncode or len(found) < 12:
        raise refused(ran.stderr.strip().rpartition("\n")[2])
    return tuple([name for name, result in found.items() if result != "closed"])


PROVERS: Final[dict[str, Prover]] = {SANDBOX.name: _sandbox, WASM.name: _modules}
"""The proofs by the names of their levels."""
