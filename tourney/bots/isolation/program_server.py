"""A process that starts programs and is their minder: it says how each began and ended, and ends what it has started.

Each message on its socket names a program with its folder, environment, limits and control groups. It brings the three
pipes of the program and its lifeline, a socket.

A program is ended when its lifeline is closed, even if the other end was killed, and all programs are when the process
that asks is gone. This process becomes the parent of what they leave behind in other sessions, and ends that too.
"""

import json
import os
import select
import signal
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from tourney.bots.isolation.fork_server import MOST_MESSAGE, PIPES, TAKEN
from tourney.bots.isolation.orphans import adopts, end_orphans, known
from tourney.bots.isolation.process_limit import entering, limit

SCRIPT: Final = f"import sys; sys.path[:0] = [sys.argv[2]]; from {__name__} import main; main(sys.argv[1])"
"""The program that Python runs, with the number of the socket and the folder of our packages."""
CONTROL: Final = 3
LINE: Final = 4
"""The number of the pipe by which a program that is limited gets leave to go on: a shell knows only single digits."""
WAIT: Final = f"read -r line <&{LINE} || exit; exec {LINE}<&-; "


AGAIN_MS: Final = 100
"""The pause between two tries to end processes that start others faster than they are ended."""


class Minded(NamedTuple):
    """A program that runs, its lifeline, and a descriptor that can be read once it has ended."""

    process: subprocess.Popen[bytes]
    lifeline: socket.socket
    ended: int


class Server:
    """The programs of this process. A process orders by `asking`; `asker` can be read once that process has ended."""

    def __init__(self, asking: socket.socket, asker: int) -> None:
        self._asking = asking
        self._minded: dict[int, Minded] = {}
        self._is_clean = True
        self._poll = select.poll()
        for each in (asking.fileno(), asker):
            self._poll.register(each, select.POLLIN)

    def serve(self) -> None:
        """Start programs and end them until nobody asks any more; then end those that are left."""
        asks = True
        while asks:
            for ready, _event in self._poll.poll(None if self._is_clean else AGAIN_MS)[
                :1
            ]:  # another may be closed by it
                if ready in self._minded:
                    self._end(self._minded[ready])
                else:
                    asks = ready == self._asking.fileno() and self._take()
            self._is_clean = self._is_clean or end_orphans()
        while self._minded:
            self._end(next(iter(self._minded.values())))
        while not end_orphans():
            pass

    def _take(self) -> bool:
        """Take an order; return False if nobody asks any more."""
        message, given, _flags, _address = socket.recv_fds(self._asking, MOST_MESSAGE, PIPES + 1)
        if message:
            with suppress(OSError):  # the other end may be gone
                self._asking.send(TAKEN)
            *pipes, number = given
            self._begin(json.loads(message), pipes, socket.socket(fileno=number))
        return bool(message)

    def _begin(self, order: dict[str, Any], pipes: Sequence[int], lifeline: socket.socket) -> None:
        """Start a program, and say its number, or below 0 why it cannot be started."""
        try:
            process = started(order, pipes)
        except OSError as error:
            with lifeline:
                _say(lifeline, -(error.errno or 1))
                _say(lifeline, 1)
            return
        finally:
            for pipe in pipes:
                os.close(pipe)
        minded = Minded(process, lifeline, os.pidfd_open(process.pid))
        for each in (lifeline.fileno(), minded.ended):
            self._minded[each] = minded
            self._poll.register(each, select.POLLIN)
        _say(lifeline, process.pid)

    def _end(self, minded: Minded) -> None:
        """End a program that has ended, or is to, with all that it has left behind; say how it ended."""
        for each in (minded.lifeline.fileno(), minded.ended):
            self._poll.unregister(each)
            del self._minded[each]
        pid = minded.process.pid
        for end in (os.kill, os.killpg):
            with suppress(OSError):
                end(pid, signal.SIGKILL)
        code = minded.process.wait()
        os.close(minded.ended)
        known.discard(pid)
        self._is_clean = end_orphans()
        with minded.lifeline:
            _say(minded.lifeline, code)


def _say(lifeline: socket.socket, number: int) -> None:
    with suppress(OSError):  # the other end may be gone
        lifeline.send(str(number).encode())


def started(order: dict[str, Any], pipes: Sequence[int]) -> subprocess.Popen[bytes]:
    """Return a program that is started within its limits and groups. Raises OSError if that is impossible."""
    stdin, stdout, stderr = pipes
    reading, writing = os.pipe()
    os.dup2(reading, LINE)
    os.close(reading)
    try:
        process = subprocess.Popen(
            entering(order["rooms"], order["command"], WAIT),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=order["folder"] or None,
            env=order["environment"],
            start_new_session=True,
            pass_fds=(LINE,),
        )
        try:
            limit(order["limits"], process.pid)
        except OSError:
            process.kill()
            process.wait()
            raise
        known.add(process.pid)
        os.write(writing, b"\n")
        return process
    finally:
        os.close(writing)
        os.dup2(0, LINE)


def main(control: str) -> None:
    """Serve the orders that come on the socket of that number."""
    if int(control) != CONTROL:
        os.dup2(int(control), CONTROL)
        os.close(int(control))
    os.dup2(0, LINE)  # no other descriptor gets this number
    adopts()
    Server(socket.socket(fileno=CONTROL), os.pidfd_open(os.getppid())).serve()
