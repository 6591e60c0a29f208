"""The one thread in which databases are read and changed, and pages rendered.

The language of the sentences belongs to the process, and SQLite waits: neither may happen in the event loop, nor twice
at the same time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Worker:
    """A thread that does one thing after another; `close` waits for what has begun."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tourney-web")

    async def run(
        self, function: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        """Return what the function returns in the thread, or raise what it raises there."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(function, *args, **kwargs))

    def close(self) -> None:
        """Wait for the work that has begun, and end the thread."""
        self._pool.shutdown(cancel_futures=True)
