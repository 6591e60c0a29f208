"""Tests of claimed seats: what one phone, a photo of the sign and a guesser cannot do, and what friends at a table can.

The attacks are those that were tried on 05da98b1, where all of them got through.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.effort import effort
from tests.harness.web.asking import ORIGIN, TestClient, client, press
from tests.harness.web.markup import Markup
from tests.harness.web.phone import Phone
from tests.tourney.web.table.test_confirming import confirmation, entered, sent
from tests.tourney.web.table.test_hands import BLANK, make_club, names_at, phone, sheets
from tourney import storage
from tourney.domain.errors import ExitCode
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import EnterPlayers, FinishEvent
from tourney.service.events.events import show as show_event
from tourney.service.events.settings import ChangeSettings
from tourney.service.players import RegisterPlayers
from tourney.service.results import results
from tourney.service.results.typed_sheet import checked_sheet
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.substitute import NameSubstitute
from tourney.service.web import access, guesses, seats, submissions
from tourney.web.access import SEAT_COOKIE

make_db = make_club


def window(pages: TestClient, db: str, of: Phone, seat: int = 0) -> Phone:
    """Return a private window of a phone: its address and browser, and none of its cookies."""
    private = phone(pages, db, 0)
    private.agent = of.agent
    if seat:
        private.post("/who", seat=str(seat))
    return private


@pytest.mark.parametrize("early", [True, False], ids=["claimed before", "claimed after"])
def test_one_phone_does_not_confirm_its_own_sheet_from_a_private_window(
    pages: TestClient, db: str, early: bool
) -> None:
    """Attack 9 (a08): it claims two free seats, types a sheet for one and confirms it for the other."""
    mallory = phone(pages, db)
    second = window(pages, db, mallory, 2 if early else 0)
    sender = sent(pages, db, by=mallory)
    if not early:
        second.post("/who", seat="2")
    assert "It is right: confirm it" not in second.get().text
    answer = second.post("/confirm", **confirmation(db))
    words = "seems to come from this very phone" if early else "took its seat after the sheet was sent"
    assert (answer.status_code, words in answer.text, entered(db)) == (400, True, 0)
    sender.post("/leave")
    assert second.post("/confirm", **confirmation(db)).status_code == 400
    assert entered(db) == 0


def test_a_name_keeps_its_place_when_another_phone_takes_a_seat(pages: TestClient, db: str) -> None:
    """The attack: the list moved up under a finger, which then took the seat of the next player."""
    names = names_at(db)
    phone(pages, db, seat=1)
    offered = re.findall(
        r'<button name="seat" value="(\d)" dir="auto"( disabled)?', phone(pages, db, seat=0).get().text
    )
    assert offered == [("1", " disabled"), *[(str(seat), "") for seat in range(2, len(names) + 1)]]


def test_cookies_that_a_phone_writes_itself_claim_nothing(pages: TestClient, db: str) -> None:
    """The cookies of 05da98b1 were whatever a phone said."""
    forged, names = phone(pages, db, 0), names_at(db)
    forged.cookies = {"tourney_device": "d" * 32, "tourney_seat_1_1": "x" * 22, "tourney_player": "1"}
    assert "Who are you?" in forged.texts()
    assert forged.type_hand(1, BLANK).status_code == 400
    assert (sheets(db), len(names)) == ((), 4)


def test_one_phone_cannot_use_up_the_sheets_of_a_table(
    pages: TestClient, db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attack 10 (a10): a phone that begins sheet after sheet, each after leaving its seat, leaves room for others."""
    monkeypatch.setattr(submissions, "MOST_SHEETS", 3)
    luis = phone(pages, db, 2)
    for _time in range(5):
        mallory = phone(pages, db, 1)
        assert mallory.type_hand(1, BLANK).status_code == 303
        mallory.post("/leave")
    assert len(sheets(db)) == 3
    assert luis.type_hand(1, BLANK).status_code == 303
    assert len(sheets(db)) == 4


