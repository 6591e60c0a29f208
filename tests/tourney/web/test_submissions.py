"""Tests of score sheets from phones: kept, sent and confirmed once, and never lost nor merged when things change.

Each sheet is one of `desk.hands`: the closer of a hand has 0 points, seat s otherwise 20 + 10 s.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.slow import half_slow
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.results import SheetHand
from tourney.domain.rounds import Table
from tourney.domain.submissions import Submission
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.events import FinishEvent
from tourney.service.players import ErasePlayer, MergePlayers, RegisterPlayers, RenamePlayer
from tourney.service.results import results
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.dissolve_table import DissolveTable
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound, MovePlayer, Swap
from tourney.service.web import submissions
from tourney.service.web.submissions import Confirm, KeepTyped, RefuseSheet, Submit, TakeOver

IDS = [f"{number:032x}" for number in range(5)]
OTHER = (1, 2, 0, 1, 2, 0, 1)
"""The closers of another sheet than the usual one."""


def make_db(db: str) -> None:
    """The path of a database with an event of seven people at two tables, of which a round is drawn."""
    desk.event(db, 7, size=4, rounds=3)
    apply(db, DrawRound())


def _table(db: str, number: int = 1) -> Table:
    return next(table for table in rounds.show(db, None, 1).rounds[0].tables if table.number == number)


def _sheet(table: Table, closers: Sequence[int] = (0, 1, 2, 0, 1, 2, 0)) -> list[SheetHand[str]]:
    return desk.hands([player.name for player in table.players], closers)


def _send(db: str, number: int = 0, table: int = 1, seat: int = 0, **fields: object) -> Submission:
    """Send a sheet from a phone of its own."""
    at = _table(db, table)
    fields = {"device": f"phone {number}", "hands": _sheet(at)} | fields
    return apply(db, Submit("Friday", 1, table, IDS[number], seat=seat, **fields))


def _confirm(db: str, sheet: Submission, seat: int = 1) -> object:
    return apply(db, Confirm("Friday", sheet.id, sheet.digest, sheet.table.players[seat]))


def _entries(db: str) -> int:
    return desk.query(db, "SELECT count(*) FROM act")[0][0]


def _last_author(db: str) -> str:
    return desk.query(db, "SELECT json_extract(text, '$.by') FROM act ORDER BY number DESC LIMIT 1")[0][0]


def _state(db: str, number: int = 0) -> tuple[str, int]:
    """Return the state of a sheet and how many hands it has."""
    found = submissions.submission(db, "Friday", IDS[number])
    return found.state, len(found.hands)


def test_hands_are_kept_while_they_are_typed_and_are_no_change(db: str) -> None:
    """A late message of what was typed before does not change a sheet that was sent."""
    before, table = _entries(db), _table(db)
    typed = KeepTyped("Friday", 1, 1, IDS[0], "phone 0", 0, _sheet(table)[:2])
    assert apply(db, typed).state == "typing"
    assert _state(db) == ("typing", 2)
    assert _send(db).state == "waiting"
    assert apply(db, typed).state == "waiting"
    assert _state(db) == ("waiting", 7)
    assert _entries(db) == before
    assert results.show(db) == ()


def test_a_confirmed_sheet_is_the_result_and_says_which_seats_entered_it(db: str) -> None:
    """The journal names seats 1 and 2, so that no name is in it; the sheet's history shows who they are."""
    sheet = _send(db)
    _confirm(db, sheet)
    (result,) = results.show(db)
    assert result.outcome == sheet.outcome
    assert result.outcome.points == tuple((20 + 10 * seat) * 7 - closed for seat, closed in enumerate((60, 60, 80, 0)))
    assert _state(db) == ("confirmed", 7)
    assert _last_author(db) == "table 1: seats 1, 2"
    (entered,) = results.sheet_entries(db, None, 1, 1)
    assert entered.players == (sheet.table.players[0].name, sheet.table.players[1].name)
    texts = "".join(row[0] for row in desk.query(db, "SELECT text FROM act"))
    assert not [name for name in desk.NAMES if name in texts]


