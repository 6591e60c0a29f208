"""Sixteen programs that enter results at once: none is refused, no entry lost or double, none waits for many."""

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.campaigns.campaign import Campaign, Result
from tests.harness import desk, victims
from tests.harness.crowd import seated
from tests.harness.programs import run_at_once
from tourney.service import database

PROGRAMS = 16
ENTRIES = 10_000
MOST_TURNS = 80
"""The entries of others for which one may wait: in a queue they would be 15, with equal chances about 140."""


def run(part: float, _seed: int) -> Sequence[Result]:
    """Let the programs enter the part of the results, in events of at most 512."""
    left, waits, faults = math.ceil(ENTRIES * part / PROGRAMS), [], []
    while left:
        each = min(left, 32)
        with tempfile.TemporaryDirectory() as folder:
            db = str(Path(folder) / "club.db")
            seated(db, tables=2 * each)
            outputs = run_at_once(victims.enter_queued, [(db, number, PROGRAMS, each) for number in range(PROGRAMS)])
            waits += [int(line) for output in outputs for line in output.split()]
            ((entered, different),) = desk.query(
                db,
                "SELECT count(*), count(DISTINCT json_extract(text, '$.payload.round') * 1000 "
                "+ json_extract(text, '$.payload.table')) FROM act WHERE kind = 'result.enter'",
            )
            if not entered == different == each * PROGRAMS:
                faults.append(f"{entered} entries of {different} tables for {each * PROGRAMS} results")
            faults += database.check(db).problems
        left -= each
    if max(waits) > MOST_TURNS:
        faults.append(f"one waited for {max(waits)} entries of others")
    text = f"{PROGRAMS} programs: {len(faults)} faults; the longest wait was for {max(waits)} entries of others"
    return [Result(len(waits), text, tuple(faults))]


CAMPAIGN = Campaign("writers", run)
