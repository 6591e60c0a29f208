"""Pictures of the first players of a ranking: their rank intervals as bars, and their scores over time as lines."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Final

from tourney.domain.player_history import PlayerGame
from tourney.domain.rankings import RatingsTable
from tourney.reports.render.ranking_plots import Curve, first_curves, interval_bars, legend
from tourney.reports.render.report import Pictures, Report
from tourney.text.dates import shown_dates
from tourney.text.i18n import _

if TYPE_CHECKING:
    from tourney.service.ratings.player_history import Histories

MOST_BARS: Final = 20
"""The most players whose intervals are drawn."""
MOST_CURVES: Final = 10
"""The most players whose scores are drawn."""


def with_pictures(report: Report, table: RatingsTable, histories: Histories) -> Report:
    """Return the report of a ranking with pictures of its first players; without them if nobody has a rank."""
    if not table.rows:
        return report
    pairs = list(zip(table.rows, table.intervals, strict=True))[:MOST_BARS]
    bars = interval_bars(_("Rank intervals"), [(row.rank, row.player, *interval) for row, interval in pairs])
    curves, ends = _curves(table, histories)
    lines = (first_curves(_("Scores of the first players"), curves, ends),) if curves else ()
    return replace(report, pictures=Pictures((bars, *lines), legend(curves)))


def _curves(table: RatingsTable, histories: Histories) -> tuple[list[Curve], tuple[str, str]]:
    """Return the scores of the first players over time, and what the ends of the time are called."""
    keys = [(row.rank, histories.shown.get(row.player)) for row in table.rows[:MOST_CURVES]]
    ranked = [(rank, histories[key]) for rank, key in keys if key is not None]
    days = sorted({game.day for _rank, each in ranked for game in each.games})
    # Games of one evening have no place on a line of days.
    dated = len(days) > 1 and all(days)
    # Of several games of one day the last counts.
    curves: list[Curve] = [
        (rank, each.player, [*{_when(game, dated): game.score for game in each.games}.items()]) for rank, each in ranked
    ]
    return curves, (shown_dates(days[0]), shown_dates(days[-1])) if dated else (_("first game"), _("last game"))


def _when(game: PlayerGame, dated: bool) -> float:
    """Return the place of a game in time: its day, or its round, or its number where files have no days."""
    return float(date.fromisoformat(game.day).toordinal() if dated else game.round or game.table)
