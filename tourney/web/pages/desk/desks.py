"""Another desk: an address that signs in one more browser, here or on another device; and how this one leaves."""

from __future__ import annotations

from markupsafe import Markup

from tourney.service.web.access import sign_in_code, sign_in_token
from tourney.text.i18n import _
from tourney.web.answers import View
from tourney.web.page import Asked
from tourney.web.pages.desk.network import switch
from tourney.web.pages.desk.page import form, page, view
from tourney.web.qr import svg_code


def desks(asked: Asked) -> View:
    """Say what another desk is, with the button that makes its address."""
    return _page(asked, "", Markup(), "")


def sign_in(asked: Asked) -> View:
    """Show an address that signs in once, and six digits that do the same."""
    root = asked.server.settings.address or f"http://{asked.host}/"
    address = f"{root}sign-in/{sign_in_token(asked.db)}"
    digits = sign_in_code(asked.db)
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
        "switch": switch(asked, "/desk/desks"),
        "texts": {
            "why": _("A second desk is another browser, which may change everything, as this one may."),
            "open": _("Scan this with the other device, or open the address there. It works once, within ten minutes."),
            "make": _("Make an address for another desk"),
        },
    }
    return view(asked, "desks.html", _("Another desk"), values)


def leave(asked: Asked) -> View:
    """Ask whether this browser shall be no desk any more, and say how it would come back."""
    texts = {
        "what": _("This browser will no longer be a desk. Nothing that was entered is lost."),
        "back": _(
            "The address that signed this browser in works only once. To come back you need a new one: from another "
            "desk, or at the computer that runs the desk, where the page “Sign in as the desk” shows one in the "
            "program's window."
        ),
        "other": _("Make an address for another desk"),
        "stay": _("Stay signed in"),
        "leave": _("Sign out"),
    }
    return view(asked, "leave.html", _("Sign out of the desk?"), {"texts": texts})


PAGES = (
    page("/desk/desks", desks),
    form("/desk/desks", sign_in),
    page("/desk/sign-out", leave),
)
