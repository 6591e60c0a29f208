"""The one thread in which databases are read and changed, and pages rendered, and the turns in which visitors get it.

The language of the sentences belongs to the process, and SQLite waits: neither may happen in the event loop, nor twice
at the same time.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Final, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

MOST_IN_WORK: Final = 400
"""The most requests that wait for the thread."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A request that asks for its turn: with whom it takes turns, with whom it is counted, and its own room."""

    turn: str
    counted: str
    has_room: bool = False


class BusyError(Exception):
    """More requests than may wait, of one address or of all."""


class WorkThread:
    """A thread that does one thing after another; `close` waits for what has begun."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tourney-web")
        self._waiting = Counter[str]()
        self._turns: dict[Asking, asyncio.Lock] = {}
        self._kinds = defaultdict[str, asyncio.Lock](asyncio.Lock)

    @asynccontextmanager
    async def turn(self, asking: Asking, most: int, kind: str) -> AsyncIterator[None]:
        """Wait until no other request of this turn, or of this kind, is in the thread: each has its turns there.

        One that `has_room` waits for none of its kind, and so for at most one request of each kind, whoever asks.

        A request counts until its work has ended, whatever becomes of its connection. Raises BusyError where `most`
        that are counted with it wait already, or MOST_IN_WORK of all, unless it `has_room` of its own.
        """
        counted = asking.counted
        if self._waiting[counted] >= most or (self._waiting.total() >= MOST_IN_WORK and not asking.has_room):
            raise BusyError
        self._waiting[counted] += 1
        try:
            of_kind = nullcontext() if asking.has_room else self._kinds[kind]
            async with self._turns.setdefault(asking, asyncio.Lock()), of_kind:
                yield
        finally:
            self._waiting[counted] -= 1
            if not self._waiting[counted]:
                del self._waiting[counted]
                self._turns = {each: lock for each, lock in self._turns.items() if each.counted != counted}

    async def run(
        self, function: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        """Return what the function returns in the thread, or raise what it raises there."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(function, *args, **kwargs))

    def close(self) -> None:
        """Wait for the work that has begun, and end the thread."""
        self._pool.shutdown(cancel_futures=True)
