"""Visitors in Chromium whose every request and message is watched: one to another host, or an error, fails the test."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

PHONE, TABLET, WALL = (360, 740), (1024, 768), (1920, 1080)
"""The sizes of a window in pixels: the narrowest phone, the desk's computer, and a projector."""
EXPECTED = ("net::ERR_", *(f"status of {status}" for status in (400, 403, 404, 409, 410, 429)))
"""Messages of the console that are none of errors in a page: a lost network, and a refusal that a test asks for."""


class Watch:
    """Everything that a visitor's pages did which no page may do."""

    def __init__(self, context: BrowserContext, hosts: Collection[str]) -> None:
        self.faults: list[str] = []
        self._hosts = {*hosts, ""}
        context.on("request", self._asked)
        context.on("response", self._answered)
        context.on("console", self._said)
        context.on("weberror", lambda error: self.faults.append(f"script: {error.error}"))

    def _asked(self, request: Request) -> None:
        if urlsplit(request.url).netloc not in self._hosts:
            self.faults.append(f"another host: {request.url}")

    def _answered(self, response: Response) -> None:
        if response.status >= 500:
            self.faults.append(f"{response.status}: {response.url}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(word in message.text for word in EXPECTED):
            self.faults.append(f"console: {message.text}")


_NUMBERS = count(1)
"""Every visitor has a browser of their own."""


@contextmanager
def visitor(
    browser: Browser, hosts: Collection[str], size: tuple[int, int] = PHONE, lang: str = "en", **settings: Any
) -> Iterator[BrowserContext]:
    """Open a browser of its own for a visitor, and assert in the end that its pages asked no other host than these.

    Hosts are as in addresses, with their ports. A window of a phone's size is touched.
    """
    width, height = size
    touched = size == PHONE
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=lang,
        has_touch=touched,
        is_mobile=touched,
        user_agent=f"Mozilla/5.0 (visitor {next(_NUMBERS)}) Chrome/140",
        **settings,
    )
    watch = Watch(context, hosts)
    try:
        yield context
    finally:
        context.close()
    assert watch.faults == []


def too_wide(page: Page) -> bool:
    """Return whether a page has to be moved sideways to be read."""
    return bool(page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


SMALL = """
(least) => {
  const found = [];
  const shown = (box) => box.width > 1 && box.height > 1;
  const targets = "button, input:not([type=hidden]), select, textarea, summary, nav a, a.button, label.button";
  for (const each of document.querySelectorAll(targets)) {
    // A box to tick is touched with its label, and a field of the same size as its label may be.
    const label = each.closest("label") || (each.id && document.querySelector(`label[for="${CSS.escape(each.id)}"]`));
    const boxes = [each.getBoundingClientRect()];
    if (label && (each.type === "checkbox" || each.type === "radio")) boxes.push(label.getBoundingClientRect());
    if (!boxes.some(shown) || each.closest("[hidden]") || !each.checkVisibility()) continue;
    const height = Math.max(...boxes.map((box) => box.height));
    if (height < least - 0.5) found.push(`${each.tagName} ${each.name || each.textContent.trim()} ${height}`);
  }
  return found;
}
"""


def small_targets(page: Page, least: float = 44) -> list[str]:
    """Return the buttons, fields and links of a navigation that are lower than a finger needs, in pixels."""
    return list(page.evaluate(SMALL, least))
