"""Tests in the browser of other programs of the computer: they get neither a desk's key nor its questions or pages."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Response, expect
from pypdf import PdfReader

from tests.harness import desk
from tests.harness.web.browser import BROWSED, chromium
from tests.harness.web.process import Program, program
from tourney.service.change import apply
from tourney.service.events.events import EnterPlayers
from tourney.service.players import RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound

pytestmark = BROWSED

STOLEN = "everything is ours"
WORKER = f"""
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil(clients.claim()));
self.addEventListener('fetch', event => event.respondWith(
  new Response('{STOLEN}', {{ headers: {{ 'Content-Type': 'text/html' }} }})));
"""
PAGE = """<!DOCTYPE html><title>ours</title><main id="main"></main><script>
navigator.serviceWorker.register('/worker.js', { scope: '/' }).then(() => navigator.serviceWorker.ready)
  .then(() => { document.title = 'planted'; });
</script>"""


@contextmanager
def thief(port: int = 0) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Run a server of somebody else on this computer; yield its port, and the paths and cookies that it gets.

    Each of its pages installs a service worker, which answers for the whole origin from then on.
    """
    asked = list[tuple[str, str]]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers.get("Cookie", "")))
            is_worker = self.path == "/worker.js"
            body = (WORKER if is_worker else PAGE).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/javascript" if is_worker else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "max-age=31536000")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield int(server.server_address[1]), asked
        finally:
            server.shutdown()


def test_another_port_gets_no_key_of_a_desk_and_an_ended_desk_asks_nobody(tmp_path: Path) -> None:
    """The attacks: a page of another port got the cookie with its icon, and after Ctrl-C whoever took the port."""
    db = desk.copied(tmp_path / "club.db", desk.event)
    with program(db, "desk", "--no-open") as running, chromium() as browser:
        context = browser.new_context(service_workers="block")
        page = open_desk(context, running)
        with thief() as (port, asked):
            other = context.new_page()
            for path in ("/page", "/desk", "/desk/people", "/sign-in"):
                other.goto(f"http://127.0.0.1:{port}{path}")
            other.evaluate("fetch('/desk/again', { credentials: 'include' })")
            other.close()
        assert len(asked) >= 5
        assert [cookie for _path, cookie in asked if "tourney_desk" in cookie] == []
        home = page.evaluate("deskPath")
        assert "tourney_desk" in str(context.cookies(urljoin(page.url, home)))
        assert "tourney_desk" not in str(context.cookies(page.url))
        page.bring_to_front()
        running.end()
        expect(page.locator("#lost")).to_be_visible()
        with thief(running.port) as (_port, asked):
            page.evaluate("dispatchEvent(new Event('online'))")
            page.wait_for_timeout(500)
            assert asked == []
        running.start()


def open_desk(context: BrowserContext, running: Program) -> Page:
    """Sign in as a desk, by the address that the program showed; return the page."""
    page = context.new_page()
    page.goto(running.sign_in)
    page.locator("main button").click()
    page.wait_for_url("**/desk")
    return page


def links_in(pdf: bytes) -> list[str]:
    """Return the addresses to which a PDF leads."""
    notes = (note.get_object() for page in PdfReader(BytesIO(pdf)).pages for note in page.get("/Annots", ()))
    return [str(note["/A"]["/URI"]) for note in notes if "/URI" in note.get("/A", {})]


PRINTED = (
    *("", "/people", "/people/1", "/rounds", "/results", "/results/1", "/results/1/1", "/desks", "/events", "/nothing"),
    *("/events/settings", "/events/import", "/paper", "/paper/files", "/paper/messages", "/paper/phones", "/undo"),
    *("/paper/print/slips?round=1", "/paper/print/signs", "/paper/print/standings"),
)
"""Pages of the desk under its path; the last ones are for paper, and one is a refusal."""


