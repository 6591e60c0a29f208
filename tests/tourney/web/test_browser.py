"""Tests of the hall's pages in Chromium: fresh by events and by asking, no other host, and the projector's pages.

Slow, as a newcomer's computer may lack the browser; every run tries what these pages answer.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.harness import desk
from tests.harness.web.browser import serving, sign_in
from tests.harness.web.hall import names_at
from tests.harness.web.load import SPREAD_SECONDS
from tests.tourney.web.test_hall import PAGES
from tourney.service.change import apply
from tourney.service.events.copy_event import CopyEvent
from tourney.service.events.events import EnterPlayers, UseEvent
from tourney.service.players import RegisterPlayers
from tourney.service.results.flags import RaiseFlag
from tourney.service.results.results import EnterResult
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound
from tourney.web.live import LOOK_SECONDS

pytestmark = pytest.mark.slow


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 360, "height": 740}, locale="en")
    yield opened
    opened.close()


def make_db(path: str) -> None:
    """The path of a database with an event of 23 of which round 1 is drawn and its clock runs."""
    desk.event(path, 8, rounds=2)
    more = [f"Player {number:02}" for number in range(1, 16)]
    apply(path, RegisterPlayers(more))
    apply(path, EnterPlayers("Friday", more))
    apply(path, DrawRound("Friday"))
    apply(path, ChangeClock("Friday", "start", minutes=30))


def enter(db: str, table: int) -> None:
    apply(db, EnterResult("Friday", 1, table, desk.hands(names_at(db, table))))


def test_pages_ask_no_other_host_fit_a_phone_and_raise_no_error(context: BrowserContext, db: str) -> None:
    page = context.new_page()
    hosts, faults = set(), list[str]()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    with serving(db) as address:
        for path in PAGES:
            page.goto(address + path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        page.close()
    assert hosts <= {urlsplit(address).netloc, ""}
    assert faults == []


def test_a_page_is_fresh_by_the_message_of_a_sheet_without_asking(context: BrowserContext, db: str) -> None:
    """Server and page wait for less than a second in all."""
    assert LOOK_SECONDS + SPREAD_SECONDS < 1
    page = context.new_page()
    page.route("**/version*", lambda route: route.abort())
    with serving(db) as address:
        page.goto(f"{address}/tables")
        expect(page.locator(".card.done")).to_have_count(0)
        enter(db, 1)
        expect(page.locator(".card.done")).to_have_count(1)
        page.close()


def test_a_phone_whose_stream_is_silent_asks_and_is_fresh_again(context: BrowserContext, db: str) -> None:
    """A stream that no longer delivers, as after sleep, is taken away from the page; asking needs at most 11 s."""
    page = context.new_page()
    page.add_init_script("window.EventSource = class { close() {} addEventListener() {} };")
    page.clock.install()
    with serving(db) as address:
        page.goto(f"{address}/tables")
        enter(db, 1)
        page.clock.run_for(11_000)
        expect(page.locator(".card.done")).to_have_count(1)
        page.close()


def test_a_lost_network_is_named_and_found_again(context: BrowserContext, db: str) -> None:
    page = context.new_page()
    with serving(db) as address:
        page.goto(f"{address}/tables")
        expect(page.locator("#lost")).to_be_hidden()
        context.set_offline(True)
        expect(page.locator("#lost")).to_contain_text("No connection: this is how it stood at")
        enter(db, 1)
        context.set_offline(False)
        expect(page.locator(".card.done")).to_have_count(1)
        expect(page.locator("#lost")).to_be_hidden()
        page.close()


def test_a_server_that_starts_again_is_found_by_itself(context: BrowserContext, db: str) -> None:
    page = context.new_page()
    with serving(db) as address:
        page.goto(f"{address}/tables")
    expect(page.locator("#lost")).to_be_visible()
    enter(db, 1)
    with serving(db, port=urlsplit(address).port):
        expect(page.locator(".card.done")).to_have_count(1)
        expect(page.locator("#lost")).to_be_hidden()
        page.close()


def test_a_page_of_a_round_goes_over_to_the_next_event(context: BrowserContext, db: str) -> None:
    """A second desk kept the tables of the evening before under its name: the next one has no round, which is a 400."""
    page = context.new_page()
    with serving(db) as address:
        sign_in(page, address, db)
        page.goto(f"{address}/desk/results/1")
        expect(page.locator(".head .name a")).to_have_text("Friday")
        apply(db, CopyEvent("Saturday", "Friday"))
        apply(db, UseEvent("Saturday"))
        expect(page.locator(".head .name a")).to_have_text("Saturday")
        expect(page.locator("main")).to_contain_text("no round of Saturday is drawn")
        page.close()


def test_the_clock_counts_down_with_its_words(context: BrowserContext, db: str) -> None:
    """The time that is shown and the time since the start are half an hour together, however long the test takes."""
    page = context.new_page()
    apply(db, ChangeClock("Friday", "stop"))
    started = datetime.now(UTC)
    apply(db, ChangeClock("Friday", "start", minutes=30, now=started))
    with serving(db) as address:
        before = (datetime.now(UTC) - started).total_seconds()
        page.goto(f"{address}/clock")
        minutes, seconds = map(int, page.locator(".clock .time").inner_text().split(":"))
        after = (datetime.now(UTC) - started).total_seconds()
        assert before - 2 <= 30 * 60 - (60 * minutes + seconds) <= after + 2
        expect(page.locator(".clock .words:visible")).to_have_count(1)
        expect(page.locator("#sound")).to_have_text("Turn the sound on")
        page.close()


def test_the_projector_pages_by_the_height_of_the_window_and_follows_the_desk(browser: Browser, db: str) -> None:
    """Every name is shown once over the pages; ten seconds turn one, the desk turns, pauses and chooses."""
    context = browser.new_context(viewport={"width": 800, "height": 700}, locale="en")
    wall, desk_page = context.new_page(), context.new_page()
    wall.clock.install()
    with serving(db) as address:
        sign_in(desk_page, address, db)
        desk_page.goto(f"{address}/desk/screen")
        desk_page.get_by_role("button", name="Seating").click()
        # Only then the wall shows nothing else in turn.
        expect(desk_page.locator("[aria-pressed=true]")).to_have_text("Seating")
        wall.goto(f"{address}/screen")
        # Until the desk's message comes, or if it is late, everything is shown in turn.
        expect(wall.locator("body")).to_have_attribute("data-shows", "seating")
        expect(wall.locator(".view:visible h2")).to_have_text("Seating")
        number = wall.locator(".page-number")
        pages = int(number.inner_text().split("/")[1])
        assert pages > 1
        seen = list[str]()
        for page in range(pages):
            expect(number).to_have_text(f"{page + 1} / {pages}")
            seen += wall.locator(".seating li:not(.head):visible .name").all_inner_texts()
            assert wall.evaluate("document.documentElement.scrollHeight <= innerHeight")
            wall.clock.run_for(10_600)
        assert len(seen) == len(set(seen)) == 23
        desk_page.get_by_role("button", name="Pause").click()
        expect(wall.locator(".paused")).to_be_visible()
        before = number.inner_text()
        wall.clock.run_for(30_000)
        assert number.inner_text() == before
        desk_page.get_by_role("button", name="Next page").click()
        expect(number).not_to_have_text(before)
        desk_page.get_by_role("button", name="Clock").click()
        expect(wall.locator(".whole-clock .time")).to_be_visible()
        context.close()


def test_a_call_reaches_pages_of_the_desk_that_hold_still_and_those_that_do_not(db: str, browser: Browser) -> None:
    with serving(db) as address:
        page = browser.new_page()
        sign_in(page, address, db)
        for before, path in enumerate(("people", "results/1/1/enter")):
            page.goto(f"{address}/desk/{path}")
            expect(page.locator("#calls")).to_have_attribute("data-number", str(before))
            apply(db, RaiseFlag("Friday", 1, 1, f"a card is bent, seen from {path}"))
            expect(page.locator("#calls .calls")).to_have_text(str(before + 1), timeout=15000)
            assert page.title().startswith(f"({before + 1}) ")
        mute = page.locator("#mute")
        mute.click()
        page.reload()
        expect(mute).to_have_attribute("aria-pressed", "true")
