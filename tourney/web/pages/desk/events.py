"""Events: the one that the desk runs is chosen, created or imported here, finished, deleted, or opened again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
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
from tourney.domain.rules import USUAL_RULES
from tourney.files.plan_toml import SETTINGS_OF_STAGES
from tourney.reports import event_files as file_report
from tourney.reports import events as report
from tourney.reports.people import counted
from tourney.reports.render.report import Report
from tourney.reports.results import standings as standings_report
from tourney.reports.rules import in_one_line
from tourney.rulebook import rulesets
from tourney.service import rules as rules_service
from tourney.service.change import Change
from tourney.service.events import events as service
from tourney.service.events import status
from tourney.service.events.copy_event import CopyEvent, next_day
from tourney.service.events.event_file import HereAlreadyError
from tourney.service.events.events import CreateEvent, DeleteEvent, FinishEvent, ReopenEvent, UseEvent
from tourney.service.events.import_event import ImportEvent, outlook
from tourney.service.lookup import free_event_name
from tourney.service.stages import shown as standings_service
from tourney.service.stages.presets import PRESETS, Preset, find_preset, stages_of
from tourney.text.dates import day_name, long_date, read_date
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
    typed_field,
    view,
)
from tourney.web.pages.desk.people.people import ENROL
from tourney.web.pages.desk.settings import given, inputs
from tourney.web.render import Link, Shown, report_view

EVENTS: Final = "/desk/events"
NEW: Final = f"{EVENTS}/new"
IMPORT: Final = f"{EVENTS}/import"
_UNUSUAL: Final = re.compile(r"[^\w. -]")
MOST_SOURCES: Final = 8
"""The events that the card of a new one offers to be like; the page of each older one has a button, too."""


@dataclass(frozen=True, slots=True)
class ListedEvent:
    """An event of the list: its name, what is known of it, and whether it is the one that the desk runs."""

    name: str
    facts: str
    chosen: bool


def events(asked: Asked, refused: Refused = None) -> View:
    """Show all events, the newest first."""
    chosen = asked.server.event_if_any()
    values = {"events": [listed(event, chosen) for event in reversed(service.listing(asked.db))], "chosen": chosen}
    return view(asked, "events.html", _("Events"), values, refused)


def listed(event: Event, chosen: Event | None) -> ListedEvent:
    """Return an event as a list shows it; the desk runs the `chosen` one."""
    facts = [long_date(event.settings.date)] if event.settings.date else []
    facts += [counted(len(event.counted)), report.state_of(event)]
    return ListedEvent(event.settings.name, " · ".join(facts), chosen is not None and chosen.id == event.id)


def act(asked: Asked) -> Answer:
    """Run another event, after a question where one is being played."""
    if not asked.field("sure") and asked.field("do") == "use" and _is_played(asked):
        return Moved(_question(asked.field("name")))
    use: Button = (lambda: UseEvent(asked.field("name")), report.used, _begin)
    return followed(asked, press(asked, events, {"use": use}))


def _is_played(asked: Asked) -> bool:
    """Return whether the event that the desk runs is being played, so that another one is not shown by a slip."""
    event = asked.server.event_if_any()
    return event is not None and event.state == "open" and status.status(asked.db, event.settings.name).drawn > 0


def _question(name: str) -> str:
    """Return the path of the page that asks whether the desk is to run the event of that name."""
    return f"{EVENTS}/use?{urlencode({'name': name})}"


def asking(asked: Asked, refused: Refused = None) -> Answer:
    """Ask whether desk, projector and phones are to go over to another event; without its name, show all events."""
    name = asked.query.get("name") or asked.field("name")
    if not name:
        return Moved(EVENTS)
    event = service.show(asked.db, name)
    values = {"name": event.settings.name, "running": event_name(asked), "is_played": _is_played(asked)}
    title = _("Run {event}").format(event=event.settings.name)
    return view(asked, "use.html", title, values, refused)


def look(asked: Asked) -> View:
    """Show the standings of an event, whichever the desk runs, with its pages for paper."""
    table = standings_service.standings(asked.db, asked.query.get("name") or event_name(asked))
    name, hall = table.event.settings.name, asked.server.shown_event().settings.name
    values = {
        "name": name,
        "hall": hall,
        "papers": papers(name),
        "shown": report_view(standings_report.standings(table)),
    }
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


def _begin(event: Event) -> str:
    """Return the path of the page with which the desk begins to run an event: one without players has nothing else."""
    return HOME if event.entrants else ENROL


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


# --- the card of a new event -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a new event begins: with the settings and players of an event, with a preset, or with neither."""

    like: Event | None
    preset: Preset | None

    @classmethod
    def of(cls, asked: Asked) -> _Start:
        """Return where the card begins. Raises TourneyError NOT_FOUND for an unknown event or preset."""
        like, preset = (asked.query.get(name) or asked.field(name) for name in ("like", "preset"))
        return cls(service.show(asked.db, like) if like else None, find_preset(preset) if preset else None)

    @property
    def left_out(self) -> Collection[str]:
        """Return the settings that the card does not ask for: the seed is the event's name, and stages have rounds."""
        staged = self.preset is not None or (self.like is not None and self.like.settings.stages)
        return ("seed", *SETTINGS_OF_STAGES) if staged else ("seed",)

    @property
    def day(self) -> str:
        """Return the date that is proposed: the next day of the event that this one is like, or else today."""
        today = datetime.now().astimezone().date()
        return (today if self.like is None else next_day(self.like.settings.date, today)).isoformat()

    def settings(self, known: Sequence[Event]) -> dict[str, Any]:
        """Return the settings that are proposed; without an event to be like, the last event gives the organiser."""
        if self.like is not None:
            return {name: getattr(self.like.settings, name) for name in SETTINGS} | {"date": self.day}
        organiser = known[-1].settings.organiser if known else None
        proposed = {"date": self.day, "lang": language(), "organiser": organiser}
        given = {} if self.preset is None else self.preset.settings
        return {name: setting.default for name, setting in SETTINGS.items()} | proposed | {**given}


