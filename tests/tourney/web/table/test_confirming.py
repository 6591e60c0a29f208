"""Tests of a table's sheet between two phones and the desk: confirmed, disagreed upon, refused, corrected, closed."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from tests.harness import desk
from tests.harness.slow import half_slow
from tests.harness.web.asking import ORIGIN, TestClient, client
from tests.harness.web.markup import Markup
from tests.harness.web.phone import Phone
from tests.tourney.web.table.test_hands import BLANK, make_club, names_at, phone, sheets
from tests.tourney.web.test_submissions import OTHER
from tourney.service.change import apply
from tourney.service.players import RenamePlayer
from tourney.service.results import results
from tourney.service.results.flags import AnswerFlag
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.dissolve_table import DissolveTable
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound, MovePlayer, Swap
from tourney.service.web import access, guesses
from tourney.service.web.submissions import RefuseSheet, Submit, TakeOver

USUAL = (0, 1, 2, 3, 0, 1, 2)


make_db = make_club


def sent(pages: TestClient, db: str, seat: int = 1, closers: tuple[int, ...] = USUAL, by: Phone | None = None) -> Phone:
    """Return a phone that has sent a whole sheet of table 1, whose hands were not typed on its pages, to be quick."""
    sender, hands = by or phone(pages, db, seat), desk.hands(names_at(db), closers)
    apply(db, Submit("Friday", 1, 1, f"{seat:032x}", sender.device, seat - 1, hands))
    return sender


def confirmation(db: str) -> dict[str, str]:
    """Return the fields that confirm the oldest sheet of table 1."""
    return {"id": sheets(db)[0].id, "digest": sheets(db)[0].digest}


def entered(db: str) -> int:
    return desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'")[0][0]


def test_the_phone_that_typed_a_sheet_does_not_confirm_it_whoever_has_it_now(pages: TestClient, db: str) -> None:
    ana = sent(pages, db)
    answer = ana.post("/confirm", **confirmation(db))
    assert (answer.status_code, "has typed this sheet" in answer.text) == (400, True)
    ana.post("/who", seat="2")
    answer = ana.post("/confirm", **confirmation(db))
    assert (answer.status_code, "was typed on this phone" in answer.text) == (400, True)
    assert "It is right: confirm it" not in ana.get().text
    assert entered(db) == 0


def test_a_confirmation_counts_once_and_the_page_shows_the_result_to_both(pages: TestClient, db: str) -> None:
    luis, ana = phone(pages, db, 2), sent(pages, db)
    fields = confirmation(db)
    for _time in range(3):
        assert luis.post("/confirm", **fields).status_code == 303
    assert entered(db) == 1
    for each in (ana, luis):
        texts = each.texts()
        assert "The result of this table" in texts
        assert texts[texts.index("total") + 1 :][:4] == ["100", "150", "200", "300"]
        assert "Keep this hand" not in texts


def test_a_sheet_that_was_corrected_since_it_was_looked_at_is_shown_again(pages: TestClient, db: str) -> None:
    luis, ana = phone(pages, db, 2), sent(pages, db)
    seen = confirmation(db)
    ana.post("/copy", id=seen["id"])
    ana.correct_hand(1, BLANK | {"points-2": "25", "points-3": "40", "points-4": "50"})
    ana.send()
    answer = luis.post("/confirm", **seen)
    assert (answer.status_code, "this sheet does not wait any more" in answer.text) == (404, True)
    assert "25" in luis.texts()
    assert entered(db) == 0
    luis.post("/confirm", id=luis.field("id"), digest=luis.field("digest"))
    assert results.show(db)[0].outcome.points[1] == 145


def test_a_digest_of_another_sheet_confirms_nothing(pages: TestClient, db: str) -> None:
    luis = phone(pages, db, 2)
    sent(pages, db)
    answer = luis.post("/confirm", id=sheets(db)[0].id, digest="0" * 16)
    assert (answer.status_code, "changed since you looked at it" in answer.text) == (409, True)
    assert entered(db) == 0


def test_a_second_player_confirms_with_a_pin_on_the_first_phone(pages: TestClient, db: str) -> None:
    """Neither the sender's PIN, nor one of another player, nor a wrong one confirms."""
    ana, names = sent(pages, db), names_at(db)
    pins = [access.grant_pin(db, "Friday", name).pin for name in names[:3]]
    wrong = next(pin for pin in ("0000", "1111", "2222", "3333") if pin not in pins)
    for seat, pin, words in ((1, pins[0], "has typed"), (2, wrong, "not the PIN"), (2, pins[2], "not the PIN")):
        answer = ana.post("/confirm", **confirmation(db), seat=str(seat), pin=pin)
        assert (answer.status_code, words in answer.text) == (400, True)
    assert entered(db) == 0
    assert ana.post("/confirm", **confirmation(db), seat="2", pin=pins[1]).status_code == 303
    (result,) = results.sheet_entries(db, None, 1, 1)
    assert result.players == (names[0], names[1])


