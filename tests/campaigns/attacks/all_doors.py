"""The attacks of every door as a campaign; bots that need no more than a league are in `hostile-bots`."""

import math
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from tests.campaigns.attacks.attack import Attack
from tests.campaigns.campaign import Campaign, LackingError, Result


def run(part: float, seed: int) -> Iterator[Result]:
    """Return an iterator that tries a part of the attacks, at least one at each door, with a result for each.

    Raises LackingError where processes cannot be watched as on Linux.
    """
    if sys.platform != "linux":
        raise LackingError("the attacks need Linux")
    rng = Random(seed)
    return (_tried(door, rng.sample(every, math.ceil(part * len(every)))) for door, every in _doors().items())


def _doors() -> Mapping[str, Sequence[Attack]]:
    """Return the attacks by door; imported here, since they need POSIX."""
    from tests.campaigns.attacks import bots, cluster, files, modules, requests, tables, terminal

    return {
        "bots": bots.ATTACKS,
        "modules": modules.ATTACKS,
        "files": files.ATTACKS,
        "requests": requests.ATTACKS,
        "tables": tables.ATTACKS,
        "cluster": cluster.ATTACKS,
        "terminal": terminal.ATTACKS,
    }


def _tried(door: str, attacks: Sequence[Attack]) -> Result:
    faults, through = [], 0
    for attack in attacks:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            found = attack.found(Path(folder).resolve())
        through += bool(found)
        faults += found
    return Result(len(attacks), f"{door}: {through} got through", tuple(faults))


CAMPAIGN = Campaign("attacks", run)
