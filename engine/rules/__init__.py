"""Rules documents as frozen data.

A rule set is a TOML file in `engine/rulesets/`; a name such as `oficial+scaled` means a rule set with variants applied
to it; a path that ends in .toml is a club's own file.
"""

from engine.rules.loading import all_rules, club_rules, load_rules, page_clauses, variants_of
from engine.rules.reading import parse_rules, write_rules
from engine.rules.values import ENGINE_RULES, Contracts, Knocking, Rules, Source

__all__ = [
    "ENGINE_RULES",
    "Contracts",
    "Knocking",
    "Rules",
    "Source",
    "all_rules",
    "club_rules",
    "load_rules",
    "page_clauses",
    "parse_rules",
    "variants_of",
    "write_rules",
]
