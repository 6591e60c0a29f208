"""Control groups: the most processes and memory that a bot has at once, with all that it starts, on Linux.

Root can make groups, and a user whose session's groups are delegated, as those of systemd's desktops are. Where there
are none, the kernel counts the processes of a user as a whole, to which the bot may add some; it does not count those
of root.
"""

import atexit
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Final

MOST: Final = 100
"""The most processes and threads that a bot may have at once."""
GROUPS: Final = Path("/sys/fs/cgroup")
"""Where control groups are: all together in today's version, or in a folder for each controller in the older one."""
CONTROLLERS: Final = ("pids", "memory")
FILES: Final = {
    "pids.max": MOST,
    "memory.max": None,
    "memory.swap.max": 0,
    "memory.limit_in_bytes": None,
    "memory.memsw.limit_in_bytes": None,
}
"""The files with the limits of a group, the last two in the older version; None for the memory of the bot."""
ENTER: Final = 'until [ "$1" = -- ]; do echo $$ > "$1" || exit; shift; done; shift; exec "$@"'
"""Lets a shell enter control groups, and become another program."""
COUNT_SECONDS: Final = 10.0
END_SECONDS: Final = 2.0
"""The longest that the processes of a group may take to end."""

_numbers = count()
"""The numbers of the control groups of bots, each of which is new."""
_left: set[Path] = set()
"""The control groups of bots that have ended, in which processes were still ending."""
_empty: dict[tuple[int, int], list[tuple[Path, ...]]] = {}
"""The control groups that another bot behind a wall can use, by the process that made them and their memory."""
_counted: list[tuple[float, int]] = []
"""When the user's processes were counted last, and how many there were."""


def limits_forks() -> bool:
    """Return whether the processes of a bot can be limited here; count those of this user anew."""
    _counted.clear()
    return bool(os.getuid()) or _has("pids")


def _has(controller: str) -> bool:
    return any(controller in _controllers_of(found) for found in _bases(os.getpid()).values())


class Room:
    """The control groups of one bot, one for each version's controllers; none where none can be made."""

    def __init__(self, memory: int, *, walled: bool) -> None:
        # To make and remove a group takes as long as to start a small program.
        # A bot without a wall can write into its groups, and leave memory in them that no process has.
        self._others = _empty.setdefault((os.getpid(), memory), []) if walled else None
        self._paths = self._others.pop() if self._others else _new_groups(memory)

    @property
    def entries(self) -> tuple[Path, ...]:
        """The files in which a process writes its number to enter the groups."""
        return tuple([path / "cgroup.procs" for path in self._paths])

    @property
    def counts(self) -> bool:
        """True if the groups limit the number of processes."""
        return any((path / "pids.max").exists() for path in self._paths)

    def command(self, command: Sequence[str], waits: bool = False) -> tuple[str, ...]:
        """Return the command that enters the groups first, and `waits` for a line of its input before it goes on."""
        line = "read -r line || exit; " if waits else ""
        return entering(list(map(str, self.entries)), command, line) if self._paths or waits else (*command,)

    def leave(self, can_come: bool = False) -> None:
        """End what is left in the groups. Keep those that a bot behind a wall left empty; remove the others once empty.

        `can_come` is True if a process of the bot may still enter them.
        """
        had_processes = [_end_all(path) for path in self._paths]
        if self._others is None or can_come or any(had_processes):
            _left.update(self._paths)
        elif self._paths:
            self._others.append(self._paths)
        self._paths = ()
        for path in tuple(_left):
            with suppress(OSError):
                path.rmdir()
                _left.discard(path)


def entering(entries: Sequence[str], command: Sequence[str], wait: str = "") -> tuple[str, ...]:
    """Return the command of a shell that may wait, enters control groups and becomes the command."""
    # A process enters a group by itself: for another one the kernel waits until all of its cores agree.
    return ("/bin/sh", "-c", f"{wait}{ENTER}", "sh", *entries, "--", *command)


