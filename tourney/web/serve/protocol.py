"""The protocol of a connection: HTTP as uvicorn speaks it, with deadlines for requests and answers, and with limits.

A visitor who sends half a request, or does not read the answer, holds a connection and one of the files that the system
lets us open. An address with too many connections loses the one that has waited longest, so that others are answered.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tourney.web.access import seen_here
from tourney.web.live import HERE, PER_ADDRESS

MOST_OPEN: Final = 1000
"""The most connections of a server, of which 200 phones need two each."""
MOST_HEAD: Final = 16 * 1024
"""The most bytes of a request before its body."""
MOST_UNREAD: Final = 4 * 1024 * 1024
"""The most bytes that come of a request after its answer, so that a browser which sends too much sees the answer."""
WANTED_FILES: Final = 4096
"""The files that a server wants to have open at most: connections and databases."""

_REFUSAL: Final = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_END_OF_HEAD: Final = re.compile(rb"\n\r?\n")
_NO_HEAD: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|[ \t]{9}|\n[ \t]")
"""Parts that no browser sends in a head: control characters, long blanks, and lines that go on from the line before."""
_BEGUN: Final = 8
"""The most bytes of such a part, or of the end, that may have come before the rest of it."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of the connections of a server.

    `seconds` is the time to receive a request, or to send an answer, and again for each `bytes_in_time` of a long one.
    Of a request that is answered before all of it has come, the rest has no more than `seconds` and MOST_UNREAD bytes.
    There are at most `connections`, and from one address at most `per_address`; from this computer's own, under which a
    proxy asks for many visitors, three quarters of all.
    """

    connections: int = MOST_OPEN
    per_address: int = PER_ADDRESS
    seconds: float = 10.0
    bytes_in_time: int = 64 * 1024

    @property
    def most_here(self) -> int:
        """The most connections from this computer; half of all may be streams, so that pages are answered here, too."""
        return self.connections * 3 // 4

    @property
    def at_once(self) -> int:
        """The most connections that are taken before the first of them is counted; each has a file open."""
        return max(1, self.connections // 8)


class Connections:
    """The open connections of one server, by age and by whose they are, which `whose` tells from an address."""

    def __init__(self, limits: ConnectionLimits, whose: Callable[[str], str] = seen_here) -> None:
        self.limits = limits
        self.whose = whose
        self._all: dict[LimitedProtocol, str] = {}
        self._by_address = defaultdict[str, dict[LimitedProtocol, None]](dict)
        self._is_shut = False

    def open(self) -> None:
        """Take connections again."""
        self._is_shut = False

    def shut(self) -> None:
        """End all connections, and each new one."""
        self._is_shut = True
        for each in tuple(self._all):
            each.end()

    def enter(self, new: LimitedProtocol, address: str) -> None:
        """Count a connection; where there are too many, end the one that waits longest, or else the new one."""
        if self._is_shut:
            new.end()
            return
        is_here = address in HERE
        address = "" if is_here else address
        own = self._by_address[address]
        if len(own) >= (self.limits.most_here if is_here else self.limits.per_address):
            _end_oldest(own, new)
        elif len(self._all) >= self.limits.connections:
            _end_oldest(self._all, new)
        self._all[new] = address
        self._by_address[address][new] = None  # the last of its address may have made room

    def leave(self, old: LimitedProtocol) -> None:
        """Forget a connection that has ended."""
        address = self._all.pop(old, None)
        if address is not None:
            self._by_address[address].pop(old, None)
            if not self._by_address[address]:
                del self._by_address[address]


def _end_oldest(connections: Iterable[LimitedProtocol], new: LimitedProtocol) -> None:
    waiting = next((each for each in connections if each.is_waiting), None)
    unread = next((each for each in connections if each.is_unread), None)
    (waiting or unread or new).end()


class _Head:
    """A head as far as it has come, in whatever pieces; each byte of it is looked at once."""

    def __init__(self, received: bytes = b"") -> None:
        self.is_refused = False
        self._has_ended = False
        self._length = 0
        self._last = b""
        self.read(received)

    def read(self, data: bytes) -> None:
        """Look at what has come; a head that is too long, or that no browser writes, is refused."""
        if self._has_ended:
            return
        new = data[: MOST_HEAD + 1 - self._length]
        self._length += len(new)
        seen = self._last + new
        end = _END_OF_HEAD.search(seen)
        self._has_ended = end is not None
        self.is_refused |= end is None and self._length > MOST_HEAD
        self.is_refused |= _NO_HEAD.search(seen, 0, end.end() if end else len(seen)) is not None
        self._last = seen[-_BEGUN:]


class PlainConnection(h11.Connection):
    """A connection that refuses what h11 would read slowly, because one loop serves everybody.

    A body in pieces of one byte costs it a hundred times what was sent. Blanks in a head that is none, also on lines
    that go on from the line before, cost it a time with their square.
    """

    def __init__(self, our_role: type[h11.SERVER], most: int) -> None:
        super().__init__(our_role, most)
        self._head = _Head()

    def receive_data(self, data: bytes) -> None:
        """Keep what has come, and look at it if it is of a head."""
        super().receive_data(data)
        if self.their_state is h11.IDLE:
            self._head.read(data)

    def start_next_cycle(self) -> None:
        """Begin the next request, of which something may have come already."""
        super().start_next_cycle()
        self._head = _Head(self.trailing_data[0])

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event.

        Raises h11.RemoteProtocolError for a head that no browser writes, a body in pieces, or one of a request that
        only reads.
        """
        if self.their_state is h11.IDLE and self._head.is_refused:
            raise h11.RemoteProtocolError("no browser writes such a head")
        event = super().next_event()
        if isinstance(event, h11.Request):
            headers = dict(event.headers)
            if b"transfer-encoding" in headers:
                raise h11.RemoteProtocolError("the length of the body is missing", error_status_hint=411)
            if event.method != b"POST" and headers.get(b"content-length", b"0") != b"0":
                raise h11.RemoteProtocolError("this method has no body")
        return event


