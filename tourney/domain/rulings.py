"""An arbiter's decisions."""

from dataclasses import dataclass
from typing import Literal

from tourney.domain.events import Event
from tourney.domain.people import Player

RulingKind = Literal["penalty", "redeal", "correction", "note"]
RulingState = Literal["stands", "cancelled"]


@dataclass(frozen=True, slots=True)
class Ruling:
    """An arbiter's decision; `number` counts from 1 in the event.

    A penalty adds `points` to the player's total; it may name a round and a table, or neither. A redeal marks the hand
    of that contract as replayed; a correction stands beside the corrected sheet; a note is text.
    """

    number: int
    event: str
    kind: RulingKind
    text: str
    round: int | None = None
    table: int | None = None
    player: Player | None = None
    hand: str = ""
    points: int = 0
    state: RulingState = "stands"
    why_cancelled: str = ""


@dataclass(frozen=True, slots=True)
class Rulings:
    """The rulings of an event in the order of their numbers, cancelled ones included."""

    event: Event
    rulings: tuple[Ruling, ...]
