"""Tests of results at the desk: sheets typed in one form, kept, entered and corrected; sheets from phones taken.

A sheet of `desk.hands` gives the closer of a hand 0 points, seat s otherwise 20 + 10 s.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.web.asking import ORIGIN, TestClient, client, press
from tests.harness.web.markup import Markup
from tourney.domain.events import EventSettings
from tourney.domain.rounds import Table
from tourney.service.admin.journal import log
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, UseEvent
from tourney.service.results import entry, results
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import MovePlayer, Out, Swap
from tourney.service.web import submissions
from tourney.service.web.submissions import KeepTyped, Submit

ENTER = "/desk/results/1/1/enter"
CORRECT = "/desk/results/1/1/correct"
IDS = [f"{number:032x}" for number in range(5)]


def make_db(db: str) -> None:
    """The path of a database with an event of eight of which round 1 is drawn."""
    desk.make_drawn(db, 8)


def table(db: str, number: int = 1) -> Table:
    return next(each for each in rounds.show(db, None, 1).rounds[0].tables if each.number == number)


def names(db: str, number: int = 1) -> list[str]:
    return [player.shown for player in table(db, number).players]


def usual(closer: int = 1) -> dict[str, str]:
    """Return the fields of seven hands, each closed by that seat; the other seats have 20 + 10 × seat points."""
    fields = {}
    for hand in range(1, 8):
        for seat in range(1, 5):
            fields[f"{hand}.points-{seat}"] = "0" if seat == closer else str(10 + 10 * seat)
    return fields


def totals(db: str, number: int = 1) -> tuple[int, ...]:
    (result,) = [each for each in results.show(db) if each.table.number == number]
    return result.outcome.points


def enter(db: str, number: int = 1) -> None:
    apply(db, EnterResult("Friday", 1, number, desk.hands(names(db, number))))


def send(db: str, phone: int = 0, number: int = 1, seat: int = 0, closers: tuple[int, ...] = (0,) * 7) -> None:
    hands = desk.hands(names(db, number), closers)
    apply(db, Submit("Friday", 1, number, IDS[phone], f"phone {phone}", seat, hands))


def test_a_sheet_typed_in_one_form_is_the_result_by_who_is_at_the_desk(db: str, pages: TestClient) -> None:
    pages.post("/desk/name", data={"name": "Marta"}, headers=ORIGIN)
    answer = press(pages, ENTER, "Enter the sheet", usual())
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/desk/results/1?")
    assert totals(db) == (0, 7 * 30, 7 * 40, 7 * 50)
    assert log(db).lines[-1].by == "Marta"
    shown = pages.get(answer.headers["location"]).text
    assert f"entered: Friday, round 1, table 1: {names(db)[0]} 0" in shown


def test_a_sheet_that_is_sent_twice_counts_once(db: str, pages: TestClient) -> None:
    shown = pages.get(ENTER).text
    first = press(pages, ENTER, "Enter the sheet", usual(), shown=shown)
    again = press(pages, ENTER, "Enter the sheet", usual(), shown=shown)
    assert first.headers["location"] == again.headers["location"]
    assert desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'") == [(1,)]


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        (usual(), "Everything is right: the sheet can be entered."),
        (usual() | {"7.points-2": ""}, "Nothing is wrong so far; the sheet is not complete."),
        (usual() | {"1.points-2": "999"}, "1 answer is wrong: see below."),
    ],
    ids=["complete", "begun", "wrong"],
)
def test_a_check_says_at_the_top_what_it_has_found(
    db: str, pages: TestClient, typed: dict[str, str], verdict: str
) -> None:
    assert verdict in press(pages, ENTER, "Check it only", typed).text
    assert results.show(db) == ()


def test_the_second_desk_sees_who_was_first_and_where_the_sheets_differ(db: str, pages: TestClient) -> None:
    """The first sheet has 30 points in TT for the second seat, the other one 35."""
    shown = pages.get(ENTER).text
    pages.post("/desk/name", data={"name": "Marta"}, headers=ORIGIN)
    press(pages, ENTER, "Enter the sheet", usual(), shown=shown)
    pages.post("/desk/name", data={"name": "Pepe"}, headers=ORIGIN)
    answer = press(pages, ENTER, "Enter the sheet", usual() | {"1.points-2": "35"}, shown=shown)
    assert answer.status_code == 409
    assert "entered by Marta" in answer.text
    assert f"TT, {names(db)[1]}: 30 points were entered, here 35" in answer.text
    assert 'value="35"' in answer.text
    assert totals(db)[1] == 7 * 30


def test_every_mistake_stands_at_its_field_and_nothing_typed_is_lost(db: str, pages: TestClient) -> None:
    typed = usual() | {"1.points-2": "30,5", "3.points-4": "999", "5.points-1": "", "6.closer": "2"}
    answer = press(pages, ENTER, "Enter the sheet", typed)
    assert answer.status_code == 400
    assert "the sheet is not entered yet: 4 answers are missing or wrong" in answer.text
    form = next(form for form in Markup(answer.text).forms if form.action == ENTER)
    assert typed.items() <= form.values.items()
    marked = re.findall(r'aria-describedby="f(\d-[a-z0-9-]+)-why"', answer.text)
    assert marked == ["1-points-2", "3-points-4", "5-closer", "6-points-2"]
    assert results.show(db) == ()


def test_a_suggestion_is_taken_with_one_button_and_an_unusual_answer_kept_with_a_tick(
    db: str, pages: TestClient
) -> None:
    typed = usual() | {"1.points-2": "170"}
    shown = press(pages, ENTER, "Enter the sheet", typed).text
    assert "are unusual in TT" in shown
    taken = press(pages, ENTER, "Take 17", shown=shown).text
    assert 'name="1.points-2" value="17"' in taken
    assert "are unusual" not in taken
    tick = next(form for form in Markup(shown).forms if form.action == ENTER).ticks["keep"]
    press(pages, ENTER, "Enter the sheet", {"keep": tick}, shown=shown)
    assert totals(db)[1] == 170 + 6 * 30


def test_a_kept_answer_that_is_changed_is_questioned_again(db: str, pages: TestClient) -> None:
    shown = press(pages, ENTER, "Enter the sheet", usual() | {"1.points-2": "170"}).text
    tick = next(form for form in Markup(shown).forms if form.action == ENTER).ticks["keep"]
    answer = press(pages, ENTER, "Enter the sheet", {"keep": tick, "1.points-2": "180"}, shown=shown)
    assert answer.status_code == 400
    assert results.show(db) == ()


def test_a_partial_sheet_is_kept_and_continued(db: str, pages: TestClient) -> None:
    first = {field: value for field, value in usual().items() if field < "4"}
    answer = press(pages, ENTER, "Keep what is typed for later", first | {"4.closer": "1", "4.points-2": "30"})
    assert answer.status_code == 303
    (partial,) = entry.partial_sheets_of(db, "Friday")
    assert partial.hands == ("TT", "TE", "EE", "TTT")
    assert "partly entered: TT TE EE TTT" in pages.get("/desk/results").text
    form = next(form for form in Markup(pages.get(ENTER).text).forms if form.action == ENTER)
    assert (form.values["4.closer"], form.values["4.points-2"], form.values["4.points-3"]) == ("1", "30", "")


def test_what_cannot_be_kept_is_named_and_stays_on_the_page(db: str, pages: TestClient) -> None:
    answer = press(pages, ENTER, "Keep what is typed for later", {"1.points-2": "abc", "3.points-1": "0"})
    assert answer.status_code == 400
    assert "not kept as it is typed: TT EE" in answer.text
    assert 'value="abc"' in answer.text
    assert entry.partial_sheets_of(db, "Friday") == ()


def test_nothing_typed_is_not_kept(db: str, pages: TestClient) -> None:
    answer = press(pages, ENTER, "Keep what is typed for later")
    assert (answer.status_code, "nothing is typed yet" in answer.text) == (400, True)


WILD = {
    "a seat far away": {"1.closer": "001999"},
    "a seat of many digits": {"1.closer": "9" * 5000},
    "players of many digits": {"players": "9" * 5000},
    "a hand far away": {"99.points-1": "0", "0.points-1": "0", "61.closer": "1"},
    "a seat beyond the table": {"1.points-99": "0", "1.buy-99": "y"},
    "no such thing": {"1.nothing": "x", "do": "nothing", "take": "1.points-1", "keep": "x"},
}


def test_fields_that_no_form_has_do_no_harm(pages: TestClient) -> None:
    for case, typed in WILD.items():
        answer = pages.post(ENTER, data={"do": "enter", **typed}, headers=ORIGIN)
        assert answer.status_code in (200, 400, 409), case
        assert answer.text.count("<fieldset") == 7, case


def test_a_stopped_game_is_entered_with_its_first_hands(db: str, pages: TestClient) -> None:
    first = {field: value for field, value in usual().items() if field < "4"}
    assert press(pages, ENTER, "Enter the sheet", first | {"stopped": "yes"}).status_code == 303
    (result,) = results.show(db)
    assert (result.outcome.points, result.outcome.short) == ((0, 90, 120, 150), 4)
    assert "stopped" in pages.get("/desk/results/1").text


def test_a_sheet_typed_while_another_was_entered_is_refused_and_stays(db: str, pages: TestClient) -> None:
    shown = pages.get(ENTER).text
    enter(db)
    answer = press(pages, ENTER, "Enter the sheet", usual(), shown=shown)
    assert answer.status_code == 409
    assert "has a result already" in answer.text
    assert CORRECT in answer.text
    assert 'name="7.points-4" value="50"' in answer.text


def test_a_sheet_goes_to_the_event_of_its_form_whatever_event_is_current_by_now(db: str, pages: TestClient) -> None:
    shown = pages.get(ENTER).text
    apply(db, CreateEvent(EventSettings("Saturday", "oficial")))
    apply(db, EnterPlayers("Saturday", desk.NAMES))
    apply(db, DrawRound("Saturday"))
    apply(db, UseEvent("Saturday"))
    assert press(pages, ENTER, "Enter the sheet", usual(), shown=shown).status_code == 303
    assert [result.event for event in ("Friday", "Saturday") for result in results.show(db, event)] == ["Friday"]


def test_points_stay_with_their_player_where_seats_were_changed_meanwhile(db: str, pages: TestClient) -> None:
    """The first player of table 1 goes to table 2; the answers of the other three stay theirs."""
    shown, before = pages.get(ENTER).text, names(db)
    apply(db, MovePlayer("Friday", before[0], Swap(names(db, 2)[0])))
    answer = press(pages, ENTER, "Enter the sheet", usual(), shown=shown)
    assert answer.status_code == 409
    assert "the seats of table 1 were changed" in answer.text
    form = next(form for form in Markup(answer.text).forms if form.action == ENTER)
    for seat, name in enumerate(names(db), 1):
        expected = str(10 + 10 * (before.index(name) + 1)) if name in before else ""
        assert form.values[f"1.points-{seat}"] == expected
    assert results.show(db) == ()


def test_a_result_is_corrected_with_a_reason_after_a_look_at_what_moves(db: str, pages: TestClient) -> None:
    enter(db)
    before = totals(db)
    shown = pages.get(CORRECT).text
    form = next(form for form in Markup(shown).forms if form.action == CORRECT)
    assert [form.values[f"{hand}.closer"] for hand in range(1, 8)] == ["1", "2", "3", "4", "1", "2", "3"]
    typed = {"7.points-4": "60", "reason": "misread"}
    moves = press(pages, CORRECT, "Show what this would change", typed, shown=shown)
    assert moves.status_code == 200
    assert "This would change:" in moves.text
    assert totals(db) == before
    assert press(pages, CORRECT, "Correct the result", typed, shown=moves.text).status_code == 303
    assert totals(db) == (*before[:3], before[3] + 10)
    page = pages.get("/desk/results/1/1").text
    assert "corrected by desk: misread" in page
    assert f"EEE, {names(db)[3]}: 60 points, before that 50" in page


def test_a_correction_from_an_old_page_is_refused_with_the_differences_and_may_be_sent_again(
    db: str, pages: TestClient
) -> None:
    """Of two desks that corrected one sheet, the second took back without a word what the first had corrected."""
    enter(db)
    before, old = totals(db), pages.get(CORRECT).text
    first = {"7.points-2": "40", "reason": "misread"}
    assert press(pages, CORRECT, "Correct the result", first).status_code == 303
    corrected = totals(db)
    assert corrected == (before[0], before[1] + 10, *before[2:])
    answer = press(pages, CORRECT, "Correct the result", {"7.points-4": "60", "reason": "seen"}, shown=old)
    assert answer.status_code == 409
    assert "somebody has changed this while the page was open" in answer.text
    assert f"EEE, {names(db)[1]}: 40 points were entered, here 30" in answer.text
    assert totals(db) == corrected
    assert press(pages, CORRECT, "Correct the result", {}, shown=answer.text).status_code == 303
    assert totals(db) == (*before[:3], before[3] + 10)


KEEP = "Keep what is typed for later"


def test_an_answer_that_could_not_be_kept_makes_no_older_correction_a_newer_one(db: str, pages: TestClient) -> None:
    """The attack: the answer page took the other desk's correction for seen, and the next one overwrote it."""
    enter(db)
    old = pages.get(CORRECT).text
    assert press(pages, CORRECT, "Correct the result", {"7.points-2": "40", "reason": "misread"}).status_code == 303
    corrected = totals(db)
    blank = {f"1.points-{seat}": "" for seat in range(2, 5)} | {"1.closer": "", "1.points-1": "?"}
    kept = press(pages, CORRECT, KEEP, blank | {"reason": "seen"}, shown=old)
    assert (kept.status_code, "not kept as it is typed: TT" in kept.text) == (400, True)
    first = {"1.closer": "1", "1.points-1": "", "1.points-2": "35", "1.points-3": "40", "1.points-4": "50"}
    answer = press(pages, CORRECT, "Correct the result", first, shown=kept.text)
    assert answer.status_code == 409
    assert f"EEE, {names(db)[1]}: 40 points were entered, here 30" in answer.text
    assert totals(db) == corrected


