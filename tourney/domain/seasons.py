"""Seasons: which events count together, and how their results become one ranking."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from tourney.domain.events import Setting, settings_of

By = Literal["points", "table points", "place points", "base rank"]
SeasonTotals = Literal["sum", "mean", "ema"]
Weights = Literal["given", "ema"]
Rounding = Literal["exact", "round", "truncate"]


@dataclass(frozen=True, slots=True)
class SeasonSettings:
    """The settings of a season. A new one is declared only here; options, checks and reports follow."""

    name: str
    by: Annotated[
        By,
        Setting(
            "result of an event",
            "What a player gets for an event: points per game; table points, by the lists of --table-points; place "
            "points by the rank in the event, as --places says; or the base rank of the European mahjong ranking.",
            "WHAT",
        ),
    ] = "place points"
    places: Annotated[
        str | None,
        Setting(
            "place points",
            "What each rank of an event gives, as 10-7-5-3-2-1; further ranks give nothing. If left out, 1 for each "
            "player ranked behind.",
            "LIST",
            unset="1 for each player behind",
        ),
    ] = None
    table_points: Annotated[
        str | None,
        Setting("table points", 'What each place at a table gives, for `--by "table points"`: 7-5-3-1/7-4-1.', "LISTS"),
    ] = None
    totals: Annotated[
        SeasonTotals | None,
        Setting(
            "totals",
            "How results become one number: their weighted sum or mean, or ema, as in the European mahjong ranking. If "
            "left out, the mean for points, and the sum for all else.",
            "HOW",
            unset="the mean for points, the sum for all else",
        ),
    ] = None
    best: Annotated[
        int | None,
        Setting("best results that count", "Only so many of the best results count.", "N", least=1, most=1000),
    ] = None
    drop: Annotated[
        int | None,
        Setting(
            "worst results left out",
            "So many of the worst results are left out; an event that a player missed is one of them.",
            "N",
            least=1,
            most=1000,
        ),
    ] = None
    minimum: Annotated[
        int, Setting("minimum events to be ranked", "The events that a player needs to be ranked.", "N", least=1)
    ] = 1
    weights: Annotated[
        Weights,
        Setting(
            "weights",
            "The weight of an event: the one given with `season add`, or ema, the weight of the European mahjong "
            "ranking, from days, players, countries and qualification.",
            "HOW",
        ),
    ] = "given"
    decay: Annotated[
        str | None,
        Setting(
            "decay",
            "How the weight of an event falls with its age, in months and per cent: 12:50/24:0 is half after a year "
            "and nothing after two.",
            "MONTHS:PERCENT",
        ),
    ] = None
    final_bonus: Annotated[
        int,
        Setting(
            "bonus for finals", "What a player's result gains in an event that is added with --final.", "N", least=0
        ),
    ] = 0
    rounding: Annotated[
        Rounding,
        Setting(
            "rounding", "Whether the result of an event stays exact; round and truncate make it a whole number.", "HOW"
        ),
    ] = "exact"


SEASON_SETTINGS: Final[Mapping[str, Setting]] = settings_of(SeasonSettings)
"""Every setting but the name, in order."""


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event of a season: its number, and what its weight is made of; `weight` is text such as `1.5`."""

    event: int
    weight: str = "1"
    final: bool = False
    days: int = 1
    countries: int = 1
    qualification: bool = False


@dataclass(frozen=True, slots=True)
class Season:
    """A season with its settings, and its events in the order in which they were added."""

    id: int
    settings: SeasonSettings
    counted: tuple[CountedEvent, ...] = field(default=())
