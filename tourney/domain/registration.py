"""The register of people, and the outcomes of changes to it."""

from dataclasses import dataclass

from tourney.domain.people import Player
from tourney.domain.rounds import EventPlanChanges


@dataclass(frozen=True, slots=True)
class Registered:
    """Registrations: players new to the program, and those registered before."""

    added: tuple[Player, ...]
    known: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Renamed:
    """A person before and after a renaming; `ahead` has what another club changes where clubs are kept apart."""

    before: Player
    after: Player
    ahead: tuple[EventPlanChanges, ...] = ()


@dataclass(frozen=True, slots=True)
class EventGames:
    """An event by its name, and how many of its tables that count a player has sat at."""

    event: str
    games: int


@dataclass(frozen=True, slots=True)
class Merged:
    """Two registrations of one person, now one: `moved` are the events of `gone`, `ahead` is as in `Renamed`."""

    keep: Player
    gone: Player
    moved: tuple[EventGames, ...]
    ahead: tuple[EventPlanChanges, ...] = ()


@dataclass(frozen=True, slots=True)
class Erased:
    """A person whose name was erased: the person before and after, and what remains.

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
