"""Reports on the demo's steps, and what to type next."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tourney.domain.rankings import RatingsTable
from tourney.domain.schedule import Schedule
from tourney.reports.ratings import ratings
from tourney.reports.render.report import Report
from tourney.reports.results import standings
from tourney.reports.rounds import rounds
from tourney.standings.standing import StandingsTable
from tourney.text.i18n import _, ngettext

ROWS_SHOWN = 6
"""The most rows of a table that the demo shows."""

_REPORTS: dict[type, Callable[[Any], Report]] = {
    Schedule: rounds.schedule,
    StandingsTable: standings.standings,
    RatingsTable: ratings.ratings,
}


def step(value: object) -> Report:
    """Return the report on the result of a step: the title and the first rows of its table."""
    report = _REPORTS[type(value)](value)
    more = len(report.rows) - ROWS_SHOWN
    line = ngettext("… and {number} row more", "… and {number} rows more", more).format(number=more)
    return replace(
        report,
        rows=report.rows[:ROWS_SHOWN],
        dimmed=report.dimmed[:ROWS_SHOWN],
        lines=(line,) if more > 0 else (),
        notes=(),
    )


def what_next() -> Report:
    """Return the commands that an organiser who has seen the demo types next."""
    return Report(
        _("That was the demo; its database is gone. Now for an event of your own:"),
        next_steps=(
            '`tourney player add Ana "Beñat Etxeberria" Carmen Diego`',
            _("`tourney event new Friday --rules oficial --rounds 3 --size 4 --seed 7`"),
            '`tourney event enter Friday Ana "Beñat Etxeberria" Carmen Diego`',
            "`tourney round draw Friday`",
            _("`tourney --help` lists everything else, `tourney guide` explains it."),
        ),
    )
