"""Tests of phones that know their player: over rounds, by signs that are printed once, and at no other table."""

import re
from collections.abc import Callable

import pytest

from tests.harness import desk
from tests.harness.web.asking import ORIGIN, TestClient, client
from tests.harness.web.markup import Markup
from tests.harness.web.phone import Phone
from tests.tourney.web.table.test_confirming import sent
from tests.tourney.web.table.test_hands import BLANK, phone, sheets
from tourney import storage
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Table
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound, MovePlayer, Out, Swap
from tourney.service.web import access, as_seen, seats
from tourney.web import app
from tourney.web.access import PLAYER_COOKIE, seat_cookie
from tourney.web.answers import Content, Moved
from tourney.web.page import Asked, Page


def make_two_tables(db: str) -> None:
    """Create an event of eight people at two tables, of which a round is drawn."""
    desk.event(db, 8, size=4, rounds=3)
    apply(db, DrawRound())


make_db = make_two_tables


def tables(db: str, number: int) -> tuple[Table, ...]:
    return rounds.show(db, None, number).rounds[0].tables


def play_on(db: str) -> tuple[Table, ...]:
    """Enter all results of round 1, and draw round 2."""
    for table in tables(db, 1):
        apply(db, EnterResult("Friday", 1, table.number, desk.hands([player.name for player in table.players])))
    apply(db, DrawRound())
    return tables(db, 2)


def at(number: int, player: str, found: tuple[Table, ...]) -> Table:
    """Return the table of a round at which the player sits."""
    return next(table for table in found if player in [each.name for each in table.players] and table.round == number)


def visit(of: Phone, path: str) -> str:
    """Return the page at this path as the phone sees it, after the ways to which it leads."""
    answer = of._ask("GET", path)
    while answer.status_code == 303:
        answer = of._ask("GET", answer.headers["location"])
    return answer.text


def test_in_the_next_round_a_phone_reaches_its_player_s_sheet_with_one_tap(pages: TestClient, db: str) -> None:
    """No sign is scanned and no name is chosen: the page says where they sit, and its button opens the first hand."""
    ana = phone(pages, db)
    name = tables(db, 1)[0].players[0].name
    table = at(2, name, play_on(db))
    seat = [each.name for each in table.players].index(name) + 1
    front = visit(ana, "/")
    assert f"Round 2: table {table.number}, seat {seat}" in Markup(front).texts
    (own,) = re.findall(r'<a href="/players/\d+" aria-current="true">([^<]+)<', front)
    assert own == name
    assert 'href="/me/sheet"' in front
    assert "Hand 1 of 7: TT" in visit(ana, "/me/sheet")


def test_a_table_s_page_that_was_left_open_leads_to_the_sheet_of_the_next_round(pages: TestClient, db: str) -> None:
    """Every phone of an evening meets this page: it said to scan the sign again, although the seat was known."""
    ana = phone(pages, db)
    name = tables(db, 1)[0].players[0].name
    table = at(2, name, play_on(db))
    text = visit(ana, ana.home)
    assert f"Round 2: table {table.number}" in text
    assert '<a class="button main" href="/me/sheet">To the sheet of your table</a>' in text
    assert "Scan the sign" not in text
    assert "Hand 1 of 7: TT" in visit(ana, "/me/sheet")
    assert "/me/sheet" not in visit(phone(pages, db, 0), ana.home), "a phone of nobody has no table"


@pytest.mark.parametrize("path", ["/", "/seating", "/tables", "/players", "/standings/1"])
def test_what_is_marked_for_one_phone_no_other_visitor_sees(pages: TestClient, db: str, path: str) -> None:
    """A page is rendered once for all; neither order of visits mixes them up."""
    ana, luis, nobody = phone(pages, db, 1), phone(pages, db, 2), phone(pages, db, 0)
    names = [player.name for player in tables(db, 1)[0].players]
    play_on(db)
    for _time in range(2):
        for each, name in ((nobody, ""), (ana, names[0]), (luis, names[1])):
            marked = re.findall(r'<a href="/players/\d+" aria-current="true">([^<]+)<', visit(each, path))
            assert {text.split()[0] for text in marked} == ({name} if name else set())


