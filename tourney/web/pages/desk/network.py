"""The switch that lets phones and other desks of the local network in, while the desk goes on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.web.access import is_local
from tourney.web.answers import Answer, ForbiddenError, Moved
from tourney.web.forms import Done, key_of
from tourney.web.page import Asked
from tourney.web.pages.desk.page import form

PATH = "/desk/network"
BACK = ("/desk/desks", "/desk/paper/phones")
"""The pages that have the switch."""


@dataclass(frozen=True, slots=True)
class Switch:
    """The switch as a page shows it: what is so now, and its button; where it cannot be switched, the command.

    `do` is what the button does, "" for no button; `address` is the one for others, "" if nobody reaches the desk.
    """

    text: str
    address: str
    do: str = ""
    button: str = ""
    command: str = ""
    back: str = ""


def switch(asked: Asked, back: str) -> Switch:
    """Return the switch for the page `back`."""
    settings, network = asked.server.settings, asked.server.network
    here = network is not None and is_local(asked.address)
    if settings.address and settings.entry:
        text = _("Phones and other desks in the same network reach this desk:")
        do = "close" if here and network is not None and network.is_open else ""
        return Switch(text, settings.address, do, _("Let only this computer in again"), back=back)
    if here:
        text = _("Only this computer reaches the desk.")
        return Switch(text, "", "open", _("Let phones and other desks of this network in"), back=back)
    text = _("Other devices cannot reach this desk. End it with Ctrl-C in its window, and start it with this command:")
    return Switch(text, "", command=settings.command)


def turn(asked: Asked) -> Answer:
    """Open the desk to the local network, or close it, and show that on the page where the switch stands."""
    network, back = asked.server.network, asked.field("back")
    if network is None or not is_local(asked.address):
        message = _("the network is opened and closed at the computer that runs the desk")
        raise ForbiddenError(message, _("do it there"))
    if back not in BACK:
        raise TourneyError(ExitCode.USAGE, _("this form was not sent by a page of the desk"), _("load the page again"))
    if asked.field("do") == "open":
        advice = network.open()
        title = _("phones and other desks of this network can take part now")
    else:
        network.close()
        title, advice = _("only this computer reaches the desk now"), ""
    now = datetime.now(UTC)
    key = key_of(b"network", now.isoformat().encode())
    asked.server.forms.keep(key, Done(title, (advice,) if advice else (), back, now))
    return Moved(f"{back}?done={key}")


PAGES = (form(PATH, turn),)
