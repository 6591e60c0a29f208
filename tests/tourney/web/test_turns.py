"""Tests of turns: one address keeps no other one waiting, and what nobody waits for any more is not done.

The thread of the server is held until the test lets it go on; no time is measured.
"""

import re
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from select import select
from socket import socket
from time import sleep

import pytest

from tests.harness import desk
from tests.harness.web.threaded import in_thread
from tests.tourney.web.test_limits import ELSEWHERE, HEAD, apart, ended, visit
from tourney.service.change import apply
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web import access
from tourney.web.answers import Content
from tourney.web.page import Asked, Page
from tourney.web.pages import PAGES
from tourney.web.serve import lifetime
from tourney.web.serve.protocol import Connections
from tourney.web.server import Server, Settings
from tourney.web.work import MOST_IN_WORK

OTHER = "127.0.0.3"


@dataclass
class Held:
    """A server whose thread is held, and the addresses whose requests were worked on since."""

    port: int
    server: Server
    done: list[str] = field(default_factory=list)
    connections: Connections | None = None
    _gate: threading.Event = field(default_factory=threading.Event)

    def ask(self, address: str, more: bytes = b"", path: bytes = b"/work", method: bytes = b"GET") -> socket:
        """Ask for a page, with more headers, and wait until the server has seen that."""
        before = self.server.worker._waiting.total()
        head = method + b" " + path + b" HTTP/1.1\r\n" + HEAD + more + b"Connection: close\r\n\r\n"
        asking = visit(self.port, address, head)
        while self.server.worker._waiting.total() <= before and not select([asking], [], [], 0.005)[0]:
            pass  # it is neither counted nor refused yet
        return asking

    def go_on(self) -> None:
        """Let the thread go on."""
        self._gate.set()


@contextmanager
def held(db: str, per_address: int = 32, *, is_slow: bool = False) -> Iterator[Held]:
    """Run a server whose thread waits for the test; its page `/work` may be a slow one."""
    server = Server(Settings(db, per_address=per_address))
    found = Held(0, server, connections=apart(lifetime.limits_of(server)))

    def answer(asked: Asked) -> Content:
        found.done.append(asked.address)
        return Content(b"done", "text/plain")

    pages = (Page("/work", answer, private=True, slow=is_slow), Page("/hall", answer, private=True), *PAGES)
    with in_thread(server, pages=pages, connections=found.connections) as found.port:
        server.worker._pool.submit(found._gate.wait)
        try:
            yield found
        finally:
            found.go_on()


make_db = desk.event
"""The path of a database with an event of four."""


def test_nothing_is_done_for_visitors_who_have_left(db: str) -> None:
    """The attack: 400 requests whose connections are closed at once kept others waiting for 47 s."""
    with held(db) as at, ExitStack() as stack:
        stays = stack.enter_context(at.ask(ELSEWHERE))
        for _gone in range(10):
            at.ask(ELSEWHERE).close()
        while len(at.connections._all) > 1:  # until the server has noticed that they are gone
            sleep(0.005)
        other = stack.enter_context(at.ask(OTHER))
        at.go_on()
        assert ended(other).endswith(b"done")
        assert ended(stays).endswith(b"done")
        last = stack.enter_context(at.ask(ELSEWHERE))
        assert ended(last).endswith(b"done")
        assert at.done.count(ELSEWHERE) == 2


def test_addresses_take_turns(db: str) -> None:
    """One with many requests in work is no further ahead than one with a single request."""
    with held(db) as at, ExitStack() as stack:
        many = [stack.enter_context(at.ask(ELSEWHERE)) for _request in range(12)]
        other = stack.enter_context(at.ask(OTHER))
        at.go_on()
        assert [ended(each).endswith(b"done") for each in (*many, other)] == [True] * 13
        assert at.done.index(OTHER) <= 1


@pytest.mark.parametrize("is_slow", [False, True])
def test_a_desk_waits_for_one_request_of_each_kind_however_many_addresses_ask(db: str, *, is_slow: bool) -> None:
    """The attack: a stranger with 30 addresses asked one page at each, and a click of the desk took half a minute."""
    with held(db, is_slow=is_slow) as at, ExitStack() as stack:
        key = access.sign_in(db, access.sign_in_token(db))
        assert key is not None
        at.server.desks[access.token_hash(key)] = "Ana", ELSEWHERE
        many = [stack.enter_context(at.ask(f"127.0.0.{number}")) for number in range(10, 40)]
        of_desk = stack.enter_context(at.ask(OTHER, f"Cookie: tourney_desk={key}\r\n".encode()))
        at.go_on()
        assert [ended(each).endswith(b"done") for each in (*many, of_desk)] == [True] * 31
        assert at.done.index(OTHER) <= 1


def test_pages_that_read_a_long_history_hold_no_other_visitor(db: str) -> None:
    """A visitor of the hall waits for one slow page, and not for one of each address."""
    with held(db, is_slow=True) as at, ExitStack() as stack:
        many = [stack.enter_context(at.ask(f"127.0.0.{number}")) for number in range(10, 40)]
        other = stack.enter_context(at.ask(OTHER, path=b"/hall"))
        at.go_on()
        assert [ended(each).endswith(b"done") for each in (*many, other)] == [True] * 31
        assert at.done.index(OTHER) <= 1


