"""The proof of each level that has one, by its name."""

from collections.abc import Callable, Sequence
from typing import Final

from tourney.bots.walls.levels import SANDBOX
from tourney.bots.walls.proof import prove
from tourney.bots.walls.sandbox import sandbox

Prover = Callable[[str, Sequence[str]], tuple[str, ...]]
"""Returns the probes that got through; it is given the journal, and files of bots."""


def _sandbox(journal: str, others: Sequence[str]) -> tuple[str, ...]:
    return prove(sandbox(), journal, others).leaks


PROVERS: Final[dict[str, Prover]] = {SANDBOX.name: _sandbox}
"""The proofs by the names of their levels."""
