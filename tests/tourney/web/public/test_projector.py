"""Tests of the projector: what its lists say, and that nothing on it is cut, in Chromium."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.harness import desk
from tests.harness.web.asking import client
from tests.harness.web.browser import serving, sign_in
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.attendance import CheckInPlayers
from tourney.service.events.copy_event import CopyEvent
from tourney.service.events.events import FinishEvent
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web import access
from tourney.web.qr import svg_code

LONG = "María del Carmen Fernández de la Vega y Montoro"
PER_GAME = "points per game decide"


@pytest.fixture
def drawn(tmp_path: Path) -> str:
    """The path of a database with an event of eight of which round 1 is drawn."""
    db = str(tmp_path / "club.db")
    desk.event(db, 8, rounds=3)
    apply(db, DrawRound("Friday"))
    return db


def enter(db: str, round_number: int, table: int, closers: object = (0, 1, 2, 3, 0, 1, 2)) -> list[str]:
    """Enter a sheet of the table, and return who sits there."""
    found = rounds.show(db, "Friday", round_number).rounds[0].tables[table - 1]
    names = [player.name for player in found.players]
    apply(db, EnterResult("Friday", round_number, table, desk.hands(names, closers)))
    return names


def screen(db: str) -> str:
    with client(db) as pages:
        return pages.get("/screen").text


def test_before_the_first_result_the_projector_and_the_front_page_have_seats_and_no_standings(drawn: str) -> None:
    with client(drawn) as pages:
        assert "Seating, round 1" in pages.get("/").text
        assert 'data-view="standings"' not in pages.get("/screen").text
        enter(drawn, 1, 1)
        assert "Standings of Friday" in pages.get("/").text
        assert 'data-view="standings"' in pages.get("/screen").text


def test_the_projector_says_nothing_of_a_clock_that_is_not_started(drawn: str) -> None:
    assert "The clock does not run." not in screen(drawn)
    apply(drawn, ChangeClock("Friday", "start", minutes=30))
    assert "data-ends" in screen(drawn)


def test_the_projector_shows_points_per_game_where_they_decide_and_says_so(drawn: str) -> None:
    """Seat 0 of a sheet has 100 points and seat 1 150 by desk.hands; in a second game one of them has other points."""
    enter(drawn, 1, 1)
    enter(drawn, 1, 2)
    assert PER_GAME not in screen(drawn)
    apply(drawn, DrawRound("Friday"))
    enter(drawn, 2, 1)
    text = screen(drawn)
    assert PER_GAME in text
    with client(drawn, address="127.0.0.1", signed_in=True) as desk_pages:
        leaders = re.findall(r'<span class="score">([^<]*)<', desk_pages.get("/desk").text)
    assert {re.sub(r"\d+", "0", score) for score in leaders} == {"0.0 per game"}
    assert '<span class="tail main">100.00</span>' in text or '<span class="tail main">125.00</span>' in text


def test_each_column_of_a_list_on_the_projector_has_its_heads(browser: Browser, drawn: str) -> None:
    """Four and four of eight stand side by side; a column that stays empty has no heads."""
    page = browser.new_page(viewport={"width": 1920, "height": 1080}, locale="en")
    with serving(drawn) as address:
        page.goto(f"{address}/screen")
        heads = page.locator(".seating .head:visible")
        expect(heads).to_have_text(["PlayerTableSeat"] * 2)
        first, second = (head.bounding_box() for head in heads.all())
        under = [line.bounding_box() for line in page.locator(".seating li:not(.head):visible").all()]
        assert first is not None
        assert second is not None
        assert [line is not None and round(line["x"]) for line in under] == [round(first["x"])] * 4 + [
            round(second["x"])
        ] * 4
        assert all(line is not None and line["y"] > first["y"] for line in under)
    page.close()


def test_a_tie_is_explained_on_the_projector_the_front_page_and_the_players_page(drawn: str) -> None:
    """Both tables close alike: each seat has the points of its opposite, and the same hands won share the rank."""
    first, second = enter(drawn, 1, 1), enter(drawn, 1, 2)
    below = max(first[0], second[0])
    reason = "the rank is shared"
    number = desk.NAMES.index(below) + 1
    with client(drawn) as pages:
        for path in ("/screen", "/", f"/players/{number}"):
            assert reason in pages.get(path).text, path
            assert f"level with {min(first[0], second[0])}" in pages.get(path).text


def crowd(db: str) -> None:
    """Create an event of 25, one of whom has a long name, with the clock of its first round running."""
    names = [f"Begoña Etxebarria {at}" for at in range(24)] + [LONG]
    desk.club_of(db, names, rounds=3)
    apply(db, DrawRound("Friday"))
    apply(db, ChangeClock("Friday", "start", minutes=30))


CUT = "(name) => name.scrollWidth > name.clientWidth"
OUTSIDE = """(item) => {
  const box = item.getBoundingClientRect(), list = item.parentElement.getBoundingClientRect();
  return box.bottom > list.bottom + 1 || box.bottom > innerHeight || box.left < 0;
}"""


@pytest.mark.parametrize("size", [(1920, 1080), (1024, 768)], ids=["wide", "small"])
@pytest.mark.slow
def test_nothing_on_the_projector_is_cut(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    db = desk.copied(tmp_path / "club.db", crowd)
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en")
    wall, desk_page = context.new_page(), context.new_page()
    with serving(db) as address:
        sign_in(desk_page, address, db)
        desk_page.goto(f"{address}/desk/screen")
        wall.goto(f"{address}/screen")
        for name in wall.locator(".seating li:visible .name").all():
            assert not name.evaluate(CUT), name.inner_text()
        desk_page.locator("button[value=clock]").click()
        expect(wall.locator(".whole-clock")).to_be_visible()
        seen = list[str]()
        while (items := wall.locator(".tables-left li:visible")).count():
            assert not any(item.evaluate(OUTSIDE) for item in items.all())
            texts = items.all_inner_texts()
            if texts[0] in seen:
                break
            seen += texts
            wall.keyboard.press("ArrowRight")
        assert len(seen) == len(set(seen)) == len(rounds.show(db, "Friday", 1).rounds[0].tables)
    context.close()


def test_a_projector_opened_before_the_first_event_waits_for_it(tmp_path: Path) -> None:
    db = str(tmp_path / "empty.db")
    access.sign_in_token(db)
    with client(db) as pages:
        waits = pages.get("/screen")
        assert waits.status_code == 200
        assert [f"/static/{name}" in waits.text for name in ("live.js", "screen.js", "clock.js")] == [True] * 3
        desk.event(db, 8)
        assert 'class="view' in pages.get("/screen").text


@pytest.mark.parametrize("has_event", [True, False])
@pytest.mark.parametrize("address", ["http://192.168.1.20:8765/", ""])
def test_the_projector_shows_the_code_of_the_hall_where_phones_reach_it(
    tmp_path: Path, address: str, has_event: bool
) -> None:
    db = str(tmp_path / "hall.db")
    access.sign_in_token(db)
    if has_event:
        desk.event(db, 8)
    with client(db, phones=address) as pages:
        text = pages.get("/screen").text
    assert text.count(f"<figcaption>{address}</figcaption>") == text.count("<svg") == int(bool(address))
    assert not address or str(svg_code(address)) in text


def views(db: str) -> dict[str, bool]:
    """Return the views of the projector, and whether each is among what is shown in turn."""
    found = re.findall(r'data-view="(\w+)"( data-apart)?', screen(db))
    return {name: not apart for name, apart in found}


def test_who_sits_where_leaves_the_projector_once_every_table_has_a_result(drawn: str) -> None:
    enter(drawn, 1, 1)
    assert views(drawn) == {"seating": True, "tables": True, "standings": True}
    enter(drawn, 1, 2)
    assert views(drawn) == {"seating": False, "tables": False, "standings": True}


def test_a_finished_event_has_its_podium_on_the_projector_and_on_phones_with_two_firsts_where_they_tie(
    drawn: str,
) -> None:
    """Both tables close alike: each seat has the points of its opposite, and the same hands won share the rank."""
    seats = list(zip(enter(drawn, 1, 1), enter(drawn, 1, 2), strict=True))
    assert "podium" not in views(drawn)
    apply(drawn, FinishEvent("Friday", incomplete=True))
    assert views(drawn) == {"podium": True, "standings": True}
    with client(drawn) as pages:
        front, wall = pages.get("/").text, pages.get("/screen").text
    for text in (front, wall):
        found = re.findall(r'class="medal">(\d)</span> <span class="who"[^>]*>(?:<a[^>]*>)?([^<]*)', text)
        assert found == [(rank, name) for rank, names in zip("13", seats[:2], strict=True) for name in sorted(names)]
    assert ">Final standings of Friday</h1>" in front
    assert f"The winners are {', '.join(sorted(seats[0]))}." in front
    assert ">Final standings</h2>" in wall
    assert "Seating" not in wall


def test_a_podium_stays_until_the_next_evening_has_begun_and_an_undo_takes_it_away(drawn: str) -> None:
    enter(drawn, 1, 1)
    enter(drawn, 1, 2)
    apply(drawn, FinishEvent("Friday", incomplete=True))
    apply(drawn, CopyEvent("Saturday", "Friday"))
    assert "podium" in views(drawn)
    apply(drawn, CheckInPlayers("Saturday", ["Ana"]))
    assert "podium" not in views(drawn)
    for _change in range(3):
        apply(drawn, Undo())
    assert views(drawn) == {"seating": False, "tables": False, "standings": True}


def test_sentences_of_the_standings_are_in_the_language_of_each_visitor(drawn: str) -> None:
    enter(drawn, 1, 1)
    enter(drawn, 1, 2)
    with client(drawn) as pages:
        assert "the rank is shared" in pages.get("/").text
        assert "the rank is shared" not in pages.get("/", headers={"Accept-Language": "es"}).text


@pytest.mark.slow
def test_the_wall_turns_to_the_podium_at_the_end_and_then_to_the_final_standings(browser: Browser, drawn: str) -> None:
    enter(drawn, 1, 1)
    enter(drawn, 1, 2)
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, locale="en")
    wall = context.new_page()
    with serving(drawn) as address:
        wall.goto(f"{address}/screen")
        expect(wall.locator(".standings")).to_be_visible()
        expect(wall.locator(".seating")).to_be_hidden()
        apply(drawn, FinishEvent("Friday", incomplete=True))
        expect(wall.locator(".on-podium")).to_be_visible()
        for name in wall.locator(".podium .who").all():
            assert not name.evaluate(CUT), name.inner_text()
        wall.keyboard.press("ArrowRight")
        expect(wall.locator(".on-podium")).to_be_hidden()
        expect(wall.get_by_role("heading", name="Final standings")).to_be_visible()
        apply(drawn, Undo())
        expect(wall.locator(".standings h2")).to_have_text("Standings")
    context.close()
