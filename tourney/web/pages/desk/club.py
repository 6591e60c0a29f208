"""The club's name, colour and logo, as the desk sets them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from tourney.domain.club import COLOURS, MOST_BYTES, Club
from tourney.domain.errors import ExitCode, TourneyError
from tourney.reports import admin as report
from tourney.service.admin.club import SetClub
from tourney.text.i18n import _, marked
from tourney.web.answers import Answer, View
from tourney.web.forms import parts_of
from tourney.web.page import Asked
from tourney.web.pages.desk.page import Refused, changed_fields, form, page, submit, typed_field, view

PATH: Final = "/desk/events/club"
_WORDS: Final = (
    *(marked("green"), marked("blue"), marked("red"), marked("orange")),
    *(marked("purple"), marked("teal"), marked("brown"), marked("black")),
)
"""The names of COLOURS, for translators."""


def show(asked: Asked, refused: Refused = None) -> View:
    """Show what is set, as a page has it, and the forms that change it."""
    club = asked.server.club()
    present = _present(club)
    values = {
        "club": club,
        "was": present,
        "typed": {name: typed_field(asked, name, value) for name, value in present.items()},
        "colours": [(colour, _(colour)) for colour in COLOURS],
    }
    return view(asked, "club.html", _("Club"), values, refused)


def _present(club: Club) -> Mapping[str, str]:
    """Return the fields of the form: a colour is chosen by its name, or typed."""
    named = club.colour in COLOURS
    return {"name": club.name, "colour": club.colour if named else "", "own": "" if named else club.colour}


def change(asked: Asked) -> Answer:
    """Change the name and the colour, as far as they differ from those that the form's page had."""
    return submit(asked, lambda: _change(asked), report.club, PATH, show)


def _change(asked: Asked) -> SetClub:
    labels = {"name": _("Name"), "colour": _("Colour"), "own": _("Or one of your own")}
    changed = changed_fields(asked, _present(asked.server.club()), labels)
    chosen, own = asked.field("colour"), asked.field("own")
    colour = (chosen or own) if "colour" in changed else (own or chosen) if "own" in changed else None
    return SetClub(asked.field("name") if "name" in changed else None, colour)


def give(asked: Asked) -> Answer:
    """Set the logo to the picture that was sent."""
    return submit(asked, partial(_sent, asked), report.club, PATH, _again)


def _sent(asked: Asked) -> SetClub:
    _fields, upload = parts_of(asked.content_type, asked.body)
    if upload is None or not upload.content:
        raise TourneyError(ExitCode.USAGE, _("no file is chosen"), _("choose a PNG file"))
    return SetClub(logo=upload.content)


def _again(asked: Asked, refused: Refused) -> View:
    """Show why a picture was refused; nothing of it is in the fields."""
    return show(replace(asked, body=b""), refused)


def take_away(asked: Asked) -> Answer:
    """Take the logo away."""
    return submit(asked, lambda: SetClub(logo=b""), report.club, PATH, show)


PAGES = (
    page(PATH, show),
    form(PATH, change),
    replace(form(f"{PATH}/logo", give), most_bytes=2 * MOST_BYTES),
    form(f"{PATH}/no-logo", take_away),
)
