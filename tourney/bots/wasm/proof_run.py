"""The proof of the level `wasm`: hostile modules, run in a process of their own, behind the wall of a launcher."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import Final

from tourney.bots.faults import DIED, BotFault
from tourney.bots.isolation.enclosure import Walled
from tourney.bots.isolation.levels import SANDBOX
from tourney.bots.isolation.proof import promised, prove, refused
from tourney.bots.isolation.sandbox import Bubblewrap
from tourney.bots.process import Child
from tourney.bots.wasm import proof

HOSTILE_MODULES: Final = Path(__file__).with_name("proof.py")
SECONDS: Final = 60.0
ENDED_WELL: Final = "ended with exit code 0"


def prove_modules(walled: Walled, journal: str, others: Sequence[str]) -> tuple[str, ...]:
    """Return the probes that got through a module's launcher; `journal` and `others` are files that it may not read.

    Where launchers have a sandbox, its own probes are tried, too. Raises TourneyError REFUSED if they do not come to an
    end.
    """
    found = dict(line.split("\t") for line in _lines(walled, journal, next(iter(others), journal)))
    if found.pop(proof.CONTROL, "") != "open" or set(found) != set(proof.probes(journal, journal)):
        raise refused(proof.CONTROL)
    leaks = [name for name, result in found.items() if result != "closed"]
    in_sandbox = isinstance(walled.wall, Bubblewrap)
    return (*leaks, *(prove(walled, journal, others, promised(SANDBOX, walled.wall)).leaks if in_sandbox else ()))


def _lines(walled: Walled, journal: str, bot: str) -> Iterator[str]:
    """Yield what the hostile modules' process says."""
    try:
        child = Child(walled.probed_by((sys.executable, "-I", str(HOSTILE_MODULES), journal, bot), ()))
    except OSError as error:
        raise refused(str(error.strerror)) from None
    until = monotonic() + SECONDS
    try:
        while True:
            yield child.receive(until)
    except BotFault as fault:
        if fault.kind is not DIED or not str(fault).startswith(ENDED_WELL):
            raise refused(str(fault)) from None
    finally:
        child.kill()
