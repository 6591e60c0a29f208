"""Ranks in reach as reports."""

from collections.abc import Sequence
from typing import Any

from tourney.domain.clinching import RatingProspect, RatingProspects
from tourney.reports.render.report import Column, Report
from tourney.text.i18n import _


def prospects(what: RatingProspects) -> Report:
    """For each player at an open table the place there that makes a rank sure, and the one that leaves it possible."""
    columns = (
        Column("rank", _("Rank"), "right"),
        Column("player", _("Player")),
        Column("table", _("Table"), "right"),
        Column("best", _("Best"), "right"),
        Column("worst", _("Worst"), "right"),
        Column("sure", _("Sure with")),
        Column("possible", _("Possible with")),
    )
    rows = tuple(
        (
            one.rank,
            one.player,
            one.table,
            min(one.best),
            max(one.worst),
            _places(one.sure(what.place), len(one.best)),
            _places(one.possible(what.place), len(one.best)),
        )
        for one in what.prospects
    )
    return Report(_title(what), columns, rows, data=_data(what, what.prospects), lines=_reading())


def prospect(what: RatingProspects, one: RatingProspect) -> Report:
    """One player's ranks by his place at the table."""
    columns = (
        Column("place", _("Place at table {table}").format(table=one.table), "right"),
        Column("best", _("Best rank"), "right"),
        Column("worst", _("Worst rank"), "right"),
    )
    rows = tuple((place, *ends) for place, ends in enumerate(zip(one.best, one.worst, strict=True), 1))
    now = _("not rated yet") if one.rank is None else _("rank {rank} now").format(rank=one.rank)
    title = _("{player}, {now}: the ratings of the pool {pool} behind round {round} of {event}").format(
        player=one.player, now=now, pool=what.pool.name, round=what.round, event=what.event.settings.name
    )
    return Report(title, columns, rows, data=_data(what, (one,)), lines=_reading()[1:])


def _title(what: RatingProspects) -> str:
    return _("What it takes in round {round} of {event} to come to rank {rank} of the pool {pool}").format(
        round=what.round, event=what.event.settings.name, rank=what.place, pool=what.pool.name
    )


def _places(last: int, players: int) -> str:
    """Places at a table from the first to that one."""
    if last == 0:
        return _("no place")
    if last == players:
        return _("any place")
    return _("place {last}").format(last=last) if last == 1 else _("place 1 to {last}").format(last=last)


def _reading() -> tuple[str, ...]:
    return (
        _("Sure is whatever the others do; possible, if they do what suits best."),
        _("Every order of every open table was looked at; ties and games played since are left out."),
    )


def _data(what: RatingProspects, players: Sequence[RatingProspect]) -> dict[str, Any]:
    return {
        "pool": what.pool.name,
        "event": what.event.settings.name,
        "round": what.round,
        "place": what.place,
        "players": [
            {
                "player": one.player,
                "rank": one.rank,
                "table": one.table,
                "sure": one.sure(what.place),
                "possible": one.possible(what.place),
                "best": list(one.best),
                "worst": list(one.worst),
            }
            for one in players
        ],
    }
