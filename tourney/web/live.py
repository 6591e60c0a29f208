"""The version of what is served, and how visitors learn of a new one: server-sent events, or by asking.

One watcher looks at the database for all visitors. A version is a text that differs once the pages show something else,
and after each start of the server: those for everybody after an entry of the journal, those of a table also after what
its phones send, and those of desks after each write.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import monotonic, time
from typing import Any, Final

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.service.web.as_seen import Marks, marks

LOOK_SECONDS = 0.25
"""The seconds between two looks at the database."""
ANNOUNCE_SECONDS = 1.0
"""The least seconds between two announcements, so that all who ask meanwhile share one rendering of each page."""
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
    """A stream to one address, the event that wakes it, and whether it is to end.

    `of` says whose pages it is for: "" for everybody's, "desk", or the token of a table.
    """

    address: str
    of: str = ""
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
        self._writes = 0
        self._seen: Hashable = None
        self._tables: Mapping[str, tuple[Hashable, int]] = {}
        self._written: storage.WriteMark | None = None
        self._unsettled = 0.0
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def version(self) -> str:
        """Return the version of pages for everybody, in the worker's thread: after a write the database is read."""
        if not self.is_known:
            self.look()
        return self.latest

    @property
    def writes(self) -> int:
        """Return the number of looks at what was written, as of the last one."""
        return self._writes

    @property
    def latest(self) -> str:
        """Return the version of pages for everybody as of the last look."""
        return f"{self._start}.{self._number}"

    @property
    def is_known(self) -> bool:
        """Return whether nobody has written since the last look, which asks the file system only."""
        is_settled = not self._unsettled or monotonic() < self._unsettled
        return is_settled and storage.last_written(self._file) == self._written

    def version_of(self, pages: str) -> str:
        """Return the version of the pages that a listener is for, as of the last look."""
        known = self._tables.get(pages)
        return f"{self.latest}.{self._writes if known is None else known[1]}" if pages else self.latest

    def look(self) -> None:
        """Read whether what pages show has changed, in the worker's thread."""
        written = storage.last_written(self._file)
        found = self._marks(written)
        self._number += found.everybody != self._seen
        self._writes += 1
        new, before = {token: (mark, self._writes) for token, mark in found.tables.items()}, self._tables
        self._tables = {
            token: before[token] if token in before and before[token][0] == each[0] else each
            for token, each in new.items()
        }
        self._seen = found.everybody
        self._unsettled = monotonic() + SETTLING_SECONDS if written != self._written else 0.0
        self._written = written

    def renew(self) -> None:
        """Give all pages a new version, in the worker's thread: what they show has changed without a write."""
        self._number += 1
        self._writes += 1
        self.notify_from_thread()

    def _marks(self, written: storage.WriteMark) -> Marks:
        """Return the marks of the state; of one that cannot be read, each write makes another."""
        try:
            return marks(self._db, {each.of for each in tuple(self._listeners)} - {"", "desk"})
        except TourneyError:
            return Marks(written, {})

    @cached_property
    def _file(self) -> Path:
        """The database's file, which every answer looks at."""
        return storage.locate(self._db)

    def message(self, pages: str = "") -> str:
        """Return what visitors of these pages are sent, as JSON: the version, the time in milliseconds, and `state`."""
        return json.dumps({"version": self.version_of(pages), "now": round(time() * 1000), **self._state()})

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

    async def watch(self, run: Callable[[Callable[[], None]], Awaitable[None]]) -> None:
        """Look at the database for ever, by `run` in the worker's thread, and notify the visitors of new versions."""
        self._loop = asyncio.get_running_loop()
        announced, next_time = self._writes, monotonic()
        while True:
            if not self.is_known:
                await run(self.look)
            if self._writes != announced and monotonic() >= next_time:
                announced, next_time = self._writes, monotonic() + ANNOUNCE_SECONDS
                self.notify()
            await asyncio.sleep(LOOK_SECONDS)

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
            yield f"data: {self.message(listener.of)}\n\n"
            with suppress(TimeoutError):
                await asyncio.wait_for(listener.changed.wait(), BEAT_SECONDS)
        if self._closed:
            yield "event: end\ndata:\n\n"
