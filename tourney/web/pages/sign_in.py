"""Signing in as a desk, by an address that works once, and signing out."""

from __future__ import annotations

from tourney.service.web import access as service
from tourney.text.i18n import _
from tourney.web.access import DESK_COOKIE, SIGN_IN, is_local
from tourney.web.answers import Answer, ForbiddenError, Moved, View
from tourney.web.page import Asked, Page

DESK = "/desk"


def explain(asked: Asked) -> Answer:
    """Say how a browser becomes a desk; where the program runs, with the button that shows a new address there."""
    return Moved(DESK) if asked.visitor.audience == "desk" else _page(asked, is_shown=False)


def remind(asked: Asked) -> Answer:
    """Show a new address that signs in, in the window of the program: only who sees that window can use it."""
    if not is_local(asked.address) or asked.server.remind is None:
        message = _("this is done at the computer that runs the desk")
        raise ForbiddenError(message, _("ask there, or another desk, for a new address"))
    asked.server.tries.count(asked.address)
    asked.server.remind()
    return _page(asked, is_shown=True)


def _page(asked: Asked, *, is_shown: bool) -> View:
    values = {
        "path": SIGN_IN,
        "what": _("The desk is where the event is run. It opens by an address that signs in one browser, once."),
        "other": _("Another desk makes a new address: on its page “Now”, “Another desk”."),
        "here": _("You sit at the computer that runs the desk? Then a new address can be shown in its window.")
        if is_local(asked.address) and asked.server.remind is not None
        else "",
        "elsewhere": _("At the computer that runs the desk, this page shows a new address in the program's window."),
        "button": _("Show a new address in the program's window"),
        "shown": _(
            "A new address stands in the window in which the program runs; your browser may have opened it already."
        )
        if is_shown
        else "",
    }
    return View("sign_in.html", _("Sign in as the desk"), values, live=False)


def sign_in(asked: Asked) -> Moved:
    """Make the browser a desk, if the address in its path is one that signs in."""
    if asked.visitor.audience == "desk":
        return Moved(DESK)
    if not (is_local(asked.address) or asked.server.settings.entry):
        message = _("here the event can only be read")
        raise ForbiddenError(message, _("the desk can open it for entries: `tourney serve --entry`"))
    asked.server.tries.count(asked.address)
    token = service.sign_in(asked.db, asked.path["token"])
    if token is None:
        message = _("this address does not sign in any more: it works once, within ten minutes")
        raise ForbiddenError(message, _("ask for a new one"), SIGN_IN)
    asked.server.tries.forgive(asked.address)
    return Moved(DESK, ((DESK_COOKIE, token),))


def sign_out(asked: Asked) -> Moved:
    """End what the desk's cookie opens, and forget it."""
    service.revoke_token(asked.db, asked.cookies.get(DESK_COOKIE, ""))
    return Moved("/", ((DESK_COOKIE, ""),))


PAGES = (
    Page(SIGN_IN, explain, private=True),
    Page(SIGN_IN, remind, method="POST"),
    Page(f"{SIGN_IN}/{{token}}", sign_in, private=True),
    Page("/desk/sign-out", sign_out, "desk", "POST"),
)
