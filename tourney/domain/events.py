"""Events, their settings, and who takes part."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from typing import Annotated, Any, Literal, get_args, get_origin

from tourney.domain.leagues import OutsideBot
from tourney.domain.people import Player
from tourney.domain.rounds import MOST_MINUTES, Stage, TableChange, stage_at
from tourney.domain.rules import RulesRef

Short = Literal["short tables", "sit out"]
CheckIn = Literal["not asked", "required"]
Seats = Literal["balanced", "drawn", "winner deals"]
Language = Literal["en", "es"]
Unfinished = Literal["count hands", "void", "penalty"]
ScoringChoice = Literal["points", "table points", "place points", "share", "neuberg"]
Substitutes = Literal["absent", "substitute", "nobody"]
PhonePins = Literal["seat taken", "always"]
Totals = Literal["automatic", "sum", "per game"]
EntrantState = Literal["entered", "checked in", "withdrawn", "no-show", "removed", "substitute"]
"""The state of an entrant; "removed" is a no-show who was entered by mistake, a "substitute" only plays for others."""
GONE: frozenset[EntrantState] = frozenset({"withdrawn", "no-show", "removed", "substitute"})
"""The states of entrants who do not play, or not any more."""
HERE: tuple[EntrantState, ...] = ("entered", "checked in")
"""The states of entrants who are expected, or have come."""
EventState = Literal["open", "finished"]
ConstraintKind = Literal["apart", "clubs apart", "together", "table", "never"]
Copied = Literal["settings", "players", "both"]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of events: its English heading and help, and the values that it can have.

    A number lies between `least` and `most`, or in a smaller range that the rules or other settings allow; text is one
    of `choices`, if there are any. `unset` is shown where the value is None. A `fixed` setting cannot change once a
    round is drawn; a `rare` one is shown only where it has another value than usual. `default` and `choices` are taken
    from the field of `EventSettings`.
    """

    heading: str
    help: str
    metavar: str | None = None
    least: int | None = None
    most: int = 10**12
    unset: str = ""
    fixed: bool = False
    rare: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()

    @property
    def clearable(self) -> bool:
        """Return whether the setting can be left open."""
        return self.default in (None, "")


