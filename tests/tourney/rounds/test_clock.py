"""Tests of round clocks at given times."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.harness import desk
from tourney.domain.errors import ExitCode
from tourney.domain.rounds import Clock
from tourney.reports.rounds.rounds import clock as clock_report
from tourney.reports.rounds.rounds import schedule
from tourney.service.change import apply
from tourney.service.events.events import FinishEvent
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound

EIGHT = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
MADRID = timezone(timedelta(hours=1))


def make_db(db: str) -> None:
    """Draw a round of 25 minutes for six players at two tables."""
    desk.event(db, 6, rounds=2, minutes=25)
    apply(db, DrawRound())


def line(db: str, now: datetime) -> str:
    """Return the line about the clock, with times of day in Madrid."""
    (clock_line,) = schedule(rounds.show(db), now.astimezone(MADRID)).lines
    return clock_line


def test_a_clock_runs_for_the_minutes_of_the_event_from_its_start(db: str) -> None:
    """The end is shown in local time."""
    apply(db, ChangeClock(None, "start", now=EIGHT))
    assert rounds.show(db).rounds[0].clock == Clock("2026-11-20T20:00:00Z", 25)
    assert line(db, EIGHT + timedelta(minutes=2)) == "round 1: 23 min left, ends 21:25"


@pytest.mark.parametrize(
    ("after", "left"),
    [
        (timedelta(0), 25),
        (timedelta(seconds=1), 25),
        (timedelta(minutes=1), 24),
        (timedelta(minutes=24, seconds=1), 1),
        (timedelta(minutes=24, seconds=59), 1),
    ],
    ids=str,
)
def test_the_minutes_left_are_rounded_up(db: str, after: timedelta, left: int) -> None:
    """A clock never shows 0 minutes left."""
    apply(db, ChangeClock(None, "start", now=EIGHT))
    assert line(db, EIGHT + after) == f"round 1: {left} min left, ends 21:25"


def test_a_complete_round_has_no_line_about_the_time_that_was_left(db: str) -> None:
    """At 20:10 the round is shown with 15 minutes left while a table plays, and without a clock when none does."""
    apply(db, ChangeClock(None, "start", now=EIGHT))
    now = EIGHT + timedelta(minutes=10)
    for table in rounds.show(db).rounds[0].tables:
        assert line(db, now) == "round 1: 15 min left, ends 21:25"
        apply(db, EnterResult(None, 1, table.number, desk.hands([player.name for player in table.players])))
    assert schedule(rounds.show(db), now).lines == ()


def test_when_time_expires_the_unfinished_tables_are_counted(db: str) -> None:
    """Two tables are unfinished, then one, then none."""
    apply(db, ChangeClock(None, "start", now=EIGHT))
    end = EIGHT + timedelta(minutes=25)
    lines = [line(db, end)]
    for table in rounds.show(db).rounds[0].tables:
        apply(db, EnterResult(None, 1, table.number, desk.hands([player.name for player in table.players])))
        lines.append(line(db, end + timedelta(minutes=3)))
    assert lines == [
        "round 1: time expired at 21:25, 2 tables unfinished",
        "round 1: time expired at 21:25, 1 table unfinished",
        "round 1: time expired at 21:25, every table complete",
    ]


def test_another_day_is_named(db: str) -> None:
    """The date is shown for a round that ends after midnight, and for one that ended on an earlier day."""
    apply(db, ChangeClock(None, "start", minutes=300, now=EIGHT))
    assert line(db, EIGHT) == "round 1: 300 min left, ends 2026-11-21 02:00"
    assert "expired at 2026-11-21 02:00" in line(db, EIGHT + timedelta(days=2))


def test_the_length_may_change_while_the_clock_runs_and_the_clock_may_stop(db: str) -> None:
    """A change of the length keeps the start; a stopped clock can be started again."""
    apply(db, ChangeClock(None, "start", now=EIGHT))
    apply(db, ChangeClock(None, "set", minutes=40, now=EIGHT + timedelta(hours=1)))
    assert rounds.show(db).rounds[0].clock == Clock("2026-11-20T20:00:00Z", 40)
    assert apply(db, ChangeClock(None, "stop")).rounds[0].clock is None
    assert clock_report(rounds.show(db), EIGHT).lines == ("round 1: no clock runs",)
    apply(db, ChangeClock(None, "start", minutes=10, now=EIGHT))
    assert rounds.show(db).rounds[0].clock == Clock("2026-11-20T20:00:00Z", 10)


def test_a_clock_is_that_of_the_newest_round_unless_another_is_named(db: str) -> None:
    """Each round has its own clock."""
    apply(db, DrawRound())
    apply(db, ChangeClock(None, "start", now=EIGHT))
    apply(db, ChangeClock(None, "start", 1, 5, EIGHT))
    assert [round_.clock and round_.clock.minutes for round_ in rounds.show(db).rounds] == [5, 25]


def test_impossible_clock_changes_are_refused(db: str) -> None:
    """Check stopping without a start, impossible lengths, a second start, an undrawn round and a finished event."""
    for action in ("stop", "set"):
        with desk.refused(ExitCode.CONFLICT, "the clock of round 1 does not run", "--start"):
            apply(db, ChangeClock(None, action, minutes=5))
    for minutes in (0, 24 * 60 + 1):
        with desk.refused(ExitCode.REFUSED, f"cannot last {minutes} minutes"):
            apply(db, ChangeClock(None, "start", minutes=minutes))
    apply(db, ChangeClock(None, "start", now=EIGHT))
    with desk.refused(ExitCode.CONFLICT, "runs already", "--stop"):
        apply(db, ChangeClock(None, "start", now=EIGHT))
    with desk.refused(ExitCode.NOT_FOUND, "round 2 of Friday is not drawn"):
        apply(db, ChangeClock(None, "stop", 2))
    apply(db, FinishEvent("Friday", incomplete=True))
    with desk.refused(ExitCode.REFUSED, "Friday is finished"):
        apply(db, ChangeClock(None, "stop"))


def test_a_clock_needs_a_length_from_the_event_or_the_command(new_db: str) -> None:
    """The refusal names the option `--minutes`."""
    desk.event(new_db, 4)
    with desk.refused(ExitCode.REFUSED, "no round of Friday is drawn"):
        apply(new_db, ChangeClock(None, "start", minutes=5))
    apply(new_db, DrawRound())
    with desk.refused(ExitCode.REFUSED, "has no length for its rounds", "--minutes"):
        apply(new_db, ChangeClock(None, "start"))