def test_a_sign_leads_to_its_table_in_the_round_that_is_played(pages: TestClient, db: str) -> None:
    keys = access.grant_tables(db, None)[0]
    scanned = Phone(pages, "")
    assert "Round 1, table 1" in visit(scanned, f"/s/{keys.sign}")
    before = access.scan_sign(db, keys.sign)
    play_on(db)
    assert "Round 2, table 1" in visit(scanned, f"/s/{keys.sign}")
    code = pages.post("/code", data={"code": keys.code}, headers=ORIGIN)
    assert "Round 2, table 1" in pages.get(code.headers["location"]).text
    assert before is not None
    assert access.visitor(db, before) is None, "the address of round 1 does not change to round 2"
    assert access.visitor(db, keys.sign) is None, "the sign itself opens no sheet"


@pytest.mark.parametrize("way", ["the sign", "the code"])
def test_who_sat_at_a_table_before_has_no_seat_there_in_the_next_round(pages: TestClient, db: str, way: str) -> None:
    """The sign still opens the table, as for everybody who scans it; the phone neither types nor takes a seat."""
    keys, found = access.grant_tables(db, None)[0], tables(db, 1)[0].players
    each = {player.name: Phone(pages, keys.token, seat) for seat, player in enumerate(found, 1)}
    now = play_on(db)
    name = next(name for name in each if at(2, name, now).number != 1)
    free = next(seat for seat, player in enumerate(now[0].players, 1) if player.name not in each)
    there = access.scan_sign(db, keys.sign) if way == "the sign" else access.enter_code(db, keys.code)
    moved = each[name]
    moved.home = f"/t/{there}"
    assert f"This phone has the seat of {name}, who does not sit at this table." in moved.texts()
    answer = moved.post("/who", seat=str(free))
    assert (answer.status_code, "who does not sit at this table" in answer.text) == (400, True)
    assert moved.type_hand(1, BLANK).status_code == 400
    assert sheets(db) == ()


def test_in_later_rounds_another_phone_needs_the_pin_of_a_player_who_has_one(pages: TestClient, db: str) -> None:
    """In 05da98b1 whoever came first in each round had the seat."""
    first = phone(pages, db)
    player = tables(db, 1)[0].players[0]
    table = at(2, player.name, play_on(db))
    seat = str(table.players.index(player) + 1)
    thief = phone(pages, db, 0, table.number)
    assert thief.post("/who", seat=seat).status_code == 400
    pin = access.grant_pin(db, "Friday", player.name).pin
    assert thief.post("/who", seat=seat, pin=pin).status_code == 303
    assert "This phone has no seat yet." in visit(first, "/me")


RETURNS: dict[str, Callable[[TestClient, str, Phone], object]] = {
    "given back": lambda pages, db, first: first._ask("POST", "/me/leave", {}),
    "released": lambda pages, db, first: [
        seats.release(db, "Friday", table, lambda claim: True) for table in tables(db, 2)
    ],
}


@pytest.mark.parametrize("how", RETURNS)
def test_a_seat_that_ends_ends_for_all_rounds(pages: TestClient, db: str, how: str) -> None:
    first = phone(pages, db)
    player = tables(db, 1)[0].players[0]
    table = at(2, player.name, play_on(db))
    RETURNS[how](pages, db, first)
    next_one = phone(pages, db, 0, table.number)
    assert next_one.post("/who", seat=str(table.players.index(player) + 1)).status_code == 303
    assert "This phone has no seat yet." in visit(first, "/me")


def test_where_pins_are_always_asked_for_a_seat_ends_with_its_round(pages: TestClient, db: str) -> None:
    apply(db, ChangeSettings("Friday", {"phone_pins": "always"}))
    player = tables(db, 1)[0].players[0]
    pin = access.grant_pin(db, "Friday", player.name).pin
    ana = phone(pages, db, 0)
    assert ana.post("/who", seat="1", pin=pin).status_code == 303
    table = at(2, player.name, play_on(db))
    assert "Who are you?" in visit(ana, "/me/sheet")
    ana.home = f"/t/{access.grant_tables(db, None)[table.number - 1].token}"
    assert ana.type_hand(1, BLANK).status_code == 400


