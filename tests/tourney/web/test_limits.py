"""Tests of the limits of connections: deadlines of requests, and how many one address may have.

The deadlines are short here and no time is measured: a connection ends, or another one is answered.
"""

import asyncio
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from socket import SO_RCVBUF, SOL_SOCKET, create_connection, socket
from time import monotonic
from types import SimpleNamespace

import h11
import pytest
import uvicorn
from uvicorn.protocols.http.flow_control import FlowControl

from tests.harness import desk
from tests.harness.programs import wait_until
from tests.harness.web.process import program
from tests.harness.web.threaded import in_thread
from tourney.web.serve import protocol
from tourney.web.serve.protocol import ConnectionLimits, Connections, LimitedProtocol
from tourney.web.server import Server, Settings

ELSEWHERE = "127.0.0.2"
"""The address of a visitor from elsewhere: on Linux all of 127.0.0.0/8 leads here."""
HANG_SECONDS = 60.0
HEAD = b"Host: localhost\r\nOrigin: http://localhost\r\n"


make_db = desk.event
"""The path of a database with an event of four."""


def apart(limits: ConnectionLimits) -> Connections:
    """Return connections that take each address for a visitor of its own, though all loopback ones are one computer."""
    return Connections(limits, whose=str)


@contextmanager
def served(
    db: str,
    limits: ConnectionLimits,
    streams: int = 500,
    host: str = "127.0.0.1",
    connections: Connections | None = None,
) -> Iterator[int]:
    """Run a server with these limits at a host, and return its port."""
    server = Server(Settings(db, per_address=limits.per_address))
    server.live.most_in_all = streams
    with in_thread(server, host=host, connections=connections or apart(limits)) as port:
        yield port


def visit(port: int, address: str, sent: bytes = b"") -> socket:
    """Connect from an address, and send something."""
    connection = create_connection(("127.0.0.1", port), 300, (address, 0))
    connection.sendall(sent)
    return connection


def status(port: int, address: str = "127.0.0.1", path: str = "/") -> int:
    with closing(HTTPConnection("127.0.0.1", port, 300, (address, 0))) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


def answered(port: int, address: str) -> int:
    """Return the status of the first answer: while the server begins with those before, none makes room yet."""
    until = monotonic() + HANG_SECONDS
    while True:
        try:
            return status(port, address)
        except ConnectionResetError:
            assert monotonic() < until, "every connection is ended"


def ended(connection: socket) -> bytes:
    """Wait until the server ends the connection; return what it had sent."""
    received = b""
    try:
        while part := connection.recv(4096):
            received += part
    except ConnectionResetError:
        pass
    return received


def is_open(connection: socket) -> bool:
    """Return whether the server has neither ended the connection nor sent anything."""
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


@pytest.mark.parametrize(
    ("attacker", "count"),
    [
        (ELSEWHERE, 150),
        pytest.param(ELSEWHERE, 1100, marks=pytest.mark.slow),
        pytest.param("127.0.0.1", 1100, marks=pytest.mark.slow),
    ],
)
def test_many_half_requests_from_one_address_stop_nobody(db: str, attacker: str, count: int) -> None:
    """From elsewhere 32 stay; from this computer, where a proxy may be, three quarters of all that there may be."""
    limits = ConnectionLimits(connections=100)
    with served(db, limits) as port, ExitStack() as stack:
        halves = list[socket]()
        for number in range(count):
            half = stack.enter_context(visit(port, attacker, b"GET / HTTP/1.1\r\nHost: local"))
            halves.append(half)
            if len(halves) > 200:  # the test has a limit of open files, too
                first = halves.pop(0)
                ended(first)
                first.close()
            if number % 100 == 0:
                assert status(port, ELSEWHERE if attacker == "127.0.0.1" else "127.0.0.1") == 200
        assert status(port, "127.0.0.3") == 200
        most = limits.per_address if attacker == ELSEWHERE else limits.connections * 3 // 4
        assert 0 < sum(map(is_open, halves)) <= most


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n",
        b"GET / HTTP/1.1\r\nHost: local",
        b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\nabc",
        b"POST / HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        b"GET /version HTTP/1.1\r\n" + HEAD + b"\r\nPOST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\n",
        b"GET /version HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\n",
    ],
    ids=["nothing", "blank lines", "half a head", "half a body", "half the chunks", "a second half", "a body of GET"],
)
def test_a_connection_with_part_of_a_request_ends(db: str, sent: bytes) -> None:
    with served(db, ConnectionLimits(seconds=0.2)) as port, visit(port, "127.0.0.1", sent) as half:
        ended(half)
        assert status(port) == 200


