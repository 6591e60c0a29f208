"""Bots as a report."""

from collections.abc import Sequence

from tourney.reports.render.report import Column, Report
from tourney.rulebook.answers import BotEntry
from tourney.text.i18n import _


def listing(bots: Sequence[BotEntry]) -> Report:
    """The built-in bots, weakest first."""
    columns = (Column("name", _("Bot")), Column("does", _("Does")))
    return Report(_("Built-in bots"), columns, tuple((bot.name, _(bot.does)) for bot in bots))
