"""Hostile probes, as a program of their own: each tries what a wall must stop, and says whether it got through.

`python -I -S hostile.py TARGETS [PROBE…]`, where TARGETS is JSON: what each probe is aimed at, by the names in PROBES.
Prints a line with the name, a tab, and `open` or `closed` for each probe; what only others can see is `closed`.
Run as a file: it imports nothing of this package.
"""

import ctypes
import errno
import fcntl
import json
import os
import signal
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from typing import Final

FORKS = 200
CLONE_PIDFD, CLONE_THREAD = 0x1000, 0x10000
DEVICES = ("null", "zero", "full", "random", "urandom")
"""The devices of a sandbox, which keep nothing of what is written to them."""
SHARED = "/usr/bin/env"
"""A file that all bots see."""
LIBC = ctypes.CDLL(None, use_errno=True)
QUERY = b"\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x04leak\0\0\x01\0\x01"
"""A question for the address of `leak`, as DNS has it."""
LIVES_ON_SECONDS = 30
MOST_NUMBERED = 1 << 14
"""Beyond the numbers of all files that the program has open."""
NEEDLESS = """
ptrace:101:117 process_vm_readv:310:270 kcmp:312:272 pidfd_open:434:434 pidfd_getfd:438:438
pidfd_send_signal:424:424 io_uring_setup:425:425 userfaultfd:323:282 bpf:321:280 perf_event_open:298:241
keyctl:250:219 personality:135:92 unshare:272:97 setns:308:268 clone3:435:435 ioprio_set:251:30
sched_setscheduler:144:119 semget:64:190 msgget:68:186 mq_open:240:180 name_to_handle_at:303:264
rt_sigqueueinfo:129:138 futex_waitv:449:449
"""
"""Calls as `name:x86_64:aarch64`, with which a process reaches others, the kernel, or a namespace."""


def private(size: int) -> mmap:
    """Return so many bytes of memory that this process shares with nobody."""
    return mmap(-1, size, MAP_PRIVATE | MAP_ANONYMOUS)


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
    private(size).close()
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


def limit_others(_nothing: object = None) -> bool:
    """Ask for the limit of a process by its number: the parent of this one, or this one if none is to be seen."""
    import resource

    resource.prlimit(os.getppid() or os.getpid(), resource.RLIMIT_NOFILE)
    return True


def signal_by_file(_nothing: object = None) -> bool:
    """Let the kernel send signals when a pipe can be read."""
    reading, _writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, os.getpid())
    return True


def signal_by_flag(_nothing: object = None) -> bool:
    """Turn on the signals of a pipe."""
    reading, _writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    return True


def lock_range(_nothing: object = None) -> bool:
    """Lock a byte of a file of the system, which other bots see."""
    with open(SHARED, "rb") as file:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 7)
    return True


def lock_file(_nothing: object = None) -> bool:
    """Lock a file of the system as a whole."""
    with open(SHARED, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return True


def change_mode(_nothing: object = None) -> bool:
    """Set the permissions of a readable file to what they are."""
    os.chmod(__file__, os.stat(__file__).st_mode & 0o7777)
    return True


def change_times(_nothing: object = None) -> bool:
    """Set the times of a readable file to what they are."""
    found = os.stat(__file__)
    os.utime(__file__, ns=(found.st_atime_ns, found.st_mtime_ns))
    return True


def change_attributes(_nothing: object = None) -> bool:
    """Ask for the extended attributes of a readable file."""
    os.listxattr(__file__)
    return True


def shared_segment(_nothing: object = None) -> bool:
    """Make a segment of shared memory that outlives this process, and remove it."""
    made = LIBC.shmget(0, 1 << 20, 0o1600)
    if made >= 0:
        LIBC.shmctl(made, 0, None)
    return bool(made >= 0)


def shared_files(_nothing: object = None) -> bool:
    """Write in the folder of shared memory, whose size no limit of the temporary folder counts."""
    path = f"/dev/shm/tourney-{os.getpid()}"
    with open(path, "w") as file:
        file.write("x")
    os.unlink(path)
    return True


def unnamed_file(_nothing: object = None) -> bool:
    """Make a file in memory, which no limit of address space counts."""
    os.close(os.memfd_create("x"))
    return True


def threads(number: int) -> bool:
    """Begin so many threads at once."""
    over = threading.Event()
    threading.stack_size(1 << 16)
    begun = []
    try:
        for _one in range(number):
            begun.append(threading.Thread(target=over.wait))
            begun[-1].start()
    except RuntimeError:
        return False
    finally:
        over.set()
    return True


def priority(_nothing: object = None) -> bool:
    """Set the priority of this process to what it is."""
    os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0))
    return True


def affinity(_nothing: object = None) -> bool:
    """Set the processors of this process to what they are."""
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return True


def variables(_nothing: object = None) -> bool:
    """Find a variable that is the user's: it may be a password or a path."""
    return not {*os.environ} <= {"PATH", "HOME", "LANG", "PWD", "LC_CTYPE"}


def kernel(_nothing: object = None) -> bool:
    """Ask the kernel for what no bot needs; arguments that mean nothing are refused otherwise than missing calls."""
    column = ("", "x86_64", "aarch64").index(os.uname().machine)
    for word in NEEDLESS.split():
        ctypes.set_errno(0)
        if (
            LIBC.syscall(int(word.split(":")[column]), *[ctypes.c_long(-1)] * 5) >= 0
            or ctypes.get_errno() != errno.ENOSYS
        ):
            return True
    return False


