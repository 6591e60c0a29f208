"""Tests of a table's phones in Chromium: a lost network, sleep, two phones, no script, and targets for fingers."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from tests.harness import desk
from tests.harness.web.browser import BROWSED, serving
from tests.harness.web.watched import small_targets, too_wide, visitor
from tests.tourney.web.table.test_hands import make_club, names_at, sheets
from tests.tourney.web.test_accessible import RULES
from tourney.service.change import apply
from tourney.service.results import results
from tourney.service.results.flags import RaiseFlag
from tourney.service.results.results import CorrectResult, EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.edit_round import MovePlayer, Swap
from tourney.service.web import access, seats
from tourney.service.web.submissions import KeepTyped, Submit, TakeOver

pytestmark = BROWSED

POINTS = ("20", "30", "40", "50")


make_db = make_club


@pytest.fixture
def address(db: str) -> Iterator[str]:
    with serving(db) as served:
        yield served


def link(db: str) -> str:
    return f"/t/{access.grant_tables(db, None)[0].token}"


def host(address: str) -> tuple[str]:
    return (urlsplit(address).netloc,)


def scan(page: Page, address: str, path: str, seat: int) -> None:
    page.goto(address + path)
    page.locator(f".who button[value='{seat + 1}']").click()
    expect(page.locator(".me")).to_be_visible()


def type_hand(page: Page, place: int, closer: int = 0, **points: str) -> None:
    """Type a hand, counted from 0, and keep it; `points` are by seat (`s2="1"`), otherwise POINTS."""
    for seat, usual in enumerate(POINTS):
        if seat != closer:
            page.fill(f"#hand form[data-hand='{place}'] [name=points-{seat + 1}]", points.get(f"s{seat + 1}", usual))
    page.locator(f"#hand .closers button[value='{closer + 1}']").click()


def heading(page: Page, words: str) -> None:
    expect(page.locator("#hand h2")).to_contain_text(words)


def test_a_phone_without_a_network_goes_on_and_sends_all_hands_when_it_is_back(
    browser: Browser, db: str, address: str
) -> None:
    """The second hand has a mistake, which is asked about when the server sees it; the third waits for it."""
    with visitor(browser, host(address)) as context:
        page = context.new_page()
        scan(page, address, link(db), 0)
        type_hand(page, 0)
        heading(page, "Hand 2 of 7: TE")
        context.set_offline(True)
        type_hand(page, 1, s2="1")
        heading(page, "Hand 3 of 7: EE")
        type_hand(page, 2)
        heading(page, "Hand 4 of 7: TTT")
        expect(page.locator("#kept")).to_have_text("Kept on this phone, not sent yet: TE, EE.")
        assert [len(sheet.hands) for sheet in sheets(db)] == [1]
        context.set_offline(False)
        fault = page.locator("#hand .line:has([name=points-2]) .fault")
        expect(fault).to_contain_text("no cards of these packs add up to 1")
        page.fill("#hand [name=points-2]", "10")
        page.locator("#hand .closers button[value='1']").click()
        heading(page, "Hand 4 of 7: TTT")
        expect(page.locator("#kept")).to_have_text("Hand saved.")
        (sheet,) = sheets(db)
        assert [hand.points[1] for hand in sheet.hands] == [30, 10, 30]


def test_a_link_in_another_app_leads_a_phone_to_its_own_seat(browser: Browser, db: str, address: str) -> None:
    with visitor(browser, host(address)) as context:
        page = context.new_page()
        scan(page, address, link(db), 0)
        mine = page.locator(".me").inner_text()
        other = context.new_page()
        other.goto(f"data:text/html,<a id=to href='{address}{link(db)}'>table</a>")
        other.click("#to")
        for each in (other, page):
            each.reload()
            assert each.locator(".me").inner_text() == mine


def test_after_the_last_hand_the_phone_says_that_the_sheet_is_not_sent_with_its_button_in_view(
    browser: Browser, db: str, address: str
) -> None:
    """The bar that says what was saved covers none of the buttons that are tapped next, and takes no tap."""
    with visitor(browser, host(address)) as context:
        page = context.new_page()
        scan(page, address, link(db), 0)
        names = names_at(db)
        type_hand(page, 0)
        expect(page.locator("#kept")).to_have_text("Hand saved.")
        bar, first = page.locator("#kept").bounding_box(), page.locator(".closers button").first.bounding_box()
        assert bar is not None
        assert first is not None
        assert bar["y"] + bar["height"] <= first["y"]
        expect(page.locator("#kept")).to_have_css("pointer-events", "none")
        (sheet,) = sheets(db)
        hands = desk.hands(names)
        apply(db, KeepTyped("Friday", 1, 1, sheet.id, sheet.device, 0, hands[:6]))
        page.goto(address + link(db))
        heading(page, "Hand 7 of 7: EEE")
        type_hand(page, 6)
        expect(page.locator("#hand-name")).to_contain_text("Is everything right?")
        expect(page.locator(".notice")).to_have_text("The sheet is not sent yet.")
        expect(page.locator("#kept")).to_be_hidden()
        expect(page.get_by_role("button", name="Send the sheet")).to_be_in_viewport(ratio=1)


def test_the_button_that_sends_a_sheet_covers_none_of_its_rows_on_a_small_phone(
    browser: Browser, db: str, address: str
) -> None:
    """Wherever the page is, what stands where a row of the sheet is drawn is that row."""
    with visitor(browser, host(address)) as context:
        page = context.new_page()
        page.set_viewport_size({"width": 360, "height": 740})
        scan(page, address, link(db), 0)
        type_hand(page, 0)
        heading(page, "Hand 2 of 7: TE")
        (sheet,) = sheets(db)
        hands = desk.hands(names_at(db))
        apply(db, KeepTyped("Friday", 1, 1, sheet.id, sheet.device, 0, hands))
        page.goto(address + link(db))
        expect(page.locator("#hand-name")).to_contain_text("Is everything right?")
        expect(page.locator("#kept")).to_be_hidden()
        for top in range(0, 600, 50):
            page.evaluate("top => scrollTo(0, top)", top)
            assert page.locator(".whole tr").evaluate_all(COVERED) == []


COVERED = """rows => rows.filter((row) => {
  const box = row.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const at = document.elementFromPoint(x, y);
  return at && !row.contains(at) && !at.contains(row);
}).map((row) => row.innerText)"""


def test_nothing_is_typed_into_a_hand_that_is_being_sent(browser: Browser, db: str, address: str) -> None:
    """A page that waits for a slow server shows the hand before; whoever types on there would lose the next one."""
    held: list[Route] = []
    with visitor(browser, host(address)) as context:
        page = context.new_page()
        scan(page, address, link(db), 0)
        type_hand(page, 0, s2="1")
        expect(page.locator("#hand .line:has([name=points-2]) .fault")).to_be_visible()
        page.route("**/hands/1", lambda route: held.append(route))
        points = page.locator("#hand [name=points-2]")
        points.fill("10")
        for end in (Route.abort, Route.continue_):
            page.locator("#hand .closers button[value='1']").click()
            expect(page.locator("#hand form[inert]")).to_be_visible()
            points.focus()
            page.keyboard.type("7")
            expect(points).to_have_value("10")
            end(held.pop())
            expect(page.locator("#hand form[inert]")).to_have_count(0)
        heading(page, "Hand 2 of 7: TE")
    assert [hand.points[1] for hand in sheets(db)[0].hands] == [10]


def test_what_is_typed_outlives_a_closed_page_and_what_was_kept_is_sent_by_the_next_one(
    browser: Browser, db: str, address: str
) -> None:
    with visitor(browser, host(address)) as context:
        page, path = context.new_page(), link(db)
        scan(page, address, path, 0)
        page.fill("#hand [name=points-2]", "17")
        page.locator("#hand [name=points-2]").press("Enter")
        expect(page.locator("#hand [name=points-3]")).to_be_focused()
        page.reload()
        expect(page.locator("#hand [name=points-2]")).to_have_value("17")
        context.set_offline(True)
        type_hand(page, 0)
        expect(page.locator("#kept")).to_contain_text("not sent yet: TT")
        page.close()
        context.set_offline(False)
        page = context.new_page()
        page.goto(address + path)
        heading(page, "Hand 2 of 7: TE")
        assert [len(sheet.hands) for sheet in sheets(db)] == [1]


def test_a_second_phone_follows_warns_and_confirms_and_the_first_shows_the_result_by_itself(
    browser: Browser, db: str, address: str
) -> None:
    """A phone that slept has a stream that looks open and is dead: here it has none, and asks."""
    names, path = names_at(db), link(db)
    with visitor(browser, host(address)) as first, visitor(browser, host(address)) as second:
        ana, luis = first.new_page(), second.new_page()
        ana.add_init_script("window.EventSource = class { close() {} addEventListener() {} };")
        ana.clock.install()
        scan(ana, address, path, 0)
        scan(luis, address, path, 1)
        luis.fill("#hand [name=points-3]", "17")
        type_hand(ana, 0)
        expect(luis.locator(".notice")).to_contain_text(f"{names[0]} is typing this sheet too, on another phone.")
        expect(luis.locator("#hand [name=points-3]")).to_have_value("17")
        luis.goto(address + path)
        expect(luis.locator("#hand-name")).to_have_text(f"{names[0]} is typing this sheet on another phone")
        (sheet,) = sheets(db)
        apply(db, KeepTyped("Friday", 1, 1, sheet.id, sheet.device, 0, desk.hands(names)))
        ana.goto(address + path)
        ana.get_by_role("button", name="Send the sheet").click()
        expect(luis.locator("#hand-name")).to_have_text(f"{names[0]} has sent this sheet: is it right?")
        luis.get_by_role("button", name="It is right: confirm it").click()
        expect(luis.locator("#hand-name")).to_have_text("The result of this table")
        ana.clock.run_for(11_000)
        expect(ana.locator("#hand-name")).to_have_text("The result of this table")
    assert results.show(db)[0].outcome.points == (100, 150, 200, 300)


def test_points_typed_before_the_desk_changes_seats_stay_with_their_players(
    browser: Browser, db: str, address: str
) -> None:
    """With a network the page loads itself again; without one the hand is sent once the seats were changed back."""
    names = names_at(db)
    with visitor(browser, host(address)) as context:
        page = context.new_page()
        scan(page, address, link(db), 0)
        for name, points in zip(names[1:], ("15", "95", "20"), strict=True):
            page.get_by_label(name, exact=True).and_(page.locator("#hand [inputmode]")).fill(points)
        apply(db, MovePlayer(None, names[1], Swap(names[2])))
        typed = page.locator("#hand .line:visible")
        expect(typed.nth(1)).to_contain_text(names[2])
        assert page.locator("#hand .line:visible input").evaluate_all(VALUES) == [
            [names[0], ""],
            [names[2], "95"],
            [names[1], "15"],
            [names[3], "20"],
        ]
        context.set_offline(True)
        page.locator("#hand .closers button[value='1']").click()
        heading(page, "Hand 2 of 7: TE")
        apply(db, MovePlayer(None, names[1], Swap(names[2])))
        context.set_offline(False)
        expect(page.locator("#kept")).to_have_text("Hand saved.")
        (sheet,) = sheets(db)
        assert [sheet.hands[0].points[seat] for seat in range(4)] == [0, 15, 95, 20]


VALUES = "fields => fields.map((field) => [field.labels[0].textContent.trim(), field.value])"


def test_hands_of_players_who_sit_elsewhere_by_now_are_shown_on_the_phone(
    browser: Browser, db: str, address: str
) -> None:
    with visitor(browser, host(address)) as context:
        page, names = context.new_page(), names_at(db)
        scan(page, address, link(db), 0)
        context.set_offline(True)
        type_hand(page, 0)
        expect(page.locator("#kept")).to_contain_text("not sent yet: TT")
        apply(db, MovePlayer(None, names[3], Swap(names_at(db, 2)[0])))
        context.set_offline(False)
        expect(page.locator("#fault")).to_contain_text("this was not taken: other players sit here now")
        expect(page.locator("#held li")).to_contain_text(f"{names[3]}: 50")
    assert sheets(db) == ()


@contextmanager
def following(browser: Browser, db: str, address: str) -> Iterator[tuple[Page, str, Callable[..., Submit]]]:
    """Yield the page of a phone that follows a sheet, the sheet's id, and what sends a sheet from the other phone."""
    path = link(db)
    with visitor(browser, host(address)) as first, visitor(browser, host(address)) as second:
        typing, follows = first.new_page(), second.new_page()
        scan(follows, address, path, 1)
        scan(typing, address, path, 0)
        type_hand(typing, 0)
        expect(follows.locator("#hand-name")).to_contain_text("is typing this sheet on another phone")
        (sheet,) = sheets(db)
        yield follows, sheet.id, partial(Submit, "Friday", 1, 1, device=sheet.device, seat=0)


