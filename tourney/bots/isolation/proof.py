"""The proof of a wall before a league: hostile probes behind it, of which not one may get through.

Some probes can tell by themselves; whether a message arrived, a file was written, a process ended or a child lives on
is seen from this side.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

from tourney.bots.isolation import hostile
from tourney.bots.isolation.enclosure import PROBE_MEMORY, Wall, Walled, interpreter_reads
from tourney.bots.isolation.forked import ForkedWall
from tourney.bots.isolation.levels import PROCESS, Level
from tourney.bots.isolation.process_limit import limits_forks
from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _

SECONDS: Final = 20.0
"""The longest that the probes may take."""
END_SECONDS: Final = 2.0
"""The longest time after the end of the program for which its output may stay open."""
MARK: Final = "written-by-a-probe"


@dataclass(frozen=True, slots=True)
class Proof:
    """The findings of the probes: by name, whether each got through."""

    through: tuple[tuple[str, bool], ...]

    @property
    def leaks(self) -> tuple[str, ...]:
        """The probes that got through."""
        return tuple([name for name, through in self.through if through])


def promised(level: Level, wall: Wall) -> tuple[str, ...]:
    """Return the probes that a wall promises to stop here at this level."""
    if level.secret:
        uncounted = () if limits_forks() else ("threads",)
        open_here = uncounted if isinstance(wall, ForkedWall) else (*uncounted, *hostile.AT_CLASSES)
        return tuple([name for name in hostile.PROBES if name not in open_here])
    if level is not PROCESS or sys.platform != "linux":
        return ()
    counted = ("forks", "threads") if limits_forks() else ()
    return ("open files", *counted, "memory", "outliving")


def prove(walled: Walled, journal: str, others: Sequence[str], probes: Sequence[str] = tuple(hostile.PROBES)) -> Proof:
    """Return what hostile probes reach behind a bot's wall; `journal` and `others` are files that no bot may read.

    They run in the bot's folder, with its files, its environment and its limits.

    Raises TourneyError REFUSED if they cannot be started, or do not come to their end.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tourney-probe-")))
        outside = _Outside(folder, stack)
        secret = str(outside.secret)
        files = {"journal": journal if Path(journal).is_file() else secret, "bot": next(iter(others), secret)}
        targets = outside.targets | files
        said = _said(walled, targets, probes)
        missing = [name for name in probes if name not in said]
        if missing:
            raise refused(_("the probe “{name}” did not end").format(name=missing[0]))
        seen = {**outside.seen(), "outliving": said.get("outliving") == "lives on"}
        return Proof(tuple([(name, seen.get(name, said[name] == "open")) for name in probes]))


class _Outside:
    """The targets of the probes: sockets, a process, and folders."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._in_system = Path("/usr", f"{MARK}-{folder.name}")  # others may prove their walls at the same time
        self.secret = folder / "secret"
        self.secret.write_text("secret")
        self._victim = stack.enter_context(_victim())
        kinds = {"tcp": socket.SOCK_STREAM, "udp": socket.SOCK_DGRAM, "dns": socket.SOCK_DGRAM}
        self._sockets = {}
        for name, kind in kinds.items():
            self._sockets[name] = stack.enter_context(socket.socket(socket.AF_INET, kind))
            self._sockets[name].bind(("127.0.0.1", 0))
        self._sockets["tcp"].listen()
        names = {"unix": str(folder / "socket"), "abstract": f"\0tourney-{os.getpid()}-{folder.name}"}
        for address in names.values():
            listening = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            listening.bind(address)
            listening.listen()
        ports = {name: listening.getsockname()[1] for name, listening in self._sockets.items()}
        self.targets: dict[str, object] = {
            **names,
            **ports,
            "pid": self._victim.pid,
            "folder": str(folder / MARK),
            "system": str(self._in_system),
            "forks": hostile.FORKS,
        }

    def seen(self) -> dict[str, bool]:
        """Return what only this side can see."""
        written = self._in_system.exists()
        with suppress(OSError):
            self._in_system.unlink()
        return {
            "udp": _has_come(self._sockets["udp"]),
            "dns": _has_come(self._sockets["dns"]),
            "signals": self._victim.poll() is not None,
            "writing": (self._folder / MARK).exists(),
            "writing in the system": written,
        }


def _has_come(receiving: socket.socket) -> bool:
    receiving.setblocking(False)
    try:
        return bool(receiving.recv(100))
    except BlockingIOError:
        return False


@contextmanager
def _victim() -> "Iterator[subprocess.Popen[bytes]]":
    """Yield a process of this user that waits, as the referee does."""
    victim = subprocess.Popen(["/bin/sleep", "60"], stdin=subprocess.DEVNULL)
    try:
        yield victim
    finally:
        victim.kill()
        victim.wait()


def _said(walled: Walled, targets: dict[str, object], probes: Sequence[str]) -> dict[str, str]:
    """Return what each probe said, and whether a child of them still lives when they have been killed."""
    targets = targets | {"memory": max(walled.limits.memory, PROBE_MEMORY)}  # of which the probe has taken some
    words = (sys.executable, "-I", "-S", hostile.__file__, json.dumps(targets), *probes)
    try:
        process = walled.probed_by(words, interpreter_reads()).popen()
    except OSError as error:
        raise refused(str(error.strerror)) from None
    assert process.stdout is not None
    said: dict[str, str] = {}
    until = monotonic() + SECONDS
    for line in _lines(process.stdout.fileno(), until):
        name, _tab, result = line.partition("\t")
        said[name] = result
        if len(said) == len(probes):
            break
    process.end()
    if "outliving" in said and not _closes(process.stdout.fileno()):
        said["outliving"] = "lives on"
    for pipe in (process.stdin, process.stdout, process.stderr):
        assert pipe is not None
        pipe.close()
    return said


def _lines(pipe: int, until: float) -> Iterator[str]:
    """Yield the lines that come until then."""
    import select

    rest = b""
    while (left := until - monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
        said = os.read(pipe, 1 << 16)
        if not said:
            return
        *lines, rest = (rest + said).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace")


def _closes(pipe: int) -> bool:
    """Return whether everybody who held the other end of the pipe is gone soon."""
    import select

    until = monotonic() + END_SECONDS
    while (left := until - monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
        if not os.read(pipe, 1 << 16):
            return True
    return False


def refused(problem: str) -> TourneyError:
    """Return the error for walls that cannot be tried."""
    message = _("the walls cannot be proved: {problem}").format(problem=problem)
    return TourneyError(ExitCode.REFUSED, message, _("use another level with --isolation"))