def test_an_answer_that_could_not_be_kept_makes_no_older_sheet_a_newer_one(db: str, pages: TestClient) -> None:
    """The hands that the other desk has kept meanwhile are replaced only after this desk was told of them."""
    old = pages.get(ENTER).text
    hands = [{name: value for name, value in usual().items() if name.startswith(f"{hand}.")} for hand in (1, 2)]
    assert press(pages, ENTER, KEEP, hands[0]).status_code == 303
    kept = press(pages, ENTER, KEEP, hands[1], shown=old)
    assert (kept.status_code, "not kept as it is typed: TE" in kept.text) == (400, True)
    answer = press(pages, ENTER, KEEP, hands[0] | {"1.points-2": "35"}, shown=kept.text)
    assert (answer.status_code, "somebody has changed this" in answer.text) == (409, True)
    (begun,) = entry.partial_sheets_of(db, "Friday")
    assert begun.hands == ("TT",)


@pytest.mark.parametrize("complete", [6, 0])
def test_an_unfinished_correction_of_an_older_page_is_refused_with_what_was_typed(
    db: str, pages: TestClient, complete: int
) -> None:
    """The refusal took the place of the form, and of all that was typed into it."""
    enter(db)
    old = pages.get(CORRECT).text
    assert press(pages, CORRECT, "Correct the result", {"7.points-2": "40", "reason": "misread"}).status_code == 303
    begun = {f"{complete + 1}.points-{seat}": points for seat, points in ((2, "35"), (3, ""), (4, ""))}
    answer = press(pages, CORRECT, KEEP, begun | {"reason": "seen"}, shown=old)
    assert (answer.status_code, "somebody has changed this" in answer.text) == (409, True)
    assert f'name="{complete + 1}.points-2" value="35"' in answer.text
    assert "corrected by desk: misread" in answer.text
    assert ("EEE: missing here" in answer.text) == (complete == 6)


