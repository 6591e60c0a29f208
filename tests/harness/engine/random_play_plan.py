"""The plan of random play: 100,000 actions in CI over all rule sets, ten times as many in the long run."""

from engine.rules import variants_of
from tests.harness.engine.rule_texts import pairs

IN_ALL = 100_000
"""The number of actions that the plan has at least."""
LONG = 10
"""The factor by which the long run has more actions."""

RULE_SETS = {"oficial": 14_000, "fournier": 14_000, "continental-rummy": 14_000, "zoliky": 14_000}
"""The contract rule sets; under each everything must have happened often."""
KNOCK = 18_000
VARIANTS = {f"{base}+{name}": 1_000 for base in ("oficial", "fournier") for name in variants_of(base)}
VARIANTS |= {"oficial+super": 1_500, "fournier+extended": 1_500}
PAIRS = dict.fromkeys(pairs(), 60)
COMBINED = dict.fromkeys(
    (
        *("oficial+close5+only-minus10+scaled", "oficial+red-twos+distinct+super", "oficial+super+openers+red-twos"),
        *("oficial+no-joker-discard+no-own-claim+claims3", "oficial+red-twos+two-jokers+last-minus10"),
    ),
    200,
)
"""Three variants that meet in one mechanic."""


def planned() -> int:
    """Return the actions of the whole plan."""
    return KNOCK + sum(sum(part.values()) for part in (RULE_SETS, VARIANTS, PAIRS, COMBINED))
