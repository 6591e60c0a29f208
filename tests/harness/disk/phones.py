"""Phones that type a sheet at a server of its own process, which may be killed: what had no answer is sent again."""

import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from httpx import Client, TransportError

from tests.harness import desk
from tests.harness.disk.operations import Operation, mark, operations
from tests.harness.disk.watched import Programs, Running, Watch, at_home_in, wait_for
from tests.harness.web.phone import Phone, hand_fields
from tourney.service import database
from tourney.service.change import apply
from tourney.service.results import results
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web import access

T = TypeVar("T")

SERVE = ("serve", "Friday", "--entry", "--port", "0")
TOTALS = (100, 150, 200, 300)
"""The points of the seats in the sheet of `desk.hands`: 5 hands of 20, 30 and 40 points, and 6 of 50."""


def prepare(prepared: Path, folder: Path) -> None:
    """Make a database of a round of four with a mirror, which is to be copied to `folder`."""
    (folder / "stick").mkdir(parents=True)
    db = str(folder / "club.db")
    desk.event(db, 4, rounds=1)
    apply(db, DrawRound())
    (keys,) = access.grant_tables(db, "Friday")
    (folder / "token").write_text(keys.token, encoding="utf-8")
    with at_home_in(folder):
        database.add_mirror(db, str(folder / "stick"))
    shutil.move(folder, prepared)


class Evening:
    """A sheet typed by one phone and confirmed by another, at a server that a watch may kill once."""

    def __init__(self, programs: Programs, folder: Path, watch: Watch) -> None:
        self._programs, self._folder, self._watch = programs, folder, watch
        self._db = str(folder / "club.db")
        self._running: Running | None = None
        self._client = Client()
        self.killed = False

    def faults(self) -> Iterator[str]:
        """Let the phones do everything; yield what is wrong afterwards."""
        try:
            self._type_and_confirm(self.phone(), self.phone())
        finally:
            self.stop()
        yield from kept(self._db)

    def phone(self) -> Phone:
        """Return a phone that has the link of the table; the first one starts the server."""
        if self._running is None:
            self._start(self._watch)
        return Phone(self._client, (self._folder / "token").read_text(encoding="utf-8"))

    def _type_and_confirm(self, typing: Phone, other: Phone) -> None:
        (table,) = rounds.show(self._db, "Friday", 1).rounds[0].tables
        names = [player.name for player in table.players]
        self._send(typing, "/who", seat="1")
        self._send(other, "/who", seat="2")
        for number, hand in enumerate(desk.hands(names), 1):
            self._send(typing, f"/hands/{number}", **hand_fields(names, hand))
            self._mark(f"{number}")
        self._send(typing, "/send", sheet=self._answer(typing, lambda: typing.field("sheet")))
        self._mark("sent")
        seen = {name: self._answer(other, partial(other.field, name)) for name in ("id", "digest")}
        self._send(other, "/confirm", **seen)
        self._mark("confirmed")

    def _send(self, phone: Phone, path: str, **fields: str | Sequence[str]) -> None:
        answer = self._answer(phone, lambda: phone.post(path, **fields))
        assert answer.status_code == 303, answer.text

    def _answer(self, phone: Phone, ask: Callable[[], T]) -> T:
        """Ask; where the server dies before it answers, start another, and ask again."""
        phone.pages = self._client
        try:
            return ask()
        except TransportError:
            self._end()
            self._start(Watch(self._folder))
            phone.pages = self._client
            return ask()

    def _mark(self, text: str) -> None:
        if self._watch.log is not None:
            mark(self._watch.log, text)

    def _start(self, watch: Watch) -> None:
        self._running = self._programs.start(SERVE, watch, self._folder)
        said = wait_for(self._running, "Ctrl-C")
        if said is None:
            self._end()
            self._start(Watch(self._folder))
            return
        address = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert address, said
        self._client = Client(base_url=address[0], follow_redirects=False, timeout=600)

    def _end(self) -> None:
        """Note the end of a server that has killed itself."""
        assert self._running is not None
        ended, self._running = self._running.ended(), None
        assert ended.code == -signal.SIGKILL, ended
        self.killed = True
        self._client.close()

    def stop(self) -> None:
        """Kill the server that still runs."""
        if self._running is not None:
            with suppress(ProcessLookupError):
                os.kill(self._running.pid, signal.SIGKILL)
            self._running.ended()
        self._client.close()


@contextmanager
def asked(programs: Programs, folder: Path) -> Iterator[Phone]:
    """Yield a phone at the table, at a server of its own."""
    evening = Evening(programs, folder, Watch(folder))
    try:
        yield evening.phone()
    finally:
        evening.stop()


def kept(db: str) -> Iterator[str]:
    """Yield what is wrong with the sheet after the evening: it is there once, as it was typed."""
    entered = desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'")
    if entered != [(1,)]:
        yield f"{entered[0][0]} results for one sheet"
    elif (found := tuple(results.show(db, "Friday")[0].outcome.points)) != TOTALS:
        yield f"the sheet has {found}"


def counted(programs: Programs, prepared: Path, folder: Path, log: Path) -> tuple[Operation, ...]:
    """Let an evening pass without an accident; return the operations of its server."""
    shutil.copytree(prepared, folder)
    assert list(Evening(programs, folder, Watch(folder, log)).faults()) == []
    return tuple(operations(log))