@pytest.mark.parametrize("typed", [{"7.points-4": "60"}, {"reason": "misread"}], ids=["no reason", "no change"])
def test_a_correction_needs_a_reason_and_a_change(db: str, pages: TestClient, typed: Mapping[str, str]) -> None:
    enter(db)
    before = totals(db)
    answer = press(pages, CORRECT, "Correct the result", typed)
    assert answer.status_code == 400
    assert totals(db) == before


def test_a_correction_that_was_begun_is_continued_or_dropped(db: str, pages: TestClient) -> None:
    enter(db)
    press(pages, CORRECT, "Keep what is typed for later", {"7.points-4": "60"})
    assert "A correction of this result was begun." in pages.get("/desk/results/1/1").text
    assert 'name="7.points-4" value="60"' in pages.get(CORRECT).text
    press(pages, "/desk/results/1/1", "Drop the correction that was begun", {"reason": "it was right"})
    assert "A correction of this result was begun." not in pages.get("/desk/results/1/1").text


def test_a_result_is_made_void_with_a_reason_and_entered_again(db: str, pages: TestClient) -> None:
    enter(db)
    answer = press(pages, "/desk/results/1/1", "Make the result void", {"reason": "51 cards"})
    assert answer.status_code == 303
    assert results.show(db)[0].state == "void"
    assert "void" in pages.get("/desk/results/1").text
    assert press(pages, ENTER, "Enter the sheet", usual()).status_code == 303
    assert results.show(db)[0].state == "counts"


