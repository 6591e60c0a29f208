"""The version of what is served, and how visitors learn of a new one: server-sent events, or by asking.

One watcher looks at the database for all visitors. A version is a text that differs after each write, and after each
start of the server.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
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


class Live:
    """The version of one database; `state` is what each message says besides, such as where the projector stands.

    `most_streams` is how many streams one address may have.
    """

    def __init__(
        self, db: str | None, state: Callable[[], dict[str, Any]] = dict, most_streams: int = PER_ADDRESS // 2
    ) -> None:
        self._db, self._state, self._most_streams = db, state, most_streams
        self._listeners = Counter[str]()
        self._start, self._number = secrets.token_hex(4), 0
        self._written: storage.WriteMark | None = None
        self._unsettled = 0.0
        self._changed = asyncio.Event()
        self._closed = False
        self._streams = 0  # how often all streams were ended
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
        self._changed.set()
        self._changed = asyncio.Event()

    def notify_from_thread(self) -> None:
        """Send all visitors a message, as `notify` does in the thread of the event loop."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.notify)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """Return the event loop in which visitors are served."""
        assert self._loop is not None, "nobody is served yet"
        return self._loop

    def end_streams_from_thread(self) -> None:
        """End the streams that there are; whoever still reaches the server asks for a new one."""
        self._streams += 1
        self.notify_from_thread()

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
        return address in HERE or self._listeners[address] < self._most_streams

    @contextmanager
    def listening(self, address: str) -> Iterator[None]:
        """Count a stream to this address during the block."""
        self._listeners[address] += 1
        try:
            yield
        finally:
            self._listeners[address] -= 1
            self._listeners += Counter()  # those with nothing left are forgotten

    async def stream(self) -> AsyncIterator[str]:
        """Yield server-sent events: one at once, one for each change, and one at each beat."""
        streams = self._streams
        while not self._closed and streams == self._streams:
            changed = self._changed
            yield f"data: {self.message()}\n\n"
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), BEAT_SECONDS)
