"""Tests of partial sheets, short games and score typos in the database."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import Unfinished
from tourney.domain.results import SheetHand
from tourney.service import database
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.events import EnterPlayers, FinishEvent
from tourney.service.events.settings import ChangeSettings
from tourney.service.impact import preview
from tourney.service.players import MergePlayers, RegisterPlayers
from tourney.service.results import entry, results, standings
from tourney.service.results.dialogue import SheetDialogue
from tourney.service.results.entry import DropBegun, KeepAnswers, KeepPartialSheet
from tourney.service.results.results import CorrectResult, EnterResult, VoidResult
from tourney.service.results.sheets import seated
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound, MovePlayer, Out, Swap

FOUR = ("Ana", "Beñat", "Carmen", "Diego")
SHEET = tuple(desk.hands(FOUR))


@pytest.fixture
def db(tmp_path: Path) -> str:
    return event_of_four(tmp_path)


def event_of_four(path: Path, **settings: object) -> str:
    """Create an event of four players and draw round 1; return the database."""
    return desk.drawn(path / "club.db", **settings)


def begin(db: str) -> SheetDialogue:
    return entry.begin(db, None, 1, 1)


def waiting(db: str) -> list[int]:
    return [table.number for table in entry.waiting(db, None).tables]


# --- partial sheets -----------------------------------------------------------------------------------------


def test_a_partial_sheet_is_kept_and_resumed(db: str) -> None:
    """The table still has no result, and the hint about it names the partial sheet."""
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:3]))
    assert (kept.hands, kept.table.number) == (("TT", "TE", "EE"), 1)
    assert entry.partial_sheets_of(db, None) == entry.partial_sheets_of(db, None, 1) == (kept,)
    assert entry.waiting(db, None).partial == (kept,)
    assert entry.partial_sheets_of(db, None, 2) == ()
    assert results.show(db) == ()
    with desk.refused(ExitCode.NOT_FOUND, "has no result", "partial sheet"):
        results.show(db, None, 1, 1)
    dialogue = begin(db)
    assert dialogue.question == "TTT: who closed? "
    assert [dict(hand.points) for hand in dialogue.draft.hands] == [by_seat(db, hand) for hand in SHEET[:3]]
    assert database.check(db).problems == ()


def by_seat(db: str, hand: SheetHand[str]) -> dict[int, int]:
    """Return the points of the hand by seat of table 1."""
    (table,) = rounds.show(db, None, 1).rounds[0].tables
    seats = {player.name: seat for seat, player in enumerate(table.players)}
    return {seats[name]: points for name, points in hand.points.items()}


def test_a_typed_sheet_replaces_the_partial_sheet_before_it(db: str) -> None:
    """All answers are kept, also in the middle of a hand."""
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    dialogue = begin(db)
    for line in ("Ana", "y"):
        dialogue.answer(line)
    apply(db, KeepAnswers.of(dialogue))
    resumed = begin(db)
    assert resumed.question == dialogue.question
    assert resumed.draft.kept == dialogue.draft.kept
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("TT", "TE")]


def test_an_entered_sheet_replaces_a_partial_one_until_it_is_undone(db: str) -> None:
    """Undo restores the partial sheet, and the table has no result again."""
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    apply(db, EnterResult(None, 1, 1, SHEET))
    assert entry.partial_sheets_of(db, None) == ()
    assert apply(db, Undo()).halves == ("partial sheet restored: Friday, round 1, table 1 (TT)",)
    assert (waiting(db), entry.partial_sheets_of(db, None)) == ([1], (kept,))
    assert begin(db).draft.hand_name == "TE"
    apply(db, Redo())
    assert entry.partial_sheets_of(db, None) == ()
    assert database.check(db).problems == ()


def test_voiding_a_result_does_not_restore_the_partial_sheet_before_it(db: str) -> None:
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    apply(db, EnterResult(None, 1, 1, SHEET))
    apply(db, VoidResult(None, 1, 1, "the wrong table"))
    assert (entry.partial_sheets_of(db, None), begin(db).draft.kept) == ((), ())
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:3]))
    for _time in range(3):
        apply(db, Undo())
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("TT",)]
    for _time in range(3):
        apply(db, Redo())
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("TT", "TE", "EE")]
    assert database.check(db).problems == ()


def test_undo_takes_back_the_newest_hand_of_a_partial_sheet_first(db: str) -> None:
    """The round stays drawn until every hand is taken back; a hand that is kept twice is one change."""
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    for _time in range(2):
        apply(db, KeepAnswers.of(_typed(db, 2)))
    taken = [apply(db, Undo()).line.said for _time in range(3)]
    assert [said.partition(":")[0] for said in taken] == ["sheet of table 1, round 1"] * 2 + ["round 1 drawn"]
    assert taken[0].startswith("sheet of table 1, round 1: TE: ")
    for name, points in SHEET[1].points.items():
        assert f"{name} {points}" in taken[0]
    assert rounds.show(db).rounds == ()
    assert database.check(db).problems == ()


def _typed(db: str, hands: int) -> SheetDialogue:
    """Return a dialogue in which the first hands of the sheet were typed."""
    event, table = begin(db).event, begin(db).table
    return SheetDialogue(event, table, seated(event, table, SHEET[:hands]))


def test_a_partial_sheet_is_discarded_by_undo_and_restored_by_redo(db: str) -> None:
    """Undo, its dry run and redo report it."""
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    discarded = ("partial sheet discarded: Friday, round 1, table 1 (TT); `tourney redo` restores it",)
    assert preview(db, Undo()).outcome.halves == apply(db, Undo()).halves == discarded
    assert entry.partial_sheets_of(db, None) == ()
    assert apply(db, Redo()).halves == ("partial sheet restored: Friday, round 1, table 1 (TT)",)
    assert entry.partial_sheets_of(db, None) == (kept,)
    assert begin(db).question.startswith("TE: ")
    assert database.check(db).problems == ()


def test_a_partial_sheet_is_discarded_when_its_draw_is_undone(db: str) -> None:
    """The round is drawn again with one more player: it has no partial sheet and can be cancelled."""
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    for _time in range(2):
        apply(db, Undo())
    enter_elena(db)
    apply(db, DrawRound())
    assert (entry.partial_sheets_of(db, None), rounds.show(db).partial) == ((), frozenset())
    assert all(entry.begin(db, None, 1, table.number).draft.kept == () for table in rounds.show(db).rounds[0].tables)
    apply(db, CancelRound(None, "the bell"))


def enter_elena(db: str) -> None:
    apply(db, RegisterPlayers(["Elena"]))
    apply(db, EnterPlayers(None, ["Elena"]))


def test_a_partial_sheet_of_an_edited_table_is_discarded_with_the_edit(tmp_path: Path) -> None:
    """Undo discards a sheet typed for the players after a swap first; the table can then be edited again."""
    db = str(tmp_path / "eight.db")
    desk.event(db, 8, rounds=1)
    tables = apply(db, DrawRound()).rounds[0].tables
    first, second = (table.players[0].name for table in tables)
    apply(db, MovePlayer(None, first, Swap(second)))
    names = [player.name for player in rounds.show(db).rounds[0].tables[0].players]
    apply(db, KeepPartialSheet(None, 1, 1, desk.hands(names)[:1]))
    assert len(apply(db, Undo()).halves) == 1
    assert (entry.partial_sheets_of(db, None), rounds.show(db).partial, begin(db).draft.kept) == ((), frozenset(), ())
    assert len(apply(db, Redo()).halves) == 1
    assert begin(db).draft.kept != ()
    for _time in range(2):
        apply(db, Undo())
    apply(db, MovePlayer(None, first, Out()))
    assert (entry.partial_sheets_of(db, None), begin(db).draft.kept) == ((), ())


def test_a_partial_sheet_keeps_its_points_when_a_player_is_merged(db: str) -> None:
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    apply(db, RegisterPlayers(["Anna"]))
    apply(db, MergePlayers("Anna", "Ana"))
    hand = begin(db).draft.hands[0]
    (table,) = rounds.show(db).rounds[0].tables
    points = {table.players[seat].name: number for seat, number in hand.points.items()}
    assert points == {("Anna" if name == "Ana" else name): number for name, number in SHEET[0].points.items()}
    assert apply(db, Undo()).halves == ()
    assert entry.partial_sheets_of(db, None) == (kept,)


def test_a_discarded_partial_sheet_no_longer_holds_its_round(db: str) -> None:
    """The round can then be cancelled; discarding a second time is refused and adds no journal entry."""
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:2]))
    with desk.refused(ExitCode.CONFLICT, "partial sheet", "result void"):
        apply(db, CancelRound(None, "the bell"))
    with desk.refused(ExitCode.REFUSED, "table 1 (partial sheet)", "--anyway", "result void"):
        apply(db, FinishEvent())
    assert preview(db, DropBegun(None, 1, 1, "misread")).outcome == kept
    assert entry.partial_sheets_of(db, None) == (kept,)
    assert apply(db, DropBegun(None, 1, 1, "misread")) == kept
    entries = desk.query(db, "SELECT count(*) FROM act")
    with desk.refused(ExitCode.NOT_FOUND, "no partial sheet"):
        apply(db, DropBegun(None, 1, 1, "misread"))
    assert desk.query(db, "SELECT count(*) FROM act") == entries
    assert (entry.partial_sheets_of(db, None), waiting(db)) == ((), [1])
    assert database.check(db).problems == ()
    apply(db, CancelRound(None, "the bell"))


def test_discarding_a_partial_sheet_needs_a_reason(db: str) -> None:
    kept = apply(db, KeepPartialSheet(None, 1, 1, SHEET[:2]))
    with desk.refused(ExitCode.REFUSED, "reason"):
        apply(db, DropBegun(None, 1, 1, " "))
    assert entry.partial_sheets_of(db, None) == (kept,)


def test_a_partial_sheet_of_a_finished_event_cannot_be_discarded(db: str) -> None:
    apply(db, KeepPartialSheet(None, 1, 1, SHEET[:2]))
    apply(db, FinishEvent(None, incomplete=True))
    with desk.refused(ExitCode.REFUSED, "is finished"):
        apply(db, DropBegun(None, 1, 1, "misread"))


def test_answers_are_not_kept_once_the_table_has_a_result(db: str) -> None:
    """Another terminal enters the result first; a table never has both a result and a partial sheet."""
    dialogue = begin(db)
    dialogue.answer("Ana")
    apply(db, EnterResult(None, 1, 1, SHEET))
    with desk.refused(ExitCode.CONFLICT, "has a result already"):
        apply(db, KeepAnswers.of(dialogue))
    assert (entry.partial_sheets_of(db, None), rounds.show(db).partial) == ((), frozenset())


def test_answers_are_not_kept_once_the_event_is_finished(db: str) -> None:
    """Another desk finishes it while the sheet is open; its file would be refused elsewhere."""
    dialogue = begin(db)
    dialogue.answer("Ana")
    apply(db, FinishEvent(None, incomplete=True))
    with desk.refused(ExitCode.REFUSED, "is finished", "event reopen"):
        apply(db, KeepAnswers.of(dialogue))


def test_an_unfinished_correction_is_not_a_partial_sheet(db: str) -> None:
    """Only `result correct` resumes it, as long as the table has the result."""
    apply(db, EnterResult(None, 1, 1, SHEET))
    dialogue = entry.begin_correction(db, None, 1, 1)
    for line in ("TT", "", ""):
        dialogue.answer(line)
    apply(db, KeepAnswers.of(dialogue, "correct"))
    assert (entry.partial_sheets_of(db, None), rounds.show(db).partial) == ((), frozenset())
    with desk.refused(ExitCode.NOT_FOUND, "no partial sheet"):
        apply(db, DropBegun(None, 1, 1, "misread"))
    assert apply(db, Undo()).line.said.startswith("correction begun of table 1, round 1: EEE: ")
    apply(db, Undo())
    assert (entry.partial_sheets_of(db, None), begin(db).draft.kept) == ((), ())
    with desk.refused(ExitCode.NOT_FOUND, "has no result"):
        apply(db, KeepAnswers.of(dialogue, "correct"))
    for _time in range(2):
        apply(db, Redo())
    assert entry.begin_correction(db, None, 1, 1).draft.kept == dialogue.draft.kept


def test_answers_are_not_kept_once_the_table_has_other_players(tmp_path: Path) -> None:
    db = str(tmp_path / "eight.db")
    desk.event(db, 8, rounds=1)
    first, second = apply(db, DrawRound()).rounds[0].tables
    dialogue = begin(db)
    dialogue.answer(first.players[0].name)
    apply(db, MovePlayer(None, first.players[0].name, Swap(second.players[0].name)))
    with desk.refused(ExitCode.CONFLICT, "other players sit at table 1 of round 1 of Friday now"):
        apply(db, KeepAnswers.of(dialogue))
    assert entry.partial_sheets_of(db, None) == ()


def test_a_partial_sheet_given_by_options_has_its_closers(db: str) -> None:
    """The closer follows from the 0 among the points, and is offered when going back."""
    apply(db, KeepPartialSheet(None, 1, 1, [replace(hand, closer=None, at_once=None) for hand in SHEET[:2]]))
    dialogue = begin(db)
    dialogue.answer("b")
    assert (
        dialogue.question
        == f"TE: who closed? [{next(name for name, points in SHEET[1].points.items() if points == 0)}] "
    )


def test_a_dry_run_keeps_no_partial_sheet(db: str) -> None:
    preview(db, KeepPartialSheet(None, 1, 1, SHEET[:1]))
    assert entry.partial_sheets_of(db, None) == ()


IMPOSSIBLE = {
    "impossible points": (
        [replace(SHEET[0], points={**SHEET[0].points, "Beñat": 1})],
        ("TT", "Beñat", "add up to 1"),
    ),
    "a player missing": ([SheetHand("TT", {"Ana": 0})], ("TT", "missing")),
    "a hand missing": ([SHEET[0], SHEET[2]], ("hand TE is missing",)),
    "an unknown player": ([replace(SHEET[0], points={**SHEET[0].points, "Zoe": 10})], ("Zoe",)),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_an_impossible_partial_sheet_is_refused(db: str, name: str) -> None:
    hands, words = IMPOSSIBLE[name]
    with desk.refused(ExitCode.REFUSED, *words):
        apply(db, KeepPartialSheet(None, 1, 1, hands))
    assert entry.partial_sheets_of(db, None) == ()


# --- tables without a result --------------------------------------------------------------------------------------


def test_a_table_is_listed_until_it_has_a_result_and_again_once_that_is_void(db: str) -> None:
    assert waiting(db) == [1]
    apply(db, EnterResult(None, 1, 1, SHEET))
    with desk.refused(ExitCode.REFUSED, "no table of round 1 of Friday needs a sheet", "round draw"):
        waiting(db)
    apply(db, VoidResult(None, 1, 1, "a card was missing"))
    assert waiting(db) == [1]
    apply(db, DrawRound())
    assert entry.waiting(db, None).round == 2
    assert entry.waiting(db, None, 1).round == 1


def test_tables_of_bots_are_not_listed_for_a_sheet(tmp_path: Path) -> None:
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


def test_a_correction_begins_with_the_current_sheet(db: str) -> None:
    entered = apply(db, EnterResult(None, 1, 1, SHEET)).result
    dialogue = entry.begin_correction(db, None, 1, 1)
    assert dialogue.outcome == entered.outcome
    assert dialogue.question.startswith("Is the sheet correct?")


def test_the_correction_of_a_void_result_begins_with_its_sheet(tmp_path: Path) -> None:
    """The sheet of a short game is short in the correction too."""
    db = event_of_four(tmp_path, unfinished="void")
    apply(db, EnterResult(None, 1, 1, SHEET[:4], length="short"))
    dialogue = entry.begin_correction(db, None, 1, 1)
    assert ([hand.contract for hand in dialogue.draft.hands], dialogue.draft.length) == (
        ["TT", "TE", "EE", "TTT"],
        "short",
    )


def knock_event(tmp_path: Path) -> tuple[str, tuple[str, ...]]:
    """Draw a table of four players with a stake of 50; return the database and the names in seat order."""
    db = desk.drawn(tmp_path / "knock.db", rules="knock", rounds=1, stake=50)
    (table,) = rounds.show(db).rounds[0].tables
    return db, tuple(player.name for player in table.players)


def test_a_partial_knock_sheet_is_kept_and_resumed(tmp_path: Path) -> None:
    """Hands are named by their numbers; players who are not among the buys have declined, and are not asked again."""
    db, names = knock_event(tmp_path)
    hand = SheetHand("", dict(zip(names, (30, 90, 95, 85), strict=True)), dead=True, buys=(names[1],))
    assert apply(db, KeepPartialSheet(None, 1, 1, [hand])).hands == ("1",)
    dialogue = begin(db)
    assert dialogue.question == "hand 2: how did it end? "
    assert dialogue.greeting[-1].startswith(
        f"after hand 1: {names[0]} 30, {names[1]} 85, {names[2]} 95, {names[3]} 85;"
    )
    for line in ("knock", names[0], "5", "0"):
        dialogue.answer(line)
    apply(db, KeepAnswers.of(dialogue))
    assert begin(db).question == f"hand 2, {names[2]}: "
    assert [sheet.hands for sheet in entry.partial_sheets_of(db, None)] == [("1", "2")]
    assert database.check(db).problems == ()


def test_a_knock_sheet_given_by_options_replaces_a_partial_one(tmp_path: Path) -> None:
    """Hands of such a sheet have no names, so they are not added to those of the partial sheet."""
    db, names = knock_event(tmp_path)
    hand = SheetHand("", dict(zip(names, (30, 90, 95, 85), strict=True)), dead=True, buys=(names[1],))
    apply(db, KeepPartialSheet(None, 1, 1, [hand]))
    result = apply(db, EnterResult(None, 1, 1, [hand, replace(hand, buys=())], length="short", add_kept=True)).result
    assert len(result.outcome.hands) == 2


def test_an_impossible_partial_knock_sheet_is_refused(tmp_path: Path) -> None:
    db, names = knock_event(tmp_path)
    hand = SheetHand("", dict(zip(names, (30, 90, 95, 85), strict=True)), dead=True, buys=(names[3],))
    with desk.refused(ExitCode.REFUSED, f"hand 1, {names[3]}: has nothing to gain"):
        apply(db, KeepPartialSheet(None, 1, 1, [hand]))
    with desk.refused(ExitCode.REFUSED, "hand 1 has the contract TT"):
        apply(db, KeepPartialSheet(None, 1, 1, [replace(hand, contract="TT")]))
    assert entry.partial_sheets_of(db, None) == ()


def test_points_of_a_knock_sheet_are_never_unusual(tmp_path: Path) -> None:
    """A player can hold many points when another knocks."""
    db, _names = knock_event(tmp_path)
    game = [SheetHand("", dict.fromkeys(range(1, 4), 99) | {0: 0}, 0, ending="knock")]
    assert apply(db, KeepPartialSheet(None, 1, 1, game)).notes == ()


def test_a_finished_event_takes_no_sheets(db: str) -> None:
    """No sheet is entered, corrected or voided; the hint says how to reopen the event."""
    apply(db, EnterResult(None, 1, 1, SHEET))
    apply(db, FinishEvent(None, "anyway"))
    for attempt in (
        lambda: apply(db, CorrectResult(None, 1, 1, SHEET, "slip")),
        lambda: apply(db, VoidResult(None, 1, 1, "slip")),
        lambda: entry.begin_correction(db, None, 1, 1),
        lambda: entry.waiting(db, None),
    ):
        with desk.refused(ExitCode.REFUSED, "Friday is finished", "event reopen"):
            attempt()


# --- short games --------------------------------------------------------------------------------------------

# The state of a game of four hands of seven, and the points added to its sums where an unplayed hand costs 25.
SHORT: dict[Unfinished, tuple[str, int]] = {
    "count hands": ("counts", 0),
    "penalty": ("counts", 75),
    "void": ("void", 0),
}


@pytest.mark.parametrize("unfinished", SHORT)
def test_a_short_game_counts_as_the_event_is_set(tmp_path: Path, unfinished: Unfinished) -> None:
    db = event_of_four(tmp_path, unfinished=unfinished, unfinished_points=25 if unfinished == "penalty" else 0)
    state, extra = SHORT[unfinished]
    result = apply(db, EnterResult(None, 1, 1, SHEET[:4], length="short")).result
    assert results.show(db) == (result,)
    assert (result.state, result.reason) == (state, "unfinished" if unfinished == "void" else "")
    rows = {row.player.name: row.points for row in standings.standings(db).rows if row.games}
    if unfinished == "void":
        assert (rows, result.outcome.points) == ({}, ())
    else:
        assert rows == {name: sum(hand.points[name] for hand in SHEET[:4]) + extra for name in FOUR}
        assert result.outcome.extra == ((extra,) * 4 if extra else ())
        assert result.outcome.short == 3
    assert database.check(db).problems == ()


def test_repeating_the_entry_of_a_short_sheet_changes_nothing(tmp_path: Path) -> None:
    """The second entry has the same id; the event makes the result void."""
    db = event_of_four(tmp_path, unfinished="void")
    first = apply(db, EnterResult(None, 1, 1, SHEET[:2], entry_id="a" * 32, length="short")).result
    head = desk.query(db, "SELECT hash FROM head")
    assert apply(db, EnterResult(None, 1, 1, SHEET[:2], entry_id="a" * 32, length="short")).result == first
    assert desk.query(db, "SELECT hash FROM head") == head


def test_a_short_game_made_void_is_undone_in_one_step(tmp_path: Path) -> None:
    db = event_of_four(tmp_path, unfinished="void")
    apply(db, EnterResult(None, 1, 1, SHEET[:2], length="short"))
    apply(db, Undo())
    assert results.show(db) == ()
    assert waiting(db) == [1]


def test_a_whole_sheet_is_corrected_to_a_short_one_and_back(tmp_path: Path) -> None:
    db = event_of_four(tmp_path, unfinished="penalty", unfinished_points=10)
    apply(db, EnterResult(None, 1, 1, SHEET))
    short = apply(db, CorrectResult(None, 1, 1, SHEET[:6], "the bell", length="short")).result
    assert (short.outcome.short, short.outcome.extra) == (1, (10, 10, 10, 10))
    dialogue = entry.begin_correction(db, None, 1, 1)
    assert (dialogue.outcome, dialogue.draft.length) == (short.outcome, "short")
    assert apply(db, CorrectResult(None, 1, 1, SHEET, "it was played after all")).result.outcome.extra == ()


def test_a_sheet_that_stops_early_is_refused_unless_marked_short(db: str) -> None:
    """A sheet with a gap is always refused."""
    with desk.refused(ExitCode.REFUSED, "hand TTT is missing", "--stopped"):
        apply(db, EnterResult(None, 1, 1, SHEET[:3]))
    with desk.refused(ExitCode.REFUSED, "hand TE is missing"):
        apply(db, EnterResult(None, 1, 1, [SHEET[0], SHEET[2]], length="short"))
    assert apply(db, EnterResult(None, 1, 1, SHEET, length="short")).result.outcome.short == 0


# --- score typos -----------------------------------------------------------------------------------------


def test_the_refusal_of_a_sheet_proposes_what_was_probably_meant(db: str) -> None:
    """The closer's 10 was probably -10."""
    wrong = replace(SHEET[0], points={**SHEET[0].points, "Ana": 10})
    with desk.refused(ExitCode.REFUSED, "TT: nobody closed it", "did you mean", "Ana -10"):
        apply(db, EnterResult(None, 1, 1, [wrong, *SHEET[1:]]))


