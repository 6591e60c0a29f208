"""Tests of every page with axe, in both languages, light and dark, on a phone and on a computer; and of its targets.

Every run looks at a few pages where Chromium is installed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext

from tests.harness.slow import slow
from tests.harness.web import routes
from tests.harness.web.asking import client
from tests.harness.web.browser import BROWSED, chromium, serving
from tests.harness.web.routes import handsets, reached
from tests.harness.web.watched import PHONE, TABLET, small_targets, too_wide, visitor
from tourney.service.web.access import sign_in_token

pytestmark = BROWSED

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
ColorScheme = Literal["light", "dark"]
QUICK = ("/", "/seating", "/desk")
"""The paths that every run looks at."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Serve an evening that has something on every page; yield the database and the address."""
    db = routes.evening(str(tmp_path_factory.mktemp("web") / "club.db"))
    with serving(db) as address:
        yield db, address


def visits(db: str) -> Iterator[tuple[Mapping[str, str], list[str]]]:
    """Yield the paths of all pages that are read, and of those to which they lead, with the cookies of who reads."""
    with client(db, entry=True, signed_in=True) as pages:
        yield {}, list(reached(pages))
        for handset in handsets(db).values():
            pages.cookies.update(handset.cookies)
            found = reached(pages, handset.token, ("table",))
            yield handset.cookies, [path for path in found if path.startswith("/t/")]


def faults(context: BrowserContext, address: str, every: list[str]) -> Iterator[str]:
    """Yield the serious faults of pages that axe finds, and what does not suit a phone."""
    page, axe = context.new_page(), Axe()
    for path in every:
        answer = page.goto(address + path)
        assert answer is not None
        if answer.status != 200:
            yield f"{path}: {answer.status}"
        for found in axe.run(page, options=RULES).response["violations"]:
            if found["impact"] in ("serious", "critical"):
                yield f"{path}: {found['id']}: {json.dumps([node['html'] for node in found['nodes']][:3])}"
        if context.pages[0].viewport_size == {"width": PHONE[0], "height": PHONE[1]}:
            if too_wide(page):
                yield f"{path}: too wide"
            yield from (f"{path}: too small: {target}" for target in small_targets(page))
    page.close()  # A browser keeps few connections to a host, and each open page holds one.


Visits = Iterable[tuple[Mapping[str, str], list[str]]]


def looked_at(
    browser: Browser, served: tuple[str, str], size: tuple[int, int], lang: str, scheme: ColorScheme, visits: Visits
) -> None:
    db, address = served
    found = list[str]()
    with visitor(browser, {urlsplit(address).netloc}, size, lang, color_scheme=scheme) as context:
        page = context.new_page()
        page.goto(f"{address}/sign-in/{sign_in_token(db)}")
        page.close()
        for cookies, every in visits:
            for name, value in cookies.items():
                context.add_cookies([{"name": name, "value": value, "url": address}])
            found += faults(context, address, every)
    assert found == []


@pytest.mark.parametrize(("size", "lang", "scheme"), [(PHONE, "es", "dark")])
def test_pages_have_no_serious_fault(
    browser: Browser, served: tuple[str, str], size: tuple[int, int], lang: str, scheme: ColorScheme
) -> None:
    hand = handsets(served[0])["hand"]
    looked_at(browser, served, size, lang, scheme, [(hand.cookies, [*QUICK, f"/t/{hand.token}"])])


@pytest.mark.parametrize("size", slow([(PHONE,), (TABLET,)]), ids=["phone", "tablet"])
@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_has_no_serious_fault(
    browser: Browser, served: tuple[str, str], size: tuple[int, int], lang: str, scheme: ColorScheme
) -> None:
    looked_at(browser, served, size, lang, scheme, visits(served[0]))
