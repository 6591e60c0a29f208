"""Events: the one that the desk runs is chosen or created here, finished, or opened again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import SETTINGS, CopiedEvent, Event, EventSettings
from tourney.reports import events as report
from tourney.reports.people import counted
from tourney.service import rules as rules_service
from tourney.service.change import Change
from tourney.service.events import events as service
from tourney.service.events.copy_event import CopyEvent, CreatePlannedEvent
from tourney.service.events.events import CreateEvent, DeleteEvent, FinishEvent, ReopenEvent, UseEvent
from tourney.service.lookup import free_event_name
from tourney.service.stages.presets import PRESETS
from tourney.text.dates import long_date, shown_dates
from tourney.text.i18n import _, language
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.chapters import HOME
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, page, previewed, submit, view
from tourney.web.pages.desk.people.people import unknown_button
from tourney.web.pages.desk.settings import PATH as SETTINGS_PATH
from tourney.web.pages.desk.settings import given, inputs
from tourney.web.render import Link

EVENTS: Final = "/desk/events"
USUAL_RULES: Final = "oficial"
"""The rules of a new event where none are chosen."""


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event of the list: its name, what is known of it, and whether it is the one that the desk runs."""

    name: str
    facts: str
    chosen: bool


def events(asked: Asked, refused: Refused = None) -> View:
    """Show all events, and the form of a new one."""
    known = service.listing(asked.db)
    chosen = asked.server.event_if_any()
    values = {
        "events": [listed(event, chosen) for event in reversed(known)],
        "here": list(_links(chosen)),
        **_new(asked, known),
    }
    return view(asked, "events.html", _("Events"), values, refused)


def listed(event: Event, chosen: Event | None) -> ListedEvent:
    """Return an event as a list shows it; the desk runs the `chosen` one."""
    facts = [shown_dates(event.settings.date)] if event.settings.date else []
    facts += [counted(len(event.counted)), report.state_of(event)]
    return ListedEvent(event.settings.name, " · ".join(facts), chosen is not None and chosen.id == event.id)


def _links(chosen: Event | None) -> Iterator[Link]:
    if chosen is not None:
        yield Link(SETTINGS_PATH, _("Settings of {event}").format(event=chosen.settings.name))
        finish = _("Open {event} again") if chosen.state == "finished" else _("Finish {event}")
        yield Link(f"{EVENTS}/finish", finish.format(event=chosen.settings.name))
        yield Link(f"{EVENTS}/delete", _("Delete {event}").format(event=chosen.settings.name))
    yield Link(f"{EVENTS}/import", _("Import an event from its file"))
    yield Link(f"{EVENTS}/seasons", _("Seasons"))


def _new(asked: Asked, known: tuple[Event, ...]) -> dict[str, Any]:
    """Return the fields of the form of a new event, with a name, usual settings and the organiser of the last one."""
    today = datetime.now().astimezone().date().isoformat()
    name = free_event_name([event.settings.name for event in known], long_date(today))
    # With the name as its seed, no two evenings of the same players are seated alike.
    usual = {each: setting.default for each, setting in SETTINGS.items()} | {
        "seed": name,
        "date": today,
        "lang": language(),
        "organiser": known[-1].settings.organiser if known else None,
    }
    first, more = inputs(asked, usual)
    return {
        "first": first,
        "more": more,
        "name": asked.field("name") or name,
        "rules": [(entry.id, _(entry.title)) for entry in rules_service.listing()],
        "chosen_rules": asked.field("rules") or USUAL_RULES,
        "variants": asked.field("variants"),
        "sources": [event.settings.name for event in reversed(known)],
        "presets": [(preset.id, f"{_(preset.name)}: {_(preset.summary)}") for preset in PRESETS.values()],
        "preset": asked.field("preset"),
    }


