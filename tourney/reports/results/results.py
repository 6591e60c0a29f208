"""Results of tables as reports."""

from collections.abc import Sequence
from typing import Any

from tourney.domain.results import DeclaredHand, PartialSheetSummary, Result
from tourney.reports.render.report import Cell, Column, Report
from tourney.reports.results import sheets
from tourney.reports.results.sheets import outcome_data
from tourney.service.partial_sheets import names_text
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument


def result_data(result: Result) -> dict[str, Any]:
    """Return a result for programs."""
    return {
        "event": result.event,
        "round": result.table.round,
        "table": result.table.number,
        "state": result.state,
        "reason": result.reason,
        "record_digest": result.record_digest,
        **outcome_data(_names(result), result.outcome),
        "uncounted": None if result.uncounted is None else outcome_data(_names(result), result.uncounted),
    }


def _names(result: Result) -> list[str]:
    return [player.shown for player in result.table.players]


def sheet(result: Result) -> Report:
    """Return one table's sheet: a line per hand, a column per player, then totals and places; also of a void result."""
    columns, rows = sheets.sheet(_names(result), result.uncounted or result.outcome)
    return Report(_title(result), columns, rows, data=result_data(result), lines=_lines(result))


def _title(result: Result) -> str:
    return _("{event}, round {round}, table {table}").format(
        event=result.event, round=result.table.round, table=result.table.number
    )


def _lines(result: Result) -> tuple[str, ...]:
    lines: list[str] = []
    if result.state != "counts":
        lines.append(_("state: {state}; nothing of this sheet counts").format(state=result.state))
    if result.reason:
        lines.append(_("reason: {reason}").format(reason=result.reason))
    if result.record_digest:
        lines.append(_("record: {digest}").format(digest=result.record_digest))
    return tuple(lines)


def partial_sheet(sheet: PartialSheetSummary) -> Report:
    """Return a partial sheet that was kept."""
    title = _("partial sheet kept: {event}, round {round}, table {table}: {hands}").format(
        event=sheet.event, round=sheet.table.round, table=sheet.table.number, hands=names_text(sheet.hands)
    )
    line = _("continue with `tourney result enter {event} --round {round} --table {table}`").format(
        event=quote_argument(sheet.event), round=sheet.table.round, table=sheet.table.number
    )
    alone = _("or give the missing hands, each with --hand")
    return Report(title, data=partial_sheet_data(sheet), lines=(line, alone) if _has_contracts(sheet) else (line,))


def _has_contracts(sheet: PartialSheetSummary) -> bool:
    """Return whether the hands have names; knock hands have numbers."""
    return not any(name.isdecimal() for name in sheet.hands)


def partial_sheet_dropped(sheet: PartialSheetSummary) -> Report:
    """Return a partial sheet that was discarded."""
    title = _("partial sheet discarded: {event}, round {round}, table {table}: {hands}").format(
        event=sheet.event, round=sheet.table.round, table=sheet.table.number, hands=names_text(sheet.hands)
    )
    return Report(
        title, data={**partial_sheet_data(sheet), "state": "set aside"}, lines=(_("`tourney undo` restores it"),)
    )


def partial_sheet_data(sheet: PartialSheetSummary) -> dict[str, Any]:
    """Return a partial sheet for programs."""
    return {
        "event": sheet.event,
        "round": sheet.table.round,
        "table": sheet.table.number,
        "state": "half entered",
        "hands": list(sheet.hands),
    }


def hand_text(hand: DeclaredHand) -> str:
    """Return a hand as typed so far, in one line: `TT, closed by Ana: Ana -10, Beñat 35`."""
    ended = [hand.contract or hand.ending, _("nobody closed") if hand.dead else ""]
    if hand.closer is not None:
        ended.append(_("closed by {player}").format(player=hand.closer))
    numbers = [f"{player} {points}" for player, points in {**hand.points, **hand.left}.items()]
    bought = _("bought off: {players}").format(players=", ".join(hand.buys)) if hand.buys else ""
    said = _("{hand}: {points}").format(hand=", ".join(filter(None, ended)), points=", ".join(numbers) or "–")
    return "; ".join(filter(None, (said, bought)))


def listing(results: Sequence[Result], halves: Sequence[PartialSheetSummary] = ()) -> Report:
    """Return several results, a line for each player; partial sheets stand in the notes."""
    columns = (
        Column("round", _("Round"), "right"),
        Column("table", _("Table"), "right"),
        Column("player", _("Player")),
        Column("points", _("Points"), "right"),
        Column("hands_won", _("Hands won"), "right"),
        Column("place", _("Place"), "right"),
        Column("state", _("State")),
        Column("short", _("Short"), "right"),
    )
    rows = tuple(row for result in results for row in _player_rows(result))
    title = ngettext("{number} result", "{number} results", len(results)).format(number=len(results))
    notes = tuple(
        _("partial sheet: round {round}, table {table} ({hands})").format(
            round=sheet.table.round, table=sheet.table.number, hands=names_text(sheet.hands)
        )
        for sheet in halves
    )
    return Report(title, columns, rows, notes, data=[result_data(result) for result in results])


def _player_rows(result: Result) -> list[tuple[Cell, ...]]:
    table, outcome = result.table, result.outcome
    if not outcome.points:
        nothing = (None, None, None)
        return [(table.round, table.number, player.shown, *nothing, result.state, "") for player in table.players]
    per_seat = zip(table.players, outcome.points, outcome.hands_won, outcome.places, strict=True)
    return [
        (table.round, table.number, player.shown, points, won, place, result.state, outcome.short or "")
        for player, points, won, place in per_seat
    ]
