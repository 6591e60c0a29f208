"""Half sheets, short games and what was meant, in the database: nothing is lost, nothing odd is left."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings, Unfinished
from tourney.domain.results import DeclaredHand
from tourney.service import database, standings
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.people.players import MergePlayers, RegisterPlayers
from tourney.service.results import entry, results
from tourney.service.results.dialogue import SheetDialogue
from tourney.service.results.entry import DropPartialSheet, KeepAnswers, KeepPartialSheet
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.edit_round import CancelRound, MovePlayer, Out, Swap
from tourney.service.rounds.rounds import DrawRound

FOUR = ("Ana", "Beñat", "Carmen", "Diego")
SHEET = tuple(desk.hands(FOUR))


@pytest.fixture
def db(tmp_path: Path) -> str:
    return opened(tmp_path)


def opened(path: Path, **settings: object) -> str:
    """A table of four, drawn."""
    db = str(path / "club.db")
    desk.event(db, 4, rounds=2, **settings)
    apply(db, DrawRound())
    return db


def begin(db: str) -> SheetDialogue:
    return entry.begin(db, None, 1, 1)


def waiting(db: str) -> list[int]:
    return [table.number for table in entry.waiting(db, None).tables]


# --- partial sheets -----------------------------------------------------------------------------------------


def test_a_partial_sheet_is_kept_and_taken_up_again(db: str) -> None:
    """The listing and `result show` report it, and it counts for nothing."""
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:3]))
    assert (kept.hands, kept.table.number) == (("TT", "TE", "EE"), 1)
    assert entry.partial_sheets_of(db, None) == entry.partial_sheets_of(db, None, 1) == (kept,)
    assert entry.waiting(db, None).partial == (kept,)
    assert entry.partial_sheets_of(db, None, 2) == ()
    assert results.show(db) == ()
    with desk.refused(ExitCode.NOT_FOUND, "has no result", "partial sheet"):
        results.show(db, None, 1, 1)
    one = begin(db)
    assert one.question == "TTT: who closed? "
    assert [dict(hand.points) for hand in one.draft.hands] == [by_seat(db, hand) for hand in SHEET[:3]]
    assert database.check(db).problems == ()


def by_seat(db: str, hand: DeclaredHand) -> dict[int, int]:
    (table,) = rounds.show(db, None, 1).rounds[0].tables
    seats = {player.name: seat for seat, player in enumerate(table.players)}
    return {seats[name]: points for name, points in hand.points.items()}


def test_a_typed_sheet_is_kept_in_the_place_of_the_one_before(db: str) -> None:
    """As far as it was answered, in the middle of a hand too."""
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    one = begin(db)
    for line in ("Ana", "y"):
        one.answer(line)
    apply(db, KeepAnswers.of(one))
    again = begin(db)
    assert again.question == one.question
    assert again.draft.kept == one.draft.kept
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("TT", "TE")]


def test_an_entered_sheet_replaces_a_partial_one_until_it_is_undone(db: str) -> None:
    """The partial sheet is then restored, and the table has no result again."""
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    apply(db, EnterResult(None, 1, 1, SHEET))
    assert entry.partial_sheets_of(db, None) == ()
    assert apply(db, Undo()).halves == ("partial sheet restored: Friday, round 1, table 1 (TT)",)
    assert (waiting(db), entry.partial_sheets_of(db, None)) == ([1], (kept,))
    assert begin(db).draft.hand_name == "TE"
    apply(db, Redo())
    assert entry.partial_sheets_of(db, None) == ()
    assert database.check(db).problems == ()


def test_a_result_that_is_void_does_not_restore_the_partial_sheet_before_it(db: str) -> None:
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    apply(db, EnterResult(None, 1, 1, SHEET))
    apply(db, VoidResult(None, 1, 1, "the wrong table"))
    assert (entry.partial_sheets_of(db, None), begin(db).draft.kept) == ((), ())
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:3]))
    for _time in range(2):
        apply(db, Undo())
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("TT",)]
    for _time in range(2):
        apply(db, Redo())
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("TT", "TE", "EE")]
    assert database.check(db).problems == ()


def test_a_partial_sheet_is_discarded_by_undo_and_restored_by_redo(db: str) -> None:
    """Both commands say so, and a dry run too."""
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    aside = ("partial sheet discarded: Friday, round 1, table 1 (TT); `tourney redo` restores it",)
    assert preview(db, Undo()).outcome.halves == apply(db, Undo()).halves == aside
    assert entry.partial_sheets_of(db, None) == ()
    assert apply(db, Redo()).halves == ("partial sheet restored: Friday, round 1, table 1 (TT)",)
    assert entry.partial_sheets_of(db, None) == (kept,)
    assert begin(db).question.startswith("TE: ")
    assert database.check(db).problems == ()


def test_a_partial_sheet_goes_with_the_drawing_it_was_typed_for(db: str) -> None:
    """Drawn again with one more player, no partial sheet is reported, and the round can be edited or cancelled."""
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    apply(db, Undo())
    desk_of_five(db)
    apply(db, DrawRound())
    assert (entry.partial_sheets_of(db, None), rounds.show(db).partial) == ((), frozenset())
    assert all(entry.begin(db, None, 1, table.number).draft.kept == () for table in rounds.show(db).rounds[0].tables)
    assert desk.query(db, "SELECT count(*) FROM draft") == [(0,)]
    apply(db, CancelRound(None, "the bell"))


def desk_of_five(db: str) -> None:
    apply(db, RegisterPlayers(["Elena"]))
    apply(db, EnterPlayers(None, ["Elena"]))


def test_a_partial_sheet_of_an_edited_table_counts_while_the_edit_stands(tmp_path: Path) -> None:
    """Typed for the players after a move: undo discards it, and the table can be edited again."""
    db = str(tmp_path / "eight.db")
    desk.event(db, 8, rounds=1)
    table, two = apply(db, DrawRound()).rounds[0].tables
    first, second = table.players[0].name, two.players[0].name
    apply(db, MovePlayer(None, first, Swap(second)))
    names = [player.name for player in rounds.show(db).rounds[0].tables[0].players]
    apply(db, KeepPartialSheet(None, 1, 1, desk.hands(names)[:1]))
    assert len(apply(db, Undo()).halves) == 1
    assert (entry.partial_sheets_of(db, None), rounds.show(db).partial, begin(db).draft.kept) == ((), frozenset(), ())
    assert len(apply(db, Redo()).halves) == 1
    assert begin(db).draft.kept != ()
    apply(db, Undo())
    apply(db, MovePlayer(None, first, Out()))
    assert (entry.partial_sheets_of(db, None), begin(db).draft.kept) == ((), ())


def test_a_partial_sheet_goes_with_a_person_into_another_entry(db: str) -> None:
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    apply(db, RegisterPlayers(["Anna"]))
    apply(db, MergePlayers("Anna", "Ana"))
    hand = begin(db).draft.hands[0]
    (table,) = rounds.show(db).rounds[0].tables
    points = {table.players[seat].name: number for seat, number in hand.points.items()}
    assert points == {("Anna" if name == "Ana" else name): number for name, number in SHEET[0].points.items()}
    assert apply(db, Undo()).halves == ()
    assert entry.partial_sheets_of(db, None) == (kept,)


def test_a_partial_sheet_is_discarded(db: str) -> None:
    """The table can then be edited; nothing else about it changes, and a second time is refused."""
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:2]))
    with desk.refused(ExitCode.CONFLICT, "partial sheet", "result void"):
        apply(db, CancelRound(None, "the bell"))
    with desk.refused(ExitCode.REFUSED, "table 1 (partial sheet)", "--anyway", "result void"):
        apply(db, FinishEvent())
    assert preview(db, DropPartialSheet(None, 1, 1, "misread")).outcome == kept
    assert entry.partial_sheets_of(db, None) == (kept,)
    assert apply(db, DropPartialSheet(None, 1, 1, "misread")) == kept
    acts = desk.query(db, "SELECT count(*) FROM act")
    with desk.refused(ExitCode.NOT_FOUND, "no partial sheet"):
        apply(db, DropPartialSheet(None, 1, 1, "misread"))
    assert desk.query(db, "SELECT count(*) FROM act") == acts
    assert (entry.partial_sheets_of(db, None), waiting(db)) == ((), [1])
    assert database.check(db).problems == ()
    apply(db, CancelRound(None, "the bell"))


def test_a_partial_sheet_is_discarded_for_a_reason(db: str) -> None:
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:2]))
    with desk.refused(ExitCode.REFUSED, "reason"):
        apply(db, DropPartialSheet(None, 1, 1, " "))
    assert entry.partial_sheets_of(db, None) == (kept,)


def test_whatever_has_discarded_a_partial_sheet_restores_it_when_it_is_undone(db: str) -> None:
    """The partial sheet itself, its round, another one in its place, another drawing: each undone in turn."""
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:6]))
    apply(db, DropPartialSheet(None, 1, 1, "misread"))
    other = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:2]))
    apply(db, DropPartialSheet(None, 1, 1, "misread again"))
    apply(db, CancelRound(None, "the bell"))
    apply(db, DrawRound())
    assert entry.partial_sheets_of(db, None) == ()
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    found = []
    for _time in range(4):
        apply(db, Undo())
        found.append(entry.partial_sheets_of(db, None))
    assert found == [(), (), (other,), (kept,)]
    assert begin(db).draft.hand_name == "EEE"
    assert database.check(db).problems == ()


def test_a_partial_sheet_of_a_finished_event_stays(db: str) -> None:
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:2]))
    apply(db, FinishEvent(None, incomplete=True))
    with desk.refused(ExitCode.REFUSED, "is finished"):
        apply(db, DropPartialSheet(None, 1, 1, "misread"))


def test_what_is_typed_is_not_kept_once_the_table_has_a_result(db: str) -> None:
    """Another desk was quicker; a result and a partial sheet of one table are never reported together."""
    one = begin(db)
    one.answer("Ana")
    apply(db, EnterResult(None, 1, 1, SHEET))
    with desk.refused(ExitCode.CONFLICT, "has a result already"):
        apply(db, KeepAnswers.of(one))
    assert (entry.partial_sheets_of(db, None), rounds.show(db).partial) == ((), frozenset())


def test_a_partial_correction_is_not_a_partial_sheet(db: str) -> None:
    """Only `result correct` continues it, until its result is gone."""
    apply(db, EnterResult(None, 1, 1, SHEET))
    one = entry.begin_correction(db, None, 1, 1)
    for line in ("TT", "", ""):
        one.answer(line)
    apply(db, KeepAnswers.of(one, "correct"))
    assert (entry.partial_sheets_of(db, None), rounds.show(db).partial) == ((), frozenset())
    with desk.refused(ExitCode.NOT_FOUND, "no partial sheet"):
        apply(db, DropPartialSheet(None, 1, 1, "misread"))
    apply(db, Undo())
    assert (entry.partial_sheets_of(db, None), begin(db).draft.kept) == ((), ())
    with desk.refused(ExitCode.NOT_FOUND, "has no result"):
        apply(db, KeepAnswers.of(one, "correct"))
    apply(db, Redo())
    assert entry.begin_correction(db, None, 1, 1).draft.kept == one.draft.kept


def test_what_is_typed_is_not_kept_where_others_sit_meanwhile(tmp_path: Path) -> None:
    db = str(tmp_path / "eight.db")
    desk.event(db, 8, rounds=1)
    table, two = apply(db, DrawRound()).rounds[0].tables
    typed = begin(db)
    typed.answer(table.players[0].name)
    apply(db, MovePlayer(None, table.players[0].name, Swap(two.players[0].name)))
    with desk.refused(ExitCode.CONFLICT, "other players sit at table 1 of round 1 of Friday now"):
        apply(db, KeepAnswers.of(typed))
    assert entry.partial_sheets_of(db, None) == ()


def test_a_partial_sheet_by_options_knows_who_closed(db: str) -> None:
    """The 0 among the points says so; going back offers that player."""
    apply(db, KeepPartialSheet(None, 1, 1, [replace(hand, closer=None, at_once=None) for hand in SHEET[:2]]))
    one = begin(db)
    one.answer("b")
    assert one.question == f"TE: who closed? [{next(name for name, points in SHEET[1].points.items() if points == 0)}] "


def test_a_dry_run_keeps_no_partial_sheet(db: str) -> None:
    preview(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    assert entry.partial_sheets_of(db, None) == ()


HALVES = {
    "points that cannot be": (
        [replace(SHEET[0], points={**SHEET[0].points, "Beñat": 1})],
        ("TT", "Beñat", "add up to 1"),
    ),
    "a hand that is not whole": ([DeclaredHand("TT", {"Ana": 0})], ("TT", "missing")),
    "a gap": ([SHEET[0], SHEET[2]], ("hand TE is missing",)),
    "a stranger": ([replace(SHEET[0], points={**SHEET[0].points, "Zoe": 10})], ("Zoe",)),
}


@pytest.mark.parametrize("name", HALVES)
def test_a_partial_sheet_is_checked_as_a_whole_one(db: str, name: str) -> None:
    hands, words = HALVES[name]
    with desk.refused(ExitCode.REFUSED, *words):
        apply(db, KeepPartialSheet(None, 1, 1, hands))
    assert entry.partial_sheets_of(db, None) == ()


# --- which tables wait --------------------------------------------------------------------------------------


def test_a_table_waits_until_it_has_a_result_and_again_when_that_is_void(db: str) -> None:
    assert waiting(db) == [1]
    apply(db, EnterResult(None, 1, 1, SHEET))
    with desk.refused(ExitCode.REFUSED, "no table of round 1 of Friday needs a sheet", "round draw"):
        waiting(db)
    apply(db, VoidResult(None, 1, 1, "a card was missing"))
    assert waiting(db) == [1]
    apply(db, DrawRound())
    assert entry.waiting(db, None).round == 2
    assert entry.waiting(db, None, 1).round == 1


def test_tables_of_bots_wait_for_no_sheet(tmp_path: Path) -> None:
    db = str(tmp_path / "bots.db")
    desk.event(db, 0, "greedy:2", rounds=1, size=2)
    apply(db, DrawRound())
    with desk.refused(ExitCode.REFUSED, "no table"):
        waiting(db)


def test_a_sheet_is_begun_only_where_it_may_be_entered(db: str) -> None:
    with desk.refused(ExitCode.NOT_FOUND, "no table 7"):
        entry.begin(db, None, 1, 7)
    with desk.refused(ExitCode.NOT_FOUND, "has no result"):
        entry.begin_correction(db, None, 1, 1)
    apply(db, EnterResult(None, 1, 1, SHEET))
    with desk.refused(ExitCode.CONFLICT, "has a result already", "result correct"):
        begin(db)


def test_a_correction_begins_with_the_sheet_as_it_stands(db: str) -> None:
    entered = apply(db, EnterResult(None, 1, 1, SHEET))
    one = entry.begin_correction(db, None, 1, 1)
    assert one.outcome == entered.outcome
    assert one.question.startswith("Is the sheet correct?")


def test_the_correction_of_a_void_result_begins_with_its_sheet(tmp_path: Path) -> None:
    """A short one is short there too."""
    db = opened(tmp_path, unfinished="void")
    apply(db, EnterResult(None, 1, 1, SHEET[:4], length="short"))
    one = entry.begin_correction(db, None, 1, 1)
    assert ([hand.contract for hand in one.draft.hands], one.draft.length) == (["TT", "TE", "EE", "TTT"], "short")


def knock(tmp_path: Path) -> tuple[str, tuple[str, ...]]:
    """A table of four for a stake of 50, drawn; its database and its names in seat order."""
    db = str(tmp_path / "knock.db")
    apply(db, RegisterPlayers(FOUR))
    apply(db, CreateEvent(EventSettings("Friday", "knock", rounds=1, stake=50)))
    apply(db, EnterPlayers("Friday", FOUR))
    (table,) = apply(db, DrawRound()).rounds[0].tables
    return db, tuple(player.name for player in table.players)


def test_a_partial_sheet_of_the_knock_game_is_kept_and_taken_up_again(tmp_path: Path) -> None:
    """Hands are named by their numbers; players not said to buy have declined, and are not asked again."""
    db, names = knock(tmp_path)
    hand = DeclaredHand("", dict(zip(names, (30, 90, 95, 85), strict=True)), dead=True, buys=(names[1],))
    assert apply(db, KeepPartialSheet(None, 1, 1, [hand])).hands == ("1",)
    one = begin(db)
    assert one.question == "hand 2: how did it end? "
    assert one.greeting[-1].startswith(f"after hand 1: {names[0]} 30, {names[1]} 85, {names[2]} 95, {names[3]} 85;")
    for line in ("knock", names[0], "5", "0"):
        one.answer(line)
    apply(db, KeepAnswers.of(one))
    assert begin(db).question == f"hand 2, {names[2]}: "
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("1", "2")]
    assert database.check(db).problems == ()


def test_the_whole_sheet_of_a_knock_game_is_given_even_beside_a_partial_sheet(tmp_path: Path) -> None:
    """Hands without names cannot be added."""
    db, names = knock(tmp_path)
    hand = DeclaredHand("", dict(zip(names, (30, 90, 95, 85), strict=True)), dead=True, buys=(names[1],))
    apply(db, KeepPartialSheet(None, 1, 1, [hand]))
    result = apply(db, EnterResult(None, 1, 1, [hand, replace(hand, buys=())], length="short", add_kept=True))
    assert len(result.outcome.hands) == 2


def test_a_partial_sheet_of_the_knock_game_that_cannot_be_is_refused(tmp_path: Path) -> None:
    db, names = knock(tmp_path)
    hand = DeclaredHand("", dict(zip(names, (30, 90, 95, 85), strict=True)), dead=True, buys=(names[3],))
    with desk.refused(ExitCode.REFUSED, f"hand 1, {names[3]}: has nothing to gain"):
        apply(db, KeepPartialSheet(None, 1, 1, [hand]))
    with desk.refused(ExitCode.REFUSED, "hand 1 has the contract TT"):
        apply(db, KeepPartialSheet(None, 1, 1, [replace(hand, contract="TT")]))
    assert entry.partial_sheets_of(db, None) == ()


def test_points_of_the_knock_game_raise_no_doubts(tmp_path: Path) -> None:
    """One knocks before cards pile up, and still somebody has many."""
    db, names = knock(tmp_path)
    assert results.doubts(db, None, 1, 1, [DeclaredHand("", {names[0]: 0, names[1]: 99})]) == ()


def test_a_finished_event_takes_no_sheets(db: str) -> None:
    """None is entered, corrected, made void or begun; the hint says how to open it again."""
    apply(db, EnterResult(None, 1, 1, SHEET))
    apply(db, FinishEvent(None, "anyway"))
    for act in (
        lambda: apply(db, CorrectResult(None, 1, 1, SHEET, "slip")),
        lambda: apply(db, VoidResult(None, 1, 1, "slip")),
        lambda: entry.begin_correction(db, None, 1, 1),
        lambda: entry.waiting(db, None),
    ):
        with desk.refused(ExitCode.REFUSED, "Friday is finished", "event reopen"):
            act()


# --- short games --------------------------------------------------------------------------------------------

# What four hands of seven, with three not played at 25 points, make of the sum of four hands.
SHORT: dict[Unfinished, tuple[str, int]] = {
    "count hands": ("counts", 0),
    "penalty": ("counts", 75),
    "void": ("void", 0),
}


@pytest.mark.parametrize("way", SHORT)
def test_a_short_game_counts_as_the_event_says(tmp_path: Path, way: Unfinished) -> None:
    db = opened(tmp_path, unfinished=way, unfinished_points=25 if way == "penalty" else 0)
    state, extra = SHORT[way]
    result = apply(db, EnterResult(None, 1, 1, SHEET[:4], length="short"))
    assert results.show(db) == (result,)
    assert (result.state, result.reason) == (state, "unfinished" if way == "void" else "")
    rows = {row.player.name: row.points for row in standings.standings(db).rows if row.games}
    if way == "void":
        assert (rows, result.outcome.points) == ({}, ())
    else:
        assert rows == {name: sum(hand.points[name] for hand in SHEET[:4]) + extra for name in FOUR}
        assert result.outcome.extra == ((extra,) * 4 if extra else ())
        assert result.outcome.short == 3
    assert database.check(db).problems == ()


def test_the_retry_of_a_short_sheet_changes_nothing(tmp_path: Path) -> None:
    """Under the same id, also where the event makes it void."""
    db = opened(tmp_path, unfinished="void")
    first = apply(db, EnterResult(None, 1, 1, SHEET[:2], entry_id="a" * 32, length="short"))
    head = desk.query(db, "SELECT hash FROM head")
    assert apply(db, EnterResult(None, 1, 1, SHEET[:2], entry_id="a" * 32, length="short")) == first
    assert desk.query(db, "SELECT hash FROM head") == head


def test_a_short_game_made_void_is_undone_in_one_step(tmp_path: Path) -> None:
    db = opened(tmp_path, unfinished="void")
    apply(db, EnterResult(None, 1, 1, SHEET[:2], length="short"))
    apply(db, Undo())
    assert results.show(db) == ()
    assert waiting(db) == [1]


def test_a_whole_sheet_is_corrected_to_a_short_one_and_back(tmp_path: Path) -> None:
    db = opened(tmp_path, unfinished="penalty", unfinished_points=10)
    apply(db, EnterResult(None, 1, 1, SHEET))
    short = apply(db, CorrectResult(None, 1, 1, SHEET[:6], "the bell", length="short"))
    assert (short.outcome.short, short.outcome.extra) == (1, (10, 10, 10, 10))
    one = entry.begin_correction(db, None, 1, 1)
    assert (one.outcome, one.draft.length) == (short.outcome, "short")
    assert apply(db, CorrectResult(None, 1, 1, SHEET, "it was played after all")).outcome.extra == ()


def test_a_sheet_that_stops_early_is_refused_unless_marked_short(db: str) -> None:
    """A sheet with a gap is always refused."""
    with desk.refused(ExitCode.REFUSED, "hand TTT is missing", "--short"):
        apply(db, EnterResult(None, 1, 1, SHEET[:3]))
    with desk.refused(ExitCode.REFUSED, "hand TE is missing"):
        apply(db, EnterResult(None, 1, 1, [SHEET[0], SHEET[2]], length="short"))
    assert apply(db, EnterResult(None, 1, 1, SHEET, length="short")).outcome.short == 0


# --- what was meant -----------------------------------------------------------------------------------------


def test_a_refused_sheet_says_what_was_probably_meant(db: str) -> None:
    """10 for -10, of the one who closed."""
    wrong = replace(SHEET[0], points={**SHEET[0].points, "Ana": 10})
    with desk.refused(ExitCode.REFUSED, "TT: nobody closed it", "did you mean", "Ana -10"):
        apply(db, EnterResult(None, 1, 1, [wrong, *SHEET[1:]]))


def test_unusual_points_are_reported_and_kept(db: str) -> None:
    """105 in the first hand; 60 is nothing to ask about."""
    odd = replace(SHEET[0], points={**SHEET[0].points, "Beñat": 105})
    apply(db, EnterResult(None, 1, 1, [odd, *SHEET[1:]]))
    assert results.doubts(db, None, 1, 1, [odd, *SHEET[1:]]) == (
        "TT, Beñat: 105 points are unusual in that hand; did you mean 15, 10 or 5?",
    )
    assert results.doubts(db, None, 1, 1, SHEET) == ()


def test_a_number_stands_for_an_entrant(db: str) -> None:
    """By the order of entry, and a whole name is stronger than a number."""
    numbered = [
        replace(hand, points={str(FOUR.index(name) + 1): points for name, points in hand.points.items()})
        for hand in SHEET
    ]
    assert apply(db, EnterResult(None, 1, 1, numbered)) == replace(results.show(db)[0])
    assert standings.standings(db).rows[0].player.name == min(
        FOUR, key=lambda name: sum(hand.points[name] for hand in SHEET)
    )


def test_a_partial_sheet_of_other_players_is_not_taken_up(tmp_path: Path) -> None:
    """The table was drawn anew, and others sit there now."""
    db = str(tmp_path / "eight.db")
    desk.event(db, 8, rounds=1)
    before = {at.number: at.players for at in apply(db, DrawRound()).rounds[0].tables}
    apply(db, KeepPartialSheet(None, 1, 1, desk.hands([player.name for player in before[1]])[:2]))
    apply(db, Undo())
    apply(db, ChangeSettings(None, {"seed": "another"}))
    after = {at.number: at.players for at in apply(db, DrawRound()).rounds[0].tables}
    assert set(before[1]) != set(after[1])
    assert begin(db).draft.kept == ()