def test_sent_and_confirmed_twice_counts_once(db: str) -> None:
    sheet, again = _send(db), _send(db)
    assert again == sheet
    for _time in range(3):
        _confirm(db, sheet)
    entries = _entries(db)
    assert apply(db, Submit("Friday", 1, 1, IDS[0], "phone 0", 0, _sheet(_table(db)))).state == "confirmed"
    assert _entries(db) == entries
    assert desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'") == [(1,)]


def test_a_sheet_that_waits_is_replaced_by_its_phone_and_not_confirmed_unseen(db: str) -> None:
    """Whoever looked at the first version has to look again."""
    seen = _send(db)
    changed = _send(db, hands=_sheet(_table(db), OTHER))
    assert changed.digest != seen.digest
    with desk.refused(ExitCode.CONFLICT, "changed since"):
        _confirm(db, seen)
    _confirm(db, changed)
    assert results.show(db)[0].outcome == changed.outcome


WRONG: dict[str, tuple[Callable[[str], object], ExitCode, str]] = {
    "the player who typed it": (lambda db: _confirm(db, _send(db), 0), ExitCode.REFUSED, "has typed this sheet"),
    "a player of another table": (
        lambda db: apply(db, Confirm("Friday", (sheet := _send(db)).id, sheet.digest, _table(db, 2).players[0])),
        ExitCode.REFUSED,
        "does not sit at this table",
    ),
    "a sheet still typed": (
        lambda db: _confirm(db, apply(db, KeepTyped("Friday", 1, 1, IDS[0], "phone 0", 0, _sheet(_table(db))))),
        ExitCode.REFUSED,
        "still being typed",
    ),
    "no sheet": (
        lambda db: apply(db, Confirm("Friday", IDS[3], "", _table(db).players[0])),
        ExitCode.NOT_FOUND,
        "no such sheet",
    ),
    "a refused sheet": (
        lambda db: (
            sheet := _send(db),
            apply(db, RefuseSheet("Friday", IDS[0], "a page is missing")),
            _confirm(db, sheet),
        ),
        ExitCode.CONFLICT,
        "a page is missing",
    ),
    "an impossible sheet": (
        lambda db: _send(db, hands=[*_sheet(_table(db))[:6], SheetHand("EEE", {"Ana": 1})]),
        ExitCode.REFUSED,
        "EEE",
    ),
    "hands missing": (lambda db: _send(db, hands=_sheet(_table(db))[:5]), ExitCode.REFUSED, "TEE is missing"),
    "a seat that is not there": (lambda db: _send(db, seat=4), ExitCode.REFUSED, "no seat 5"),
    "a number that is none": (
        lambda db: apply(db, Submit("Friday", 1, 1, "Robert'); --", "phone 0", 0, _sheet(_table(db)))),
        ExitCode.REFUSED,
        "is not the number of a sheet",
    ),
    "another table's sheet": (lambda db: (_send(db), _send(db, table=2)), ExitCode.CONFLICT, "another table"),
    "another phone's sheet": (lambda db: (_send(db), _send(db, device="stolen")), ExitCode.CONFLICT, "or phone"),
}


@pytest.mark.parametrize("case", half_slow(WRONG))
def test_what_cannot_be_sent_or_confirmed_is_refused_and_enters_nothing(db: str, case: str) -> None:
    do, code, words = WRONG[case]
    before = _entries(db)
    with desk.refused(code, words):
        do(db)
    assert _entries(db) == before
    assert database.check(db).problems == ()


def _desk_enters(db: str, closers: Sequence[int] = (0, 1, 2, 0, 1, 2, 0)) -> None:
    apply(db, EnterResult(None, 1, 1, _sheet(_table(db), closers)))


def _exchange(db: str) -> None:
    apply(db, MovePlayer(None, _table(db).players[0].name, Swap(_table(db, 2).players[0].name)))


