"""Walls for Python classes on Linux: a server that has imported everything begins each process by a fork.

Only our own scripts are begun in this way. Behind the sandbox's wall the new process walls itself in by Landlock before
it loads anything of an author.
"""

import errno
import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import IO, Final

from tourney.bots.isolation import fork_server, landlock, seccomp
from tourney.bots.isolation.enclosure import HOME, Enclosed, Process, Wall
from tourney.bots.isolation.keeper import keeper
from tourney.bots.isolation.levels import PROCESS, SANDBOX, Level
from tourney.bots.isolation.orphans import adopts, known
from tourney.bots.isolation.process_limit import Room, most_of_user
from tourney.bots.isolation.sandbox import ENVIRONMENT, SYSTEM, wall_at
from tourney.bots.limits import Limits

IMPORTED: Final = ("resource", "tourney.bots.python_class", "tourney.bots", "tourney.bots.isolation.landlock")
"""The modules that the server imports."""
BEGIN_SECONDS: Final = 20.0
"""The longest that a server may take to begin a process; its first one waits for the imports."""
ENOUGH_LANDLOCK: Final = 3
"""The first version of Landlock that knows all ways to write to a file."""


class Forked:
    """A process that a server has begun, with the pipes to it: what `subprocess.Popen` is to others."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self.pid, self.stdin, self.stdout, self.stderr = pid, stdin, stdout, stderr
        self.returncode: int | None = None

    def wait(self) -> int:
        """Wait for its end, and return its exit code, below 0 for a signal."""
        if self.returncode is None:
            _pid, status = os.waitpid(self.pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


class _Server:
    """A server as a child of this process. Raises OSError if it cannot be started."""

    def __init__(self, environment: dict[str, str] | None) -> None:
        self.owner = os.getpid()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(BEGIN_SECONDS)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", fork_server.__file__, str(theirs.fileno()), str(HOME), *IMPORTED],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                env=environment,
                pass_fds=(theirs.fileno(),),
            )
        known.add(self._process.pid)
        keeper().keep(self._process.pid)

    def begin(self, order: dict[str, object], pipes: list[int]) -> int:
        """Return the number of a new process, which is this one's child now. Raises OSError."""
        socket.send_fds(self._control, [json.dumps(order).encode()], pipes)
        answers = [self._control.recv(100) for _answer in range(2)]
        if b"" in answers:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
        number = int(next(answer for answer in answers if answer != fork_server.DONE))
        if number < 0:
            raise OSError(-number, os.strerror(-number))
        return number

    def end(self) -> None:
        """End it; the processes that it has begun live on."""
        self._control.close()
        if self.owner == os.getpid():
            with suppress(ProcessLookupError):
                self._process.kill()
            keeper().forget(self._process.pid)
            self._process.wait()
            known.discard(self._process.pid)


_servers: dict["ForkedWall", _Server] = {}


@dataclass(frozen=True, slots=True)
class ForkedWall:
    """A way to run our own Python scripts in new processes; `rules` is the sandbox's filter of system calls, if any."""

    rules: str = ""

    def popen(self, enclosed: Enclosed, limits: Limits) -> Process:
        """Start the script, whose command begins with Python and its options. Raises OSError if that is impossible."""
        script = next(at for at, word in enumerate(enclosed.command) if word.endswith(".py"))
        with ExitStack() as stack:
            ours, theirs = _pipes(stack)
            room = None if self.rules else Room()
            entry = None if room is None else room.entry
            order: dict[str, object] = {
                "command": enclosed.command[script:],
                "folder": enclosed.folder,
                "memory": limits.memory,
                "processes": None if self.rules else most_of_user(),
                "room": None if entry is None else str(entry),
                "wall": [self.rules, [*SYSTEM, *enclosed.reads]] if self.rules else None,
            }
            pid = self._begun(order, [pipe.fileno() for pipe in theirs])
            for pipe in theirs:
                pipe.close()
            stack.pop_all()
        if room is not None:
            room.keep(pid)
        return Forked(pid, *ours)

    def _begun(self, order: dict[str, object], pipes: list[int]) -> int:
        """Return the number of a new process; a server that has ended is replaced once."""
        server = _servers.get(self)
        if server is not None and server.owner == os.getpid():
            try:
                return server.begin(order, pipes)
            except (BrokenPipeError, ConnectionError, TimeoutError):
                server.end()
        server = _servers[self] = _Server(ENVIRONMENT if self.rules else None)
        try:
            return server.begin(order, pipes)
        except (BrokenPipeError, ConnectionError, TimeoutError):
            server.end()
            del _servers[self]
            raise


def _pipes(stack: ExitStack) -> tuple[list[IO[bytes]], list[IO[bytes]]]:
    """Return our and their ends of three pipes: input, output and errors of a process. The stack closes them."""
    ours: list[IO[bytes]] = []
    theirs: list[IO[bytes]] = []
    for number in range(fork_server.PIPES):
        reading, writing = os.pipe()
        read = stack.enter_context(os.fdopen(reading, "rb", 0))
        write = stack.enter_context(os.fdopen(writing, "wb", 0))
        ours.append(read if number else write)
        theirs.append(write if number else read)
    return ours, theirs


def class_wall_at(level: Level) -> Wall:
    """Return how the host of a Python class is started at a level. Raises TourneyError REFUSED as `wall_at`."""
    if not adopts():
        return wall_at(level)
    kind = seccomp.machine()
    if level is SANDBOX and kind is not None and landlock.version() >= ENOUGH_LANDLOCK:
        return ForkedWall(seccomp.sandbox_filter(kind, signals=False).hex())
    return ForkedWall() if level is PROCESS else wall_at(level)
