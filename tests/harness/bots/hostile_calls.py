"""Hostile bots that leave a wall by the kernel's own roads, as programs and as classes, and seats that talk to each other.

What a bot cannot see itself is seen outside: the signals, limits and priority of a process of ours, and a file of ours.
"""
# ruff: noqa: E501 - a case is a line of its table

from typing import Final

from tests.harness.bots.hostile_bots import Hostile

CLASS: Final = "class"
"""A Python class at the level `sandbox`."""
KEY: Final = 0x70757
"""The key of what bots leave in the tables of System V."""
ANY: Final = ("", "died", "illegal", "slow", "stalled", "unreadable")
_LIBC: Final = "libc = ctypes.CDLL(None, use_errno=True)\n"


def _hostile(name: str, lines: str, *, twice: bool = False) -> Hostile:
    return Hostile(name, lines, faults=ANY, levels=("sandbox", CLASS), twice=twice)


def _kernel(**calls: str) -> str:
    """Return lines that make system calls by number, and name the ones that the kernel answers without an error."""
    table = ", ".join(f"{name}=({arguments})" for name, arguments in calls.items())
    return (
        f"{_LIBC}room = ctypes.create_string_buffer(4096)\ncalls = dict({table})\n"
        "return ' '.join(name for name, words in calls.items() if libc.syscall(*words) >= 0)"
    )


def _signals(*lines: str) -> str:
    return "\n".join(("import fcntl, struct", _LIBC.strip(), *lines))


def _each(*lines: str) -> str:
    """Return lines that try each of these, whatever becomes of the one before."""
    return "\n".join(f"try:\n    {line}\nexcept (OSError, ValueError):\n    pass" for line in lines)


