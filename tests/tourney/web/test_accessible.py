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

from tests.harness.web import routes
from tests.harness.web.asking import client
from tests.harness.web.browser import BROWSED, serving, sign_in
from tests.harness.web.routes import handsets, reached
from tests.harness.web.watched import PHONE, TABLET, small_targets, too_wide, visitor

pytestmark = BROWSED

Rules = dict[str, list[str]]
RESULTS = {"resultTypes": ["violations"]}
RULES: Rules = {**RESULTS, "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
CONTRAST: Rules = {**RESULTS, "runOnly": ["color-contrast"]}
"""The only rule on which a dark scheme bears: it has other colours, and nothing else."""
ColorScheme = Literal["light", "dark"]
QUICK = ("/", "/seating", "/desk")
"""The paths that every run looks at."""


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


VIEWS: tuple[tuple[tuple[int, int], ColorScheme, Rules], ...] = (
    (PHONE, "light", RULES),
    (PHONE, "dark", CONTRAST),
    (TABLET, "light", RULES),
    (TABLET, "dark", CONTRAST),
)
"""Sizes of the window and colour schemes, with the rules of axe that each can break."""


def faults(context: BrowserContext, address: str, every: list[str]) -> Iterator[str]:
    """Yield the serious faults of pages that axe finds, and what does not suit a phone; each page is loaded once."""
    page, source = context.new_page(), Axe().axe_script
    for path in every:
        answer = page.goto(address + path)
        assert answer is not None
        if answer.status != 200:
            yield f"{path}: {answer.status}"
        page.evaluate(source)
        for (width, height), scheme, rules in VIEWS:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            for found in page.evaluate("options => axe.run(document, options)", rules)["violations"]:
                if found["impact"] in ("serious", "critical"):
                    nodes = json.dumps([node["html"] for node in found["nodes"]][:3])
                    yield f"{path}, {width} pixels, {scheme}: {found['id']}: {nodes}"
            if (width, height) == PHONE and scheme == "light":
                if too_wide(page):
                    yield f"{path}: too wide"
                yield from (f"{path}: too small: {target}" for target in small_targets(page))
    page.close()  # A browser keeps few connections to a host, and each open page holds one.


Visits = Iterable[tuple[Mapping[str, str], list[str]]]


def looked_at(browser: Browser, served: tuple[str, str], lang: str, visits: Visits) -> None:
    db, address = served
    found = list[str]()
    with visitor(browser, {urlsplit(address).netloc}, PHONE, lang, reduced_motion="reduce") as context:
        page = context.new_page()
        sign_in(page, address, db)
        page.close()
        for cookies, every in visits:
            for name, value in cookies.items():
                context.add_cookies([{"name": name, "value": value, "url": address}])
            found += faults(context, address, every)
    assert found == []


def test_pages_have_no_serious_fault(browser: Browser, served: tuple[str, str]) -> None:
    hand = handsets(served[0])["hand"]
    looked_at(browser, served, "es", [(hand.cookies, [*QUICK, f"/t/{hand.token}"])])


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_page_has_no_serious_fault(browser: Browser, served: tuple[str, str], lang: str) -> None:
    looked_at(browser, served, lang, visits(served[0]))
