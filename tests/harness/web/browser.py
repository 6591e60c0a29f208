"""Open web pages in Debian's Chromium, against a server in a thread of this process."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.harness.paper.chromium import NAMES, executable
from tests.harness.web.threaded import in_thread
from tourney.service.web.access import sign_in_token
from tourney.web.server import Server, Settings

BROWSED = [] if any(map(shutil.which, NAMES)) else [pytest.mark.slow]
"""Marks of quick tests in the browser: every run has them where it is installed, `.ci/nightly` everywhere."""


PATIENCE = 300_000
"""The milliseconds that a page or the browser may take: they only end a hang."""
expect.set_options(timeout=PATIENCE)
_PATIENT_PAGES = f"AbortSignal.timeout = (limit => () => limit({PATIENCE}))(AbortSignal.timeout.bind(AbortSignal));"
"""A page that gives up waiting does otherwise what it asked for, as on a busy machine: here it waits."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser. Its absence is a failure, as in tests of paper."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=["--no-sandbox"], timeout=PATIENCE)
        new_context = browser.new_context

        def patient(**settings: Any) -> BrowserContext:
            context = new_context(**settings)
            context.set_default_timeout(PATIENCE)
            return context

        browser.new_context = patient
        try:
            yield browser
        finally:
            browser.close()


def sign_in(page: Page, address: str, db: str, run: str = "") -> None:
    """Make the browser of a page a desk of the server at this address, in this run of it."""
    page.goto(f"{address}/sign-in/{sign_in_token(db, Settings(run=run).mark)}")
    page.locator("main button").click()


@contextmanager
def serving(db: str, event: str | None = None, port: int = 0, run: str = "") -> Iterator[str]:
    """Serve the database on this computer, on a free port if none is given, and return the address."""
    with in_thread(Server(Settings(db, event, run=run)), port) as taken:
        yield f"http://127.0.0.1:{taken}"


@contextmanager
def desk_page(browser: Browser, db: str, size: tuple[int, int]) -> Iterator[Page]:
    """Serve the database, and yield a page of a desk that is signed in, in a window of this width and height."""
    width, height = size
    context = browser.new_context(locale="en", viewport={"width": width, "height": height})
    with serving(db) as address:
        opened = context.new_page()
        opened.add_init_script(_PATIENT_PAGES)
        sign_in(opened, address, db)
        opened.goto(f"{address}/desk")
        yield opened
        context.close()