def sockets(_nothing: object = None) -> bool:
    """Make a socket of a family that reaches the kernel or another machine."""
    for family in (1, 2, 10, 16, 17, 31, 38, 40, 44):
        with suppress(OSError):
            socket.socket(family, socket.SOCK_RAW if family in (16, 17) else socket.SOCK_STREAM).close()
            return True
    return False


def terminal(_nothing: object = None) -> bool:
    """Ask to put a letter into the input of a terminal; the kernel itself answers that a pipe is not a terminal."""
    ctypes.set_errno(0)
    return LIBC.ioctl(0, 0x5412, b"x") == 0 or ctypes.get_errno() != errno.EPERM


def devices(_nothing: object = None) -> bool:
    """Find a device besides those that keep nothing; a terminal keeps the time at which a game wrote to it."""
    for name in {*os.listdir("/dev")} - {*DEVICES}:
        with suppress(OSError):
            if stat.S_ISCHR(os.stat(f"/dev/{name}").st_mode):
                return True
    return False


def merged_memory(_nothing: object = None) -> bool:
    """Let the kernel merge pages of this process with equal ones of others, or page out those that it shares."""
    held = private(1 << 16)
    at = ctypes.addressof(ctypes.c_char.from_buffer(held))
    return any(LIBC.madvise(ctypes.c_void_p(at), ctypes.c_size_t(1 << 16), advice) == 0 for advice in (12, 21))


def cached_pages(_nothing: object = None) -> bool:
    """Ask whether a page of a file is in memory, which tells what others have read."""
    with open(SHARED, "rb") as file, suppress(BlockingIOError):
        os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
    return True


def shared_words(_nothing: object = None) -> bool:
    """Wait on a word of a file of the system, where other bots could wake this one; in vain, it ends by the clock."""
    number = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
    LIBC.mmap.restype = ctypes.c_void_p
    with open(SHARED, "rb") as file:
        at = LIBC.mmap(None, ctypes.c_size_t(4096), 1, 1, file.fileno(), ctypes.c_long(0))
    if at == ctypes.c_void_p(-1).value:  # the mapping was refused
        return False
    word = ctypes.c_uint.from_address(at).value
    soon = (ctypes.c_long * 2)(0, 10_000_000)
    ctypes.set_errno(0)
    LIBC.syscall(number, ctypes.c_void_p(at), 0, ctypes.c_uint(word), soon, None, 0)
    return ctypes.get_errno() == errno.ETIMEDOUT


def open_files(_nothing: object = None) -> bool:
    """Find a file that was open when this program began, besides the three standard ones."""
    for number in range(3, MOST_NUMBERED):
        with suppress(OSError):
            os.fstat(number)
            return True
    return False


def numbered_files(_nothing: object = None) -> bool:
    """Make a file that takes the next number of a series of the whole kernel, which others can read off theirs."""
    makers: tuple[Callable[[], object], ...] = (os.pipe, socket.socketpair, lambda: mmap(-1, 1 << 12))
    for make in makers:
        with suppress(OSError):
            make()
            return True
    return bool(LIBC.pipe((ctypes.c_int * 2)()) == 0)


def file_of_thread(_nothing: object = None) -> bool:
    """Ask for a file with a new thread, whose number counts all that this machine has begun.

    Where the flag is allowed, the kernel refuses the call otherwise: a thread has to share its memory.
    """
    number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    ctypes.set_errno(0)
    LIBC.syscall(number, ctypes.c_long(CLONE_THREAD | CLONE_PIDFD), 0, 0, 0, 0)
    return ctypes.get_errno() != errno.EPERM


def state_of_machine(_nothing: object = None) -> bool:
    """Ask how many threads there are on this machine, and how much of its memory and its disk is free."""
    with suppress(OSError):
        os.statvfs("/")
        return True
    return bool(LIBC.sysinfo(ctypes.create_string_buffer(1 << 10)) == 0)


def watch(_nothing: object = None) -> bool:
    """Watch files of others."""
    return bool(LIBC.inotify_init1(0) >= 0)


PROBES: dict[str, tuple[Callable[..., bool], str]] = {
    "open files": (open_files, ""),  # before the probes that open some
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
    "threads": (threads, "forks"),
    "limits of others": (limit_others, ""),
    "signals by files": (signal_by_file, ""),
    "asynchronous files": (signal_by_flag, ""),
    "locks of bytes": (lock_range, ""),
    "locks of files": (lock_file, ""),
    "permissions": (change_mode, ""),
    "times of files": (change_times, ""),
    "attributes of files": (change_attributes, ""),
    "shared memory": (shared_segment, ""),
    "files of shared memory": (shared_files, ""),
    "files in memory": (unnamed_file, ""),
    "priority": (priority, ""),
    "processors": (affinity, ""),
    "watching files": (watch, ""),
    "variables": (variables, ""),
    "needless calls": (kernel, ""),
    "families of sockets": (sockets, ""),
    "input of a terminal": (terminal, ""),
    "devices": (devices, ""),
    "merged memory": (merged_memory, ""),
    "cached pages": (cached_pages, ""),
    "shared words": (shared_words, ""),
    "numbered files": (numbered_files, ""),
    "state of the machine": (state_of_machine, ""),
    "files of threads": (file_of_thread, ""),
    "outliving": (outlive, ""),
}
"""The attempt of each probe, and the target that it is given."""
AT_CLASSES: Final = ("numbered files", "state of the machine")
"""The probes that a sandbox stops at classes alone: programs need pipes, and some ask for the size of the memory."""


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