def test_a_sheet_that_is_exchanged_while_somebody_looks_at_it_is_not_confirmed_by_a_tap(
    browser: Browser, db: str, address: str
) -> None:
    """The sheet changed under the finger, and its button stood at the same place."""
    names = names_at(db)
    with following(browser, db, address) as (luis, id, send):
        apply(db, send(id, hands=desk.hands(names)))
        confirm = luis.get_by_role("button", name="It is right: confirm it")
        confirm.scroll_into_view_if_needed()
        box = confirm.bounding_box()
        assert box is not None
        apply(db, send("f" * 32, hands=desk.hands(names, (0,) * 7)))
        expect(luis.locator("#changed")).to_be_in_viewport()
        luis.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(confirm).to_have_count(0)
        assert luis.locator(".whole tr", has_text="total").inner_text().split()[-4:] == ["100", "150", "200", "300"]
        assert results.show(db) == ()
        luis.get_by_role("button", name="Show it as it is now").click()
        expect(luis.locator("#changed")).to_be_hidden()
        expect(luis.locator("mark").first).to_be_visible()
        confirm.click()
        expect(luis.locator("#hand-name")).to_have_text("The result of this table")
    assert results.show(db)[0].outcome.points == (0, 210, 280, 350)


def test_points_that_change_with_the_number_of_hands_stay_marked_until_somebody_decides(
    browser: Browser, db: str, address: str
) -> None:
    """The attack: with hands more or less nothing was marked, and a flag of the table took the marks away."""
    names = names_at(db)
    with following(browser, db, address) as (luis, id, send):
        apply(db, send(id, hands=desk.hands(names)[:4], length="short"))
        expect(luis.get_by_role("button", name="It is right: confirm it")).to_be_visible()
        apply(db, send("f" * 32, hands=desk.hands(names)))
        luis.get_by_role("button", name="Show it as it is now").click()
        marked = luis.locator("mark")
        expect(marked.first).to_be_visible()
        texts = marked.all_inner_texts()
        apply(db, RaiseFlag("Friday", 1, 1, "a card is bent"))
        expect(luis.locator("ul.flags")).to_contain_text("a card is bent")
        assert marked.all_inner_texts() == texts