@dataclass(frozen=True, slots=True)
class EventSettings:
    """The settings of an event. A new setting is declared only here; options, checks, reports and storage follow.

    `deals` is the seed from which the cards of bots from outside follow: the event's `seed` if somebody has given it,
    otherwise one that is drawn when the first such bot enters ("": there is none yet).
    """

    name: str
    rules: str
    format: Annotated[str, Setting("format", "How players are seated. {formats}.", "FORMAT")] = "rotation"
    rounds: Annotated[int, Setting("rounds", "The number of rounds.", "N", least=1, most=1000)] = 3
    size: Annotated[int, Setting("table size", "The number of players at a full table.", "N", least=2)] = 4
    seed: Annotated[
        str,
        Setting(
            "seed",
            "Any text: the draws, and the cards of bots, follow from it, so that they can be repeated. It is public. "
            "If left out, bots from outside get cards from 128 random bits, shown when the event has ended.",
            "TEXT",
            fixed=True,
        ),
    ] = "1"
    short: Annotated[
        Short,
        Setting(
            "when players do not fill all tables",
            'If players do not fill all tables: "short tables" have fewer players; with "sit out" some sit out a '
            "round.",
            "HOW",
        ),
    ] = "short tables"
    minimum: Annotated[
        int | None,
        Setting(
            "minimum games to be ranked",
            "The games that a player needs to be ranked; if left out, half the rounds.",
            "N",
            least=0,
            unset="half the rounds",
        ),
    ] = None
    date: Annotated[
        str, Setting("date", "The day, such as 20/11/2026 or 2026-11-20, by which ratings are ordered.", "DATE")
    ] = ""
    checkin: Annotated[
        CheckIn,
        Setting("check-in", 'Whether players must check in before they are seated: "not asked" or required.', "HOW"),
    ] = "not asked"
    minutes: Annotated[
        int | None,
        Setting(
            "minutes per round", "The time limit of a round; if left out, none.", "MINUTES", least=1, most=MOST_MINUTES
        ),
    ] = None
    unfinished: Annotated[
        Unfinished,
        Setting(
            "games unfinished at time",
            'A game that is unfinished at the time limit: "count hands" counts the hands played; void counts nothing; '
            "penalty adds points for each hand not played.",
            "HOW",
        ),
    ] = "count hands"
    unfinished_points: Annotated[
        int,
        Setting(
            "points for each hand not played",
            "The points for each hand not played, if --unfinished is penalty.",
            "N",
            least=0,
            most=1000,
        ),
    ] = 0
    stake: Annotated[
        int,
        Setting(
            "stake",
            "What each player pays into the pot of the knock game, in the smallest unit of money.",
            "N",
            least=0,
            fixed=True,
        ),
    ] = 0
    tables: Annotated[
        int | None,
        Setting("tables", "The tables in the room; if left out, as many as are needed.", "N", least=1, most=1000),
    ] = None
    seats: Annotated[
        Seats | None,
        Setting(
            "seats at a table",
            "Who deals first, and who sits next: balanced over the rounds; drawn by card, as the rules say; or with "
            '"winner deals" who won their last game deals first. If left out, balanced; in the knock game the winner '
            "deals.",
            "HOW",
        ),
    ] = None
    lang: Annotated[
        Language | None,
        Setting(
            "language",
            "The language of this command, which the event keeps for all that is printed or posted: en (English) or es "
            "(Spanish).",
            "LANG",
        ),
    ] = None
    scoring: Annotated[
        ScoringChoice,
        Setting(
            "scoring",
            "What a game scores, so that tables of different sizes compare. Points as they are; table points by place, "
            "as --table-points says; place points: 1 for each player beaten, as many as at a full table; share: one's "
            "part of the table's points; neuberg: match points adjusted by Neuberg's formula.",
            "HOW",
        ),
    ] = "points"
    table_points: Annotated[
        str | None,
        Setting(
            "table points",
            "What each place gives, one list for each table size: 7-5-3-1/7-4-1, or the name of lists that `tourney "
            'event table-points` shows. Ties share. Implies `--scoring "table points"`.',
            "LISTS",
        ),
    ] = None
    totals: Annotated[
        Totals,
        Setting(
            "totals",
            'How games are added up: automatic is the sum, or "per game" where players have played different numbers '
            "of games; sum and per game hold always.",
            "HOW",
            rare=True,
        ),
    ] = "automatic"
    tie_breaks: Annotated[
        str | None,
        Setting(
            "tie-breaks",
            "What decides among players who are level, in this order: keys with commas between them, or the name of a "
            "list, such as mso; `tourney event tie-breaks` shows all. If left out, the most recent hand won.",
            "KEYS",
            unset="as the rules say",
        ),
    ] = None
    fee: Annotated[
        str | None,
        Setting("fee", "What each player pays into the pot for prizes, such as 5 or 7.50.", "AMOUNT"),
    ] = None
    pot: Annotated[
        str | None,
        Setting("pot", "What the pot for prizes has besides the fees, such as 120.", "AMOUNT"),
    ] = None
    prizes: Annotated[
        str | None,
        Setting(
            "prizes",
            "The prizes of the first ranks, as shares of the pot or amounts, and then of categories: 50%-30%-20%, or "
            '"60-36-24; newcomer 10; club Getxo 15". Players with the same rank share the prizes. Nobody gets both a '
            "prize for a rank and one for a category.",
            "PRIZES",
        ),
    ] = None
    substitutes: Annotated[
        Substitutes,
        Setting(
            "results of substitutes",
            "Who a substitute's result counts for, in standings and ratings: the absent player, the substitute, or "
            "nobody.",
            "WHO",
            rare=True,
        ),
    ] = "absent"
    organiser: Annotated[
        str | None,
        Setting(
            "organised by",
            "The club, or who else organises the event, as certificates and printed pages say it.",
            "NAME",
        ),
    ] = None
    phone_pins: Annotated[
        PhonePins,
        Setting(
            "PIN at phones",
            'When a phone at a table needs a PIN: "seat taken" is for a seat that another phone has; always is for '
            "every seat and every confirmation. Without PINs, one person with two browsers may take two free seats.",
            "WHEN",
            rare=True,
        ),
    ] = "seat taken"
    stages: tuple[Stage, ...] = ()
    deals: str = ""

    @property
    def drawn_deals(self) -> str:
        """The seed of the bots' deals if the program has drawn it, as opposed to one that somebody gave."""
        return "" if self.deals == self.seed else self.deals

    @property
    def deals_digest(self) -> str:
        """The SHA-256 of the seed of the bots' deals, by which it can be checked once the event has ended."""
        return sha256(self.deals.encode()).hexdigest()