def test_nobody_asks_for_the_head_of_a_stream(db: str) -> None:
    """The attack: such a stream writes nothing, so that it was counted for good after its visitor had left."""
    asked = b"HEAD /live HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n"
    with served(db, ConnectionLimits()) as port, visit(port, "127.0.0.1", asked) as visitor:
        assert visitor.recv(4096).startswith(b"HTTP/1.1 405 ")


def unread(port: int, address: str) -> socket:
    """Ask for much more than a connection holds, and read nothing of it."""
    connection = socket()
    connection.setsockopt(SOL_SOCKET, SO_RCVBUF, 2048)
    connection.bind((address, 0))
    connection.connect(("127.0.0.1", port))
    connection.sendall(b"GET /static/style.css HTTP/1.1\r\n" + HEAD + b"\r\n")
    connection.sendall((b"GET /static/style.css HTTP/1.1\r\n" + HEAD + b"\r\n") * 500)
    return connection


@pytest.mark.parametrize("attacker", [ELSEWHERE, "127.0.0.1"])
def test_answers_that_nobody_reads_keep_no_others_from_being_answered(db: str, attacker: str) -> None:
    """The attack: 1,000 connections asked for pages and read nothing, so that none was waiting and each new one ended.

    Their time is not over here: the one that has been unread longest makes room.
    """
    with served(db, ConnectionLimits(connections=12, per_address=12, seconds=600)) as port, ExitStack() as stack:
        for _connection in range(16):
            stack.enter_context(closing(unread(port, attacker)))
        for address in (attacker, "127.0.0.3", "127.0.0.4"):
            assert answered(port, address) == 200


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_300_silent_connections_stop_no_server_that_may_open_256_files(db: str) -> None:
    """Connections come faster than they are counted: a server that takes all of them at once has no file left."""
    with program(db, "serve", "Friday", most_files=256) as server, ExitStack() as stack:
        for _silent in range(300):
            stack.enter_context(visit(server.port, "127.0.0.1"))
        assert status(server.port, ELSEWHERE) == 200