def test_unusual_points_are_reported_and_kept(db: str) -> None:
    """105 points are unusual in the first hand; 60 are not."""
    odd = replace(SHEET[0], points={**SHEET[0].points, "Beñat": 105})
    doubt = "TT, Beñat: 105 points are unusual in that hand; did you mean 15, 10 or 5?"
    assert apply(db, KeepPartialSheet(None, 1, 1, [odd])).notes == (doubt,)
    assert apply(db, EnterResult(None, 1, 1, [odd, *SHEET[1:]])).notes == (doubt,)
    assert apply(db, CorrectResult(None, 1, 1, SHEET, "a slip")).notes == ()


def test_a_number_on_a_sheet_names_an_entrant(db: str) -> None:
    """Players are numbered in the order of entry."""
    numbered = [
        replace(hand, points={str(FOUR.index(name) + 1): points for name, points in hand.points.items()})
        for hand in SHEET
    ]
    assert apply(db, EnterResult(None, 1, 1, numbered)).result == replace(results.show(db)[0])
    assert standings.standings(db).rows[0].player.name == min(
        FOUR, key=lambda name: sum(hand.points[name] for hand in SHEET)
    )


def test_a_partial_sheet_of_other_players_is_not_resumed(tmp_path: Path) -> None:
    """The round is drawn again with another seed, so that table 1 has other players."""
    db = str(tmp_path / "eight.db")
    desk.event(db, 8, rounds=1)
    before = {table.number: table.players for table in apply(db, DrawRound()).rounds[0].tables}
    apply(db, KeepPartialSheet(None, 1, 1, desk.hands([player.name for player in before[1]])[:2]))
    for _time in range(2):
        apply(db, Undo())
    apply(db, ChangeSettings(None, {"seed": "another"}))
    after = {table.number: table.players for table in apply(db, DrawRound()).rounds[0].tables}
    assert set(before[1]) != set(after[1])
    assert begin(db).draft.kept == ()
