"""Hostile probes, as a program of their own: each tries what a wall must stop, and says whether it got through.

`python -I -S hostile.py TARGETS [PROBE…]`, where TARGETS is JSON: what each probe is aimed at, by the names in PROBES.
Prints a line with the name, a tab, and `open` or `closed` for each probe; what only others can see is `closed`.
Run as a file: it imports nothing of this package.
"""

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from mmap import mmap

FORKS = 200
QUERY = b"\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x04leak\0\0\x01\0\x01"
"""A question for the address of `leak`, as DNS has it."""
LIVES_ON_SECONDS = 30


def read(path: str) -> bool:
    """Read a file."""
    with open(path, "rb") as file:
        file.read(1)
    return True


def write(path: str) -> bool:
    """Write a file, and leave it there: only the one who asked can see whether it is where they look."""
    with open(path, "w") as file:
        file.write("x")
    return False


def list_processes(_nothing: object = None) -> bool:
    """List the processes of this machine: more than this one and its parents."""
    return len([name for name in os.listdir("/proc") if name.isdigit()]) > 0


def tcp(port: int) -> bool:
    """Reach a server of this machine."""
    socket.create_connection(("127.0.0.1", port), timeout=1).close()
    return True


def datagram(port: int) -> bool:
    """Send a message without a connection; only the one who asked can see whether it came."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
        sending.sendto(QUERY, ("127.0.0.1", port))
    return False


def unix(path: str) -> bool:
    """Reach a socket of this machine, by its path or, after a zero character, by its name."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as reaching:
        reaching.settimeout(1)
        reaching.connect(path)
    return True


def end(pid: int) -> bool:
    """End a process; only the one who asked can see whether it was that process."""
    if pid not in (os.getpid(), os.getppid()):
        os.kill(pid, signal.SIGKILL)
    return False


def trace(pid: int) -> bool:
    """Read the memory of a process."""
    with open(f"/proc/{pid}/mem", "rb") as file:
        file.seek(0x10000)
    return True


def forks(number: int) -> bool:
    """Begin so many processes at once."""
    children: list[int] = []
    ready, end_of_all = os.pipe()
    try:
        for _one in range(number):
            child = os.fork()
            if not child:
                os.close(end_of_all)
                os.read(ready, 1)
                os._exit(0)
            children.append(child)
    finally:
        os.close(end_of_all)
        for child in children:
            os.waitpid(child, 0)
    return True


def memory(size: int) -> bool:
    """Take so many bytes of address space, without writing in it."""
    mmap(-1, size).close()
    return True


def outlive(_nothing: object = None) -> bool:
    """Leave a child that no longer belongs to this program's session, and that holds its output open."""
    leader = os.fork()
    if leader:
        os.waitpid(leader, 0)
        return False
    os.setsid()
    if not os.fork():
        time.sleep(LIVES_ON_SECONDS)
    os._exit(0)


PROBES: dict[str, tuple[Callable[..., bool], str]] = {
    "journal": (read, "journal"),
    "another bot": (read, "bot"),
    "processes": (list_processes, ""),
    "memory of others": (trace, "pid"),
    "signals": (end, "pid"),
    "tcp": (tcp, "tcp"),
    "udp": (datagram, "udp"),
    "dns": (datagram, "dns"),
    "unix socket": (unix, "unix"),
    "abstract socket": (unix, "abstract"),
    "writing": (write, "folder"),
    "writing in the system": (write, "system"),
    "forks": (forks, "forks"),
    "memory": (memory, "memory"),
    "outliving": (outlive, ""),
}
"""The attempt of each probe, and the target that it is given."""


def main(targets: dict[str, object], only: list[str]) -> None:
    """Try all probes, or only some, and say for each whether it got through."""
    for name in only or PROBES:
        attempt, target = PROBES[name]
        try:
            through = attempt(targets.get(target))
        except (OSError, MemoryError, OverflowError):
            through = False
        sys.stdout.write(f"{name}\t{'open' if through else 'closed'}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])
