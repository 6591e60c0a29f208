"""The guard around all pages: which host was asked, where a form comes from, how long a body is, and headers.

A web page elsewhere must neither read our pages under a name of its own (the host is checked) nor submit our forms (the
origin is checked), and no page loads anything from another host (the policy).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from http import HTTPStatus
from ipaddress import AddressValueError, IPv6Address
from types import MappingProxyType
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES: Final = 64 * 1024
"""The most bytes of the body of a request, but for those of the few paths where a file is sent."""
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
        "frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}
"""The headers of every answer. A form needs its own referrer: without one, browsers hide its origin, too."""
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
HOST: Final = re.compile(
    r"([a-z0-9_](?:[a-z0-9._-]{0,252}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])(?::([0-9]{1,5}))?", re.IGNORECASE
)
"""A name, four numbers, or an address of IPv6 in brackets, and a port."""
MOST_PORT: Final = 65_535

Refuse = Callable[[HTTPStatus, Request], Awaitable[Response]]
"""A function that makes the page for a refused request."""


class _TooLongError(Exception):
    """A body that is longer than allowed."""


class Guard:
    """The middleware around the application; `hosts` returns the names under which it may be asked now.

    `longer` has the most bytes of bodies by the paths where these may be longer than elsewhere.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Callable[[], Collection[str]],
        refuse: Refuse,
        longer: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._app, self._hosts, self._refuse, self._longer = app, hosts, refuse, longer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a refusal."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    # A printed page has a policy of its own, which allows less.
                    added.setdefault(name, value)
            await send(message)

        most = self._longer.get(scope["path"], MOST_BYTES)
        fault = self._fault(scope["method"], headers, most)
        if fault is None:
            try:
                await self._app(scope, await _limited(scope["method"], receive, most), send_guarded)
                return
            except _TooLongError:
                fault = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        answer = await self._refuse(fault, Request(scope))
        await answer(scope, receive, send_guarded)

    def _fault(self, method: str, headers: Headers, most: int) -> HTTPStatus | None:
        host = headers.get("host", "")
        name = host_name(host)
        if name is None or (name not in LOOPBACK and name not in self._hosts()):
            return HTTPStatus.MISDIRECTED_REQUEST
        if method not in ("GET", "HEAD") and not _is_own(headers, host):
            return HTTPStatus.FORBIDDEN
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > most:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        return None


def host_name(host: str) -> str | None:
    """Return the name or address in a header Host, in small letters; None if the header has anything else in it."""
    found = HOST.fullmatch(host)
    if found is None or int(found[2] or 0) > MOST_PORT:
        return None
    name = found[1].lower()
    if name.startswith("["):
        try:
            return f"[{IPv6Address(name[1:-1])}]"
        except AddressValueError:
            return None
    return name


def _is_own(headers: Headers, host: str) -> bool:
    """Return whether a form was submitted by a page of this very server."""
    origin = headers.get("origin", "").lower()
    return origin in (f"http://{host.lower()}", f"https://{host.lower()}")


async def _limited(method: str, receive: Receive, most: int) -> Receive:
    """Return the messages of a request, read to their end before anything is answered.

    Raises _TooLongError for a body that is longer than allowed, whatever its head says.
    """
    if method in ("GET", "HEAD"):
        return receive
    messages, length, more = list[Message](), 0, True
    while more:
        message = await receive()
        messages.append(message)
        length += len(message.get("body", b""))
        more = message.get("more_body", False)
        if length > most:
            raise _TooLongError
    waiting = iter(messages)

    async def replay() -> Message:
        kept = next(waiting, None)
        return await receive() if kept is None else kept

    return replay
