"""With what probability the intervals of a league's table hold, as it is shown: the league itself stays as it is."""

from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.leagues import LeagueTable
from tourney.league import confidence
from tourney.text.i18n import _

LEVEL: Final = confidence.LEVEL
"""The probability, unless another is asked for."""


def checked_level(level: float) -> float:
    """The level, before anything is played. Raises TourneyError USAGE where no interval holds with it."""
    if not 0.5 <= level < 1.0:
        message = _("{level} is no probability of an interval").format(level=level)
        raise TourneyError(ExitCode.USAGE, message, _("give one from 0.5 to below 1, as 0.99"))
    return level


def at_level(table: LeagueTable, level: float) -> LeagueTable:
    """The table with intervals that hold with this probability, one that was checked."""
    return confidence.at_level(table, level)
