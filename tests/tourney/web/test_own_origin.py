"""Tests of the origin that each run of a desk has at its computer: what one run leaves in a browser meets no other."""

import socket
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.harness import desk
from tests.harness.web.asking import HOST, client
from tests.harness.web.process import program
from tourney.domain.errors import ExitCode
from tourney.web.serve import lifetime
from tourney.web.server import Server, Settings

RUN, LATER = "r" * 22, "l" * 22


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with an event of four."""
    return desk.copied(tmp_path / "club.db", desk.event)


def test_each_run_has_an_address_of_its_own_and_both_loopbacks_of_its_port(db: str) -> None:
    """A browser looks for the name at 127.0.0.1 and at ::1, so that nobody else may have the port there."""
    with program(db, "desk", "--no-open") as running:
        first = urlsplit(running.sign_in).hostname
        for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as other, pytest.raises(OSError, match="in use"):
                other.bind((address, running.port))
        running.end()
        running.start()
        assert first is not None
        assert first.endswith(".localhost")
        assert urlsplit(running.sign_in).hostname != first


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_desk_is_refused_where_another_program_has_its_port_at_the_other_loopback(host: str) -> None:
    with closing(lifetime.listen("::1", 0)) as other, closing(lifetime.listen(host, other.getsockname()[1])) as taken:
        port = other.getsockname()[1]
        option = "" if host == "127.0.0.1" else f" --host {host}"
        with desk.refused(ExitCode.CONFLICT, f"port {port} is taken", f"`tourney desk{option} --port {port + 1}`"):
            lifetime.listen_here(taken, host, "tourney desk")


@pytest.mark.parametrize(
    ("host", "more"),
    [
        ("127.0.0.1", ["::1"]),
        ("::1", ["127.0.0.1"]),
        ("0.0.0.0", ["::1"]),
        ("::", []),
        ("127.0.0.2", ["127.0.0.1", "::1"]),
    ],
)
def test_a_desk_listens_at_both_loopbacks_whatever_its_host_is(host: str, more: list[str]) -> None:
    sockets = lifetime.listen_here(lifetime.listen(host, 0), host, "tourney desk")
    try:
        assert sorted(each.getsockname()[0] for each in sockets[1:]) == sorted(more)
        assert len({each.getsockname()[1] for each in sockets}) == 1
    finally:
        for each in sockets:
            each.close()


def test_the_address_of_an_earlier_run_says_on_one_page_that_it_has_ended(db: str) -> None:
    """No page of the event is shown under it, whatever is asked, and nothing leads on."""
    server = Server(Settings(db, None, True, frozenset({HOST}), run=RUN))
    ours = {"Host": f"{server.settings.own_host}:8000"}
    earlier = {"Host": f"{Settings(run=LATER).own_host}:8000"}
    with client(db, address="127.0.0.1", server=server) as pages:
        assert pages.get("/", headers=ours).status_code == 200
        for path in ("/", "/desk", f"/desk-{RUN}", "/sign-in", "/live", "/version", "/static/live.js"):
            answer = pages.get(path, headers=earlier)
            assert answer.status_code == 410, path
            assert "this run of the desk has ended" in answer.text
            assert "Friday" not in answer.text
            assert "<a " not in answer.text
            assert answer.headers["cache-control"] == "no-store"
        assert pages.post("/sign-in", headers={**earlier, "Origin": f"http://{earlier['Host']}"}).status_code == 410
        assert pages.get("/", headers={"Host": "localhost.evil.example"}).status_code == 421


def test_a_form_of_an_earlier_run_s_address_is_refused(db: str) -> None:
    server = Server(Settings(db, None, True, frozenset({HOST}), run=RUN))
    with client(db, address="127.0.0.1", server=server) as pages:
        for origin, status in ((Settings(run=LATER).own_host, 403), (server.settings.own_host, 200)):
            headers = {"Host": server.settings.own_host, "Origin": f"http://{origin}"}
            assert pages.post("/sign-in", data={"code": "000000"}, headers=headers).status_code in (status, 404)


def test_an_address_that_all_runs_share_says_so_before_it_signs_in(db: str) -> None:
    server = Server(Settings(db, None, True, frozenset({HOST}), run=RUN))
    with client(db, address="127.0.0.1", server=server) as pages:
        for host, is_shared in ((server.settings.own_host, False), ("127.0.0.1", True), (HOST, True)):
            shown = pages.get("/sign-in/x", headers={"Host": f"{host}:8000"}).text
            assert ("the same in every run" in shown) is is_shared


def test_a_slash_after_the_desk_s_path_leads_nowhere_else(db: str) -> None:
    """A redirection to the path without it was one to /desk, under a host that the request named."""
    server = Server(Settings(db, None, True, frozenset({HOST}), run=RUN))
    with client(db, address="127.0.0.1", server=server) as pages:
        for path, status in ((f"/desk-{RUN}/", 403), (f"/desk-{RUN}/people/", 403), ("/seating/", 200), ("/x/", 404)):
            answer = pages.get(path)
            assert (answer.status_code, answer.headers.get("location")) == (status, None), path


def test_scripts_and_styles_have_addresses_that_nobody_knows_before_the_run(db: str) -> None:
    """A program that had the port fills the cache of a browser in the network, whose address stays the same."""
    found = list[str]()
    with program(db, "serve") as running:
        for _run in range(2):
            found.append(httpx.get(f"{running.here}/").text.partition('href="/static/style.css?')[2][:12])
            running.end()
            running.start()
    assert len(set(found)) == 2
