"""Walls for classes and programs on Linux: a server begins each process, and a minder ends all of it.

For classes the server has imported everything that our script needs, and forks. At the level `sandbox` it is inside a
sandbox of bubblewrap. The sandbox is built for one class and has one game at a time. Each new process filters its
system calls before it loads anything of an author, and nothing there can be written. Programs at `process` have a
server that is their minder.
"""

import errno
import json
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from time import monotonic
from typing import IO, Final

from tourney.bots.isolation import fork_server, program_server, seccomp
from tourney.bots.isolation.enclosure import HOME, PROCESS_WALL, Enclosed, Process, Wall, environment
from tourney.bots.isolation.keeper import keeper
from tourney.bots.isolation.levels import SANDBOX, Level
from tourney.bots.isolation.orphans import adopts, end_orphans, known
from tourney.bots.isolation.process_limit import Room, most_of_user
from tourney.bots.isolation.sandbox import ENVIRONMENT, Bubblewrap, found, most, sandbox
from tourney.bots.limits import Limits

IMPORTED: Final = ("tourney.bots.python_class", "tourney.bots.for_authors", "tourney.bots.isolation.seccomp")
"""The modules that a server of classes imports."""
BEGIN_SECONDS: Final = 20.0
"""The longest that a server may take to begin its first process, which waits for the imports."""
END_SECONDS: Final = 2.0
"""The longest that a minder may take to say how a process ended."""
OWN_MEMORY: Final = 1 << 27
"""The bytes that a server inside a sandbox has for itself, besides the memory of its bot."""
MOST_SERVERS: Final = 24
"""The most servers inside sandboxes that are kept; idle ones are ended."""


class Forked:
    """A process that a server has begun, with the pipes to it and the lifeline to its minder.

    One that is `followed` has to end before the next game, which is forked from the same server.
    """

    def __init__(self, pipes: list[IO[bytes]], lifeline: socket.socket, room: Room | None, followed: bool) -> None:
        self.stdin, self.stdout, self.stderr = pipes
        self._followed = followed
        self._lifeline, self._room = lifeline, room
        self.number: int | None = None
        self._code: int | None = None
        self._is_ended = self._is_lost = False

    def begun(self) -> None:
        """Wait until the process has begun, and keep its number in its namespace. Raises OSError if it cannot begin."""
        if self.number is None and self._code is None:
            self._lifeline.settimeout(BEGIN_SECONDS)
            self._hear()
            self._lifeline.settimeout(None)
        if self.number is None:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
        if self.number < 0:
            raise OSError(-self.number, os.strerror(-self.number))

    def ended(self) -> int | None:
        """Return the exit code of a process that has ended, below 0 for a signal; None if it runs.

        Raises OSError if it could not begin.
        """
        if self.is_gone and self.number is not None:
            self.begun()
        return self._code

    @property
    def is_gone(self) -> bool:
        """True if the process has ended, or could not begin."""
        while self._code is None and self._hear(socket.MSG_DONTWAIT):
            pass
        return self._code is not None

    def _hear(self, flags: int = 0) -> bool:
        """Keep the next that the minder says; return whether there was anything.

        The first is the number of the process, or below 0 why it could not begin; the second, how it ended. The process
        of a minder that is gone has ended as if by the signal to kill.
        """
        try:
            said = self._lifeline.recv(100, flags)
        except BlockingIOError:
            return False
        except (ConnectionError, TimeoutError):
            said = b""
        if said and self.number is None:
            self.number = int(said)
        else:
            self._code = int(said or -signal.SIGKILL)
            self._is_lost = not said
        return True

    def leave_by(self, until: float) -> None:
        """Wait for the end of a process that is followed, which the next game could not miss; not beyond that time."""
        poll = select.poll()
        poll.register(self._lifeline, select.POLLIN)
        while self._followed and not self.is_gone and (left := until - monotonic()) > 0:
            poll.poll(left * 1000)

    def end(self) -> None:
        """End the process with all that it has started."""
        if self._is_ended:
            return
        self._is_ended = True
        with suppress(OSError):
            self._lifeline.shutdown(socket.SHUT_WR)
        if not self.is_gone:
            self._lifeline.settimeout(END_SECONDS)
            while self._code is None:
                self._hear()
        self._lifeline.close()
        if self._room is not None:
            end_orphans()
            self._room.leave(can_come=self._is_lost)


