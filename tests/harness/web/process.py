"""A web server in a process of its own, as the commands start it: asked, killed, and started again on its port."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

_ADDRESS = re.compile(r"http://[\w.\[\]:-]+/\S*")
_PAGE = 4096
"""The bytes of a page of memory, in which Linux counts."""


@dataclass
class Program:
    """A running `tourney serve` or `tourney desk`, and all that it has said at its start."""

    db: str
    words: Sequence[str]
    port: int = 0
    said: list[str] = field(default_factory=list)
    most_files: int | None = None
    """The most files that the system lets it open, if they are limited."""
    _process: subprocess.Popen[str] | None = None

    @property
    def addresses(self) -> list[str]:
        """The addresses that it showed."""
        return [found.rstrip(".") for line in self.said for found in _ADDRESS.findall(line)]

    @property
    def here(self) -> str:
        """The address of its front page on this computer."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def sign_in(self) -> str:
        """The address that signs a desk in, once."""
        return next(address for address in self.addresses if "/sign-in/" in address)

    @property
    def memory(self) -> int:
        """The bytes of memory that it holds now."""
        assert self._process is not None
        return int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]) * _PAGE

    @property
    def processor_seconds(self) -> float:
        """The seconds of processor time that it has taken."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def start(self) -> None:
        """Start it, on the port that it had, and wait until it has said all."""
        command = [sys.executable, "-m", "tourney", *self.words, "--db", self.db, "--port", str(self.port)]
        env = {**os.environ, "TOURNEY_LANG": "en"}
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=env,
            preexec_fn=self._limit_files if self.most_files is not None else None,
        )
        assert self._process.stdout is not None
        self.said = []
        for line in self._process.stdout:
            self.said.append(line)
            if "Ctrl-C" in line:
                break
        ports = [urlsplit(address).port for address in self.addresses]
        assert ports, "".join(self.said)
        self.port = ports[0] or 80

    def _limit_files(self) -> None:
        import resource

        assert self.most_files is not None
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.most_files, self.most_files))

    def end(self) -> None:
        """End it with Ctrl-C, as its user does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=300)

    def kill(self) -> None:
        """Kill it with `kill -9`."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.communicate()


@contextmanager
def program(db: str, *words: str, most_files: int | None = None) -> Iterator[Program]:
    """Run a command that serves pages on a free port, and kill it in the end."""
    running = Program(db, words, most_files=most_files)
    running.start()
    try:
        yield running
    finally:
        running.kill()
