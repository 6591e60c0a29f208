"""Players, and what acts on them did."""

from dataclasses import dataclass
from typing import Literal

PlayerKind = Literal["person", "bot"]


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
        """The name everybody uses: `Ana`, or `Ana (Getxo)` where a label tells two people apart."""
        return f"{self.name} ({self.label})" if self.label else self.name


@dataclass(frozen=True, slots=True)
class Registered:
    """What a registration did: players new to the program, and those it knew already."""

    added: tuple[Player, ...]
    known: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Renamed:
    """A person before and after a renaming."""

    before: Player
    after: Player


@dataclass(frozen=True, slots=True)
class EventGames:
    """An event by its name, and how many of its tables that count a player has sat at."""

    event: str
    games: int


@dataclass(frozen=True, slots=True)
class Merged:
    """Two entries of one person, now one: `moved` are the events that `gone` had entered."""

    keep: Player
    gone: Player
    moved: tuple[EventGames, ...]


@dataclass(frozen=True, slots=True)
class Erased:
    """A person whose name is gone: who it was, what the program says instead, and what remains.

    `backups` are the files in `tourney-backups` that still hold the name.
    """

    before: Player
    after: Player
    events: int
    games: int
    backups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A player with the events entered (names, in the order of the events), games counted, tables won.

    `namesakes` are others of the same name, whom a label tells apart.
    """

    player: Player
    events: tuple[str, ...]
    games: int
    wins: int
    namesakes: tuple[Player, ...] = ()
