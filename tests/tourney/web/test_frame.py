"""Tests of what all pages share: headers, hosts, origins, languages, refusals, and one render for all visitors."""

import asyncio
import gzip
import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.datastructures import URL
from starlette.requests import HTTPConnection

from tests.harness import desk
from tests.harness.evening.weekend import FINAL, play_round, with_stages
from tests.harness.web.asking import HOST, ORIGIN, TestClient, client
from tests.harness.web.markup import Markup
from tourney import storage
from tourney.domain.club import Club
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rounds import Stage
from tourney.service.admin.club import SetClub
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound
from tourney.web import answers, guard
from tourney.web.answers import Content, View
from tourney.web.app import application
from tourney.web.hosts import host_name
from tourney.web.live import Listener, Live
from tourney.web.page import Asked, Page
from tourney.web.pages import PAGES
from tourney.web.render import STATIC
from tourney.web.server import Server, Settings

FOR_ALL = [
    page.path for page in PAGES if page.audience == "everybody" and page.method == "GET" and "{" not in page.path
]


@pytest.mark.parametrize("path", [*FOR_ALL, "/nothing", "/static/style.css", "/version"])
def test_every_answer_allows_no_script_of_its_own_and_no_other_host(pages: TestClient, path: str) -> None:
    answer = pages.get(path)
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == policy["form-action"] == "'self'"
    assert policy["object-src"] == policy["frame-src"] == policy["worker-src"] == "'none'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("path", [*(path for path in FOR_ALL if "." not in path), "/nothing"])
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_page_names_its_language_and_has_nothing_inline(pages: TestClient, path: str, language: str) -> None:
    text = pages.get(path, headers={"Accept-Language": language}).text
    assert f'<html lang="{language}">' in text
    assert "style=" not in text
    assert "<style" not in text
    assert " on" not in {f" {part[:2]}" for part in text.split(" ") if "=" in part and part.startswith("on")}
    assert text.count("<script") == text.count("<script src=")


def test_a_form_whose_body_does_not_come_ends_without_a_fault(evening: str) -> None:
    """Any visitor filled the window of the desk with 60 lines of a fault for each form that they broke off."""
    headers = {"host": "localhost", "origin": "http://localhost", "content-length": "5"}
    scope = {"type": "http", "method": "POST", "path": "/code", "query_string": b"", "client": ("192.0.2.9", 1)}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]
    messages = iter([{"type": "http.request", "body": b"co", "more_body": True}, {"type": "http.disconnect"}])
    sent = list[Any]()

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(application(Server(Settings(evening)))(scope, receive, send))
    assert sent == []


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.9", "", f"{HOST}.evil.example", f"{HOST}@evil.example"])
def test_a_request_under_another_name_is_refused_and_learns_nothing(pages: TestClient, host: str) -> None:
    answer = pages.get("/", headers={"Host": host})
    assert answer.status_code == 421
    assert "Friday" not in answer.text
    assert "Mateo" not in answer.text


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost", "localhost"),
        ("Club.Local:8000", "club.local"),
        ("my_pc:80", "my_pc"),
        ("192.168.1.5:65535", "192.168.1.5"),
        ("[::1]:8000", "[::1]"),
        ("[FE80:0::1]", "[fe80::1]"),
        ("localhost:8000/seating?", None),
        ("localhost:1/../x", None),
        ("localhost/seating", None),
        ("localhost:8000#", None),
        ("127.0.0.1:8000@evil.example", None),
        ("user@localhost", None),
        ("localhost:", None),
        ("localhost:65536", None),
        ("localhost:80:80", None),
        ("localhost:٨٠", None),
        ("localhost 80", None),
        ("localhost\n", None),
        (".localhost", None),
        ("localhost.", None),
        ("::1", None),
        ("[::1", None),
        ("[::1]x", None),
        ("[1.2.3.4]", None),
        ("[::1%eth0]", None),
        ("", None),
    ],
)
def test_a_host_is_a_name_or_an_address_with_a_port_and_nothing_else(host: str, name: str | None) -> None:
    """RFC 9110 (7.2) and RFC 3986 (3.2.2) without user, empty port and other letters, which no browser sends."""
    assert host_name(host) == name


