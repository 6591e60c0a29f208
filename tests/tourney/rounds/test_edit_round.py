"""Tests of rounds that are edited and cancelled."""

import shutil
from itertools import combinations
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.domain.schedule import EditedRound
from tourney.service import database
from tourney.service.change import apply
from tourney.service.events.attendance import ReturnPlayers, WithdrawPlayers
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent
from tourney.service.impact import preview
from tourney.service.players import RegisterPlayers
from tourney.service.results import results
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.rounds.edit_round import CancelRound, Destination, MovePlayer, Out, Swap, ToTable


def make_db(db: str) -> None:
    """Draw round 1 for six players at two tables, then enter Gloria."""
    desk.event(db, 6, rounds=3)
    apply(db, DrawRound())
    apply(db, RegisterPlayers(["Gloria"]))
    apply(db, EnterPlayers("Friday", ["Gloria"]))


def seats(db: str, number: int = 1) -> list[list[str]]:
    """Return the names by table and seat, as the database has them."""
    (round_,) = rounds.show(db, None, number).rounds
    return [[player.name for player in table.players] for table in round_.tables]


def byes(db: str, number: int = 1) -> list[str]:
    (round_,) = rounds.show(db, None, number).rounds
    return [player.name for player in round_.sitting_out]


def move(db: str, player: str, destination: Destination, **options: object) -> EditedRound:
    return apply(db, MovePlayer(None, player, destination, **options))


def repeats(db: str) -> int:
    """Count every meeting of two players beyond their first in all drawn rounds."""
    pairs = [
        frozenset(pair)
        for round_ in rounds.show(db).rounds
        for table in round_.tables
        for pair in combinations([player.name for player in table.players], 2)
    ]
    return len(pairs) - len(set(pairs))


def test_a_player_moves_to_the_end_of_a_table_or_to_a_seat(db: str) -> None:
    """The seats of the table that the player leaves close up."""
    first, second = seats(db)
    move(db, first[0], ToTable(2))
    assert seats(db) == [first[1:], [*second, first[0]]]
    move(db, first[0], ToTable(1, 2))
    assert seats(db) == [[first[1], first[0], first[2]], second]


def test_a_player_takes_another_seat_at_their_own_table(db: str) -> None:
    """The change adds no repeat."""
    first, second = seats(db)
    assert move(db, first[2], ToTable(1, 1)).repeats_after == 0
    assert seats(db) == [[first[2], first[0], first[1]], second]


def test_two_players_swap_seats(db: str) -> None:
    """The players sit at two tables, then at one."""
    first, second = seats(db)
    edited = move(db, first[1], Swap(second[2]))
    assert seats(db) == [[first[0], second[2], first[2]], [second[0], second[1], first[1]]]
    assert [table.number for table in edited.changed] == [1, 2]
    move(db, first[0], Swap(first[2]))
    assert seats(db)[0] == [first[2], second[2], first[0]]


def test_a_late_entrant_is_seated_and_a_replaced_player_has_a_bye(db: str) -> None:
    """Players may be named by number; the database stays consistent."""
    first, second = seats(db)
    move(db, "7", ToTable(2))
    assert seats(db) == [first, [*second, "Gloria"]]
    assert byes(db) == []
    move(db, "Gloria", Out())
    assert byes(db) == ["Gloria"]
    move(db, "Gloria", Swap(first[0]))
    assert seats(db) == [["Gloria", *first[1:]], second]
    assert byes(db) == [first[0]]
    move(db, second[0], Swap(first[0]))
    assert seats(db)[1] == [first[0], *second[1:]]
    assert byes(db) == [second[0]]
    assert database.check(db).problems == ()


def test_a_withdrawn_player_is_replaced_without_getting_a_bye(db: str) -> None:
    """A withdrawn player cannot be seated again before returning."""
    first, second = seats(db)
    apply(db, WithdrawPlayers(None, [first[0]]))
    with desk.refused(ExitCode.REFUSED, f"{first[0]} has left the event", "tourney event return"):
        move(db, first[0], ToTable(2))
    move(db, first[0], Swap("Gloria"))
    assert seats(db) == [["Gloria", *first[1:]], second]
    assert byes(db) == []
    with desk.refused(ExitCode.REFUSED, "has left the event"):
        move(db, second[0], Swap(first[0]))


