"""References to the rules that are played."""

from dataclasses import dataclass
from typing import Final, Literal

Family = Literal["contract", "knock"]
"""The families of games: each hand has its contract, or players knock."""
USUAL_RULES: Final = "oficial"
"""The rules that are meant where none are named; a new event has these rules, too."""


@dataclass(frozen=True, slots=True)
class RulesRef:
    """A rule set as events and leagues keep it.

    `digest` identifies its exact values; `text` is the whole text of a club's own rules, and empty where the rules
    are built in.
    """

    id: str
    digest: str = ""
    text: str = ""