@pytest.mark.parametrize("host", ["localhost:8000/seating?", "localhost:1/../x", "127.0.0.1:8000@evil.example"])
def test_a_host_with_more_than_a_name_and_a_port_is_refused(pages: TestClient, host: str) -> None:
    assert pages.get("/", headers={"Host": host}).status_code == 421


def test_no_page_is_kept_or_linked_by_an_address_that_the_visitor_s_host_is_part_of() -> None:
    """The URL of a request has its Host, which a version of starlette let change the path (CVE-2026-48710)."""
    sources = (STATIC.parent).rglob("*.py")
    assert [path.name for path in sources if re.search(r"request\.(url|base_url)\b", path.read_text("utf-8"))] == []


def test_a_kept_page_is_that_of_its_path_whatever_else_a_request_has(
    pages: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CVE-2026-48710: in starlette 1.0.0 a Host `localhost/seating?` made /seating the URL of any page.

    The version that is installed may not have the hole; here each URL has it, and the guard lets such a Host pass.
    """
    monkeypatch.setattr(guard, "host_name", lambda _host: "localhost")
    monkeypatch.setattr(HTTPConnection, "url", property(lambda _request: URL("http://localhost/seating?")))
    right = pages.get("/players").text
    poisoned = pages.get("/players", headers={"Host": "localhost/seating?"})
    seating = pages.get("/seating")
    assert poisoned.text == right
    assert seating.status_code == 200
    assert Markup(seating.text).texts != Markup(right).texts


@pytest.mark.parametrize("host", [HOST, f"{HOST}:8000", "localhost:8000", "127.0.0.1", "[::1]:8000", HOST.upper()])
def test_a_request_under_a_name_of_ours_is_answered(pages: TestClient, host: str) -> None:
    assert pages.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "null"}, {"Origin": "http://evil.example"}, {"Origin": f"http://{HOST}:81"}, {"Origin": "file://"}],
    ids=str,
)
def test_a_form_of_another_page_is_refused(pages: TestClient, headers: dict[str, str]) -> None:
    assert pages.post("/", headers=headers).status_code == 403


def test_a_body_of_64_kilobytes_is_read_and_a_longer_one_is_not(evening: str) -> None:
    with client(evening) as pages:
        assert pages.post("/", content=b"a" * 65536, headers=ORIGIN).status_code == 405
        assert pages.post("/", content=b"a" * 65537, headers=ORIGIN).status_code == 413


def test_a_body_that_does_not_say_its_length_is_not_read_beyond_the_limit(pages: TestClient) -> None:
    def endless():
        for _part in range(100):
            yield b"a" * 1024

    assert pages.post("/", content=endless(), headers=ORIGIN).status_code == 413


@pytest.mark.parametrize("path", ["/nothing", "/t", "/static/../app.py", "/static/%2e%2e/app.py", "/%00", "/a" * 500])
def test_an_unknown_path_is_one_sentence(pages: TestClient, path: str) -> None:
    answer = pages.get(path)
    assert answer.status_code == 404
    assert "Traceback" not in answer.text
    assert answer.headers["cache-control"] in ("no-store", "no-cache")


def test_a_fault_of_ours_shows_a_sentence_and_no_traceback(evening: str) -> None:
    def fail(_asked: Asked) -> View:
        raise ZeroDivisionError("by nought")

    with client(evening, pages=(Page("/", fail),), raises=False) as pages:
        answer = pages.get("/")
    assert answer.status_code == 500
    assert "something went wrong here" in answer.text
    assert "nought" not in answer.text


def test_a_language_that_is_chosen_is_kept_and_goes_before_the_browser_s(pages: TestClient) -> None:
    chosen = pages.get("/?lang=es")
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/")
    assert '<html lang="es">' in pages.get("/", headers={"Accept-Language": "en"}).text


def test_a_language_is_chosen_on_a_page_whose_path_has_letters_beyond_latin_1(pages: TestClient) -> None:
    chosen = pages.get("/pools/people/players/%C5%81ukasz%3F?lang=es&sort=%C5%81")
    assert chosen.status_code == 303
    assert chosen.headers["location"] == "/pools/people/players/%C5%81ukasz%3F?sort=%C5%81"


def test_a_form_is_read_once_and_has_at_most_2000_fields(pages: TestClient) -> None:
    asked = Asked(Server(Settings()), "POST", body=b"&".join([b"a=1"] * 2000))
    assert len(asked.form["a"]) == 2000
    assert asked.form is asked.form
    with desk.refused(ExitCode.USAGE, "at most 2000 fields", "in parts"):
        _read = replace(asked, body=asked.body + b"&a=1").form


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"])
def test_a_visitor_who_comes_through_a_proxy_of_this_computer_is_not_at_this_computer(
    evening: str, header: str
) -> None:
    """Only reading is allowed from elsewhere, and no visitor may show a new address in the program's window."""
    with client(evening, address="127.0.0.1") as pages:
        assert pages.post("/desk/sign-out", headers=ORIGIN).text.count("this page is for the desk") > 0
        proxied = pages.post("/desk/sign-out", headers={**ORIGIN, header: "203.0.113.9"})
        assert proxied.status_code == 403
        assert "here the event can only be read" in proxied.text


def test_a_language_that_is_chosen_never_leads_to_another_host(pages: TestClient) -> None:
    assert not pages.get("//evil.example/?lang=es").headers["location"].startswith("//")


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("es-MX,es;q=0.9,en;q=0.8", "es"),
        ("en;q=0.5,es;q=0.9", "es"),
        ("fr,en;q=0.1", "en"),
        ("es;q=0", "en"),
        ("fr", "en"),
        ("", "en"),
        ("es;q=nonsense,,;;q=1", "en"),
        ("x," * 5000 + "es", "en"),
    ],
)
def test_the_language_is_the_first_of_ours_that_the_browser_accepts(
    pages: TestClient, accepted: str, language: str
) -> None:
    assert f'<html lang="{language}">' in pages.get("/", headers={"Accept-Language": accepted}).text


