"""Tests of changing an event's settings, finishing it and reopening it."""

from dataclasses import replace

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings, Finished
from tourney.reports import events as reports
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent, ReopenEvent
from tourney.service.events.settings import Changes, ChangeSettings
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.results import results, rulings, standings
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.results.rulings import AddRuling
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound


def make_db(db: str) -> None:
    """The event Friday of eight players, with one round drawn and a result at one of its two tables."""
    desk.event(db, 8, rounds=3)
    table = apply(db, DrawRound()).rounds[0].tables[0]
    apply(db, EnterResult(None, 1, 1, desk.hands([player.shown for player in table.players])))


CHANGES = [
    {"name": "Saturday"},
    {"name": "FRIDAY"},
    {"date": "2026-11-20"},
    {"rounds": 1},
    {"rounds": 9},
    {"size": 3},
    {"short": "sit out"},
    {"format": "swiss"},
    {"minimum": 0},
    {"checkin": "required"},
    {"minutes": 50},
    {"tables": 1},
    {"unfinished": "void"},
    {"unfinished": "penalty", "unfinished_points": 20},
    {"rounds": 2, "minimum": 2},
]


@pytest.mark.parametrize("changes", CHANGES, ids=str)
def test_each_setting_can_change_and_the_others_stay(db: str, changes: Changes) -> None:
    """Check also that rounds and results are unchanged."""
    before = events.show(db)
    changed = apply(db, ChangeSettings(None, changes))
    assert (changed.before, changed.drawn) == (before.settings, 1)
    assert changed.event == events.show(db) == replace(before, settings=replace(before.settings, **changes))
    assert rounds.show(db).done == {(1, 1)}


def test_a_setting_can_be_cleared(db: str) -> None:
    apply(db, ChangeSettings(None, {"minutes": 50, "minimum": 1, "date": "2026-11-20", "tables": 2}))
    for name in ("minutes", "minimum", "date", "tables"):
        apply(db, ChangeSettings(None, {}, name))
    now = events.show(db).settings
    assert (now.minutes, now.minimum, now.date, now.tables) == (None, None, "", None)


def test_points_for_hands_not_played_are_cleared_with_the_penalty(db: str) -> None:
    apply(db, ChangeSettings(None, {"unfinished": "penalty", "unfinished_points": 20}))
    assert apply(db, ChangeSettings(None, {"unfinished": "void"})).event.settings.unfinished_points == 0


def test_changing_how_unfinished_games_count_leaves_tables_already_stopped_as_they_are(db: str) -> None:
    """The first table is complete; the second, stopped after two hands, is void and stays void, with a note."""
    apply(db, ChangeSettings(None, {"unfinished": "void"}))
    names = [player.shown for player in rounds.show(db).rounds[0].tables[1].players]
    apply(db, EnterResult(None, 1, 2, desk.hands(names)[:2], length="short"))
    assert apply(db, ChangeSettings(None, {"minutes": 50})).cut == 0
    changed = apply(db, ChangeSettings(None, {"unfinished": "count hands"}))
    assert (changed.cut, results.show(db)[1].state) == (1, "void")
    assert reports.changed(changed).lines[1].startswith("The table that is void or stopped already stays so, ")
    assert standings.standings(db).notes == ("Table 2 of round 1 is void (unfinished): it counts for nobody.",)


def test_a_new_table_size_counts_from_the_next_round(db: str) -> None:
    """Eight players change from two tables of four to four tables of two."""
    apply(db, ChangeSettings(None, {"size": 2}))
    assert [len(round_.tables) for round_ in apply(db, DrawRound()).rounds] == [4]


WRONG = {
    "fewer rounds than drawn": (ExitCode.REFUSED, {"rounds": 1}, ("2 drawn rounds", "round cancel")),
    "another seed": (ExitCode.REFUSED, {"seed": "2"}, ("seed", "another event")),
    "nothing": (ExitCode.REFUSED, {}, ("nothing about Friday",)),
    "the same": (ExitCode.REFUSED, {"rounds": 3}, ("nothing about Friday",)),
    "a taken name": (ExitCode.CONFLICT, {"name": "SUNDAY"}, ("Sunday",)),
    "a minimum above the rounds": (ExitCode.REFUSED, {"minimum": 4}, ("0 to 3",)),
    "no such day": (ExitCode.REFUSED, {"date": "2026-02-30"}, ("2026-02-30",)),
    "no tie-breaks": (ExitCode.USAGE, {"tie_breaks": ""}, ("tie-breaks", "is empty", "none")),
    "no prizes": (ExitCode.USAGE, {"prizes": ""}, ("prizes", "no prize is named")),
    "no fee": (ExitCode.USAGE, {"fee": ""}, ("fee", "not an amount")),
    "no such format": (ExitCode.USAGE, {"format": "knockout"}, ("rotation, swiss",)),
    "tables too large": (ExitCode.REFUSED, {"size": 5}, ("2 to 4",)),
    "a penalty of nothing": (ExitCode.REFUSED, {"unfinished": "penalty"}, ("--unfinished-points",)),
}


