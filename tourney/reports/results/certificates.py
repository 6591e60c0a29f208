"""Certificates for the first players of an event."""

from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports.render.report import Field, Fields, Report, listing
from tourney.reports.results.standings import prize_cell, prize_value
from tourney.standings.scales import MONEY, POINTS
from tourney.standings.standing import Standing, StandingsTable
from tourney.text.i18n import _, pgettext

TO_WRITE = " "
"""A cell to be written in by hand; a column of empty cells would not be shown."""


def certificates(table: StandingsTable, top: int) -> Report:
    """Report the players with the ranks 1 to `top`, with their clubs. Raises TourneyError REFUSED if there are none."""
    winners = [row for row in table.rows if row.rank is not None and row.rank <= top]
    if not winners:
        message = _("nobody has a rank in {event} yet").format(event=table.event.settings.name)
        raise TourneyError(ExitCode.REFUSED, message, _("`tourney status` says which results are missing"))
    return listing(table.event.settings.name, _fields(table), winners, layout="certificates")


def _fields(table: StandingsTable) -> Fields[Standing]:
    settings = table.event.settings
    return (
        Field("event", _("Event"), lambda row: settings.name),
        Field("rank", pgettext("on a certificate", "Rank"), lambda row: row.rank, "right", readers="programs"),
        Field("place", _("Place"), lambda row: _place(row.rank or 0), readers="people"),
        Field("player", _("Player"), lambda row: row.player.shown),
        Field("club", _("Club"), lambda row: row.player.club),
        Field("points", _("Points"), lambda row: row.points, "right"),
        Field("score", _(table.rows[0].scale.heading), lambda row: row.score, "right", cell=_score, optional=True),
        Field("hands_won", _("Hands won"), lambda row: row.hands_won, "right"),
        Field("games", _("Games"), lambda row: row.games, "right"),
        Field("money", _("Money"), lambda row: row.money, "right", cell=_money),
        Field("prize", _("Prize"), prize_value, "right", cell=prize_cell, optional=True),
        Field(
            "date", _("Date"), lambda row: settings.date, cell=lambda row: settings.date or TO_WRITE, look="long date"
        ),
        Field(
            "organiser",
            _("Organised by"),
            lambda row: settings.organiser,
            cell=lambda row: settings.organiser or TO_WRITE,
        ),
        Field("signature", _("Signature"), lambda row: TO_WRITE, readers="people"),
    )


def _place(rank: int) -> str:
    """Return a rank as a certificate says it: 1st place."""
    texts = {1: _("{rank}st place"), 2: _("{rank}nd place"), 3: _("{rank}rd place")}
    is_teen = rank // 10 % 10 == 1
    return (_("{rank}th place") if is_teen else texts.get(rank % 10, _("{rank}th place"))).format(rank=rank)


def _score(row: Standing) -> str | float:
    """Return what ranks, where it is neither the points nor the money, which have columns of their own."""
    return "" if row.scale in (POINTS, MONEY) else row.score


def _money(row: Standing) -> str | int:
    return "" if row.money is None else row.money
