"""Reports on rulings."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tourney.domain.results import Ruling, RulingKind, Rulings, RulingState
from tourney.reports.render.report import Field, Fields, Report, listing, record
from tourney.standings.ranking import penalty_text, uncounted_text
from tourney.text.i18n import _, ngettext


def ruling_fields() -> Fields[Ruling]:
    """Return the columns of the rulings, in order; JSON also has the event."""
    states: dict[RulingState, str] = {
        "cancelled": _("cancelled"),
        "stands": _("stands"),
        "waits": _("waits for its round"),
        "not in stage": _("not in the stage"),
    }
    return (
        Field("number", _("No."), lambda ruling: ruling.number, "right", priority=0),
        Field("event", "", lambda ruling: ruling.event),
        Field("kind", _("Kind"), lambda ruling: ruling.kind, cell=lambda ruling: _kind(ruling.kind), priority=2),
        _of_table("round", _("Round"), lambda ruling: ruling.round),
        _of_table("table", _("Table"), lambda ruling: ruling.table),
        Field("player", _("Player"), _player, cell=lambda ruling: _player(ruling) or "", priority=0),
        Field("hand", _("Hand"), lambda ruling: ruling.hand),
        Field(
            "points",
            _("Points"),
            lambda ruling: ruling.points,
            "right",
            cell=lambda ruling: ruling.points if ruling.kind == "penalty" else "",
            priority=0,
        ),
        Field("reason", _("Reason"), lambda ruling: ruling.text),
        Field("state", _("State"), lambda ruling: ruling.state, cell=lambda ruling: states[ruling.state], priority=0),
        Field("why_cancelled", _("Why cancelled"), lambda ruling: ruling.why_cancelled, priority=2),
        Field("by", _("By"), lambda ruling: ruling.by, optional=True, priority=3),
        Field("cancelled_by", _("Cancelled by"), lambda ruling: ruling.cancelled_by, optional=True, priority=3),
    )


def _of_table(key: str, heading: str, value: Callable[[Ruling], int | None]) -> Field[Ruling]:
    """Return a column that is empty for rulings on no round or table."""
    return Field(key, heading, value, "right", cell=lambda ruling: value(ruling) or "", priority=2)


def ruling_data(ruling: Ruling) -> dict[str, Any]:
    """Return a ruling as JSON data; fields without a value are None or empty."""
    return record(ruling_fields(), ruling)


def _player(ruling: Ruling) -> str | None:
    return None if ruling.player is None else ruling.player.shown


def all_rulings(event_rulings: Rulings) -> Report:
    """Report all rulings of an event, cancelled ones included."""
    number = len(event_rulings.rulings)
    title = ngettext("{event}: {number} ruling", "{event}: {number} rulings", number)
    return listing(
        title.format(event=event_rulings.event.settings.name, number=number), ruling_fields(), event_rulings.rulings
    )


def added(ruling: Ruling) -> Report:
    """Report a ruling just added."""
    title = _("{event}, decision {number}: {ruling}").format(
        event=ruling.event, number=ruling.number, ruling=ruling_text(ruling)
    )
    return Report(title, data=ruling_data(ruling))


def cancelled(ruling: Ruling) -> Report:
    """Report a ruling just cancelled, and that the sheet of a correction stays."""
    title = _("{event}, decision {number} is cancelled: {ruling}").format(
        event=ruling.event, number=ruling.number, ruling=ruling_text(ruling)
    )
    stays = _("The corrected sheet stays: `tourney result correct` puts another in its place.")
    return Report(title, data=ruling_data(ruling), lines=(stays,) if ruling.kind == "correction" else ())


def with_rulings(sheet: Report, event_rulings: Rulings, round_number: int, table: int) -> Report:
    """Return a table's sheet with the rulings that stand for the table; JSON has them under `rulings`."""
    spot = (round_number, table, "stands")
    rulings = [ruling for ruling in event_rulings.rulings if (ruling.round, ruling.table, ruling.state) == spot]
    text = _("decision {number}: {ruling}")
    lines = (text.format(number=ruling.number, ruling=ruling_text(ruling)) for ruling in rulings)
    data = {**sheet.structure(), "rulings": [ruling_data(ruling) for ruling in rulings]}
    return replace(sheet, data=data, lines=(*sheet.lines, *lines))


def ruling_text(ruling: Ruling) -> str:
    """Return a ruling in words."""
    if ruling.kind == "penalty" and ruling.player is not None:
        said = _("{player}: {penalty}").format(player=ruling.player.shown, penalty=penalty_text(ruling))
        return uncounted_text(ruling) or said
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