def test_the_hands_of_a_phone_s_sheet_are_bounded_and_read_in_little_time(tmp_path: Path) -> None:
    """The attack: 100 hands in which nobody scores held the server for 7 s whenever the phone asked for its page."""
    db = str(tmp_path / "knock.db")
    desk.event(db, rules="knock")
    apply(db, DrawRound())
    event, table = rounds.show(db).event, rounds.show(db).rounds[0].tables[0]
    dead = {"ending": "-", **{f"points-{seat}": "0" for seat in range(1, 5)}}
    hand = checked_sheet(event, table, [dead]).hands[0].read
    hands = [hand] * (submissions.MOST_HANDS + 1)
    assert effort(lambda: checked_sheet(event, table, hands)) < 43
    with desk.refused(ExitCode.REFUSED, "at most 30 hands", "let the desk enter"):
        apply(db, submissions.KeepTyped("Friday", 1, 1, "a" * 32, "phone", 0, hands))


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> list[timedelta]:
    """The time since noon, which only the test lets pass."""
    passed = [timedelta()]
    monkeypatch.setattr(guesses, "_now", lambda: datetime(2026, 1, 1, 12, tzinfo=UTC) + passed[0])
    return passed


def try_code(pages: TestClient, address: str, code: str) -> int:
    """Return the status of a code that somebody types at this address."""
    pages._transport.client = (address, 1)
    return pages.post("/code", data={"code": code}, headers=ORIGIN).status_code


@pytest.mark.slow
def test_codes_are_guessed_thirty_times_a_minute_by_all_together_and_who_has_been_right_goes_on(
    pages: TestClient, db: str, noon: list[timedelta]
) -> None:
    """Attack 7: 60 addresses guess, five times each. A fresh one had a guess of its own, however many there were."""
    code = access.grant_tables(db, None)[0].code
    wrong = f"{(int(code) + 1) % 10**6:06}"
    assert try_code(pages, "192.168.1.99", code) == 303
    statuses = [try_code(pages, f"192.168.1.{number}", wrong) for _time in range(5) for number in range(60)]
    assert (statuses.count(404), statuses.count(429)) == (30, 270)
    assert try_code(pages, "192.168.1.98", code) == 429
    assert try_code(pages, "192.168.1.99", code) == 303
    assert [try_code(pages, "192.168.1.99", wrong) for _time in range(2)] == [404, 429], "one with a code guesses on"
    noon[0] = timedelta(minutes=2)
    assert try_code(pages, "192.168.1.98", code) == 303
    for minute in range(3, 10):
        noon[0] = timedelta(minutes=minute)
        statuses += [try_code(pages, f"192.168.2.{number}", wrong) for number in range(40)]
    assert statuses.count(404) + 1 == 120, "within an hour"


@pytest.mark.parametrize(
    ("addresses", "counted"),
    [
        ([f"127.9.{number}.1" for number in range(20)], 5),
        ([f"fd99:1:2:3::{number:x}" for number in range(20)], 5),
        ([f"fd99:1:2:{number:x}::1" for number in range(20)], 20),
        (["::1", "127.0.0.1", "::ffff:127.0.0.1", "127.0.0.2"] * 5, 5),
        ([f"::ffff:10.0.0.{number}" for number in range(20)], 20),
        ([f"fe80::1%eth{number}" for number in range(20)], 5),
    ],
    ids=["this computer", "a network of IPv6", "networks of IPv6", "names of this computer", "mapped", "zones"],
)
def test_addresses_that_one_visitor_has_by_the_thousand_are_counted_as_one(
    pages: TestClient, db: str, noon: list[timedelta], addresses: list[str], counted: int
) -> None:
    """A /64 is the smallest network that a line of IPv6 gets (RFC 6177); 127.0.0.0/8 is this computer (RFC 1122)."""
    wrong = f"{(int(access.grant_tables(db, None)[0].code) + 1) % 10**6:06}"
    assert [try_code(pages, address, wrong) for address in addresses].count(404) == counted


def test_guesses_are_counted_for_all_programs_of_a_database_together(db: str, noon: list[timedelta]) -> None:
    """A desk and `tourney serve --entry` at once used to allow twice as many."""
    wrong = f"{(int(access.grant_tables(db, None)[0].code) + 1) % 10**6:06}"
    with client(db, entry=True) as one, client(db, entry=True) as other:
        statuses = [try_code(pages, "192.168.1.7", wrong) for pages in (one, other) * 4]
        assert statuses == [404] * 5 + [429] * 3


def test_new_signs_end_the_codes_before_them_and_not_the_addresses(db: str) -> None:
    """Otherwise each printing would add as many codes to guess."""
    first, second = access.grant_tables(db, None)[0], access.grant_tables(db, None)[0]
    assert access.enter_code(db, first.code) is None or first.code == second.code
    assert access.visitor(db, first.token) is not None
    assert access.enter_code(db, second.code) is not None


