"""Tests in Chromium of a desk's page that asks for a decision while somebody else changes what it is about."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.harness import desk
from tests.harness.web.browser import BROWSED, desk_page
from tests.tourney.web.table.test_hands import make_club, names_at, sheets
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.lookup import find_event
from tourney.service.results import results
from tourney.service.results.flags import RaiseFlag
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web.submissions import Confirm, KeepTyped, RefuseSheet, Submit, TakeOver
from tourney.storage.journal import kinds
from tourney.storage.session import writing

pytestmark = BROWSED


@pytest.fixture
def db(tmp_path: Path) -> str:
    """The path of a database with an event of seven, of which a round is drawn."""
    return desk.copied(tmp_path / "club.db", make_club)


@pytest.fixture
def page(browser: Browser, db: str) -> Iterator[Page]:
    """A page of a desk that is signed in."""
    with desk_page(browser, db, (1024, 768)) as opened:
        yield opened


def go(page: Page, path: str) -> None:
    page.goto(page.url.partition("/desk")[0] + path)


def send(db: str, seat: int, closer: int, id: str) -> None:
    """Send a sheet of table 1 from the phone of a seat (from 0)."""
    apply(db, Submit("Friday", 1, 1, id * 32, f"phone {seat}", seat, desk.hands(names_at(db), (closer,) * 7)))


def test_a_sheet_that_is_exchanged_while_the_desk_looks_at_it_is_not_taken_by_a_click(page: Page, db: str) -> None:
    """Digest, totals and button were exchanged in place, and a click took what nobody had looked at."""
    send(db, 0, 0, "a")
    go(page, "/desk/results/1/1")
    take = page.get_by_role("button", name="Take this sheet as the result")
    box = take.bounding_box()
    assert box is not None
    send(db, 0, 1, "b")
    expect(page.locator("#changed")).to_be_in_viewport()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(take).to_have_count(0)
    assert results.show(db) == ()
    page.get_by_role("button", name="Show it as it is now").click()
    take.click()
    expect(page.locator(".message")).to_be_visible()
    assert results.show(db)[0].outcome.points == (140, 0, 280, 350)


@pytest.mark.parametrize("at_desk", [True, False])
def test_a_sheet_that_its_phone_has_begun_to_correct_is_not_taken(db: str, at_desk: bool) -> None:
    """The attack: the desk's page from before took the points that the player had just called wrong."""
    send(db, 0, 0, "a")
    (sheet,) = sheets(db)
    apply(db, KeepTyped("Friday", 1, 1, "b" * 32, "phone 0", 0, desk.hands(names_at(db))[:2]))
    other = sheet.table.players[1]
    take = TakeOver("Friday", sheet.id) if at_desk else Confirm("Friday", sheet.id, sheet.digest, other, "")
    with desk.refused(ExitCode.CONFLICT, "being corrected on its phone"):
        apply(db, take)


def test_a_reason_typed_for_one_phone_s_sheet_stays_with_it_when_another_one_is_refused(page: Page, db: str) -> None:
    """The reason moved to the sheet that had the place by then, and another phone showed it."""
    for seat, id in enumerate("abc"):
        send(db, seat, seat, id)
    go(page, "/desk/results/1/1")
    asked = page.locator("section:has(form[action*='bbbb'])")
    asked.locator("summary").click()
    asked.get_by_label("Reason").fill("you counted hand 3 twice")
    apply(db, RefuseSheet("Friday", "a" * 32, "not this one"))
    page.get_by_role("button", name="Show it as it is now").click()
    expect(page.locator("section:has(form[action*='aaaa'])")).to_have_count(0)
    expect(asked.get_by_label("Reason")).to_have_value("you counted hand 3 twice")
    asked.get_by_role("button", name="Refuse this sheet").click()
    expect(page.locator(".message")).to_be_visible()
    states = {sheet.id[0]: (sheet.state, sheet.reason) for sheet in sheets(db)}
    assert (states["b"], states["c"]) == (("refused", "you counted hand 3 twice"), ("waiting", ""))


