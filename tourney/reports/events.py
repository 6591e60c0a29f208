"""Events as reports."""

from collections.abc import Sequence
from typing import Any

from tourney.domain import Entered, Event, ImportedEvent, Player
from tourney.reports.players import counted
from tourney.reports.report import Cell, Column, Report
from tourney.text import _, ngettext, typed


def _names(players: Sequence[Player]) -> str:
    return ", ".join(player.shown for player in players)


def event_data(event: Event) -> dict[str, Any]:
    """An event for programs."""
    settings = event.settings
    return {
        "id": event.id,
        "name": settings.name,
        "date": settings.date,
        "rules": settings.rules,
        "rules_digest": event.rules_digest,
        "format": settings.format,
        "rounds": settings.rounds,
        "size": settings.size,
        "seed": settings.seed,
        "short": settings.short,
        "minimum": settings.minimum,
        "entrants": [player.shown for player in event.entrants],
    }


def listing(events: Sequence[Event]) -> Report:
    """The events, in JSON each as `event show` gives it."""
    columns = (
        Column("id", _("No."), "right"),
        Column("name", _("Event")),
        Column("date", _("Date")),
        Column("rules", _("Rules")),
        Column("format", _("Format")),
        Column("rounds", _("Rounds"), "right"),
        Column("entrants", _("Entrants"), "right"),
    )
    rows = tuple(
        (event.id, s.name, s.date, s.rules, s.format, s.rounds, len(event.entrants))
        for event in events
        for s in [event.settings]
    )
    lines = () if events else (_("Begin one with `tourney event new NAME`."),)
    title = ngettext("{number} event", "{number} events", len(events)).format(number=len(events))
    return Report(title, columns, rows, data=[event_data(event) for event in events], lines=lines)


def page(event: Event) -> Report:
    """One event with its settings and entrants."""
    return Report(event.settings.name, *_settings(event), data=event_data(event))


def _settings(event: Event) -> tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]:
    settings = event.settings
    minimum = _("half the rounds") if settings.minimum is None else settings.minimum
    rows: tuple[tuple[Cell, ...], ...] = (
        *(((_("date"), settings.date),) if settings.date else ()),
        (_("rules"), settings.rules),
        (_("format"), settings.format),
        (_("rounds"), settings.rounds),
        (_("table size"), settings.size),
        (_("seed"), settings.seed),
        (_("where tables do not come out even"), settings.short),
        (_("least games for a rank"), minimum),
        (_("entrants"), _names(event.entrants) if event.entrants else _("none")),
    )
    return (Column("what", _("What")), Column("value", _("Value"))), rows


def made(event: Event) -> Report:
    """A new event, and what to do next."""
    title = _("new event: {name}").format(name=event.settings.name)
    lines = (_("Enter players with `tourney event enter NAME PLAYER …`."),)
    return Report(title, *_settings(event), data=event_data(event), lines=lines)


def used(event: Event) -> Report:
    """The event that commands now take where none is named."""
    return Report(_("current event: {name}").format(name=event.settings.name), data=event_data(event))


def entered(what: Entered) -> Report:
    """Who was entered, whom the event had already, whom the entry registered."""
    title = _("{event}: {players} entered, {all} in all").format(
        event=what.event.settings.name, players=counted(len(what.added)), all=len(what.event.entrants)
    )
    said = (
        (_("entered: {names}"), what.added),
        (_("entered already: {names}"), what.already),
        (_("registered with it: {names}"), what.registered),
    )
    lines = tuple(text.format(names=_names(players)) for text, players in said if players)
    data = {
        "event": what.event.settings.name,
        "added": [player.shown for player in what.added],
        "already": [player.shown for player in what.already],
        "registered": [player.shown for player in what.registered],
        "entrants": [player.shown for player in what.event.entrants],
    }
    return Report(title, data=data, lines=lines)


def imported(what: ImportedEvent) -> Report:
    """An evening that was kept elsewhere, now an event."""
    event = what.event
    tables = ngettext("{number} table", "{number} tables", what.tables).format(number=what.tables)
    title = _("imported: {event}: {tables}, {players}").format(
        event=event.settings.name, tables=tables, players=counted(len(event.entrants))
    )
    lines = (_("See `tourney standings {name}`.").format(name=typed(event.settings.name)),)
    return Report(title, data={**event_data(event), "tables": what.tables}, lines=lines)
