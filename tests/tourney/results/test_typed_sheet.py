"""Tests of a whole sheet as a form has it: every fault at its field, and the hands that can be entered or kept.

Closing scores 0, or -10 in one turn; a dead hand is one that nobody closed.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.events import EventSettings
from tourney.domain.results import DeclaredHand
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.people.players import RegisterPlayers
from tourney.service.results import results
from tourney.service.results.results import EnterResult
from tourney.service.results.sheets import seated
from tourney.service.results.typed_sheet import CheckedSheet, answers_of, check_sheet
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

ROW = {"points-1": "0", "points-2": "35", "points-3": "17", "points-4": "20"}


@pytest.fixture
def club(tmp_path: Path) -> str:
    """The path of a database with an event of four people, of which a round is drawn."""
    return desk.drawn(tmp_path / "club.db")


def names(db: str) -> list[str]:
    return [player.shown for player in rounds.show(db, None, 1).rounds[0].tables[0].players]


def check(db: str, *answers: Mapping[str, str], **settings: object) -> CheckedSheet:
    return check_sheet(db, None, 1, 1, answers, **settings)


def faults(sheet: CheckedSheet, place: int = 0) -> list[tuple[str, str]]:
    """Return the fields with a fault that is not only a missing answer, and these faults."""
    return [(fault.field, fault.text) for fault in sheet.hands[place].faults if not fault.missing]


def missing(sheet: CheckedSheet, place: int = 0) -> list[str]:
    return [fault.field for fault in sheet.hands[place].faults if fault.missing]


def test_who_closed_follows_from_the_points(club: str) -> None:
    hand = check(club, ROW).first[0]
    first, second, third, fourth = names(club)
    assert (hand.contract, hand.closer) == ("TT", first)
    assert hand.points == {first: 0, second: 35, third: 17, fourth: 20}


def test_closing_in_one_turn_is_ticked_or_typed(club: str) -> None:
    others = {field: points for field, points in ROW.items() if field != "points-1"}
    for answers in ({"closer": "1", "at_once": "y"}, {"points-1": "-10"}, {"closer": "1", "points-1": "-10"}):
        assert check(club, others | answers).first[0].points[names(club)[0]] == -10
    assert check(club, others | {"closer": "1"}).first[0].points[names(club)[0]] == 0


def test_a_dead_hand_has_everybody_s_points(club: str) -> None:
    hand = check(club, {"closer": "-", **ROW, "points-1": "40"}).first[0]
    assert (hand.dead, hand.closer, hand.points[names(club)[0]]) == (True, None, 40)


UNCLEAR = {
    "two closers": ({**ROW, "points-2": "0"}, "closer", "2 players have 0 or -10: choose who closed"),
    "no closer": ({**ROW, "points-1": "3"}, "closer", "nobody has 0 or -10: choose who closed, or that nobody did"),
    "a closer with points": ({**ROW, "closer": "1", "points-1": "5"}, "points-1", "type 0 or -10"),
    "one turn and 0": ({**ROW, "closer": "1", "at_once": "y"}, "points-1", "type -10"),
    "a seat that is not there": ({**ROW, "closer": "9"}, "closer", "TT: who closed?"),
    "a fraction": ({**ROW, "points-3": "17.5"}, "points-3", "is not a whole number"),
    "no card": ({**ROW, "points-3": "Kx"}, "points-3", "'Kx' is not a card"),
    "more than there is": ({**ROW, "points-4": "9999"}, "points-4", "9999"),
}


def test_a_mistake_stands_at_its_field(club: str) -> None:
    for case, (answers, field, why) in UNCLEAR.items():
        sheet = check(club, answers)
        ((found, text),) = faults(sheet)
        assert (found, why in text) == (field, True), case
        assert (sheet.complete, sheet.first) == (False, ()), case


def test_all_mistakes_of_a_sheet_are_found_at_once(club: str) -> None:
    """Hands of a game of contracts do not depend on each other; a hand without a closer is not read further."""
    sheet = check(club, {**ROW, "points-2": "x", "points-4": "y"}, {"points-3": "17"}, {}, {**ROW, "points-2": "1.5"})
    assert [field for field, _text in faults(sheet)] == ["points-2", "points-4"]
    assert missing(sheet, 1) == missing(sheet, 2) == ["closer"]
    assert [field for field, _text in faults(sheet, 3)] == ["points-2"]


def test_points_that_nobody_has_are_suggested_and_counted_once_kept(club: str) -> None:
    sheet = check(club, {**ROW, "points-2": "170"})
    (fault,) = sheet.hands[0].faults
    assert (fault.field, fault.may_keep) == ("points-2", True)
    assert 17 in fault.readings or 70 in fault.readings
    assert check(club, {**ROW, "points-2": "170"}, kept={(0, "points-2", "170")}).hands[0].complete
    assert not check(club, {**ROW, "points-2": "171"}, kept={(0, "points-2", "170")}).hands[0].complete


def test_a_whole_sheet_is_complete_and_a_stopped_one_has_no_hand_after_a_gap(club: str) -> None:
    assert check(club, *[ROW] * 7).complete
    assert not check(club, *[ROW] * 6).complete
    assert check(club, *[ROW] * 3, length="short").complete
    assert not check(club, length="short").complete
    assert not check(club, ROW, {}, ROW, length="short").complete


def test_a_partial_sheet_keeps_the_first_hands_and_names_what_it_loses(club: str) -> None:
    sheet = check(club, ROW, {**ROW, "points-2": "abc"}, ROW)
    assert [hand.contract for hand in sheet.kept] == ["TT", "TE"]
    assert sheet.lost == ("TE", "EE")
    begun = check(club, ROW, {"closer": "2", "points-1": "40"})
    assert [dict(hand.points) for hand in begun.kept[1:]] == [{names(club)[0]: 40, names(club)[1]: 0}]
    assert begun.lost == ()


def test_the_answers_of_a_result_are_that_result(club: str) -> None:
    sheet = [*desk.hands(names(club))]
    sheet[2] = DeclaredHand("EE", {name: 40 + seat for seat, name in enumerate(names(club))}, dead=True)
    first, *others = names(club)
    sheet[3] = DeclaredHand("TTT", {first: -10, **dict.fromkeys(others, 30)}, first)
    apply(club, EnterResult(None, 1, 1, sheet))
    event = rounds.show(club).event
    table = rounds.show(club, None, 1).rounds[0].tables[0]
    answers = answers_of(event, seated(event, table, sheet))
    assert answers[3]["at_once"] == "y"
    assert answers[2]["closer"] == "-"
    again = check(club, *answers)
    assert again.complete
    (result,) = results.show(club)
    assert [tuple(hand.points[name] for name in names(club)) for hand in again.first] == [
        hand.points for hand in result.outcome.hands
    ]


def test_a_knock_hand_is_read_once_those_before_it_are_complete(tmp_path: Path) -> None:
    """Whoever knocks and wins adds nothing; the others add their points, and are out above 100."""
    db = str(tmp_path / "knock.db")
    apply(db, RegisterPlayers(desk.NAMES[:3]))
    apply(db, CreateEvent(EventSettings("Friday", "knock", size=3)))
    apply(db, EnterPlayers("Friday", desk.NAMES[:3]))
    apply(db, DrawRound())
    hand = {"ending": "knock", "closer": "1", "points-1": "2", "points-2": "30", "points-3": "40"}
    sheet = check(db, hand, {}, hand)
    assert [each.complete for each in sheet.hands[:2]] == [True, False]
    assert sheet.hands[2].notes == ("this hand is read once those before it are complete",)
    assert [each.blank for each in check(db, hand).hands] == [False, True]
    assert check(db, hand, length="short").complete


def test_a_missing_answer_is_named(club: str) -> None:
    for field in ROW:
        answers = {name: points for name, points in ROW.items() if name != field}
        assert missing(check(club, answers)) == ["closer" if field == "points-1" else field]