def test_each_call_of_the_desk_is_kept_without_a_network_and_counts(browser: Browser, db: str, address: str) -> None:
    """The attack: the second call replaced the first, and the phone said that the desk had been called."""
    calls = ["Diego showed a card", "our clock has stopped"]
    with visitor(browser, host(address)) as context:
        page = context.new_page()
        scan(page, address, link(db), 0)
        context.set_offline(True)
        page.locator("#flag summary").click()
        for text in calls:
            page.get_by_label("What is it?").fill(text)
            page.get_by_role("button", name="Call the director").click()
            expect(page.locator("#kept")).to_contain_text("not sent yet")
            expect(page.get_by_label("What is it?")).to_have_value("")
        context.set_offline(False)
        expect(page.locator("ul.flags li")).to_have_count(2)
    assert desk.query(db, "SELECT text FROM flag ORDER BY number") == [
        ("Diego showed a card",),
        ("our clock has stopped",),
    ]


def test_a_phone_keeps_what_a_closed_table_no_longer_takes(browser: Browser, db: str, address: str) -> None:
    with visitor(browser, host(address)) as context:
        page = context.new_page()
        scan(page, address, link(db), 0)
        context.set_offline(True)
        type_hand(page, 0)
        expect(page.locator("#kept")).to_contain_text("not sent yet: TT")
        access.revoke(db, "Friday", 1, 1)
        context.set_offline(False)
        expect(page.locator("h1")).to_have_text("this address was closed at the desk")
        kept = page.evaluate("JSON.stringify({ ...localStorage })")
        assert "/hands/1" in kept
        assert sheets(db) == ()


