"""The version of what is served, and how visitors learn of a new one: server-sent events, or by asking.

One watcher looks at the database for all visitors. A version is a text that differs after each write, and after each
start of the server.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import monotonic, time
from typing import Any, Final

from tourney import storage

LOOK_SECONDS = 0.25
"""The seconds between two looks at the database."""
BEAT_SECONDS = 4.0
"""The seconds after which a message is sent even if nothing has changed, so that a visitor notices a lost server."""
SETTLING_SECONDS = 3.0
"""The time after a write during which another one may leave the same time of the file, on a coarse file system."""
PER_ADDRESS: Final = 32
"""The most connections from one address; half as many of them may be streams."""
HERE: Final = frozenset({"127.0.0.1", "::1"})
"""The addresses of this computer, under which a proxy asks for many visitors: they have no limit of their own."""


MOST_STREAMS: Final = 500
"""The most streams of a server: half of its connections."""


@dataclass(eq=False, slots=True)
class Listener:
    """A stream to one address, the event that wakes it, and whether it is to end."""

    address: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    is_ended: bool = False


class Live:
    """The version of one database; `state` is what each message says besides, such as where the projector stands.

    `most_streams` is how many streams one address may have; where there are `most_in_all`, the oldest one makes room.
    """

    def __init__(
        self, db: str | None, state: Callable[[], dict[str, Any]] = dict, most_streams: int = PER_ADDRESS // 2
    ) -> None:
        self._db, self._state, self._most_streams = db, state, most_streams
        self.most_in_all = MOST_STREAMS
        self._listeners: dict[Listener, None] = {}
        self._start, self._number = secrets.token_hex(4), 0
        self._written: storage.WriteMark | None = None
        self._unsettled = 0.0
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def version(self) -> str:
        """Look at the database, and return the version of its state."""
        written, now = storage.last_written(self._file), monotonic()
        if written != self._written:
            self._written, self._unsettled = written, now + SETTLING_SECONDS
            self._number += 1
        elif self._unsettled and now >= self._unsettled:
            self._unsettled = 0.0
            self._number += 1
        return f"{self._start}.{self._number}"

    @cached_property
    def _file(self) -> Path:
        """The database's file, which every answer looks at."""
        return storage.locate(self._db)

    def message(self) -> str:
        """Return what visitors are sent, as JSON: the version, the time here in milliseconds, and `state`."""
        return json.dumps({"version": self.version, "now": round(time() * 1000), **self._state()})

    def notify(self) -> None:
        """Send all visitors a message now."""
        for listener in self._listeners:
            listener.changed.set()

    def notify_from_thread(self) -> None:
        """Send all visitors a message, as `notify` does in the thread of the event loop."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.notify)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """Return the event loop in which visitors are served."""
        assert self._loop is not None, "nobody is served yet"
        return self._loop

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        self.notify()

    def close_from_thread(self) -> None:
        """End all streams, as `close` does in the thread of the event loop."""
        self._closed = True
        self.notify_from_thread()

    async def watch(self) -> None:
        """Look at the database for ever, and notify the visitors of each new version."""
        self._loop = asyncio.get_running_loop()
        version = self.version
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if version != (version := self.version):
                self.notify()

    def has_room(self, address: str) -> bool:
        """Return whether one more stream may go to this address."""
        own = sum(listener.address == address for listener in self._listeners)
        return address in HERE or own < self._most_streams

    @contextmanager
    def listening(self, listener: Listener) -> Iterator[None]:
        """Count a stream during the block; where there are too many, the oldest one ends."""
        if len(self._listeners) >= self.most_in_all:
            oldest = next(iter(self._listeners))
            self._listeners.pop(oldest)
            oldest.is_ended = True
            oldest.changed.set()
        self._listeners[listener] = None
        try:
            yield
        finally:
            self._listeners.pop(listener, None)

    async def stream(self, listener: Listener) -> AsyncIterator[str]:
        """Yield server-sent events: one at once, one for each change, one at each beat, and one when the server ends.

        The last one tells pages of a desk that their key has ended, too.
        """
        while not (self._closed or listener.is_ended):
            listener.changed.clear()
            yield f"data: {self.message()}\n\n"
            with suppress(TimeoutError):
                await asyncio.wait_for(listener.changed.wait(), BEAT_SECONDS)
        if self._closed:
            yield "event: end\ndata:\n\n"
