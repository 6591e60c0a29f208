"""A filter of system calls for the sandbox, as the bytes that Linux takes: an allow list, by `calls`.

What is not on the list is answered as missing, so that runtimes fall back to what they did before the call existed.
"""

import ctypes
import errno
import os
import platform
import struct
from functools import cache
from typing import Final

from tourney.bots.isolation.calls import (
    ALLOWED_ARGUMENTS,
    CLONE_NAMESPACES,
    CLONE_THREAD,
    F_SETFL,
    FUTEX_PRIVATE,
    FUTEX_WAKE,
    O_ASYNC,
    TABLE,
)

AUDIT: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The machines for which there is a filter, by their numbers in the audit of Linux."""
SIGNALS: Final = ("kill", "tgkill")

_LOAD, _EQUAL, _SET, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER_AT, _AUDIT_AT, _ARGUMENTS_AT, _ARGUMENT_BYTES = 0, 4, 16, 8
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_ALLOWED: Final = (_RETURN, 0, 0, _ALLOW)
_REFUSED: Final = (_RETURN, 0, 0, _ERROR | errno.EPERM)
_MISSING: Final = (_RETURN, 0, 0, _ERROR | errno.ENOSYS)
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER_MODE = 38, 22, 2

Line = tuple[int, int, int, int]


def machine() -> str | None:
    """Return the name of this kind of machine; None if there is no filter for it."""
    return platform.machine() if platform.machine() in AUDIT else None


def numbers(kind: str) -> dict[str, int]:
    """Return the numbers of the allowed system calls of a kind of machine, by name."""
    column = list(AUDIT).index(kind)
    rows = [word.split(":") for line in TABLE.splitlines() if not line.startswith("#") for word in line.split()]
    return {name: int(found[column]) for name, *found in rows if found[column] != "-"}


@cache
def sandbox_filter(kind: str, signals: bool) -> bytes:
    """Return the filter; with `signals` it allows to send signals, which a process namespace makes harmless."""
    lines = [(_LOAD, 0, 0, _AUDIT_AT), (_EQUAL, 1, 0, AUDIT[kind]), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER_AT)]
    for name, number in numbers(kind).items():
        if signals or name not in SIGNALS:
            body = _judged(name)
            lines += [(_EQUAL, 0, len(body), number), *body]
    return b"".join(struct.pack("=HBBI", *line) for line in (*lines, _MISSING))


def _judged(name: str) -> list[Line]:
    """Return the lines that allow or refuse a call on the list."""
    if name == "clone":
        return [_argument(0), (_SET, 0, 2, CLONE_THREAD), (_SET, 1, 0, CLONE_NAMESPACES), _ALLOWED, _REFUSED]
    if name == "futex":
        # The C library waits for the end of a thread by a word that may be shared: told to try again, it does.
        tried_again = (_RETURN, 0, 0, _ERROR | errno.EAGAIN)
        nobody_woken = (_RETURN, 0, 0, _ERROR)
        return [
            _argument(1),
            (_SET, 0, 1, FUTEX_PRIVATE),
            _ALLOWED,
            (_EQUAL, 0, 1, FUTEX_WAKE),
            nobody_woken,
            tried_again,
        ]
    if name not in ALLOWED_ARGUMENTS:
        return [_ALLOWED]
    place, values = ALLOWED_ARGUMENTS[name]
    lines = [_argument(place)]
    for value in values:
        lines += [(_EQUAL, 0, 1, value), _ALLOWED]
    if name == "fcntl":
        lines += [(_EQUAL, 0, 3, F_SETFL), _argument(2), (_SET, 1, 0, O_ASYNC), _ALLOWED]
    return [*lines, _REFUSED]


def _argument(place: int) -> Line:
    """Return the line that loads the lower half of an argument, which is all that Linux reads of these."""
    return (_LOAD, 0, 0, _ARGUMENTS_AT + _ARGUMENT_BYTES * place)


def enforce(rules: bytes) -> None:
    """Put a filter in force in this process, for good. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    lines = ctypes.create_string_buffer(rules, len(rules))
    program = struct.pack("HxxxxxxP", len(rules) // 8, ctypes.addressof(lines))
    one = ctypes.c_ulong(1)
    for words in ((_NO_NEW_PRIVILEGES, one, 0, 0, 0), (_SECCOMP, ctypes.c_ulong(_FILTER_MODE), program, 0, 0)):
        if libc.prctl(*words) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
