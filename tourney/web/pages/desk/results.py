"""Results at the desk: the tables of a round with their states, and one table with its sheets, taken or refused."""

from __future__ import annotations

from collections.abc import Iterator

from tourney.domain.results import Result
from tourney.domain.rounds import Table
from tourney.domain.submissions import RoundNow, Submission
from tourney.reports.render.report import Report
from tourney.reports.results import results as results_report
from tourney.reports.results import rulings as rulings_report
from tourney.reports.results.history import history
from tourney.service.events import status as status_service
from tourney.service.lookup import find_table
from tourney.service.results import begun_sheets, entry, rulings
from tourney.service.results import results as results_service
from tourney.service.results.begun_sheets import hand_names
from tourney.service.results.entry import DropBegun
from tourney.service.results.results import VoidResult
from tourney.service.rounds import rounds as rounds_service
from tourney.service.web import submissions
from tourney.service.web.as_seen import compared_sheets, round_now
from tourney.service.web.submissions import RefuseSheet, TakeOver
from tourney.text.i18n import _
from tourney.text.ranges import names_text
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, draw_text, event_name, for_event, form, page, submit, view
from tourney.web.pages.field_view import side_by_side
from tourney.web.pages.hall import number_in
from tourney.web.render import Link, Shown, report_view, time_of_day

RESULTS = "/desk/results"


# --- the tables of a round ----------------------------------------------------------------------------------------


def tables(asked: Asked) -> View:
    """Show the tables of a round with the states of their results."""
    number = number_in(asked.path["round"]) if "round" in asked.path else None
    found = round_now(asked.db, asked.server.event().settings.name, number)
    status = status_service.status(asked.db, found.event.settings.name)
    title = _("Results") if found.round is None else _("Results of round {round}").format(round=found.round.number)
    values = {
        "tables": sorted(found.tables, key=lambda now: _ORDER.index(now.state)),
        "rounds": list(_rounds(found)),
        "draws": draw_text(asked, status) if found.round is not None and found.round.number == found.drawn else "",
        "elsewhere": list(_elsewhere(asked, found)),
        "stray": [_stray(sheet) for sheet in submissions.stray_sheets(asked.db, found.event.settings.name)],
    }
    return view(asked, "results.html", title, values, about=("rounds",))


_ORDER = ("disagreement", "waiting", "open", "typing", "void", "stopped", "complete")
"""The states of tables, those first that need the desk."""


def _elsewhere(asked: Asked, found: RoundNow) -> Iterator[Link]:
    """Yield the tables of other rounds at which a sheet waits."""
    for waiting in submissions.waiting_sheets(asked.db, found.event.settings.name):
        table = waiting.table
        if found.round is None or table.round != found.round.number:
            yield Link(table_path(table), _place(table))


def _rounds(found: RoundNow) -> Iterator[Link]:
    if found.drawn > 1:
        yield from (Link(f"{RESULTS}/{number}", str(number)) for number in range(1, found.drawn + 1))


def _stray(sheet: Submission) -> dict[str, object]:
    place = _("round {round}, table {table}").format(round=sheet.table.round, table=sheet.table.number)
    names = [player.shown for player in sheet.table.players]
    hands = [results_report.hand_text(hand, names) for hand in sheet.hands]
    return {"id": sheet.id, "heading": f"{place}: {sent_by(sheet)}", "hands": hands}


def sent_by(sheet: Submission) -> str:
    """Return who sent a sheet, and at what time of the day."""
    time = time_of_day(sheet.time)
    if sheet.player is None:
        return _("a phone at {time}").format(time=time)
    return _("{player} at {time}").format(player=sheet.player.shown, time=time)


# --- one table ------------------------------------------------------------------------------------------------------


def table_path(table: Table) -> str:
    """Return the path of the desk's page of a table."""
    return f"{RESULTS}/{table.round}/{table.number}"


def one_table(asked: Asked, refused: Refused = None) -> View:
    """Show a table: its result, the sheets from phones that wait, and what can be done."""
    return shown_table(asked, *place_of(asked), refused)


def shown_table(asked: Asked, event: str, table: Table, refused: Refused = None) -> View:
    """Show a table of the event, and why a form was refused."""
    compared = compared_sheets(asked.db, event, table.round, table.number)
    result = _result(asked, event, table)
    partial = next(
        (
            sheet.hands
            for sheet in entry.partial_sheets_of(asked.db, event, table.round)
            if sheet.table.number == table.number
        ),
        (),
    )
    about, players = f"table {table.round} {table.number}", [player.shown for player in table.players]
    counting = [_("What counts now")] if compared.entered else []
    values = {
        "table": table,
        "about": about,
        "path": table_path(table),
        "players": players,
        "result": None if result is None else _sheet(asked, event, result),
        "history": [] if result is None else list(_history(asked, event, table)),
        "counts": result is not None and result.state == "counts",
        "partial": _("Partly entered at the desk: {hands}").format(hands=" ".join(partial)) if partial else "",
        "correction": result is not None and bool(begun_sheets.dropped_by(asked.db, event, table.round, table.number)),
        "typing": list(typed_on_phones(asked, event, table)),
        "sheets": compared.sheets,
        "sent_by": sent_by,
        "compared": side_by_side(compared.hands, [*counting, *map(sent_by, compared.sheets)], players),
        "several": len(compared.sheets) + compared.entered > 1,
    }
    return view(asked, "table.html", _place(table), values, refused, about=(about,))


