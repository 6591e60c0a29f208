"""Reports on events that come from a file or go into one."""

from collections.abc import Mapping
from dataclasses import replace

from tourney.domain.events import BroughtIn, ChangeThere, ImportedEvent, PersonHere, PersonOrigin
from tourney.reports.events import event_data
from tourney.reports.leagues.files import entrants_shown
from tourney.reports.people import counted
from tourney.reports.render.report import Field, Fields, Report, listing, named, record
from tourney.service.events.event_file import Exported
from tourney.service.lookup import event_argument
from tourney.text.authors import shown_author
from tourney.text.dates import local, shown_time
from tourney.text.i18n import _, marked, ngettext

_HOW: Mapping[PersonOrigin, str] = {
    "known": marked("registered here"),
    "new": marked("new"),
    "merged": marked("new; merged into another"),
    "erased": marked("new; the name was erased"),
    "unregistered": marked("not registered"),
}
"""The words for who a person of an event's file is here."""


def _people_fields() -> Fields[PersonHere]:
    return (
        Field("person", _("No."), lambda person: person.number, "right", priority=2),
        Field("name", _("In the file"), lambda person: person.name),
        Field("player", _("Here"), lambda person: person.player.shown),
        Field("how", _("Is"), lambda person: person.how, cell=lambda person: _(_HOW[person.how])),
    )


def _more_fields() -> Fields[ChangeThere]:
    return (
        Field("place", _("No."), lambda change: change.place, "right", priority=2),
        Field(
            "time",
            _("Time"),
            lambda change: change.time,
            cell=lambda change: shown_time(local(change.time)),
            priority=2,
        ),
        Field("said", _("What"), lambda change: change.said, priority=0),
        Field("by", _("By"), lambda change: change.by, cell=lambda change: shown_author(change.by), priority=3),
    )


def brought_in(outcome: BroughtIn) -> Report:
    """Report an event imported from its file, and who its people are here."""
    step = _("See `tourney standings{event}`.").format(event=event_argument(outcome.event))
    data = {
        **event_data(outcome.event),
        "entries": outcome.entries,
        "code": outcome.code,
        "bots": [named(bot, "name", "entrant", "folder") for bot in outcome.bots],
        "people": [record(_people_fields(), person) for person in outcome.people],
        "more": [record(_more_fields(), change) for change in outcome.more],
    }
    return replace(_people_here(outcome, _("imported: {event}: {changes}, code {code}")), data=data, next_steps=(step,))


def brought_in_as_shown(outcome: BroughtIn) -> Report:
    """Report an imported event without the people and changes that were shown before the question."""
    return replace(brought_in(outcome), columns=(), rows=(), lines=())


def before_import(outcome: BroughtIn) -> Report:
    """Report what an import would do, before it is asked for."""
    return _people_here(outcome, _("{event}: {changes}, code {code}"))


def _people_here(outcome: BroughtIn, title: str) -> Report:
    changes = ngettext("{number} change", "{number} changes", outcome.entries)
    if outcome.more:
        changes = ngettext("{number} new change", "{number} new changes", outcome.entries)
    changes = changes.format(number=outcome.entries)
    title = title.format(event=outcome.event.settings.name, changes=changes, code=outcome.code)
    known = sum(person.how == "known" for person in outcome.people)
    people = _("{people}: {known} registered here, {new} new").format(
        people=counted(len(outcome.people)), known=known, new=len(outcome.people) - known
    )
    lines = (people, *entrants_shown(outcome.bots))
    if outcome.more:
        lines = (_("The event here gets these changes of the file."), *lines)
        return listing(title, _more_fields(), outcome.more, lines=lines)
    return listing(title, _people_fields(), outcome.people, lines=lines)


def exported(outcome: Exported, file: str | None) -> Report:
    """Report an exported event; without a file the data have its text."""
    sentence = ngettext(
        "exported: {event}: {number} change, {people}, code {code}",
        "exported: {event}: {number} changes, {people}, code {code}",
        outcome.entries,
    )
    title = sentence.format(
        event=outcome.event.settings.name, number=outcome.entries, people=counted(outcome.people), code=outcome.code
    )
    data = {"event": outcome.event.settings.name} | named(outcome, "entries", "people", "code") | {"file": file}
    return Report(title, data=data if file is not None else {**data, "text": outcome.text})


def imported(outcome: ImportedEvent) -> Report:
    """Report an imported evening."""
    event = outcome.event
    tables = ngettext("{number} table", "{number} tables", outcome.tables).format(number=outcome.tables)
    title = _("imported: {event}: {tables}, {players}").format(
        event=event.settings.name, tables=tables, players=counted(len(event.entrants))
    )
    step = _("See `tourney standings{event}`.").format(event=event_argument(event))
    return Report(title, data={**event_data(event), "tables": outcome.tables}, next_steps=(step,))
