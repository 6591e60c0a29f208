"""The sign of a table: its link, and six digits for a phone that cannot scan it."""

from __future__ import annotations

from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.web import access as service
from tourney.service.web import guesses
from tourney.text.i18n import _
from tourney.web.answers import Answer, ClosedLinkError, Moved, View, for_everybody, status_of
from tourney.web.page import Asked
from tourney.web.pages.hall import refuse_readers
from tourney.web.pages.table.shown import closed

MOST_CODE = 20
"""The most characters of a code that are looked at; it has six digits, and blanks may stand between them."""


def scan(asked: Asked) -> Answer:
    """Go to the page of the table with this sign, in the round that is played now."""
    refuse_readers(asked)
    token = service.scan_sign(asked.db, asked.path["sign"])
    if token is None:
        why = service.why_closed(asked.db, asked.path["sign"])
        return closed(asked, ClosedLinkError(why, _("look for your table in the seating, or ask the desk")))
    return Moved(f"/t/{token}")


def ask(asked: Asked) -> View:
    """Ask for the six digits on the sign of a table."""
    refuse_readers(asked)
    return _page(None)


def enter(asked: Asked) -> Answer:
    """Go to the page of the table with these six digits.

    A right code does not forget the wrong ones before it, or somebody with one code could try others for ever.
    """
    refuse_readers(asked)
    try:
        guesses.refuse_code(asked.db, asked.address)
        token = service.enter_code(asked.db, asked.field("code")[:MOST_CODE])
        guesses.note_code(asked.db, asked.address, is_right=token is not None)
        if token is None:
            message = _("no table has this code")
            raise TourneyError(ExitCode.NOT_FOUND, message, _("look at the six digits on the sign of your table"))
    except TourneyError as error:
        return _page(error)
    return Moved(f"/t/{token}")


def _page(fault: TourneyError | None) -> View:
    message, hint = for_everybody(fault)
    status = 200 if fault is None else status_of(fault)
    return View("table/code.html", _("Code of your table"), {"fault": message, "hint": hint}, status, live=False)
