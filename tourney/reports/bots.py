"""Bots as a report."""

from collections.abc import Sequence

from tourney.games.answers import BotEntry
from tourney.reports.report import Column, Report
from tourney.text import _


def listing(bots: Sequence[BotEntry]) -> Report:
    """The built-in bots, weakest first."""
    columns = (Column("name", _("Bot")), Column("does", _("Does")))
    return Report(_("Built-in bots"), columns, tuple((bot.name, _(bot.does)) for bot in bots))
