"""Tests of a whole sheet as a form has it: every fault at its field, and the hands that can be entered or kept.

Closing scores 0, or -10 in one turn; a dead hand is one that nobody closed.
"""

from collections.abc import Mapping
from pathlib import Path

from tests.harness import desk
from tourney.domain.results import SheetHand
from tourney.service.change import apply
from tourney.service.results import results
from tourney.service.results.results import EnterResult
from tourney.service.results.sheets import seated
from tourney.service.results.typed_sheet import CheckedForm, answers_of, check_sheet
from tourney.service.rounds import rounds

ROW = {"points-1": "0", "points-2": "35", "points-3": "17", "points-4": "20"}


make_db = desk.make_drawn
"""The path of a database with an event of four people, of which a round is drawn."""


def names(db: str) -> list[str]:
    return [player.shown for player in rounds.show(db, None, 1).rounds[0].tables[0].players]


def check(db: str, *answers: Mapping[str, str], **settings: object) -> CheckedForm:
    return check_sheet(db, (None, 1, 1), answers, **settings)


def faults(sheet: CheckedForm, place: int = 0) -> list[tuple[str, str]]:
    """Return the fields with a fault that is not only a missing answer, and these faults."""
    return [(fault.field, fault.text) for fault in sheet.hands[place].faults if not fault.missing]


def missing(sheet: CheckedForm, place: int = 0) -> list[str]:
    return [fault.field for fault in sheet.hands[place].faults if fault.missing]


def test_all_mistakes_of_a_sheet_are_found_at_once(db: str) -> None:
    """Hands of a game of contracts do not depend on each other."""
    sheet = check(db, {**ROW, "points-2": "x", "points-4": "y"}, {"points-3": "17"}, {}, {**ROW, "points-2": "1.5"})
    assert [field for field, _text in faults(sheet)] == ["points-2", "points-4"]
    assert missing(sheet, 1) == missing(sheet, 2) == ["closer"]
    assert [field for field, _text in faults(sheet, 3)] == ["points-2"]


def test_a_whole_sheet_is_complete_and_a_stopped_one_has_no_hand_after_a_gap(db: str) -> None:
    assert check(db, *[ROW] * 7).complete
    assert not check(db, *[ROW] * 6).complete
    assert check(db, *[ROW] * 3, length="short").complete
    assert not check(db, length="short").complete
    assert not check(db, ROW, {}, ROW, length="short").complete


def test_a_partial_sheet_keeps_the_first_hands_and_names_what_it_loses(db: str) -> None:
    sheet = check(db, ROW, {**ROW, "points-2": "abc"}, ROW)
    assert [hand.contract for hand in sheet.kept] == ["TT", "TE"]
    assert sheet.lost == ("TE", "EE")
    begun = check(db, ROW, {"closer": "2", "points-1": "40"})
    assert [dict(hand.points) for hand in begun.kept[1:]] == [{0: 40, 1: 0}]
    assert begun.lost == ()


def test_the_answers_of_a_result_are_that_result(db: str) -> None:
    sheet = [*desk.hands(names(db))]
    sheet[2] = SheetHand("EE", {name: 40 + seat for seat, name in enumerate(names(db))}, dead=True)
    first, *others = names(db)
    sheet[3] = SheetHand("TTT", {first: -10, **dict.fromkeys(others, 30)}, first)
    apply(db, EnterResult(None, 1, 1, sheet))
    event = rounds.show(db).event
    table = rounds.show(db, None, 1).rounds[0].tables[0]
    answers = answers_of(event, seated(event, table, sheet))
    assert answers[3]["at_once"] == "y"
    assert answers[2]["closer"] == "-"
    again = check(db, *answers)
    assert again.complete
    (result,) = results.show(db)
    assert [tuple(hand.points[seat] for seat in range(4)) for hand in again.first] == [
        hand.points for hand in result.outcome.hands
    ]


def test_a_knock_hand_is_read_once_those_before_it_are_complete(tmp_path: Path) -> None:
    """Whoever knocks and wins adds nothing; the others add their points, and are out above 100."""
    db = desk.drawn(tmp_path / "knock.db", 3, rules="knock", size=3)
    hand = {"ending": "knock", "closer": "1", "points-1": "2", "points-2": "30", "points-3": "40"}
    sheet = check(db, hand, {}, hand)
    assert [each.complete for each in sheet.hands[:2]] == [True, False]
    assert sheet.hands[2].notes == ("this hand is read once those before it are complete",)
    assert [each.blank for each in check(db, hand).hands] == [False, True]
    assert check(db, hand, length="short").complete
