"""Rounds: tables, seats, clocks; and stages, which are some rounds of an event."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from tourney.domain.people import Player


@dataclass(frozen=True, slots=True)
class Substitution:
    """A player who plays for another in a round; the seat stays that of the absent player."""

    round: int
    absent: Player
    substitute: Player


def both_play(seated: Collection[int], substitutes: Mapping[int, int], one: int, other: int) -> bool:
    """Return whether two people have each a seat in a round or play for somebody in it; not one for the other.

    People are numbers; `substitutes` has who plays, by the one who is absent.
    """
    playing = {*seated, *substitutes.values()}
    return {one, other} <= playing and other != substitutes.get(one) and one != substitutes.get(other)


COUNTS_FOR: Final[Mapping[str, Callable[[Substitution], Player | None]]] = {
    "absent": lambda each: each.absent,
    "substitute": lambda each: each.substitute,
    "nobody": lambda each: None,
}
"""The player for whom a substitute's result counts, by the event's setting."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round of an event; its players in seat order, first dealer first."""

    round: int
    number: int
    players: tuple[Player, ...]


def as_played(table: Table, substitutions: Iterable[Substitution]) -> Table:
    """Return a table with those who play there: a substitute has the seat of the absent player."""
    playing = {each.absent: each.substitute for each in substitutions if each.round == table.round}
    return replace(table, players=tuple(playing.get(player, player) for player in table.players))


@dataclass(frozen=True, slots=True)
class Drawing:
    """A record of how a round was drawn: program version, numbers of tables given by hand, and byes given."""

    program: str
    given: tuple[int, ...] = ()
    rested: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class TableChange:
    """The players of a coming round's table before and after a change of the plan; empty where the table is missing.

    The byes of a round have the number None.
    """

    round: int
    number: int | None
    before: tuple[Player, ...]
    after: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class EventPlanChanges:
    """The changed tables of an event's coming rounds, after a change that concerns several events; at least one."""

    event: str
    changes: tuple[TableChange, ...]


KeptPlan = Mapping[int, tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]]
"""Planned rounds by number as the journal keeps them: the players' ids at each table in seat order, and those with a
bye."""


MOST_MINUTES: Final = 24 * 60
"""The most minutes that a round may last."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A round's length, from the moment it began (UTC, as in the journal)."""

    started: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round: its tables, who sits out, and its clock if one was started.

    A draft is shown to nobody but the desk; a round that has a result is none. While its clock is paused, a
    round has no clock, and the minutes that are left.
    """

    number: int
    tables: tuple[Table, ...]
    sitting_out: tuple[Player, ...] = ()
    clock: Clock | None = None
    draft: bool = False
    paused: int = 0


Take = Literal["all", "best", "of each table", "percent", "better than", "named"]
"""The players who go through to a stage; the number beside it says how many, or how well."""
Ties = Literal["", "list", "together", "play-off"]
"""The decision where players tie at the border: by the tie-breaks, all of them, or by a play-off hand."""
Carry = Literal["nothing", "all", "half", "place points"]
StageSeats = Literal["", "rank", "lot"]
"""The order of seats: as the event has it, by rank with the best player first, or drawn by lot."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of an event: some rounds of one format for those who go through to it.

    `take` says who goes through from the stage before: with `number` the n best, n of each table, n per cent, or all
    with fewer than n points per game. `ties` decides where players tie at the border. `carry` is what they bring along;
    `carry_points` has the points of place points, for the best player first. `size`, `tables` and the fields of SCORING
    are those of the event where they are None; `hands` are the contracts played, all where empty. In a knock-out
    everybody has `lives`; it ends when at most `until` players are left, and `rounds` is then the most it can last.

    The rest is decided while the event is played: the `first` round of the stage (0: not begun), the numbers of the
    `players` in it, best first, those that the results gave when that was decided last (`by_rule`), the players of a
    play-off hand in order, with its points where they were kept, and those who were `named`.
    """

    name: str
    rounds: int
    format: str = "rotation"
    take: Take = "all"
    number: int = 0
    ties: Ties = ""
    carry: Carry = "nothing"
    carry_points: tuple[int, ...] = ()
    size: int | None = None
    tables: int | None = None
    hands: tuple[str, ...] = ()
    seats: StageSeats = ""
    lives: int = 0
    until: int = 0
    scoring: str | None = None
    table_points: str | None = None
    totals: str | None = None
    tie_breaks: str | None = None
    first: int = 0
    players: tuple[int, ...] = ()
    by_rule: tuple[int, ...] = ()
    playoff: tuple[int, ...] = ()
    playoff_points: tuple[int, ...] = ()
    named: tuple[int, ...] = ()

    @property
    def scoring_settings(self) -> dict[str, Any]:
        """Return how the stage scores, as settings of an event; empty for what is the event's."""
        values = ((name, getattr(self, name)) for name in SCORING)
        return {name: value for name, value in values if value is not None}

    @property
    def begun(self) -> bool:
        """Return whether it is decided who plays in the stage."""
        return self.first > 0


@dataclass(frozen=True, slots=True)
class PlayOff:
    """The players who are level at one border, and the number of places for which they play one hand."""

    players: tuple[Player, ...]
    places: int


SCORING = ("scoring", "table_points", "totals", "tie_breaks")
"""The fields of a stage that say how it scores, where it does not as the event."""
OF_PEOPLE = ("players", "by_rule", "playoff", "named")
"""The fields of a stage that have numbers of players."""
PLANNED = tuple(each.name for each in fields(Stage) if each.name not in ("first", "playoff_points", *OF_PEOPLE))
"""The fields of a stage that its plan gives."""


def stage_fields(stage: Stage) -> dict[str, Any]:
    """Return the fields of a stage that are not the usual ones, tuples as lists."""
    values = ((each, getattr(stage, each.name)) for each in fields(Stage))
    return {
        each.name: list(value) if isinstance(value, tuple) else value for each, value in values if value != each.default
    }


def read_stage(given: Mapping[str, Any]) -> Stage:
    """Return the stage of these fields. Raises TypeError for a field that no stage has."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    return Stage(**values)


def as_planned(stage: Stage) -> Stage:
    """Return the stage as its plan has it: nothing about it is decided."""
    return Stage(**{name: getattr(stage, name) for name in PLANNED})


def stage_at(stages: Sequence[Stage], number: int) -> int:
    """Return the index of the stage that round `number` is played in: the last one that begins with it or before."""
    return max((at for at, stage in enumerate(stages) if stage.begun and stage.first <= number), default=0)