class LimitedProtocol(H11Protocol):
    """A connection that ends if its request or answer takes too long, or if its address has too many."""

    def __init__(self, counted: Connections, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = PlainConnection(h11.SERVER, MOST_HEAD)
        self._counted = counted
        self._deadline: asyncio.TimerHandle | None = None
        self._received = 0
        self._reading: asyncio.TimerHandle | None = None
        self._is_ended = False

    @property
    def is_waiting(self) -> bool:
        """Return whether the connection waits for a request, or for the rest of one."""
        return not self._is_ended and (self.cycle is None or self.cycle.response_complete or self.cycle.more_body)

    @property
    def is_unread(self) -> bool:
        """Return whether the visitor does not read what is sent."""
        return not self._is_ended and self._reading is not None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn
        """Count the connection, and wait for its first request."""
        super().connection_made(transport)
        # An answer has its deadline as soon as any of it waits to be read, however little that is.
        transport.set_write_buffer_limits(0)
        if self.client is not None:
            # So for connections, streams, requests and guesses alike.
            self.client = (self._counted.whose(self.client[0]), self.client[1])
        self._counted.enter(self, self.client[0] if self.client else "")
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._unwatch()
        self._read()
        self._counted.leave(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait until the visitor has read some of the answer, or as long as it has to be read."""
        super().pause_writing()
        self._wait_for_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Go on with the answer."""
        self._read()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Read what has come, which may begin a request or end one."""
        self._received += len(data)
        if self._is_answered and self._received > MOST_UNREAD:
            self.end()
        elif not self._is_ended:
            super().data_received(data)

    def handle_events(self) -> None:
        """Handle what was read; a deadline runs until the request is whole."""
        super().handle_events()
        state = self.conn.their_state
        # Between two requests it is uvicorn that waits, until something comes.
        is_incomplete = state is h11.SEND_BODY or (state is h11.IDLE and self.timeout_keep_alive_task is None)
        if not is_incomplete:
            self._unwatch()
        elif self._deadline is None:
            self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of one that is answered already: it has a deadline of its own."""
        super().on_response_complete()
        if self._is_answered:
            self._unwatch()
            self._watch()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP without its help: to a request that asks for a head alone it would write no text."""
        self.transport.write(_REFUSAL)
        self.transport.close()

    def end(self) -> None:
        """End the connection at once."""
        self._is_ended = True
        self._unwatch()
        self._read()
        self._counted.leave(self)
        self.transport.abort()

    def _watch(self) -> None:
        if not self._is_ended:
            self._received = 0
            self._deadline = self.loop.call_later(self._counted.limits.seconds, self._late)

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    @property
    def _is_answered(self) -> bool:
        """Return whether the answer has been sent, and the rest of the request has not come."""
        return self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY

    def _late(self) -> None:
        if self._received >= self._counted.limits.bytes_in_time and not self._is_answered:
            self._watch()
        else:
            self.end()

    def _wait_for_reader(self, unsent: int) -> None:
        if not self._is_ended:
            self._reading = self.loop.call_later(self._counted.limits.seconds, self._not_read, unsent)

    def _read(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _not_read(self, before: int) -> None:
        unsent = self.transport.get_write_buffer_size()
        if before - unsent >= self._counted.limits.bytes_in_time:
            self._wait_for_reader(unsent)
        else:
            self.end()


def limited(connections: Connections) -> type[asyncio.Protocol]:
    """Return what makes the protocol of each of these connections."""
    return cast("type[asyncio.Protocol]", partial(LimitedProtocol, connections))


def most_connections() -> int:
    """Let the program open more files, if the system does; return how many connections it can have."""
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY:
            wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
            if soft < wanted:
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                soft = wanted
            return min(MOST_OPEN, soft // 3)  # there may be two servers: here, and in the local network
    return MOST_OPEN
