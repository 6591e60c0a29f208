"""Tests in Chromium of taps after which a list stays where it is, of rows of ticks, and of widths."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.harness import desk
from tests.harness.web.browser import BROWSED, desk_page, serving, sign_in
from tests.tourney.web.desk.test_results import enter, send
from tourney.service.change import apply
from tourney.service.events.events import EnterPlayers
from tourney.service.events.events import show as show_event
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import RegisterPlayers
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

pytestmark = BROWSED
NAMES = [f"Player {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWX"]


def make_club(db: str) -> None:
    """The path of a database with an event of 32 who are not here yet."""
    desk.event(db, 8)
    apply(db, EnterPlayers("Friday", NAMES, add=True))
    apply(db, ChangeSettings("Friday", {"checkin": "required"}))
    apply(db, RegisterPlayers(["Xabier Etxeberria de la Fuente", "Yago", "Zoe"]))


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database of the club."""
    return desk.copied(tmp_path / "club.db", make_club)


@pytest.fixture
def page(browser: Browser, db: str) -> Iterator[Page]:
    """A page of a desk that is signed in, on a telephone."""
    with desk_page(browser, db, (390, 844)) as opened:
        yield opened


def go(page: Page, path: str) -> None:
    page.goto(page.url.partition("/desk")[0] + path)


def tap(page: Page, button: str, then: str) -> tuple[float, float]:
    """Tap a button, wait for the one that takes its place, and return where the two are in the window."""
    old = page.get_by_role("button", name=button, exact=True)
    before = old.bounding_box()
    old.click()
    new = page.get_by_role("button", name=then, exact=True)
    expect(new).to_have_count(1)
    after = new.bounding_box()
    assert before is not None
    assert after is not None
    return before["y"], after["y"]


@pytest.mark.parametrize("part", ["", "?show=missing"])
def test_a_check_in_and_its_taking_back_move_nothing(page: Page, db: str, part: str) -> None:
    """Each check-in scrolled by up to 400 pixels, and a message covered a line."""
    go(page, f"/desk/people{part}")
    for name in ("Player C", "Player K"):
        page.get_by_role("button", name=f"Check in: {name}").scroll_into_view_if_needed()
        before, after = tap(page, f"Check in: {name}", f"Undo check-in: {name}")
        assert abs(before - after) <= 1
        expect(page.locator(".message")).to_have_count(0)
        # A window that is not in front has an element with the focus, too.
        page.wait_for_function("label => document.activeElement?.ariaLabel === label", arg=f"Undo check-in: {name}")
    page.wait_for_timeout(1100)
    before, after = tap(page, "Undo check-in: Player K", "Check in: Player K")
    assert abs(before - after) <= 1
    states = dict(zip((p.shown for p in show_event(db).entrants), show_event(db).states, strict=True))
    assert [states[f"Player {letter}"] for letter in "CK"] == ["checked in", "entered"]


def test_a_page_that_was_asked_for_before_a_tap_does_not_take_its_line_away(page: Page) -> None:
    """The page without the line came between the tap and its answer, and the focus was lost."""
    held: list[Route] = []

    def wait_for_held(number: int) -> None:
        for _turn in range(15_000):
            if len(held) == number:
                return
            page.wait_for_timeout(20)
        pytest.fail(f"{len(held)} requests came, and not {number}")

    # A busy machine lets no request end by itself.
    page.add_init_script("AbortSignal.timeout = () => new AbortController().signal")
    page.route(
        re.compile("/people"),
        lambda route: held.append(route) if route.request.resource_type == "fetch" else route.continue_(),
    )
    go(page, "/desk/people?show=missing")
    wait_for_held(1)
    page.get_by_role("button", name="Check in: Player C").click()
    wait_for_held(2)
    older, check_in = held
    with page.expect_response(lambda response: response.request.method == "GET"):
        older.fulfill(body='<main id="main"><p>Nobody is missing.</p></main>', content_type="text/html")
    check_in.continue_()
    expect(page.get_by_role("button", name="Undo check-in: Player C")).to_be_focused()


def test_a_double_tap_checks_in_and_does_not_take_it_back(page: Page, db: str) -> None:
    go(page, "/desk/people")
    page.get_by_role("button", name="Check in: Player C").dblclick()
    expect(page.get_by_role("button", name="Undo check-in: Player C")).to_have_count(1)
    page.get_by_role("button", name="Check in: Player D").click()
    expect(page.get_by_role("button", name="Undo check-in: Player D")).to_have_count(1)
    expect(page.get_by_role("button", name="Undo check-in: Player C")).to_have_count(1)


def test_the_ticks_of_a_list_stand_in_rows(page: Page) -> None:
    """The columns did not share a base line, and a single name stood in the second column."""
    page.set_viewport_size({"width": 1280, "height": 800})
    go(page, "/desk/people/enrol")
    page.locator("#names").fill("Wilma\nOlga Benítez de la Torre y Mendoza\nTeo\nRamón\nUnai\nVera")
    page.get_by_role("button", name="Check the names").click()
    boxes = [box for tick in page.locator(".ticks li").all() if (box := tick.bounding_box())]
    left = min(box["x"] for box in boxes)
    rows = [box["y"] for box in boxes if box["x"] == left]
    assert boxes[0]["x"] == left
    assert {box["y"] for box in boxes} == set(rows)


