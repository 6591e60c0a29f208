"""Desks: an address that signs in one more browser, those that are signed in, and how one of them leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from tourney.service.web import access as service
from tourney.service.web.access import sign_in_code
from tourney.text.authors import DESK
from tourney.text.dates import local
from tourney.text.i18n import _
from tourney.web.access import desk_hash
from tourney.web.answers import Answer, Moved, View
from tourney.web.page import Asked
from tourney.web.pages.desk.network import switch
from tourney.web.pages.desk.page import form, page, view
from tourney.web.qr import svg_code

PATH = "/desk/desks"


class ShownDesk(NamedTuple):
    """A desk as the page shows it: who and where it is, and the hash of its key; "" for this browser itself."""

    text: str
    ends: str


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


def _signed_in(asked: Asked) -> Iterator[ShownDesk]:
    """Yield the desks of this run, all of which have signed in at this server."""
    own = desk_hash(asked.cookies)
    for found in service.signed_in(asked.db, asked.server.settings.mark):
        name, address = asked.server.desks.get(found.hash, (DESK, ""))
        since = f"{local(found.since):%H:%M}"
        if found.hash == own:
            text = _("{name}, since {time}: this browser").format(name=name, time=since)
        else:
            text = _("{name}, since {time}, from {address}").format(name=name, time=since, address=address)
        yield ShownDesk(text, "" if found.hash == own else found.hash)


def sign_in(asked: Asked) -> View:
    """Show an address that signs in once, and six digits that do the same."""
    root = asked.server.settings.address or f"http://{asked.host}/"
    maker = desk_hash(asked.cookies)
    address = f"{root}sign-in/{asked.server.invite(maker)}"
    digits = sign_in_code(asked.db, asked.server.settings.mark, maker)
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
        "signed_in": tuple(_signed_in(asked)),
        "switch": switch(asked, PATH),
    }
    return view(asked, "desks.html", _("Another desk"), values)


def leave(asked: Asked) -> View:
    """Ask whether this browser shall be no desk any more, and say how it would come back."""
    return view(asked, "leave.html", _("Sign out of the desk?"), {})


PAGES = (
    page(PATH, desks),
    form(PATH, submit),
    page("/desk/sign-out", leave),
)