ROADS: Final = (
    _hostile(
        "signals by O_ASYNC on a pipe",
        _signals(
            "ready, end = os.pipe()",
            "fcntl.fcntl(ready, fcntl.F_SETOWN, {victim})",
            "fcntl.fcntl(ready, 10, signal.SIGUSR1)",
            "fcntl.fcntl(ready, fcntl.F_SETFL, fcntl.fcntl(ready, fcntl.F_GETFL) | 0o24000)",
            "os.write(end, b'x')",
        ),
    ),
    _hostile(
        "signals by O_ASYNC on a socket, its owner set by ioctl",
        _signals(
            "mine, other = socket.socketpair()",
            "fcntl.ioctl(mine, 0x8902, struct.pack('i', {victim}))",
            "fcntl.fcntl(mine, 10, signal.SIGUSR1)",
            "fcntl.fcntl(mine, fcntl.F_SETFL, fcntl.fcntl(mine, fcntl.F_GETFL) | 0o24000)",
            "other.send(b'x')",
        ),
    ),
    _hostile(
        "signals by O_ASYNC to a thread, F_SETOWN_EX",
        _signals(
            "ready, end = os.pipe()",
            "fcntl.fcntl(ready, 15, struct.pack('ii', 0, {victim}))",
            "fcntl.fcntl(ready, 10, signal.SIGUSR1)",
            "fcntl.fcntl(ready, fcntl.F_SETFL, fcntl.fcntl(ready, fcntl.F_GETFL) | 0o24000)",
            "os.write(end, b'x')",
        ),
    ),
    _hostile(
        "signals by a broken lease and by dnotify",
        _signals(
            *_each(
                "at = os.open('/usr', os.O_RDONLY); fcntl.fcntl(at, fcntl.F_SETOWN, {victim}); fcntl.fcntl(at, 10, "
                "signal.SIGUSR1); fcntl.fcntl(at, fcntl.F_NOTIFY, 0x80000001); os.listdir('/usr')",
                "at = os.open('/usr/bin/env', os.O_RDONLY); fcntl.fcntl(at, fcntl.F_SETLEASE, fcntl.F_RDLCK); "
                "fcntl.fcntl(at, fcntl.F_SETOWN, {victim})",
            ).splitlines()
        ),
    ),
    _hostile(
        "signals a thread by tkill and tgkill", _kernel(tkill="200, {victim}, 10", tgkill="234, {victim}, {victim}, 10")
    ),
    _hostile("signals by a pidfd", "signal.pidfd_send_signal(os.pidfd_open({victim}), signal.SIGUSR1)\nreturn 'pidfd'"),
    _hostile(
        "queues a signal", _kernel(sigqueue="129, {victim}, 10, room", tgsigqueue="297, {victim}, {victim}, 10, room")
    ),
    _hostile(
        "signals by a timer for another's thread",
        _signals(
            "event = ctypes.create_string_buffer(struct.pack('qiii', 0, 10, 4, {victim}), 64)",
            "return 'timer' if libc.syscall(222, 1, event, ctypes.create_string_buffer(8)) == 0 else None",
        ),
    ),
    _hostile(
        "limits another by prlimit",
        "import resource\nresource.prlimit({victim}, resource.RLIMIT_NOFILE, (60, 60))\nreturn 'limit'",
    ),
    _hostile(
        "slows another: priority, scheduler, processors, disk",
        "import struct\n"
        + _LIBC
        + _each(
            "os.setpriority(os.PRIO_PROCESS, {victim}, 19)",
            "os.sched_setscheduler({victim}, os.SCHED_IDLE, os.sched_param(0))",
            "os.sched_setaffinity({victim}, [0])",
            "libc.syscall(251, 1, {victim}, 3 << 13)",
        ),
    ),
    _hostile(
        "changes the mode, times, attributes and length of a file outside",
        _each(
            "os.chmod({other}, 0)",
            "os.utime({other}, (1, 1))",
            "os.setxattr({other}, 'user.x', b'x')",
            "os.chown({other}, 65534, 65534)",
            "os.truncate({other}, 0)",
            "os.rename({other}, {other} + '-gone')",
        ),
    ),
    _hostile("learns the size of the journal", "return os.stat({journal}).st_size and 'stat'"),
    _hostile(
        "watches when the journal grows",
        _LIBC
        + "watch = libc.inotify_init1(0)\nreturn 'inotify' if libc.inotify_add_watch(watch, {journal}.encode(), 2) >= 0 else None",
    ),
    _hostile(
        "takes 1,000 MB in a file of memory",
        "held = os.memfd_create('x')\nfor _ in range(1000):\n    if os.write(held, bytes(1 << 20)) < 1 << 20:\n        return None\nreturn 'memfd'",
    ),
    _hostile(
        "takes 600 MB in pipes",
        "import fcntl\nheld = [os.pipe() for _ in range(600)]\n"
        "for _ready, end in held:\n    fcntl.fcntl(end, 1031, 1 << 20)\n    os.set_blocking(end, False)\n"
        "    if os.write(end, bytes(1 << 20)) < 1 << 20:\n        return None\nreturn 'pipes'",
    ),
    _hostile(
        "starts 300 threads",
        "import threading\nthreading.stack_size(65536)\nthreads = []\n"
        "for _ in range(300):\n    threads.append(threading.Thread(target=time.sleep, args=(5,), daemon=True))\n"
        "    try:\n        threads[-1].start()\n    except RuntimeError:\n        return None\nreturn 'threads'",
    ),
    *(
        _hostile(
            f"writes 50 MB into {place}",
            f"with open('{place}/tourney-attack', 'wb', buffering=0) as file:\n"
            "    for _ in range(50):\n        if file.write(bytes(1 << 20)) < 1 << 20:\n            return None\n"
            f"os.unlink('{place}/tourney-attack')\nreturn 'disk'",
        )
        for place in ("/dev/shm", "/tmp", "/var/tmp", "/run", ".")
    ),
    _hostile(
        "asks the kernel for what no bot needs",
        _kernel(
            io_uring="425, 8, room",
            userfaultfd="323, 1",
            bpf="321, 0, room, 48",
            perf_event_open="298, room, 0, -1, -1, 0",
            fanotify_init="300, 0, 0",
            memfd_secret="447, 0",
            mount="165, b'none', b'/tmp', b'tmpfs', 0, 0",
            acct="163, b'/tmp/x'",
            kcmp="312, {victim}, {victim}, 0, 0, 0",
            pidfd_getfd="438, 0, 0, 0",
            process_vm_readv="310, {victim}, room, 0, room, 0, 0",
            swapon="167, b'/tmp/x', 0",
            sethostname="170, b'x', 1",
        ),
    ),
    _hostile(
        "makes namespaces inside",
        _kernel(user="272, 0x10000000", mount="272, 0x20000", process="272, 0x20000000", net="272, 0x40000000"),
    ),
    _hostile(
        "starts a process by clone3 and vfork",
        "import struct\n"
        + _LIBC
        + "words = ctypes.create_string_buffer(struct.pack('8Q', 0, 0, 0, 0, 17, 0, 0, 0), 64)\n"
        "child = libc.syscall(435, words, 64)\nif child == 0:\n    os._exit(0)\nreturn 'clone3' if child > 0 else None",
    ),
    _hostile(
        "opens a file by a handle",
        "import struct\n" + _LIBC + "handle = ctypes.create_string_buffer(struct.pack('I', 128), 256)\n"
        "at = ctypes.c_int()\nif libc.syscall(303, -100, {other}.encode(), handle, ctypes.byref(at), 0) == 0:\n    return 'handle'",
    ),
    _hostile(
        "opens a file from a folder held by O_PATH",
        "root = os.open('/', os.O_PATH)\nos.fchdir(root)\nreturn os.read(os.open({other}[1:], os.O_RDONLY, dir_fd=root), 4)",
    ),
    _hostile(
        "opens a file by other names under /proc",
        "for root in ('/proc/1/root', '/proc/self/root', '/proc/thread-self/root', '/proc/self/task/1/root', '/proc/{victim}/root'):\n"
        "    try:\n        return open(root + {other}, 'rb').read(4)\n    except OSError:\n        pass\n",
    ),
    _hostile(
        "finds open files of the program",
        "found = []\nfor number in range(3, 200):\n    try:\n        os.fstat(number)\n    except OSError:\n        continue\n"
        "    try:\n        target = os.readlink(f'/proc/self/fd/{number}')\n    except OSError:\n        target = 'unknown'\n"
        "    if {folder} in target:\n        found.append(target)\nreturn ' '.join(found)",
    ),
    _hostile(
        "makes a device",
        "os.mknod('/tmp/device', 0o020600, os.makedev(1, 1))\nreturn os.open('/tmp/device', os.O_RDONLY) and 'device'",
    ),
    _hostile(
        "links a file to a place of its own", "os.link({other}, '/tmp/link')\nreturn open('/tmp/link', 'rb').read(4)"
    ),
    _hostile(
        "opens sockets of other families",
        "found = []\nfor family in (17, 38, 40, 31, 29, 44, 21, 30):\n    for kind in (3, 5, 2, 1):\n        try:\n"
        "            socket.socket(family, kind).close()\n        except OSError:\n            continue\n"
        "        found.append(str(family))\n        break\nreturn ' '.join(found)",
    ),
    _hostile(
        "finds the keys of the user's keyring",
        _LIBC
        + "key = libc.syscall(248, b'user', b'tourney-attack', b'x', 1, -4)\nreturn 'keyring' if key > 0 else None",
    ),
)
"""Each alone against a built-in bot."""

