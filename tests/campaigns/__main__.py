"""Run campaigns and print a row of the table of `tests/CAMPAIGNS.md` for each: `python -m tests.campaigns [NAME]…`.

Exit code 0 if every promise held, 1 if one did not, 2 for an unknown name, 3 on a machine that lacks what one needs.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from tests.campaigns import (
    damaged,
    forged,
    full_disk,
    hostile_bots,
    killed,
    long_life,
    lost_power,
    machines,
    mutated_inputs,
    refused,
    set_clock,
    writers,
)
from tests.campaigns.attacks import all_doors
from tests.campaigns.campaign import Campaign, LackingError

CAMPAIGNS: dict[str, Campaign] = {
    each.name: each
    for each in (
        killed.CAMPAIGN,
        lost_power.CAMPAIGN,
        damaged.CAMPAIGN,
        forged.CAMPAIGN,
        writers.CAMPAIGN,
        full_disk.CAMPAIGN,
        refused.CAMPAIGN,
        set_clock.CAMPAIGN,
        long_life.CAMPAIGN,
        mutated_inputs.CAMPAIGN,
        hostile_bots.CAMPAIGN,
        machines.CAMPAIGN,
        all_doors.CAMPAIGN,
    )
}


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaigns that are named, or all; return the exit code."""
    parser = argparse.ArgumentParser("python -m tests.campaigns", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(CAMPAIGNS)}; all if none is named")
    parser.add_argument("--part", type=float, default=1.0, help="the part of the whole count, as 0.01 every night")
    parser.add_argument("--seed", type=int, default=7, help="what is drawn by chance follows from it")
    options = parser.parse_args(words)
    unknown = [name for name in options.names if name not in CAMPAIGNS]
    if unknown:
        parser.error(f"there is no campaign {', '.join(unknown)}; there are {', '.join(CAMPAIGNS)}")
    if not 0 < options.part <= 1:
        parser.error("--part is a number above 0, and at most 1")
    worst = 0
    for name in options.names or CAMPAIGNS:
        try:
            results = CAMPAIGNS[name].run(options.part, options.seed)
        except LackingError as lacking:
            sys.stderr.write(f"error: {name} was not tried: {lacking}\n")
            worst = max(worst, 3)
            continue
        for result in results:
            sys.stdout.write(f"| {name} | {result.tried:,} | {result.text} | {datetime.now(UTC):%Y-%m-%d} |\n")
            for fault in result.faults[:100]:
                sys.stdout.write(f"    {fault}\n")
            sys.stdout.flush()
            worst = max(worst, 1 if result.faults or not result.tried else 0)
    return worst


if __name__ == "__main__":
    sys.exit(main())
