"""The page that enters players: the desk ticks regulars or pastes names, and checks what each name means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import EnteredPlayers
from tourney.reports import entrants as report
from tourney.service.change import Change
from tourney.service.events import events as events_service
from tourney.service.events import status as status_service
from tourney.service.events.events import EnterPlayers
from tourney.service.events.pasted_names import EnrolPlayers, PastedName, PastedNames, pasted_names
from tourney.service.events.regulars import Regular, regulars
from tourney.text.i18n import _, ngettext, pgettext
from tourney.text.look_alikes import doubt
from tourney.text.pasted_list import SURNAME_FIRST, Reading
from tourney.text.sanitize import sanitize
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, page, submit, view
from tourney.web.pages.desk.people.people import ENROL, PEOPLE, checks_in, take_back

NEW, KNOWN, SAME, OUT = "new:", "is:", "same", "out"
"""The beginnings of the values by which the form says what a name means; SAME and OUT add nobody."""
HERE: Final = "here"
"""The button that enters players and checks them in."""
TYPED: Final = "typed"
"""The field of the form whose names nobody has looked at yet."""
SAMPLE: Final = 4
"""The names that show how a list is read."""


def enrol(asked: Asked, refused: Refused = None) -> View:
    """Show the registered people, the most recent players first, and ask for other names."""
    found = status_service.status(asked.db, event_name(asked))
    known, last = regulars(asked.db, event_name(asked)), asked.query.get("of", "")
    ticked = {
        *asked.form.get("player", ()),
        *(name for one in known.evenings if one.event == last for name in one.players),
    }
    came = [_tick(each, ticked) for each in known.people if each.came]
    others = [_tick(each, ticked) for each in known.people if not each.came]
    evenings = (
        (f"{ENROL}?{urlencode({'of': one.event})}", _("Tick the {number} of {event}"), one) for one in known.evenings
    )
    values = {
        **_buttons(asked),
        "names": _lines(asked.field("names")),
        "regulars": came,
        "registered": others,
        "opened": any(is_ticked for _player, _evenings, is_ticked in others),
        "evenings": [(path, text.format(number=len(one.players), event=one.event)) for path, text, one in evenings],
        "everybody": pgettext("a button", "Enter everybody who is registered") if found.registered else "",
    }
    return view(asked, "enrol.html", _("Enrol players"), values, refused)


def _tick(regular: Regular, ticked: set[str]) -> tuple[object, str, bool]:
    evenings = ngettext("{number} evening", "{number} evenings", regular.came).format(number=regular.came)
    return regular.player, evenings if regular.came else "", regular.player.shown in ticked


def _buttons(asked: Asked) -> dict[str, bool]:
    """Return whether players check in, and whether they may be checked in as they are entered."""
    event = asked.server.event()
    return {"checks_in": checks_in(event), HERE: checks_in(event) or not event.entrants}


def _lines(text: str) -> Markup:
    """Return a text of several lines for a template, which would put other characters for their ends and for tabs."""
    return Markup("\n").join(Markup("\t").join(map(sanitize, line.split("\t"))) for line in text.splitlines())


def outlook(asked: Asked, refused: Refused = None) -> View:
    """Show whom the names mean, and ask about those that nobody or somebody else has."""
    try:
        found = pasted_names(asked.db, event_name(asked), asked.field("names"), asked.field("reading"))
    except TourneyError as error:
        return enrol(asked, refused or error)
    unknown = list(enumerate(name for name in found.names if name.player is None))
    unclear = [(at, name) for at, name in unknown if name.candidates or name.alike]
    new = [(at, name) for at, name in unknown if not (name.candidates or name.alike)]
    known = [name for name in found.names if name.player and not name.entered]
    meant = {name.player.shown for name in found.names if name.player}
    values = {
        **_buttons(asked),
        "names": _lines(asked.field("names")),
        "asks": found.asks,
        "reading": found.way.key,
        "ways": [(way.key, _sample(way), len(way.people)) for way in (found.way, *found.others)],
        "left_out": found.left_out,
        "ticked": [name for name in dict.fromkeys(asked.form.get("player", ())) if name not in meant],
        "notes": list(_notes(found)),
        "known": [(name, _is_wanted(asked, name, "player", name.player.shown)) for name in known if name.player],
        "entered": [name.player.shown for name in found.names if name.player and name.entered],
        "unclear": [(at, name, list(_choices(name)), _chosen(asked, at, name)) for at, name in unclear],
        "new": [(at, name, _is_wanted(asked, name, f"choice{at}", f"{NEW}{name.text}")) for at, name in new],
    }
    return view(asked, "enrol_outlook.html", _("Check the names"), values, refused)


def _sample(way: Reading) -> str:
    """Return the first names in a way to read a list."""
    names = ", ".join(each.name for each in way.people[:SAMPLE])
    return names if len(way.people) <= SAMPLE else _("{names}, …").format(names=names)


def _notes(found: PastedNames) -> Iterator[str]:
    """Yield how the list was read where it could be another way, and which names look like others."""
    for other in found.others if found.way.key != SURNAME_FIRST else ():
        if other.key == SURNAME_FIRST:
            yield _(
                "A comma was read as the end of a name. If it is “Surname, First name”, read the list in another way."
            )
    if found.way.key == SURNAME_FIRST:
        yield _("Read as “Surname, First name”: {names}").format(names=_sample(found.way))
    for name in found.names:
        if name.double:
            yield doubt(name.text, name.double)
        if name.again:
            again = ", ".join((name.text, *name.again))
            yield _(
                "Taken for one person: {names}. If they are two, add to one name what tells them apart, such as a town."
            ).format(names=again)


def _choices(name: PastedName) -> Iterator[tuple[str, str]]:
    """Yield what a name that resembles others may mean, as a value and in words."""
    yield from ((f"{KNOWN}{candidate}", candidate) for candidate in name.candidates)
    if name.alike:
        yield SAME, _("{name}, on this list above").format(name=name.alike)
    yield f"{NEW}{name.text}", _("new: register {name}").format(name=name.text)
    yield OUT, _("leave out")


def _chosen(asked: Asked, at: int, name: PastedName) -> str:
    """Return the choice that is made already: what was sent, or the only one who is likely; else the desk chooses."""
    likely = f"{KNOWN}{name.likely}" if name.likely else ""
    return asked.field(f"choice{at}") or (OUT if name.doubtful else likely)


def _is_wanted(asked: Asked, name: PastedName, field: str, value: str) -> bool:
    """Return whether a name is ticked: unless it is doubtful, as long as the desk has not said otherwise."""
    if asked.field("do") in ("enter", HERE) and not asked.field(TYPED):
        return value in asked.form.get(field, ())
    return not name.doubtful


def enter(asked: Asked) -> Answer:
    """Enter the players of the form, or show first what its names mean unless the desk has looked at that."""
    match asked.field("do"):
        case "look":
            return outlook(asked)
        case "all":
            return submit(asked, lambda: EnterPlayers(event_name(asked), everybody=True), report.entered, PEOPLE, enrol)
        case "names":
            return enrol(asked)
        case _other if asked.field("names").strip() and asked.field(TYPED):
            return outlook(asked)
        case _other:
            again = outlook if asked.field("names").strip() else enrol
            return submit(asked, lambda: _entry(asked), report.entered, PEOPLE, again, [take_back()])


def _entry(asked: Asked) -> Change[EnteredPlayers]:
    choices = [values[0] for name, values in asked.form.items() if name.startswith("choice")]
    chosen = [choice.removeprefix(KNOWN) for choice in choices if choice.startswith(KNOWN)]
    new = [choice.removeprefix(NEW) for choice in choices if choice.startswith(NEW)]
    known = [*asked.form.get("player", ()), *chosen]
    if not (known or new):
        raise TourneyError(ExitCode.USAGE, _("nobody is named to enter"), _("choose at least one player"))
    return EnrolPlayers(event_name(asked), known, new, here=asked.field("do") == HERE)


def add(asked: Asked) -> Answer:
    """Enter the person of one line, checked in where players check in; ask first if several may be meant."""
    event, name = event_name(asked), asked.field("names")
    try:
        found = pasted_names(asked.db, event, name)
    except TourneyError as error:
        return enrol(asked, error)
    if found.asks or any(each.candidates or each.alike or each.doubtful for each in found.names):
        return outlook(asked)
    known = [each.player.shown for each in found.names if each.player]
    new = [each.text for each in found.names if each.player is None]
    here = checks_in(events_service.show(asked.db, event))
    change = EnrolPlayers(event, known, new, here=here)
    return submit(asked, lambda: change, report.entered, f"{PEOPLE}?at=add", enrol, [take_back()])


PAGES = (
    page(ENROL, for_event(enrol), "of"),
    form(ENROL, for_event(enter)),
    form(f"{PEOPLE}/add", for_event(add)),
)
