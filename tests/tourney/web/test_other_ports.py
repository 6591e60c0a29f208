"""Tests in the browser of what other programs of the computer get from a desk: neither its key nor its questions."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import expect

from tests.harness import desk
from tests.harness.web.browser import BROWSED, chromium
from tests.harness.web.process import program

pytestmark = BROWSED


@contextmanager
def thief(port: int = 0) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Run a server of somebody else on this computer; yield its port, and the paths and cookies that it gets."""
    asked = list[tuple[str, str]]()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers.get("Cookie", "")))
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

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
        context = browser.new_context()
        page = context.new_page()
        page.goto(running.sign_in)
        page.locator("main button").click()
        page.wait_for_url("**/desk-*")
        with thief() as (port, asked):
            other = context.new_page()
            for path in ("/page", "/desk", "/desk/people", "/sign-in"):
                other.goto(f"http://127.0.0.1:{port}{path}")
            other.evaluate("fetch('/desk/again', { credentials: 'include' })")
            other.close()
        assert len(asked) >= 5
        assert [cookie for _path, cookie in asked if "tourney_desk" in cookie] == []
        assert "tourney_desk" in str(context.cookies(page.url))
        page.bring_to_front()
        assert running._process is not None
        running._process.send_signal(signal.SIGINT)
        running._process.communicate(timeout=20)
        expect(page.locator("#lost")).to_be_visible()
        with thief(running.port) as (_port, asked):
            page.evaluate("dispatchEvent(new Event('online'))")
            page.wait_for_timeout(500)
            assert asked == []
        running.start()
