"""Ways to start a bot at the levels that have a process of its own."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final, Protocol

from tourney.bots.isolation.keeper import keeper
from tourney.bots.isolation.orphans import adopts, end_orphans, known
from tourney.bots.isolation.process_limit import Room, limit
from tourney.bots.isolation.shims import MANAGERS, search_path
from tourney.bots.limits import Limits

PYTHON_PROGRAMS: Final = ("bin/python", "bin/python3", "bin/python3.*")
PYTHON_PARTS: Final = (
    *("pyvenv.cfg", *PYTHON_PROGRAMS, "include/python3.*"),
    *[f"{lib}/{part}" for lib in ("lib", "lib64") for part in ("python3.*", "lib*.so", "lib*.so.*")],
)
"""The files and folders of which a Python on Linux, or a virtual environment, consists.

They may lie among a user's own, as in `~/.local`. All shared libraries beside them count, because some Pythons bring
their own OpenSSL or libffi, which lie in this folder.
"""
CONDA: Final = "conda-meta"
"""A folder in each environment of conda, whose whole `lib` is conda's: hundreds of libraries, shown as one folder."""
PROBE_MEMORY: Final = 1 << 28
"""The memory that a probe needs to run."""


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A command to be started behind a wall, with its folder, and the files and folders that it may read besides.

    `probe` is what runs instead of the command, with all that the command would have.
    """

    command: tuple[str, ...]
    folder: str | None = None
    reads: tuple[str, ...] = ()
    probe: tuple[str, ...] = ()

    @property
    def executable(self) -> str:
        """The path of the program. Raises OSError if it is not there, or may not be run."""
        name = self.command[0]
        own = os.path.join(self.folder or "", name) if "/" in name else None
        found = own or shutil.which(name, path=search_path(self.folder))
        if found is None or not os.path.exists(found):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        if not os.access(found, os.X_OK) or os.path.isdir(found):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)
        return os.path.abspath(found)

    def words(self, executable: str) -> tuple[str, ...]:
        """Return what runs, by the path of the program: the probe if there is one."""
        return self.probe or (executable, *self.command[1:])


class Process(Protocol):
    """A process that was started, and the pipes to it."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """The input of the process."""
        ...

    @property
    def stdout(self) -> IO[bytes] | None:
        """The output of the process."""
        ...

    @property
    def stderr(self) -> IO[bytes] | None:
        """The standard error of the process."""
        ...

    def begun(self) -> None:
        """Wait until the process has begun. Raises OSError if it cannot begin."""
        ...

    def ended(self) -> int | None:
        """Return the exit code of a process that has ended by itself, below 0 for a signal; None if it runs.

        Raises OSError if it could not begin.
        """
        ...

    def leave_by(self, until: float) -> None:
        """Wait for the end of the process, not beyond that time, if a later game could tell that it still runs."""
        ...

    def end(self) -> None:
        """End the process with all that it has started; more than once is no mistake."""
        ...


class Wall(Protocol):
    """A way to start programs."""

    def popen(self, enclosed: Enclosed, limits: Limits) -> Process:
        """Start the program with pipes, as the leader of a process group. Raises OSError if that is impossible."""
        ...


@dataclass(frozen=True, slots=True)
class Walled:
    """A command behind a wall, within its limits."""

    wall: Wall
    enclosed: Enclosed
    limits: Limits

    def probed_by(self, words: Sequence[str], reads: Sequence[str]) -> "Walled":
        """Return a probe that has all that the command would have, and besides the files that it needs itself."""
        own = replace(self.enclosed, probe=tuple(words), reads=tuple(dict.fromkeys((*self.enclosed.reads, *reads))))
        return Walled(self.wall, own, replace(self.limits, memory=max(self.limits.memory, PROBE_MEMORY)))

    def popen(self) -> Process:
        """Start it. Raises OSError if that is impossible."""
        return self.wall.popen(self.enclosed, self.limits)


class Started(subprocess.Popen[bytes]):
    """A command that was started with pipes, as the leader of a session and of a process group.

    `limits` are the kernel's, by their names after `RLIMIT_`. Raises OSError if it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        room: Room,
        folder: str | None = None,
        environment: dict[str, str] | None = None,
        limits: Mapping[str, int] | None = None,
        passed: Sequence[int] = (),
    ) -> None:
        adopts()
        self._room = room
        super().__init__(
            room.command(command, waits=bool(limits)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            cwd=folder,
            env=environment,
            pass_fds=tuple(passed),
        )
        known.add(self.pid)
        keeper().keep(self.pid, self._room.entries)
        if limits:
            self._let_go(limits)

    def _let_go(self, limits: Mapping[str, int]) -> None:
        """Limit the shell that waits, and let it become the command. Raises OSError if that is impossible."""
        assert self.stdin is not None
        try:
            limit(limits, self.pid)
            os.write(self.stdin.fileno(), b"\n")
        except BaseException:
            self.end()
            raise

    def begun(self) -> None:
        """Return at once: a command that could not be started is no process."""

    def ended(self) -> int | None:
        """Return the exit code of a process that has ended; it is not reaped, which keeps its group's number."""
        if self.returncode is not None or not hasattr(os, "waitid"):  # macOS
            return self.returncode
        status = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if status is None:
            return None
        return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status

    def leave_by(self, until: float) -> None:
        """Return at once: no later game has anything of this process."""

    def end(self) -> None:
        """Kill the process with its whole group and whatever has left the group, and wait for it."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self.wait()
        if self.pid in known:
            known.discard(self.pid)
            end_orphans()
            self._room.leave()
            keeper().forget(self.pid)


KEPT_VARIABLES: Final = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
    *[variable for variable, _default in MANAGERS.values()],
)
"""The variables of the user that a bot at the level `process` gets; the others may be passwords and keys."""


def environment() -> dict[str, str]:
    """Return the environment of bots at the level `process`."""
    return {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}


class ProcessWall:
    """A process without limits, where there are no servers that fork: on macOS; its group is ended with it."""

    def popen(self, enclosed: Enclosed, limits: Limits) -> Started:
        """Start the program. Raises OSError if that is impossible."""
        room = Room(limits.memory, walled=False)
        return Started(enclosed.words(enclosed.command[0]), room, enclosed.folder, environment())


PROCESS_WALL: Final = ProcessWall()

HOME: Final = Path(__file__).resolve().parents[3]
"""The folder that holds the packages `engine` and `tourney`."""


def interpreter_reads() -> tuple[str, ...]:
    """Return what Python and this program need to read, for a bot that is a Python class."""
    own = [sys.executable, str(HOME / "engine"), str(HOME / "tourney")]
    homes = dict.fromkeys((sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix))
    return tuple(dict.fromkeys((*[path for home in homes for path in python_reads(home)], *own)))


def python_reads(home: str) -> list[str]:
    """Return the parts of a Python's home, or of a virtual environment, but no link that leads to other files."""
    places = (Path(os.path.realpath(home)), Path("/usr"))
    parts = ("lib", *PYTHON_PARTS) if os.path.isdir(os.path.join(home, CONDA)) else PYTHON_PARTS
    return [path for path in _parts(home, parts) if any(map(Path(os.path.realpath(path)).is_relative_to, places))]


def programs_reads(environment: str) -> list[str]:
    """Return what the links to Python in an organiser's virtual environment lead to, and the links."""
    programs = _parts(environment, PYTHON_PROGRAMS)
    homes = dict.fromkeys([str(Path(os.path.realpath(program)).parent.parent) for program in programs])
    return [*programs, *[path for home in homes for path in python_reads(home)]]


def _parts(home: str, patterns: Sequence[str]) -> list[str]:
    return [str(path) for pattern in patterns for path in sorted(Path(home).glob(pattern)) if os.path.exists(path)]
