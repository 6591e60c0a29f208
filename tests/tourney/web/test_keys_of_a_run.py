"""Tests of runs of the desk: its keys end with it, only their path gets them, and each run has an origin of its own."""

import re
import socket
from contextlib import closing
from urllib.parse import urlsplit

import httpx
import pytest

from tests.harness import desk
from tests.harness.web.asking import HOST, ORIGIN, TestClient, client
from tests.harness.web.markup import Markup
from tests.harness.web.process import program
from tourney.domain.errors import ExitCode
from tourney.service.web.access import sign_in_token
from tourney.web.serve import lifetime, serving
from tourney.web.server import Server, Settings

RUN, LATER = "r" * 22, "l" * 22


make_db = desk.event
"""The path of a database with an event of four."""


def of_run(db: str, run: str = RUN) -> Server:
    return Server(Settings(db, None, True, frozenset({HOST}), run=run))


def signed_in(pages: TestClient, db: str, server: Server) -> str:
    """Sign in as a desk of the server's run; return the header that gives the browser its cookie."""
    answer = pages.post(f"/sign-in/{sign_in_token(db, server.settings.mark)}", headers=ORIGIN)
    assert answer.headers["location"] == server.settings.desk
    return str(answer.headers["set-cookie"])


def test_the_cookie_of_a_desk_is_sent_only_under_a_path_that_nobody_guesses(db: str) -> None:
    """Cookies do not know ports: under `/` a page of another program of this computer would get it."""
    server = of_run(db)
    with client(db, address="127.0.0.1", server=server) as pages:
        given = signed_in(pages, db, server)
        assert f"; Path=/desk-{RUN};" in given
        cookie = given.partition(";")[0]
        assert RUN not in cookie
        pages.cookies.clear()
        for path, status in (("/desk", 403), ("/desk/people", 403), ("/desk-x/people", 410), (f"/desk-{RUN}", 200)):
            assert pages.get(path, headers={"Cookie": cookie}).status_code == status, path
        named_as_before = cookie.replace(cookie.partition("=")[0], "tourney_desk")
        assert pages.get(f"/desk-{RUN}", headers={"Cookie": named_as_before}).status_code == 403


def test_the_pages_of_a_desk_lead_to_each_other_under_its_path(db: str) -> None:
    server = of_run(db)
    with client(db, address="127.0.0.1", server=server) as pages:
        signed_in(pages, db, server)
        for path in ("", "/people", "/rounds", "/desks", "/events"):
            shown = pages.get(f"/desk-{RUN}{path}").text
            ours = [link for link in Markup(shown).links() if link.startswith("/desk")]
            assert ours
            assert [link for link in ours if not link.startswith(f"/desk-{RUN}")] == []
            assert re.findall(r'"/desk(?:/[a-z/]*)?"', re.sub(r'value="[^"]*"', "", shown)) == []
        moved = pages.get(f"/desk-{RUN}/people?lang=es&show=all").headers["location"]
        assert moved == f"/desk-{RUN}/people?show=all"
        made = pages.post(f"/desk-{RUN}/people/enrol", data={"names": "Zoe", "do": "enrol"}, headers=ORIGIN)
        assert made.headers.get("location", f"/desk-{RUN}/").startswith(f"/desk-{RUN}/")
        assert f"/desk-{RUN}" not in pages.get("/").text
        assert pages.post(f"/desk-{RUN}/sign-out", headers=ORIGIN).headers["location"] == "/"
        assert pages.get(f"/desk-{RUN}").status_code == 403


def test_a_key_of_an_earlier_run_opens_nothing(db: str) -> None:
    """The later run refuses the key under both paths, and refuses an unused sign-in key of the earlier run."""
    server, later = of_run(db), of_run(db, LATER)
    unused = sign_in_token(db, server.settings.mark)
    with client(db, address="127.0.0.1", server=server) as pages:
        key = signed_in(pages, db, server).partition(";")[0].partition("=")[2]
    with client(db, address="127.0.0.1", server=later) as pages:
        for mark in (server.settings.mark, later.settings.mark):
            for path in (f"/desk-{RUN}", f"/desk-{LATER}"):
                assert pages.get(path, headers={"Cookie": f"tourney_desk_{mark}={key}"}).status_code in (403, 410)
        assert pages.post(f"/sign-in/{unused}", headers=ORIGIN).status_code == 403


def test_a_desk_that_is_started_again_does_not_know_the_keys_from_before(db: str) -> None:
    """The attack: after Ctrl-C another user took the port, and the open tab sent it a key that was still good."""
    with program(db, "desk", "--no-open") as running:
        with desk_browser(running.here) as browser:
            token = running.sign_in.rpartition("/")[2]
            moved = browser.post(f"/sign-in/{token}", headers={"Origin": running.here})
            home, cookies = moved.headers["location"], moved.headers["set-cookie"].partition(";")[0]
            assert browser.get(home, headers={"Cookie": cookies}).status_code == 200
        running.end()
        running.start()
        with desk_browser(running.here) as browser:
            ended = browser.get(home, headers={"Cookie": cookies})
            assert ended.status_code == 410
            assert "this run of the desk has ended" in ended.text
            assert browser.get("/desk", headers={"Cookie": cookies}).status_code == 403


def desk_browser(address: str) -> httpx.Client:
    return httpx.Client(base_url=address, follow_redirects=False)


