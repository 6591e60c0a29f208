"""A program that has imported what Python classes need, and becomes a bot by a fork, in a hundredth of a start's time.

`python -I fork_server.py SOCKET HOME MODULE…`: each message on the socket names a script with its arguments and limits.
It brings the three pipes of the new process and its lifeline, a socket. Nothing of an author is loaded here: the script
does that, in the new process, with a filter of system calls at the level `sandbox`.

A minder waits for each process: it tells the lifeline how the process began and ended. It ends the process when the
lifeline is closed, even if the other end was killed. It also ends what the process has started in other sessions.
"""

import ctypes
import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any, NoReturn

MOST_MESSAGE = 1 << 17
PIPES = 3
TAKEN = b"1"
"""The answer to a message, before the fork."""
CLONE_NEWUSER, CLONE_NEWPID = 0x10000000, 0x20000000
_CAPABILITIES = 0x20080522
"""The version of the form in which Linux takes capabilities."""
_ADOPT = 36
"""The number of `PR_SET_CHILD_SUBREAPER`, with which a process becomes the parent of orphans of its children."""

_codes: dict[str, CodeType] = {}
_libc = cache(partial(ctypes.CDLL, None))
"""The C library, which Windows has not under this name."""


def asked(control: socket.socket) -> dict[str, Any] | None:
    """Return, in a new process for each, what was asked for; None, in the server, when nobody asks any more."""
    while True:
        message, given, _flags, _address = socket.recv_fds(control, MOST_MESSAGE, PIPES + 1)
        if not message:
            return None
        with suppress(OSError):  # the other end may be gone
            control.send(TAKEN)
        order: dict[str, Any] = json.loads(message)
        _code(order["command"][0])
        if not os.fork():
            control.close()
            os.setpgid(0, 0)  # the keeper ends the server's group, and the minder has its work to do then
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _libc().prctl(_ADOPT, ctypes.c_ulong(1), 0, 0, 0)
            if order["apart"]:
                _set_apart()
            reading, writing = os.pipe()
            child = os.fork()
            if child:
                os.close(writing)
                _mind(child, given, reading)
            _begin(order, given[:PIPES], writing)
            return order
        for each in given:
            os.close(each)


def _set_apart() -> None:
    """Begin a namespace for the next process, if that is possible: in the server's own, numbers of processes go on."""
    if _libc().unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0:
        header, none = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0), (ctypes.c_uint32 * 6)()
        if _libc().capset(header, none) != 0:
            os._exit(1)


def _mind(child: int, given: list[int], begun: int) -> NoReturn:
    """Say how a process began. Wait for it, or end it when its lifeline is closed; say how it ended."""
    *pipes, number = given
    for pipe in pipes:
        os.close(pipe)
    with socket.socket(fileno=number) as lifeline, os.fdopen(begun, "rb") as beginning, suppress(OSError):
        lifeline.send(beginning.read().rpartition(b"\n")[2])
        process = os.pidfd_open(child)
        select.select([lifeline.fileno(), process], [], [])
        for end in (os.kill, os.killpg):  # it may not have a group of its own yet
            with suppress(OSError):
                end(child, signal.SIGKILL)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        _end_orphans()
        lifeline.send(str(code).encode())
    os._exit(0)


def _end_orphans() -> None:
    """End what a process has left behind, of which this one is the parent now; in a sandbox its namespace does that."""
    with suppress(OSError):  # there is no /proc, or nothing is left
        while True:
            with open(f"/proc/self/task/{os.getpid()}/children") as children:
                for orphan in children.read().split():
                    os.kill(int(orphan), signal.SIGKILL)
            os.waitpid(-1, 0)


def _begin(order: dict[str, Any], pipes: list[int], begun: int) -> None:
    """Make this new process the leader of a session, with its pipes and limits; say its number, or why not."""
    for number, pipe in enumerate(pipes):
        os.dup2(pipe, number)
    os.dup2(begun, PIPES, inheritable=False)
    os.closerange(PIPES + 1, os.sysconf("SC_OPEN_MAX"))  # before the limits, which may be lower than open numbers
    try:
        os.setsid()
        for entry in order["rooms"]:
            with open(entry, "w") as room:
                room.write(str(os.getpid()))
        os.chdir(order["folder"] or ".")
        _limit(order["limits"])
        os.write(PIPES, str(os.getpid()).encode())
    except OSError as error:
        os.write(PIPES, f"\n-{error.errno}".encode())
        os._exit(1)
    os.close(PIPES)


def _limit(limits: dict[str, int]) -> None:
    import resource

    for name, limit in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        before = resource.getrlimit(kind)[1]
        most = limit if before == resource.RLIM_INFINITY else min(limit, before)
        resource.setrlimit(kind, (most, most))


def _code(script: str) -> CodeType:
    """Return the code of a script, which is compiled once, before the fork."""
    if script not in _codes:
        with open(script, "rb") as file:
            _codes[script] = compile(file.read(), script, "exec")
    return _codes[script]


def main(control: str, home: str, *modules: str) -> None:
    """Serve until nobody asks; in each new process, run what was asked for."""
    sys.path[:0] = [home]
    for name in ("resource", *modules):
        import_module(name)
    _libc()  # once for all new processes
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    order = asked(socket.socket(fileno=int(control)))
    if order is None:
        return
    script, *sys.argv[1:] = order["command"]
    sys.argv[0] = script
    if order["rules"]:
        from tourney.bots.isolation import seccomp

        seccomp.enforce(bytes.fromhex(order["rules"]))
    program = ModuleType("__main__")
    program.__file__ = script
    sys.modules["__main__"] = program
    exec(_code(script), program.__dict__)
    for output in (sys.stdout, sys.stderr):
        output.flush()
    os._exit(0)  # to take down all that was imported costs more than the fork


if __name__ == "__main__":
    main(*sys.argv[1:])
