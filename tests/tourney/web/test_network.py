"""Tests of the switch that opens a running desk to the local network, and of the way back for a desk that lost its key.

The network is a second address of the loopback interface, which Linux has: real sockets, and no other computer.
"""

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from http.client import HTTPConnection
from socket import IPPROTO_TCP, TCP_NODELAY, create_connection

import pytest

from tests.harness import desk
from tests.harness.web.asking import HOST, ORIGIN, client, press
from tests.harness.web.threaded import in_thread
from tourney.domain.errors import ExitCode
from tourney.web.serve import lifetime, network, serving
from tourney.web.serve.addresses import Addresses
from tourney.web.server import Server, Settings

ELSEWHERE = "127.0.0.2"


make_db = desk.event
"""The path of a database with an event of four."""


def code_of_hall(port: int) -> bool:
    """Return whether the projector's page, which the server keeps for a version, has a code for phones."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=300)) as connection:
        connection.request("GET", "/screen")
        return b"<svg" in connection.getresponse().read()


@pytest.fixture
def served(db: str) -> Iterator[tuple[Server, int]]:
    """Run a server on this computer's own address, and return it with its port."""
    server = Server(Settings(db, entry=True))
    with in_thread(server) as port:
        yield server, port


def status(host: str, port: int, asked: str = "") -> int:
    """Return the status of the front page at a host, asked under a name of its own."""
    with closing(HTTPConnection(host, port, timeout=300)) as connection:
        connection.request("GET", "/", headers={"Host": f"{asked or host}:{port}"})
        return connection.getresponse().status