def test_hands_typed_without_a_network_stay_on_a_phone_that_has_lost_its_seat(
    browser: Browser, db: str, address: str
) -> None:
    """All of them were thrown away, and the phone said "Hand saved."; with the seat again they are sent."""
    with visitor(browser, host(address)) as context:
        page, path = context.new_page(), link(db)
        scan(page, address, path, 0)
        type_hand(page, 0)
        heading(page, "Hand 2 of 7: TE")
        context.set_offline(True)
        for place in (1, 2):
            type_hand(page, place)
        heading(page, "Hand 4 of 7: TTT")
        table = rounds.show(db).rounds[0].tables[0]
        seats.release(db, "Friday", table, lambda claim: True)
        context.set_offline(False)
        expect(page.locator("#who")).to_be_visible()
        expect(page.locator("#kept")).to_have_text("Kept on this phone, not sent yet: TE, EE.")
        kept = page.evaluate("JSON.stringify({ ...localStorage })")
        assert ("/hands/2" in kept, "/hands/3" in kept) == (True, True)
        assert [len(sheet.hands) for sheet in sheets(db)] == [1]
        page.locator(".who button[value='1']").click()
        heading(page, "Hand 4 of 7: TTT")
        assert [len(sheet.hands) for sheet in sheets(db)] == [3]


