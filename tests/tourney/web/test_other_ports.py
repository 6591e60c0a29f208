"""Tests in the browser of other programs of the computer: they get neither a desk's key nor its questions or pages."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import expect
from pypdf import PdfReader

from tests.harness import desk
from tests.harness.web.browser import BROWSED, chromium
from tests.harness.web.process import program
from tourney.service.change import apply
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
        page = context.new_page()
        page.goto(running.sign_in)
        page.locator("main button").click()
        page.wait_for_url("**/desk")
        with thief() as (port, asked):
            other = context.new_page()
            for path in ("/page", "/desk", "/desk/people", "/sign-in"):
                other.goto(f"http://127.0.0.1:{port}{path}")
            other.evaluate("fetch('/desk/again', { credentials: 'include' })")
            other.close()
        assert len(asked) >= 5
        assert [cookie for _path, cookie in asked if "tourney_desk" in cookie] == []
        home = page.evaluate("document.documentElement.dataset.desk")
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


def test_nothing_that_a_browser_prints_of_a_desk_tells_the_path_of_its_key(tmp_path: Path) -> None:
    """The attack: paper had the path at its foot, and a link to it at another port got the desk's key."""
    db = desk.copied(tmp_path / "club.db", desk.event)
    apply(db, DrawRound())
    with program(db, "desk", "--no-open") as running, chromium() as browser:
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        page.goto(running.sign_in)
        page.locator("main button").click()
        page.wait_for_url("**/desk")
        home = page.evaluate("document.documentElement.dataset.desk")
        assert re.fullmatch(r"/desk-[\w-]{22}", home)
        for path in ("/people", "/rounds", "/results", "/paper/print/slips?round=1", "/paper/print/signs", "/nothing"):
            page.goto(urljoin(page.url, home + path))
            page.wait_for_url(f"**/desk{path}")
            pdf = PdfReader(BytesIO(page.pdf(display_header_footer=True)))
            assert "/desk-" not in "".join(each.extract_text() for each in pdf.pages), path
        with thief() as (port, asked):
            page.goto(f"http://{urlsplit(page.url).hostname}:{port}/desk/people")
        assert [cookie for path, cookie in asked if "tourney_desk" in cookie] == []


def test_the_address_that_a_desk_shows_leads_to_its_page_in_its_browser_alone(tmp_path: Path) -> None:
    """A page is loaded again and gone back to; in another window a desk that has signed out is refused."""
    db = desk.copied(tmp_path / "club.db", desk.event)
    with program(db, "desk", "--no-open") as running, chromium() as browser:
        context = browser.new_context()
        page = context.new_page()
        page.goto(running.sign_in)
        page.locator("main button").click()
        page.wait_for_url("**/desk")
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
        page.goto(urljoin(page.url, page.evaluate("document.documentElement.dataset.desk") + "/sign-out"))
        page.locator("form[action$='/sign-out'] button").click()
        page.wait_for_url(lambda url: "/desk" not in url)
        other.goto(urljoin(page.url, "/desk/people"), wait_until="commit")
        expect(other.locator("h1")).to_have_text("this page is for the desk")


def test_a_service_worker_from_between_two_runs_does_not_see_the_second_one(tmp_path: Path) -> None:
    """The attack: after Ctrl-C another user takes the port, and an open tab is loaded again from their program."""
    db = desk.copied(tmp_path / "club.db", desk.event)
    with program(db, "desk", "--no-open") as running, chromium() as browser:
        page = browser.new_context().new_page()
        page.goto(running.sign_in)
        page.locator("main button").click()
        page.wait_for_url("**/desk")
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
