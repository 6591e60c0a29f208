"""Plan random play: 100,000 actions, a quarter of them in every test run, and ten times as many in the soak tests."""

from engine.rules import variants_of
from tests.harness.engine.rule_texts import pairs

MIN_ACTIONS = 100_000
"""The least number of actions of the whole plan."""
LONG_FACTOR = 10
"""The long run has this many times the actions of the plan."""
SHORT_PART = 4
"""Every test run has one of this many actions of each rule set, and one of this many pairs of variants."""

RULE_SETS = {"oficial": 18_000, "fournier": 14_000, "continental-rummy": 14_000, "zoliky": 14_000}
"""The actions for each contract rule set; under each every kind of event must happen often."""
KNOCK = 18_000
"""The actions of the knock game."""
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
"""The actions for three variants that change one part of the rules."""


def planned_actions() -> int:
    """Return the number of actions of the whole plan."""
    return KNOCK + sum(sum(part.values()) for part in (RULE_SETS, VARIANTS, PAIRS, COMBINED))
