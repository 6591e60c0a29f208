"""Tests of the static site in Chromium: it opens from a disk, asks no host, and smaller pages are the same pages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.harness import desk
from tests.harness.web.browser import chromium
from tests.tourney.web.test_accessible import RULES, ColorScheme
from tests.tourney.web.test_hall import HOSTILE, make_drawn, names_at
from tourney.files.site_folder import SiteFolder
from tourney.service.change import apply
from tourney.service.people.players import RenamePlayer
from tourney.web.pages import site

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def drawn(tmp_path: Path) -> str:
    return desk.copied(tmp_path / "club.db", make_drawn)


@pytest.mark.parametrize("width", [360, 1024, 1920])
def test_a_site_opens_from_a_disk_and_asks_no_host(browser: Browser, drawn: str, tmp_path: Path, width: int) -> None:
    SiteFolder(str(tmp_path / "site")).write(site.event_site(drawn, "Friday"))
    page = browser.new_page(viewport={"width": width, "height": 800})
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "site" / "index.html").as_uri())
    name = names_at(drawn, 1)[0]
    page.get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.locator("svg.plot")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.plot .mu')).stroke") != "none"
    for _link in range(page.locator("nav a").count()):
        page.locator("nav a").nth(_link).click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("getComputedStyle(document.body).margin") != "8px"
    assert all(address.startswith(tmp_path.as_uri()) for address in asked)
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_a_site(browser: Browser, drawn: str, tmp_path: Path, scheme: ColorScheme) -> None:
    files = site.event_site(drawn, "Friday")
    SiteFolder(str(tmp_path / "site")).write(files)
    page, axe = browser.new_page(viewport={"width": 360, "height": 740}, color_scheme=scheme), Axe()
    for name in filter(lambda each: each.endswith(".html"), files):
        page.goto((tmp_path / "site" / name).as_uri())
        found = axe.run(page, options=RULES).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == [], name
    page.close()


def test_a_smaller_page_is_the_same_page(browser: Browser, drawn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chromium makes the same elements of both, but for white space between tags and the attribute `dir`."""
    for number, name in enumerate(desk.NAMES):
        apply(drawn, RenamePlayer(name, f"{HOSTILE[number]} {number}"))
    smaller = site.event_site(drawn, "Friday")
    monkeypatch.setattr(site, "compact", lambda text: text)
    whole = site.event_site(drawn, "Friday")
    page = browser.new_page()

    def elements(content: bytes) -> str:
        page.set_content(content.decode())
        text = page.evaluate("document.body.innerHTML").replace(' dir="auto"', "")
        return re.sub(r"\s*(<[^>]*>)\s*", r"\1", text)

    for name in filter(lambda each: each.endswith(".html"), whole):
        assert elements(smaller[name]) == elements(whole[name])
    page.close()