def new_event(asked: Asked, refused: Refused = None) -> View:
    """Show the card of a new event, which proposes a name, a date and settings."""
    known, start = service.listing(asked.db), _Start.of(asked)
    first, more = inputs(asked, start.settings(known), start.left_out)
    name = _free_name(known, start.day)
    values = {
        "start": start,
        "plan": "" if start.preset is None else f"{_(start.preset.name)}: {_(start.preset.summary)}",
        "name": typed_field(asked, "name", name),
        "was_name": name,
        "first": first,
        "more": more,
        "rules": list(_rules_offered(start)),
        "chosen_rules": asked.field("rules") or ("" if start.like else USUAL_RULES),
        "variants": asked.field("variants"),
        "sources": [event.settings.name for event in reversed(known)][:MOST_SOURCES],
        "presets": [(preset.id, _(preset.name), _(preset.summary)) for preset in PRESETS.values()],
    }
    return view(asked, "new_event.html", _("New event"), values, refused)


def _rules_offered(start: _Start) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the title and a sentence of each rule set, first of the one that the event to be like has."""
    if start.like is not None:
        yield "", _("As in {event}").format(event=start.like.settings.name), start.like.rules.id
    for entry in rules_service.listing():
        yield entry.id, _(entry.title), in_one_line(entry)


def _free_name(known: Iterable[Event], day: str) -> str:
    return free_event_name([event.settings.name for event in known], day_name(day))


def create(asked: Asked) -> Answer:
    """Create the event of the card: like another one, with its players, or without players."""
    if asked.field("like"):
        return submit(asked, lambda: _copy(asked), report.copied, after_copy, new_event)
    return submit(asked, lambda: _creation(asked), report.created, _after_creation, new_event)


def _copy(asked: Asked) -> Change[CopiedEvent]:
    start = _Start.of(asked)
    return CopyEvent(_name(asked), asked.field("like"), given=_chosen(asked, start), rules=_rules(asked) or None)


def _creation(asked: Asked) -> Change[Event]:
    name, start, rules = _name(asked), _Start.of(asked), _rules(asked) or USUAL_RULES
    stages = () if start.preset is None else stages_of(start.preset, rulesets.resolve(rules))
    # With the name as its seed, no two evenings of the same players are seated alike.
    return CreateEvent(EventSettings(name, rules, seed=name, stages=stages, **_chosen(asked, start)))


def _name(asked: Asked) -> str:
    """Return the name that was typed; one that was proposed follows the date."""
    day = read_date(asked.field("date"))
    if day is None or day == asked.field("was-date") or asked.field("name") != asked.field("was-name"):
        return asked.field("name")
    return _free_name(service.listing(asked.db), day)


def _rules(asked: Asked) -> str:
    """Return the rules of the card, "" if the earlier event gives them. Raises TourneyError REFUSED for a file."""
    rules = asked.field("variants").strip() or asked.field("rules").strip()
    if rules.lower().endswith(".toml"):
        message = _("a club's own rules are a file, which the desk does not read")
        raise TourneyError(ExitCode.REFUSED, message, _("create an event like an earlier one that has them"))
    return rules


def _chosen(asked: Asked, start: _Start) -> dict[str, Any]:
    """Return the settings of the card; an empty one has its default."""
    typed = given(asked)
    asked_for = [name for name in SETTINGS if name in asked.form and name not in start.left_out]
    return {name: typed.get(name, SETTINGS[name].default) for name in asked_for}


def _after_creation(event: Event) -> str:
    return ENROL if event.is_current else _question(event.settings.name)


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
    page(NEW, new_event, "like", "preset"),
    form(NEW, create),
    page(f"{EVENTS}/use", for_event(asking), "name"),
    page(f"{EVENTS}/look", for_event(look), "name"),
    page(f"{EVENTS}/finish", for_event(finishing)),
    form(f"{EVENTS}/finish", for_event(finish)),
    page(f"{EVENTS}/delete", for_event(deleting)),
    form(f"{EVENTS}/delete", for_event(delete)),
    page(IMPORT, choose),
    replace(form(IMPORT, take_in), most_bytes=MOST_UPLOADED),
)