def act(asked: Asked) -> Answer:
    """Do what a button of the list or of a form says."""
    match asked.field("do"):
        case "use":
            return _followed(asked, submit(asked, lambda: UseEvent(asked.field("name")), report.used, HOME, events))
        case "create":
            return submit(asked, lambda: _creation(asked), report.created, _after_creation, events)
        case "preset":
            return submit(asked, lambda: _planned(asked), report.created, _after_creation, events)
        case "copy":
            return submit(asked, lambda: _copy(asked), report.copied, _after_copy, events)
        case _other:
            raise unknown_button()


def _followed(asked: Asked, answer: Answer) -> Answer:
    """Let the pages follow the current event, which may be another than the one that the server was started for."""
    if not isinstance(answer, View):
        asked.server.settings = replace(asked.server.settings, event=None)
    return answer


def _creation(asked: Asked) -> Change[Event]:
    rules = asked.field("variants").strip() or asked.field("rules").strip() or USUAL_RULES
    if rules.lower().endswith(".toml"):
        message = _("a club's own rules are a file, which the desk does not read")
        raise TourneyError(ExitCode.REFUSED, message, _("create an event like an earlier one that has them"))
    return CreateEvent(EventSettings(asked.field("name"), rules, **given(asked)))


def _planned(asked: Asked) -> Change[Event]:
    return CreatePlannedEvent(asked.field("name"), asked.field("preset"))


def _copy(asked: Asked) -> Change[CopiedEvent]:
    return CopyEvent(asked.field("name"), asked.field("source"))


def _after_creation(event: Event) -> str:
    return "/desk/people/enrol" if event.is_current else EVENTS


def _after_copy(outcome: CopiedEvent) -> str:
    return HOME if outcome.event.is_current else EVENTS


def finishing(asked: Asked, refused: Refused = None) -> View:
    """Show what the end of the event would be like; of a finished one, how it is opened again."""
    event = asked.server.event()
    is_finished = event.state == "finished"
    outlook = None
    if not is_finished:
        outlook = previewed(asked, FinishEvent(event.settings.name, incomplete=True), report.finished)
    values = {
        "outlook": outlook,
        "is_finished": is_finished,
        "reason": asked.field("reason"),
    }
    title = _("Open {event} again") if is_finished else _("Finish {event}")
    return view(asked, "finish.html", title.format(event=event.settings.name), values, refused, about=("event",))


def finish(asked: Asked) -> Answer:
    """Finish the event, as it is, or open it again."""
    event = event_name(asked)
    if asked.field("do") == "reopen":
        reason = asked.field("reason")
        return submit(asked, lambda: ReopenEvent(event, reason), report.reopened, HOME, finishing)
    return submit(asked, lambda: FinishEvent(event, incomplete=True), report.finished, HOME, finishing)


def deleting(asked: Asked, refused: Refused = None) -> View:
    """Show what goes with the event if it is deleted, and the button that does it."""
    event, outlook = asked.server.event(), None
    try:
        outlook = previewed(asked, DeleteEvent(event.settings.name), report.deleted)
    except TourneyError as error:
        refused = refused or error
    values = {
        "outlook": outlook,
    }
    title = _("Delete {event}").format(event=event.settings.name)
    shown = view(asked, "delete.html", title, values, refused, about=("event",))
    # The page itself is there, and says why the event cannot go.
    return replace(shown, status=200) if asked.method == "GET" else shown


def delete(asked: Asked) -> Answer:
    """Delete the event, and offer to take that back."""
    undo = (Link("/desk/undo", _("Undo")),)
    change = partial(DeleteEvent, event_name(asked))
    return _followed(asked, submit(asked, change, report.deleted, EVENTS, deleting, undo))


PAGES = (
    page(EVENTS, events),
    form(EVENTS, act),
    page(f"{EVENTS}/finish", for_event(finishing)),
    form(f"{EVENTS}/finish", for_event(finish)),
    page(f"{EVENTS}/delete", for_event(deleting)),
    form(f"{EVENTS}/delete", for_event(delete)),
)