def test_requests_count_until_their_work_has_ended_and_too_many_of_an_address_are_refused(db: str) -> None:
    """Half as many as an address may have connections, whether these are still open or not; others are answered."""
    with held(db, per_address=8) as at, ExitStack() as stack:
        for _request in range(2):
            at.ask(ELSEWHERE).close()
        waiting = [stack.enter_context(at.ask(ELSEWHERE)) for _request in range(2)]
        refused = stack.enter_context(at.ask(ELSEWHERE))
        assert ended(refused).startswith(b"HTTP/1.1 503")
        other = stack.enter_context(at.ask(OTHER))
        at.go_on()
        assert [ended(each).endswith(b"done") for each in (*waiting, other)] == [True] * 3


def test_a_desk_has_a_room_and_a_turn_of_its_own_whatever_others_ask_from_its_address(db: str) -> None:
    """The attack: another user of the computer asked 230 times at once, and the desk was refused each time."""
    with held(db, per_address=8) as at, ExitStack() as stack:
        key = access.sign_in(db, access.sign_in_token(db))
        assert key is not None
        at.server.desks[access.token_hash(key)] = "Ana", ELSEWHERE
        waiting = [stack.enter_context(at.ask(ELSEWHERE)) for _request in range(4)]
        refused = stack.enter_context(at.ask(ELSEWHERE, b"Cookie: tourney_desk=AAAAAAAAAAAAAAAAAAAAAA\r\n"))
        of_desk = stack.enter_context(at.ask(ELSEWHERE, f"Cookie: tourney_desk={key}\r\n".encode()))
        assert ended(refused).startswith(b"HTTP/1.1 503")
        at.go_on()
        assert [ended(each).endswith(b"done") for each in (*waiting, of_desk)] == [True] * 5


@pytest.mark.parametrize("method", [b"GET", b"POST"])
def test_who_signs_in_has_room_before_the_first_answer(db: str, method: bytes) -> None:
    """The attack: another user asked 300 times at once, and the organiser's form waited until they stopped."""
    with held(db, per_address=8) as at, ExitStack() as stack:
        signing_in = b"/sign-in/" + at.server.invite().encode()
        waiting = [stack.enter_context(at.ask(ELSEWHERE)) for _request in range(4)]
        refused = stack.enter_context(at.ask(ELSEWHERE, path=b"/work"))
        organiser = stack.enter_context(at.ask(ELSEWHERE, path=signing_in, method=method))
        lost = stack.enter_context(at.ask(ELSEWHERE, path=b"/sign-in"))
        at.go_on()
        assert ended(refused).startswith(b"HTTP/1.1 503")
        assert ended(lost).startswith(b"HTTP/1.1 200")
        assert ended(organiser).startswith(b"HTTP/1.1 200" if method == b"GET" else b"HTTP/1.1 303")
        assert [ended(each).endswith(b"done") for each in waiting] == [True] * 4


def test_a_desk_has_room_from_its_first_page_and_none_after_its_last(db: str) -> None:
    with held(db, per_address=8) as at:
        at.go_on()
        with at.ask(ELSEWHERE, path=b"/sign-in/" + at.server.invite().encode(), method=b"POST") as signing_in:
            (key,) = re.findall(rb"tourney_desk=([\w-]+);", ended(signing_in))
        assert list(at.server.desks) == [access.token_hash(key.decode())]
        assert not at.server.invited
        cookie = b"Cookie: tourney_desk=" + key + b"\r\n"
        with at.ask(ELSEWHERE, cookie, b"/desk/sign-out", b"POST") as leaving:
            assert ended(leaving).startswith(b"HTTP/1.1 303")
        assert not at.server.desks


def test_an_address_has_no_second_room_by_saying_that_it_is_a_proxy(db: str) -> None:
    """The attack: a user of the computer took half of all requests in progress, and the other half by a header."""
    with held(db) as at, ExitStack() as stack:
        proxied = b"X-Forwarded-For: 1.1.1.1\r\n"
        most = MOST_IN_WORK // 2
        waiting = [stack.enter_context(at.ask("127.0.0.1", proxied if n % 2 else b"")) for n in range(most)]
        refused = [stack.enter_context(at.ask("127.0.0.1", more)) for more in (b"", proxied)]
        other = stack.enter_context(at.ask(OTHER))
        at.go_on()
        assert [ended(each)[:12] for each in refused] == [b"HTTP/1.1 503"] * 2
        assert [ended(each).endswith(b"done") for each in (*waiting, other)] == [True] * (most + 1)
        assert at.done.index(OTHER) <= 2


@pytest.mark.parametrize(
    "cookie", [b"", b"Cookie: tourney_desk=AAAAAAAAAAAAAAAAAAAAAA\r\n"], ids=["no key", "a wrong key"]
)
def test_a_long_body_is_read_only_from_a_desk(db: str, cookie: bytes) -> None:
    """The attack: 150 files of 2 MB from somebody without a key took 450 MB. Here none of it is sent."""
    with held(db) as at:
        at.go_on()
        head = b"POST /desk/events/import HTTP/1.1\r\n" + HEAD + cookie + b"Content-Length: 2000000\r\n\r\n"
        with visit(at.port, ELSEWHERE, head) as sender:
            assert sender.recv(100).startswith(b"HTTP/1.1 413")


def test_a_right_code_leads_to_one_address_however_often_it_is_typed(db: str) -> None:
    """Each time used to leave a row, and to make all kept pages stale."""
    apply(db, DrawRound())
    code = access.grant_tables(db, None)[0].code
    first = access.enter_code(db, code)
    kept = desk.query(db, "SELECT * FROM access")
    assert {access.enter_code(db, code) for _time in range(5)} == {first}
    assert first is not None
    assert desk.query(db, "SELECT * FROM access") == kept
