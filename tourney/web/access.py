"""Access: who a visitor is by their cookie or the token of a link, and which pages they may open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from socket import AF_INET, AF_INET6, SOCK_DGRAM, socket
from typing import Final
from urllib.parse import quote, unquote

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.service.web import access as service
from tourney.service.web.seats import claim_of, players_by_device
from tourney.text.authors import DESK, reads_as_table
from tourney.text.i18n import _
from tourney.text.names import clean
from tourney.web.answers import Audience, ClosedLinkError, ForbiddenError, Visitor

DESK_COOKIE: Final = "tourney_desk"
"""The cookie of a desk; in a browser the mark of the program's run is part of its name."""
SEAT_COOKIE: Final = "tourney_seat"
"""The cookie with the key of a phone's seat; each event has one of its own, as `seat_cookie` names it."""
PLAYER_COOKIE: Final = "tourney_player"
"""The cookie of whose phone it is, by the player's number, so that the next table proposes them."""
NAME_COOKIE: Final = "tourney_name"
ME: Final = "/me"
"""The page of the player whose phone it is."""
LOCAL: Final = "127.0.0.1"
PORT_OF_DISCARD: Final = 9
SIGN_IN: Final = "/sign-in"
"""The page that says how a browser becomes a desk."""


def visitor(db: str | None, cookies: Mapping[str, str], token: str | None, run: str = "") -> Visitor:
    """Return who asks: a table by the token of its link, else a desk of this run by its cookie, else anybody.

    Raises ClosedLinkError for a link that opens nothing, or nothing any more.
    """
    if token is not None:
        found = service.visitor(db, token)
        if found is None or found.kind != "table":
            raise ClosedLinkError(
                service.why_closed(db, token), _("scan the sign on your table again, or ask the desk")
            )
        assert found.table is not None, "a table's key opens a table"
        claim = claim_of(db, found.event, found.table, seat_key(cookies, found.made))
        seat = (None, "") if claim is None else (claim.player, claim.device)
        return Visitor("table", found.event, found.table, *seat)
    cookie = cookies.get(DESK_COOKIE, "")
    return Visitor("desk", name=desk_name(cookies)) if cookie and is_desk(db, cookie, run) else Visitor()


def is_desk(db: str | None, key: str, run: str) -> bool:
    """Return whether that is the key of a desk of this run."""
    found = service.visitor(db, key, run)
    return found is not None and found.kind == "desk"


def seat_cookie(made: str) -> str:
    """Return the name of the cookie with the key of a phone's seat in an event, by the entry that made the event.

    So a seat in another event, also of another program at this computer, ends none, and no key tells both of one phone.
    """
    return f"{SEAT_COOKIE}_{made[:16]}"


def seat_key(cookies: Mapping[str, str], made: str) -> str:
    """Return the key of a phone's seat in the event that the entry `made` has made; "" if it keeps none."""
    return cookies.get(seat_cookie(made), "")[:64]


def seat_keys(cookies: Mapping[str, str]) -> str:
    """Return a hash of the keys of a phone's seats in all events; "" if it keeps none."""
    keys = sorted(f"{name}={key}" for name, key in cookies.items() if name.startswith(SEAT_COOKIE))
    return service.token_hash(";".join(keys)) if keys else ""


def desk_name(cookies: Mapping[str, str]) -> str:
    """Return the name of who is at a desk, as its browser keeps it; DESK if it keeps none."""
    try:
        return own_name(unquote(cookies.get(NAME_COOKIE, "")))
    except TourneyError:
        return DESK


def own_name(text: str) -> str:
    """Return the name of who is at a desk, cleaned. Raises TourneyError for one that means the players of a table."""
    name = clean(text)
    if reads_as_table(name):
        raise TourneyError(ExitCode.REFUSED, _("this name means a table"), _("write your own name"))
    return name


def desk_hash(cookies: Mapping[str, str]) -> str:
    """Return the hash of the key that a desk's browser has."""
    return service.token_hash(cookies.get(DESK_COOKIE, ""))


def name_cookie(name: str) -> tuple[str, str]:
    """Return the cookie that keeps the name of who is at a desk."""
    return NAME_COOKIE, quote(name, safe="")


def seat_holder(db: str | None, event: str, key: str) -> Player | None:
    """Return the player of an event whose seat a phone with this key has; None if it has none.

    Raises TourneyError NOT_FOUND.
    """
    return players_by_device(db, event).get(service.token_hash(key))


def known_player(cookies: Mapping[str, str], players: Iterable[Player]) -> Player | None:
    """Return which of the players has said that this is their phone; None if none has."""
    number = cookies.get(PLAYER_COOKIE, "")
    return next((player for player in players if str(player.id) == number), None)


def refuse(audience: Audience, visitor: Visitor, *, may_enter: bool) -> None:
    """Raise ForbiddenError if a page for this audience is not for this visitor.

    `may_enter` says whether anything but reading is possible from where they are.
    """
    if audience == "everybody":
        return
    if not may_enter:
        message = _("here the event can only be read")
        raise ForbiddenError(message, _("the desk can open it for entries: `tourney serve --entry`"))
    if audience == "desk" and visitor.audience != "desk":
        message = _("this page is for the desk")
        raise ForbiddenError(
            message,
            _("if you run the event, sign in first: a sheet that was being typed here comes back then"),
            SIGN_IN,
        )
    if audience == "table" and visitor.audience != "table":
        raise ForbiddenError(_("this page is for a table"), _("scan the sign on your table again, or ask the desk"))


def seen_here(address: str) -> str:
    """Return whose a connection is: its address, the loopback one for an address of any interface of this computer.

    The system's route to another address of ours begins at it; nothing is sent. An address of IPv4 that a socket of
    IPv6 shows is one of IPv4.
    """
    with suppress(OSError, ValueError):
        found = ip_address(address)
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        if found.is_loopback:
            return LOCAL
        address = str(found)
        family = AF_INET6 if ":" in address else AF_INET
        with socket(family, SOCK_DGRAM) as asking:
            asking.connect((address, PORT_OF_DISCARD))
            return LOCAL if asking.getsockname()[0] == address else address
    return address


def is_local(address: str) -> bool:
    """Return whether a request comes from this computer."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
