"""A program that walls itself in and becomes another: Landlock for files, a filter of system calls, limits of memory.

`python -I -S landlock.py FILTER MEMORY READ… -- COMMAND…`: the filter in hexadecimal digits, the memory in bytes, what
may be read and run. Run as a file: it imports nothing of this package. Exit code 127 if it cannot, with a line that
says why.
"""

import ctypes
import os
import struct
import sys
from functools import cache

CREATE, ADD, RESTRICT = 444, 445, 446
"""System calls of Landlock, equal on all machines."""
VERSION = 1
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
"""The number of rights to files by version of Landlock; later ones know 16."""
EXECUTE, WRITE, READ, LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
NO_NEW_PRIVILEGES, SECCOMP, FILTER_MODE, DROP_FROM_BOUNDING = 38, 22, 2, 24
CAPABILITIES = 64
CAPABILITY_VERSION = 0x20080522
DEVICES = {"/dev/null": READ | WRITE, "/dev/zero": READ, "/dev/urandom": READ, "/dev/random": READ}


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def version() -> int:
    """Return the version of Landlock, 0 if there is none."""
    return (
        0
        if sys.platform != "linux"
        else max(0, int(_libc().syscall(CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(VERSION))))
    )


def restrict_files(reads: list[str]) -> None:
    """Allow to read and run these files and folders, and no others, for good. Raises OSError."""
    rights = (1 << RIGHTS.get(version(), 16)) - 1
    attributes = struct.pack("=Q", rights)
    ruleset = _checked(_libc().syscall(CREATE, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0)))
    for path in reads:
        allowed = EXECUTE | READ | (LIST if os.path.isdir(path) else 0)
        _allow(ruleset, path, allowed)
    for path, allowed in DEVICES.items():
        _allow(ruleset, path, allowed)
    _checked(_libc().syscall(RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(0)))
    os.close(ruleset)


def _allow(ruleset: int, path: str, allowed: int) -> None:
    if not os.path.exists(path):
        return
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    rule = struct.pack("=Qi", allowed, place)
    _checked(_libc().syscall(ADD, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0)))
    os.close(place)


def restrict_calls(rules: bytes) -> None:
    """Put the filter of system calls in force, for good. Raises OSError."""
    lines = ctypes.create_string_buffer(rules, len(rules))
    program = struct.pack("HxxxxxxP", len(rules) // 8, ctypes.addressof(lines))
    _checked(_libc().prctl(SECCOMP, ctypes.c_ulong(FILTER_MODE), program, 0, 0))


def drop_privileges() -> None:
    """Give up what root may do, also after the next program begins. Raises OSError."""
    for capability in range(CAPABILITIES):
        _libc().prctl(DROP_FROM_BOUNDING, ctypes.c_ulong(capability), 0, 0, 0)
    _checked(_libc().prctl(NO_NEW_PRIVILEGES, ctypes.c_ulong(1), 0, 0, 0))


def drop_capabilities() -> None:
    """Give up what root may do now, in a process that becomes no other program. Raises OSError."""
    header = struct.pack("=Ii", CAPABILITY_VERSION, 0)
    _checked(_libc().capset(header, bytes(24)))


def enter(rules: bytes, reads: list[str]) -> None:
    """Wall this process in: privileges, files and system calls, for good. Raises OSError."""
    drop_privileges()
    restrict_files(reads)
    drop_capabilities()
    restrict_calls(rules)


def _checked(result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return int(result)


def main(rules: str, memory: str, *words: str) -> None:
    """Become the command behind a wall."""
    import resource

    divided = words.index("--")
    try:
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        enter(bytes.fromhex(rules), list(words[:divided]))
        os.execvp(words[divided + 1], words[divided + 1 :])
    except OSError as error:
        sys.stderr.write(f"{words[divided + 1]} cannot be started: {error.strerror}\n")
        sys.exit(127)


if __name__ == "__main__":
    main(*sys.argv[1:])
