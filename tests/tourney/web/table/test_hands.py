"""Tests of a table's sheet typed hand by hand on a phone: what is kept, refused, suggested and corrected.

Points are those of `desk.hands`: the closer has 0, seat s (from 0) otherwise 20 + 10 s.
"""

import re
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import half_slow
from tests.harness.web.asking import TestClient, client
from tests.harness.web.markup import Markup
from tests.harness.web.phone import Phone, hand_fields, heading
from tourney import storage
from tourney.domain.submissions import Submission
from tourney.service.change import apply
from tourney.service.results import results
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.web import access, seats, submissions
from tourney.service.web.submissions import Confirm, KeepTyped, Submit

BLANK = {"closer": "1", "at_once": "0", "points-2": "20", "points-3": "30", "points-4": "40"}


def make_club(db: str) -> None:
    """Create an event of seven people at two tables, of which a round is drawn."""
    desk.event(db, 7, size=4, rounds=2)
    apply(db, DrawRound())


make_db = make_club


def names_at(db: str, table: int = 1) -> list[str]:
    return [player.name for player in rounds.show(db, None, 1).rounds[0].tables[table - 1].players]


def phone(pages: TestClient, db: str, seat: int = 1, table: int = 1) -> Phone:
    return Phone(pages, access.grant_tables(db, None)[table - 1].token, seat)


def sheets(db: str, table: int = 1) -> tuple[Submission, ...]:
    return submissions.sheets_of_table(db, "Friday", 1, table).sheets


def typed(db: str) -> list[dict[int, int]]:
    """Return the points of the hands that the one phone of table 1 has typed."""
    (sheet,) = sheets(db)
    return [dict(hand.points) for hand in sheet.hands]


def test_a_phone_asks_whose_it_is_and_then_the_first_hand(pages: TestClient, db: str) -> None:
    """The table has its own players, and no other's."""
    scanned = phone(pages, db, seat=0)
    texts = scanned.texts()
    assert "Who are you?" in texts
    assert [name for name in desk.NAMES if name in texts] == sorted(names_at(db))
    page = scanned.shown("/who", seat="2")
    assert names_at(db)[1] in Markup(page.text).texts
    assert heading(page) == "Hand 1 of 7: TT"
    kept = [cookie.lower() for cookie in scanned.post("/who", seat="3").headers.get_list("set-cookie")]
    assert len(kept) == 2
    assert all("httponly" in cookie and "samesite=lax" in cookie for cookie in kept)


def test_a_phone_keeps_its_seat_by_whatever_link_of_its_table_and_the_next_table_asks_again(
    pages: TestClient, db: str
) -> None:
    first = phone(pages, db)
    other = Phone(pages, access.grant_tables(db, None)[1].token)
    other.cookies = first.cookies
    assert "Who are you?" in other.texts()
    same = Phone(pages, access.grant_tables(db, None)[0].token)
    same.cookies = first.cookies
    assert same.step() == "Hand 1 of 7: TT"


@pytest.mark.parametrize("seat", half_slow(["0", "5", "", "-1", "9" * 40, "x", "٣"]))
def test_a_seat_that_is_not_there_is_nobody(pages: TestClient, db: str, seat: str) -> None:
    answer = phone(pages, db, seat=0).post("/who", seat=seat)
    assert answer.status_code == 400
    assert "nobody is chosen" in answer.text
    assert "tourney_player" not in answer.headers.get("set-cookie", "")
    assert "Who are you?" in phone(pages, db, seat=0).texts()


def test_a_whole_sheet_is_typed_sent_and_confirmed_as_commands_would_enter_it(pages: TestClient, db: str) -> None:
    """Seats 0 to 3 have 5 hands of 20, 5 of 30, 5 of 40 and 6 of 50: closers are seats 0, 1, 2, 3, 0, 1, 2."""
    names = names_at(db)
    ana, luis = phone(pages, db), phone(pages, db, 2)
    ana.type_sheet(names, desk.hands(names))
    assert "Is everything right?" in ana.texts()
    assert results.show(db) == ()
    assert "Sent: another player confirms it" in ana.send().text
    assert f"{names[0]} has sent this sheet: is it right?" in luis.texts()
    page = luis.shown("/confirm", id=luis.field("id"), digest=luis.field("digest"))
    assert "The result of this table" in page.text
    (result,) = results.show(db)
    assert result.outcome.points == (100, 150, 200, 300)
    assert desk.query(db, "SELECT json_extract(text, '$.by') FROM act ORDER BY number DESC LIMIT 1") == [
        ("table 1: seats 1, 2",)
    ]
    assert re.search(rf"entered by table 1: {names[0]}, {names[1]}", ana.get().text)