def test_pins_are_tried_five_times_a_minute_for_a_seat_and_the_right_player_still_gets_it(
    db: str, noon: list[timedelta]
) -> None:
    """Attack 12: another seat's right PIN counts, and so does the right one from an address without a wrong one.

    Three more wrong ones from fresh addresses, and all wait.
    """
    names = names_at(db)
    pins = [access.grant_pin(db, "Friday", name).pin for name in names]
    wrong = next(pin for pin in ("0000", "1111", "2222", "3333", "4444") if pin not in pins)
    with client(db, entry=True) as pages:
        phone(pages, db, 2)

        def tried(address: int, seat: int, pin: str) -> int:
            pages._transport.client = (f"192.168.1.{address}", 1)
            return phone(pages, db, 0).post("/who", seat=str(seat), pin=pin).status_code

        assert [tried(1, 2, wrong) for _time in range(6)] == [400] * 5 + [429]
        assert (tried(2, 2, pins[1]), tried(2, 3, pins[2])) == (303, 303)
        assert [tried(number, 2, wrong) for number in range(3, 8)] == [400] * 3 + [429] * 2
        assert tried(3, 2, wrong) == 429
        noon[0] = timedelta(minutes=2)
        assert tried(2, 2, pins[1]) == 303


def test_a_pin_ends_after_ten_wrong_tries_within_an_hour(db: str, noon: list[timedelta]) -> None:
    """Five tries a minute would be 1,500 in an evening of five hours, a seventh of all PINs."""
    name = names_at(db)[1]
    right = access.grant_pin(db, "Friday", name).pin
    wrong = "0000" if right != "0000" else "1111"
    with client(db, entry=True) as pages:
        phone(pages, db, 2)
        ended = []
        for _try in range(10):
            noon[0] += timedelta(seconds=61)
            answer = phone(pages, db, 0).post("/who", seat="2", pin=wrong)
            ended.append("has ended after 10 wrong tries" in answer.text)
        assert ended == [False] * 9 + [True]
        assert phone(pages, db, 0).post("/who", seat="2", pin=right).status_code == 400
        new = access.grant_pin(db, "Friday", name).pin
        assert phone(pages, db, 0).post("/who", seat="2", pin=new).status_code == 303


def test_tries_that_two_programs_note_at_one_moment_end_a_pin_too(db: str) -> None:
    """Each program counts what the other has noted, so that ten may be passed by without being seen."""
    with storage.writing(db) as store:
        for _try in range(10):
            guesses._note(store, "pin", "1 2", "somebody", "wrong")
    assert guesses.ends_pin(db, 1, 2, "127.0.0.1")
    assert [guesses.ends_pin(db, 1, 2, "127.0.0.1") for _try in range(10)] == [False] * 9 + [True], "a new PIN"


# --- friends at a table -------------------------------------------------------------------------------------------


def test_the_first_phone_has_a_seat_and_another_one_needs_its_pin(pages: TestClient, db: str) -> None:
    """Without a PIN it is told to ask the desk; with it, it has the seat and the first phone has none."""
    first, second = phone(pages, db), phone(pages, db, 0)
    answer = second.post("/who", seat="1")
    assert answer.status_code == 400
    assert f"another phone has the seat of {names_at(db)[0]}" in answer.text
    assert "Is it you? Ask the desk to release the seat." in Markup(answer.text).texts
    pin = access.grant_pin(db, "Friday", names_at(db)[0]).pin
    assert second.post("/who", seat="1", pin=pin).status_code == 303
    assert second.step() == "Hand 1 of 7: TT"
    assert "Who are you?" in first.texts()


def test_a_seat_belongs_to_the_substitute_and_no_more_to_the_phone_of_the_absent_player(
    pages: TestClient, db: str
) -> None:
    """The absent player's phone confirmed the sheet from wherever it was, and the substitute's was refused the seat."""
    absent, other = phone(pages, db), phone(pages, db, 0)
    name = names_at(db)[0]
    apply(db, RegisterPlayers(["Olga"]))
    apply(db, NameSubstitute("Friday", [name, "Olga"]))
    assert "Who are you?" in absent.texts()
    assert other.post("/who", seat="1").status_code == 303
    assert other.step() == "Hand 1 of 7: TT"
    ids = {player.name: player.id for player in show_event(db).entrants}
    assert other.cookies["tourney_player"] == str(ids["Olga"])
    assert "To the sheet of your table" in other.pages.get("/me", cookies=other.cookies).text
    with client(db, address="127.0.0.1", signed_in=True) as at_desk:
        assert f"Olga for {name}" in at_desk.get("/desk/paper/phones").text
    for player, status in ((name, 400), ("Olga", 303)):
        pin = access.grant_pin(db, "Friday", player).pin
        assert phone(pages, db, 0).post("/who", seat="1", pin=pin).status_code == status
    assert "Who are you?" in other.texts()
    apply(db, Undo())
    assert "Who are you?" not in absent.texts()