def test_nothing_that_a_browser_prints_or_keeps_of_a_desk_tells_the_path_of_its_key(tmp_path: Path) -> None:
    """The attacks: paper had the path at its foot, and PDFs in links; at another port it got the desk's key."""
    db = desk.copied(tmp_path / "club.db", desk.event)
    apply(db, DrawRound())
    with program(db, "desk", "--no-open") as running, chromium() as browser:
        context = browser.new_context(service_workers="block")
        page = open_desk(context, running)
        home = page.evaluate("deskPath")
        assert re.fullmatch(r"/desk-[\w-]{22}", home)
        led = set[str]()
        for path in PRINTED:
            page.goto(urljoin(page.url, home + path))
            page.wait_for_url(f"**/desk{path}")
            pdf = page.pdf(display_header_footer=True)
            links = links_in(pdf)
            led |= {urlsplit(link).path for link in links}
            text = "".join(each.extract_text() for each in PdfReader(BytesIO(pdf)).pages)
            assert "/desk-" not in " ".join([text, *links, page.content()]), path
        assert {"/desk", "/desk/people/1", "/desk/events/settings"} <= led
        with thief() as (port, asked):
            page.goto(f"http://{urlsplit(page.url).hostname}:{port}/desk/people")
        assert [cookie for path, cookie in asked if "tourney_desk" in cookie] == []


COPIED = """async () => {
  getSelection().selectAllChildren(document.body);
  document.execCommand('copy');
  const [copied] = await navigator.clipboard.read();
  return (await copied.getType('text/html')).text();
}"""
ALL_ADDRESSES = """[...document.querySelectorAll('[href], [action], [formaction]')]
  .flatMap(each => ['href', 'action', 'formaction'].map(name => each.getAttribute(name) ?? ''))"""


def test_the_links_and_forms_of_a_desk_lead_on_without_its_path_in_them(tmp_path: Path) -> None:
    """By click, key, middle button, another tab and form, and after the page has been changed by another desk."""
    db = desk.copied(tmp_path / "club.db", desk.event)
    with program(db, "desk", "--no-open") as running, chromium() as browser:
        context = browser.new_context(locale="en", permissions=["clipboard-read", "clipboard-write"])
        page = open_desk(context, running)
        answers = list[int]()

        def note(answer: Response) -> None:
            answers.append(answer.status)

        context.on("response", note)
        heading, link = page.locator("h1"), page.get_by_role("link", name="People").first
        link.click()
        page.wait_for_url("**/desk/people")
        people = heading.inner_text()
        page.get_by_role("link", name="Rounds").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/desk/rounds")
        for how in ({"button": "middle"}, {"modifiers": ["Control"]}):
            with context.expect_page() as opened:
                link.click(**how)
            opened.value.wait_for_url("**/desk/people")
            expect(opened.value.locator("h1")).to_have_text(people)
            opened.value.close()
        page.goto(urljoin(page.url, page.evaluate("deskPath") + "/backup"))
        with page.expect_download() as saved:
            page.locator("a[href^='/desk/paper/files/event']").click()
        assert saved.value.path().stat().st_size
        assert [status for status in answers if status != 200] == []
        page.goto(urljoin(page.url, "/desk/people/enrol"), wait_until="commit")
        page.locator("textarea").fill("Zoe")
        page.get_by_role("button", name="Check the names").click()
        expect(page.get_by_text("Zoe").first).to_be_visible()
        copied = page.evaluate(COPIED)
        assert "/desk/people" in copied
        assert "/desk-" not in copied
        page.goto(urljoin(page.url, "/desk/people"), wait_until="commit")
        page.wait_for_load_state()
        apply(db, RegisterPlayers(["Yago"]))
        apply(db, EnterPlayers("Friday", ["Yago"]))
        expect(page.get_by_text("Yago").first).to_be_visible()
        assert [address for address in page.evaluate(ALL_ADDRESSES) if "/desk-" in address] == []
        page.get_by_role("link", name="Español").click()
        expect(page.locator("html")).to_have_attribute("lang", "es")
        page.wait_for_url("**/desk/people")
        page.get_by_role("link", name="Yago").first.click()
        expect(heading).to_contain_text("Yago")


