"""The guard around all pages: which host was asked, where a form comes from, how long a body is, and headers.

A web page elsewhere must neither read our pages under a name of its own (the host is checked) nor submit our forms (the
origin is checked), and no page loads anything from another host (the policy).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tourney.web.hosts import host_name

MOST_BYTES: Final = 64 * 1024
"""The most bytes of the body of a request, except where a desk sends a file."""
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
        "frame-src 'none'; worker-src 'none'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}
"""The headers of every answer. A form needs its own referrer: without one, browsers hide its origin, too."""
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
OF_A_RUN: Final = ".localhost"
"""The end of the name that this computer has in one run of the program."""

DESK: Final = "/desk"
"""The path of the desk's pages in our own table of pages and in templates."""
UNDER_DESK: Final = "tourney.desk"
"""The entry of a request's scope that has the desk's path as it was asked, where that is the path of this run."""

Refuse = Callable[[HTTPStatus, Request], Awaitable[Response]]
"""A function that makes the page for a refused request."""
MostBytes = Callable[[Request], Awaitable[int]]
"""A function that returns how long the body of a request may be, before any of it is read."""


class _TooLongError(Exception):
    """A body that is longer than allowed."""


class _LeftError(Exception):
    """A visitor who left before the body of their request was whole."""


class Guard:
    """The middleware around the application; `hosts` returns the names under which it may be asked now.

    `desk` is the path of the desk's pages as browsers ask for them.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Callable[[], Collection[str]],
        refuse: Refuse,
        most_bytes: MostBytes,
        desk: str = DESK,
    ) -> None:
        self._app, self._hosts, self._refuse, self._most_bytes, self._desk = app, hosts, refuse, most_bytes, desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a refusal."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = self._named_by_us(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    # A printed page has a policy of its own, which allows less.
                    added.setdefault(name, value)
            await send(message)

        fault = self._fault(scope["method"], Headers(scope=scope))
        if fault is None:
            try:
                await self._app(scope, await self._limited(scope, receive), send_guarded)
                return
            except _LeftError:
                return
            except _TooLongError:
                fault = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        answer = await self._refuse(fault, Request(scope, receive))
        await answer(scope, receive, send_guarded)

    def _named_by_us(self, scope: Scope) -> Scope:
        """Return the request with the desk's path as we name it, where it was asked under the path of this run.

        A slash at the end of a path means nothing.
        """
        path = scope["path"].rstrip("/") or "/"
        rest = path.removeprefix(self._desk)
        if rest == path or rest[:1] not in ("", "/"):
            return {**scope, "path": path}
        return {**scope, "path": DESK + rest, UNDER_DESK: self._desk}

    async def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Return the messages of a request, whose body may be as long as its sender may make it."""
        is_sent = scope["method"] not in ("GET", "HEAD")
        most = await self._most_bytes(Request(scope)) if is_sent else MOST_BYTES
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > most:
            raise _TooLongError
        return await _read(receive, most) if is_sent else receive

    def _fault(self, method: str, headers: Headers) -> HTTPStatus | None:
        host = headers.get("host", "")
        name = host_name(host)
        if name is None or (name not in LOOPBACK and name not in self._hosts()):
            return HTTPStatus.GONE if name and name.endswith(OF_A_RUN) else HTTPStatus.MISDIRECTED_REQUEST
        if method not in ("GET", "HEAD") and not _is_own(headers, host):
            return HTTPStatus.FORBIDDEN
        return None


def _is_own(headers: Headers, host: str) -> bool:
    """Return whether a form was submitted by a page of this very server."""
    origin = headers.get("origin", "").lower()
    return origin in (f"http://{host.lower()}", f"https://{host.lower()}")


async def _read(receive: Receive, most: int) -> Receive:
    """Return the messages of a request, read to their end before anything is answered.

    Raises _TooLongError for a body that is longer than allowed, whatever its head says, and _LeftError for half a body.
    """
    messages, length, more = list[Message](), 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _LeftError
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