def test_hands_typed_without_a_network_are_shown_on_the_phone_where_the_table_has_a_result(
    browser: Browser, db: str, address: str
) -> None:
    """The phone threw them away with "Hand saved."; a hand that differs from the result stays there now."""
    with visitor(browser, host(address)) as context:
        page = context.new_page()
        scan(page, address, link(db), 0)
        context.set_offline(True)
        type_hand(page, 0)
        heading(page, "Hand 2 of 7: TE")
        type_hand(page, 1, s2="10")
        heading(page, "Hand 3 of 7: EE")
        names = names_at(db)
        apply(db, EnterResult("Friday", 1, 1, desk.hands(names, (0,) * 7)))
        context.set_offline(False)
        expect(page.locator("#fault")).to_contain_text("this hand was not kept: the table has a result")
        expect(page.locator("#held li")).to_have_count(1)
        page.reload()
        expect(page.locator("#held li")).to_contain_text(f"{names[1]}: 10")
        assert page.locator("#held li").inner_text().startswith("TE: ")
        page.locator("[data-forget]").click()
        expect(page.locator("#held")).to_be_hidden()
        assert page.evaluate("JSON.stringify({ ...localStorage })").count("/hands/") == 0


def test_a_hand_that_waits_on_a_phone_is_sent_from_every_address_of_its_table(
    browser: Browser, db: str, address: str
) -> None:
    """The attack: it waited unseen under the sign's address, and later replaced what was typed under the seat's."""
    with visitor(browser, host(address)) as context:
        page, path = context.new_page(), link(db)
        scan(page, address, path, 0)
        page.goto(f"{address}/me/sheet")
        seat = page.url
        page.goto(address + path)
        type_hand(page, 0)
        heading(page, "Hand 2 of 7: TE")
        context.set_offline(True)
        type_hand(page, 1, s2="10")
        heading(page, "Hand 3 of 7: EE")
        assert [len(sheet.hands) for sheet in sheets(db)] == [1]
        page.goto("about:blank")
        context.set_offline(False)
        page.goto(seat)
        heading(page, "Hand 3 of 7: EE")
        expect(page.locator("#kept")).to_have_text("Hand saved.")
        assert (page.url, path in seat) == (seat, False)
        (sheet,) = sheets(db)
        assert [hand.points[1] for hand in sheet.hands] == [30, 10]
        assert page.evaluate("JSON.stringify({ ...localStorage })").count("/hands/") == 0


