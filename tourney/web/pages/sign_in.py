"""Signing in as a desk, by an address that works once, and signing out."""

from __future__ import annotations

from time import monotonic
from typing import Final
from urllib.parse import quote

from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.web import access as service
from tourney.text.i18n import _
from tourney.web.access import DESK_COOKIE, SIGN_IN, desk_hash, desk_name, is_local
from tourney.web.answers import Answer, ForbiddenError, Moved, View, for_everybody, status_of
from tourney.web.hosts import host_name
from tourney.web.page import Asked, Page
from tourney.web.pages.hall import refuse_readers
from tourney.web.pages.table.code import MOST_CODE

REMIND_SECONDS: Final = 10.0
"""The time in which one address is enough: others who ask here do not fill the screen."""


def explain(asked: Asked) -> View:
    """Say how a browser becomes a desk; where the program runs, with the button that shows a new address there."""
    return _page(asked, is_shown=False)


def submit(asked: Asked) -> Answer:
    """Sign in with the six digits of the form, or show a new address in the program's window."""
    return by_code(asked) if "code" in asked.form else remind(asked)


def by_code(asked: Asked) -> Answer:
    """Make the browser a desk, if another desk shows these six digits."""
    refuse_readers(asked)
    settings = asked.server.settings
    token = service.enter_sign_in_code(asked.db, asked.field("code")[:MOST_CODE], asked.address, settings.mark)
    if token is None:
        message = _("this code does not sign in: it works once, within ten minutes, and ends after five wrong tries")
        error = TourneyError(ExitCode.NOT_FOUND, message, _("let the other desk show new digits"))
        return _page(asked, is_shown=False, fault=error)
    return _to_desk(asked, token)


def _to_desk(asked: Asked, key: str) -> Moved:
    """Return the way to the desk with its key, which has its own room from now on."""
    asked.server.desks[service.token_hash(key)] = desk_name(asked.cookies), asked.address
    return Moved(asked.server.settings.desk, ((DESK_COOKIE, key),))


def remind(asked: Asked) -> Answer:
    """Show a new address that signs in, in the window of the program: only who sees that window can use it."""
    if not is_local(asked.address) or asked.server.remind is None:
        message = _("this is done at the computer that runs the desk")
        raise ForbiddenError(message, _("ask there, or another desk, for a new address"))
    if monotonic() - asked.server.reminded >= REMIND_SECONDS:
        asked.server.reminded = monotonic()
        asked.server.remind()
    return _page(asked, is_shown=True)


def _page(asked: Asked, *, is_shown: bool, fault: TourneyError | None = None) -> View:
    message, hint = for_everybody(fault)
    values = {
        "path": SIGN_IN,
        "fault": message,
        "hint": hint,
        "here": is_local(asked.address) and asked.server.remind is not None,
        "shown": is_shown,
    }
    status = 200 if fault is None else status_of(fault)
    return View("sign_in.html", _("Sign in as the desk"), values, status, live=False)


def offer(asked: Asked) -> View:
    """Show the button that signs in: what only looks at an address, as previews of links do, does not use it up."""
    refuse_readers(asked)
    values = {
        "path": f"{SIGN_IN}/{quote(asked.path['token'], safe='')}",
        "lacks": host_name(asked.host) != asked.server.settings.own_host,
    }
    return View("sign_in_here.html", _("Sign in as the desk"), values, live=False)


def sign_in(asked: Asked) -> Moved:
    """Make the browser a desk, if the address in its path is one that signs in."""
    refuse_readers(asked)
    token = service.sign_in(asked.db, asked.path["token"], asked.server.settings.mark)
    if token is None:
        message = _("this address does not sign in any more: it works once, within ten minutes")
        raise ForbiddenError(message, _("ask for a new one"), SIGN_IN)
    asked.server.invited.discard(service.token_hash(asked.path["token"]))
    return _to_desk(asked, token)


def sign_out(asked: Asked) -> Moved:
    """End what the desk's cookie opens, and forget it."""
    key_hash = desk_hash(asked.cookies)
    service.end(asked.db, key_hash)
    asked.server.desks.pop(key_hash, None)
    return Moved("/", ((DESK_COOKIE, ""),))


PAGES = (
    Page(SIGN_IN, explain, private=True),
    Page(SIGN_IN, submit, method="POST"),
    Page(f"{SIGN_IN}/{{token}}", offer, private=True),
    Page(f"{SIGN_IN}/{{token}}", sign_in, method="POST"),
    Page("/desk/sign-out", sign_out, "desk", "POST"),
)