def _end_all(group: Path) -> bool:
    """End all processes of a group, which can begin no others from now on; return whether there were any."""
    processes = group / "cgroup.procs"
    until = monotonic() + END_SECONDS
    with suppress(OSError):
        if not processes.read_text():
            return False
    with suppress(OSError):
        (group / "pids.max").write_text("0")
    with suppress(OSError):
        while (left := processes.read_text().split()) and monotonic() < until:
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
    return True


def limit(limits: Mapping[str, int], pid: int) -> None:
    """Lower the kernel's limits of a process, by their names after `RLIMIT_`. Raises OSError if that is impossible."""
    import resource  # Windows has none

    for name, most in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        before = resource.prlimit(pid, kind)[1]
        lower = most if before == resource.RLIM_INFINITY else min(most, before)
        resource.prlimit(pid, kind, (lower, lower))


def most_of_user() -> int | None:
    """Return the limit of processes of this user: those of now and a bot's own; None for root, who has none."""
    if not os.getuid():
        return None
    if not _counted or monotonic() - _counted[-1][0] > COUNT_SECONDS:
        _counted[:] = [(monotonic(), _tasks())]
    return _counted[-1][1] + MOST


def _tasks() -> int:
    """Return how many processes and threads this user has."""
    found = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == os.getuid():
                    found += len(os.listdir(f"/proc/{name}/task"))
    return found


def _new_groups(memory: int) -> tuple[Path, ...]:
    """Return new groups with their limits, one for each version's controllers."""
    return tuple([_new_group(base, files, memory) for base, files in _bases(os.getpid()).items()])


def _new_group(base: Path, files: Sequence[str], memory: int) -> Path:
    """Return a new group with its limits, which are in files of these names."""
    while True:
        path = base / f"bot-{next(_numbers)}"
        with suppress(FileExistsError):
            path.mkdir()
            break
    for name in files:
        limit = FILES[name]
        (path / name).write_text(str(memory if limit is None else limit))
    return path


@cache
def _bases(process: int) -> dict[Path, tuple[str, ...]]:
    """Return the control groups for the bots of this process, in which each bot has one, with the files of limits."""
    found: dict[Path, tuple[str, ...]] = {}
    for parent in _parents():
        base = parent / f"tourney-{process}"
        with suppress(OSError):
            _remove_left(parent)
            base.mkdir(exist_ok=True)
            found[base] = _files(base)
            if found[base]:
                atexit.register(_remove_left, parent, process)
            else:
                del found[base]
                base.rmdir()
        if len({name for names in found.values() for name in _controllers_of(names)}) == len(CONTROLLERS):
            break
    return found


def _parents() -> Iterator[Path]:
    """Yield where groups for bots may be made: at the top, or beside the group of this process."""
    if not (GROUPS / "cgroup.controllers").exists():
        yield from [GROUPS / name for name in CONTROLLERS]
        return
    yield GROUPS
    with suppress(OSError):
        own = Path("/proc/self/cgroup").read_text().rpartition("::/")[2].strip()
        yield (GROUPS / own).parent


def _controllers_of(files: Sequence[str]) -> set[str]:
    """Return what the groups with these files of limits can limit."""
    return {name.partition(".")[0] for name in files}


def _files(base: Path) -> tuple[str, ...]:
    """Return the files of limits of the groups in a group."""
    for name in CONTROLLERS:
        with suppress(OSError):
            (base / "cgroup.subtree_control").write_text(f"+{name}")
    trial = base / "bot-trial"
    trial.mkdir(exist_ok=True)
    found = tuple([name for name in FILES if (trial / name).exists()])
    trial.rmdir()
    return found


def _remove_left(parent: Path, ending: int = 0) -> None:
    """Remove the groups of processes that are gone, and of one that is ending."""
    for base in parent.glob("tourney-*"):
        process = base.name.partition("-")[2]
        if process == str(ending) or not os.path.exists(f"/proc/{process}"):
            with suppress(OSError):
                for room in base.glob("bot-*"):
                    room.rmdir()
                base.rmdir()
