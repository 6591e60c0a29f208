"""Events: the one that the desk runs is chosen, created or imported here, finished, deleted, or opened again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlencode

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import SETTINGS, BroughtIn, CopiedEvent, Event, EventSettings
from tourney.reports import event_files as file_report
from tourney.reports import events as report
from tourney.reports.people import counted
from tourney.reports.render.report import Report
from tourney.reports.results import standings as standings_report
from tourney.service import rules as rules_service
from tourney.service.change import Change
from tourney.service.events import events as service
from tourney.service.events import status
from tourney.service.events.copy_event import CopyEvent, CreatePlannedEvent
from tourney.service.events.event_file import HereAlreadyError
from tourney.service.events.events import CreateEvent, DeleteEvent, FinishEvent, ReopenEvent, UseEvent
from tourney.service.events.import_event import ImportEvent, outlook
from tourney.service.lookup import free_event_name
from tourney.service.stages import shown as standings_service
from tourney.service.stages.presets import PRESETS
from tourney.text.dates import long_date, shown_dates
from tourney.text.i18n import _, language
from tourney.web.answers import Answer, Moved, View
from tourney.web.forms import MOST_UPLOADED, Upload, parts_of
from tourney.web.page import Asked
from tourney.web.pages.desk.chapters import HOME
from tourney.web.pages.desk.page import (
    Button,
    Refused,
    event_name,
    for_event,
    form,
    page,
    press,
    previewed,
    submit,
    view,
)
from tourney.web.pages.desk.settings import given, inputs
from tourney.web.render import Link, Shown, report_view

EVENTS: Final = "/desk/events"
IMPORT: Final = f"{EVENTS}/import"
_UNUSUAL: Final = re.compile(r"[^\w. -]")
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
        "chosen": chosen,
        **_new(asked, known),
    }
    return view(asked, "events.html", _("Events"), values, refused)


def listed(event: Event, chosen: Event | None) -> ListedEvent:
    """Return an event as a list shows it; the desk runs the `chosen` one."""
    facts = [shown_dates(event.settings.date)] if event.settings.date else []
    facts += [counted(len(event.counted)), report.state_of(event)]
    return ListedEvent(event.settings.name, " · ".join(facts), chosen is not None and chosen.id == event.id)


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
    buttons: dict[str, Button] = {
        "use": (lambda: UseEvent(asked.field("name")), report.used, HOME),
        "create": (lambda: _creation(asked), report.created, _after_creation),
        "preset": (
            lambda: CreatePlannedEvent(asked.field("name"), asked.field("preset")),
            report.created,
            _after_creation,
        ),
        "copy": (lambda: CopyEvent(asked.field("name"), asked.field("source")), report.copied, after_copy),
    }
    if asked.field("do") != "use":
        return press(asked, events, buttons)
    if not asked.field("sure") and _is_played(asked):
        return Moved(_question(asked.field("name")))
    return followed(asked, press(asked, events, buttons))


def _is_played(asked: Asked) -> bool:
    """Return whether the event that the desk runs is being played, so that another one is not shown by a slip."""
    event = asked.server.event_if_any()
    return event is not None and event.state == "open" and status.status(asked.db, event.settings.name).drawn > 0


def _question(name: str) -> str:
    """Return the path of the page that asks whether the desk is to run the event of that name."""
    return f"{EVENTS}/use?{urlencode({'name': name})}"


def asking(asked: Asked, refused: Refused = None) -> View:
    """Ask whether desk, projector and phones are to go over to another event."""
    event = service.show(asked.db, asked.query.get("name") or asked.field("name"))
    values = {"name": event.settings.name, "running": event_name(asked), "is_played": _is_played(asked)}
    title = _("Run {event}").format(event=event.settings.name)
    return view(asked, "use.html", title, values, refused)


def look(asked: Asked) -> View:
    """Show the standings of an event, whichever the desk runs, with its pages for paper."""
    table = standings_service.standings(asked.db, asked.query.get("name") or event_name(asked))
    name = table.event.settings.name
    values = {"name": name, "papers": papers(name), "shown": report_view(standings_report.standings(table))}
    return view(asked, "look.html", name, values)


def papers(event: str) -> tuple[Link, ...]:
    """Return links to what is printed of an event, whichever the desk runs."""
    texts = {"standings": _("Print the standings"), "certificates": _("Print the certificates")}
    query = urlencode({"event": event})
    return tuple(Link(f"/desk/paper/print/{paper}?{query}", text) for paper, text in texts.items())


def followed(asked: Asked, answer: Answer) -> Answer:
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


def _after_creation(event: Event) -> str:
    return "/desk/people/enrol" if event.is_current else _question(event.settings.name)


def after_copy(outcome: CopiedEvent) -> str:
    """Return the path of the page that follows the copy of an event."""
    return HOME if outcome.event.is_current else _question(outcome.event.settings.name)


def finishing(asked: Asked, refused: Refused = None) -> View:
    """Show what the end of the event would be like; of a finished one, how it is opened again."""
    event = asked.server.event()
    is_finished = event.state == "finished"
    end, lacks = (None, "") if is_finished else _end(asked, event.settings.name)
    values = {"outlook": end, "is_finished": is_finished, "lacks": lacks}
    title = _("Open {event} again") if is_finished else _("Finish {event}")
    return view(asked, "finish.html", title.format(event=event.settings.name), values, refused, about=("event",))


def _end(asked: Asked, event: str) -> tuple[Shown, str]:
    """Return what the end of the event would be like, and a sentence that says what it lacks, "" for nothing."""
    title = _("If it ends like this")
    try:
        return previewed(asked, FinishEvent(event), report.finished, title), ""
    except TourneyError as error:
        return previewed(asked, FinishEvent(event, incomplete=True), report.finished, title), error.message


def finish(asked: Asked) -> Answer:
    """Finish the event, without what it lacks only where somebody has ticked that, or open it again."""
    event = event_name(asked)
    if asked.field("do") == "reopen":
        reason = asked.field("reason")
        return submit(asked, lambda: ReopenEvent(event, reason), report.reopened, HOME, finishing)
    change = FinishEvent(event, incomplete=bool(asked.field("anyway")))
    return submit(asked, lambda: change, report.finished, HOME, finishing)


def deleting(asked: Asked, refused: Refused = None) -> View:
    """Show what goes with the event if it is deleted, and the button that does it."""
    event, lost = asked.server.event(), None
    try:
        lost = previewed(asked, DeleteEvent(event.settings.name), report.deleted)
    except TourneyError as error:
        refused = refused or error
    title = _("Delete {event}").format(event=event.settings.name)
    shown = view(asked, "delete.html", title, {"outlook": lost}, refused, about=("event",))
    # The page itself is there, and says why the event cannot go.
    return replace(shown, status=200) if asked.method == "GET" else shown


def delete(asked: Asked) -> Answer:
    """Delete the event, and offer to take that back."""
    undo = (Link("/desk/undo", _("Undo")),)
    change = partial(DeleteEvent, event_name(asked))
    return followed(asked, submit(asked, change, report.deleted, EVENTS, deleting, undo))


# --- an event is taken in from its file ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _SentFile:
    """The content of the form: the file with its key (None, "": there is none), the event's name here, the button."""

    key: str
    upload: Upload | None
    name: str
    do: str


