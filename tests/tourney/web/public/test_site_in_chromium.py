"""Tests of the static site in Chromium: it opens from a disk, asks no host, and smaller pages are the same pages."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.web.hall import names_at
from tests.tourney.web.test_accessible import RULES, ColorScheme
from tests.tourney.web.test_hall import HOSTILE
from tourney.files.site_folder import SiteFolder
from tourney.service.change import apply
from tourney.service.players import RenamePlayer
from tourney.web.pages import site

pytestmark = pytest.mark.slow


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
        with page.expect_navigation():
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
    """Chromium makes the same elements of both; white space between tags, `dir` and `scope` may differ.

    A table without `scope` has the same heads of columns and rows.
    """
    for number, name in enumerate(desk.NAMES):
        apply(drawn, RenamePlayer(name, f"{HOSTILE[number]} {number}"))
    smaller = site.event_site(drawn, "Friday")
    monkeypatch.setattr(site, "compact", lambda text: text)
    whole = site.event_site(drawn, "Friday")
    page = browser.new_context().new_page()

    def elements(content: bytes) -> tuple[str, list[int]]:
        page.set_content(content.decode())
        text = re.sub(r' (?:dir="auto"|scope="(?:col|row)")', "", page.evaluate("document.body.innerHTML"))
        heads = [page.get_by_role(role).count() for role in ("columnheader", "rowheader")]
        return re.sub(r"\s*(<[^>]*>)\s*", r"\1", text), heads

    for name in filter(lambda each: each.endswith(".html"), whole):
        assert elements(smaller[name]) == elements(whole[name])
    page.close()


OFFSETS_OF_DOTS = """() => [...document.querySelectorAll("td.bar")].map(cell => {
    const text = cell.firstChild, at = text.data.indexOf("●"), range = document.createRange();
    const left = place => {
        range.setStart(text, place);
        range.setEnd(text, place + 1);
        return range.getBoundingClientRect().left - cell.getBoundingClientRect().left;
    };
    return [at, left(at)];
})"""
"""For each interval the place of its dot in the text, and how far it is drawn from the left side of the cell."""


def test_the_dots_of_intervals_are_drawn_on_one_scale_on_the_site_and_on_paper(
    browser: Browser, run: Runner, tmp_path: Path
) -> None:
    """Each place of the text is as wide as any other, blanks included."""
    file, db = tmp_path / "games.csv", str(tmp_path / "p.db")
    file.write_text("seq,player,rank\n1,Ana,1\n1,Leo,2\n1,Eva,3\n2,Ana,1\n2,Leo,2\n", encoding="utf-8")
    run("rating", "import", str(file), "--pool", "p", "--db", db)
    assert run("site", "--pool", "p", str(tmp_path / "site"), "--db", db).code == 0
    assert run("print", "ratings", "p", "--output", str(tmp_path / "paper.html"), "--db", db).code == 0
    for path in (tmp_path / "site" / "index.html", tmp_path / "paper.html"):
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.goto(path.as_uri())
        dots = page.evaluate(OFFSETS_OF_DOTS)
        assert len({place for place, _left in dots}) == 3
        (first, origin), *others = sorted(dots)
        for place, left in others:
            width = (left - origin) / (place - first)
            assert width == pytest.approx((dots[0][1] - origin) / (dots[0][0] - first), abs=0.1)
            assert width > 4.0
        page.close()