def test_a_hand_that_another_page_has_changed_meanwhile_is_not_replaced_and_stays_on_the_phone(
    browser: Browser, db: str, address: str
) -> None:
    """The page hears of no change, as on a slow network, and sends what was typed for the hand as it was then."""
    with visitor(browser, host(address)) as context:
        page, other = context.new_page(), context.new_page()
        page.route(re.compile("/(live|version)[?]"), lambda route: route.abort())
        scan(page, address, link(db), 0)
        other.bring_to_front()
        other.goto(address + link(db))
        type_hand(other, 0)
        heading(other, "Hand 2 of 7: TE")
        page.bring_to_front()  # Chromium draws no page behind another one, and clicks only what it draws
        type_hand(page, 0, s2="10")
        expect(page.locator("#fault")).to_contain_text("another page has changed it")
        expect(page.locator("#held li")).to_contain_text(f"{names_at(db)[1]}: 10")
        (sheet,) = sheets(db)
        assert [hand.points[1] for hand in sheet.hands] == [30]


def test_a_sheet_is_typed_without_script(browser: Browser, db: str, address: str) -> None:
    with visitor(browser, host(address), java_script_enabled=False) as context:
        page = context.new_page()
        scan(page, address, link(db), 0)
        type_hand(page, 0, s2="105")
        expect(page.locator("#hand .line:has([name=points-2]) .fault")).to_contain_text("did you mean 15, 10 or 5?")
        page.get_by_role("button", name="15", exact=True).click()
        heading(page, "Hand 2 of 7: TE")
        page.get_by_role("link", name="Type cards instead of points").click()
        type_hand(page, 1, s2="Kh 7d")
        heading(page, "Hand 3 of 7: EE")
        (sheet,) = sheets(db)
        assert [hand.points.get(1) for hand in sheet.hands] == [15, None]


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_step_has_a_fault_for_screen_readers_or_fingers(
    browser: Browser, db: str, address: str, lang: str, scheme: str
) -> None:
    found, path = list[str](), link(db)

    def look(page: Page, step: str) -> None:
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
        faults = Axe().run(page, options=RULES).response["violations"]
        found.extend(f"{step}: {each['id']}" for each in faults if each["impact"] in ("serious", "critical"))
        found.extend(f"{step}: {target}" for target in small_targets(page))
        found.extend([f"{step} is too wide"] * too_wide(page))

    settings = {"lang": lang, "color_scheme": scheme}
    with visitor(browser, host(address), **settings) as first, visitor(browser, host(address), **settings) as second:
        ana, luis = first.new_page(), second.new_page()
        ana.goto(f"{address}/code")
        look(ana, "code")
        ana.fill("#code", "12")
        with ana.expect_navigation():
            ana.locator("button.main").click()
        look(ana, "wrong code")
        ana.goto(address + path)
        look(ana, "who")
        scan(ana, address, path, 0)
        look(ana, "hand")
        type_hand(ana, 0, s2="105")
        expect(ana.locator("#hand .line:has([name=points-2]) .fault")).to_be_visible()
        look(ana, "fault")
        ana.locator("button[name=take]").first.click()
        expect(ana.locator("#hand form[data-hand='1']")).to_be_attached()
        scan(luis, address, path, 1)
        look(luis, "follow")
        for place in range(1, 7):
            type_hand(ana, place, place % 4)
        expect(ana.locator("form[action$=send]")).to_be_visible()
        look(ana, "review")
        ana.locator("form[action$=send] button").click()
        expect(ana.locator(".pin")).to_be_attached()
        look(ana, "sent")
        luis.reload()
        look(luis, "confirm")
        with luis.expect_navigation():
            luis.locator("form[action$=copy] button").click()
        luis.goto(f"{address}{path}/hands/1")
        luis.fill("#hand [name=points-2]", "17")
        luis.locator("#hand .closers button[aria-pressed=true]").click()
        luis.locator("form[action$=send] button").click()
        expect(luis.locator(".differ")).to_be_visible()
        look(luis, "disagreement")
        sheet = sheets(db)[0]
        apply(db, TakeOver("Friday", sheet.id))
        names = [player.name for player in sheet.table.players]
        apply(db, CorrectResult(None, 1, 1, desk.hands(names), "read again"))
        ana.reload()
        look(ana, "result")
        access.revoke(db, "Friday", 1, 1)
        ana.reload()
        look(ana, "closed")
    assert found == []