def typed_on_phones(asked: Asked, event: str, table: Table) -> Iterator[Link]:
    """Yield the sheets that phones are typing at a table, also those begun before its players changed."""
    for sheet in submissions.sheets_of_table(asked.db, event, table.round, table.number).sheets:
        if sheet.state == "typing" and sheet.hands:
            text = _("{player} is typing this sheet on a phone: {hands}.")
            if {player.id for player in sheet.table.players} != {player.id for player in table.players}:
                text = _("{player} typed this on a phone before the players of the table changed: {hands}.")
            who = sheet.player.shown if sheet.player else _("somebody")
            hands = names_text(hand_names(sheet.hands))
            yield Link(f"{table_path(table)}/enter?sheet={sheet.id}", text.format(player=who, hands=hands))


def _place(table: Table) -> str:
    return _("Round {round}, table {table}").format(round=table.round, table=table.number)


def place_of(asked: Asked) -> tuple[str, Table]:
    """Return the event that a form is about, or that is served, and a page's table. Raises TourneyError NOT_FOUND."""
    number, table = number_in(asked.path["round"]), number_in(asked.path["table"])
    drawn = rounds_service.show(asked.db, event_name(asked), number)
    return drawn.event.settings.name, find_table(drawn.event, drawn.rounds, number, table)


def _result(asked: Asked, event: str, table: Table) -> Result | None:
    found = results_service.show(asked.db, event, table.round)
    return next((result for result in found if result.table.number == table.number), None)


def _sheet(asked: Asked, event: str, result: Result) -> Shown:
    """Return a result hand by hand, with the rulings on it."""
    table, given = result.table, rulings.listing(asked.db, event)
    return report_view(rulings_report.with_rulings(results_report.sheet(result), given, table.round, table.number))


def _history(asked: Asked, event: str, table: Table) -> Iterator[tuple[str, list[str]]]:
    entries = results_service.sheet_entries(asked.db, event, table.round, table.number)
    return history([player.shown for player in table.players], entries)


def void(asked: Asked) -> Answer:
    """Make a result void, or discard what was typed of a sheet or of a correction; each with a reason."""
    event, table = place_of(asked)
    place, reason = (event, table.round, table.number), asked.field("reason")
    match asked.field("do"):
        case "drop":
            change = DropBegun(*place, reason)
            return submit(asked, lambda: change, results_report.partial_sheet_discarded, table_path(table), one_table)
        case "drop_correction":
            drop = DropBegun(*place, reason, "correct")
            return submit(asked, lambda: drop, results_report.correction_dropped, table_path(table), one_table)
    making_void = VoidResult(*place, reason)
    return submit(asked, lambda: making_void, results_report.entered, table_path(table), one_table)


# --- sheets from phones -----------------------------------------------------------------------------------------------


def take(asked: Asked) -> Answer:
    """Take a sheet as the table's result."""
    sheet = _submission(asked)
    change = TakeOver(sheet.event, sheet.id, asked.field("digest"))
    return submit(asked, lambda: change, results_report.entered, f"{RESULTS}/{sheet.table.round}", _again)


def refuse(asked: Asked) -> Answer:
    """Refuse a sheet with a reason, which the phone shows."""
    sheet = _submission(asked)
    change = RefuseSheet(sheet.event, sheet.id, asked.field("reason"))
    return submit(asked, lambda: change, _refused_sheet, table_path(sheet.table), _again)


def _submission(asked: Asked) -> Submission:
    return submissions.submission(asked.db, event_name(asked), asked.path["id"])


def _again(asked: Asked, refused: Refused) -> View:
    """Show the table of the sheet, and why the form was refused."""
    sheet = _submission(asked)
    return shown_table(asked, sheet.event, sheet.table, refused)


def _refused_sheet(sheet: Submission) -> Report:
    title = _("the sheet of table {table} is refused: {reason}")
    return Report(title.format(table=sheet.table.number, reason=sheet.reason))


PAGES = (
    page(RESULTS, for_event(tables)),
    page(f"{RESULTS}/{{round}}", for_event(tables)),
    page(f"{RESULTS}/{{round}}/{{table}}", for_event(one_table)),
    form(f"{RESULTS}/{{round}}/{{table}}/void", for_event(void)),
    form("/desk/sheets/{id}/take", for_event(take)),
    form("/desk/sheets/{id}/refuse", for_event(refuse)),
)
