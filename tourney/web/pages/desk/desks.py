"""Desks: an address that signs in one more browser, those signed in, and the switch that lets the network in."""

from __future__ import annotations

from markupsafe import Markup

from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.web import access as service
from tourney.text.authors import DESK
from tourney.text.i18n import _
from tourney.web.access import desk_hash, is_local
from tourney.web.answers import Answer, ForbiddenError, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.desk.page import did, form, page, view
from tourney.web.qr import svg_code

PATH = "/desk/desks"


def desks(asked: Asked) -> View:
    """Say what another desk is, with the button that makes its address."""
    return _page(asked, "", Markup(), "")


def submit(asked: Asked) -> Answer:
    """End a desk, or make an address for another one."""
    return end(asked) if "end" in asked.form else sign_in(asked)


def end(asked: Asked) -> Moved:
    """End what another browser may do."""
    key_hash = asked.field("end")
    if key_hash != desk_hash(asked.cookies):
        service.end(asked.db, key_hash)
        asked.server.desks.pop(key_hash, None)
    return Moved(PATH)


def sign_in(asked: Asked) -> View:
    """Show an address that signs in once, and six digits that do the same."""
    root = asked.server.settings.address or f"http://{asked.host}/"
    maker = desk_hash(asked.cookies)
    address = f"{root}sign-in/{asked.server.invite(maker)}"
    digits = service.sign_in_code(asked.db, asked.server.settings.mark, maker)
    typed = _("Or type {address} in the other browser, and there the code {code}.")
    return _page(
        asked,
        address,
        svg_code(address),
        typed.format(address=f"{root}sign-in", code=f"{digits[:3]}\N{NO-BREAK SPACE}{digits[3:]}"),
    )


def _page(asked: Asked, address: str, code: Markup, typed: str) -> View:
    values = {
        "address": address,
        "code": code,
        "typed": typed,
        "signed_in": service.signed_in(asked.db, asked.server.settings.mark),
        "known": asked.server.desks,
        "nameless": (DESK, ""),
        "own": desk_hash(asked.cookies),
        "switch": switch(asked, PATH),
    }
    return view(asked, "desks.html", _("Another desk"), values)


def leave(asked: Asked) -> View:
    """Ask whether this browser shall be no desk any more, and say how it would come back."""
    return view(asked, "leave.html", _("Sign out of the desk?"))


def switch(asked: Asked, back: str) -> dict[str, object]:
    """Return what the page `back` needs to show whether others reach the desk, and the button that switches it."""
    settings, network = asked.server.settings, asked.server.network
    here = network is not None and is_local(asked.address)
    return {
        "address": settings.address if settings.entry else "",
        "here": here,
        "closes": here and network is not None and network.is_open,
        "command": settings.command,
        "back": back,
    }


def turn(asked: Asked) -> Answer:
    """Open the desk to the local network, or close it, and show that on the page where the switch stands."""
    network, back = asked.server.network, asked.field("back")
    if network is None or not is_local(asked.address):
        message = _("the network is opened and closed at the computer that runs the desk")
        raise ForbiddenError(message, _("do it there"))
    if back not in (PATH, "/desk/paper/phones"):
        raise TourneyError(ExitCode.USAGE, _("this form was not sent by a page of the desk"), _("load the page again"))
    if asked.field("do") == "open":
        advice = network.open()
        return did(
            asked, _("phones and other desks of this network can take part now"), (advice,) if advice else (), back
        )
    network.close()
    return did(asked, _("only this computer reaches the desk now"), (), back)


PAGES = (
    page(PATH, desks),
    form(PATH, submit),
    page("/desk/sign-out", leave),
    form("/desk/network", turn),
)