@pytest.mark.parametrize(
    "kept", ["//127.0.0.1:{port}/desk#", "/desk-/../..//127.0.0.1:{port}", "/t/abc", "javascript:0"]
)
def test_an_address_that_another_program_has_kept_leads_nowhere(tmp_path: Path, kept: str) -> None:
    """The attack: a program that had the port before left an address, to which `/desk` then led for ever."""
    db = desk.copied(tmp_path / "club.db", desk.event)
    with program(db, "desk", "--no-open") as running, chromium() as browser, thief() as (port, asked):
        page = browser.new_context(service_workers="block").new_page()
        page.goto(f"{running.here}/seating")
        page.evaluate("text => localStorage.setItem('tourney desk', text)", kept.format(port=port))
        page.goto(f"{running.here}/desk/people")
        expect(page.locator("h1")).to_have_text("this page is for the desk")
        page.wait_for_timeout(300)
        assert (page.url, asked) == (f"{running.here}/desk/people", [])
        assert page.evaluate("localStorage.getItem('tourney desk')") is None


def test_the_address_that_a_desk_shows_leads_to_its_page_in_its_browser_alone(tmp_path: Path) -> None:
    """A page is loaded again and gone back to; in another window a desk that has signed out is refused."""
    db = desk.copied(tmp_path / "club.db", desk.event)
    with program(db, "desk", "--no-open") as running, chromium() as browser:
        context = browser.new_context()
        page = open_desk(context, running)
        page.get_by_role("link", name="People").first.click()
        heading = page.locator("h1").inner_text()
        page.reload()
        expect(page.locator("#name, .desk").first).to_be_visible()
        expect(page.locator("h1")).to_have_text(heading)
        page.get_by_role("link", name="Rounds").first.click()
        expect(page.locator("h1")).not_to_have_text(heading)
        page.go_back()
        expect(page.locator("h1")).to_have_text(heading)
        assert page.url.endswith("/desk/people")
        other = context.new_page()
        other.goto(page.url, wait_until="commit")
        expect(other.locator("h1")).to_have_text(heading)
        stranger = browser.new_context().new_page()
        stranger.goto(page.url)
        expect(stranger.locator("h1")).to_have_text("this page is for the desk")
        page.goto(urljoin(page.url, page.evaluate("deskPath") + "/sign-out"))
        page.locator("form[action$='/sign-out'] button").click()
        page.wait_for_url(lambda url: "/desk" not in url)
        other.goto(urljoin(page.url, "/desk/people"), wait_until="commit")
        expect(other.locator("h1")).to_have_text("this page is for the desk")


def test_a_service_worker_from_between_two_runs_does_not_see_the_second_one(tmp_path: Path) -> None:
    """The attack: after Ctrl-C another user takes the port, and an open tab is loaded again from their program."""
    db = desk.copied(tmp_path / "club.db", desk.event)
    with program(db, "desk", "--no-open") as running, chromium() as browser:
        page = open_desk(browser.new_context(), running)
        before = page.url
        running.end()
        with thief(running.port):
            page.goto(before)
            expect(page).to_have_title("planted")
        page.goto(before)
        assert STOLEN in page.content(), "it answers for its origin although its program has ended"
        running.start()
        page.goto(running.sign_in)
        assert STOLEN not in page.content()
        page.locator("main button").click()
        page.wait_for_url("**/desk")
        assert urlsplit(page.url).port == urlsplit(before).port
        expect(page.get_by_role("link", name="Rounds").first).to_be_visible()
        assert page.evaluate("navigator.serviceWorker.controller") is None
        for path in ("/", "/seating", "/sign-in"):
            page.goto(f"http://{urlsplit(page.url).netloc}{path}")
            assert STOLEN not in page.content()
