"""The words of a tournament as frozen values. No input, no output, no other module of ours."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

PlayerKind = Literal["person", "bot"]
Format = Literal["rotation"]
Short = Literal["short tables", "sit out"]
Mode = Literal["save", "dry run"]
ResultState = Literal["counts", "void"]
PoolKind = Literal["people", "bots", "joint", "imported"]


class ExitCode(IntEnum):
    """What the program's exit code says."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    STORAGE = 5
    INTERRUPTED = 130


class TourneyError(Exception):
    """One clear line for a person: what is wrong and where, and as `hint` what to do next."""

    def __init__(self, code: ExitCode, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


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
class EventSettings:
    """What an organiser decides about an event. `minimum` games for a rank; None: half the rounds."""

    name: str
    rules: str
    format: Format = "rotation"
    rounds: int = 5
    size: int = 4
    seed: str = "1"
    short: Short = "short tables"
    minimum: int | None = None
    date: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One tournament: its settings, the digest of its rules and who plays, in the order of entry."""

    id: int
    settings: EventSettings
    rules_digest: str
    entrants: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A game's place in an event; players in seat order, first dealer first."""

    round: int
    number: int
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round: its tables, and who sits out."""

    number: int
    tables: tuple[Table, ...]
    sitting_out: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One line of a table's sheet as it was declared, players by their seat (0 first).

    `closer` and `at_once` may be left open (None): then 0 or a bonus among the points says so. `left` gives
    a player's cards instead of his points.
    """

    contract: str
    points: Mapping[int, int]
    closer: int | None = None
    at_once: bool | None = None
    dead: bool = False
    left: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HandScore:
    """One hand as it counts: points by seat, who closed (None: a dead hand), whether in one turn."""

    contract: str
    points: tuple[int, ...]
    closer: int | None
    at_once: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a game gave: per seat the total points, hands won and place (1 best; equal places are ties)."""

    hands: tuple[HandScore, ...]
    points: tuple[int, ...]
    hands_won: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A table's outcome in its event; `record_digest` names the record of a game that the engine played.

    A void result has an empty outcome. `reason` says why it was corrected or made void.
    """

    event: str
    table: Table
    outcome: Outcome
    record_digest: str = ""
    state: ResultState = "counts"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings; `rank` is None below the event's minimum of games.

    `average` is points per game. `why` says in one sentence what put the player here, rather than beside
    the player above.
    """

    rank: int | None
    player: Player
    points: int
    hands_won: int
    games: int
    average: float
    why: str = ""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A row of the ratings; `score` is mu − 3 sigma, `change` what the last game did to it."""

    rank: int
    player: str
    mu: float
    sigma: float
    score: float
    games: int
    wins: int
    change: float


@dataclass(frozen=True, slots=True)
class DeclaredHand:
    """One hand of a sheet as people write it, players by name; the fields of `SheetHand` otherwise."""

    contract: str
    points: Mapping[str, int]
    closer: str | None = None
    at_once: bool | None = None
    dead: bool = False
    left: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Registered:
    """What a registration did: players new to the program, and those it knew already."""

    added: tuple[Player, ...]
    known: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Entered:
    """What an entry did: entrants new to the event, those it had already, and people registered with it."""

    event: Event
    added: tuple[Player, ...]
    already: tuple[Player, ...] = ()
    registered: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A player with the events entered (names, in the order of the events), games counted, tables won."""

    player: Player
    events: tuple[str, ...]
    games: int
    wins: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """Drawn rounds of an event; `done` has (round, table) of each table with a result, `void` of those made void."""

    event: Event
    rounds: tuple[Round, ...]
    done: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()
    void: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Play:
    """Tables that the engine has just played, and drawn tables still waiting for a sheet."""

    event: Event
    results: tuple[Result, ...]
    waiting: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """Standings of an event after `round` (None: all). `head` is the journal's last hash."""

    event: Event
    round: int | None
    rows: tuple[Standing, ...]
    notes: tuple[str, ...]
    head: str


@dataclass(frozen=True, slots=True)
class Pool:
    """A set of results rated together; parameters as text, so that no digit is lost."""

    name: str
    kind: PoolKind
    mu: str
    sigma: str
    beta: str
    tau: str
    draw: str


@dataclass(frozen=True, slots=True)
class RatingsTable:
    """Ratings of a pool, best score first. `head` is the journal's last hash."""

    pool: Pool
    rows: tuple[RatingRow, ...]
    notes: tuple[str, ...]
    head: str


@dataclass(frozen=True, slots=True)
class ImportedEvent:
    """An evening kept elsewhere, brought in: its event and how many tables it had."""

    event: Event
    tables: int


@dataclass(frozen=True, slots=True)
class ImportedRatings:
    """A results file brought into a pool: games rated, players met, rows read; `skipped` games of one."""

    pool: Pool
    games: int
    players: int
    rows: int
    skipped: int


@dataclass(frozen=True, slots=True)
class Check:
    """What `db check` found: nothing wrong if `problems` is empty."""

    problems: tuple[str, ...]
    acts: int
    head: str


@dataclass(frozen=True, slots=True)
class Upgrade:
    """A migration of the database's schema; no backup if nothing had to be done."""

    before: str
    after: str
    backup: str = ""
