"""Test in Chromium that what the desk compares is in sight at the width of a tablet."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.web.browser import chromium, serving, sign_in
from tests.tourney.web.desk.test_results import send

pytestmark = pytest.mark.slow


def test_two_sheets_that_disagree_stand_side_by_side_at_768_pixels(tmp_path: Path) -> None:
    db = desk.drawn(tmp_path / "club.db", 8)
    send(db, 0)
    send(db, 1, seat=1, closers=(1,) * 7)
    with chromium() as browser, serving(db) as address:
        page = browser.new_context(locale="en", viewport={"width": 768, "height": 1024}).new_page()
        sign_in(page, address, db)
        page.goto(f"{address}/desk/results/1/1")
        hidden = page.locator(".wide").evaluate("box => box.scrollWidth - box.clientWidth")
        page.close()
    assert hidden <= 0


def test_who_closed_is_read_whole_at_1280_pixels_and_each_contract_is_explained(tmp_path: Path) -> None:
    """A list that is as wide as its longest text is at most as wide as the page gives it."""
    db = desk.drawn(tmp_path / "club.db", 8)
    with chromium() as browser, serving(db) as address:
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