MEANWHILE: dict[str, tuple[Callable[[str], object], ExitCode, str]] = {
    "the desk entered it": (_desk_enters, ExitCode.CONFLICT, "has a result already"),
    "the desk entered another sheet": (lambda db: _desk_enters(db, OTHER), ExitCode.CONFLICT, "has a result already"),
    "another phone was first": (
        lambda db: _confirm(db, _send(db, 1, seat=2)),
        ExitCode.CONFLICT,
        "has a result already",
    ),
    "the desk took another phone's": (
        lambda db: (_send(db, 1), apply(db, TakeOver("Friday", IDS[1]))),
        ExitCode.CONFLICT,
        "the desk has taken another sheet",
    ),
    "the table was dissolved": (lambda db: apply(db, DissolveTable(None, 1, "ill")), ExitCode.CONFLICT, "dissolved"),
    "the round was cancelled": (lambda db: apply(db, CancelRound(None, "late")), ExitCode.CONFLICT, "cancelled"),
    "the round was undone": (lambda db: apply(db, Undo()), ExitCode.CONFLICT, "cancelled"),
    "the round was drawn anew": (
        lambda db: (apply(db, CancelRound(None, "late")), apply(db, DrawRound())),
        ExitCode.CONFLICT,
        "cancelled",
    ),
    "a player was exchanged": (_exchange, ExitCode.CONFLICT, "other players sit at"),
    "the event was finished": (
        lambda db: apply(db, FinishEvent("Friday", incomplete=True)),
        ExitCode.REFUSED,
        "is finished",
    ),
}
"""Events between the sending of a sheet and its confirmation, each with how that is refused."""


@pytest.mark.parametrize("case", half_slow(MEANWHILE))
def test_a_sheet_that_came_too_late_is_refused_in_one_sentence_and_kept(db: str, case: str) -> None:
    """The result, if there is one, stays, and so does the sheet with all its hands."""
    happens, code, words = MEANWHILE[case]
    sheet = _send(db)
    happens(db)
    before, shown = _entries(db), results.show(db)
    with desk.refused(code, words):
        _confirm(db, sheet)
    assert (_entries(db), results.show(db)) == (before, shown)
    assert _state(db) == ("refused" if "taken" in words else "waiting", 7)
    assert database.check(db).problems == ()


@pytest.mark.parametrize("case", ["a name", "a merger", "an undone exchange", "a redone round"])
def test_a_sheet_is_still_confirmed_when_its_table_is_the_same_again(db: str, case: str) -> None:
    """Players are kept by number, so that a new name changes no sheet."""
    sheet = _send(db)
    if case == "a name":
        apply(db, RenamePlayer(sheet.table.players[1].name, name="Ñusta"))
    elif case == "a merger":
        apply(db, RegisterPlayers(["Hugo"]))
        apply(db, MergePlayers("Hugo", sheet.table.players[1].name))
    elif case == "an undone exchange":
        _exchange(db)
        apply(db, Undo())
    else:
        apply(db, Undo())
        apply(db, Redo())
    now = submissions.submission(db, "Friday", sheet.id)
    _confirm(db, now)
    assert results.show(db)[0].outcome == sheet.outcome
    assert database.check(db).problems == ()


def test_a_sheet_whose_result_was_undone_waits_again_and_can_be_confirmed_again(db: str) -> None:
    sheet = _send(db)
    _confirm(db, sheet)
    apply(db, Undo())
    assert _state(db)[0] == "waiting"
    _confirm(db, sheet)
    assert _state(db)[0] == "confirmed"
    apply(db, VoidResult(None, 1, 1, "wet cards"))
    assert _confirm(db, sheet).state == "void", "only the desk changes it, and it counts once"
    apply(db, CorrectResult(None, 1, 1, _sheet(_table(db), OTHER), "read again"))
    assert _confirm(db, sheet).outcome != sheet.outcome
    assert desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'") == [(2,)]


def test_two_phones_that_disagree_are_both_shown_hand_by_hand_and_never_merged(db: str) -> None:
    """The second sheet has another closer in the last hand."""
    table = _table(db)
    other = [*_sheet(table)[:6], *_sheet(table, OTHER)[6:]]
    _send(db)
    sent = apply(db, Submit("Friday", 1, 1, IDS[1], "phone 1", 1, other))
    (waiting,) = submissions.waiting_sheets(db)
    assert [sheet.id for sheet in waiting.sheets] == IDS[:2]
    (difference,) = waiting.differences
    assert difference.hand == "EEE"
    typed = zip(desk.by_seat([_sheet(table)[6], other[6]]), (0, 1), strict=True)
    assert difference.as_typed == tuple(replace(hand, closer=seat) for hand, seat in typed)
    assert results.show(db) == ()
    apply(db, TakeOver("Friday", IDS[1]), by="desk")
    assert results.show(db)[0].outcome == sent.outcome
    assert _last_author(db) == "desk"
    assert (_state(db, 0)[0], _state(db, 1)[0]) == ("refused", "confirmed")
    assert submissions.waiting_sheets(db) == ()


