"""Processes that play blocks: started by a server that has imported everything, and ended with their parent.

The server is the one of the standard library's `multiprocessing` (POSIX systems): it imports once and then forks, so
that a further process takes milliseconds. It has neither threads nor an open database. On Windows each process begins
anew. Signals to end are for the process that starts the others: these ignore them, and end at once when it is gone.
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

from tourney.text.signals import ENDINGS

HAS_SERVER: Final = "forkserver" in multiprocessing.get_all_start_methods()
_CONTEXT: Final = multiprocessing.get_context("forkserver") if HAS_SERVER else multiprocessing.get_context("spawn")
IMPORTED: Final = ["tourney.league.workers"]
"""The modules that the server imports."""
SAFE_PATH: Final = "PYTHONSAFEPATH"
"""The variable that keeps Python from importing a `random.py` of the current folder instead of its own."""


def start_server() -> None:
    """Start the server, which imports while this process does something else; do nothing if it runs already."""
    if HAS_SERVER:
        from multiprocessing import forkserver

        multiprocessing.set_forkserver_preload(IMPORTED)
        with _undisturbed():
            forkserver.ensure_running()


def start(target: Callable[..., object], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Start a process that calls the function with its end of a pipe and the arguments; return it and our end."""
    start_server()
    ours, theirs = multiprocessing.Pipe()
    process = _CONTEXT.Process(target=_run, args=(os.environ.get(SAFE_PATH), target, theirs, *arguments), daemon=True)
    with _undisturbed():
        process.start()
    theirs.close()
    return process, ours


def _run(safe_path: str | None, target: Callable[..., object], *arguments: Any) -> None:
    """Call the function in a process of its own, in which SAFE_PATH is as in the one that starts it."""
    _set_safe_path(safe_path)
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    target(*arguments)


def _end_with_parent() -> None:
    """End this process when the one that started it is gone: nobody waits for the block in play."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Start processes within the `with` block without signals to end, and without modules of the current folder."""
    with _signals_blocked(), _safe_path():
        yield


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block signals to end: for good in a process started within the `with` block, in this one until its end."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # Python's helper for new processes unblocks signals when it starts: it must be running already.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _safe_path() -> Iterator[None]:
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        _set_safe_path(before)


def _set_safe_path(value: str | None) -> None:
    """Set the variable to what it was before; None: it was not set."""
    if value is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = value
