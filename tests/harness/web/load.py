"""Two hundred phones at once on a real server: how fresh their pages are, how long answers take, and its memory.

`python -m tests.harness.web.load [PHONES [REQUESTS]]` prints the figures. They mean something on an idle machine alone,
as the phones need processor time, too.
"""

import asyncio
import json
import os
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tests.harness import crowd, desk
from tests.harness.desk import ROOT
from tests.harness.web.process import Program, program
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

PAGES = ("/", "/seating", "/tables", "/clock")
"""The pages of the hall, of which each phone shows one."""
ASK_SECONDS = 5.0
"""The time between two looks of a phone whose stream is silent."""
SPREAD_SECONDS = int(re.findall(r"SPREAD = (\d+)", (ROOT / "tourney/web/static/live.js").read_text("utf-8"))[0]) / 1000
"""The time over which the script of the pages spreads what they ask after a sheet."""
SHEETS = 4
IDLE_SECONDS = 5.0


@dataclass(frozen=True)
class Figures:
    """Figures of a visit: times in seconds, memory in bytes, and the share of one processor."""

    fresh: Sequence[float]
    """From the moment at which a sheet was entered to that at which a phone has the page with it, for each phone."""
    herd: Sequence[float]
    """The answers when all phones ask at once, after a sheet."""
    answers: Sequence[float]
    """The answers when each phone asks every few seconds."""
    memory: tuple[int, int]
    """The memory of the server, as the mean over the second thousand of many requests, and over the last one."""
    idle: float
    """The processor time of the server while all phones wait, as a share of the time."""
    spent: float
    """The processor time of the server for each sheet, in seconds, until all phones have it; beside other work, too."""

    def lines(self) -> list[str]:
        """Return the figures as lines of a table."""
        second, last = self.memory
        return [
            f"fresh after a sheet: median {_ms(self.fresh, 50)}, p99 {_ms(self.fresh, 99)}, "
            f"longest {_ms(self.fresh, 100)}",
            f"an answer when all ask at once: median {_ms(self.herd, 50)}, p99 {_ms(self.herd, 99)}",
            f"an answer in a quiet moment: median {_ms(self.answers, 50)}, p99 {_ms(self.answers, 99)}",
            f"memory: {second / 1e6:.1f} MB in the second thousand, {last / 1e6:.1f} MB in the last",
            f"processor while all wait: {self.idle:.1%}",
            f"processor time for each sheet: {self.spent * 1000:.0f} ms",
        ]


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that so many per cent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(len(ordered) * percent) // 100) - 1)]


def _ms(values: Sequence[float], percent: float) -> str:
    return f"{percentile(values, percent) * 1000:.0f} ms"


