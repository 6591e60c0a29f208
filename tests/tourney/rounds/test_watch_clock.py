"""Tests of `round clock --watch`: what the screen shows at a time and size, and how it follows the database."""

import io
import signal
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import KeptTerminal, Runner
from tests.harness.terminal import CTRL_C, Terminal
from tourney.cli.rounds import watch as display
from tourney.domain.errors import ExitCode
from tourney.domain.rounds import Clock
from tourney.domain.schedule import Schedule
from tourney.reports.render.countdown import Countdown, Screen, drawn, large, screen_console
from tourney.reports.rounds.clock import countdown
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import SETTLING, ChangeClock, WatchedRound
from tourney.service.rounds.draw_round import DrawRound

EIGHT = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
ONE_SECOND = timedelta(seconds=1)


def make_db(db: str) -> None:
    """Draw the first of two rounds of 25 minutes for eight players at two tables, and start its clock at eight."""
    desk.event(db, 8, rounds=2, minutes=25)
    apply(db, DrawRound())
    apply(db, ChangeClock(None, "start", now=EIGHT))


def enter(db: str, number: int) -> None:
    """Enter a sheet at a table of the first round."""
    table = rounds.show(db).rounds[0].tables[number - 1]
    apply(db, EnterResult(None, 1, number, desk.hands([player.name for player in table.players])))


def screen_text(shown: Countdown, width: int, height: int) -> list[str]:
    """Return the lines of a screen of this size."""
    stream = io.StringIO()
    console = screen_console(stream)
    console.size = (width, height)
    console.print(drawn(shown, Screen(width, height)))
    return stream.getvalue().splitlines()


TIMES = {
    "begun": (timedelta(0), "25:00", "running", "ends at 20:25"),
    "a second that has begun": (timedelta(milliseconds=1), "25:00", "running", "ends at 20:25"),
    "before the warning": (timedelta(minutes=20) - ONE_SECOND, "05:01", "running", "ends at 20:25"),
    "five minutes": (timedelta(minutes=20), "05:00", "warning", "5 minutes left"),
    "less than five": (timedelta(minutes=20, seconds=1), "04:59", "warning", "5 minutes left"),
    "two minutes": (timedelta(minutes=23), "02:00", "warning", "2 minutes left"),
    "before the last minute": (timedelta(minutes=24) - ONE_SECOND, "01:01", "warning", "2 minutes left"),
    "one minute": (timedelta(minutes=24), "01:00", "last", "last hand: 1 minute left"),
    "the last second": (timedelta(minutes=25) - ONE_SECOND, "00:01", "last", "last hand: 1 minute left"),
    "the end": (timedelta(minutes=25), "00:00", "expired", "time expired at 20:25"),
    "an hour later": (timedelta(minutes=85), "00:00", "expired", "time expired at 20:25"),
    "the next day": (timedelta(days=1), "00:00", "expired", "time expired at 2026-11-20 20:25"),
}


@pytest.mark.parametrize(("after", "time", "urgency", "words"), TIMES.values(), ids=TIMES)
def test_words_and_colour_change_five_minutes_and_one_minute_before_the_end(
    db: str, after: timedelta, time: str, urgency: str, words: str
) -> None:
    """The clock of 25 minutes began at 20:00, so that 20 minutes later five are left."""
    shown = countdown(rounds.show(db), EIGHT + after)
    assert (shown.time, shown.urgency, shown.words) == (time, urgency, words)


def test_long_rounds_are_shown_with_hours(db: str) -> None:
    """100 minutes are 1:40:00, and a second less are 99:59."""
    apply(db, ChangeClock(None, "set", minutes=100))
    assert countdown(rounds.show(db), EIGHT).time == "1:40:00"
    assert countdown(rounds.show(db), EIGHT + ONE_SECOND).time == "99:59"


def test_only_tables_without_a_result_stand_beside_the_clock(db: str) -> None:
    """Two tables wait, then the second one only, then none."""
    names = [", ".join(player.name for player in table.players) for table in rounds.show(db).rounds[0].tables]
    shown = countdown(rounds.show(db), EIGHT)
    assert shown.heading == "2 of 2 tables without a result"
    assert [table.text for table in shown.tables] == [f"table 1: {names[0]}", f"table 2: {names[1]}"]
    enter(db, 1)
    shown = countdown(rounds.show(db), EIGHT)
    assert (shown.heading, shown.tables) == ("1 of 2 tables without a result", ((2, f"table 2: {names[1]}"),))
    enter(db, 2)
    shown = countdown(rounds.show(db), EIGHT)
    assert (shown.heading, shown.tables) == ("every table complete", ())