def test_a_partial_sheet_is_discarded_with_a_reason(db: str, pages: TestClient) -> None:
    press(pages, ENTER, "Keep what is typed for later", {"1.closer": "1"})
    page = "/desk/results/1/1"
    assert press(pages, page, "Discard what is typed", {"reason": " "}).status_code == 400
    assert press(pages, page, "Discard what is typed", {"reason": "wrong table"}).status_code == 303
    assert entry.partial_sheets_of(db, "Friday") == ()


def test_a_knock_game_is_typed_hand_by_hand(tmp_path: Path) -> None:
    db = str(tmp_path / "knock.db")
    desk.club_of(db, desk.NAMES[:3], rules="knock", size=3)
    apply(db, DrawRound())
    first = {"1.ending": "knock", "1.closer": "1", "1.points-1": "2", "1.points-2": "30", "1.points-3": "40"}
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        after = press(pages, ENTER, "Next hand", first)
        assert after.status_code == 200
        assert "after hand 1" in after.text
        second = {field.replace("1.", "2.", 1): value for field, value in first.items()}
        assert press(pages, ENTER, "Enter the sheet", second, shown=after.text).status_code == 400
        typed = second | {"stopped": "yes"}
        assert press(pages, ENTER, "Enter the sheet", typed, shown=after.text).status_code == 303
    assert len(results.show(db)[0].outcome.hands) == 2


