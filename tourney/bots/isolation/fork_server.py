"""A program that has imported what Python classes need, and becomes a bot by a fork, in a hundredth of a start's time.

`python -I fork_server.py SOCKET HOME MODULE…`: each message on the socket names a script with its arguments, its limits
and its wall, and brings the three pipes of the new process. Nothing of an author is loaded here: the script does that,
behind its wall. The new process is left to whoever asked, as an orphan that they adopt; they hear its number, and a dot
when it is theirs.
"""

import gc
import json
import os
import socket
import sys
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any

MOST_MESSAGE = 1 << 16
PIPES = 3
DONE = b"."

_codes: dict[str, CodeType] = {}


class Server:
    """The server's side of the socket."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control

    def asked(self) -> dict[str, Any] | None:
        """Return, in a new process for each, what was asked for; None, in the server, when nobody asks any more."""
        while True:
            message, pipes, _flags, _address = socket.recv_fds(self._control, MOST_MESSAGE, PIPES)
            if not message:
                return None
            order: dict[str, Any] = json.loads(message)
            _code(order["command"][0])
            middle = os.fork()
            if not middle:
                if os.fork():
                    os._exit(0)
                self._begin(order, pipes)
                return order
            for pipe in pipes:
                os.close(pipe)
            os.waitpid(middle, 0)
            self._control.send(DONE)

    def _begin(self, order: dict[str, Any], pipes: list[int]) -> None:
        """Make this new process the leader of a session, with its pipes and limits; say its number, or why not."""
        try:
            os.setsid()
            for number, pipe in enumerate(pipes):
                os.dup2(pipe, number)
            if order["room"]:
                with open(order["room"], "w") as room:
                    room.write(str(os.getpid()))
            os.chdir(order["folder"] or ".")
            _limit(order["memory"], order["processes"])
            answer = str(os.getpid())
        except OSError as error:
            answer = f"-{error.errno}"
        self._control.send(answer.encode())
        os.closerange(PIPES, os.sysconf("SC_OPEN_MAX"))
        if answer.startswith("-"):
            os._exit(1)


def _limit(memory: int, processes: int | None) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if processes is not None:
        before = resource.getrlimit(resource.RLIMIT_NPROC)[1]
        most = processes if before == resource.RLIM_INFINITY else min(processes, before)
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def _code(script: str) -> CodeType:
    """Return the code of a script, which is compiled once, before the fork."""
    if script not in _codes:
        with open(script, "rb") as file:
            _codes[script] = compile(file.read(), script, "exec")
    return _codes[script]


def _wall(rules: str, reads: list[str]) -> None:
    """Wall this process in, for good."""
    from tourney.bots.isolation import landlock

    try:
        landlock.enter(bytes.fromhex(rules), reads)
    except OSError as error:
        sys.stderr.write(f"{sys.argv[0]} cannot be walled in: {error.strerror}\n")
        sys.exit(127)


def main(control: str, home: str, *modules: str) -> None:
    """Serve until nobody asks; in each new process, run what was asked for."""
    sys.path[:0] = [home]
    for name in modules:
        import_module(name)
    gc.freeze()
    order = Server(socket.socket(fileno=int(control))).asked()
    if order is None:
        return
    script, *sys.argv[1:] = order["command"]
    sys.argv[0] = script
    if order["wall"]:
        _wall(*order["wall"])
    program = ModuleType("__main__")
    program.__file__ = script
    sys.modules["__main__"] = program
    exec(_code(script), program.__dict__)
    for output in (sys.stdout, sys.stderr):
        output.flush()
    os._exit(0)  # to take down all that was imported costs more than the fork


if __name__ == "__main__":
    main(*sys.argv[1:])
