"""Mutated input of each kind, in this process: a result or a short refusal at once, and never an error of ours."""

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import tourney
from tests.campaigns.campaign import Campaign, LackingError, Result, share_of

if TYPE_CHECKING:
    from tests.harness.bad_input.at_a_desk import Desk
    from tests.harness.bad_input.judged import Judged

CATALOGUE: Final = Path(tourney.__file__).parent / "locale" / "es" / "LC_MESSAGES" / "tourney.mo"
COUNTS: Final[Mapping[str, int]] = {
    "command lines": 30_000,
    "dialogues": 3_000,
    "files": 20_000,
    "chained files": 2_000,
    "workbooks": 5_000,
    "typed texts": 15_000,
    "conversations": 10_000,
    "requests": 15_000,
}
"""The inputs of each kind: 100,000 in all."""


def run(part: float, seed: int) -> Iterator[Result]:
    """Return an iterator that tries a part of the inputs of each kind, with a result for each.

    Raises LackingError without POSIX signals, and without the compiled catalogue of Spanish.
    """
    if sys.platform == "win32":
        raise LackingError("limits of processor time need POSIX signals")
    if not CATALOGUE.exists():
        raise LackingError("the Spanish catalogue is not compiled: install tourney from this folder first")
    return (_tried(kind, share_of(number, part), seed) for kind, number in COUNTS.items())


def _tried(kind: str, number: int, seed: int) -> Result:
    from tests.harness.bad_input.at_a_desk import at_a_desk

    with tempfile.TemporaryDirectory() as folder, at_a_desk(Path(folder)) as desk:
        judged = list(_kinds()[kind](desk, number, seed))
    refused = [each for each in judged if each.refusal is not None]
    faults = [f"{each.again}: {', '.join(each.faults)}" for each in judged if each.faults]
    longest = max((len(each.refusal or "") for each in refused), default=0)
    slowest = max((each.seconds for each in refused), default=0)
    counts = f"{kind}: {len(refused):,} refused, in at most {slowest:.1f} s and {longest} characters"
    return Result(len(judged), f"{counts}; {len(faults)} faults", tuple(map(ascii, faults)))


def _kinds() -> "Mapping[str, Callable[[Desk, int, int], Iterator[Judged]]]":
    """Return what tries the inputs of each kind; imported here, since half of it is loaded on POSIX systems alone."""
    from tests.harness.bad_input import chained, commands, conversations, files, requests, typed_texts, workbooks

    def inside(
        tried: "Callable[[Path, int, int], Iterator[Judged]]",
    ) -> "Callable[[Desk, int, int], Iterator[Judged]]":
        return lambda desk, number, seed: tried(desk.folder, number, seed)

    return {
        "command lines": commands.lines,
        "dialogues": commands.answers,
        "files": inside(files.tried),
        "chained files": inside(chained.tried),
        "workbooks": inside(workbooks.tried),
        "typed texts": inside(typed_texts.tried),
        "conversations": inside(conversations.tried),
        "requests": inside(requests.tried),
    }


CAMPAIGN = Campaign("mutated-inputs", run)
