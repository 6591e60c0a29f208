"""Signing in as a desk, by an address that works once, and signing out."""

from __future__ import annotations

from tourney.service.web import access as service
from tourney.text.i18n import _
from tourney.web.access import DESK_COOKIE, is_local
from tourney.web.answers import ForbiddenError, Moved
from tourney.web.page import Asked, Page

DESK = "/desk"


def sign_in(asked: Asked) -> Moved:
    """Make the browser a desk, if the address in its path is one that signs in."""
    if not (is_local(asked.address) or asked.server.settings.entry):
        message = _("here the event can only be read")
        raise ForbiddenError(message, _("the desk can open it for entries: `tourney serve --entry`"))
    asked.server.tries.count(asked.address)
    token = service.sign_in(asked.db, asked.path["token"])
    if token is None:
        raise ForbiddenError(service.why_closed(asked.db, asked.path["token"]), _("ask the desk for a new address"))
    asked.server.tries.forgive(asked.address)
    return Moved(DESK, ((DESK_COOKIE, token),))


def sign_out(asked: Asked) -> Moved:
    """End what the desk's cookie opens, and forget it."""
    service.revoke_token(asked.db, asked.cookies.get(DESK_COOKIE, ""))
    return Moved("/", ((DESK_COOKIE, ""),))


PAGES = (
    Page("/sign-in/{token}", sign_in, private=True),
    Page("/desk/sign-out", sign_out, "desk", "POST"),
)