def test_the_end_of_a_table_s_sign_ends_the_seat_of_a_substitute_there(pages: TestClient, db: str) -> None:
    apply(db, RegisterPlayers(["Olga"]))
    apply(db, NameSubstitute("Friday", [names_at(db)[0], "Olga"]))
    of_substitute = phone(pages, db)
    access.revoke(db, "Friday", 1, 1)
    assert "Who are you?" in phone(pages, db, 0).texts()
    assert seats.claims_of_round(db, "Friday", 1) == {}
    assert of_substitute.get().status_code != 200


def test_a_substitute_is_asked_for_their_own_pin_where_pins_are_always_asked_for(pages: TestClient, db: str) -> None:
    apply(db, ChangeSettings("Friday", {"phone_pins": "always"}))
    apply(db, RegisterPlayers(["Olga"]))
    apply(db, NameSubstitute("Friday", [names_at(db)[0], "Olga"]))
    asked = phone(pages, db, 0)
    without = asked.get("/who").text.count('name="pin"')
    access.grant_pin(db, "Friday", "Olga")
    assert asked.get("/who").text.count('name="pin"') == without + 1


def test_a_seat_that_is_given_back_or_released_at_the_desk_is_free(pages: TestClient, db: str) -> None:
    first, second = phone(pages, db), phone(pages, db, 0)
    assert "Give the seat back" in first.get("/who").text
    first.post("/leave")
    assert second.post("/who", seat="1").status_code == 303
    with client(db, address="127.0.0.1", signed_in=True) as at_desk:
        old, button = at_desk.get("/desk/paper/phones").text, f"Release {names_at(db)[0]}"
        assert "is free" in press(at_desk, "/desk/paper/phones", button, shown=old).text
        assert first.post("/who", seat="1").status_code == 303
        # The form of the older page ends the phone that it showed, and no other.
        assert press(at_desk, "/desk/paper/phones", button, shown=old).status_code == 409
    assert second.post("/who", seat="1").status_code == 400


def test_the_desk_sees_two_seats_that_may_be_one_phone_s(pages: TestClient, db: str) -> None:
    mallory = phone(pages, db)
    with client(db, address="127.0.0.1", signed_in=True) as at_desk:
        phone(pages, db, 3)
        assert "both seats from one phone?" not in at_desk.get("/desk/paper/phones").text
        window(pages, db, mallory, 2)
        assert at_desk.get("/desk/paper/phones").text.count("both seats from one phone?") == 2


def test_a_phone_whose_answer_was_lost_takes_its_seat_once_more(pages: TestClient, db: str) -> None:
    """A phone has its key since it saw the seats. Another one gets nothing, even at the same address."""
    ana = phone(pages, db, 0)
    ana.get()
    before = dict(ana.cookies)
    assert ana.post("/who", seat="1").status_code == 303
    thief = window(pages, db, ana)
    thief.get()
    assert thief.post("/who", seat="1").status_code == 400
    ana.cookies = before
    assert ana.post("/who", seat="1").status_code == 303
    assert ana.step() == "Hand 1 of 7: TT"


@pytest.mark.parametrize("key", ["", "x", "x" * 22, "x" * 5000, "a table's", "another phone's"])
def test_a_key_that_somebody_else_has_is_not_taken_for_a_phone_s_own(pages: TestClient, db: str, key: str) -> None:
    ana, forged = phone(pages, db), phone(pages, db, 0)
    (name,) = (name for name in ana.cookies if name.startswith(SEAT_COOKIE))
    forged.cookies = {name: {"a table's": ana.home[3:], "another phone's": ana.cookies[name]}.get(key, key)}
    forged.post("/who", seat="2")
    assert ana.step() == "Hand 1 of 7: TT" if key != "another phone's" else True
    assert forged.get().status_code == 200


def test_a_changed_phone_goes_on_from_the_hands_of_the_one_before(pages: TestClient, db: str) -> None:
    old = phone(pages, db)
    old.type_hand(1, BLANK)
    pin = access.grant_pin(db, "Friday", names_at(db)[0]).pin
    new = phone(pages, db, 0)
    new.post("/who", seat="1", pin=pin)
    new.post("/copy", id=sheets(db)[0].id)
    assert new.step() == "Hand 2 of 7: TE"


