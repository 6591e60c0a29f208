"""Access: who a visitor is by their cookie or the token of a link, and which pages they may open."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from math import ceil
from time import monotonic
from typing import Final
from urllib.parse import quote, unquote

from tourney.domain.errors import TourneyError
from tourney.domain.people import Player
from tourney.domain.rounds import Table
from tourney.service.web import access as service
from tourney.service.web.seats import claim_of
from tourney.text.authors import DESK
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean
from tourney.web.answers import Audience, ClosedLinkError, ForbiddenError, TooManyTriesError, Visitor

DESK_COOKIE: Final = "tourney_desk"
SEAT_COOKIE: Final = "tourney_seat"
"""The beginning of the name of the cookie with the key of a phone's seat; each table has its own."""
PLAYER_COOKIE: Final = "tourney_player"
"""The cookie of whose phone it is, by the player's number, so that the next table proposes them."""
NAME_COOKIE: Final = "tourney_name"
SIGN_IN: Final = "/sign-in"
"""The page that says how a browser becomes a desk."""
MOST_TRIES: Final = 5
TRY_SECONDS: Final = 60.0
"""PINs, and codes from one address, may be tried so often within so many seconds."""
MOST_WRONG: Final = 30
"""Wrong codes of tables within as many seconds, from all addresses, after which each address has to pause."""
MOST_OF_A_CODE: Final = 10
"""Wrong tries after which the six digits that sign in end, and so does a PIN."""
PAUSE_SECONDS: Final = 2.0
LONGEST_PAUSE: Final = 3600.0


class Tries:
    """Tries of codes and PINs, counted for each address, each seat and each code."""

    def __init__(self) -> None:
        self._tries: dict[str, deque[float]] = {}
        self._pauses: dict[str, tuple[float, float]] = {}
        self._of_codes = Counter[str]()

    def count(self, *keys: str) -> None:
        """Count a try under each of these keys. Raises TooManyTriesError if one of them has had too many."""
        self.refuse(*keys)
        for key in keys:
            self._tries.setdefault(key, deque()).append(monotonic())

    def refuse(self, *keys: str) -> None:
        """Raise TooManyTriesError if there were too many tries under one of these keys."""
        self._forget(monotonic())
        if any(len(self._tries.get(key, ())) >= MOST_TRIES for key in keys):
            raise TooManyTriesError(_("too many tries"), _("wait a minute, then try again"))

    def forgive(self, *keys: str) -> None:
        """Forget the tries under these keys, after one that was right."""
        for key in keys:
            self._tries.pop(key, None)

    def refuse_pausing(self, address: str) -> None:
        """Raise TooManyTriesError for an address that has to pause after wrong codes of tables."""
        until, _pause = self._pauses.get(address, (0.0, 0.0))
        left = ceil(until - monotonic())
        if left > 0:
            hint = ngettext("wait {seconds} second, then try again", "wait {seconds} seconds, then try again", left)
            raise TooManyTriesError(_("too many tries"), hint.format(seconds=left))

    def wrong_code(self, address: str) -> None:
        """Note a wrong code of a table: once all addresses together have tried many, each pauses twice as long."""
        now = monotonic()
        self._forget(now)
        self._tries.setdefault(_ALL, deque()).append(now)
        if len(self._tries[_ALL]) > MOST_WRONG:
            _until, pause = self._pauses.get(address, (0.0, PAUSE_SECONDS / 2))
            pause = min(2 * pause, LONGEST_PAUSE)
            self._pauses[address] = now + pause, pause

    def ends_code(self, code: str) -> bool:
        """Count a wrong try against a code or a PIN; return whether it has had too many now, and the next begins."""
        self._of_codes[code] += 1
        if self._of_codes[code] < MOST_OF_A_CODE:
            return False
        del self._of_codes[code]
        return True

    def _forget(self, now: float) -> None:
        for key, times in list(self._tries.items()):
            while times and now - times[0] >= TRY_SECONDS:
                times.popleft()
            if not times:
                del self._tries[key]
        for address, (until, _pause) in list(self._pauses.items()):
            if now - until >= LONGEST_PAUSE:
                del self._pauses[address]


_ALL: Final = "wrong codes of tables"


def visitor(db: str | None, cookies: Mapping[str, str], token: str | None) -> Visitor:
    """Return who asks: a table by the token of its link, else a desk by its cookie, else anybody.

    Raises ClosedLinkError for a link that opens nothing, or nothing any more.
    """
    if token is not None:
        found = service.visitor(db, token)
        if found is None or found.kind != "table":
            raise ClosedLinkError(
                service.why_closed(db, token), _("scan the sign on your table again, or ask the desk")
            )
        assert found.table is not None, "a table's key opens a table"
        claim = claim_of(db, found.event, found.table, cookies.get(seat_cookie(found.table), "")[:64])
        seat = (None, "") if claim is None else (claim.player, claim.device)
        return Visitor("table", found.event, found.table, *seat)
    cookie = cookies.get(DESK_COOKIE, "")
    desk = service.visitor(db, cookie) if cookie else None
    if desk is None or desk.kind != "desk":
        return Visitor()
    return Visitor("desk", name=desk_name(cookies))


def seat_cookie(table: Table) -> str:
    """Return the name of the cookie with the key of a phone's seat at a table."""
    return f"{SEAT_COOKIE}_{table.round}_{table.number}"


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