def test_a_pin_is_tried_eight_times_a_minute_at_a_table_from_whatever_phone(
    db: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight tries from eight addresses use up the seat's; a minute later the right one confirms."""
    names = names_at(db)
    right = access.grant_pin(db, "Friday", names[1]).pin
    wrong = "0000" if right != "0000" else "1111"
    with client(db, entry=True) as pages:
        ana = sent(pages, db)
        now = [datetime(2026, 1, 1, 12, tzinfo=UTC)]
        monkeypatch.setattr(guesses, "_now", lambda: now[0])
        statuses = []
        for number in range(10):
            pages._transport.client = (f"192.168.1.{number}", 1)
            statuses.append(ana.post("/confirm", **confirmation(db), seat="2", pin=wrong).status_code)
        assert statuses == [400] * 8 + [429] * 2
        answer = ana.post("/confirm", **confirmation(db), seat="2", pin=right)
        assert (answer.status_code, "too many tries" in answer.text, entered(db)) == (429, True, 0)
        now[0] += timedelta(seconds=61)
        assert ana.post("/confirm", **confirmation(db), seat="2", pin=right).status_code == 303
    assert entered(db) == 1


def test_phones_that_type_at_the_same_time_warn_each_other(pages: TestClient, db: str) -> None:
    """The second phone first sees what the other has typed, and may type its own or go on from there."""
    ana, luis, names = phone(pages, db), phone(pages, db, 2), names_at(db)
    ana.type_hand(1, BLANK)
    shown = luis.texts()
    assert f"{names[0]} is typing this sheet on another phone" in shown
    start = shown.index("TT")
    assert shown[start - 6 : start + 12] == [
        *("Hand", *names, "Closed by"),
        *("TT", "0", "20", "30", "40", names[0]),
        *("total so far", "0", "20", "30", "40"),
        shown[start + 11],
    ]
    luis.type_hand(1, BLANK)
    for one, other in ((ana, names[1]), (luis, names[0])):
        assert f"{other} is typing this sheet too, on another phone." in one.texts()
    third = phone(pages, db, 3)
    third.post("/copy", id=sheets(db)[0].id)
    assert third.step() == "Hand 2 of 7: TE"


def test_sheets_that_disagree_are_shown_to_both_hand_by_hand_and_the_desk_decides(pages: TestClient, db: str) -> None:
    """The second sheet has another closer in the last hand; no phone can confirm its own."""
    names = names_at(db)
    ana = sent(pages, db)
    luis = sent(pages, db, 2, (*USUAL[:6], 3))
    for each in (ana, luis):
        page = Markup(each.get().text)
        assert "Two sheets of this table do not agree" in page.texts
        start = page.texts.index("EEE")
        assert page.texts[start + 1] == names[0]
        assert names[1] in page.texts[start + 2 : start + 9], "two rows, under the heads of all players"
        assert [text for text in page.texts if text.startswith("closed by")] == [
            f"closed by {names[2]}",
            f"closed by {names[3]}",
        ]
    carmen = phone(pages, db, 3)
    assert "Two sheets of this table do not agree" in carmen.texts()
    assert "It is right: confirm it" not in carmen.get().text
    answer = carmen.post("/confirm", **confirmation(db))
    assert (answer.status_code, "two sheets of this table do not agree" in answer.text) == (409, True)
    assert entered(db) == 0
    apply(db, TakeOver("Friday", sheets(db)[1].id), by="desk")
    assert "The result of this table" in ana.texts()
    assert results.show(db)[0].outcome.points[3] == 250, names


def test_sheets_that_agree_say_so_and_one_confirms_the_other(pages: TestClient, db: str) -> None:
    early = phone(pages, db, 2)
    ana = sent(pages, db)
    luis = sent(pages, db, 2, by=early)
    assert f"{names_at(db)[0]} has sent the same sheet" in luis.texts()
    assert f"{names_at(db)[1]} has sent the same sheet" in ana.texts()
    path = f"/sheets/{sheets(db)[0].id}"
    fields = {name: luis.field(name, path) for name in ("id", "digest")}
    assert luis.post("/confirm", **fields).status_code == 303
    assert entered(db) == 1


def test_a_phone_that_types_is_told_of_a_sheet_that_was_sent_and_can_confirm_it(pages: TestClient, db: str) -> None:
    luis = phone(pages, db, 2)
    luis.type_hand(1, BLANK)
    sent(pages, db)
    page = Markup(luis.get().text)
    assert f"{names_at(db)[0]} has sent a sheet of this table from another phone." in page.texts
    path = f"/sheets/{sheets(db)[-1].id}"
    assert any(link.endswith(path) for link in page.links())
    assert "has sent this sheet: is it right?" in luis.get(path).text


def test_a_sheet_that_the_desk_refused_is_written_again_from_its_hands(pages: TestClient, db: str) -> None:
    ana = sent(pages, db)
    apply(db, RefuseSheet("Friday", sheets(db)[0].id, "TT is missing a player"), by="desk")
    page = ana.get()
    assert "The desk has not taken this sheet" in page.text
    assert "TT is missing a player" in page.text
    answer = ana.shown("/copy", id=sheets(db)[0].id)
    assert "Is everything right?" in answer.text
    ana.send()
    assert [sheet.state for sheet in sheets(db)] == ["waiting"]


def test_a_correction_by_the_desk_shows_what_was_before_who_when_and_why(pages: TestClient, db: str) -> None:
    """In the first hand the second player has 35 in place of 30; the phones can change nothing any more."""
    luis, ana, names = phone(pages, db, 2), sent(pages, db), names_at(db)
    luis.post("/confirm", **confirmation(db))
    corrected = desk.hands(names, USUAL)
    corrected[0].points[names[1]] = 35
    apply(db, CorrectResult(None, 1, 1, corrected, "read again"), by="desk Marta")
    texts = ana.texts()
    assert any(text.endswith("corrected by desk Marta: read again") for text in texts)
    assert f"TT, {names[1]}: 35 points, before that 30" in texts
    assert len([text for text in texts if "before that" in text]) == 1
    assert ana.post("/hands/1", **BLANK).status_code == 409
    for path in ("/send", "/copy", "/stop", "/confirm"):
        assert ana.post(path, **BLANK, **confirmation(db)).status_code == 303
    assert results.show(db)[0].outcome.points[1] == 155
    apply(db, VoidResult(None, 1, 1, "wet cards"), by="desk Marta")
    assert any(text.endswith("made void by desk Marta: wet cards") for text in ana.texts())


def test_the_desk_was_first_and_the_phone_shows_its_result(pages: TestClient, db: str) -> None:
    """Nothing changes by what the phone sends afterwards."""
    luis, ana = phone(pages, db, 2), sent(pages, db)
    fields = confirmation(db)
    apply(db, EnterResult(None, 1, 1, desk.hands(names_at(db), (*OTHER[:6], 3))))
    assert luis.post("/confirm", **fields).status_code == 303
    assert "The result of this table" in ana.texts()
    assert entered(db) == 1


def test_a_sheet_of_another_table_is_neither_shown_nor_confirmed_nor_copied(pages: TestClient, db: str) -> None:
    sent(pages, db)
    fields, other = confirmation(db), phone(pages, db, 1, table=2)
    assert other.get(f"/sheets/{fields['id']}").status_code == 303
    assert other.post("/confirm", **fields).status_code == 404
    assert other.post("/copy", id=fields["id"]).status_code == 303
    assert (entered(db), sheets(db, 2)) == (0, ())


@pytest.mark.parametrize("state", ["typing", "waiting"])
def test_a_sheet_is_begun_anew_when_other_players_sit_at_the_table(pages: TestClient, db: str, state: str) -> None:
    """The players of seat 4 of table 1 and seat 1 of table 2 are exchanged; what was sent is kept for the desk."""
    names = names_at(db)
    ana = sent(pages, db)
    if state == "typing":
        ana.post("/copy", id=sheets(db)[0].id)
    apply(db, MovePlayer(None, names[3], Swap(names_at(db, 2)[0])))
    texts = ana.texts()
    assert ana.step() == "Hand 1 of 7: TT"
    assert (
        "The players of this table have changed. What was typed before is kept: the desk can continue from it." in texts
    )
    assert phone(pages, db, 2).step() == "Hand 1 of 7: TT"
    assert ana.type_hand(1, BLANK).status_code == 303
    assert ana.step() == "Hand 2 of 7: TE"
    assert "is typing this sheet" in phone(pages, db, 2).get().text


def test_a_player_renamed_meanwhile_is_shown_under_the_new_name(pages: TestClient, db: str) -> None:
    luis, ana, names = phone(pages, db, 2), sent(pages, db), names_at(db)
    apply(db, RenamePlayer(names[1], name="Ñusta"))
    assert "Ñusta" in ana.texts()
    assert luis.post("/confirm", **confirmation(db)).status_code == 303


# --- flags --------------------------------------------------------------------------------------------------------


def test_a_flag_is_raised_once_and_shows_its_state_and_the_answer(pages: TestClient, db: str) -> None:
    ana, name = phone(pages, db), names_at(db)[0]
    number = ana.field("flag")
    for _time in range(2):
        assert ana.post("/flags", text="a card is bent", flag=number).status_code == 303
    assert desk.query(db, "SELECT count(*) FROM flag") == [(1,)]
    assert ana.field("flag") != number
    texts = ana.texts()
    assert texts[texts.index("open") + 1] == f": a card is bent ({name})"
    assert texts.index("open") < texts.index("Who closed?")
    apply(db, AnswerFlag(None, 1, "a new pack is there"))
    assert {"answered", "a new pack is there"} <= set(phone(pages, db, 2).texts())
    assert "a card is bent" not in phone(pages, db, 1, table=2).get().text


def test_a_flag_without_a_text_calls_the_desk(pages: TestClient, db: str) -> None:
    phone(pages, db).post("/flags", text="  ", flag="0")
    assert desk.query(db, "SELECT text FROM flag") == [("somebody at the table calls the desk",)]


@pytest.mark.parametrize("text", ["a" * 81, "a\u202eb"], ids=["too long", "invisible"])
def test_a_flag_that_no_text_is_refused_in_a_sentence(pages: TestClient, db: str, text: str) -> None:
    answer = phone(pages, db).post("/flags", text=text, flag="0")
    assert answer.status_code == 400
    assert desk.query(db, "SELECT count(*) FROM flag") == [(0,)]


# --- closed -------------------------------------------------------------------------------------------------------


def _next_round(db: str) -> None:
    for table in (1, 2):
        names = names_at(db, table)
        apply(db, EnterResult(None, 1, table, desk.hands(names)))
    apply(db, DrawRound())


CLOSED: dict[str, tuple[Callable[[str], object], str, int]] = {
    "the next round": (_next_round, "this table's round is over", 2),
    "revoked": (lambda db: access.revoke(db, "Friday", 1, 1), "this address was closed at the desk", 1),
    "dissolved": (
        lambda db: apply(db, DissolveTable(None, 1, "too few")),
        "this table was dissolved, or its round cancelled",
        1,
    ),
    "cancelled": (
        lambda db: apply(db, CancelRound(None, "late")),
        "this table was dissolved, or its round cancelled",
        0,
    ),
}


@pytest.mark.parametrize("case", half_slow(CLOSED))
def test_a_link_that_has_ended_says_why_and_where_its_player_sits_now(pages: TestClient, db: str, case: str) -> None:
    happens, why, round_number = CLOSED[case]
    ana, name = phone(pages, db), names_at(db)[0]
    happens(db)
    answer = ana.get()
    page = Markup(answer.text)
    assert answer.status_code == 403
    assert any(why in text for text in page.texts)
    assert "/" in page.links()
    seats = [text for text in page.texts if text.startswith("Round ")]
    if round_number:
        (drawn,) = rounds.show(db, None, round_number).rounds
        at = [table for table in drawn.tables if name in [player.name for player in table.players]]
        assert [f"Round {round_number}: table {table.number}, seat " in seats[0] for table in at] == [True] * len(at)
        assert len(seats) == len(at)
    else:
        assert seats == []
    for path in ("/hands/1", "/who", "/flags", "/confirm"):
        assert ana.post(path, **BLANK).status_code == 403


def test_a_table_of_a_draft_says_that_the_round_is_not_published(db: str) -> None:
    apply(db, CancelRound(None, "late"))
    apply(db, DrawRound(draft=True))
    with client(db, entry=True) as pages:
        answer = phone(pages, db, seat=0).get()
    assert (answer.status_code, "round is not published yet" in answer.text) == (403, True)


def test_where_the_event_can_only_be_read_a_table_opens_nothing(db: str) -> None:
    with client(db) as pages:
        scanned = phone(pages, db, seat=0)
        assert scanned.get().status_code == 403
        assert scanned.post("/who", seat="1").status_code == 403
        for method in ("GET", "POST"):
            answer = pages.request(method, "/code", headers=ORIGIN)
            assert (answer.status_code, "here the event can only be read" in answer.text) == (403, True)


# --- codes --------------------------------------------------------------------------------------------------------


def test_six_digits_lead_to_the_table(pages: TestClient, db: str) -> None:
    """Blanks may stand between them."""
    code = access.grant_tables(db, None)[1].code
    assert "Six digits" in pages.get("/code").text
    answer = pages.post("/code", data={"code": f"{code[:3]} {code[3:]}"}, headers=ORIGIN)
    assert answer.status_code == 303
    shown = pages.get(answer.headers["location"])
    assert shown.status_code == 200
    assert "Round 1, table 2" in shown.text


def test_codes_are_tried_five_times_a_minute_and_a_right_one_forgets_no_tries(pages: TestClient, db: str) -> None:
    """So that a player with one code cannot try others for ever; the right one does not count."""
    codes = [keys.code for keys in access.grant_tables(db, None)]
    wrong = next(code for code in ("000000", "111111", "222222") if code not in codes)
    tries = [wrong, wrong, codes[0], wrong, wrong, wrong, codes[0], wrong]
    statuses = [pages.post("/code", data={"code": code}, headers=ORIGIN).status_code for code in tries]
    assert statuses == [404, 404, 303, 404, 404, 404, 429, 429]


def test_a_wrong_code_is_named_at_its_field(pages: TestClient) -> None:
    answer = pages.post("/code", data={"code": "12"}, headers=ORIGIN)
    assert answer.status_code == 404
    assert "no table has this code" in answer.text
    (field,) = [values for tag, values in Markup(answer.text).elements if values.get("id") == "code"]
    assert field["aria-invalid"] == "true"
    assert "code-fault" in field["aria-describedby"].split()
