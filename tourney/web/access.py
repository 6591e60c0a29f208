"""Access: who a visitor is by their cookie or the token of a link, and which pages they may open."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from time import monotonic
from typing import Final
from urllib.parse import quote, unquote

from tourney.domain.errors import TourneyError
from tourney.domain.people import Player
from tourney.service.web import access as service
from tourney.text.authors import DESK
from tourney.text.i18n import _
from tourney.text.names import clean
from tourney.web.answers import Audience, ClosedLinkError, ForbiddenError, TooManyTriesError, Visitor

DESK_COOKIE: Final = "tourney_desk"
DEVICE_COOKIE: Final = "tourney_device"
PLAYER_COOKIE: Final = "tourney_player"
"""The cookie of whose phone it is, by the player's number, so that the next table knows them, too."""
NAME_COOKIE: Final = "tourney_name"
SIGN_IN: Final = "/sign-in"
"""The page that says how a browser becomes a desk."""
MOST_TRIES: Final = 5
TRY_SECONDS: Final = 60.0
"""Codes and PINs may be tried so often within so many seconds."""


class Tries:
    """Tries of codes and PINs, counted for each address and each table."""

    def __init__(self) -> None:
        self._tries: dict[str, deque[float]] = {}

    def count(self, *keys: str) -> None:
        """Count a try under each of these keys. Raises TooManyTriesError if one of them has had too many."""
        now = monotonic()
        self._forget(now)
        for key in keys:
            if len(self._tries.get(key, ())) >= MOST_TRIES:
                raise TooManyTriesError(_("too many tries"), _("wait a minute, then try again"))
        for key in keys:
            self._tries.setdefault(key, deque()).append(now)

    def forgive(self, *keys: str) -> None:
        """Forget the tries under these keys, after one that was right."""
        for key in keys:
            self._tries.pop(key, None)

    def _forget(self, now: float) -> None:
        for key, times in list(self._tries.items()):
            while times and now - times[0] >= TRY_SECONDS:
                times.popleft()
            if not times:
                del self._tries[key]


def visitor(db: str | None, cookies: Mapping[str, str], token: str | None) -> Visitor:
    """Return who asks: a table by the token of its link, else a desk by its cookie, else anybody.

    Raises ClosedLinkError for a link that opens nothing, or nothing any more.
    """
    device = cookies.get(DEVICE_COOKIE, "")[:64]
    if token is not None:
        found = service.visitor(db, token)
        if found is None or found.kind != "table":
            raise ClosedLinkError(
                service.why_closed(db, token), _("scan the sign on your table again, or ask the desk")
            )
        player = None if found.table is None else known_player(cookies, found.table.players)
        return Visitor("table", found.event, found.table, player, device)
    cookie = cookies.get(DESK_COOKIE, "")
    desk = service.visitor(db, cookie) if cookie else None
    if desk is None or desk.kind != "desk":
        return Visitor(device=device)
    return Visitor("desk", device=device, name=desk_name(cookies))


def desk_name(cookies: Mapping[str, str]) -> str:
    """Return the name of who is at a desk, as its browser keeps it; DESK if it keeps none."""
    try:
        return clean(unquote(cookies.get(NAME_COOKIE, "")))
    except TourneyError:
        return DESK


def desk_hash(cookies: Mapping[str, str]) -> str:
    """Return the hash of the key that a desk's browser has."""
    return service.token_hash(cookies.get(DESK_COOKIE, ""))


def name_cookie(name: str) -> tuple[str, str]:
    """Return the cookie that keeps the name of who is at a desk."""
    return NAME_COOKIE, quote(name, safe="")


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
        raise ForbiddenError(message, _("if you run the event, sign in first"), SIGN_IN)
    if audience == "table" and visitor.audience != "table":
        raise ForbiddenError(_("this page is for a table"), _("scan the sign on your table again, or ask the desk"))


def is_local(address: str) -> bool:
    """Return whether a request comes from this computer."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