def test_totals_so_far_follow_each_hand(pages: TestClient, db: str) -> None:
    names, ana = names_at(db), phone(pages, db)
    for number, closer in ((1, 0), (2, 1)):
        hand = desk.hands(names, [closer] * 7)[number - 1]
        assert ana.type_hand(number, hand_fields(names, hand)).status_code == 303
    texts = ana.texts()
    start, totals = texts.index("TT"), texts.index("total so far")
    assert texts[start : start + 6] == ["TT", "0", "30", "40", "50", names[0]]
    assert texts[totals + 1 : totals + 5] == ["20", "30", "80", "100"]


def test_a_mistake_is_named_at_its_field_and_nothing_is_kept(pages: TestClient, db: str) -> None:
    """The field names the sentence for screen readers, and all that was typed stands in the form."""
    wrong = BLANK | {"points-2": "105"}
    answer = phone(pages, db).type_hand(1, wrong)
    assert answer.status_code == 400
    page = Markup(answer.text)
    field = f"h0-points-p{rounds.show(db, None, 1).rounds[0].tables[0].players[1].id}"
    (element,) = [values for _tag, values in page.elements if values.get("id") == field]
    assert (element["name"], element["aria-invalid"]) == ("points-2", "true")
    assert f"{field}-fault" in element["aria-describedby"].split()
    assert any(values.get("id") == f"{field}-fault" for _tag, values in page.elements)
    values = dict(next(form for form in page.forms if form.action.endswith("/hands/1")).fields)
    assert {name: values.get(name, "") for name in wrong} == wrong
    assert sheets(db) == ()


def test_points_that_were_meant_are_taken_by_a_button_and_unusual_ones_kept(pages: TestClient, db: str) -> None:
    """The button sends all other fields with it."""
    ana, unusual = phone(pages, db), BLANK | {"points-2": "105"}
    page = Markup(ana.type_hand(1, unusual).text)
    form = next(form for form in page.forms if form.action.endswith("/hands/1"))
    assert [button for button in form.buttons if button[0] == "take"] == [
        ("take", f"points-2={reading}") for reading in (15, 10, 5)
    ]
    assert ("keep", "points-2") in form.buttons
    assert ana.post("/hands/1", **form.filled(take="points-2=15")).status_code == 303
    assert typed(db)[0][1] == 15
    assert ana.correct_hand(1, unusual | {"keep": "points-2"}).status_code == 303
    assert typed(db)[0][1] == 105


def test_cards_are_typed_in_the_letters_of_the_event(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 4, size=4, lang="es")
    apply(db, DrawRound())
    with client(db, entry=True) as pages:
        ana = phone(pages, db)
        assert "Spanish letters: p\u00a0♠, c\u00a0♥, d\u00a0♦, t\u00a0♣" in ana.get().text
        assert ana.type_hand(1, BLANK | {"points-2": "Kc 7p"}).status_code == 303
        (sheet,) = submissions.sheets_of_table(db, "Friday", 1, 1).sheets
        assert list(sheet.hands[0].left.values()) == ["Kh 7s"]
        assert ana.field("points-2", "/hands/1") == "Kc 7p"


def test_an_earlier_hand_is_corrected_and_the_later_ones_stay(pages: TestClient, db: str) -> None:
    names, ana = names_at(db), phone(pages, db)
    ana.type_sheet(names, desk.hands(names)[:3])
    assert ana.field("points-2", "/hands/1") == "30"
    assert ana.correct_hand(1, BLANK | {"points-2": "25"}).status_code == 303
    assert [hand[1] for hand in typed(db)] == [25, 0, 30]
    assert ana.step() == "Hand 4 of 7: TTT"