def _states(db: str) -> list[str]:
    return [sheet.state for sheet in submissions.sheets_of_table(db, "Friday", 1, 1).sheets]


def _disagreeing(db: str) -> list[Submission]:
    """Send two sheets with other closers from two phones."""
    return [_send(db), _send(db, 1, hands=_sheet(_table(db), OTHER), seat=1)]


@pytest.mark.parametrize("case", ["undone", "a restored backup"])
def test_where_the_desk_s_choice_is_taken_back_the_sheets_disagree_as_before_it(db: str, case: str) -> None:
    """The attack: the other sheet stayed refused, and a third phone confirmed the one that the desk had given up."""
    sent = _disagreeing(db)
    backup = database.backup(db).path
    apply(db, TakeOver("Friday", IDS[0]), by="desk")
    assert _states(db) == ["confirmed", "refused"]
    if case == "undone":
        apply(db, Undo(), by="desk")
    else:
        database.restore(db, backup)
    assert _states(db) == ["waiting", "waiting"]
    (waiting,) = submissions.waiting_sheets(db)
    assert len(waiting.differences) == 7
    for sheet in sent:
        with desk.refused(ExitCode.CONFLICT, "do not agree"):
            _confirm(db, sheet, 2)
    assert results.show(db) == ()
    assert database.check(db).problems == ()


def test_the_desk_chooses_again_as_often_as_it_takes_its_choice_back(db: str) -> None:
    """A sheet that is refused with a reason stays refused, whatever result it had once."""
    _first, other = _disagreeing(db)
    apply(db, TakeOver("Friday", IDS[0]), by="desk")
    apply(db, Undo())
    apply(db, Redo())
    assert _states(db) == ["confirmed", "refused"]
    apply(db, Undo())
    apply(db, TakeOver("Friday", IDS[1]), by="desk")
    assert _states(db) == ["refused", "confirmed"]
    apply(db, Undo())
    assert _states(db) == ["waiting", "waiting"]
    apply(db, RefuseSheet("Friday", IDS[0], "misread"))
    assert _states(db) == ["refused", "waiting"]
    _confirm(db, other, 2)
    assert _states(db) == ["refused", "confirmed"]
    assert database.check(db).problems == ()


def test_two_phones_that_agree_do_not_differ(db: str) -> None:
    """A third phone that types is no disagreement."""
    _send(db)
    apply(db, KeepTyped("Friday", 1, 1, IDS[2], "phone 2", 2, _sheet(_table(db))[:1]))
    apply(db, Submit("Friday", 1, 1, IDS[1], "phone 1", 1, _sheet(_table(db))))
    found = submissions.sheets_of_table(db, "Friday", 1, 1)
    assert ([sheet.state for sheet in found.sheets], found.differences) == (["waiting", "typing", "waiting"], ())


@pytest.mark.parametrize(
    ("closers", "waits"),
    [((0, 1, 2, 0, 1, 2, 0), 0), (OTHER, 1)],
    ids=["the same", "another"],
)
def test_a_sheet_sent_after_the_desk_entered_one_is_kept(db: str, closers: Sequence[int], waits: int) -> None:
    """As a phone does that had lost its network; only a sheet that says something else waits for the desk.

    The two sheets of these tests have another closer in each of the seven hands.
    """
    _desk_enters(db, closers)
    apply(db, Submit("Friday", 1, 1, IDS[0], "phone 0", 0, _sheet(_table(db))))
    waiting = submissions.waiting_sheets(db)
    assert [found.entered for found in waiting] == [True] * waits
    assert [len(found.differences) for found in waiting] == [7] * waits


@pytest.mark.parametrize("case", ["the table was dissolved", "the round was drawn anew", "a player was exchanged"])
def test_a_sheet_whose_table_is_gone_is_still_found_by_the_desk(db: str, case: str) -> None:
    """Only a sheet of the present drawing stands with its table; a result of others says nothing of it."""
    sheet = _send(db)
    assert submissions.stray_sheets(db) == ()
    MEANWHILE[case][0](db)
    (stray,) = submissions.stray_sheets(db)
    assert (stray.id, stray.hands, stray.outcome) == (sheet.id, sheet.hands, None)
    shown = [found.table.players for found in submissions.waiting_sheets(db)]
    assert len(shown) == (case == "a player was exchanged")