def _choices(kind: Any) -> tuple[str, ...]:
    """Return the values of a type of chosen text, which may also be left open; empty for numbers and free text."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return next((get_args(each) for each in get_args(kind) if get_origin(each) is Literal), ())


def settings_of(declared: type) -> Mapping[str, Setting]:
    """Return the settings that are fields of a dataclass, in order."""
    return {
        each.name: replace(setting, default=each.default, choices=_choices(kind))
        for each in fields(declared)
        if get_origin(each.type) is Annotated
        for kind, setting in [get_args(each.type)]
    }


SETTINGS: Mapping[str, Setting] = settings_of(EventSettings)
"""Every setting that an option changes, in order: all but the name, the rules and the stages."""


def stage_settings(settings: EventSettings, stage: Stage) -> EventSettings:
    """Return the settings of an event in one of its stages; `rounds` is the last round of the stage."""
    return replace(
        settings,
        **stage.scoring_settings,
        format=stage.format,
        rounds=stage.first - 1 + stage.rounds,
        size=stage.size or settings.size,
        tables=stage.tables or settings.tables,
    )


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint on the seating of an event.

    Players are kept apart or seated together, the members of each club are kept apart, or one player sits at `table`,
    numbered from 1, in every round. These are kept where that does not cost too many repeats; players who `never` share
    a table are separated at any cost.
    """

    kind: ConstraintKind
    players: tuple[Player, ...] = ()
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One tournament: its settings, its rules and its entrants in the order of entry.

    An entrant's number is the place in `entrants`, from 1; `states` has the state of each entrant. `current` is
    the name of the event that commands mean when none is named, "" if they mean none. `members` has the numbers of the
    players of a stage, where the event is looked at in that stage; None: all play.
    """

    id: int
    settings: EventSettings
    rules: RulesRef
    entrants: tuple[Player, ...] = ()
    states: tuple[EntrantState, ...] = ()
    state: EventState = "open"
    constraints: tuple[Constraint, ...] = ()
    current: str = field(default="", compare=False)
    members: frozenset[int] | None = field(default=None, compare=False)

    @property
    def stage(self) -> Stage | None:
        """Return the stage that was begun last; None for an event without stages."""
        begun = [stage for stage in self.settings.stages if stage.begun]
        return begun[-1] if begun else None

    @property
    def next_stage(self) -> Stage | None:
        """Return the first stage that was not begun; None if there is none."""
        return next((stage for stage in self.settings.stages if not stage.begun), None)

    @property
    def first_round(self) -> int:
        """Return the first round of the stage that was begun last, 1 without stages."""
        return 1 if self.stage is None else self.stage.first

    @property
    def has_tables_of_stage(self) -> bool:
        """Return whether the stage that was begun last says how many tables it has, at which bots sit, too."""
        return self.stage is not None and self.stage.tables is not None

    def in_round(self, number: int) -> "Stage | None":
        """Return the stage in which round `number` is played; None for an event without stages."""
        stages = self.settings.stages
        return stages[stage_at(stages, number)] if stages else None

    @property
    def is_current(self) -> bool:
        """Return whether commands mean this event when none is named."""
        return self.current == self.settings.name

    def in_state(self, *wanted: EntrantState) -> tuple[Player, ...]:
        """Return the entrants in one of these states; where states are not known, everybody is entered."""
        states = self.states or ("entered",) * len(self.entrants)
        return tuple(entrant for entrant, state in zip(self.entrants, states, strict=True) if state in wanted)

    @property
    def counted(self) -> tuple[Player, ...]:
        """Return the entrants without those who never came, were entered by mistake, or only play for others."""
        return self.in_state(*HERE, "withdrawn")

    @property
    def substitutes(self) -> tuple[Player, ...]:
        """Return those who only play for others: they are listed with the entrants, and count as none."""
        return self.in_state("substitute")

    @property
    def playing(self) -> tuple[Player, ...]:
        """Return the entrants who are seated when a round is drawn: present, and checked in if that is required."""
        present = self.in_state("checked in") if self.settings.checkin == "required" else self.in_state(*HERE)
        return tuple(entrant for entrant in present if self.members is None or entrant.id in self.members)


def with_stage(event: Event, stage: Stage, changed: Stage) -> EventSettings:
    """Return the settings of the event with one stage changed; the number of rounds follows from those begun."""
    stages = tuple(changed if each == stage else each for each in event.settings.stages)
    begun = [at for at, each in enumerate(stages) if each.begun]
    rounds = stages[begun[-1]].first - 1 + sum(each.rounds for each in stages[begun[-1] :])
    return replace(event.settings, stages=stages, rounds=rounds)


def without_round(event: Event, number: int) -> Event:
    """Return the event as it is without its last round: a stage that began with it has not begun."""
    stage = event.stage
    if stage is None or stage.first != number or number == 1:
        return event
    return replace(event, settings=with_stage(event, stage, replace(stage, first=0, players=(), by_rule=())))


@dataclass(frozen=True, slots=True)
class EnteredPlayers:
    """Players entered: those `added`, those entered `already`, and people who had to be `registered` first.

    `drawn` is the number of rounds drawn before: late entrants play from the next one. `ahead` has the tables of coming
    rounds that change; None if no rounds are planned, or nothing has changed on which a plan depends. `checked_in` are
    those who were checked in at once.
    """

    event: Event
    added: tuple[Player, ...]
    already: tuple[Player, ...] = ()
    registered: tuple[Player, ...] = ()
    drawn: int = 0
    checked_in: tuple[Player, ...] = ()
    ahead: tuple[TableChange, ...] | None = None


@dataclass(frozen=True, slots=True)
class EventChange:
    """The settings of an event before a change, and the event after it; the `drawn` rounds do not change.

    If unfinished games now count differently, `cut` is the number of tables that are already void or stopped, which
    do not change either. `ahead` is as in `EnteredPlayers`.
    """

    before: EventSettings
    event: Event
    drawn: int
    cut: int = 0
    ahead: tuple[TableChange, ...] | None = None


@dataclass(frozen=True, slots=True)
class CopiedEvent:
    """A new event made from another, and what was left out: who never came or only played for others, and constraints
    about them.
    """

    event: Event
    source: str
    no_shows: tuple[Player, ...] = ()
    substitutes: tuple[Player, ...] = ()
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class DeletedEvent:
    """An event that was deleted, and the numbers of rounds, results and rulings that it had."""

    event: Event
    rounds: int
    results: int
    rulings: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A player's rank in an event with what ranks, and its English heading; and points per game."""

    rank: int
    player: Player
    score: float
    games: int
    average: float
    heading: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished event, in words the rounds and results that it lacks, and the players of the first three ranks."""

    event: Event
    missing: tuple[str, ...] = ()
    first: tuple[Placed, ...] = ()


PersonOrigin = Literal["known", "new", "merged", "erased", "unregistered"]


@dataclass(frozen=True, slots=True)
class PersonHere:
    """A person of an event's file, with the number and name there (without a name: ""), and the player here.

    They were known here, or are new; `merged` into another by the file or erased, they are new too. A player who was no
    longer registered when the file was written has only a number here.
    """

    number: int
    name: str
    player: Player
    how: PersonOrigin


@dataclass(frozen=True, slots=True)
class ChangeThere:
    """A change made in another database, as a sentence: its place in the event from 1, its time in UTC, its author."""

    place: int
    time: str
    said: str
    by: str


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """An event imported from its file: its number of entries, the code of its chain, and who its people are here.

    If the event was here already, `more` has the changes that are new in the file, and `entries` is their number.
    """

    event: Event
    entries: int
    code: str
    people: tuple[PersonHere, ...]
    bots: tuple[OutsideBot, ...] = ()
    more: tuple[ChangeThere, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportedEvent:
    """An imported evening: its event and its number of tables."""

    event: Event
    tables: int
