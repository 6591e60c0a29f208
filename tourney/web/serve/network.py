"""The local network: a running server is opened to it, asks itself for a page there, and is closed again."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from time import monotonic, sleep

import uvicorn

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.web.app import application
from tourney.web.serve.addresses import ALL, addresses, page_address
from tourney.web.serve.lifetime import LOOK_SECONDS, configuration, limits_of, listen
from tourney.web.serve.protocol import Connections
from tourney.web.server import Server

SECONDS = 3.0
"""The time that an answer may take."""


def answers(host: str, port: int) -> bool:
    """Return whether the server answers under this address. No proxy is asked."""
    connection = HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", "/version")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


START_SECONDS = 5.0


class LocalNetwork:
    """The switch that lets phones and other desks reach a server that listens on this computer alone.

    Open, the server listens on the same port of each address that phones reach, too; its own socket stays as it is. It
    is asked under these addresses only as long as it is open. Closed, it ends whatever connects there: it keeps the
    port, because pages that are still open would send their keys to another program that has it. Addresses that the
    whole internet reaches are left out. Used in the worker's thread.
    """

    def __init__(self, server: Server, port: int, command: str) -> None:
        self._server, self._port, self._command = server, port, command
        self._closed = server.settings
        self._connections = Connections(limits_of(server))
        self._listening = set[str]()
        self.is_open = False
        """True while others reach the server."""

    def open(self) -> str:
        """Listen in the local network; return what to do if the server does not answer there, "" if it does.

        Raises TourneyError NOT_FOUND if this computer is in no network, REFUSED if all its networks have
        public addresses, and as `listen` if the port is taken there.
        """
        if self.is_open:
            return ""
        found = addresses(list(ALL))
        phones = tuple(address for address in found.phones if ip_address(address).is_private)
        if not phones and found.phones:
            message = _("{address} can be reached from the whole internet").format(address=found.phones[0])
            hint = _("join a network with addresses of its own; or start `{command}`, if that is meant")
            raise TourneyError(ExitCode.REFUSED, message, hint.format(command=self._command))
        if not phones:
            message = _("this computer is in no network")
            raise TourneyError(ExitCode.NOT_FOUND, message, _("join the network of the phones, then try again"))
        self._listen(phones)
        settings, first = self._server.settings, phones[0]
        self._closed, self.is_open = settings, True
        self._server.settings = replace(
            settings, hosts=settings.hosts | found.own, address=page_address(first, self._port)
        )
        self._server.live.renew()
        self._server.live.loop.call_soon_threadsafe(self._connections.open)
        return "" if answers(first, self._port) else silent(first, self._port)

    def close(self) -> None:
        """Answer nobody in the local network any more, and end what is still open there."""
        if not self.is_open:
            return
        self.is_open = False
        self._server.settings = replace(self._server.settings, hosts=self._closed.hosts, address=self._closed.address)
        self._server.live.renew()
        self._server.live.loop.call_soon_threadsafe(self._connections.shut)

    def _listen(self, phones: Sequence[str]) -> None:
        """Listen at those of the addresses at which the server does not listen yet."""
        new = [address for address in phones if address not in self._listening]
        taken = [listen(address, self._port, self._command) for address in new]
        running = uvicorn.Server(configuration(application(self._server), self._connections, lifespan="off"))
        if taken:
            asyncio.run_coroutine_threadsafe(running.serve(taken), self._server.live.loop)
            self._listening.update(new)
            _wait_until(lambda: running.started, START_SECONDS)


def _wait_until(holds: Callable[[], bool], seconds: float) -> None:
    end = monotonic() + seconds
    while not holds() and monotonic() < end:
        sleep(LOOK_SECONDS)


def silent(host: str, port: int) -> str:
    """Return what to do about a firewall, for an address that does not answer."""
    address = page_address(host, port)
    if sys.platform == "linux":
        text = _("{address} does not answer. If a firewall blocks it: `sudo ufw allow {port}/tcp`")
    else:
        text = _("{address} does not answer: let Python accept connections in the settings of the firewall.")
    return text.format(address=address, port=port)