@pytest.mark.parametrize("case", WRONG)
def test_impossible_changes_of_settings_are_refused(db: str, case: str) -> None:
    """Check also changes that contradict the drawn rounds; the event stays as it was."""
    code, changes, words = WRONG[case]
    apply(db, CreateEvent(EventSettings("Sunday", "oficial")))
    apply(db, DrawRound("Friday"))
    before = events.show(db, "Friday")
    with desk.refused(code, *words):
        apply(db, ChangeSettings("Friday", changes))
    assert events.show(db, "Friday") == before


def test_a_setting_cannot_be_given_and_cleared_in_one_change(db: str) -> None:
    with desk.refused(ExitCode.USAGE, "--minutes", "--clear minutes"):
        apply(db, ChangeSettings(None, {"minutes": 50}, "minutes"))


def test_the_minimum_changes_who_is_ranked_and_the_date_the_order_of_rating(db: str) -> None:
    """Only players with at least the minimum of games are ranked; events are rated in the order of their dates."""
    table = apply(db, DrawRound()).rounds[0].tables[0]
    apply(db, EnterResult(None, 2, 1, desk.hands([player.shown for player in table.players])))
    apply(db, ChangeSettings(None, {"minimum": 2}))
    ranked = [row.player.id for row in standings.standings(db).rows if row.rank is not None]
    twice = [row.player.id for row in standings.standings(db).rows if row.games == 2]
    assert sorted(ranked) == sorted(twice)
    apply(db, CreateEvent(EventSettings("Later", "oficial", rounds=1, date="2026-01-02")))
    apply(db, EnterPlayers("Later", desk.NAMES[:4]))
    seats = [player.shown for player in apply(db, DrawRound("Later")).rounds[0].tables[0].players]
    apply(db, EnterResult("Later", 1, 1, desk.hands(seats, [0] * 7)))
    before = {row.player: row.mu for row in ratings.ratings(db).rows}
    apply(db, ChangeSettings("Later", {"date": "2027-01-02"}))
    assert {row.player: row.mu for row in ratings.ratings(db).rows} != before


def test_an_incomplete_event_is_finished_only_with_the_option_anyway(db: str) -> None:
    """Check that the rounds not drawn and the tables without a result are named."""
    with desk.refused(ExitCode.REFUSED, "2 rounds", "round 1, table 2", "--anyway"):
        apply(db, FinishEvent())
    done = apply(db, FinishEvent(None, incomplete=True))
    assert done.event.state == "finished"
    assert done.missing == ("2 rounds", "the result of round 1, table 2")
    with desk.refused(ExitCode.REFUSED, "Friday is finished"):
        apply(db, FinishEvent(None, incomplete=True))


def test_a_complete_event_is_finished_and_may_have_a_void_result(new_db: str) -> None:
    desk.event(new_db, 4, rounds=1)
    (table,) = apply(new_db, DrawRound()).rounds[0].tables
    with desk.refused(ExitCode.REFUSED, "lacks the result of round 1, table 1"):
        apply(new_db, FinishEvent())
    apply(new_db, EnterResult(None, 1, 1, desk.hands([player.shown for player in table.players])))
    apply(new_db, VoidResult(None, 1, 1, "a pack lacked a card"))
    assert apply(new_db, FinishEvent()) == Finished(events.show(new_db))


def test_a_finished_event_refuses_every_change_until_it_is_reopened(db: str) -> None:
    """Check also that standings and ratings stay as they were."""
    before = standings.standings(db).rows, ratings.ratings(db).rows
    apply(db, FinishEvent(None, incomplete=True))
    sheet = desk.hands([player.shown for player in rounds.show(db).rounds[0].tables[1].players])
    apply(db, RegisterPlayers(["Iris"]))
    changes = (
        lambda: apply(db, DrawRound()),
        lambda: apply(db, EnterResult(None, 1, 2, sheet)),
        lambda: apply(db, VoidResult(None, 1, 1, "x")),
        lambda: apply(db, EnterPlayers(None, ["Iris"])),
        lambda: apply(db, ChangeSettings(None, {"rounds": 5})),
        lambda: apply(db, AddRuling(None, rulings.Decision("note", "x"))),
    )
    for change in changes:
        with desk.refused(ExitCode.REFUSED, "Friday is finished", "event reopen"):
            change()
    assert (standings.standings(db).rows, ratings.ratings(db).rows) == before
    with desk.refused(ExitCode.REFUSED, "empty"):
        apply(db, ReopenEvent(None, " "))
    assert apply(db, ReopenEvent(None, "a sheet was found")).state == "open"
    with desk.refused(ExitCode.REFUSED, "not finished"):
        apply(db, ReopenEvent(None, "again"))
    apply(db, EnterResult(None, 1, 2, sheet))
