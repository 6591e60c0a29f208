"""Tests of `event new --from`: what of another event is copied, and what goes before it."""

from datetime import date

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import CopiedEvent, EventSettings
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events import events
from tourney.service.events.attendance import CheckInPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.copy_event import CopyEvent, NextEvening, next_day
from tourney.service.events.events import FinishEvent, UseEvent
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound


@pytest.fixture
def last_week(db: str) -> str:
    """The path of a database: an event of six people, of whom one left early and one never came."""
    desk.event(db, 6, rounds=4, minutes=60, date="2026-11-20", seed="7", size=3)
    apply(db, ConstrainSeating(None, apart=["Ana,Beñat", "Carmen,Félix"], tables=["Diego=1"]))
    apply(db, CheckInPlayers(None, ["Ana"]))
    apply(db, DrawRound())
    apply(db, WithdrawPlayers(None, ["Elena"]))
    apply(db, WithdrawPlayers(None, ["Félix"], absence="no-show"))
    return db


def names(outcome: CopiedEvent) -> list[str]:
    return [player.shown for player in outcome.event.entrants]


def test_both_copies_settings_constraints_and_players_but_no_date_and_no_seed(last_week: str) -> None:
    """Elena had played and is entered again; Félix never came and is not, nor is a constraint about him."""
    outcome = apply(last_week, CopyEvent("Friday 27", "Friday"))
    settings = EventSettings("Friday 27", "oficial", rounds=4, minutes=60, seed="Friday 27", size=3)
    assert outcome.event.settings == settings
    assert names(outcome) == ["Ana", "Beñat", "Carmen", "Diego", "Elena"]
    assert outcome.event.states == ("entered",) * 5
    kept = [(each.kind, [player.shown for player in each.players]) for each in outcome.event.constraints]
    assert kept == [("apart", ["Ana", "Beñat"]), ("table", ["Diego"])]
    assert [player.shown for player in outcome.no_shows] == ["Félix"]
    assert [[player.shown for player in each.players] for each in outcome.constraints] == [["Carmen", "Félix"]]


def test_settings_alone_come_without_players_and_their_constraints(last_week: str) -> None:
    outcome = apply(last_week, CopyEvent("Friday 27", "Friday", "settings"))
    assert (outcome.event.settings.rounds, names(outcome), outcome.no_shows) == (4, [], ())
    assert (outcome.event.constraints, len(outcome.constraints)) == ((), 3)


def test_players_alone_come_without_settings(last_week: str) -> None:
    outcome = apply(last_week, CopyEvent("Friday 27", "Friday", "players"))
    assert outcome.event.settings == EventSettings("Friday 27", "oficial", seed="Friday 27")
    assert (len(outcome.event.entrants), outcome.event.constraints) == (5, ())


def test_the_event_in_play_stays_the_current_one(last_week: str) -> None:
    apply(last_week, CopyEvent("Friday 27", "Friday"))
    assert events.show(last_week).settings.name == "Friday"


def test_after_a_finished_event_the_new_one_is_current_and_one_undo_takes_it_back(last_week: str) -> None:
    apply(last_week, UseEvent("Friday"))
    apply(last_week, FinishEvent(None, incomplete=True))
    apply(last_week, CopyEvent("Friday 27", "Friday"))
    assert events.show(last_week).settings.name == "Friday 27"
    apply(last_week, Undo())
    assert [event.settings.name for event in events.listing(last_week)] == ["Friday"]
    assert events.show(last_week).settings.name == "Friday"


def test_the_same_players_sit_differently_next_week(db: str) -> None:
    """The seed is the event's name: with last week's seed the tables would be last week's."""
    desk.event(db, 8, name="Friday 20")
    apply(db, DrawRound("Friday 20"))
    for name in ("Friday 27", "Friday 4"):
        apply(db, CopyEvent(name, "Friday 20"))
        apply(db, DrawRound(name))
    tables = [rounds.show(db, name).rounds[0].tables for name in ("Friday 20", "Friday 27", "Friday 4")]
    assert len(set(tables)) == 3


def test_an_option_goes_before_the_copied_setting_be_it_the_usual_value(run: Runner, last_week: str) -> None:
    """Five rounds and tables of four are usual; last week had four rounds at tables of three."""
    words = ("--from", "Friday", "--rounds", "5", "--size", "4", "--db", last_week, "--json")
    data = run("event", "new", "Friday 27", *words).json
    assert (data["rounds"], data["size"], data["minutes"], data["left_out"]) == (5, 4, 60, ["Félix"])


def test_copy_without_another_event_is_refused(run: Runner, last_week: str) -> None:
    refused = run("event", "new", "Friday 27", "--copy", "players", "--db", last_week)
    assert (refused.code, "name the event with --from" in refused.err) == (ExitCode.USAGE, True)
    unknown = run("event", "new", "Friday 27", "--from", "Fridy", "--db", last_week)
    assert (unknown.code, "did you mean" in unknown.err) == (ExitCode.NOT_FOUND, True)


def test_a_dry_run_creates_nothing(run: Runner, last_week: str) -> None:
    shown = run("event", "new", "Friday 27", "--from", "Friday", "--dry-run", "--db", last_week).out
    assert shown.startswith("dry run: nothing was saved. new event, from Friday: Friday 27\n")
    assert "left out, because they never came: Félix" in shown
    assert len(events.listing(last_week)) == 1


@pytest.mark.parametrize(
    ("before", "today", "day"),
    [
        ("2026-11-27", "2026-11-27", "2026-12-04"),
        ("2026-11-27", "2026-12-03", "2026-12-04"),
        ("2026-11-27", "2026-12-04", "2026-12-04"),
        ("2026-11-27", "2026-12-05", "2026-12-11"),
        ("2026-12-31", "2026-11-27", "2027-01-07"),
        ("", "2026-11-27", "2026-12-04"),
        ("9999-12-31", "2026-11-27", "9999-12-31"),
    ],
)
def test_the_next_evening_is_a_week_later_or_on_the_first_weekday_to_come(before: str, today: str, day: str) -> None:
    assert next_day(before, date.fromisoformat(today)).isoformat() == day


def test_the_next_evening_is_called_by_its_day_and_is_current_once_the_last_one_has_ended(db: str) -> None:
    desk.event(db, 4, minutes=40, date="2026-11-20", rounds=1)
    apply(db, DrawRound("Friday"))
    desk.enter(db, rounds.show(db, "Friday", 1).rounds[0].tables[0], "Friday")
    apply(db, FinishEvent("Friday"))
    for name in ("27 November 2026", "27 November 2026 (2)"):
        event = apply(db, NextEvening("Friday", date(2026, 11, 21))).event
        assert (event.settings.name, event.settings.date, event.settings.minutes) == (name, "2026-11-27", 40)
        assert [player.shown for player in event.entrants] == list(desk.NAMES[:4])
        assert event.is_current
