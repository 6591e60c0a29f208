"""The sandbox: a process that sees the system's programs and its own files, and neither network nor other processes.

Bubblewrap builds it of namespaces, and a filter allows only some system calls in it. Where bubblewrap does not work,
bots are refused, and never started behind a lower wall.
"""

import errno
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from tourney.bots.isolation import hostile, seccomp
from tourney.bots.isolation.enclosure import Enclosed, Started, programs_reads, python_reads
from tourney.bots.isolation.process_limit import MOST, Room
from tourney.bots.isolation.shims import MOST_KEPT, behind_shim, inside, is_known
from tourney.bots.limits import Limits
from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _, marked

BUBBLEWRAP: Final = ("/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap")
"""Where bubblewrap lies; Ubuntu from 24.04 lets only the first one build a sandbox."""
LIMITER: Final = "/usr/bin/prlimit"
"""Sets limits and becomes another program; a part of util-linux."""
SYSTEM: Final = (
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/ssl/openssl.cnf",
)
"""Files and folders of the system that every program may need."""
ENVIRONMENT: Final = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}
"""The environment inside; that of the user has passwords and paths."""
TEMPORARY_BYTES: Final = 16 << 20
"""The size of the temporary folder inside."""
TRIAL_SECONDS: Final = 10.0
MOST_FILES: Final = 128
"""The most files that are open at once."""
MOST_PENDING: Final = 64
"""The most signals that wait; the kernel has one number of them for all processes of a user."""


def most(limits: Limits) -> dict[str, int]:
    """Return the kernel's limits of a bot in the sandbox, by their names after `RLIMIT_`."""
    return {
        "AS": limits.memory,
        "CORE": 0,
        "FSIZE": TEMPORARY_BYTES,
        "NOFILE": MOST_FILES,
        "NPROC": MOST,
        "SIGPENDING": MOST_PENDING,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
    }


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """A sandbox of namespaces, built by the program bubblewrap, and of a filter of system calls."""

    program: str
    machine: str

    def popen(self, enclosed: Enclosed, limits: Limits) -> Started:
        """Start the program. Raises OSError if that is impossible."""
        executable = behind_shim(enclosed.executable, enclosed.folder)
        rules = os.memfd_create("rules")
        try:
            os.write(rules, seccomp.sandbox_filter(self.machine, program=True))
            os.lseek(rules, 0, os.SEEK_SET)
            command = (*self.walled(enclosed, executable), "--seccomp", str(rules), "--")
            words, room = enclosed.words(executable), Room(limits.memory, walled=True)
            outside = most(limits)
            processes = outside.pop("NPROC")  # the kernel counts all of the user's, except within the namespace
            if not room.counts:
                words = (LIMITER, f"--nproc={processes}", "--", *words)
            return Started((*command, *words), room, "/", ENVIRONMENT, outside, [rules])
        finally:
            os.close(rules)

    @lru_cache(maxsize=MOST_KEPT)  # noqa: B019 - there are few sandboxes, which live as long as this process
    def walled(self, enclosed: Enclosed, executable: str, writable: bool = True) -> tuple[str, ...]:
        """Return bubblewrap with its options: all namespaces, no privilege, not even as root, and what can be read."""
        return (self.program, *self._options(enclosed, executable, writable))

    def _options(self, enclosed: Enclosed, executable: str, writable: bool) -> Iterator[str]:
        yield from ("--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL")
        yield from ("--die-with-parent", "--hostname", "bot")
        for path in SYSTEM:
            if os.path.islink(path):
                yield from ("--symlink", os.readlink(path), path)
            else:
                yield from ("--ro-bind-try", path, path)
        # No terminals, which keep the time at which an earlier game wrote to them.
        for device in hostile.DEVICES:
            yield from ("--dev-bind", f"/dev/{device}", f"/dev/{device}")
        # There is no /proc but this link, by which a program finds the libraries beside it.
        yield from ("--dir", "/proc/self", "--symlink", os.path.realpath(executable), "/proc/self/exe")
        yield from ("--size", str(TEMPORARY_BYTES), "--tmpfs", "/tmp") if writable else ("--dir", "/tmp")
        for path in _outermost((*enclosed.reads, *_program_reads(executable, enclosed.folder))):
            yield from ("--ro-bind", path, path)
        folder = enclosed.folder or "/"
        if folder != "/":
            yield from ("--dir", folder)
        yield from ("--remount-ro", "/", "--chdir", folder)


