"""The sandbox: a process that sees the system's programs and its own files, and neither network nor other processes.

Bubblewrap builds it where it works. Elsewhere Landlock does, of Linux 5.13 and later; where neither does, bots are
refused, and never started behind a lower wall.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from tourney.bots.isolation import landlock, seccomp
from tourney.bots.isolation.enclosure import PROCESS_WALL, Enclosed, Wall, opened
from tourney.bots.isolation.levels import SANDBOX, Level
from tourney.bots.isolation.shims import behind_shim
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


class Bubblewrap:
    """A sandbox of namespaces, built by the program bubblewrap."""

    def __init__(self, program: str, rules: bytes) -> None:
        self._program, self._rules = program, rules

    def popen(self, enclosed: Enclosed, limits: Limits) -> "subprocess.Popen[bytes]":
        """Start the program. Raises OSError if that is impossible."""
        executable = behind_shim(enclosed.executable, enclosed.folder)
        rules = os.memfd_create("rules")
        try:
            os.write(rules, self._rules)
            os.lseek(rules, 0, os.SEEK_SET)
            limited = (LIMITER, f"--as={limits.memory}", "--core=0", "--", executable, *enclosed.command[1:])
            command = (self._program, *self._options(enclosed, executable), "--seccomp", str(rules), "--", *limited)
            return opened(command, "/", _environment(executable), [rules])
        finally:
            os.close(rules)

    def _options(self, enclosed: Enclosed, executable: str) -> Iterator[str]:
        """Yield the options: all namespaces, no privilege, not even as root, and what can be read."""
        yield from ("--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL")
        yield from ("--die-with-parent", "--hostname", "bot")
        for path in SYSTEM:
            if os.path.islink(path):
                yield from ("--symlink", os.readlink(path), path)
            else:
                yield from ("--ro-bind-try", path, path)
        yield from ("--dev", "/dev", "--size", str(TEMPORARY_BYTES), "--tmpfs", "/tmp")
        for path in _outermost((*enclosed.reads, *_program_reads(executable))):
            yield from ("--ro-bind", path, path)
        folder = enclosed.folder or "/"
        if folder != "/":
            yield from ("--dir", folder)
        yield from ("--remount-ro", "/", "--chdir", folder)


class LandlockSandbox:
    """A sandbox of Landlock and a filter of system calls, into which the program is led by a script."""

    def __init__(self, rules: bytes) -> None:
        self._rules = rules.hex()

    def popen(self, enclosed: Enclosed, limits: Limits) -> "subprocess.Popen[bytes]":
        """Start the program. Raises OSError if that is impossible."""
        executable = behind_shim(enclosed.executable, enclosed.folder)
        reads = (*SYSTEM, *enclosed.reads, *_program_reads(executable))
        script = (sys.executable, "-I", "-S", landlock.__file__, self._rules, str(limits.memory), *reads)
        return opened((*script, "--", executable, *enclosed.command[1:]), enclosed.folder, _environment(executable))


def _environment(executable: str) -> dict[str, str]:
    """Return the environment inside; glibc looks there for libraries beside a program where it cannot ask /proc."""
    return ENVIRONMENT | {"LD_ORIGIN_PATH": os.path.dirname(os.path.realpath(executable))}


def _program_reads(executable: str) -> Iterator[str]:
    """Yield what a program needs to read of itself: its file, and a Python that is not the system's as a whole."""
    for path in dict.fromkeys((executable, os.path.realpath(executable))):
        yield path
        installation = Path(path).parent.parent
        if (installation / "pyvenv.cfg").is_file() or next(installation.glob("lib/python3.*/os.py"), None) is not None:
            yield str(installation)


def _outermost(paths: Iterable[str]) -> list[str]:
    """Return the paths without those that the system's folders, or others of them, hold."""
    kept: list[str] = []
    for path in sorted(set(paths), key=len):
        if not any(Path(path).is_relative_to(folder) for folder in (*SYSTEM, *kept)):
            kept.append(path)
    return kept


def sandbox() -> Wall:
    """Return a way to start programs in a sandbox. Raises TourneyError REFUSED if there is none here."""
    found = _found()
    if isinstance(found, tuple):
        raise _refused("; ".join([f"{what}{_(problem)}" for what, problem in found]))
    return found


Problems = tuple[tuple[str, str], ...]
"""Ways that build no sandbox here, each with the reason in English."""


@cache
def _found() -> Wall | Problems:
    """Return a way to start programs in a sandbox, or why there is none."""
    kind = seccomp.machine()
    if sys.platform != "linux" or kind is None:
        return (("", marked("it needs Linux on x86-64 or ARM")),)
    ways: dict[str, Bubblewrap | LandlockSandbox] = {}
    for program in filter(os.path.exists, BUBBLEWRAP):
        ways[program] = Bubblewrap(program, seccomp.sandbox_filter(kind, signals=True))
    if landlock.version():
        ways["Landlock"] = LandlockSandbox(seccomp.sandbox_filter(kind, signals=False))
    problems = []
    for name, wall in ways.items():
        problem = _trial(wall)
        if not problem:
            return wall
        problems.append((f"{name}: ", problem))
    return tuple(problems) or (("", marked("neither bubblewrap nor Landlock is here")),)


def wall_at(level: Level) -> Wall:
    """Return how programs are started at a level. Raises TourneyError REFUSED if that is impossible here."""
    return sandbox() if level is SANDBOX else PROCESS_WALL


def _refused(problem: str) -> TourneyError:
    message = _("there is no sandbox here: {problem}").format(problem=problem[:200])
    return TourneyError(ExitCode.REFUSED, message, _("install bubblewrap, or use another level with --isolation"))


def _trial(wall: Bubblewrap | LandlockSandbox) -> str:
    """Return why a program cannot be started behind this wall, '' if it can."""
    try:
        process = wall.popen(Enclosed(("/bin/sh", "-c", "echo inside")), Limits())
        said, errors = process.communicate(timeout=TRIAL_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return marked("it does not begin")
    except OSError as error:
        return str(error.strerror)
    last = errors.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return "" if said == b"inside\n" else last or marked("it does not begin")