def test_the_list_says_the_state_of_each_table_in_words(db: str, pages: TestClient) -> None:
    def states() -> list[str]:
        return re.findall(r'<p class="state">([^<(]+?)(?: <span|</p>)', pages.get("/desk/results").text)

    assert states() == ["no result", "no result"]
    apply(db, KeepTyped("Friday", 1, 1, IDS[0], "phone 0", 0, desk.hands(names(db))[:1]))
    assert states() == ["no result", "typing hand 2 of 7"]
    send(db, 0)
    assert states() == ["waiting for the second player", "no result"]
    send(db, 1, seat=1, closers=(1,) * 7)
    assert states() == ["sheets disagree", "no result"]
    enter(db, 2)
    assert states() == ["sheets disagree", "in"]


def test_after_a_sheet_the_next_one_has_the_cursor_and_after_the_last_one_the_round_is_drawn(
    db: str, pages: TestClient
) -> None:
    first = pages.get("/desk/results").text
    assert "autofocus" not in first
    text = pages.get(press(pages, ENTER, "Enter the sheet", usual()).headers["location"]).text
    assert re.findall(r'<a id="(\w+)" autofocus class="button main" href="([^"]*)"', text) == [
        ("t2", "/desk/results/1/2/enter")
    ]
    assert "Draw round 2" not in text
    enter(db, 2)
    assert press(pages, "/desk/results", "Draw round 2").status_code == 303
    assert "Draw round" not in pages.get("/desk/results/1").text


def test_a_sheet_that_waits_in_an_earlier_round_is_named_beside_the_newest(db: str, pages: TestClient) -> None:
    enter(db)
    enter(db, 2)
    send(db, closers=(3,) * 7)
    apply(db, DrawRound("Friday"))
    text = pages.get("/desk/results").text
    assert "Results of round 2" in text
    assert '<a href="/desk/results/1/1">Round 1, table 1</a>' in text


