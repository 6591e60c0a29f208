"""The projector: seating, tables, standings and the clock in large type, page by page, steered from the desk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from tourney.domain.schedule import Schedule
from tourney.reports.render.report import Report, cell_text
from tourney.reports.results import standings as standings_report
from tourney.reports.results.standings import tie_sentences
from tourney.reports.rounds import rounds as rounds_report
from tourney.standings.standing import StandingsTable
from tourney.text.i18n import _
from tourney.web.answers import View
from tourney.web.page import Asked, Page
from tourney.web.pages.clock import clock_values
from tourney.web.pages.hall import by_table, podium, posted, score_text, standings_of
from tourney.web.qr import svg_code
from tourney.web.server import Showing

MOST_TIES: Final = 3
"""The ties whose reasons have room below the list; phones show all."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list on the projector: what precedes the name, the name, and the cells behind it.

    The first cell is what people look for.
    """

    lead: str
    name: str
    cells: tuple[str, ...]


def screen(asked: Asked) -> View:
    """Show all that hangs on the wall; a script shows it page by page, as high as the window."""
    address = asked.server.settings.address
    hall = {"address": address, "code": svg_code(address) if address else ""}
    club = asked.server.club()
    if asked.server.shown_if_any() is None:
        return View("screen_waits.html", _("Projector"), {"hall": hall, "club": club}, frame="bare")
    drawn = posted(asked)
    table = standings_of(asked, drawn.event.settings.name)
    is_played, is_over = any(row.games for row in table.rows), drawn.event.state == "finished"
    values = {
        "hall": hall,
        "club": club,
        "clock": clock_values(drawn),
        "has_rounds": bool(drawn.rounds),
        "podium": podium(table) if is_over else [],
        "seating": list(_seats(drawn)),
        "is_seated": _is_seated(drawn),
        # Before the first result the order is that of names, of which the seating has more to say.
        "standings": [] if drawn.rounds and not is_played else list(_ranks(table)),
        "standings_notes": list(_reasons(table)) if is_played else [],
        **by_table(drawn),
        "heads": {"seating": Item("", _("Player"), (_("Table"), _("Seat"))), "standings": _head_of(table)},
        "headings": headings() | {"standings": _heading(table, is_played=is_played)},
        "round_title": drawn.event.settings.name if is_over else rounds_report.title(drawn),
        "is_over": is_over,
    }
    return View("screen.html", _("Projector"), values, frame="bare")


def _is_seated(drawn: Schedule) -> bool:
    """Return whether somebody still looks for their table: once every table has a result, nobody does."""
    return any(rounds_report.unfinished(drawn, round_) for round_ in drawn.rounds)


def headings() -> dict[Showing, str]:
    """Return the name of each thing that the projector can show."""
    return {
        "all": _("Everything in turn"),
        "podium": _("Podium"),
        "seating": _("Seating"),
        "tables": _("Tables"),
        "standings": _("Standings"),
        "clock": _("Clock"),
    }


def _heading(table: StandingsTable, *, is_played: bool) -> str:
    if not is_played:
        return _("Players")
    return _("Final standings") if standings_report.is_final(table) else _("Standings")


def _keys(table: StandingsTable) -> tuple[str, ...]:
    """Return the columns behind the names: what decides, and the points where they are divided by the games."""
    key = standings_report.deciding(table)
    return (key, "points") if key == "average" else (key,)


def _head_of(table: StandingsTable) -> Item:
    headings = {column.key: column.heading for column in standings_report.standings(table).columns}
    return Item(headings["rank"], headings["player"], tuple(headings[key] for key in _keys(table)))


def _seats(drawn: Schedule) -> Iterator[Item]:
    report = rounds_report.posted_list(drawn, "name")
    for row in _records(report):
        yield Item("", row["player"], (row["table"], row["seat"]))


def _ranks(table: StandingsTable) -> Iterator[Item]:
    for row, record in zip(table.rows, _records(standings_report.standings(table)), strict=True):
        more = (record[key] for key in _keys(table)[1:])
        yield Item(record["rank"], record["player"], (score_text(table, row), *more))


def _reasons(table: StandingsTable) -> Iterator[str]:
    """Yield what explains the order: how scores rank, and how the first ties are broken."""
    yield from standings_report.how_ranked(table)
    yield from islice(tie_sentences(table.rows), MOST_TIES)


def _records(report: Report) -> Iterator[dict[str, str]]:
    for row in report.rows:
        pairs = zip(report.columns, row, strict=True)
        yield {column.key: cell_text(column, value) for column, value in pairs}


PAGES = (Page("/screen", screen),)
