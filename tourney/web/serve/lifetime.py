"""The life of a server: it takes its port, serves in a thread of its own, and ends with the first Ctrl-C."""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from threading import Thread
from time import monotonic, sleep
from typing import Literal

import uvicorn
from starlette.types import ASGIApp

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument
from tourney.text.signals import deferred, interruptible
from tourney.web.app import application
from tourney.web.live import HERE
from tourney.web.serve.protocol import ConnectionLimits, Connections, limited, most_connections
from tourney.web.server import Server

LOOK_SECONDS = 0.05
START_SECONDS = 20.0
END_SECONDS = 0.5
"""The time that visitors have to get the end of their pages; half as much after it, and they are cut off."""
MOST_PORT = 65_535


def listen(host: str, port: int, command: str = "tourney serve", named: str = "") -> socket.socket:
    """Return a socket that has taken this port; port 0 is any free one.

    `command` is what the hints of refusals name, with the host, or with the one that is `named` in its place.

    Raises TourneyError CONFLICT if the port is taken, NOT_FOUND if the host is not of this computer, REFUSED if the
    port may not be taken.
    """
    try:
        family, *_more, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        # With its protocol named, asyncio sends each piece at once (TCP_NODELAY): otherwise the end of every answer
        # waits 40 ms for the visitor's acknowledgement of its beginning.
        taken = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except (OSError, ValueError):
        raise _no_address(host, port, command) from None
    try:
        if sys.platform != "win32":  # where two servers would share the port
            # Otherwise a port stays taken for a minute after a server that was killed.
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(place)
        taken.listen(2048)
    except OSError as error:
        taken.close()
        raise _not_taken(error, named or host, port, command) from None
    return taken


def listen_all(host: str, port: int, command: str, *, and_here: bool = False) -> list[socket.socket]:
    """Return sockets that have taken one port at every address of a host, and of this computer if `and_here`.

    A browser asks any address of a name, and both loopbacks for one that ends with `localhost`, so that no other
    program may have one. Raises TourneyError as `listen`; a loopback that this computer lacks is left out.
    """
    sockets = list[socket.socket]()
    try:
        for address in (*_numbers(host, port, command), *(HERE if and_here else ())):
            if not any(_covers(taken, address) for taken in sockets):
                with _unless_lacking(address, host):
                    sockets.append(listen(address, port, command, named=host))
                    port = int(sockets[0].getsockname()[1])
    except TourneyError:
        for each in sockets:
            each.close()
        raise
    return sockets


def _numbers(host: str, port: int, command: str) -> list[str]:
    """Return all addresses to which the name of a host leads, or the one that it is."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, ValueError):
        raise _no_address(host, port, command) from None
    return list(dict.fromkeys(str(place[0]) for _family, *_more, place in sorted(found)))


@contextmanager
def _unless_lacking(address: str, host: str) -> Iterator[None]:
    """Let a loopback that nobody has named be lacking."""
    try:
        yield
    except TourneyError as error:
        if error.code != ExitCode.NOT_FOUND or address == host or address not in HERE:
            raise


def _covers(taken: socket.socket, address: str) -> bool:
    """Return whether a socket listens at this address, too."""
    own, other = ip_address(taken.getsockname()[0]), ip_address(address)
    is_of_both = own.version == 6 and not taken.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
    return own == other or (own.is_unspecified and (own.version == other.version or is_of_both))


def run(server: Server, taken: list[socket.socket], ready: Callable[[], None]) -> None:
    """Serve until an interrupt; `ready` is called once visitors are answered.

    Raises TourneyError STORAGE if the server ends by itself.
    """
    running = uvicorn.Server(configuration(application(server), Connections(limits_of(server))))
    thread = Thread(target=running.run, kwargs={"sockets": taken}, daemon=True)
    ended = TourneyError(ExitCode.STORAGE, _("the server has ended by itself"), _("start it again"))
    with suppress(KeyboardInterrupt), deferred():
        thread.start()
        try:
            with interruptible():
                _wait_for_start(running, thread)
                if running.started:
                    ready()
                while thread.is_alive():
                    sleep(LOOK_SECONDS)
        finally:
            by_itself = not thread.is_alive()
            _end(server, running, thread)
        if by_itself:
            raise ended


def limits_of(server: Server) -> ConnectionLimits:
    """Return the limits of a server's connections; the program may open as many files as these need."""
    limits = ConnectionLimits(most_connections(), server.settings.per_address)
    server.live.most_in_all = limits.connections // 2
    return limits


def configuration(app: ASGIApp, connections: Connections, lifespan: Literal["on", "off"] = "on") -> uvicorn.Config:
    """Return how an application of ours is served; only one that serves it has its life `on`."""
    return uvicorn.Config(
        app,
        http=limited(connections),
        backlog=connections.limits.at_once,
        lifespan=lifespan,
        ws="none",
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
    )


def _wait_for_start(running: uvicorn.Server, thread: Thread) -> None:
    end = monotonic() + START_SECONDS
    while not running.started and thread.is_alive() and monotonic() < end:
        sleep(LOOK_SECONDS)


def _end(server: Server, running: uvicorn.Server, thread: Thread) -> None:
    """End the server in less than a second, whatever its visitors do."""
    server.live.close_from_thread()
    running.should_exit = True
    thread.join(END_SECONDS)
    running.force_exit = True
    thread.join(END_SECONDS / 2)


def _no_address(host: str, port: int, command: str) -> TourneyError:
    message = _("this computer has no address “{host}”").format(host=host[:60])
    hint = _("`{command}` serves all its networks").format(command=f"{command} --host 0.0.0.0 --port {port}")
    return TourneyError(ExitCode.NOT_FOUND, message, hint)


def _not_taken(error: OSError, host: str, port: int, command: str) -> TourneyError:
    """Return why the port could not be taken, and which one to try."""
    if error.errno == errno.EADDRNOTAVAIL:
        return _no_address(host, port, command)
    code, message = ExitCode.REFUSED, _("port {port} may only be taken by the system").format(port=port)
    other = 8000
    if error.errno == errno.EADDRINUSE:
        code, message = ExitCode.CONFLICT, _("port {port} is taken by another program").format(port=port)
        other = port + 1 if 1024 <= port < MOST_PORT else 8000
    command = command if host == "127.0.0.1" else f"{command} --host {quote_argument(host)}"
    hint = _("`{command}` takes another one").format(command=f"{command} --port {other}")
    return TourneyError(code, message, hint)
