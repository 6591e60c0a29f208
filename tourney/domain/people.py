"""Players: people, and bots' seats."""

from dataclasses import dataclass
from typing import Literal

PlayerKind = Literal["person", "bot"]


PublishedAs = Literal["name", "other name", "nothing"]
"""The name by which rankings show a person: their own, another one, or none."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person, or a bot's seat such as `greedy-1`. `id` is 1, 2, 3 … in the order of registration."""

    id: int
    name: str
    kind: PlayerKind = "person"
    label: str = ""
    club: str = ""

    @property
    def shown(self) -> str:
        """The name as it is shown: `Ana`, or `Ana (Getxo)` where a label tells two people apart."""
        return f"{self.name} ({self.label})" if self.label else self.name
