"""Orphans of bots: processes that a bot has started in sessions of their own, and that outlive it.

On Linux this process becomes the parent of whatever its bots leave behind, and ends it. A bot leads a session: whatever
child is in another session than this process and the bots that run is an orphan.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from time import monotonic, sleep

_ADOPT = 36
"""The number of `PR_SET_CHILD_SUBREAPER`."""
_SECONDS = 0.5
"""The longest that orphans are waited for: they may start others while they are ended."""
_POLL_SECONDS = 0.001

known: set[int] = set()
"""The processes that this process has started in sessions of their own, and still needs."""


@cache
def _adopts(_process: int) -> bool:
    """Let orphans become children of this process; return whether they do."""
    if sys.platform != "linux":
        return False
    return bool(ctypes.CDLL(None).prctl(_ADOPT, ctypes.c_ulong(1), 0, 0, 0) == 0)


def adopts() -> bool:
    """Let orphans of bots that are started from now on become children of this process; return whether they do."""
    return _adopts(os.getpid())


def end_orphans() -> bool:
    """End what bots that have ended left behind; return False if some of it goes on, which others start meanwhile."""
    until = monotonic() + _SECONDS
    while orphans := list(_orphans()):
        if not all(list(map(_is_ended, orphans))):
            sleep(_POLL_SECONDS)
        if monotonic() > until:
            return False
    return True


def _is_ended(pid: int) -> bool:
    """Kill a child; return whether it is gone already, as one that had ended by itself is."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    return True


def _orphans() -> Iterator[int]:
    if not adopts():
        return
    needed = {os.getsid(0), None, *known}
    for thread in os.listdir("/proc/self/task"):
        for pid in _children(thread):
            if _session(pid) not in needed:
                yield pid


def _children(thread: str) -> list[int]:
    try:
        with open(f"/proc/self/task/{thread}/children", "rb") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None