@pytest.mark.parametrize("how", ["ended by another desk", "signed out"])
def test_what_a_desk_has_made_to_sign_others_in_ends_with_it(db: str, how: str) -> None:
    """The attack: a helper makes an address for another desk, is ended, and opens the address."""
    server = Server(Settings(db, None, True, frozenset({HOST})))
    with (
        client(db, address="127.0.0.1", signed_in=True, server=server) as pages,
        client(db, address="192.168.1.9", signed_in=True, server=server) as helper,
    ):
        made = helper.post("/desk/desks", headers=ORIGIN).text
        (path,) = re.findall(rf">http://{HOST}(/sign-in/[^<]*)<", made)
        code = re.search(r"the code (\d{3})\s(\d{3})", made)
        assert code is not None
        if how == "signed out":
            helper.post("/desk/sign-out", headers=ORIGIN)
        else:
            (ends,) = re.findall(r'name="end" value="([0-9a-f]{64})"', pages.get("/desk/desks").text)
            pages.post("/desk/desks", data={"end": ends}, headers=ORIGIN)
        helper.cookies.clear()
        assert helper.post(path, headers=ORIGIN).status_code == 403
        assert helper.post("/sign-in", data={"code": code[1] + code[2]}, headers=ORIGIN).status_code == 404
        assert pages.get("/desk").status_code == 200


def test_addresses_that_sign_in_are_not_counted_and_nobody_locks_the_organiser_out(db: str) -> None:
    """The attack: another user of this computer asks for five wrong ones a minute; 128 bits need no limit."""
    server = of_run(db)
    with client(db, address="127.0.0.1", server=server) as pages:
        assert [pages.post(f"/sign-in/x{number}", headers=ORIGIN).status_code for number in range(20)] == [403] * 20
        signed_in(pages, db, server)


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
    with closing(lifetime.listen("::1", 0)) as other:
        port = other.getsockname()[1]
        option = "" if host == "127.0.0.1" else f" --host {host}"
        with desk.refused(ExitCode.CONFLICT, f"port {port} is taken", f"`tourney desk{option} --port {port + 1}`"):
            lifetime.listen_all(host, port, "tourney desk", and_here=True)


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
    sockets = lifetime.listen_all(host, 0, "tourney desk", and_here=True)
    try:
        assert sorted(each.getsockname()[0] for each in sockets[1:]) == sorted(more)
        assert len({each.getsockname()[1] for each in sockets}) == 1
    finally:
        for each in sockets:
            each.close()


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> str:
    """A name that leads to two addresses of this computer, as one with IPv4 and IPv6 has it."""
    asked = socket.getaddrinfo

    def found(host: str, *args: object, **kwargs: object) -> list[object]:
        hosts = ["127.0.0.5", "127.0.0.6"] if host == "myhost" else [host]
        return [each for host in hosts for each in asked(host, *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return "myhost"


def test_a_server_of_a_name_has_its_port_at_every_address_of_it_and_is_asked_by_number(db: str, named: str) -> None:
    """The attack: `--host NAME` took the first address, another user had the second, to which a desk's browser went."""
    servers, lines = list[Server](), list[str]()

    def run(server: Server, taken: list[socket.socket], _ready: object) -> None:
        servers.append(server)
        assert [each.getsockname()[0] for each in taken] == ["127.0.0.5", "127.0.0.6"]
        for each in taken:
            each.close()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(serving, "run", run)
        serving.serve(serving.Serving(db, None, named, 0, entry=True), lines.append, with_code=False)
    assert servers[0].settings.hosts == {"127.0.0.5", "127.0.0.6"}
    assert named not in servers[0].settings.names


def test_a_name_is_refused_where_another_program_has_the_port_at_one_of_its_addresses(named: str) -> None:
    with closing(lifetime.listen("127.0.0.6", 0)) as other:
        port = other.getsockname()[1]
        with desk.refused(ExitCode.CONFLICT, f"port {port} is taken"):
            lifetime.listen_all(named, port, "tourney serve")
        lifetime.listen("127.0.0.5", port).close()


def test_the_address_of_an_earlier_run_says_on_one_page_that_it_has_ended(db: str) -> None:
    """No page of the event is shown under it, whatever is asked, and nothing leads on."""
    server = of_run(db)
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
    server = of_run(db)
    with client(db, address="127.0.0.1", server=server) as pages:
        for origin, status in ((Settings(run=LATER).own_host, 403), (server.settings.own_host, 200)):
            headers = {"Host": server.settings.own_host, "Origin": f"http://{origin}"}
            assert pages.post("/sign-in", data={"code": "000000"}, headers=headers).status_code in (status, 404)


def test_an_address_that_all_runs_share_says_so_before_it_signs_in(db: str) -> None:
    server = of_run(db)
    with client(db, address="127.0.0.1", server=server) as pages:
        for host, is_shared in ((server.settings.own_host, False), ("127.0.0.1", True), (HOST, True)):
            shown = pages.get("/sign-in/x", headers={"Host": f"{host}:8000"}).text
            assert ("the same in every run" in shown) is is_shared


def test_a_slash_after_the_desk_s_path_leads_nowhere_else(db: str) -> None:
    """A redirection to the path without it was one to /desk, under a host that the request named."""
    server = of_run(db)
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