def test_without_a_round_or_a_clock_the_screen_has_the_command_that_comes_next(db: str) -> None:
    apply(db, ChangeClock(None, "stop"))
    drawn_round = rounds.show(db)
    assert countdown(drawn_round, EIGHT).words == "no clock runs: `tourney round clock Friday --start` starts it"
    empty = Schedule(drawn_round.event, ())
    assert countdown(empty, EIGHT).words == "no round is drawn: `tourney round draw Friday` draws one"


def test_a_narrow_screen_wraps_words_beside_a_command_that_stays_whole(db: str) -> None:
    """A title, the words about the clock, and the last line fit 50 columns; nothing is shown as an escape."""
    apply(db, ChangeClock(None, "stop"))
    lines = [line.strip() for line in screen_text(countdown(rounds.show(db), EIGHT), 50, 25)]
    assert "`tourney round clock Friday --start` starts it" in lines
    assert not [line for line in lines if "\\x" in line]
    assert lines[-1] == "Ctrl-C leaves; the clock keeps running."


SIZES = {"small": (50, 15), "usual": (80, 24), "wide": (120, 40), "projector": (240, 67), "tiny": (18, 4)}


@pytest.mark.parametrize(("width", "height"), SIZES.values(), ids=SIZES)
def test_the_screen_is_filled_and_never_exceeded(db: str, width: int, height: int) -> None:
    """Every line has the width of the screen at most, the words are there, and the last line says how to leave."""
    lines = screen_text(countdown(rounds.show(db), EIGHT + timedelta(minutes=24)), width, height)
    assert len(lines) == height or height < 6
    assert max(map(len, lines)) <= width
    assert lines[-1].startswith("Ctrl-C")
    assert "last hand" in " ".join(lines)


@pytest.mark.parametrize(
    ("width", "height", "columns", "rows"),
    [
        (34, 5, 34, 5),
        (67, 9, 34, 5),
        (68, 10, 68, 10),
        (102, 50, 102, 15),
        (33, 5, 17, 5),
        (17, 5, 17, 5),
        (16, 5, 5, 1),
    ],
    ids=str,
)
def test_digits_are_as_large_as_fit_and_twice_as_wide_as_high(width: int, height: int, columns: int, rows: int) -> None:
    """12:34 has 4 × 3 pixels, one for the colon and 4 gaps: 17 by 5 pixels, each of 2 by 1 characters or a multiple."""
    lines = large("12:34", Screen(width, height))
    assert (max(map(len, lines)), len(lines)) == (columns, rows)


def test_digits_can_be_told_apart() -> None:
    digits = {large(digit, Screen(6, 5, "#")) for digit in "0123456789"}
    assert len(digits) == 10
    assert large("7", Screen(6, 5, "#")) == ("######", *("    ##",) * 4)


def test_many_tables_are_listed_by_their_numbers(db: str) -> None:
    """Forty tables do not fit a screen of 15 lines: the numbers stand in few lines, the last of which ends in …."""
    (round_,) = rounds.show(db).rounds
    many = countdown(rounds.show(db), EIGHT)
    lines = [many.tables[0]._replace(number=number) for number in range(1, 41)]
    text = "\n".join(screen_text(replace(many, tables=tuple(lines)), 50, 15))
    assert "1, 2, 3, 4, 5" in text
    assert "…" in text
    assert round_.tables[0].players[0].name not in text


class Evening:
    """A time that moves on by a step at each look, and things that happen at some looks; then comes Ctrl-C."""

    def __init__(self, start: datetime, step: timedelta, *happenings: object) -> None:
        self.now, self._step, self._happenings = start, step, iter(happenings)

    def wait(self, _seconds: float) -> None:
        happening = next(self._happenings, KeyboardInterrupt)
        if happening is KeyboardInterrupt:
            raise KeyboardInterrupt
        if callable(happening):
            happening()
        self.now += self._step

    def watched(self, db: str, number: int | None = None) -> str:
        """Return what a terminal shows while the round is watched."""
        stream = KeptTerminal()
        display.watch(WatchedRound(db, None, number), stream, display.Time(lambda: self.now, self.wait))
        return stream.getvalue()


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("LINES", "40")


def test_the_bell_rings_once_when_the_time_expires(db: str) -> None:
    """Three seconds before the end it is silent, at the end it rings, afterwards it is silent again."""
    end = EIGHT + timedelta(minutes=25)
    assert Evening(end - 3 * ONE_SECOND, ONE_SECOND, *"12").watched(db).count("\a") == 0
    assert Evening(end - 3 * ONE_SECOND, ONE_SECOND, *"123456").watched(db).count("\a") == 1
    assert Evening(end, ONE_SECOND, *"123").watched(db).count("\a") == 0


def test_more_time_given_after_the_end_rings_again(db: str) -> None:
    """The clock of 25 minutes gets one more minute three seconds after its end."""
    longer = partial(apply, db, ChangeClock(None, "set", minutes=26))
    evening = Evening(EIGHT + timedelta(minutes=25, seconds=-2), ONE_SECOND, *"1234", longer, *range(60))
    assert evening.watched(db).count("\a") == 2


