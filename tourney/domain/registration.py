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
    """A person before and after a renaming; `ahead` has the tables that a new club changes if clubs are kept apart."""

    before: Player
    after: Player
    ahead: tuple[EventPlanChanges, ...] = ()


@dataclass(frozen=True, slots=True)
class EventGames:
    """An event's name, and the number of a player's games in it that count."""

    event: str
    games: int


@dataclass(frozen=True, slots=True)
class Merged:
    """Two registrations merged into `keep`: `moved` are the events of `gone`, `ahead` is as in `Renamed`."""

    keep: Player
    gone: Player
    moved: tuple[EventGames, ...]
    ahead: tuple[EventPlanChanges, ...] = ()


@dataclass(frozen=True, slots=True)
class Erased:
    """A person whose name was erased, before and after, and the numbers of events and games that remain.

    `backups` are the files in `tourney-backups` that still hold the name, `pools` the pools whose imported files do,
    `mirrors` the mirrors that are away, and lose the name only when they are back.
    """

    before: Player
    after: Player
    events: int
    games: int
    backups: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    mirrors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A player with the events entered (names, in the order of the events), games counted, tables won.

    `namesakes` are others of the same name, each with a label. `published` is the name that rankings show, None
    if they do not show the player.
    """

    player: Player
    events: tuple[str, ...]
    games: int
    wins: int
    namesakes: tuple[Player, ...] = ()
    published: str | None = None