def test_two_tapped_names_swap_without_a_page_that_jumps(page: Page, db: str) -> None:
    apply(db, ChangeSettings("Friday", {"checkin": "not asked"}))
    apply(db, DrawRound("Friday", draft=True))
    one, other = (table.players[1] for table in rounds.show(db).rounds[0].tables[3:5])
    go(page, "/desk/rounds")
    first = page.locator(".draft a", has_text=one.shown)
    first.scroll_into_view_if_needed()
    before = first.bounding_box()
    first.click()
    expect(page.locator(".draft .chosen")).to_have_count(1)
    after = page.locator(".draft .chosen").bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) <= 1
    page.locator(".draft button", has_text=other.shown).click()
    expect(page.locator(".message")).to_contain_text("have changed places")
    tables = rounds.show(db).rounds[0].tables
    assert (tables[3].players[1], tables[4].players[1]) == (other, one)


@pytest.mark.slow
def test_two_sheets_that_disagree_stand_side_by_side_at_768_pixels(browser: Browser, tmp_path: Path) -> None:
    db = desk.drawn(tmp_path / "club.db", 8)
    send(db, 0)
    send(db, 1, seat=1, closers=(1,) * 7)
    with serving(db) as address:
        page = browser.new_context(locale="en", viewport={"width": 768, "height": 1024}).new_page()
        sign_in(page, address, db)
        page.goto(f"{address}/desk/results/1/1")
        hidden = page.locator(".wide").evaluate("box => box.scrollWidth - box.clientWidth")
        page.close()
    assert hidden <= 0


@pytest.mark.parametrize(("width", "use"), [(768, "enter"), (1280, "correct")])
def test_a_sheet_has_one_row_for_each_hand_and_every_field_outside_has_its_label(
    browser: Browser, tmp_path: Path, width: int, use: str
) -> None:
    """Names are the heads of columns; the reason of a correction has none above it."""
    db = desk.drawn(tmp_path / "club.db", 8)
    if use == "correct":
        enter(db)
    with desk_page(browser, db, (width, 1024)) as page:
        go(page, f"/desk/results/1/1/{use}")
        rows = page.locator(".sheet-form fieldset").evaluate_all(ROWS)
        reason = page.locator("label[for=reason]").evaluate_all("labels => labels.map(each => each.clientHeight > 10)")
        hidden = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert rows == [1] * 7
    assert hidden <= 0
    assert reason == ([True] if use == "correct" else [])


def test_a_sheet_that_is_refused_leads_to_its_mistake_and_a_correction_begins_at_the_first_hand(
    browser: Browser, tmp_path: Path
) -> None:
    """The cursor was nowhere and the wrong field below the window, as a page with a message took no cursor."""
    db = desk.drawn(tmp_path / "club.db", 8)
    enter(db, 2)
    with desk_page(browser, db, (768, 700)) as page:
        go(page, "/desk/results/1/1/enter")
        page.fill("[name='7.points-2']", "3o")
        page.get_by_role("button", name="Check it only").click()
        expect(page.locator("[name='7.points-2']")).to_be_focused()
        expect(page.locator("[name='7.points-2']")).to_be_in_viewport()
        page.get_by_role("button", name="Enter the sheet").click()
        expect(page.locator(".message.refused")).to_be_visible()
        expect(page.locator("[aria-invalid]").first).to_be_focused()
        go(page, "/desk/results/1/2/correct")
        expect(page.locator("[name='1.points-1']")).to_be_focused()


ROWS = """hands => hands.map((hand) => new Set([...hand.querySelectorAll("input:not([type=checkbox]), select")]
  .map((field) => Math.round(field.getBoundingClientRect().top))).size)"""


@pytest.mark.slow
def test_who_closed_is_read_whole_at_1280_pixels_and_each_contract_is_explained(
    browser: Browser, tmp_path: Path
) -> None:
    """A list that is as wide as its longest text is at most as wide as the page gives it."""
    db = desk.drawn(tmp_path / "club.db", 8)
    with serving(db) as address:
        page = browser.new_context(locale="es", viewport={"width": 1280, "height": 800}).new_page()
        sign_in(page, address, db)
        page.goto(f"{address}/desk/results/1/1/enter")
        cut = page.locator(".sheet-form select").evaluate_all(CUT)
        legends = page.locator(".sheet-form legend").all_inner_texts()
        page.close()
    assert cut == [0] * 7
    assert (legends[0], legends[1], legends[6]) == ("TT 2 tríos", "TE 1 trío, 1 escalera", "EEE 3 escaleras")


CUT = """lists => lists.map((list) => {
  const copy = list.cloneNode(true);
  copy.style = "position: absolute; min-width: 0; max-width: none; width: auto";
  document.body.append(copy);
  const wanted = copy.offsetWidth;
  copy.remove();
  return Math.max(0, wanted - list.offsetWidth);
})"""
