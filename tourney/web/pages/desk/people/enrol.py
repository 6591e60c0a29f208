"""Players enter the event: names are pasted, then the desk sees whom each of them means, and who is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import EnteredPlayers
from tourney.reports import entrants as report
from tourney.service.change import Change
from tourney.service.events import status as status_service
from tourney.service.events.events import EnterPlayers
from tourney.service.events.pasted_names import EnrolPlayers, PastedName, lines_of_two, pasted_names
from tourney.text.i18n import _, pgettext
from tourney.text.look_alikes import doubt
from tourney.text.sanitize import sanitize
from tourney.web.answers import Answer, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, event_name, for_event, form, page, submit, view
from tourney.web.pages.desk.people.people import PEOPLE

ENROL: Final = "/desk/people/enrol"
NEW, KNOWN, SAME, OUT = "new:", "is:", "same", "out"
"""The beginnings of the values by which the form says what a name means; SAME and OUT add nobody."""


def enrol(asked: Asked, refused: Refused = None) -> View:
    """Ask for names."""
    found = status_service.status(asked.db, event_name(asked))
    values = {
        "names": _lines(asked.field("names")),
        "everybody": pgettext("a button", "Enter everybody who is registered") if found.registered else "",
    }
    return view(asked, "enrol.html", _("Enrol players"), values, refused)


def _lines(text: str) -> Markup:
    """Return a text of several lines for a template, which would put other characters for their ends."""
    return Markup("\n").join(map(sanitize, text.splitlines()))


def outlook(asked: Asked, refused: Refused = None) -> View:
    """Show whom the names mean, and ask about those that nobody or somebody else has."""
    try:
        names = pasted_names(asked.db, event_name(asked), asked.field("names"))
    except TourneyError as error:
        return enrol(asked, error)
    known = [name.player.shown for name in names if name.player and not name.entered]
    unknown = list(enumerate(name for name in names if name.player is None))
    unclear = [(at, name) for at, name in unknown if name.candidates or name.alike]
    new = [(at, name) for at, name in unknown if not (name.candidates or name.alike)]
    values = {
        "names": _lines(asked.field("names")),
        "notes": list(_notes(asked.field("names"), names)),
        "known": known,
        "entered": [name.player.shown for name in names if name.player and name.entered],
        "unclear": [(at, name.text, list(_choices(name))) for at, name in unclear],
        "new": [(at, name.text, _is_wanted(asked, at)) for at, name in new],
    }
    return view(asked, "enrol_outlook.html", _("Who is meant"), values, refused)


def _notes(text: str, names: Sequence[PastedName]) -> Iterator[str]:
    """Yield which lines were taken for two people or for one, and which names look like others."""
    for line in lines_of_two(text):
        yield _("“{line}” was read as two people: if it is one, write the name without a comma.").format(line=line)
    for name in names:
        if name.double:
            yield doubt(name.text, name.double)
        if name.again:
            again = ", ".join((name.text, *name.again))
            yield _(
                "Taken for one person: {names}. If they are two, add to one name what tells them apart, such as a town."
            ).format(names=again)


def _choices(name: PastedName) -> Iterator[tuple[str, str]]:
    """Yield what a name like those of others may mean, as a value and in words; the desk has to choose."""
    yield from ((f"{KNOWN}{candidate}", candidate) for candidate in name.candidates)
    if name.alike:
        yield SAME, _("{name}, on this list above").format(name=name.alike)
    yield f"{NEW}{name.text}", _("new: register {name}").format(name=name.text)
    yield OUT, _("leave out")


def _is_wanted(asked: Asked, at: int) -> bool:
    """Return whether somebody new is to be registered: as long as the desk has not said otherwise."""
    return asked.field("do") == "look" or f"choice{at}" in asked.form


def enter(asked: Asked) -> Answer:
    """Enter the players of the form, or show first whom its names mean."""
    match asked.field("do"):
        case "look":
            return outlook(asked)
        case "all":
            return submit(asked, lambda: EnterPlayers(event_name(asked), everybody=True), report.entered, PEOPLE, enrol)
        case "names":
            return enrol(asked)
        case _other:
            return submit(asked, lambda: _entry(asked), report.entered, PEOPLE, outlook)


def _entry(asked: Asked) -> Change[EnteredPlayers]:
    choices = [values[0] for name, values in asked.form.items() if name.startswith("choice")]
    chosen = [choice.removeprefix(KNOWN) for choice in choices if choice.startswith(KNOWN)]
    new = [choice.removeprefix(NEW) for choice in choices if choice.startswith(NEW)]
    known = [*asked.form.get("player", ()), *chosen]
    if not (known or new):
        raise TourneyError(ExitCode.USAGE, _("nobody is named to enter"), _("choose at least one player"))
    return EnrolPlayers(event_name(asked), known, new)


PAGES = (
    page(ENROL, for_event(enrol)),
    form(ENROL, for_event(enter)),
)