@pytest.mark.parametrize(
    ("people", "settings", "seat", "effect", "effect_back"),
    [
        (6, {"rounds": 5, "size": 2}, 0, "adds 1 repeat to", "saves 1 repeat in"),
        (
            8,
            {"rounds": 4, "size": 4},
            1,
            "saves 4 repeats in",
            "adds 4 repeats to",
        ),
    ],
    ids=["costs", "saves"],
)
def test_the_reported_repeats_of_coming_rounds_are_those_that_are_drawn(
    tmp_path: Path,
    run: Runner,
    people: int,
    settings: dict[str, int],
    seat: int,
    effect: str,
    effect_back: str,
) -> None:
    """Swap two players in round 2 and preview the swap back; count the repeats of all rounds, drawn to the end with the
    swap and without."""
    db, unedited = str(tmp_path / "club.db"), str(tmp_path / "unedited.db")
    desk.event(db, people, **settings)
    for _round in range(2):
        apply(db, DrawRound())
    shutil.copy(db, unedited)
    first, second, *_others = seats(db, 2)
    player, other = first[0], second[seat]
    words = ("round", "move", "Friday", player, "--with", other)
    assert f"This {effect} the coming rounds." in run(*words, "--dry-run", "--db", db).out
    edited = move(db, player, Swap(other))
    assert f"This {effect_back} the coming rounds." in run(*words, "--dry-run", "--db", db).out
    for _round in range(2, settings["rounds"]):
        apply(db, DrawRound())
        apply(unedited, DrawRound())
    assert repeats(db) - edited.repeats_after - edited.repeats_ahead == repeats(unedited) - edited.repeats_before
    assert run(*words, "--dry-run", "--json", "--db", db).json["repeats_ahead"] == 0, "no round is left to draw"


@pytest.mark.slow
def test_the_repeats_before_and_after_a_swap_are_reported(db: str) -> None:
    """Check the figures against a count over both rounds, before and after each swap."""
    apply(db, DrawRound())
    first, second = seats(db, 2)
    for player in first:
        for other in second:
            before = repeats(db)
            edited = move(db, player, Swap(other))
            assert (edited.repeats_before, edited.repeats_after) == (before, repeats(db))
            assert edited.round.number == 2
            move(db, player, Swap(other))


def test_a_dry_run_of_a_move_reports_it_and_moves_nobody(db: str) -> None:
    """The change then returns what the dry run returned."""
    before = seats(db)
    dry = preview(db, MovePlayer(None, before[0][0], Swap(before[1][0]))).outcome
    assert seats(db) == before
    assert move(db, before[0][0], Swap(before[1][0])) == dry


def test_a_move_cannot_make_a_table_too_large_or_too_small(new_db: str) -> None:
    """The official rules seat two to four at a table."""
    desk.event(new_db, 4, "random:2", rounds=1)
    apply(new_db, DrawRound())
    first, second = seats(new_db)
    assert (len(first), len(second)) == (4, 2)
    with desk.refused(ExitCode.REFUSED, "table 1 would have 5 players", "2 to 4", "--with"):
        move(new_db, second[0], ToTable(1))
    with desk.refused(ExitCode.REFUSED, "table 2 would have 1 player", "2 to 4"):
        move(new_db, second[0], Out())
    assert seats(new_db) == [first, second]


def test_a_table_with_a_result_cannot_be_edited(db: str) -> None:
    """The table can be edited again once the result is void."""
    first, second = seats(db)
    apply(db, EnterResult(None, 1, 1, desk.hands(first)))
    for destination in (Swap(second[0]), Out(), ToTable(2)):
        with desk.refused(ExitCode.CONFLICT, "table 1 of round 1 has a result", "result void", "undo"):
            move(db, first[0], destination)
    with desk.refused(ExitCode.CONFLICT, "table 1 of round 1 has a result"):
        apply(db, CancelRound(None, "bell"))
    apply(db, VoidResult(None, 1, 1, "wrong players"))
    move(db, first[0], Swap(second[0]))
    assert seats(db)[0] == [second[0], *first[1:]]
    apply(db, EnterResult(None, 1, 1, desk.hands(seats(db)[0])))
    assert database.check(db).problems == ()


@pytest.mark.parametrize(
    ("player", "where", "code", "words"),
    [
        ("Nobody", Out(), ExitCode.NOT_FOUND, ("nobody is called",)),
        ("9", Out(), ExitCode.NOT_FOUND, ("Friday has no entrant 9",)),
        ("1", ToTable(3), ExitCode.NOT_FOUND, ("round 1 of Friday has no table 3", "1, 2")),
        ("Gloria", ToTable(1, 5), ExitCode.REFUSED, ("table 1 has no seat 5", "1 to 4")),
        ("Gloria", Out(), ExitCode.REFUSED, ("changes no table of round 1",)),
        ("1", Swap("1"), ExitCode.REFUSED, ("changes no table of round 1",)),
        ("Gloria", Swap("7"), ExitCode.REFUSED, ("Gloria", "sits in round 1")),
    ],
)
def test_an_impossible_move_is_refused(
    db: str, player: str, where: Destination, code: ExitCode, words: tuple[str, ...]
) -> None:
    """The refusal is one line with what is possible; nothing changes."""
    before = seats(db)
    with desk.refused(code, *words):
        move(db, player, where)
    assert seats(db) == before