def test_a_stream_lasts_longer_than_the_deadline_of_a_request(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the head of the request may be late; it is sent again then."""
    monkeypatch.setattr("tourney.web.live.BEAT_SECONDS", 0.1)
    until, messages = monotonic() + HANG_SECONDS, 0
    with served(db, ConnectionLimits(seconds=0.1)) as port:
        while messages < 10:
            assert monotonic() < until
            with (
                suppress(ConnectionResetError),
                visit(port, ELSEWHERE, b"GET /live HTTP/1.1\r\n" + HEAD + b"\r\n") as stream,
                stream.makefile("rb") as read,
            ):
                is_begun, messages = read.readline().startswith(b"HTTP/1.1 200"), 0
                while is_begun and messages < 10:
                    line = read.readline()
                    assert line, "the stream has ended"
                    messages += line.startswith(b"data: ")


def test_half_of_the_connections_of_an_address_may_be_streams_and_pages_are_answered_beside_them(db: str) -> None:
    with served(db, ConnectionLimits(per_address=6)) as port, ExitStack() as stack:
        for _stream in range(3):
            stream = stack.enter_context(visit(port, ELSEWHERE, b"GET /live HTTP/1.1\r\n" + HEAD + b"\r\n"))
            assert stream.recv(100).startswith(b"HTTP/1.1 200")
        assert status(port, ELSEWHERE, "/live") == 503
        assert status(port, ELSEWHERE, "/version") == 200
        assert stack.enter_context(visit(port, "127.0.0.3", b"GET /live HTTP/1.1\r\n" + HEAD + b"\r\n")).recv(100)
        stream.close()
        # The server notices the end of the stream a little later.
        wait_until(lambda: status(port, ELSEWHERE, "/live") == 200)


def test_this_computer_has_its_connections_also_where_a_server_of_ipv6_is_asked_by_ipv4(db: str) -> None:
    """The attack: 32 live pages of another user kept everybody at 127.0.0.1 from a desk with `--host ::`."""
    ask = b"GET /live HTTP/1.1\r\n" + HEAD + b"\r\n"
    limits = ConnectionLimits(per_address=6)
    with served(db, limits, host="::", connections=Connections(limits)) as port, ExitStack() as stack:
        for _stream in range(6):
            assert stack.enter_context(visit(port, "127.0.0.1", ask)).recv(100).startswith(b"HTTP/1.1 200")
        assert [status(port) for _request in range(3)] == [200] * 3


@pytest.mark.parametrize("attacker", [ELSEWHERE, "127.0.0.1"])
def test_the_oldest_stream_makes_room_once_half_of_all_connections_are_streams(db: str, attacker: str) -> None:
    """The attack: from this computer, or through its proxy, one visitor held all 1,000 connections by streams."""
    ask = b"GET /live HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n"
    with served(db, ConnectionLimits(connections=12), 4) as port, ExitStack() as stack:
        streams = [stack.enter_context(visit(port, attacker, ask)) for _stream in range(8)]
        for stream in streams[:4]:
            assert ended(stream).startswith(b"HTTP/1.1 200")
        assert status(port, "127.0.0.3") == 200
        newest = stack.enter_context(visit(port, "127.0.0.3", ask))
        assert newest.recv(100).startswith(b"HTTP/1.1 200")
        ended(streams[4])


@pytest.mark.parametrize(
    "request_head",
    [
        b"GET /version HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
        b"POST /code HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        b"GET /version HTTP/1.1\r\n" + HEAD + b"Content-Length: 1\r\n\r\n",
        b"HEAD / HTTP/1.1\r\n" + HEAD + b"Content-Length: 70000\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HEAD + b"X: " + b"x" * 90_000,
        b"GET / HTTP/1.1\r\n" + HEAD + b"X:" + b" " * 9_000 + b"\x0b\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + HEAD + b"X:" + b"\t" * 9_000,
        b"GET / HTTP/1.1\r\n" + HEAD + b"X:\r\n" + b" \r\n" * 3_000 + b"\x0b\r\n\r\n",
        b"GET / HTTP/1.1\n" + HEAD + b"X:\n" + b" \n" * 3_000,
        b"GET / HTTP/1.1\r\n" + HEAD + b"X: a\x00b\r\n\r\n",
    ],
    ids=[
        *("pieces", "pieces of a form", "a body of a page", "a body of a head", "a long head"),
        *("blanks", "tabs", "folded lines", "folded lines of another end", "no text"),
    ],
)
def test_requests_that_no_browser_sends_are_refused_before_they_are_read(
    db: str, request_head: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """The attacks: bodies of pieces of one byte, and heads of blanks, held every visitor for up to a minute.

    A piece that is none, after the answer, left a traceback of 35 lines in the organiser's window.
    """
    with served(db, ConnectionLimits()) as port, visit(port, ELSEWHERE, request_head + b"ZZZ\r\n") as visitor:
        assert ended(visitor).startswith(b"HTTP/1.1 400")
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@pytest.mark.parametrize(
    "line", [b"X: " + b"a" * 15_000, b"A: b\r\n" * 2_500, b"X:" + b"       \ta" * 1_600, b"a\n" * 7_000]
)
def test_each_byte_of_a_head_is_looked_at_once_in_whatever_pieces_it_comes(
    line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: for each byte of a long head the loop searched all of it, which took it a hundred times as long."""
    looked = list[int]()

    class Counting:
        def __init__(self, pattern: re.Pattern[bytes]) -> None:
            self.pattern = pattern

        def search(self, text: bytes, start: int = 0, end: int = sys.maxsize) -> re.Match[bytes] | None:
            looked.append(len(text[start:end]))
            return self.pattern.search(text, start, end)

    for name in ("_END_OF_HEAD", "_NO_HEAD"):
        monkeypatch.setattr(protocol, name, Counting(getattr(protocol, name)))
    head = b"GET / HTTP/1.1\r\n" + line
    connection = protocol.PlainConnection(h11.SERVER, protocol.MOST_HEAD)
    for at in range(len(head)):
        connection.receive_data(head[at : at + 1])
        assert connection.next_event() is h11.NEED_DATA
    assert sum(looked) < 20 * len(head)


@pytest.mark.parametrize("piece", [1, 2, 7, 100_000])
def test_heads_are_judged_alike_in_whatever_pieces_they_come(piece: int) -> None:
    """A second request behind the first is judged, too, and nothing behind the end of a head is."""
    ask = b"GET / HTTP/1.1\r\nHost: a\r\n"
    bad = (b"X:\r\n \r\n", b"X: \x00", b"X:" + b" " * 9, b"X: " + b"x" * protocol.MOST_HEAD)
    for sent, good in (
        (ask + b"\r\n" + ask + b"\r\n", 2),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n\x00" + b" " * 10 + b"\n" + ask + b"\r\n", 2),
        *((ask + lines + b"\r\n\r\n", 0) for lines in bad),
        *((ask + b"\r\n" + ask + lines + b"\r\n\r\n", 1) for lines in bad),
    ):
        assert requests_read(sent, piece) == good, sent[:80]


def requests_read(sent: bytes, piece: int) -> int:
    """Return the number of requests that are read, in pieces of so many bytes, before one is refused."""
    connection, read = protocol.PlainConnection(h11.SERVER, protocol.MOST_HEAD), 0
    for at in range(0, len(sent), piece):
        connection.receive_data(sent[at : at + piece])
        try:
            while (event := connection.next_event()) is not h11.NEED_DATA:
                read += isinstance(event, h11.Request)
                if isinstance(event, h11.EndOfMessage):
                    answer = h11.Response(status_code=200, headers=[("Content-Length", "0")])
                    for each in (answer, h11.EndOfMessage()):
                        connection.send(each)
                    connection.start_next_cycle()
        except h11.RemoteProtocolError:
            return read
    return read


def test_the_rest_of_an_answered_request_has_a_deadline_and_a_most_length(db: str) -> None:
    """Neither one that drips, nor one that sends for ever, stays after the answer, which nobody reads either."""
    head = b"POST /code HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n"
    with served(db, ConnectionLimits(seconds=0.5)) as port, visit(port, ELSEWHERE, head + b"code=1") as drips:
        assert ended(drips).startswith(b"HTTP/1.1 403")
    head = b"POST /code HTTP/1.1\r\n" + HEAD + b"Content-Length: 90000000\r\n\r\n"
    with served(db, ConnectionLimits(seconds=60)) as port, visit(port, ELSEWHERE, head) as floods:
        assert floods.recv(12) == b"HTTP/1.1 413"
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            floods.sendall(bytes(90_000_000))


class Clock:
    """A loop of which the test says when a time has come."""

    def __init__(self) -> None:
        self.due = list[object]()

    def call_later(self, seconds: float, call: object, *args: object) -> asyncio.TimerHandle:
        self.due.append((seconds, call, *args))
        return asyncio.TimerHandle(0, lambda: None, (), asyncio.new_event_loop())


def test_a_long_body_gets_as_much_time_again_for_each_64_kilobytes() -> None:
    """A file of 2 MB over a slow network is received; one that drips is not."""
    ended = list[str]()

    class Ending(LimitedProtocol):
        def end(self) -> None:
            ended.append("ended")

    clock = Clock()
    config = uvicorn.Config(lambda: None, lifespan="off")
    visitor = Ending(Connections(ConnectionLimits()), config, uvicorn.server.ServerState(), {}, clock)
    visitor._watch()
    for received, ends in ((65_536, 0), (65_535, 1)):
        visitor._received = received
        seconds, call = clock.due[-1]
        assert seconds == 10
        call()
        assert len(ended) == ends


class Visit:
    """A transport from elsewhere, which notes its limits and whether it was ended."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.limits = list[int]()
        self.is_ended = False

    def set_write_buffer_limits(self, most: int) -> None:
        self.limits.append(most)

    def get_extra_info(self, name: str) -> object:
        return (self.address, 5000) if name == "peername" else None

    def is_closing(self) -> bool:
        return self.is_ended

    def abort(self) -> None:
        self.is_ended = True


def test_the_time_to_read_begins_with_the_first_byte_that_is_not_read_and_each_connection_is_counted() -> None:
    """Less than 64 kB of an answer stayed for good, and who made room for itself was not counted afterwards."""
    connections = Connections(ConnectionLimits(connections=1), whose=str)
    visits = [Visit("10.0.0.1"), Visit("10.0.0.1")]
    for visit_ in visits:
        visitor = LimitedProtocol(
            connections, uvicorn.Config(dict, lifespan="off"), uvicorn.server.ServerState(), {}, Clock()
        )
        visitor.connection_made(visit_)
    assert [each.limits for each in visits] == [[0], [0]]
    assert [each.is_ended for each in visits] == [True, False]
    assert {address: len(own) for address, own in connections._by_address.items()} == {"10.0.0.1": 1}


@pytest.mark.parametrize(
    ("unsent", "ends"),
    [
        ([200_000, 200_000], True),
        ([200_000, 134_465], True),
        ([200_000, 134_464, 68_928, 10_000], True),
        ([200_000, 134_464, 68_928, 3_392], False),
    ],
)
def test_an_answer_gets_as_much_time_again_for_each_64_kilobytes_that_are_read(unsent: list[int], ends: bool) -> None:
    """The attack: connections whose answers nobody reads stayed for good."""
    clock, left, ended = Clock(), iter(unsent), list[str]()

    class Sending(LimitedProtocol):
        def end(self) -> None:
            ended.append("ended")

    visitor = Sending(
        Connections(ConnectionLimits()), uvicorn.Config(dict, lifespan="off"), uvicorn.server.ServerState(), {}, clock
    )
    visitor.transport = SimpleNamespace(get_write_buffer_size=lambda: next(left))
    visitor.flow = FlowControl(visitor.transport)
    visitor.pause_writing()
    assert visitor.is_unread
    for _read in unsent[1:]:
        seconds, call, *before = clock.due[-1]
        assert seconds == 10
        call(*before)
    assert bool(ended) is ends
    visitor.resume_writing()
    assert not visitor.is_unread


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "most"),
    [
        (1024, 1_048_576, 4096, 1000),
        (256, 2048, 2048, 682),
        (256, 256, None, 85),
        (256, -1, 4096, 1000),
        (-1, -1, None, 1000),
        (65_536, 65_536, None, 1000),
    ],
)
def test_a_server_may_open_the_files_that_its_connections_need(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, wanted: int | None, most: int
) -> None:
    resource = pytest.importorskip("resource")
    asked = list[tuple[int, int]]()
    monkeypatch.setattr(resource, "RLIM_INFINITY", -1)
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: asked.append(limits))
    assert protocol.most_connections() == most
    assert asked == ([] if wanted is None else [(wanted, hard)])
