"""Reports on the demo's steps, and what to type next."""

from collections.abc import Callable
from typing import Any

from tourney.domain.events import Entered, ImportedEvent
from tourney.domain.rankings import RatingsTable
from tourney.domain.registration import Registered
from tourney.domain.results import Play
from tourney.domain.schedule import Schedule
from tourney.reports import events, people
from tourney.reports.ratings import ratings
from tourney.reports.render.report import Report
from tourney.reports.results import standings
from tourney.reports.rounds import rounds
from tourney.standings.standing import StandingsTable
from tourney.text.i18n import _

_REPORTS: dict[type, Callable[[Any], Report]] = {
    Registered: people.registered,
    ImportedEvent: events.imported,
    Entered: events.entered,
    Schedule: rounds.schedule,
    Play: rounds.played,
    StandingsTable: standings.standings,
    RatingsTable: ratings.ratings,
}


def step(value: object) -> Report:
    """Return the report on the result of a step."""
    return _REPORTS[type(value)](value)


def what_next() -> Report:
    """Return the commands that an organiser who has seen the demo types next."""
    return Report(
        _("That was the demo; its database is gone. Now your own:"),
        lines=(
            'tourney player add Ana "Beñat Etxeberria" Carmen Diego',
            _("tourney event new Friday --rules oficial --rounds 3 --size 4 --seed 7"),
            'tourney event enter Friday Ana "Beñat Etxeberria" Carmen Diego',
            "tourney round draw Friday",
            _("tourney --help                 everything else"),
        ),
    )