def test_what_a_visitor_is_sent_goes_out_at_once() -> None:
    """Otherwise the body of each answer waits until its head is acknowledged, which takes 40 ms."""

    async def asked() -> int:
        taken, found = lifetime.listen("127.0.0.1", 0), asyncio.Future[int]()

        async def visited(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found.set_result(writer.get_extra_info("socket").getsockopt(IPPROTO_TCP, TCP_NODELAY))
            writer.close()

        server = await asyncio.start_server(visited, sock=taken)
        async with server:
            create_connection(taken.getsockname()).close()
            return await found

    assert asyncio.run(asked()) != 0


def in_network(monkeypatch: pytest.MonkeyPatch, *phones: str) -> None:
    monkeypatch.setattr(network, "addresses", lambda _host: Addresses(phones, frozenset(phones)))


def test_a_desk_is_opened_to_the_network_and_closed_while_it_goes_on(
    served: tuple[Server, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, port = served
    in_network(monkeypatch, ELSEWHERE)
    switch = network.LocalNetwork(server, port, "tourney desk")
    before = server.settings
    for _time in range(2):
        with pytest.raises(ConnectionError):
            status(ELSEWHERE, port)
        closed = code_of_hall(port)
        assert switch.open() == ""
        assert code_of_hall(port) != closed
        assert (switch.is_open, server.settings.address) == (True, f"http://{ELSEWHERE}:{port}/")
        assert (status(ELSEWHERE, port), status("127.0.0.1", port)) == (200, 200)
        assert status(ELSEWHERE, port, "evil.example") == 421
        with create_connection((ELSEWHERE, port), timeout=300) as listening:
            listening.sendall(f"GET /live HTTP/1.1\r\nHost: {ELSEWHERE}\r\n\r\n".encode())
            assert listening.recv(100).startswith(b"HTTP/1.1 200")
            switch.close()
            with suppress(ConnectionResetError):
                while listening.recv(4096):  # the stream ends by itself
                    pass
        assert (switch.is_open, server.settings) == (False, before)
        assert code_of_hall(port) == closed
        assert status("127.0.0.1", port) == 200
        assert status("127.0.0.1", port, ELSEWHERE) == 421
        # The attack: whoever took the port got the keys of desks whose pages were open in the network.
        with desk.refused(ExitCode.CONFLICT, f"port {port} is taken"):
            lifetime.listen(ELSEWHERE, port)


def test_without_a_network_or_with_a_taken_port_nothing_is_opened(
    served: tuple[Server, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, port = served
    before = server.settings
    switch = network.LocalNetwork(server, port, "tourney desk")
    in_network(monkeypatch)
    with desk.refused(ExitCode.NOT_FOUND, "in no network", "join the network of the phones"):
        switch.open()
    in_network(monkeypatch, ELSEWHERE)
    with closing(lifetime.listen(ELSEWHERE, port)), desk.refused(ExitCode.CONFLICT, f"port {port} is taken"):
        switch.open()
    assert (switch.is_open, server.settings) == (False, before)


@pytest.mark.parametrize("public", ["8.8.8.8", "100.64.0.1"])
def test_an_address_that_the_whole_internet_reaches_is_not_opened(
    served: tuple[Server, int], monkeypatch: pytest.MonkeyPatch, public: str
) -> None:
    """Universities and hosts have such addresses; beside a private one they are left out."""
    server, port = served
    switch = network.LocalNetwork(server, port, "tourney desk --host 0.0.0.0")
    in_network(monkeypatch, public)
    with desk.refused(ExitCode.REFUSED, public, "`tourney desk --host 0.0.0.0`"):
        switch.open()
    in_network(monkeypatch, public, ELSEWHERE)
    assert switch.open() == ""
    assert server.settings.address == f"http://{ELSEWHERE}:{port}/"
    switch.close()


class Switch:
    """A switch for tests of pages, which remembers what was done with it."""

    def __init__(self, server: Server) -> None:
        self._server, self.is_open = server, False

    def open(self) -> str:
        self.is_open = True
        self._server.settings = replace(self._server.settings, address="http://192.168.1.9:8000/")
        return "a firewall blocks it"

    def close(self) -> None:
        self.is_open = False
        self._server.settings = replace(self._server.settings, address="")


@pytest.mark.parametrize("path", ["/desk/desks", "/desk/paper/phones"])
def test_a_button_of_the_desk_opens_it_and_another_closes_it(db: str, path: str) -> None:
    server = Server(Settings(db, entry=True, hosts=frozenset({HOST})))
    server.network = switch = Switch(server)
    with client(db, address="127.0.0.1", signed_in=True, server=server) as pages:
        assert "Only this computer reaches the desk." in pages.get(path).text
        shown = pages.get(press(pages, path, "Let phones and other desks of this network in").headers["location"]).text
        assert switch.is_open
        assert "a firewall blocks it" in shown
        assert "http://192.168.1.9:8000/" in shown
        shown = pages.get(press(pages, path, "Let only this computer in again").headers["location"]).text
        assert not switch.is_open
        assert "Only this computer reaches the desk." in shown


def test_nobody_elsewhere_turns_the_switch_and_a_desk_without_one_shows_the_whole_command(db: str) -> None:
    command = "tourney desk Friday --host 0.0.0.0 --port 8100 --db club.db --lang es"
    server = Server(Settings(db, entry=True, hosts=frozenset({HOST}), command=command))
    with client(db, address="127.0.0.1", signed_in=True, server=server) as pages:
        shown = pages.get("/desk/desks").text
        assert f'<code id="command" class="command">{command}</code>' in shown
        assert re.findall(r"<button[^>]*data-copy[^>]*>([^<]*)", shown) == ["Copy"]
    server = Server(Settings(db, entry=True, hosts=frozenset({HOST})))
    server.network = switch = Switch(server)
    with client(db, signed_in=True, server=server) as pages:
        answer = pages.post("/desk/network", data={"do": "open", "back": "/desk/desks"}, headers=ORIGIN)
        assert answer.status_code == 403
    assert not switch.is_open


def test_the_command_for_the_network_has_all_that_the_desk_was_started_with() -> None:
    asked = serving.Serving("my club.db", "Friday", "127.0.0.1", 0, entry=True, desk=lambda _address: True)
    words = 'tourney desk Friday --host 0.0.0.0 --port 8123 --db "my club.db" --lang en'
    assert serving.command(asked, 8123) == words


def test_the_way_back_to_the_desk_is_shown_in_the_program_s_window_and_only_on_request_from_there(db: str) -> None:
    """A page of the desk leads to it; whoever asks from another computer gets no address and causes none."""
    shown = list[str]()
    server = Server(Settings(db, entry=True, hosts=frozenset({HOST})), remind=lambda: shown.append("a new address"))
    with client(db, address="127.0.0.1", server=server) as pages:
        refused = pages.get("/desk")
        assert refused.status_code == 403
        assert 'href="/sign-in"' in refused.text
        assert "`" not in refused.text
        button = "Show a new address in the program&#39;s window"
        assert button in pages.get("/sign-in").text
        assert "The window in which the program runs" in pages.post("/sign-in", headers=ORIGIN).text
        assert len(shown) == 1
        answers = [pages.post("/sign-in", headers=ORIGIN).text for _try in range(20)]
        assert (all("The window in which the program runs" in answer for answer in answers), len(shown)) == (True, 1)
        server.reminded -= 60
        pages.post("/sign-in", headers=ORIGIN)
        assert len(shown) == 2
    with client(db, server=Server(server.settings, remind=server.remind)) as pages:
        assert button not in pages.get("/sign-in").text
        assert pages.post("/sign-in", headers=ORIGIN).status_code == 403
        assert len(shown) == 2


def test_a_used_address_says_so_and_does_no_harm_to_who_is_signed_in(db: str) -> None:
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        answer = pages.post("/desk/desks", headers=ORIGIN)
        (path,) = re.findall(rf">http://{HOST}(/sign-in/[^<]*)<", answer.text)
        own = dict(pages.cookies)
        pages.cookies.clear()
        assert pages.post(path, headers=ORIGIN).status_code == 303
        pages.cookies.clear()
        pages.cookies.update(own)
        used = pages.post(path, headers=ORIGIN)
        assert used.status_code == 403
        assert "it works once, within ten minutes" in used.text
        assert pages.get("/desk").status_code == 200
        assert 'href="/sign-in"' in used.text
