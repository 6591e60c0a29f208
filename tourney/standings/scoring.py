"""Scoring of an event: on which scale games count, how they are added up, and which tie-breaks follow."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.domain.events import EventSettings
from tourney.standings.scales import MONEY, POINTS, SCALES, Scale
from tourney.standings.tiebreaks.registry import tie_breaks
from tourney.standings.tiebreaks.tiebreak import TieBreak

Totals = Callable[[Scale, Collection[int]], bool]
"""A rule that says whether scores are divided by the number of games, from the different numbers of games."""

TOTALS: Final[Mapping[str, Totals]] = {
    "automatic": lambda scale, games: not scale.adds_up and len(games) > 1,
    "sum": lambda scale, games: False,
    "per game": lambda scale, games: True,
}
USUAL: Final = "recent-hand"
USUAL_FOR_MONEY: Final = "mean-place"


@dataclass(frozen=True, slots=True)
class Scoring:
    """The scoring of an event; `full` is the size of a full table, `seed` decides lots."""

    scale: Scale = POINTS
    totals: Totals = TOTALS["automatic"]
    tie_breaks: Sequence[TieBreak] = tuple(tie_breaks(USUAL))
    full: int = 4
    seed: str = "1"


BY_POINTS: Final = Scoring()
BY_MONEY: Final = Scoring(MONEY, tie_breaks=tie_breaks(USUAL_FOR_MONEY))


def scoring_of(settings: EventSettings, *, for_money: bool) -> Scoring:
    """Return the scoring that an event's settings ask for; in the knock game points are money."""
    scale = SCALES[settings.scoring].make(settings)
    usual = USUAL
    if for_money and scale is POINTS:
        scale, usual = MONEY, USUAL_FOR_MONEY
    listed = tie_breaks(settings.tie_breaks or usual)
    return Scoring(scale, TOTALS[settings.totals], listed, settings.size, settings.seed)
