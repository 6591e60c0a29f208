"""Open web pages in Debian's Chromium, against a server in a thread of this process."""

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from socket import socket

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from tests.harness.paper.chromium import NAMES, executable
from tourney.service.web.access import sign_in_token
from tourney.web.app import application
from tourney.web.server import Server, Settings

START_SECONDS = 20.0
BROWSED = [] if any(map(shutil.which, NAMES)) else [pytest.mark.slow]
"""Marks of quick tests in the browser: every run has them where it is installed, `.ci/nightly` everywhere."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser. Its absence is a failure, as in tests of paper."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def sign_in(page: Page, address: str, db: str, run: str = "") -> None:
    """Make the browser of a page a desk of the server at this address, in this run of it."""
    page.goto(f"{address}/sign-in/{sign_in_token(db, Settings(run=run).mark)}")
    page.locator("main button").click()


@contextmanager
def serving(db: str, event: str | None = None, port: int | None = None, run: str = "") -> Iterator[str]:
    """Serve the database on this computer, on a free port if none is given, and return the address."""
    port = port or _free_port()
    served = Server(Settings(db, event, run=run))
    server = uvicorn.Server(uvicorn.Config(application(served), port=port, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        _wait_for(server)
        yield f"http://127.0.0.1:{port}"
    finally:
        served.live.close_from_thread()
        server.should_exit = True
        thread.join(START_SECONDS)


def _free_port() -> int:
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _wait_for(server: uvicorn.Server) -> None:
    end = time.monotonic() + START_SECONDS
    while not server.started:
        assert time.monotonic() < end, "the server has not started"
        time.sleep(0.02)
