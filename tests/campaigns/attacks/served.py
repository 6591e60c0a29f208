"""A server that attacks ask over plain sockets, from any address of loopback, and what an answer must be."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from tests.harness import desk
from tests.harness.web.process import Program, program
from tourney.service.change import apply
from tourney.service.rounds.draw_round import DrawRound

SECONDS: Final = 20.0
"""The most seconds that an honest visitor waits on a busy machine."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The bytes that a server sent until it closed or was silent, and what stands in them."""

    raw: bytes

    @property
    def status(self) -> int:
        """The status of the first answer; 0 if there was none."""
        found = re.match(rb"HTTP/1\.[01] (\d{3})", self.raw)
        return int(found[1]) if found else 0

    @property
    def statuses(self) -> list[int]:
        """The statuses of all answers."""
        return [int(found) for found in re.findall(rb"(?m)^HTTP/1\.[01] (\d{3})", self.raw)]

    @property
    def head(self) -> bytes:
        """The head of the first answer."""
        return self.raw.partition(b"\r\n\r\n")[0]

    @property
    def text(self) -> str:
        """Everything as text."""
        return self.raw.decode("utf-8", "replace")

    def cookie(self, name: str) -> str:
        """Return the value of a cookie that the answer sets ("" if none)."""
        found = re.search(rf"(?im)^set-cookie: {name}=([^;\r]*)", self.text)
        return found[1] if found else ""


@dataclass
class Visitor:
    """A client at an address of loopback, with cookies of its own."""

    port: int
    address: str = "127.0.0.1"
    cookies: dict[str, str] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)

    def connect(self) -> socket.socket:
        """Return a connection from this address."""
        return socket.create_connection(("127.0.0.1", self.port), SECONDS, (self.address, 0))

    def raw(self, request: bytes, seconds: float = SECONDS) -> Answered:
        """Send bytes, and return what comes until the server closes or is silent."""
        said = b""
        try:
            with self.connect() as line:
                line.settimeout(seconds)
                line.sendall(request)
                while piece := line.recv(65536):
                    said += piece
                    line.settimeout(1.0)
        except OSError:  # closed, or silent
            pass
        return Answered(said)

    def ask(self, method: str, path: str, fields: object = None, **headers: str) -> Answered:
        """Send a request as a browser would, with the cookies, and keep the cookies of the answer."""
        body = urlencode(fields or {}).encode() if method == "POST" else b""  # type: ignore[arg-type]
        own = {"Host": f"127.0.0.1:{self.port}", "Connection": "close", "Accept-Language": "en"}
        if method == "POST":
            own |= {
                "Origin": f"http://127.0.0.1:{self.port}",
                "Content-Type": "application/x-www-form-urlencoded",
                "Content-Length": str(len(body)),
            }
        if self.cookies:
            own["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        own |= {name.replace("_", "-"): value for name, value in headers.items()}
        head = "".join(f"{name}: {value}\r\n" for name, value in own.items())
        found = self.raw(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        given = re.findall(r"(?im)^set-cookie: ([^=]+)=([^;\r]*)[^\r]*?; path=([^;\r]*)", found.head.decode("latin-1"))
        for name, value, place in given:
            self.cookies[name], self.paths[name] = value, place
        return found


def evening(folder: Path) -> str:
    """Create an evening of eight at two tables, its first round drawn, and return the database's path."""
    db = str(folder / "evening.db")
    desk.event(db, 8, size=4, rounds=2)
    apply(db, DrawRound("Friday"))
    return db


@contextmanager
def serving(folder: Path, *words: str, files: int | None = None) -> Iterator[tuple[str, Program]]:
    """Serve the evening with entries from phones, and yield its database and the running program.

    The program may open as many `files` as that, if the number is given.
    """
    db = evening(folder)
    with program(db, *(words or ("serve", "Friday", "--entry")), most_files=files) as running:
        yield db, running