def test_two_sheets_that_disagree_have_a_column_for_each_player_and_differences_in_bold(
    db: str, pages: TestClient
) -> None:
    """The sheets differ in the first two hands, which other players closed; whoever closes has 0, and is named."""
    send(db, 0, closers=(0, 1, 2, 3, 0, 1, 2))
    send(db, 1, seat=1, closers=(1, 0, 2, 3, 0, 1, 2))
    text = pages.get("/desk/results/1/1").text
    (table,) = re.findall(r'<table class="grid compared">.*?</table>', text, re.DOTALL)
    first, second, third, fourth = names(db)
    assert re.findall(r"<th[^>]*>(.*?)</th>", table)[2:6] == [first, second, third, fourth]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("<tr")[2:]]
    assert [row[1:] for row in rows[:3]] == [
        ["<strong>0</strong>", "<strong>30</strong>", "40", "50", f"<strong>closed by {first}</strong>"],
        ["<strong>20</strong>", "<strong>0</strong>", "40", "50", f"<strong>closed by {second}</strong>"],
        ["<strong>20</strong>", "<strong>0</strong>", "40", "50", f"<strong>closed by {second}</strong>"],
    ]
    assert rows[0][0].startswith(first)
    assert rows[1][0].startswith(second)
    assert [(row[0], "<strong>" in str(row)) for row in rows[4:]] == [("the same", False)] * 5


def test_the_desk_takes_one_of_two_sheets_and_the_other_is_not_taken(db: str, pages: TestClient) -> None:
    send(db, 0)
    send(db, 1, seat=1, closers=(1,) * 7)
    shown = pages.get("/desk/results/1/1").text
    _first, button = re.findall(r">(Take this sheet as the result[^<]*)<", shown)
    assert button.startswith(f"Take this sheet as the result: {names(db)[1]}")
    answer = press(pages, "", button, action=IDS[1], shown=shown)
    assert answer.status_code == 303
    assert totals(db) == (7 * 20, 0, 7 * 40, 7 * 50)
    assert [submissions.submission(db, "Friday", sheet).state for sheet in IDS[:2]] == ["refused", "confirmed"]
    assert log(db).lines[-1].by == "desk"


def test_a_sheet_that_was_changed_meanwhile_is_not_taken_unseen(db: str, pages: TestClient) -> None:
    send(db, 0)
    shown = pages.get("/desk/results/1/1").text
    send(db, 0, closers=(1,) * 7)
    answer = press(pages, "", "Take this sheet as the result", shown=shown)
    assert answer.status_code == 409
    assert "somebody has changed this while the page was open" in answer.text
    assert results.show(db) == ()


def test_a_sheet_is_refused_with_a_reason(db: str, pages: TestClient) -> None:
    send(db)
    page = "/desk/results/1/1"
    assert press(pages, page, "Refuse this sheet", {"reason": " "}).status_code == 400
    assert press(pages, page, "Refuse this sheet", {"reason": "a page is missing"}).status_code == 303
    found = submissions.submission(db, "Friday", IDS[0])
    assert (found.state, found.reason) == ("refused", "a page is missing")


def test_a_sheet_beside_a_result_corrects_it_and_the_desk_looks_first(db: str, pages: TestClient) -> None:
    enter(db)
    send(db, closers=(3,) * 7)
    text = pages.get("/desk/results/1/1").text
    assert "What counts now" in text
    link = re.search(rf'href="({CORRECT}\?sheet={IDS[0]})"', text)
    assert link is not None
    answer = press(pages, link[1], "Correct the result", {"reason": "as the table says"})
    assert answer.status_code == 303
    assert totals(db) == (7 * 20, 7 * 30, 7 * 40, 0)


def test_a_sheet_that_is_typed_while_one_from_a_phone_waits_says_so(db: str, pages: TestClient) -> None:
    send(db)
    text = pages.get(ENTER).text
    assert "A sheet from a phone waits: look at it first" in text
    assert 'href="/desk/results/1/1"' in text


def test_what_is_not_there_is_one_sentence(pages: TestClient) -> None:
    for path in ("9", "1/9", "1/9/enter", "x/1", "1/1/enter?sheet=nothing"):
        answer = pages.get(f"/desk/results/{path}")
        assert answer.status_code == 404, path
        assert "Traceback" not in answer.text


