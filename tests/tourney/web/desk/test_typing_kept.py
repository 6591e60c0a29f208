"""Test in Chromium that a sheet typed at the desk outlives a server that ends, and is forgotten once it is entered."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.harness import desk
from tests.harness.web.browser import chromium, serving, sign_in
from tourney.service.change import apply
from tourney.service.results import results
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

pytestmark = pytest.mark.slow

ENTER = "/desk/results/1/1/enter"


def test_a_sheet_that_was_typed_outlives_the_server_and_is_forgotten_once_entered(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 4, rounds=2)
    apply(db, DrawRound("Friday"))
    with chromium() as browser:
        page = browser.new_context(locale="en").new_page()
        restored = page.locator("#restored")
        with serving(db) as address:
            sign_in(page, address, db)
            page.goto(address + ENTER)
            expect(restored).to_be_hidden()
            for hand in range(1, 8):
                for seat in range(1, 5):
                    page.fill(f"[name='{hand}.points-{seat}']", "0" if seat == 1 else "30")
            expect(page.locator("#offline")).to_be_hidden()
        page.get_by_role("button", name="Enter the sheet").click()
        expect(page.locator("#offline")).to_contain_text("What is typed stays on this page")
        assert page.url == address + ENTER
        assert results.show(db) == ()
        with serving(db, port=urlsplit(address).port):
            page.goto(address + ENTER)
            expect(restored).to_contain_text("This is what was typed here until")
            assert page.input_value("[name='7.points-4']") == "30"
            page.get_by_role("button", name="Enter the sheet").click()
            expect(page.locator(".message")).to_contain_text("entered")
            assert results.show(db)[0].outcome.points == (0, 210, 210, 210)
            apply(db, VoidResult("Friday", 1, 1, "another try"))
            page.goto(address + ENTER)
            expect(page.locator("form.sheet-form")).to_be_visible()
            expect(restored).to_be_hidden()
            page.fill("[name='1.points-2']", "35")
            page.reload()
            expect(restored).to_be_visible()
            restored.get_by_role("button").click()
            expect(restored).to_be_hidden()
            page.close()


def test_a_correction_typed_before_another_desk_s_one_is_not_made_as_if_it_had_been_seen(tmp_path: Path) -> None:
    """Typed points came back on a page that took the other desk's correction for seen."""
    db = desk.drawn(tmp_path / "club.db")
    names = [player.name for player in rounds.show(db, None, 1).rounds[0].tables[0].players]
    apply(db, EnterResult("Friday", 1, 1, desk.hands(names, (0,) * 7)))
    with chromium() as browser, serving(db) as address:
        page = browser.new_context(locale="en").new_page()
        sign_in(page, address, db)
        page.goto(f"{address}/desk/results/1/1/correct")
        page.fill("[name='7.points-2']", "35")
        page.fill("[name='reason']", "read again")
        other = desk.hands(names, (0,) * 7)
        other[0].points[names[3]] = 60
        apply(db, CorrectResult("Friday", 1, 1, other, "misread"), by="Marta")
        page.reload()
        expect(page.locator("#restored")).to_be_visible()
        page.fill("[name='7.points-2']", "35")
        button = page.locator("form.sheet-form p.buttons").get_by_role("button", name="Correct the result")
        button.click()
        expect(page.locator("#main")).to_contain_text("60 points were entered, here 50")
        button.click()
        expect(page.locator("form.sheet-form")).to_have_count(0)
        assert results.show(db)[0].outcome.points[1] == 215


def test_a_sheet_stays_on_its_page_when_the_program_was_started_again_and_meets_the_next_run_there(
    tmp_path: Path,
) -> None:
    """The form went to the old address, whose answer took its place, and was kept under that address for ever."""
    db = desk.drawn(tmp_path / "club.db")
    with chromium() as browser:
        page = browser.new_context(locale="en").new_page()
        with serving(db, run="first") as address:
            sign_in(page, address, db, run="first")
            page.goto(f"{address}/desk-first/results/1/1/enter")
            page.fill("[name='1.points-2']", "35")
        with serving(db, port=urlsplit(address).port, run="second"):
            page.get_by_role("button", name="Enter the sheet").click()
            expect(page.locator("#offline")).to_contain_text("sign in on another page, and copy it there")
            assert page.input_value("[name='1.points-2']") == "35"
            page.evaluate(
                "localStorage.setItem('tourney typed old', JSON.stringify({ at: Date.now() - 13 * 3600000 }))"
            )
            other = page.context.new_page()
            sign_in(other, address, db, run="second")
            other.goto(f"{address}/desk-second/results/1/1/enter")
            expect(other.locator("[name='1.points-2']")).to_have_value("35")
            expect(other.locator("#restored")).to_be_visible()
            assert other.evaluate("localStorage.getItem('tourney typed old')") is None
            other.close()
            page.close()


def test_the_keys_lead_from_box_to_box_and_the_totals_run_along(tmp_path: Path) -> None:
    """The first hand closed by seat 1 with 0 leaves 30, 40 and 50 by arithmetic; nothing is sent by the key."""
    db = desk.drawn(tmp_path / "club.db")
    with chromium() as browser, serving(db) as address:
        page = browser.new_context(locale="en").new_page()
        sign_in(page, address, db)
        page.goto(address + ENTER)
        for points in ("0", "30", "40", "50"):
            page.keyboard.type(points)
            page.keyboard.press("Enter")
        expect(page.locator("[name='2.points-1']")).to_be_focused()
        assert [page.input_value(f"[name='1.points-{seat}']") for seat in range(1, 5)] == ["0", "30", "40", "50"]
        expect(page.locator("#scores")).to_contain_text("30")
        expect(page.locator("#scores")).to_contain_text("50")
        page.fill("[name='1.points-4']", "60")
        expect(page.locator("#scores")).to_contain_text("60")
        expect(page.locator("#scores")).not_to_contain_text("50")
        assert results.show(db) == ()