def test_a_hand_of_an_older_page_replaces_no_newer_one_under_whatever_address(pages: TestClient, db: str) -> None:
    """An old hand that waited under the sign's address once replaced a newer hand, typed under the seat's address."""
    ana = phone(pages, db)
    old = {"sheet": ana.field("sheet"), "was": ana.field("was")}
    at_sign, at_seat = ana.home, ana._ask("GET", "/me/sheet").headers["location"]
    assert at_sign != at_seat
    ana.home = at_seat
    assert ana.field("sheet") == old["sheet"]
    assert ana.type_hand(1, BLANK | {"points-2": "99"}).status_code == 303
    newer = ana.field("was", "/hands/1")
    for home in (at_sign, at_seat):
        ana.home = home
        answer = ana.type_hand(1, BLANK | {"points-2": "15"} | old)
        assert (answer.status_code, "another page has changed it" in answer.text) == (409, True)
    assert typed(db)[0][1] == 99
    for points in ("98", "97"):
        answer = ana.type_hand(1, BLANK | {"points-2": points, "was": newer})
    assert answer.status_code == 409
    assert ana.type_hand(1, BLANK | {"points-2": "98", "was": newer}).status_code == 303, "it was taken before"
    assert typed(db)[0][1] == 98


def test_a_phone_sees_what_it_has_sent_however_coarse_the_times_of_files_are(
    pages: TestClient, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Phones of a table share one reading of a state, which the file's time tells from the next."""
    monkeypatch.setattr(storage, "last_written", lambda path: None)
    ana = phone(pages, db)
    ana.get()
    assert heading(ana.shown("/hands/1", **BLANK)) == "Hand 2 of 7: TE"


def test_hands_are_typed_in_their_order(pages: TestClient, db: str) -> None:
    ana = phone(pages, db)
    answer = ana.type_hand(3, BLANK)
    assert (answer.status_code, "an earlier hand is missing" in answer.text) == (409, True)
    assert ana.get("/hands/3").status_code == 303
    assert ana.get("/hands/0").status_code == 303
    assert ana.get("/hands/x").status_code == 404
    assert sheets(db) == ()


def test_a_hand_sent_twice_counts_once_and_one_that_arrives_after_the_sheet_changes_nothing(
    pages: TestClient, db: str
) -> None:
    """As from a phone that lost the answers: the same form is sent again, with the number of its sheet."""
    names, ana = names_at(db), phone(pages, db)
    number = ana.field("sheet")
    for _time in range(2):
        assert ana.type_hand(1, BLANK | {"sheet": number}).status_code == 303
    (sheet,) = sheets(db)
    assert (sheet.id, len(sheet.hands)) == (number, 1)
    apply(db, KeepTyped("Friday", 1, 1, number, sheet.device, 0, desk.hands(names)))
    for _time in range(2):
        assert ana.post("/send", sheet=number).status_code == 303
    digest = sheets(db)[0].digest
    last = hand_fields(names, desk.hands(names)[-1])
    assert ana.type_hand(7, last | {"sheet": number}).status_code == 303
    answer = ana.type_hand(7, BLANK | {"sheet": number})
    assert (answer.status_code, "its sheet was sent before" in answer.text) == (409, True)
    assert ana.post("/stop").status_code == 303
    (sheet,) = sheets(db)
    assert (sheet.digest, sheet.state, len(sheet.hands)) == (digest, "waiting", 7)


def test_a_form_for_sending_an_earlier_sheet_does_not_send_the_one_begun_since(pages: TestClient, db: str) -> None:
    """A phone that sends late what it kept has the number of the sheet that it meant."""
    names, ana = names_at(db), phone(pages, db)
    number = ana.field("sheet")
    ana.type_hand(1, BLANK)
    (sheet,) = sheets(db)
    apply(db, Submit("Friday", 1, 1, number, sheet.device, 0, desk.hands(names)))
    assert "Is everything right?" in ana.shown("/copy", id=sheets(db)[0].id).text
    ana.post("/send", sheet=number)
    assert ana.type_hand(1, BLANK | {"points-2": "25", "sheet": number}).status_code == 409
    (sheet,) = sheets(db)
    assert (sheet.state, sheet.hands[0].points[1]) == ("typing", 30)


def test_a_phone_that_has_forgotten_whose_it_is_keeps_nothing_and_asks(pages: TestClient, db: str) -> None:
    """As after a day, when its cookies have ended."""
    ana = phone(pages, db)
    ana.cookies.clear()
    for path in ("/hands/1", "/flags", "/copy", "/confirm"):
        answer = ana.post(path, **BLANK)
        assert "Who are you?" in ana.get().text
        assert answer.status_code in (303, 400, 404)
    answer = ana.type_hand(1, BLANK)
    assert (answer.status_code, "this phone has no seat at the table" in answer.text) == (400, True)
    assert (sheets(db), desk.query(db, "SELECT count(*) FROM flag")) == ((), [(0,)])


def test_a_hand_that_the_server_does_not_keep_is_refused_so_that_the_phone_keeps_it(pages: TestClient, db: str) -> None:
    """The desk released a seat whose phone had no network: the hands that it sent then were taken for kept."""
    own, names = phone(pages, db), names_at(db)
    hands = [hand_fields(names, hand) for hand in desk.hands(names)]
    own.type_hand(1, hands[0])
    waiting = {**hands[1], "sheet": own.field("sheet")}
    device = own.device
    seats.release(db, "Friday", rounds.show(db).rounds[0].tables[0], lambda claim: claim.device == device)
    assert own.type_hand(2, waiting).status_code == 400
    assert [len(sheet.hands) for sheet in sheets(db)] == [1]
    own.post("/who", seat="1")
    assert own.type_hand(2, waiting).status_code == 303
    assert [len(sheet.hands) for sheet in sheets(db)] == [2]


@pytest.mark.parametrize("by", ["desk", "phones"])
def test_a_hand_of_a_table_with_a_result_is_refused_unless_the_result_has_it(
    pages: TestClient, db: str, by: str
) -> None:
    """The answer led to the table, which a phone takes for "the server has it": it threw the hand away."""
    names, own, other = names_at(db), phone(pages, db), phone(pages, db, 2)
    hands = [hand_fields(names, hand) for hand in desk.hands(names)]
    if by == "desk":
        apply(db, EnterResult(None, 1, 1, desk.hands(names)))
    else:
        other.type_sheet(names, desk.hands(names))
        other.send()
        (sheet,) = sheets(db)
        player = rounds.show(db).rounds[0].tables[0].players[2]
        apply(db, Confirm("Friday", sheet.id, sheet.digest, player))
    assert own.type_hand(1, hands[0]).status_code == 303
    answer = own.type_hand(1, hands[0] | {"points-2": "10"})
    assert (answer.status_code, "the table has a result" in answer.text) == (409, True)


def test_a_whole_sheet_that_is_sent_after_the_desk_has_entered_another_one_is_seen_there(
    pages: TestClient, db: str
) -> None:
    """The sheet went nowhere, and the phone forgot that its player had sent it."""
    names, own = names_at(db), phone(pages, db)
    own.type_sheet(names, desk.hands(names))
    number = own.field("sheet")
    apply(db, EnterResult(None, 1, 1, desk.hands(names, (1, 0, 0, 0, 0, 0, 0))))
    assert own.post("/send", sheet=number).status_code == 303
    (sheet,) = sheets(db)
    assert sheet.state == "waiting"
    assert [waiting.table.number for waiting in submissions.waiting_sheets(db)] == [1]


def test_a_stopped_game_is_sent_with_the_hands_that_were_played(pages: TestClient, db: str) -> None:
    """Before it is sent the game may go on after all."""
    names, ana, luis = names_at(db), phone(pages, db), phone(pages, db, 2)
    assert ana.post("/stop").status_code == 303
    assert sheets(db) == ()
    ana.type_sheet(names, desk.hands(names)[:3])
    assert "Is everything right?" in ana.shown("/stop").text
    assert heading(ana.shown("/stop", go="1")) == "Hand 4 of 7: TTT"
    ana.post("/stop")
    ana.send()
    luis.post("/confirm", id=luis.field("id"), digest=luis.field("digest"))
    assert results.show(db)[0].outcome.short == 4


@pytest.mark.slow
def test_a_sheet_of_declared_hands_is_shown_as_the_fields_that_make_it(pages: TestClient, db: str) -> None:
    """Copied from another phone, each hand reads itself again."""
    names, ana, luis = names_at(db), phone(pages, db), phone(pages, db, 2)
    ana.type_sheet(names, desk.hands(names))
    luis.post("/copy", id=sheets(db)[0].id)
    for number in range(1, 8):
        form = next(form for form in Markup(luis.get(f"/hands/{number}").text).forms if "/hands/" in form.action)
        fields = {name: value for name, value in form.filled().items() if name not in ("sheet",)}
        assert luis.post(f"/hands/{number}", **fields).status_code == 303
    first, second = sheets(db)
    assert [hand.points for hand in first.hands] == [hand.points for hand in second.hands]