class _Server:
    """A server as a child of this process. Raises OSError if it cannot be started."""

    def __init__(self, wall: "ForkedWall", enclosed: Enclosed, memory: int) -> None:
        self.owner = os.getpid()
        self._is_outside = wall.sandbox is None
        self.process: Forked | None = None
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(BEGIN_SECONDS)
        self._room = Room(memory + OWN_MEMORY, walled=True) if wall.sandbox else None
        script = ("-c", program_server.SCRIPT) if wall.programs else (fork_server.__file__,)
        modules = () if wall.programs else IMPORTED
        command: tuple[str, ...] = (sys.executable, "-I", *script, str(theirs.fileno()), str(HOME), *modules)
        if wall.sandbox is not None:
            command = (*wall.sandbox.walled(enclosed, sys.executable, writable=False), "--", *command)
        with theirs:
            self._process = subprocess.Popen(
                command if self._room is None else self._room.command(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                cwd=os.sep,  # it holds no folder of a bot
                env=ENVIRONMENT if wall.sandbox else environment(),
                pass_fds=(theirs.fileno(),),
            )
        known.add(self._process.pid)
        if not wall.programs:  # their server ends them all first when this process is gone
            keeper().keep(self._process.pid)

    @property
    def is_idle(self) -> bool:
        """True if no process runs that this server has begun."""
        return self.process is None or self.process.is_gone

    @property
    def is_ready(self) -> bool:
        """True if this server can begin another process."""
        # The first process of a namespace learns nothing from its number.
        # A later number tells how many processes earlier games began.
        return self._is_outside or self.process is None or (self.process.is_gone and self.process.number == 1)

    @property
    def is_used_up(self) -> bool:
        """True if this server has nothing to do, and can begin no other process."""
        return self.is_idle and not self.is_ready

    def begin(self, process: Forked, order: dict[str, object], given: list[int]) -> None:
        """Begin a process, which speaks by what is given. Raises ConnectionError if it has ended, or is stuck.

        The server says that it has the order; the process is not waited for.
        """
        socket.send_fds(self._control, [json.dumps(order).encode()], given)
        with suppress(TimeoutError):
            if self._control.recv(len(fork_server.TAKEN)):
                self.process = process
                return
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    def end(self) -> None:
        """End it; processes outside of sandboxes live on."""
        self._control.close()
        if self.owner == os.getpid():
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            keeper().forget(self._process.pid)
            self._process.wait()
            known.discard(self._process.pid)
            if self._room is not None:
                self._room.leave()


_Key = tuple["ForkedWall", str | None, tuple[str, ...], int]
_servers: dict[_Key, list[_Server]] = {}


@dataclass(frozen=True, slots=True)
class ForkedWall:
    """A way to run our own Python scripts, or `programs`, in new processes.

    `sandbox` is where the servers of scripts are, if not outside.
    """

    sandbox: Bubblewrap | None = None
    programs: bool = False

    def popen(self, enclosed: Enclosed, limits: Limits) -> Process:
        """Start it; a script's command begins with Python and its options. Raises OSError if that is impossible.

        The first process of a server is waited for; a later one has begun, or could not, by the time it is needed.
        """
        adopts()
        words = enclosed.words(enclosed.executable if self.programs else enclosed.command[0])
        first = 0 if self.programs else next(at for at, word in enumerate(words) if word.endswith(".py"))
        with ExitStack() as stack:
            ours, theirs = _pipes(stack)
            lifeline, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stack.callback(lifeline.close)
            room = None if self.sandbox else Room(limits.memory, walled=False)
            order: dict[str, object] = {
                "command": words[first:],
                "environment": environment() if self.programs else None,
                "folder": enclosed.folder or ("" if self.sandbox else os.getcwd()),
                "limits": most(limits) if self.sandbox else _process_limits(limits),
                "rooms": [] if room is None else list(map(str, room.entries)),
                "apart": self.sandbox is not None,
                "rules": seccomp.sandbox_filter(self.sandbox.machine, program=False).hex() if self.sandbox else "",
            }
            process = Forked(ours, lifeline, room, followed=self.sandbox is not None)
            servers = self._own_servers(enclosed, limits.memory)
            with its:
                given = [*[pipe.fileno() for pipe in theirs], its.fileno()]
                is_first = not self._is_begun(servers, process, order, given)
                if is_first:
                    self._make_room()
                    servers.append(_Server(self, enclosed, limits.memory))
                    servers[-1].begin(process, order, given)
            for pipe in theirs:
                pipe.close()
            if is_first:
                process.begun()
            stack.pop_all()
        return process

    def _is_begun(self, servers: list[_Server], process: Forked, order: dict[str, object], given: list[int]) -> bool:
        """Return whether one of these servers begins a process; those that have ended, or are used up, are removed."""
        for used in [each for each in servers if each.is_used_up]:
            used.end()
            servers.remove(used)
        server = next((each for each in servers if each.is_ready), None)
        if server is not None:
            try:
                server.begin(process, order, given)
                return True
            except ConnectionError:
                server.end()
                servers.remove(server)
        return False

    def _own_servers(self, enclosed: Enclosed, memory: int) -> list[_Server]:
        """Return this process's servers that can begin it."""
        key = (self, enclosed.folder, enclosed.reads, memory) if self.sandbox else (self, None, (), 0)
        _servers[key] = [each for each in _servers.get(key, []) if each.owner == os.getpid()]
        return _servers[key]

    def _make_room(self) -> None:
        """If there are too many servers, end an idle one: the one whose class has had servers longest.

        By the use of a server a class could tell how often another one, or itself, was begun again in an earlier game.
        """
        if sum(map(len, _servers.values())) < MOST_SERVERS:
            return
        for servers in _servers.values():
            for server in servers:
                if server.process is not None and server.is_idle:
                    servers.remove(server)
                    server.end()
                    return


def _process_limits(limits: Limits) -> dict[str, int]:
    """Return the kernel's limits of a bot at the level `process`, by their names after `RLIMIT_`."""
    processes = most_of_user()
    return {"AS": limits.memory, "CORE": 0} | ({} if processes is None else {"NPROC": processes})


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


def process_wall() -> Wall:
    """Return how programs are started at the level `process`."""
    return ForkedWall(programs=True) if adopts() else PROCESS_WALL


def wall_at(level: Level) -> Wall:
    """Return how programs are started at a level. Raises TourneyError REFUSED if that is impossible here."""
    return sandbox() if level is SANDBOX else process_wall()


def class_wall_at(level: Level) -> Wall:
    """Return how the host of a Python class is started at a level. Raises TourneyError REFUSED as `wall_at`."""
    inside = sandbox() if level is SANDBOX else None
    return ForkedWall(inside) if adopts() else inside or PROCESS_WALL


def sandbox_or_process() -> Wall:
    """Return the strongest way here to start a program of our own that is a wall itself: a sandbox, or a process."""
    return found() or process_wall()
