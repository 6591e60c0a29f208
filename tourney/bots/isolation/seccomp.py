"""The system calls of the sandbox: an allow list, and its filter as the bytes that Linux takes.

What is not on the list is answered as missing, so that runtimes fall back to what they did before the call existed.

A word of the table is `name:x86_64:aarch64`, with `-` where a machine lacks the call. The numbers are from Linux's
`unistd.h`. File locks, shared memory, signals to others, changed permissions and whatever else is missing here is not
allowed. A class gets less than a program: nothing that takes a number of a series that all programs share, or that
shows what others use of this machine.
"""

import ctypes
import errno
import os
import platform
import struct
from functools import cache
from typing import Final

TABLE: Final = """
# Reading and writing
read:0:63 write:1:64 pread64:17:67 pwrite64:18:68 readv:19:65 writev:20:66 preadv:295:69 pwritev:296:70
lseek:8:62 close:3:57 close_range:436:436 dup:32:23 dup2:33:- dup3:292:24
pipe:22:- pipe2:293:59 sendfile:40:71 copy_file_range:326:285 fsync:74:82 fdatasync:75:83
# Files and folders by name; all but those in /tmp are read-only
open:2:- openat:257:56 creat:85:- stat:4:- fstat:5:80 lstat:6:- newfstatat:262:79 statx:332:291 access:21:-
faccessat:269:48 faccessat2:439:439 readlink:89:- readlinkat:267:78 getdents:78:- getdents64:217:61
getcwd:79:17 chdir:80:49 fchdir:81:50 statfs:137:43 fstatfs:138:44 ftruncate:77:46 truncate:76:45
fallocate:285:47 umask:95:166 mkdir:83:- mkdirat:258:34 rmdir:84:- unlink:87:- unlinkat:263:35 rename:82:-
renameat:264:38 renameat2:316:276 symlink:88:- symlinkat:266:36 link:86:- linkat:265:37
# Memory
mmap:9:222 munmap:11:215 mprotect:10:226 mremap:25:216 brk:12:214 msync:26:227
membarrier:324:283
# Waiting
poll:7:- ppoll:271:73 select:23:- pselect6:270:72 epoll_create:213:- epoll_create1:291:20 epoll_ctl:233:21
epoll_wait:232:- epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284:- eventfd2:290:19 timerfd_create:283:85
timerfd_settime:286:86 timerfd_gettime:287:87 pause:34:- nanosleep:35:101 clock_nanosleep:230:115
futex:202:98
# A pair of sockets that are joined to each other, as event loops use them
sendto:44:206 recvfrom:45:207 shutdown:48:210 getsockopt:55:209
getsockname:51:204 getpeername:52:205
# Time and the machine
clock_gettime:228:113 clock_getres:229:114 gettimeofday:96:169 time:201:- times:100:153 getrandom:318:278
uname:63:160 sysinfo:99:179 getcpu:309:168
# This process and its threads
execve:59:221 exit:60:93 exit_group:231:94 wait4:61:260 waitid:247:95 set_tid_address:218:96
set_robust_list:273:99 rseq:334:293 arch_prctl:158:- getpid:39:172 getppid:110:173 gettid:186:178
getpgid:121:155 getpgrp:111:- getsid:124:156 getuid:102:174 geteuid:107:175 getgid:104:176 getegid:108:177
getgroups:115:158 getresuid:118:148 getresgid:120:150 getrlimit:97:163 setrlimit:160:164 getrusage:98:165
sched_yield:24:124 sched_getaffinity:204:123 sched_getparam:143:121 sched_getscheduler:145:120
sched_get_priority_min:147:126 sched_get_priority_max:146:125 capget:125:90 restart_syscall:219:128
# Signals to be received
rt_sigaction:13:134 rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigpending:127:136 rt_sigtimedwait:128:137
rt_sigsuspend:130:133 sigaltstack:131:132 alarm:37:- setitimer:38:103 getitimer:36:102
# Calls that are allowed with some arguments only
fcntl:72:25 ioctl:16:29 clone:56:220 prctl:157:167 prlimit64:302:261 socketpair:53:199
madvise:28:233
# Signals, which only a process namespace of one's own makes harmless
kill:62:129 tgkill:234:131
"""

ALLOWED_ARGUMENTS: Final[dict[str, tuple[int, tuple[int, ...]]]] = {
    # F_DUPFD F_GETFD F_SETFD F_GETFL F_DUPFD_CLOEXEC F_GETPIPE_SZ: no locks, owners, signals, leases and notices
    "fcntl": (1, (0, 1, 2, 3, 1030, 1032)),
    # TCGETS TIOCGPGRP TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX: neither FIOASYNC nor FIOSETOWN
    "ioctl": (1, (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)),
    # PR_GET_DUMPABLE PR_SET_DUMPABLE PR_SET_NAME PR_GET_NAME PR_CAPBSET_READ PR_SET_VMA
    "prctl": (0, (3, 4, 15, 16, 23, 0x53564D41)),
    # the limits of this process, not of another
    "prlimit64": (0, (0,)),
    # AF_UNIX
    "socketpair": (0, (1,)),
    # neither MADV_MERGEABLE nor MADV_PAGEOUT, by which others can tell what is in this process's memory
    "madvise": (2, (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23)),
}
"""The calls of which one argument, by its place, has to be one of these values."""
FUTEX_WAKE: Final = 1
FUTEX_PRIVATE: Final = 128
"""The flag of `futex` for words that only this process knows; others are known by a file and the place in it."""
F_SETFL: Final = 4
O_ASYNC: Final = 0x2000
CLONE_THREAD: Final = 0x10000
CLONE_OTHERS: Final = 0xFFFFFFFF ^ 0x017D0FFF
"""The flags of `clone` that no C library sets for a thread: namespaces, and a file whose number counts all threads."""

AUDIT: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""The machines for which there is a filter, by their numbers in the audit of Linux."""
OF_PROGRAMS: Final = ("kill", "tgkill", "pipe", "pipe2", "socketpair", "sysinfo", "statfs", "fstatfs")
"""The calls that a program may use and a class may not.

The first two reach others where the namespace of processes is not its own. Pipes and sockets are numbered in one series
of the whole kernel, by which bots could signal and remember. The last three tell how many threads there are, and what
is free.
"""
MAP_SHARED, MAP_ANONYMOUS = 0x01, 0x20

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
def sandbox_filter(kind: str, program: bool) -> bytes:
    """Return the filter for a `program`, with a namespace of processes of its own, or for a class."""
    lines = [(_LOAD, 0, 0, _AUDIT_AT), (_EQUAL, 1, 0, AUDIT[kind]), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER_AT)]
    for name, number in numbers(kind).items():
        if program or name not in OF_PROGRAMS:
            body = _judged(name, program)
            lines += [(_EQUAL, 0, len(body), number), *body]
    return b"".join(struct.pack("=HBBI", *line) for line in (*lines, _MISSING))


def _judged(name: str, program: bool) -> list[Line]:
    """Return the lines that allow or refuse a call on the list."""
    if name == "mmap" and not program:
        # Shared memory without a name is a file of the kernel, which has a number as a pipe has one.
        return [_argument(3), (_SET, 0, 1, MAP_SHARED), (_SET, 1, 0, MAP_ANONYMOUS), _ALLOWED, _REFUSED]
    if name == "clone":
        return [_argument(0), (_SET, 0, 2, CLONE_THREAD), (_SET, 1, 0, CLONE_OTHERS), _ALLOWED, _REFUSED]
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