def test_a_stopped_game_is_sent_with_the_hands_that_were_played(db: str) -> None:
    sheet = _send(db, hands=_sheet(_table(db))[:4], length="short")
    _confirm(db, sheet)
    assert results.show(db)[0].outcome.short == 3


def test_the_table_that_has_waited_longest_comes_first(db: str) -> None:
    _send(db, 0, table=2)
    _send(db, 1, table=1)
    assert [found.table.number for found in submissions.waiting_sheets(db)] == [2, 1]


def test_an_erased_name_is_in_no_sheet(db: str) -> None:
    sheet = _send(db)
    gone = sheet.table.players[0].name
    apply(db, ErasePlayer(gone))
    kept = "".join(map(repr, desk.query(db, "SELECT * FROM submission")))
    assert gone not in kept
    assert submissions.submission(db, "Friday", sheet.id).table.players[0].shown.startswith("erased")


def test_a_restored_backup_keeps_the_sheets_and_a_lost_result_waits_again(db: str) -> None:
    """The backup was made before the sheet was sent and confirmed."""
    backup = database.backup(db).path
    sheet = _send(db)
    _confirm(db, sheet)
    database.restore(db, backup)
    assert results.show(db) == ()
    assert _state(db) == ("waiting", 7)
    _confirm(db, sheet)
    assert results.show(db)[0].outcome == sheet.outcome
    assert database.check(db).problems == ()


def test_where_the_database_is_gone_its_backup_has_the_sheets_of_then(db: str) -> None:
    _send(db)
    backup = database.backup(db).path
    Path(db).unlink()
    database.restore(db, backup)
    assert _state(db) == ("waiting", 7)


def test_a_flood_of_sheets_from_one_seat_makes_room_by_its_own_alone(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With three sheets for a seat at most its oldest goes, first one that was only begun; another seat's stays."""
    monkeypatch.setattr(submissions, "MOST_SHEETS", 3)
    table = _table(db)

    def begun(number: int) -> None:
        apply(db, KeepTyped("Friday", 1, 1, IDS[number], f"phone {number}", 1, _sheet(table)[:1]))

    def here() -> list[str]:
        return [sheet.id for sheet in submissions.sheets_of_table(db, "Friday", 1, 1).sheets]

    _send(db, 4, seat=0)
    for number in range(4):
        begun(number)
    assert here() == [IDS[4], *IDS[1:4]]
    for number in range(1, 4):
        _send(db, number, seat=1)
    begun(0)
    assert here() == [IDS[4], *IDS[2:4], IDS[0]]
    assert database.check(db).problems == ()


def test_a_sheet_that_is_too_long_is_refused(db: str) -> None:
    long = [SheetHand("T" * 20_000, {})]
    with desk.refused(ExitCode.REFUSED, "is too long"):
        apply(db, KeepTyped("Friday", 1, 1, IDS[0], "phone 0", 0, long))


def _confirmed_or_refused(db: str, change: Callable[[], object]) -> str:
    try:
        change()
    except TourneyError as error:
        return error.message
    return "done"


def test_phones_and_the_desk_at_the_same_moment_enter_one_result(db: str) -> None:
    """Two phones confirm one sheet each, each of them twice, and the desk enters a third: one of the three counts."""
    sheets = [_send(db, number, seat=number) for number in (0, 1)]
    changes: list[Callable[[], object]] = [lambda: _desk_enters(db, OTHER)]
    for sheet, seat in ((sheets[0], 1), (sheets[1], 0)) * 2:
        changes.append(partial(_confirm, db, sheet, seat))
    with ThreadPoolExecutor(len(changes)) as pool:
        said = list(pool.map(partial(_confirmed_or_refused, db), changes))
    assert desk.query(db, "SELECT count(*) FROM act WHERE kind = 'result.enter'") == [(1,)]
    assert {text for text in said if text != "done"} == {"table 1 of round 1 of Friday has a result already"}
    assert said.count("done") in (1, 2)
    assert database.check(db).problems == ()