def test_the_new_round_is_shown_unless_one_is_named(db: str) -> None:
    assert "Friday, round 2" in Evening(EIGHT, ONE_SECOND, partial(apply, db, DrawRound()), "").watched(db)


def test_a_named_round_stays(db: str) -> None:
    apply(db, DrawRound())
    shown = Evening(EIGHT, ONE_SECOND, "").watched(db, 1)
    assert "Friday, round 1" in shown
    assert "Friday, round 2" not in shown


def test_an_unchanged_screen_is_not_drawn_again(db: str) -> None:
    """Eight looks in one second draw once; nothing on the screen is finer than seconds."""
    shown = Evening(EIGHT + timedelta(milliseconds=100), timedelta(milliseconds=100), *range(7)).watched(db)
    assert shown.count("ends at") == 1


def test_the_database_is_read_again_only_after_a_write(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute of looks reads once per look while a write settles, then never, and again after the next write."""
    watched, reads = WatchedRound(db, None, None), []
    read = WatchedRound._read
    monkeypatch.setattr(WatchedRound, "_read", lambda self: (reads.append(1), read(self)))
    for second in range(60):
        watched.look(EIGHT + second * ONE_SECOND)
    assert len(reads) == SETTLING.seconds
    enter(db, 1)
    assert (1, 1) in watched.look(EIGHT + timedelta(minutes=2)).done


def test_what_cannot_be_read_is_said_and_the_clock_goes_on(db: str) -> None:
    """The database is renamed while it is watched, then it is there again."""
    watched = WatchedRound(db, None, None)
    before = watched.look(EIGHT)
    file = Path(db).rename(f"{db}.gone")
    assert watched.look(EIGHT + timedelta(minutes=1)) == before
    assert "there is no database" in countdown(before, EIGHT, watched.fault).note
    file.rename(db)
    watched.look(EIGHT + timedelta(minutes=2))
    assert watched.fault == ""


REFUSALS = {
    "without a terminal": (("--watch",), "--watch needs a terminal", "`tourney round clock`"),
    "with --json": (("--watch", "--json"), "--watch goes with none of", "alone"),
    "with --dry-run": (("--watch", "--start", "--dry-run"), "--watch goes with none of", "alone"),
    "with --stop": (("--watch", "--stop"), "--watch goes with none of", "alone"),
}


@pytest.mark.parametrize(("options", "message", "hint"), REFUSALS.values(), ids=REFUSALS)
def test_watching_is_refused_in_one_line(
    run: Runner, db: str, options: tuple[str, ...], message: str, hint: str
) -> None:
    before = Path(db).read_bytes()
    ran = run("round", "clock", *options, "--db", db)
    error, hinted, rest = ran.err.split("\n")
    assert (ran.code, ran.out, rest) == (ExitCode.USAGE, "", "")
    assert message in error
    assert hint in hinted
    assert Path(db).read_bytes() == before


@pytest.fixture
def terminal(db: str) -> Iterator[Terminal]:
    """A terminal in which a clock is started and watched."""
    apply(db, ChangeClock(None, "stop"))
    words = ("round", "clock", "--start", "--watch", "--minutes", "30", "--db", db)
    with Terminal(*words, TERM="xterm-256color", TZ="UTC") as terminal:
        yield terminal


def test_changes_of_other_desks_and_of_the_size_appear_and_ctrl_c_leaves_the_clock_running(
    db: str, terminal: Terminal
) -> None:
    """The terminal is given back as it was: the alternate screen (1049) is left, the cursor (25) is shown."""
    terminal.wait("\x1b[?1049h")
    terminal.wait("2 of 2 tables")
    enter(db, 1)
    terminal.wait("1 of 2 tables")
    clock = rounds.show(db).rounds[0].clock
    assert clock is not None
    begun = datetime.fromisoformat(clock.started)
    apply(db, ChangeClock(None, "set", minutes=int((datetime.now(UTC) - begun) / timedelta(minutes=1)) + 3))
    terminal.wait("3 minutes left")
    terminal.resize(50, 15)
    terminal.wait("\x1b[H" + " " * 50 + "\n")
    terminal.press(CTRL_C)
    assert terminal.code() == 0
    after = terminal.shown.rpartition("\x1b[?1049l")[2]
    assert "\x1b[?25h" in terminal.shown
    assert "round 1: 3 min left" in after
    assert "The clock keeps running" in after
    assert rounds.show(db).rounds[0].clock == Clock(clock.started, 3)


def test_a_terminal_that_is_closed_ends_the_display_only(db: str, terminal: Terminal) -> None:
    terminal.wait("2 of 2 tables")
    terminal.signal(signal.SIGHUP)
    assert terminal.code() == 0
    assert rounds.show(db).rounds[0].clock is not None
