"""Access: who a visitor is by their cookie or the token of a link, and which pages they may open."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from ipaddress import ip_address
from time import monotonic
from typing import Final, Literal

from tourney.text.i18n import _
from tourney.web.answers import Audience, ForbiddenError, TooManyTriesError, Visitor

Kind = Literal["desk", "sign-in", "table"]

DESK_COOKIE: Final = "tourney_desk"
DEVICE_COOKIE: Final = "tourney_device"
MOST_TRIES: Final = 5
TRY_SECONDS: Final = 60.0
"""Codes and PINs may be tried so often within so many seconds."""


@dataclass(frozen=True, slots=True)
class Access:
    """Access that a token gives: to the desk, a sign-in at it, or the sheet of one table of one round."""

    kind: Kind
    event: int | None = None
    round: int | None = None
    table: int | None = None
    player: int | None = None


class Tokens:
    """Tokens that are given out, of which only the hash is kept."""

    def __init__(self) -> None:
        self._given: dict[str, Access] = {}

    def grant(self, access: Access) -> str:
        """Return a new token of 128 bits for this access; it cannot be shown again."""
        token = secrets.token_urlsafe(16)
        self._given[_hash(token)] = access
        return token

    def visitor(self, token: str) -> Access | None:
        """Return what the token gives access to; None if it is unknown or revoked."""
        return self._given.get(_hash(token))

    def revoke(self, token: str) -> None:
        """End the access that a token gives."""
        self._given.pop(_hash(token), None)


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


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

    def _forget(self, now: float) -> None:
        for key, times in list(self._tries.items()):
            while times and now - times[0] >= TRY_SECONDS:
                times.popleft()
            if not times:
                del self._tries[key]


def visitor(tokens: Tokens, cookies: Mapping[str, str], token: str | None) -> Visitor:
    """Return who asks: a table by the token of its link, else a desk by its cookie, else anybody."""
    device = cookies.get(DEVICE_COOKIE, "")[:64]
    if token is not None:
        found = tokens.visitor(token)
        if found is None or found.kind != "table":
            return Visitor(device=device)
        return Visitor("table", found.event, found.round, found.table, device)
    desk = tokens.visitor(cookies.get(DESK_COOKIE, ""))
    return replace(Visitor(device=device), audience="desk") if desk and desk.kind == "desk" else Visitor(device=device)


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
        raise ForbiddenError(_("this page is for the desk"), _("sign in with the address that `tourney desk` shows"))
    if audience == "table" and visitor.audience != "table":
        message = _("this link is not valid any more")
        raise ForbiddenError(message, _("scan the sign on your table again, or ask the desk"))


def is_local(address: str) -> bool:
    """Return whether a request comes from this computer."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
