"""Rulings as reports."""

from dataclasses import replace
from typing import Any

from tourney.domain.rulings import Ruling, RulingKind, Rulings
from tourney.reports.render.report import Column, Report
from tourney.standings.ranking import penalty_text
from tourney.text.i18n import _, ngettext


def ruling_data(ruling: Ruling) -> dict[str, Any]:
    """Return a ruling for programs; null or empty for what it lacks."""
    return {
        "number": ruling.number,
        "event": ruling.event,
        "kind": ruling.kind,
        "round": ruling.round,
        "table": ruling.table,
        "player": None if ruling.player is None else ruling.player.shown,
        "hand": ruling.hand,
        "points": ruling.points,
        "reason": ruling.text,
        "state": ruling.state,
        "why_cancelled": ruling.why_cancelled,
    }


def listing(known: Rulings) -> Report:
    """Return all rulings of an event, cancelled ones included."""
    columns = (
        Column("number", _("No."), "right"),
        Column("kind", _("Kind")),
        Column("round", _("Round"), "right"),
        Column("table", _("Table"), "right"),
        Column("player", _("Player")),
        Column("hand", _("Hand")),
        Column("points", _("Points"), "right"),
        Column("reason", _("Reason")),
        Column("state", _("State")),
        Column("why_cancelled", _("Why cancelled")),
    )
    rows = tuple(
        (
            one.number,
            _kind(one.kind),
            "" if one.round is None else one.round,
            "" if one.table is None else one.table,
            "" if one.player is None else one.player.shown,
            one.hand,
            one.points if one.kind == "penalty" else "",
            one.text,
            _("cancelled") if one.state == "cancelled" else _("stands"),
            one.why_cancelled,
        )
        for one in known.rulings
    )
    number = len(rows)
    title = ngettext("{event}: {number} ruling", "{event}: {number} rulings", number)
    data = [ruling_data(one) for one in known.rulings]
    return Report(title.format(event=known.event.settings.name, number=number), columns, rows, data=data)


def added(ruling: Ruling) -> Report:
    """Return a ruling just added."""
    title = _("{event}, ruling {number}: {said}").format(
        event=ruling.event, number=ruling.number, said=ruling_text(ruling)
    )
    return Report(title, data=ruling_data(ruling))


def cancelled(ruling: Ruling) -> Report:
    """Return a ruling just cancelled, and what stays."""
    title = _("{event}, ruling {number} is cancelled: {said}").format(
        event=ruling.event, number=ruling.number, said=ruling_text(ruling)
    )
    stays = _("The corrected sheet stays: `tourney result correct` puts another in its place.")
    return Report(title, data=ruling_data(ruling), lines=(stays,) if ruling.kind == "correction" else ())


def with_rulings(sheet: Report, known: Rulings, round_number: int, table: int) -> Report:
    """Return a table's sheet with the standing rulings there; programs find them under `rulings`."""
    there = [one for one in known.rulings if (one.round, one.table, one.state) == (round_number, table, "stands")]
    said = (_("ruling {number}: {said}").format(number=one.number, said=ruling_text(one)) for one in there)
    data = {**sheet.structure(), "rulings": [ruling_data(one) for one in there]}
    return replace(sheet, data=data, lines=(*sheet.lines, *said))


def ruling_text(ruling: Ruling) -> str:
    """Return a ruling in words."""
    if ruling.kind == "penalty" and ruling.player is not None:
        return _("{player}: {penalty}").format(player=ruling.player.shown, penalty=penalty_text(ruling))
    if ruling.kind == "redeal":
        text = _("round {round}, table {table}: the hand {hand} was dealt again: {why}")
        return text.format(round=ruling.round, table=ruling.table, hand=ruling.hand, why=ruling.text)
    if ruling.kind == "correction":
        text = _("round {round}, table {table}: the sheet was corrected: {why}")
        return text.format(round=ruling.round, table=ruling.table, why=ruling.text)
    parts = (
        "" if ruling.round is None else _("round {round}").format(round=ruling.round),
        "" if ruling.table is None else _("table {table}").format(table=ruling.table),
        ruling.hand,
        "" if ruling.player is None else ruling.player.shown,
    )
    where = ", ".join(part for part in parts if part)
    return f"{where}: {ruling.text}" if where else ruling.text


def _kind(kind: RulingKind) -> str:
    words: dict[RulingKind, str] = {
        "penalty": _("penalty"),
        "redeal": _("redeal"),
        "correction": _("correction"),
        "note": _("note"),
    }
    return words[kind]
