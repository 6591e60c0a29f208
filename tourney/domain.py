"""The words of a tournament as frozen values. No input, no output, no other module of ours."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

PlayerKind = Literal["person", "bot"]
Format = Literal["rotation", "swiss"]
Short = Literal["short tables", "sit out"]
CheckIn = Literal["not asked", "required"]
Unfinished = Literal["count hands", "void", "penalty"]
EntrantState = Literal["entered", "checked in", "withdrawn", "no-show"]
EventState = Literal["open", "finished"]
RulingKind = Literal["penalty", "redeal", "correction", "note"]
RulingState = Literal["stands", "cancelled"]
Mode = Literal["save", "dry run"]
ResultState = Literal["counts", "void"]
Length = Literal["whole", "short"]
PoolKind = Literal["people", "bots", "joint", "imported"]
ActState = Literal["stands", "undone", "takes back", "puts back"]
FindingState = Literal["ok", "warning", "bad"]


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


class TourneyWarning(UserWarning):
    """One line for a person about something that went wrong beside an act, which is done all the same."""


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
    """What an organiser decides about an event. `minimum` games for a rank; None: half the rounds.

    `checkin` says whether only who has checked in is seated. A round may last `minutes`; games unfinished then
    count the hands played, are void, or cost every player of the table `unfinished_points` for each hand not
    played. `stake` is what each pays into the pot of a knock game, in the smallest unit of money.
    """

    name: str
    rules: str
    format: Format = "rotation"
    rounds: int = 5
    size: int = 4
    seed: str = "1"
    short: Short = "short tables"
    minimum: int | None = None
    date: str = ""
    checkin: CheckIn = "not asked"
    minutes: int | None = None
    unfinished: Unfinished = "count hands"
    unfinished_points: int = 0
    stake: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """One tournament: its settings, the digest of its rules and who plays, in the order of entry.

    An entrant's number for typing is his place in `entrants`, from 1; `states` has one for each of them.
    `rules_text` is the whole text of a club's own rules, empty where they are built in.
    """

    id: int
    settings: EventSettings
    rules_digest: str
    entrants: tuple[Player, ...] = ()
    states: tuple[EntrantState, ...] = ()
    state: EventState = "open"
    rules_text: str = ""

    @property
    def rulebook(self) -> str:
        """What the room `games` takes for the rules: a built-in name, or a club's whole text."""
        return self.rules_text or self.settings.rules

    @property
    def playing(self) -> tuple[Player, ...]:
        """Who is seated when a round is drawn: not withdrawn, and checked in where that is required."""
        wanted = {"checked in"} if self.settings.checkin == "required" else {"entered", "checked in"}
        states = self.states or ("entered",) * len(self.entrants)
        return tuple(one for one, state in zip(self.entrants, states, strict=True) if state in wanted)


@dataclass(frozen=True, slots=True)
class Table:
    """A game's place in an event; players in seat order, first dealer first."""

    round: int
    number: int
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """A round's length, from the moment it began (UTC, as in the journal)."""

    started: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round: its tables, who sits out, and its clock if one was started."""

    number: int
    tables: tuple[Table, ...]
    sitting_out: tuple[Player, ...] = ()
    clock: Clock | None = None


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One line of a table's sheet as it was declared, players by their seat (0 first).

    `closer` and `at_once` may be left open (None): then 0 or a bonus among the points says so. `left` gives
    a player's cards instead of his points. In the knock game there is no contract: `ending` says how the hand
    ended, and `buys` who bought points off after it.
    """

    contract: str
    points: Mapping[int, int]
    closer: int | None = None
    at_once: bool | None = None
    dead: bool = False
    left: Mapping[int, str] = field(default_factory=dict)
    ending: str = ""
    buys: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class HandScore:
    """One hand as it counts: points by seat, who closed (None: a dead hand), whether in one turn.

    In the knock game `ending` says how it ended, and `off` the points that each seat bought off after it.
    """

    contract: str
    points: tuple[int, ...]
    closer: int | None
    at_once: bool
    ending: str = ""
    off: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a game gave: per seat the total points, hands won and place (1 best; equal places are ties).

    `points` are those of the hands, less what was bought off, and `extra`: points that the table's unfinished
    game cost, by seat. `money` is what each seat won or lost in the knock game, in the smallest unit. `short`
    is the number of hands that were not played.
    """

    hands: tuple[HandScore, ...]
    points: tuple[int, ...]
    hands_won: tuple[int, ...]
    places: tuple[int, ...]
    extra: tuple[int, ...] = ()
    money: tuple[int, ...] = ()
    short: int = 0


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
class Ruling:
    """An arbiter's decision, `number` counting from 1 in the event.

    A penalty adds `points` to the player's total; it may name a round and a table, and none of them. A redeal
    marks the hand of that contract as replayed; a correction stands beside the corrected sheet; a note is text.
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
    """The rulings of an event, cancelled ones too, in the order of their numbers."""

    event: Event
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A sheet half entered: the hands typed so far, outside the journal."""

    round: int
    table: int
    hands: tuple["DeclaredHand", ...]


@dataclass(frozen=True, slots=True)
class HalfSheet:
    """A sheet half entered, as people are told of it: its event and table, and the contracts of its hands."""

    event: str
    table: Table
    hands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WaitingTables:
    """The tables of a round that wait for their sheet, and those of them of which half is entered."""

    event: Event
    round: int
    tables: tuple[Table, ...]
    half: tuple[HalfSheet, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings; `rank` is None below the event's minimum of games.

    `points` include `penalty`, what rulings added; `average` is points per game. `short` counts the games that
    the bell ended, `money` is the net money of knock events (None elsewhere), `state` the entrant's. `why` says
    in one sentence what put the player here, rather than beside the player above.
    """

    rank: int | None
    player: Player
    points: int
    hands_won: int
    games: int
    average: float
    why: str = ""
    penalty: int = 0
    short: int = 0
    money: int | None = None
    state: EntrantState = "entered"


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
    ending: str = ""
    buys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Registered:
    """What a registration did: players new to the program, and those it knew already."""

    added: tuple[Player, ...]
    known: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class Entered:
    """What an entry did: entrants new to the event, those it had already, and people registered with it.

    `drawn` is how many rounds had been drawn before: who enters late plays from the next one.
    """

    event: Event
    added: tuple[Player, ...]
    already: tuple[Player, ...] = ()
    registered: tuple[Player, ...] = ()
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class EventChange:
    """Settings of an event before a change, and the event after it; `drawn` rounds stay as they are."""

    before: EventSettings
    event: Event
    drawn: int


