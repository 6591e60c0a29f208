"""The local network: a running server is opened to it, and closed again, while its own address goes on."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_address
from time import monotonic, sleep

import uvicorn

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.web.app import application
from tourney.web.serve.addresses import ALL, addresses, page_address
from tourney.web.serve.lifetime import LOOK_SECONDS, configuration, limits_of, listen
from tourney.web.serve.self_test import answers
from tourney.web.server import Server

START_SECONDS = 5.0
END_SECONDS = 2.0
"""The time in which visitors in the network get the end of their pages."""


class LocalNetwork:
    """The switch that lets phones and other desks reach a server that listens on this computer alone.

    Open, the server listens on the same port of each address that phones reach, too; its own socket stays as it is. It
    is asked under these addresses only as long as it is open. Addresses that the whole internet reaches are left out.
    Used in the worker's thread.
    """

    def __init__(self, server: Server, port: int, command: str) -> None:
        self._server, self._port, self._command = server, port, command
        self._closed = server.settings
        self._running: uvicorn.Server | None = None
        self._ended: Future[None] | None = None

    @property
    def is_open(self) -> bool:
        """Return whether others reach the server now."""
        return self._running is not None

    def open(self) -> str:
        """Listen in the local network; return what to do if the server does not answer there, "" if it does.

        Raises TourneyError NOT_FOUND if this computer is in no network, REFUSED if all its networks have
        public addresses, and as `listen` if the port is taken there.
        """
        if self._running is not None:
            return ""
        found = addresses(next(iter(ALL)))
        phones = tuple(address for address in found.phones if ip_address(address).is_private)
        if not phones and found.phones:
            message = _("{address} can be reached from the whole internet").format(address=found.phones[0])
            hint = _("join a network with addresses of its own; or start `{command}`, if that is meant")
            raise TourneyError(ExitCode.REFUSED, message, hint.format(command=self._command))
        if not phones:
            message = _("this computer is in no network")
            raise TourneyError(ExitCode.NOT_FOUND, message, _("join the network of the phones, then try again"))
        taken = [listen(address, self._port, self._command) for address in phones]
        settings, first = self._server.settings, phones[0]
        self._closed = settings
        self._running = uvicorn.Server(
            configuration(
                application(self._server), limits_of(self._server), lifespan="off", timeout_graceful_shutdown=1
            )
        )
        self._ended = asyncio.run_coroutine_threadsafe(self._running.serve(taken), self._server.live.loop)
        self._server.settings = replace(
            settings, hosts=settings.hosts | found.own, address=page_address(first, self._port)
        )
        _wait_until(lambda: self._running is None or self._running.started, START_SECONDS)
        return "" if answers(first, self._port) else silent(first, self._port)

    def close(self) -> None:
        """Stop listening in the local network, and end what is still open there."""
        running, ended = self._running, self._ended
        if running is None or ended is None:
            return
        self._running = self._ended = None
        self._server.settings = replace(self._server.settings, hosts=self._closed.hosts, address=self._closed.address)
        running.should_exit = True
        self._server.live.end_streams_from_thread()
        with suppress(TimeoutError):
            ended.result(END_SECONDS)


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