@pytest.mark.parametrize("hour", ["2020-01-01T20:00:00.000000Z", "2099-01-01T20:00:00.000000Z"])
def test_where_pins_are_always_asked_for_a_seat_ends_with_the_draw_of_its_round(
    pages: TestClient, db: str, monkeypatch: pytest.MonkeyPatch, hour: str
) -> None:
    """At a table of the same number the phone had the seat without the PIN, later only if the clock was set back."""
    apply(db, ChangeSettings("Friday", {"phone_pins": "always"}))
    first = tables(db, 1)
    players = [player.name for table in first for player in table.players]
    phones = {}
    for table in first:
        for seat, player in enumerate(table.players, 1):
            phones[player.name] = phone(pages, db, 0, table.number)
            pin = access.grant_pin(db, "Friday", player.name).pin
            assert phones[player.name].post("/who", seat=str(seat), pin=pin).status_code == 303
    apply(db, CancelRound("Friday", "two came late"))
    monkeypatch.setattr("tourney.storage.nouns.writing.utc_now", lambda: hour)
    apply(db, DrawRound())
    assert any(at(1, name, first).number == at(1, name, tables(db, 1)).number for name in players)
    assert all("Who are you?" in visit(each, "/me/sheet") for each in phones.values())


def test_a_pin_gives_a_seat_also_where_the_clock_was_ahead_when_the_round_was_drawn(
    pages: TestClient, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event from a computer with another clock: the right PIN was taken, and the phone had no seat."""
    apply(db, ChangeSettings("Friday", {"phone_pins": "always"}))
    apply(db, CancelRound("Friday", "two came late"))
    with monkeypatch.context() as ahead:
        ahead.setattr("tourney.storage.nouns.writing.utc_now", lambda: "2099-01-01T20:00:00.000000Z")
        apply(db, DrawRound())
    ana, pin = phone(pages, db, 0), access.grant_pin(db, "Friday", tables(db, 1)[0].players[0].name).pin
    assert ana.post("/who", seat="1", pin=pin).status_code == 303
    assert ana.step() == "Hand 1 of 7: TT"


def test_where_the_desk_has_ended_a_table_s_addresses_its_phones_need_the_new_sign(pages: TestClient, db: str) -> None:
    """Once new signs were printed, the address of the seat opened the sheet again."""
    ana, player = phone(pages, db), tables(db, 1)[0].players[0].name
    before = ana._ask("GET", "/me/sheet").headers["location"]
    access.revoke(db, "Friday", 1, 1)
    sign = access.grant_tables(db, None)[0].token
    for path in ("/me/sheet", before):
        assert "Hand 1 of 7" not in visit(ana, path)
    ana.home = f"/t/{sign}"
    assert "Who are you?" in ana.texts()
    assert ana.post("/who", seat="1").status_code == 303
    assert "Hand 1 of 7: TT" in visit(ana, "/me/sheet")
    assert seats.claims_of_round(db, "Friday", 1)[tables(db, 1)[0]][0].player.name == player
    assert access.visitor(db, before.removeprefix("/t/")) is None, "somebody else may have it"


def test_the_addresses_of_a_seat_end_with_it_in_every_round(pages: TestClient, db: str) -> None:
    """The desk ended a table of one round, and the address of another round gave the seat back."""
    player, ana = tables(db, 1)[0].players[0].name, phone(pages, db)
    before = ana._ask("GET", "/me/sheet").headers["location"]
    apply(db, EnterResult("Friday", 1, 2, desk.hands([each.name for each in tables(db, 1)[1].players])))
    apply(db, DrawRound())
    access.revoke(db, "Friday", 2, at(2, player, tables(db, 2)).number)
    assert access.visitor(db, before.removeprefix("/t/")) is None


@pytest.mark.parametrize("ended", [1, 2])
@pytest.mark.parametrize("way", ["the sign", "the code", "an earlier code"])
def test_the_addresses_of_a_sign_end_with_it_in_every_round(db: str, way: str, ended: int) -> None:
    """By the address of the other round a phone took a seat, and reached that player's sheet of the newest round."""
    keys = access.grant_tables(db, None)[0]

    def address() -> str:
        found = access.scan_sign(db, keys.sign) if way == "the sign" else access.enter_code(db, keys.code)
        assert found is not None
        return found

    addresses = [address()]
    apply(db, EnterResult("Friday", 1, 2, desk.hands([each.name for each in tables(db, 1)[1].players])))
    apply(db, DrawRound())
    addresses += [address()]
    if way == "an earlier code":
        access.grant_tables(db, None)
    assert all(access.visitor(db, each) for each in addresses)
    access.revoke(db, "Friday", ended, 1)
    assert not any(access.visitor(db, each) for each in addresses)


def test_a_seat_of_another_table_keeps_its_address_where_a_sign_ends(pages: TestClient, db: str) -> None:
    """In the next round some of its players sit at a table with that sign."""
    phones = {seat: phone(pages, db, seat, 2) for seat in range(1, 5)}
    players = tables(db, 1)[1].players
    now = play_on(db)
    seat = next(seat for seat in phones if at(2, players[seat - 1].name, now).number == 1)
    before = phones[seat]._ask("GET", "/me/sheet").headers["location"]
    access.revoke(db, "Friday", 1, 1)
    assert access.visitor(db, before.removeprefix("/t/")) is not None


def test_a_seat_leads_to_its_player_s_table_after_a_move(pages: TestClient, db: str) -> None:
    first, second = tables(db, 1)
    ana, player = phone(pages, db), first.players[0].name
    assert "Round 1, table 1" in visit(ana, "/me/sheet")
    apply(db, MovePlayer(None, player, Swap(second.players[0].name)))
    assert "Round 1, table 2" in visit(ana, "/me/sheet")


def test_a_page_that_was_kept_for_a_phone_shows_no_seat_that_it_has_no_more(pages: TestClient, db: str) -> None:
    """A release changes nothing that everybody sees; the phone's page was kept until something did."""
    ana = phone(pages, db)
    assert 'class="own"' in visit(ana, "/")
    seats.release(db, "Friday", tables(db, 1)[0], lambda claim: True)
    assert 'class="own"' not in visit(ana, "/")


def test_a_phone_keeps_its_seat_over_the_weekends_of_an_event(pages: TestClient, db: str) -> None:
    """The cookie ended after a day, and only the desk could give the player the seat back."""
    ana = Phone(pages, access.grant_tables(db, None)[0].token)
    ana.get()
    kept = ana.post("/who", seat="1").headers.get_list("set-cookie")
    ages = {each.partition("=")[0]: re.search(r"Max-Age=(\d+)", each) for each in kept}
    made = seats.made_by(db, "Friday")
    assert {name: age and int(age[1]) >= 4 * 7 * 24 * 3600 for name, age in ages.items()} == {
        seat_cookie(made): True,
        "tourney_player": True,
    }


def test_a_seat_in_another_event_ends_none_and_has_a_key_of_its_own(pages: TestClient, db: str) -> None:
    """The key of the second took the place of the first seat's: it was lost for good, and "another phone" had it."""
    ana, friday = phone(pages, db), tables(db, 1)[0].players
    first = ana.cookies[seat_cookie(seats.made_by(db, "Friday"))]
    for name in ("Saturday", "Sunday"):
        apply(db, CreateEvent(EventSettings(name, "oficial")))
        apply(db, EnterPlayers(name, desk.NAMES[:8]))
        apply(db, DrawRound(name))
        ana.home = f"/t/{access.grant_tables(db, name)[0].token}"
        # A phone that shows the key of its other seat gets no seat by it.
        ana.cookies[seat_cookie(seats.made_by(db, name))] = first
        assert "Who are you?" in ana.texts()
        assert ana.post("/who", seat="2").status_code == 303
        assert ana.step() == "Hand 1 of 7: TT"
    keys = [key for name, key in ana.cookies.items() if name != PLAYER_COOKIE]
    assert len({*keys}) == 3
    apply(db, UseEvent("Saturday"))
    assert ana._ask("POST", "/me/leave", {}).status_code == 303
    assert "This phone has no seat yet." in visit(ana, "/me")
    apply(db, UseEvent("Friday"))
    assert friday[0].name in visit(ana, "/me")
    assert "Hand 1 of 7: TT" in visit(ana, "/me/sheet")


def test_a_seat_lasts_where_its_round_is_cancelled_and_drawn_again(pages: TestClient, db: str) -> None:
    """Another phone took it without a PIN, and the player's own was refused."""
    player, ana = tables(db, 1)[0].players[0].name, phone(pages, db)
    apply(db, CancelRound("Friday", "two came late"))
    apply(db, DrawRound())
    table = at(1, player, tables(db, 1))
    thief = phone(pages, db, 0, table.number)
    assert thief.post("/who", seat=str([each.name for each in table.players].index(player) + 1)).status_code == 400
    assert "Hand 1 of 7: TT" in visit(ana, "/me/sheet")


def test_seats_that_are_taken_and_given_back_leave_nothing_behind(pages: TestClient, db: str) -> None:
    """Each time the address of the table stayed, for as long as its round was played."""
    token, kept = access.grant_tables(db, None)[0].token, list[int]()
    for _time in range(3):
        each = Phone(pages, token, 1)
        visit(each, "/me/sheet")
        each._ask("POST", "/me/leave", {})
        with storage.reading(db) as reader:
            kept.append(len(reader.outside.access()))
    assert len({*kept}) == 1


@pytest.mark.parametrize("has_seat", [True, False])
def test_nobody_gives_a_seat_back_where_the_event_can_only_be_read(pages: TestClient, db: str, has_seat: bool) -> None:
    ana = phone(pages, db, int(has_seat))
    with storage.reading(db) as reader:
        before = reader.outside.access()
    with client(db) as readers:
        ana.pages = readers
        assert ana._ask("POST", "/me/leave", {}).status_code == 403
    with storage.reading(db) as reader:
        assert reader.outside.access() == before


def test_a_phone_without_a_seat_that_gives_it_back_writes_nothing(
    pages: TestClient, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "writing", None)
    assert Phone(pages, "")._ask("POST", "/me/leave", {}).status_code == 303


def test_a_table_s_phones_learn_that_a_seat_of_an_earlier_round_was_given_back(pages: TestClient, db: str) -> None:
    player, ana = tables(db, 1)[0].players[0].name, phone(pages, db)
    table = at(2, player, play_on(db))
    token = access.grant_tables(db, None)[table.number - 1].token
    before = as_seen.marks(db, [token]).tables
    ana._ask("POST", "/me/leave", {})
    assert as_seen.marks(db, [token]).tables != before


def test_a_phone_s_page_is_not_older_than_what_was_written_while_it_was_made(
    pages: TestClient, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The older page was kept as the newer one, until the next change."""
    ana, made = phone(pages, db), app._kept
    names = [player.name for player in tables(db, 1)[0].players]

    def slow(page: Page, asked: Asked, key: tuple[object, ...]) -> Content | Moved:
        monkeypatch.setattr(app, "_kept", made)
        kept = made(page, asked, key)
        apply(db, EnterResult("Friday", 1, 1, desk.hands(names)))
        asked.server.live.look()
        return kept

    monkeypatch.setattr(app, "_kept", slow)
    visit(ana, "/tables")
    assert "complete" in visit(ana, "/tables")


def test_the_seats_of_phones_are_read_once_after_a_write_however_many_ask(
    pages: TestClient, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each phone and page they were read again, with the event and its draws: 200 phones took eight seconds."""
    phones = [phone(pages, db, seat) for seat in (1, 2, 3)]
    reads = list[str]()
    # A while after a write the state is looked at once more, in case the clock of the file did not tell.
    monkeypatch.setattr("tourney.web.live.SETTLING_SECONDS", 600)
    monkeypatch.setattr(
        "tourney.web.server.players_by_device",
        lambda db, event: reads.append(event) or seats.players_by_device(db, event),
    )
    for path in ("/", "/seating", "/tables"):
        for each in phones:
            assert 'class="own"' in visit(each, path)
    assert len(reads) == 1


@pytest.mark.parametrize("key", ["", "x", "x" * 22, "a" * 5000])
def test_a_key_that_nobody_was_given_opens_nothing(pages: TestClient, db: str, key: str) -> None:
    forged = Phone(pages, access.grant_tables(db, None)[0].token)
    forged.cookies = {seat_cookie(seats.made_by(db, "Friday")): key, "tourney_player": "1"}
    assert "This phone has no seat yet." in visit(forged, "/me/sheet")
    assert 'class="own"' not in visit(forged, "/")
    assert pages.get(f"/s/{key or 'x'}").status_code in (403, 404)


def test_the_menu_of_a_phone_has_four_entries_and_more(pages: TestClient) -> None:
    head = pages.get("/").text.partition("<main")[0]
    assert re.findall(r"<a href=[^>]*>([^<]*)</a>", head.partition("<details")[0])[-4:] == [
        *("Me", "Tables", "Standings", "Clock")
    ]
    assert "Seating" in head.partition("<details")[2]


def test_a_sheet_of_seven_hands_takes_nine_taps(pages: TestClient, db: str) -> None:
    """Each hand is one form with one button. Then the sheet is sent, and another player confirms it."""
    luis, ana, taps = phone(pages, db, 2), phone(pages, db), 0
    for hand in range(1, 8):
        (form,) = (each for each in Markup(ana.get().text).forms if each.action.endswith(f"/hands/{hand}"))
        assert ("closer", "1") in form.buttons
        points = {f"points-{seat}": str(10 * seat) for seat in (2, 3, 4)}
        filled = form.filled()
        assert ana.post(f"/hands/{hand}", **{**filled, **points, "closer": [filled["closer"], "1"]}).status_code == 303
        taps += 1
    ana.send()
    page = luis.get().text
    fields = {name: luis.field(name) for name in ("id", "digest")}
    assert "It is right: confirm it" in page
    assert luis.post("/confirm", **fields).status_code == 303
    assert taps + 2 == 9


def test_the_closer_s_own_line_may_say_how_they_closed(pages: TestClient, db: str) -> None:
    """-10 in the line of the player who is tapped counts; points that no closer has are a mistake."""
    ana = phone(pages, db)
    assert ana.type_hand(1, {**BLANK, "points-1": "15"}).status_code == 400
    assert ana.type_hand(1, {**BLANK, "points-1": "-10"}).status_code == 303
    assert dict(sheets(db)[0].hands[0].points)[0] == -10


def test_a_row_of_the_grid_leads_to_its_hand_and_shows_the_closer_s_0(pages: TestClient, db: str) -> None:
    ana = phone(pages, db)
    ana.type_hand(1, BLANK)
    shown = ana.get().text
    assert f'<th scope="row"><a href="{ana.home}/hands/1">TT</a></th>' in shown
    start = Markup(shown).texts.index("total so far")
    assert Markup(shown).texts[start + 1 : start + 5] == ["0", "20", "30", "40"]


def test_hands_typed_before_a_player_left_are_offered_to_the_phones_of_the_others(pages: TestClient, db: str) -> None:
    """The three who stay keep their points; the hand that the leaver closed has to be typed again."""
    ana = phone(pages, db)
    ana.type_hand(1, BLANK)
    ana.type_hand(2, {**BLANK, "closer": "4", "points-1": "25", "points-4": ""})
    leaver = tables(db, 1)[0].players[3].name
    apply(db, MovePlayer(None, leaver, Out()))
    texts = ana.texts()
    assert "The players of this table have changed" in texts
    (form,) = (each for each in Markup(ana.get().text).forms if each.action.endswith("/copy"))
    assert ana.post("/copy", **form.filled()).status_code == 303
    assert ana.step() == "Hand 2 of 7: TE"
    assert dict(sheets(db)[-1].hands[0].points) == {0: 0, 1: 20, 2: 30}


def test_a_sheet_that_waits_is_still_confirmed_from_another_claimed_seat_only(pages: TestClient, db: str) -> None:
    """A phone whose player sits elsewhere this round confirms nothing here."""
    other = phone(pages, db, 1, 2)
    sent(pages, db)
    other.home = f"/t/{access.grant_tables(db, None)[0].token}"
    assert "It is right: confirm it" not in other.get().text