def test_an_undrawn_round_or_a_finished_event_cannot_be_edited(db: str) -> None:
    """Check moves and cancellations in an event without rounds, of an undrawn round and in a finished event."""
    apply(db, CreateEvent(EventSettings("Empty", "oficial")))
    apply(db, EnterPlayers("Empty", ["Ana"]))
    with desk.refused(ExitCode.REFUSED, "no round of Empty is drawn", "round draw"):
        apply(db, MovePlayer("Empty", "1", Out()))
    with desk.refused(ExitCode.REFUSED, "no round of Empty is drawn"):
        apply(db, CancelRound("Empty", "bell"))
    with desk.refused(ExitCode.NOT_FOUND, "round 2 of Friday is not drawn"):
        apply(db, MovePlayer("Friday", "1", Out(), 2))
    apply(db, FinishEvent("Friday", incomplete=True))
    for change in (MovePlayer("Friday", "1", Out()), CancelRound("Friday", "bell")):
        with desk.refused(ExitCode.REFUSED, "Friday is finished"):
            apply(db, change)


def test_the_newest_round_is_cancelled_and_drawn_anew_with_the_players_present(db: str) -> None:
    """An older round cannot be cancelled, and an empty reason is refused."""
    apply(db, DrawRound())
    assert any("Gloria" in table for table in seats(db, 2))
    apply(db, WithdrawPlayers(None, ["Gloria"]))
    with desk.refused(ExitCode.REFUSED, "round 1 is not the newest", "cancel round 2 first"):
        apply(db, CancelRound(None, "bell", 1))
    with desk.refused(ExitCode.REFUSED, "reason"):
        apply(db, CancelRound(None, " "))
    dry = preview(db, CancelRound(None, "she left")).outcome
    assert len(rounds.show(db).rounds) == 2
    assert apply(db, CancelRound(None, "she left", 2)) == dry
    assert [round_.number for round_ in rounds.show(db).rounds] == [1]
    apply(db, DrawRound())
    assert not any("Gloria" in table for table in seats(db, 2))
    assert database.check(db).problems == ()


def test_a_round_whose_results_are_void_can_be_cancelled(db: str) -> None:
    """The round is drawn anew and has no results."""
    first, _second = seats(db)
    apply(db, EnterResult(None, 1, 1, desk.hands(first)))
    apply(db, VoidResult(None, 1, 1, "fire alarm"))
    apply(db, CancelRound(None, "fire alarm"))
    assert rounds.show(db).rounds == ()
    apply(db, DrawRound())
    assert results.show(db) == ()
    assert database.check(db).problems == ()


def planned(db: str) -> list[set[frozenset[str]]]:
    """Return the sets of players at each table of each coming round, drawn in a copy of the database."""
    copy = str(Path(db).with_name("copy.db"))
    shutil.copy(db, copy)
    shown = rounds.show(copy)
    return [
        {frozenset(player.name for player in table.players) for table in apply(copy, DrawRound()).rounds[0].tables}
        for _round in range(shown.event.settings.rounds - len(shown.rounds))
    ]


def event_with_one_round_drawn(tmp_path: Path, people: int, number_of_rounds: int) -> str:
    """Create an event of players P1, P2 and so on, and draw the first of its rounds; return the database."""
    db, names = str(tmp_path / "many.db"), [f"P{number}" for number in range(1, people + 1)]
    desk.people_in(db, names, rounds=number_of_rounds, seed="plan")
    apply(db, DrawRound())
    return db


@pytest.mark.parametrize("first", ["withdrawn", "out"])
@pytest.mark.parametrize(("people", "number_of_rounds"), [(24, 6), (26, 5)])
def test_a_player_who_misses_the_first_round_and_returns_finds_the_plan_unchanged(
    tmp_path: Path, people: int, number_of_rounds: int, first: str
) -> None:
    """The player is moved out of their table before or after the withdrawal, and then returns."""
    db = event_with_one_round_drawn(tmp_path, people, number_of_rounds)
    before = planned(db)
    away = next(table for table in seats(db) if len(table) == 4)[2]
    if first == "withdrawn":
        apply(db, WithdrawPlayers(None, [away]))
    assert move(db, away, Out()).ahead == ()
    apply(db, WithdrawPlayers(None, [away]))
    apply(db, ReturnPlayers(None, [away]))
    assert planned(db) == before


def test_two_players_who_meet_early_by_a_move_do_not_meet_again_as_planned(tmp_path: Path) -> None:
    """Move one of 20 players in the first of four rounds to a table with their opponent of the second.

    The plan has no repeat, and some of the 15 coming tables stay.
    """
    db = event_with_one_round_drawn(tmp_path, 20, 4)
    player, opponent = sorted(min(planned(db)[0], key=sorted))[:2]
    other = next(name for table in seats(db) if opponent in table for name in table if name != opponent)
    edited = move(db, player, Swap(other))
    assert edited.ahead is not None
    assert 0 < len(edited.ahead) < 15
    tables = [*seats(db), *(table for tables in planned(db) for table in tables)]
    pairs = [frozenset(pair) for table in tables for pair in combinations(table, 2)]
    assert len(set(pairs)) == len(pairs) == 4 * 5 * 6