@dataclass
class Connection:
    """A connection of a phone, kept open: it asks for one page after another."""

    port: int
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None
    _tags: dict[str, str] = field(default_factory=dict)

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return status and body of a page; an unchanged one is not sent again.

        The server closes a connection that was idle for some seconds, which is seen here as late as in a browser.
        """
        try:
            return await self._get(path)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.close()
            return await self._get(path)

    async def _get(self, path: str) -> tuple[int, bytes]:
        reader = await self.send(path)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        pairs = (line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        fields = {name.lower(): value for name, value in pairs}
        self._tags[path] = fields.get("etag", "")
        status = int(head.split(" ", 2)[1])
        length = int(fields.get("content-length", "0")) if status != 304 else 0
        return status, await reader.readexactly(length)

    async def send(self, path: str) -> asyncio.StreamReader:
        """Ask for a page, and return what the answer is read from."""
        if self._reader is None or self._writer is None or self._reader.at_eof():
            self.close()
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept-Language: en\r\nAccept-Encoding: gzip\r\n"
        known = f"If-None-Match: {self._tags[path]}\r\n" if self._tags.get(path) else ""
        self._writer.write(f"{head}{known}\r\n".encode())
        return self._reader

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


class Phone:
    """A phone with one page open: it listens, and asks for its page when there is a new version."""

    def __init__(self, port: int, path: str, rng: random.Random) -> None:
        self.path = path
        self._rng = rng
        self.version = ""
        self.fresh_at = 0.0
        self.took: list[float] = []
        self._pages, self._stream = Connection(port), Connection(port)

    async def ask(self) -> float:
        """Ask for the page, and return how long the answer took."""
        began = monotonic()
        status, _body = await self._pages.get(self.path)
        assert status in (200, 304), f"{self.path}: {status}"
        return monotonic() - began

    async def listen(self) -> None:
        """Listen for ever, and ask for the page at each new version, as the script of the pages does."""
        reader = await self._stream.send("/live")
        await reader.readuntil(b"\r\n\r\n")
        while True:
            line = await reader.readline()
            start = line.find(b"data: ")
            if start >= 0:
                version = json.loads(line[start + 6 :])["version"]
                if version != self.version:
                    await asyncio.sleep(self._rng.random() * SPREAD_SECONDS)
                    self.took.append(await self.ask())
                    self.version, self.fresh_at = version, monotonic()

    def close(self) -> None:
        """Close its connections."""
        self._pages.close()
        self._stream.close()


async def measure(server: Program, db: str, phones: int, requests: int) -> Figures:
    """Let the phones visit the server, and return what was measured."""
    rng = random.Random(7)
    paths = [rng.choice((*PAGES, f"/players/{number}")) for number in range(1, phones + 1)]
    crowd_of = [Phone(server.port, path, rng) for path in paths]
    listening = [asyncio.create_task(phone.listen()) for phone in crowd_of]
    try:
        await _until(lambda: all(phone.version for phone in crowd_of))
        fresh, herd, spent = await _after_sheets(server, db, crowd_of)
        answers = await _in_turn(crowd_of, 3 * phones)
        idle = await _idle(server)
    finally:
        for task in listening:
            task.cancel()
        for phone in crowd_of:
            phone.close()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*listening)
    return Figures(fresh, herd, answers, await _memory(server, paths, requests), idle, spent)


async def _until(met: Callable[[], bool], seconds: float = 600.0) -> None:
    end = monotonic() + seconds
    while not met():
        assert monotonic() < end, "the phones wait for ever"
        await asyncio.sleep(0.01)


async def _after_sheets(server: Program, db: str, phones: Sequence[Phone]) -> tuple[list[float], list[float], float]:
    """Enter sheets one after another; return when each phone was fresh, how long the answers took, and `spent`."""
    fresh, herd, spent = list[float](), list[float](), list[float]()
    for table in rounds.show(db, None, 1).rounds[0].tables[:SHEETS]:
        before = {phone: phone.version for phone in phones}
        for phone in phones:
            phone.took.clear()
        sheet = desk.hands([player.name for player in table.players])
        await asyncio.to_thread(apply, db, EnterResult(None, 1, table.number, sheet))
        entered, used = monotonic(), server.processor_seconds
        await _until(lambda before=before: all(phone.version != before[phone] for phone in phones))
        fresh += [phone.fresh_at - entered for phone in phones]
        herd += [seconds for phone in phones for seconds in phone.took]
        spent.append(server.processor_seconds - used)
        await asyncio.sleep(3.5)  # Files may have times of two seconds: pages are rendered once more then.
    return fresh, herd, statistics.mean(spent)


async def _in_turn(phones: Sequence[Phone], number: int) -> list[float]:
    """Return how long answers take when each phone asks every few seconds, at times of its own."""

    async def visit(number: int) -> float:
        await asyncio.sleep(number * ASK_SECONDS / len(phones))
        return await phones[number % len(phones)].ask()

    return list(await asyncio.gather(*map(visit, range(number))))


async def _idle(server: Program) -> float:
    before = server.processor_seconds
    await asyncio.sleep(IDLE_SECONDS)
    return (server.processor_seconds - before) / IDLE_SECONDS


async def _memory(server: Program, paths: Sequence[str], requests: int) -> tuple[int, int]:
    """Return the memory over the second thousand of requests and over the last, or over tenths of fewer."""
    part = min(1000, requests // 10)
    sizes = list[int]()
    connections = [Connection(server.port) for _each in range(8)]
    for start in range(0, requests, len(connections)):
        asked = (each.get(paths[(start + at) % len(paths)]) for at, each in enumerate(connections))
        await asyncio.gather(*asked)
        sizes += [server.memory] * len(connections)
    for each in connections:
        each.close()
    return round(statistics.mean(sizes[part : 2 * part])), round(statistics.mean(sizes[-part:]))


def figures(phones: int = 200, requests: int = 10_000) -> Figures:
    """Serve an event of that many people, and return what that many phones measure."""
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder, "club.db"))
        crowd.crowd(db, -(-phones // 4) * 4, rounds=4, played=0)
        apply(db, DrawRound())
        with program(db, "serve") as server:
            return asyncio.run(measure(server, db, phones, requests))


def main() -> None:
    """Print the figures."""
    numbers = [int(word) for word in sys.argv[1:3]]
    sys.stdout.write("\n".join(figures(*numbers).lines()) + "\n")
    sys.stdout.write(f"machine: {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")


if __name__ == "__main__":
    main()
