"""A filter of system calls for the sandbox, as the bytes that Linux takes: no new processes, no sockets, no tracing.

The numbers are those of Linux's `unistd.h` for each machine. A thread is no new process and is allowed; `clone3`, whose
flags a filter cannot read, is answered as missing, whereupon libraries use `clone`.
"""

import errno
import platform
import struct
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Machine:
    """A kind of machine: its number in the audit of Linux, and system calls by number."""

    audit: int
    clone: int
    denied: tuple[int, ...]
    signals: tuple[int, ...]


_COMMON: Final = (424, 425, 426, 427, 434, 438, 440)
"""`pidfd_send_signal`, `io_uring_…` (three), `pidfd_open`, `pidfd_getfd` and `process_madvise`, equal everywhere."""
MACHINES: Final = {
    # fork vfork ptrace process_vm_readv process_vm_writev socket unshare setns mount umount2 pivot_root chroot bpf
    # perf_event_open keyctl add_key request_key userfaultfd kcmp setpgid;
    # signals: kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo
    "x86_64": Machine(
        0xC000003E,
        56,
        (57, 58, 101, 310, 311, 41, 272, 308, 165, 166, 155, 161, 321, 298, 250, 248, 249, 323, 312, 109, *_COMMON),
        (62, 200, 234, 129, 297),
    ),
    "aarch64": Machine(
        0xC00000B7,
        220,
        (117, 270, 271, 198, 97, 268, 40, 39, 41, 51, 280, 241, 219, 217, 218, 282, 272, 154, *_COMMON),
        (129, 130, 131, 138, 240),
    ),
}
"""The machines for which there is a filter."""
CLONE3: Final = 435
CLONE_THREAD: Final = 0x10000

_LOAD, _EQUAL, _SET, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER_AT, _AUDIT_AT, _FLAGS_AT = 0, 4, 16
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_X32: Final = 0x40000000
"""Numbers from here on are calls of another convention on x86_64, which nobody needs."""


def machine() -> Machine | None:
    """Return this kind of machine; None if there is no filter for it."""
    return MACHINES.get(platform.machine())


def sandbox_filter(kind: Machine, signals: bool) -> bytes:
    """Return the filter; with `signals` it allows to send signals, which a process namespace makes harmless."""
    denied = (*kind.denied, *(() if signals else kind.signals))
    refuse, missing = _ERROR | errno.EPERM, _ERROR | errno.ENOSYS
    lines = [
        (_LOAD, 0, 0, _AUDIT_AT),
        (_EQUAL, 1, 0, kind.audit),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_SET, 0, 1, _X32),
        (_RETURN, 0, 0, refuse),
        (_EQUAL, 0, 1, CLONE3),
        (_RETURN, 0, 0, missing),
    ]
    for number in denied:
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, refuse)]
    lines += [
        (_EQUAL, 0, 3, kind.clone),
        (_LOAD, 0, 0, _FLAGS_AT),
        (_SET, 1, 0, CLONE_THREAD),
        (_RETURN, 0, 0, refuse),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