def test_every_phone_shows_who_typed_and_who_confirmed(pages: TestClient, db: str) -> None:
    names, luis, carmen, ana = names_at(db), phone(pages, db, 2), phone(pages, db, 3), sent(pages, db)
    claimed = ", ".join(f"{name} (seat {seat})" for seat, name in enumerate(names[:3], 1))
    assert f"Phones of this table: {claimed}." in ana.texts()
    luis.post("/confirm", **confirmation(db))
    for each in (ana, luis, carmen):
        assert f"Typed by {names[0]} (seat 1), confirmed by {names[1]} (seat 2)." in each.texts()


def test_a_table_with_one_phone_is_reminded_before_it_sends(pages: TestClient, db: str) -> None:
    ana = phone(pages, db)
    reminder = "Only this phone has a seat here. Let another player scan the sign before you send the sheet."
    assert reminder in ana.texts()
    phone(pages, db, 2)
    assert reminder not in ana.texts()


@pytest.mark.parametrize("seat", [1, 2])
def test_where_pins_are_asked_for_since_now_a_sheet_of_a_seat_without_one_is_for_the_desk(
    pages: TestClient, db: str, seat: int
) -> None:
    """One person typed a sheet in a free seat, and confirmed it with their own PIN for another one."""
    names, phone_of_both = names_at(db), sent(pages, db)
    apply(db, ChangeSettings("Friday", {"phone_pins": "always"}))
    pins = [access.grant_pin(db, "Friday", name).pin for name in names[:2]]
    assert phone_of_both.post("/who", seat=str(seat), pin=pins[seat - 1]).status_code == 303
    answer = phone_of_both.post("/confirm", **confirmation(db), seat="2", pin=pins[1])
    assert (answer.status_code, "does not have its seat by a PIN" in answer.text) == (400, True)
    assert entered(db) == 0


def test_where_pins_are_always_asked_for_nothing_goes_without_one(pages: TestClient, db: str) -> None:
    """A seat that was taken without one counts no more."""
    names, before = names_at(db), phone(pages, db)
    apply(db, ChangeSettings("Friday", {"phone_pins": "always"}))
    assert "Who are you?" in before.texts()
    assert before.post("/who", seat="1").status_code == 400
    pins = [access.grant_pin(db, "Friday", name).pin for name in names[:2]]
    ana, luis = phone(pages, db, 0), phone(pages, db, 0)
    for seat, each in enumerate((ana, luis)):
        assert each.post("/who", seat=str(seat + 1), pin=pins[seat]).status_code == 303
    sent(pages, db, by=ana)
    answer = luis.post("/confirm", **confirmation(db))
    assert (answer.status_code, "here a sheet is confirmed with a PIN" in answer.text) == (400, True)
    assert luis.post("/confirm", **confirmation(db), seat="2", pin=pins[1]).status_code == 303
    assert len(results.show(db)) == 1


def test_at_the_end_a_phone_names_nobody_whom_others_do_not_see(pages: TestClient, db: str) -> None:
    """A number in a cookie, which nobody has signed, named an entrant who never came."""
    desk.enter(db, rounds.show(db, None, 1).rounds[0].tables[0])
    apply(db, EnterPlayers("Friday", ["Nerea"], add=True))
    apply(db, WithdrawPlayers("Friday", ["Nerea"]))
    apply(db, FinishEvent("Friday", incomplete=True))
    number = show_event(db, "Friday").entrants[-1].id
    assert "Nerea" not in pages.get("/me", cookies={"tourney_player": str(number)}).text


def test_at_the_end_a_phone_says_which_rank_its_player_has_and_an_undo_gives_its_sheet_back(
    pages: TestClient, db: str
) -> None:
    names = names_at(db)
    own = phone(pages, db, 2)
    desk.enter(db, rounds.show(db, None, 1).rounds[0].tables[0])
    apply(db, FinishEvent("Friday", incomplete=True))
    assert own.get().headers["location"] == "/me"
    text = pages.get("/me", cookies=own.cookies).text
    ranked = len(names)
    assert f'<h1 class="own-rank">You: 2nd of {ranked}</h1>' in text
    assert re.findall(r'class="medal">(\d)</span> <span class="who"[^>]*><a[^>]*>([^<]*)', text) == [
        (str(rank), name) for rank, name in enumerate(names[:3], 1)
    ]
    pages.cookies.clear()
    assert "This phone has no seat yet." in pages.get("/me").text
    assert '<p id="you" class="now"><a href="/me">' in pages.get("/").text
    apply(db, Undo())
    assert own.get().status_code == 200
    assert "own-rank" not in pages.get("/me", cookies=own.cookies).text