_LOCKED: Final = "/usr/bin/env"


def _channel(name: str, receive: str, send: str) -> Hostile:
    """Return a bot whose seats look for what another has left, and leave it: `receive` and `send` are lines."""
    return _hostile(name, f"import fcntl, struct\n{_LIBC}{receive}\n{send}\nglobal KEPT\nKEPT = locals()", twice=True)


def _lock(path: str) -> Hostile:
    return _channel(
        f"locks of bytes of {path}",
        f"at = os.open({path}, os.O_RDONLY)\n"
        "asked = fcntl.fcntl(at, fcntl.F_GETLK, struct.pack('hhqqi', fcntl.F_WRLCK, 0, 7, 1, 0))\n"
        "if struct.unpack('hhqqi', asked)[0] != fcntl.F_UNLCK:\n    return 'lock'",
        "fcntl.fcntl(at, fcntl.F_SETLK, struct.pack('hhqqi', fcntl.F_RDLCK, 0, 7, 1, 0))",
    )


def _flock(path: str) -> Hostile:
    return _channel(
        f"a lock of the whole of {path}",
        f"at = os.open({path}, os.O_RDONLY)\ntry:\n    fcntl.flock(at, fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "except BlockingIOError:\n    return 'flock'",
        "pass",
    )


CHANNELS: Final = (
    *(kind(path) for kind in (_lock, _flock) for path in (f"'{_LOCKED}'", "{own}", "'/dev/null'")),
    _channel(
        "shared memory of System V",
        "if libc.shmget(0x70757, 4096, 0) >= 0:\n    return 'shm'",
        "libc.shmget(0x70757, 4096, 0o1666)",
    ),
    _channel(
        "a queue and a semaphore of System V",
        "if libc.msgget(0x70757, 0) >= 0 or libc.semget(0x70757, 1, 0) >= 0:\n    return 'queue'",
        "libc.msgget(0x70757, 0o1666)\nlibc.semget(0x70757, 1, 0o1666)",
    ),
    _channel(
        "a queue of POSIX",
        "if libc.syscall(240, b'tourney-attack', os.O_RDONLY, 0, 0) >= 0:\n    return 'mqueue'",
        "libc.syscall(240, b'tourney-attack', os.O_RDWR | os.O_CREAT, 0o600, 0)",
    ),
    _channel(
        "an abstract socket",
        "try:\n    mine = socket.socket(socket.AF_UNIX)\n    mine.connect('\\0tourney-attack')\n    return 'abstract'\n"
        "except OSError:\n    pass",
        "served = socket.socket(socket.AF_UNIX)\nserved.bind('\\0tourney-attack')\nserved.listen()",
    ),
    _channel(
        "a socket of loopback",
        "try:\n    socket.create_connection(('127.0.0.1', 47391), 1)\n    return 'loopback'\nexcept OSError:\n    pass",
        "served = socket.create_server(('127.0.0.1', 47391))",
    ),
    *(
        _channel(
            f"a file in {place}",
            f"if os.path.exists('{place}/tourney-attack'):\n    return 'file'",
            f"open('{place}/tourney-attack', 'w').close()",
        )
        for place in ("/tmp", "/dev/shm", "/var/tmp", ".", "/run")
    ),
    _channel(
        "the times and attributes of its own file",
        "if os.stat({own}).st_mtime == 7 or 'user.x' in os.listxattr({own}):\n    return 'times'",
        _each("os.utime({own}, (7, 7))", "os.setxattr({own}, 'user.x', b'x')"),
    ),
    _channel(
        "a key in the user's keyring",
        "if libc.syscall(249, b'user', b'tourney-told', 0, 0) > 0 or libc.syscall(250, 10, -4, b'user', b'tourney-told', 0) > 0:\n"
        "    return 'key'",
        "libc.syscall(248, b'user', b'tourney-told', b'x', 1, -4)",
    ),
)
"""Both seats of a table, or two games one after the other: one leaves a sign, and the other finds it."""
