"""The keeper: a small process that kills the bots of this one when it is gone, however it ended.

A process that is killed cannot end its children. The keeper reads from a pipe which process groups there are; when the
pipe is closed, nobody is left to need them.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tourney.bots.isolation.orphans import known

_PROGRAM = """
import os, signal, sys
groups = {}
for line in sys.stdin.buffer:
    pid, *rooms = line[1:].split()
    if line[:1] == b"+":
        groups[int(pid)] = rooms
    else:
        groups.pop(int(pid), None)
for pid, rooms in groups.items():
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass
    try:
        while rooms and (left := open(rooms[0]).read().split()):
            for each in left:
                try:
                    os.kill(int(each), signal.SIGKILL)
                except ProcessLookupError:
                    pass
    except OSError:
        pass
"""


class Keeper:
    """The keeper of this process's children."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        known.add(self._process.pid)
        assert self._process.stdin is not None
        self._pipe = self._process.stdin.fileno()

    def keep(self, pid: int, rooms: Sequence[Path] = ()) -> None:
        """Kill this process group, and all in the control groups of these files, when this process is gone."""
        os.write(self._pipe, f"+{pid} {' '.join(map(str, rooms))}\n".encode())

    def forget(self, pid: int) -> None:
        """Forget the process group, which has ended; say so before its number is free for another."""
        os.write(self._pipe, f"-{pid}\n".encode())

    @property
    def works(self) -> bool:
        """True if the keeper runs, and is this process's own and not that of the process it was forked from."""
        return self._owner == os.getpid() and self._process.poll() is None


_keepers: list[Keeper] = []


def keeper() -> Keeper:
    """Return this process's keeper, which is started when the first child is."""
    if not _keepers or not _keepers[-1].works:
        _keepers[:] = [Keeper()]
    return _keepers[-1]