def _program_reads(executable: str, folder: str | None) -> Iterator[str]:
    """Yield what a program needs to read of itself: its file, and the parts of a Python that is not the system's.

    A program of the bot's folder brings nothing else of the user with it, and one of an unknown place only itself, as
    leagues of earlier versions may have it. Raises OSError for a link to a file of the user.
    """
    real = os.path.realpath(executable)
    own = folder is not None and folder != "/" and inside(executable, folder)
    home = Path(real).parent.parent
    is_python = next(home.glob("lib/python3.*/os.py"), None) is not None
    if own and not (inside(real, folder or "") or is_python or any(Path(real).is_relative_to(at) for at in SYSTEM)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), executable)
    yield from dict.fromkeys((executable, real))
    if not own and not is_known(executable, folder):
        return
    environment = Path(executable).parent.parent
    if (environment / "pyvenv.cfg").is_file() and not (own and _holds(environment, folder or "")):
        yield from python_reads(str(environment))
        yield from () if own else programs_reads(str(environment))
    if is_python and not (own and _holds(home, folder or "")):
        yield from python_reads(str(home))


def _holds(path: Path, folder: str) -> bool:
    """Return whether a folder holds more than a part of the bot's folder."""
    real = Path(os.path.realpath(path))
    return real == Path(os.path.realpath(folder)) or Path(os.path.realpath(folder)).is_relative_to(real)


def _outermost(paths: Iterable[str]) -> list[str]:
    """Return the paths without those that the system's folders, or others of them, hold."""
    kept: list[str] = []
    for path in sorted(set(paths), key=len):
        if not any(Path(path).is_relative_to(folder) for folder in (*SYSTEM, *kept)):
            kept.append(path)
    return kept


def sandbox() -> Bubblewrap:
    """Return a way to start programs in a sandbox. Raises TourneyError REFUSED if there is none here."""
    wall = _found()
    if isinstance(wall, str):
        message = _("there is no sandbox here: {problem}").format(problem=_(wall)[:200])
        hint = _("install the package bubblewrap with apt, dnf or pacman, or use another level with --isolation")
        raise TourneyError(ExitCode.REFUSED, message, hint)
    return wall


def found() -> Bubblewrap | None:
    """Return a way to start programs in a sandbox, None if there is none here."""
    wall = _found()
    return None if isinstance(wall, str) else wall


@cache
def _found() -> Bubblewrap | str:
    """Return a way to start programs in a sandbox, or in English why there is none."""
    kind = seccomp.machine()
    if sys.platform != "linux" or kind is None:
        return marked("it needs Linux on x86-64 or ARM")
    problem = marked("bubblewrap is not installed")
    for program in filter(os.path.exists, BUBBLEWRAP):
        wall = Bubblewrap(program, kind)
        problem = _trial(wall)
        if not problem:
            return wall
    return problem


def _trial(wall: Bubblewrap) -> str:
    """Return why a program cannot be started behind this wall, '' if it can."""
    process = None
    try:
        process = wall.popen(Enclosed(("/bin/sh", "-c", "echo inside")), Limits())
        said, errors = process.communicate(timeout=TRIAL_SECONDS)
    except subprocess.TimeoutExpired:
        return marked("it does not begin")
    except OSError as error:
        return str(error.strerror)
    finally:
        if process is not None:
            process.end()
    last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return "" if said == b"inside\n" else last or marked("it does not begin")