def test_200_visitors_between_two_changes_cost_one_render(evening: str) -> None:
    renders = []

    def page(_asked: Asked) -> Content:
        renders.append(1)
        return Content(b"page", "text/plain")

    with client(evening, pages=(Page("/", page),)) as pages:
        for visits in (200, 20):
            texts = {pages.get(f"/?other={visit}").text for visit in range(visits)}
            assert texts == {"page"}
            apply(evening, RegisterPlayers([f"Zoe {len(renders)}"]))
        pages.get("/")
    assert len(renders) == 3


def test_an_unchanged_page_is_not_sent_again(pages: TestClient, evening: str) -> None:
    tag = pages.get("/").headers["etag"]
    assert pages.get("/", headers={"If-None-Match": tag}).status_code == 304


def test_a_kept_page_is_compressed_once_for_all_who_can_read_it(evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is the same either way; the desk's, which may hold what nobody else knows, is sent as it is."""
    made = list[int]()

    def compress(body: bytes, level: int, **how: int) -> bytes:
        made.append(len(body))
        return gzip.compress(body, level, **how)

    monkeypatch.setattr(answers, "compress", compress)
    with client(evening, address="127.0.0.1", signed_in=True) as pages:
        made.clear()
        plain = pages.get("/", headers={"Accept-Encoding": "identity"})
        for _visit in range(3):
            zipped = pages.get("/", headers={"Accept-Encoding": "br, gzip"})
            assert zipped.headers["content-encoding"] == "gzip"
            assert int(zipped.headers["content-length"]) < len(plain.content)
        assert made == [len(plain.content)]
        assert "content-encoding" not in plain.headers
        assert (zipped.text, zipped.headers["etag"]) == (plain.text, plain.headers["etag"])
        assert "content-encoding" not in pages.get("/desk").headers


def test_a_file_of_ours_is_kept_for_good_under_the_address_that_pages_name(pages: TestClient) -> None:
    """An address with another mark, or none, is asked for again."""
    (address,) = re.findall(r'href="(/static/style.css[^"]*)"', pages.get("/").text)
    style = pages.get(address)
    assert "immutable" in style.headers["cache-control"]
    assert re.sub(r"woff2\?[0-9a-f]{12}", "woff2", style.text) == (STATIC / "style.css").read_text(encoding="utf-8")
    for other in ("/static/style.css", "/static/style.css?0123456789ab"):
        assert pages.get(other).headers["cache-control"] == "no-cache"
    assert pages.get("/static/nothing.css").status_code == 404


def test_pages_have_letters_of_ours_at_most_120_kb_under_addresses_that_a_browser_keeps(pages: TestClient) -> None:
    front = pages.get("/").text
    (style,) = re.findall(r'href="(/static/style.css[^"]*)"', front)
    named = re.findall(r"url\(([^)]+)\)", pages.get(style).text)
    assert re.findall(r'<link rel="preload" href="/static/([^"]+)" as="font"', front) == named[:1]
    fonts = [pages.get(f"/static/{name}") for name in named]
    assert {font.headers["content-type"] for font in fonts} == {"font/woff2"}
    assert all("immutable" in font.headers["cache-control"] for font in fonts)
    assert len(fonts) == 2
    assert sum(len(font.content) for font in fonts) <= 120_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in pages.get("/static/OFL.txt").text


@pytest.mark.parametrize("style", ["style.css", "sheet.css"])
def test_each_size_of_type_on_pages_is_one_of_five(style: str) -> None:
    """Paper is measured in points and pictures in their own unit; what fills a window follows from the window."""
    text = re.sub(r"@media print \{.*?\n\}|\.plot[.\w]* \{[^}]*\}", "", (STATIC / style).read_text("utf-8"), flags=re.S)
    sizes = set(re.findall(r"font(?:-size)?: (?:\w+\()?[^;\"]*?([\d.]+(?:rem|px|pt)|--t\d+)", text))
    assert sizes <= {"--t14", "--t17", "--t22", "--t32", "--t64"}
    assert "--t22" in sizes


def test_every_page_has_the_logo_the_name_and_the_colour_of_the_club(evening: str) -> None:
    """Without a club no page has anything of it; a page that is refused before it is read tells nothing of it."""
    with client(evening, address="127.0.0.1", signed_in=True) as pages:
        shown = ("/", "/tables", "/screen", "/desk", "/nothing")
        assert not any(re.search("/club/|logo", pages.get(path).text) for path in shown)
        assert pages.get("/club/logo.png").status_code == 404
        apply(evening, SetClub("Club <b>", "red", desk.LOGO))
        for path in shown:
            text = pages.get(path).text
            assert '<span class="logo"></span>' in text, path
            assert '<span class="club" dir="auto">Club &lt;b&gt;</span>' in text
            assert '<link rel="stylesheet" href="/club/style.css">' in text
        style = pages.get("/club/style.css")
        light, dark = Club(colour="red").accents
        assert style.headers["content-type"] == "text/css; charset=utf-8"
        assert re.findall("accent: (#[0-9a-f]{6});", style.text) == [light, dark]
        assert 'aspect-ratio: 3 / 2; background-image: url("/club/logo.png")' in style.text
        refused = pages.get("/", headers={"Host": "evil.example"})
        assert (refused.status_code, "Club" in refused.text) == (421, False)


def test_the_logo_is_a_picture_with_a_strong_tag_and_is_sent_once(evening: str) -> None:
    apply(evening, SetClub(logo=desk.LOGO))
    with client(evening) as pages:
        logo = pages.get("/club/logo.png", headers={"Accept-Encoding": "gzip"})
        assert (logo.content, logo.headers["content-type"]) == (desk.LOGO, "image/png")
        assert logo.headers["x-content-type-options"] == "nosniff"
        assert re.fullmatch('"[0-9a-f]{24}"', logo.headers["etag"])
        assert "content-encoding" not in logo.headers
        again = pages.get("/club/logo.png", headers={"If-None-Match": logo.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_pages_of_the_desk_are_not_kept_and_are_for_the_desk(evening: str) -> None:
    renders = []

    def page(_asked: Asked) -> Content:
        renders.append(1)
        return Content(b"page", "text/plain")

    with client(evening, pages=(Page("/desk", page, "desk"),), address="127.0.0.1") as pages:
        assert pages.get("/desk").status_code == 403
    assert renders == []


def test_a_version_differs_after_each_change_and_each_start(evening: str) -> None:
    live = Live(evening)
    first = live.version
    assert live.version == first
    apply(evening, RegisterPlayers(["Zoe"]))
    assert live.version != first
    assert Live(evening).version != live.version


async def _listen(live: Live) -> AsyncIterator[str]:
    listener = Listener("192.168.1.50")
    with live.listening(listener):
        async for event in live.stream(listener):
            yield event


def test_a_visitor_is_notified_of_a_change(evening: str) -> None:
    async def visit() -> list[str]:
        live = Live(evening)
        live.look()
        watcher = asyncio.create_task(live.watch(asyncio.to_thread))
        stream = _listen(live)
        first = await anext(stream)
        waiting = asyncio.create_task(anext(stream))
        await asyncio.sleep(0)
        await asyncio.to_thread(apply, evening, RegisterPlayers(["Zoe"]))
        second = await asyncio.wait_for(waiting, 300)
        watcher.cancel()
        return [first, second]

    messages = [json.loads(event.removeprefix("data: ")) for event in asyncio.run(visit())]
    assert messages[0]["version"] != messages[1]["version"]


def test_an_event_that_is_not_there_is_not_found(evening: str) -> None:
    with client(evening, "Monday") as pages:
        answer = pages.get("/")
    assert answer.status_code == 404
    assert "Monday" in answer.text


def test_a_server_without_a_database_says_so(tmp_path) -> None:
    with client(str(tmp_path / "none.db")) as pages:
        assert pages.get("/").status_code == 404


def test_settings_are_read_only_by_default() -> None:
    assert not Settings().entry


def test_what_a_service_reads_is_read_once_for_each_version(evening: str) -> None:
    """Not a refusal, which may be gone with the next question."""
    server, asked = Server(Settings(evening)), list[str]()

    def read(text: str) -> str:
        asked.append(text)
        if text == "bad":
            raise TourneyError(ExitCode.NOT_FOUND, "no")
        return text.upper()

    assert [server.once(read, "a"), server.once(read, "b"), server.once(read, "a")] == ["A", "B", "A"]
    assert asked == ["a", "b"]
    for _time in range(2):
        with pytest.raises(TourneyError):
            server.once(read, "bad")
    assert asked == ["a", "b", "bad", "bad"]
    apply(evening, RegisterPlayers(["Somebody Else"]))
    assert server.once(read, "a") == "A"
    assert asked == ["a", "b", "bad", "bad", "a"]


def test_what_the_desk_reads_of_a_draft_is_not_kept_for_everybody(tmp_path) -> None:
    """The attack: after a page that was not found, pages for everybody took the stage that a draft begins."""
    db = str(tmp_path / "club.db")
    with_stages(db, 8, Stage("Qualifying", 1, "rotation"), FINAL)
    play_round(db)
    apply(db, DrawRound(draft=True))
    server = Server(Settings(db))
    begun = [stage.begun for stage in server.shown_event().settings.stages]
    with storage.as_published():
        assert [stage.begun for stage in server.shown_event().settings.stages] == [True, False]
    assert begun == [True, True]


def test_a_cookie_is_read_as_it_was_sent(pages: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: one quoted cookie of backslashes held the whole server for 28 s, while Python unquoted it."""
    monkeypatch.setattr("http.cookies._unquote", lambda _text: pytest.fail("a cookie was unquoted"))
    for path in ("/", "/nothing", "/static/style.css"):
        assert pages.get(path, headers={"Cookie": 'a="' + "\\" * 1000 + '"; b'}).status_code in (200, 404)