@dataclass(frozen=True, slots=True)
class Presence:
    """What a check-in, withdrawal or return did: whose state it changed, who was in that state before.

    `seated` has the tables without a result at which those who went away still sit.
    """

    event: Event
    changed: tuple[Player, ...]
    already: tuple[Player, ...] = ()
    seated: tuple[Table, ...] = ()


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
    """A person whose name is gone: who it was, what the program says instead, and what remains."""

    before: Player
    after: Player
    events: int
    games: int


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


@dataclass(frozen=True, slots=True)
class Schedule:
    """Drawn rounds of an event; `done` has (round, table) of each table with a result, `void` of those made void.

    `half` has those with half a sheet, `short` those whose result counts with hands that were not played.
    """

    event: Event
    rounds: tuple[Round, ...]
    done: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()
    void: frozenset[tuple[int, int]] = frozenset()
    half: frozenset[tuple[int, int]] = frozenset()
    short: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Mended:
    """A round in which players were moved: as it is now, the tables that changed, and what it cost.

    Repeat meetings are those of the whole event, with the round as it was and as it is.
    """

    event: Event
    round: Round
    changed: tuple[Table, ...]
    repeats_before: int
    repeats_after: int


@dataclass(frozen=True, slots=True)
class Slips:
    """Tables of a round that want a score slip, and the hands of their game in order as (contract, cards dealt).

    A game without contracts has any number of hands: then there are none.
    """

    event: Event
    tables: tuple[Table, ...]
    hands: tuple[tuple[str, int], ...]


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
class StandingMove:
    """A player's row in the standings of an event before and after an act; None where there is none."""

    event: str
    before: Standing | None
    after: Standing | None


@dataclass(frozen=True, slots=True)
class RatingMove:
    """A player's row in the ratings of a pool before and after an act; None where there is none."""

    pool: str
    before: RatingRow | None
    after: RatingRow | None


@dataclass(frozen=True, slots=True)
class Moves:
    """Every standing and rating that an act moves, in the order in which they stand afterwards."""

    standings: tuple[StandingMove, ...]
    ratings: tuple[RatingMove, ...]


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


@dataclass(frozen=True, slots=True)
class Backup:
    """A verified copy of the database, with the number of its acts and the journal's last hash."""

    path: str
    acts: int
    head: str


@dataclass(frozen=True, slots=True)
class Restored:
    """A database put back to a backup, which has `acts` acts and the hash `head`.

    The database had `before` acts (None: it could not be read), the first `common` of which the backup has as
    well; `kept` is the file as it was, empty if there was none.
    """

    path: str
    source: str
    acts: int
    head: str
    before: int | None
    common: int
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of `doctor`: what was found, whether that is well, and what to do if it is not."""

    check: str
    state: FindingState
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One act of the journal in words: its number from 1, its time in UTC, its event's name (empty if of none)."""

    number: int
    time: str
    kind: str
    event: str
    said: str
    state: ActState


@dataclass(frozen=True, slots=True)
class Log:
    """The journal as a story: all of it, or what concerns one event. `head` is its last hash."""

    event: str
    lines: tuple[LogLine, ...]
    head: str


@dataclass(frozen=True, slots=True)
class Turned:
    """What `undo` took back or `redo` put back: a whole command as one line of the log, and its number of acts.

    `stays` are the sentences of newer acts that stand for ever and were passed over.
    """

    turn: Literal["undo", "redo"]
    line: LogLine
    acts: int
    stays: tuple[str, ...] = ()
