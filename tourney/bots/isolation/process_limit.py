"""A limit of how many processes a bot has at once, at the level `process` on Linux.

For a user the kernel counts all processes of that user, to which the bot may add some. It does not count for root,
whose bots are each put into a control group. Where root may not make one, there is no limit.
"""

import atexit
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final

MOST: Final = 100
"""The most processes and threads that a bot may have at once."""
CONTROLLERS: Final = (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup"))
"""Where control groups are, in the older and in today's version."""
ENTER: Final = 'echo $$ > "$0" && exec "$@"'
"""Lets a shell enter a control group, and become another program."""
COUNT_SECONDS: Final = 10.0

_left: set[Path] = set()
"""The control groups of bots that have ended."""
_counted: list[tuple[float, int]] = []
"""When the user's processes were counted last, and how many there were."""


def limits_forks() -> bool:
    """Return whether the processes of a bot can be limited here; count those of this user anew."""
    _counted.clear()
    return bool(os.getuid()) or _base(os.getpid()) is not None


class Room:
    """A control group for one bot; nothing where there are none."""

    def __init__(self) -> None:
        self._path = None if os.getuid() else _new_group()

    @property
    def counts(self) -> bool:
        """True if there is a group that counts the bot's processes."""
        return self._path is not None

    @property
    def entry(self) -> Path | None:
        """The file in which a process writes its number to enter the group; None if there is no group."""
        return None if self._path is None else self._path / "cgroup.procs"

    def command(self, command: Sequence[str]) -> tuple[str, ...]:
        """Return the command that enters the group first."""
        return tuple(command) if self.entry is None else ("/bin/sh", "-c", ENTER, str(self.entry), *command)

    def leave(self) -> None:
        """Remove the group, whose processes have ended; one whose processes are still ending is removed later."""
        if self._path is not None:
            _left.add(self._path)
        for path in tuple(_left):
            with suppress(OSError):
                path.rmdir()
                _left.discard(path)


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


def _new_group() -> Path | None:
    base = _base(os.getpid())
    if base is None:
        return None
    number = len(list(base.iterdir()))
    while True:
        path = base / f"bot-{number}"
        try:
            path.mkdir()
        except FileExistsError:
            number += 1
        else:
            (path / "pids.max").write_text(str(MOST))
            return path


@cache
def _base(process: int) -> Path | None:
    """Return the control group for the bots of this process, one in it for each; None if that is impossible."""
    for controller in CONTROLLERS:
        base = controller / f"tourney-{process}"
        try:
            _remove_left(controller)
            base.mkdir(exist_ok=True)
            if controller.name != "pids":
                (base / "cgroup.subtree_control").write_text("+pids")
            trial = base / "bot-trial"
            trial.mkdir(exist_ok=True)
            works = (trial / "pids.max").exists()
            trial.rmdir()
            if works:
                atexit.register(_remove_left, controller, process)
                return base
            base.rmdir()
        except OSError:
            continue
    return None


def _remove_left(controller: Path, ending: int = 0) -> None:
    """Remove the groups of processes that are gone, and of one that is ending."""
    for base in controller.glob("tourney-*"):
        process = base.name.partition("-")[2]
        if process == str(ending) or not os.path.exists(f"/proc/{process}"):
            with suppress(OSError):
                for room in base.glob("bot-*"):
                    room.rmdir()
                base.rmdir()