def test_a_page_whose_question_stays_the_same_shows_what_is_new(page: Page, db: str) -> None:
    """A result changes nothing of what the desk decides about the rounds, as whether to draw the next one."""
    go(page, "/desk/rounds")
    asked = page.locator("form:has(button[value=draw])")
    expect(asked).to_contain_text("tables 1, 2")
    apply(db, EnterResult("Friday", 1, 1, desk.hands(names_at(db))))
    expect(asked).to_contain_text("table 2")
    expect(page.locator("#changed")).to_be_hidden()
    apply(db, DrawRound("Friday", anyway=True))
    expect(page.locator("#changed")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Draw")).to_have_count(0)


def test_a_tick_does_not_answer_other_words_than_it_was_set_for(page: Page, db: str) -> None:
    """The attack: the tick beside one missing table drew without two, since its words changed under it."""
    apply(db, EnterResult("Friday", 1, 1, desk.hands(names_at(db))))
    go(page, "/desk/rounds")
    asked = page.locator("form:has(button[value=draw])")
    expect(asked).to_contain_text("table 2")
    tick = asked.get_by_label("Draw it all the same")
    tick.check()
    apply(db, Undo())
    expect(asked).to_contain_text("tables 1, 2")
    expect(tick).not_to_be_checked()


def test_a_setting_that_the_other_desk_writes_while_this_one_types_is_refused_once(page: Page, db: str) -> None:
    """The page took the other desk's value for the one before, so that nobody noticed what went."""
    go(page, "/desk/events/settings")
    page.get_by_text("More settings").click()
    page.fill("#organiser", "Club A")
    apply(db, ChangeSettings("Friday", {"organiser": "Club B", "minutes": 75}))
    expect(page.locator("#minutes")).to_have_value("75")
    expect(page.locator("#organiser")).to_have_value("Club A")
    page.locator("form:has(#organiser) button.main").click()
    expect(page.locator(".message")).to_contain_text("Club B")
    assert rounds.show(db).event.settings.organiser == "Club B"


def test_the_first_page_follows_phones_calls_and_the_clock_and_nothing_on_it_moves(page: Page, db: str) -> None:
    with writing(db) as store:
        started = (datetime.now(UTC) - timedelta(minutes=44, seconds=50)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        store.write(kinds.rounds.ClockSet(find_event(store, "Friday"), 1, started, 45))
    go(page, "/desk")
    action, first, second = page.locator(".action-zone"), page.locator(".tile").first, page.locator(".tile").nth(1)
    places = [each.bounding_box() for each in (action, first, second)]
    apply(db, RaiseFlag("Friday", 1, 2, "the joker is torn"))
    apply(db, KeepTyped("Friday", 1, 1, "c" * 32, "phone 0", 0, desk.hands(names_at(db))[:2]))
    expect(first.locator(".state")).to_have_text("typing hand 3 of 7")
    expect(second.locator(".marks")).to_contain_text("called")
    expect(first.locator(".marks")).to_contain_text("late since")
    found = [each.bounding_box() for each in (action, first, second)]
    assert [(box["x"], box["y"], box["width"]) for box in found if box] == [
        (box["x"], box["y"], box["width"]) for box in places if box
    ]


def test_more_minutes_are_given_twice_at_the_same_place(page: Page, db: str) -> None:
    apply(db, ChangeClock("Friday", "start", minutes=30))
    go(page, "/desk")
    more = page.get_by_role("button", name="5 minutes more")
    box = more.bounding_box()
    more.click()
    expect(page.locator("input[name=minutes]")).to_have_value("40")
    expect(more).to_be_visible()
    assert more.bounding_box() == box
    expect(page.locator(".message")).to_have_count(0)
    expect(page.locator(".clock .time")).to_have_text(re.compile(r"3[45]:\d\d"))


def test_what_is_typed_for_one_event_is_not_sent_for_the_one_that_another_desk_runs(page: Page, db: str) -> None:
    """The attack: the page changed to the other event, the typed text stayed, and no message said so."""
    apply(db, CreateEvent(EventSettings("Saturday", "oficial")))
    apply(db, EnterPlayers("Saturday", names_at(db)))
    apply(db, UseEvent("Friday"))
    go(page, "/desk/people/1")
    reason = page.get_by_label("Reason").first
    reason.fill("ill")
    apply(db, UseEvent("Saturday"))
    expect(page.locator("#changed")).to_be_visible()
    assert {each.input_value() for each in page.locator("input[name=event]").all()} == {"Friday"}
    page.get_by_role("button", name="Show it as it is now").click()
    expect(page.locator("#changed")).to_be_hidden()
    expect(page.locator(".head .name a")).to_have_text("Saturday")
    expect(page.get_by_label("Reason").first).to_have_value("")