def test_a_form_that_does_not_suit_the_table_leads_to_it(db: str, pages: TestClient) -> None:
    """Nothing can be corrected before there is a result, and nothing entered beside one."""
    assert pages.get(CORRECT).headers["location"] == "/desk/results/1/1"
    enter(db)
    assert pages.get(ENTER).headers["location"] == "/desk/results/1/1"


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=1>',
    "1",
    "-0",
    "{{ 7 * 7 }}",
    "y",
    "Ana <b>",
    "10 20 30 40",
)


def test_no_name_changes_a_page_or_who_closed(tmp_path: Path) -> None:
    """Names that look like markup, a seat, a dash or a row of points are only names."""
    db = str(tmp_path / "hostile.db")
    desk.club_of(db, HOSTILE)
    apply(db, DrawRound())
    with client(db, address="127.0.0.1", signed_in=True) as pages:
        for number in (1, 2):
            path = f"/desk/results/1/{number}/enter"
            typed = {field: value for field, value in usual(2).items() if field[2:] != "points-2"}
            typed |= {f"{hand}.closer": "2" for hand in range(1, 8)}
            assert press(pages, path, "Enter the sheet", typed).status_code == 303
            assert totals(db, number) == (140, 0, 280, 350)
            for page in (f"/desk/results/1/{number}", f"/desk/results/1/{number}/correct", "/desk/results"):
                text = pages.get(page).text
                assert "<script>" not in text
                assert "<img" not in text
                assert "49" not in re.sub(r"[0-9a-f]{12,}", "", text)


def typed(db: str, hands: int = 2) -> None:
    """Type the first hands of the sheet of table 1 on a phone."""
    apply(db, KeepTyped("Friday", 1, 1, IDS[0], "phone 0", 0, desk.hands(names(db), (0,) * 7)[:hands]))


def test_the_form_shows_what_a_phone_is_typing_and_goes_on_from_it(db: str, pages: TestClient) -> None:
    typed(db)
    for path in ("/desk/results/1/1", ENTER):
        text = pages.get(path).text
        assert f"{names(db)[0]} is typing this sheet on a phone" in text, path
        assert f'href="{ENTER}?sheet={IDS[0]}"' in text, path
    form = Markup(pages.get(f"{ENTER}?sheet={IDS[0]}").text).forms[0].values
    assert (form["1.points-2"], form["2.points-4"], form["3.points-2"]) == ("30", "50", "")


def test_hands_of_a_phone_survive_a_player_who_leaves_and_are_offered_without_them(db: str, pages: TestClient) -> None:
    typed(db)
    before = names(db)
    apply(db, MovePlayer("Friday", before[3], Out()))
    (link,) = re.findall(rf'href="({ENTER}\?sheet=[^"]*)"', pages.get("/desk/results/1/1").text)
    text = pages.get(ENTER).text
    assert "before the players of the table changed" in text
    form = Markup(pages.get(link).text).forms[0].values
    shown = names(db)
    points = {name: form[f"1.points-{seat}"] for seat, name in enumerate(shown, 1) if name != before[0]}
    assert points == {before[1]: "30", before[2]: "40"}


def test_the_preview_of_a_correction_stands_before_the_form_and_takes_no_cursor_from_it(
    db: str, pages: TestClient
) -> None:
    enter(db)
    typed_here = {"1.points-2": "45", "reason": "typed wrongly"}
    text = press(pages, CORRECT, "Show what this would change", typed_here).text
    assert text.index("This would change:") < text.index('class="sheet-form')
    assert text.count('form="sheet"') == 1


def test_a_correction_shows_the_0_of_who_closed(db: str, pages: TestClient) -> None:
    enter(db)
    form = Markup(pages.get(CORRECT).text).forms[0].values
    assert [form[f"{hand}.points-{seat}"] for hand in range(1, 8) for seat in range(1, 5)].count("") == 0
    assert "0" in [form[f"1.points-{seat}"] for seat in range(1, 5)]


def test_a_check_that_finds_a_mistake_does_not_look_like_success(pages: TestClient) -> None:
    text = press(pages, ENTER, "Check it only", {"1.points-1": "3o"}).text
    assert '<p class="message refused" role="status">1 answer is wrong' in text
