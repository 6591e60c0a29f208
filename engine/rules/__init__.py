"""Rules documents as frozen data.

A rule set is a TOML file in `engine/rulesets/`; a name such as `oficial+scaled` means a rule set with variants applied
to it; a path that ends in .toml is a club's own file.
"""

from engine.rules.loading import (
    Variant,
    all_rules,
    club_rules,
    listed_variants,
    load_rules,
    named_rules,
    page_clauses,
    unwritten,
    variants_of,
    with_hands,
    written_contracts,
)
from engine.rules.reading import parse_rules, write_rules
from engine.rules.values import ENGINE_RULES, ClubWord, Contracts, Knocking, Rules, Source

__all__ = [
    "ENGINE_RULES",
    "ClubWord",
    "Contracts",
    "Knocking",
    "Rules",
    "Source",
    "Variant",
    "all_rules",
    "club_rules",
    "listed_variants",
    "load_rules",
    "named_rules",
    "page_clauses",
    "parse_rules",
    "unwritten",
    "variants_of",
    "with_hands",
    "write_rules",
    "written_contracts",
]