def _sent(asked: Asked) -> _SentFile:
    fields, upload = parts_of(asked.content_type, asked.body)
    key = asked.field("key") if upload is None else sha256(upload.content).hexdigest()[:32]
    if upload is not None:
        asked.server.uploads.keep(key, upload)
    return _SentFile(key, asked.server.uploads.get(key), asked.field("name"), fields.get("do") or asked.field("do"))


def choose(asked: Asked, refused: Refused = None) -> View:
    """Ask for the file of an event."""
    return _page(asked, None, None, refused)


def _page(asked: Asked, sent: _SentFile | None, shown: Shown | None, refused: Refused) -> View:
    is_here = isinstance(refused, HereAlreadyError)
    values = {
        # Another name helps where the name is taken, and nowhere else.
        "key": sent.key if sent and not is_here and (refused is None or refused.code == ExitCode.CONFLICT) else "",
        "here": _here(asked, refused),
        "name": "" if sent is None else sent.name,
        "outlook": shown,
    }
    return view(asked, "import.html", _("Import an event"), values, refused)


def _here(asked: Asked, refused: Refused) -> ListedEvent | None:
    """Return the event of a file that is here already."""
    if not isinstance(refused, HereAlreadyError):
        return None
    return listed(service.show(asked.db, refused.event), asked.server.event_if_any())


def take_in(asked: Asked) -> Answer:
    """Show what is in the file that was sent, or import it."""
    sent = _sent(asked)
    if sent.upload is None:
        message = _("no file is chosen") if not sent.key else _("the file is not here any more")
        return choose(asked, TourneyError(ExitCode.USAGE, message, _("choose the file of an event")))
    with _written(sent.upload) as file:
        change = ImportEvent(file, sent.name.strip() or None)

        def refused(asked: Asked, why: Refused) -> View:
            return _page(asked, sent, None, None if why is None else _without_folder(why, file))

        if sent.do == "import":
            return submit(asked, lambda: change, file_report.brought_in, EVENTS, refused)
        try:
            return _page(asked, sent, report_view(_before(outlook(asked.db, change))), None)
        except TourneyError as error:
            return refused(asked, error)


def _before(outcome: BroughtIn) -> Report:
    """Report what the import will do."""
    title = _("This event will be imported: {event}")
    if outcome.more:
        title = _("These changes will be added to {event}")
    title = title.format(event=outcome.event.settings.name)
    return replace(file_report.before_import(outcome), title=title)


@contextmanager
def _written(upload: Upload) -> Iterator[Path]:
    """Write the file where the import reads it, under its own name as far as that is harmless."""
    name = _UNUSUAL.sub("_", upload.name.replace("\\", "/").rpartition("/")[2])[-60:].lstrip(". ") or "event"
    with TemporaryDirectory(prefix="tourney-") as folder:
        file = Path(folder) / name
        file.write_bytes(upload.content)
        yield file


def _without_folder(error: TourneyError, file: Path) -> TourneyError:
    """Return an error about the file that does not say where it was written for a moment."""
    message = error.message.replace(str(file), file.name)
    if isinstance(error, HereAlreadyError):
        # The page shows the event itself, in place of a command that does.
        return HereAlreadyError(message, "", error.event)
    return TourneyError(error.code, message, error.hint)


PAGES = (
    page(EVENTS, events),
    form(EVENTS, act),
    page(f"{EVENTS}/use", for_event(asking), "name"),
    page(f"{EVENTS}/look", for_event(look), "name"),
    page(f"{EVENTS}/finish", for_event(finishing)),
    form(f"{EVENTS}/finish", for_event(finish)),
    page(f"{EVENTS}/delete", for_event(deleting)),
    form(f"{EVENTS}/delete", for_event(delete)),
    page(IMPORT, choose),
    replace(form(IMPORT, take_in), most_bytes=MOST_UPLOADED),
)
