"""Rule sets for tests: the text of a rule set's file with some of its fields changed."""

from collections.abc import Mapping
from importlib import resources
from itertools import combinations

from engine.rules import Rules, parse_rules, variants_of
from tests.harness.engine.mutants import with_field

OFICIAL_TEXT = (resources.files("engine") / "rulesets" / "oficial.toml").read_text(encoding="utf-8")

CONTRADICTIONS = [
    ("minus50", "scaled"),
    ("no-jokers", "two-jokers"),
    ("no-jokers", "red-twos"),
    ("only-minus10", "last-minus10"),
]
"""Variants of document 003 that contradict each other: section 5.10 of the decisions."""


def pairs() -> list[str]:
    """Return the names of the official rules with each pair of variants that do not contradict each other."""
    variant_pairs = combinations(variants_of("oficial"), 2)
    return [
        f"oficial+{first}+{second}"
        for first, second in variant_pairs
        if (first, second) not in CONTRADICTIONS and (second, first) not in CONTRADICTIONS
    ]


def rules_with(changes: Mapping[str, str]) -> Rules:
    """Return the official rules with fields changed; `changes` maps a path (`run.most`) to a value as TOML text."""
    return changed_rules("oficial", changes)


def changed_rules(base: str, changes: Mapping[str, str]) -> Rules:
    """Return the built-in rule set `base` with fields changed, as in `rules_with`."""
    text = (resources.files("engine") / "rulesets" / f"{base}.toml").read_text(encoding="utf-8")
    for path, value in changes.items():
        text = with_field(text, path, value)
    return parse_rules(text, "changed")
