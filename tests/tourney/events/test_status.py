"""Tests of `tourney status`: what it says of each state of an evening, and that every command it suggests runs."""

import shlex
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.slow import slow
from tourney.cli.framework import questions
from tourney.cli.results import prompts
from tourney.cli.results.prompts import GivenSheet
from tourney.domain.errors import ExitCode
from tourney.domain.events import EventSettings
from tourney.reports.render.page import page_text
from tourney.reports.status import status as report
from tourney.service import database
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.attendance import CheckInPlayers, WithdrawPlayers
from tourney.service.events.constraints import ConstrainSeating
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent, UseEvent
from tourney.service.events.status import status
from tourney.service.players import RegisterPlayers
from tourney.service.results.entry import KeepPartialSheet
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound

NOW = datetime(2026, 11, 27, 20, 0, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    # Some of the commands that come next write a file.
    monkeypatch.chdir(tmp_path)
    return str(tmp_path / "club.db")


def enter_all(db: str, event: str | None = None, at_most: int = 100) -> None:
    """Enter a sheet for the first tables without a result of the newest round."""
    schedule = rounds.show(db, event, "newest")
    for drawn in schedule.rounds:
        waiting = [table for table in drawn.tables if (table.round, table.number) not in schedule.done]
        for table in waiting[:at_most]:
            sheet = desk.hands([player.shown for player in table.players])
            apply(db, EnterResult(event, table.round, table.number, sheet))


def commands(db: str, event: str | None = None) -> list[str]:
    """Return the commands that come next, without the name of the program and the database."""
    return [" ".join(each.words[1:-2]) for each in status(db, event, NOW).next]


# --- each state of an evening, and what comes next --------------------------------------------------------


def nobody(db: str) -> None:
    apply(db, RegisterPlayers(["Ana"]))
    apply(db, Undo())


def no_event(db: str) -> None:
    apply(db, RegisterPlayers(["Ana", "Beñat"]))


def no_current_event(db: str) -> None:
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    apply(db, CreateEvent(EventSettings("Friday 27", "oficial")))


def two_finished(db: str) -> None:
    for name in ("Friday 13", "Friday 20"):
        apply(db, CreateEvent(EventSettings(name, "oficial")))
        apply(db, FinishEvent(name, incomplete=True))


def no_entrant(db: str) -> None:
    desk.event(db, 4)
    apply(db, CreateEvent(EventSettings("Saturday", "oficial")))
    apply(db, UseEvent("Saturday"))


def nobody_to_enter(db: str) -> None:
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))


def not_checked_in(db: str) -> None:
    desk.event(db, 8, checkin="required")


def two_not_checked_in(db: str) -> None:
    desk.event(db, 8, checkin="required")
    apply(db, CheckInPlayers(None, desk.NAMES[:6]))


def ready(db: str) -> None:
    desk.event(db, 8)


def never_at_two_tables(db: str) -> None:
    """Nobody of three shares a table with another of them; after three of eight have left there are two tables."""
    desk.event(db, 8, size=3)
    apply(db, ConstrainSeating(None, never=("Ana,Beñat,Carmen", "Ana,Diego")))
    apply(db, WithdrawPlayers(None, desk.NAMES[5:8]))


def by_hand(db: str) -> None:
    desk.event(db, 8, format="manual")


def drawn(db: str) -> None:
    desk.event(db, 8, minutes=60)
    apply(db, DrawRound())


def clock_runs(db: str) -> None:
    drawn(db)
    apply(db, ChangeClock(None, "start", now=NOW - timedelta(minutes=35)))


def one_missing(db: str) -> None:
    clock_runs(db)
    enter_all(db, at_most=1)
    apply(db, KeepPartialSheet(None, 1, 2, desk.hands(seated(db, 1, 2))[:2]))


def seated(db: str, round_number: int, table: int) -> list[str]:
    found = rounds.show(db, None, round_number).rounds[0].tables[table - 1]
    return [player.shown for player in found.players]


def two_rounds_missing(db: str) -> None:
    drawn(db)
    enter_all(db, at_most=1)
    apply(db, DrawRound())


def three_gone(db: str) -> None:
    drawn(db)
    apply(db, WithdrawPlayers(None, seated(db, 1, 2)[:3]))


def all_in(db: str) -> None:
    desk.event(db, 8, rounds=2)
    apply(db, DrawRound())
    enter_all(db)


def all_but_one_gone(db: str) -> None:
    all_in(db)
    apply(db, WithdrawPlayers(None, desk.NAMES[1:]))


def last_round_in(db: str) -> None:
    all_in(db)
    apply(db, DrawRound())
    enter_all(db)


def finished(db: str) -> None:
    last_round_in(db)
    apply(db, FinishEvent())


def two_played(db: str) -> None:
    """Nothing is open; of the events that were played Sunday is the newest."""
    finished(db)
    _play_sunday(db)


def finished_sunday(db: str) -> None:
    apply(db, RegisterPlayers(desk.NAMES))
    _play_sunday(db)


def _play_sunday(db: str) -> None:
    apply(db, CreateEvent(EventSettings("Sunday", "oficial", rounds=1)))
    apply(db, EnterPlayers("Sunday", desk.NAMES[4:]))
    apply(db, DrawRound("Sunday"))
    enter_all(db, "Sunday")
    apply(db, FinishEvent("Sunday"))


def bots(db: str) -> None:
    desk.event(db, 0, "greedy:4")
    apply(db, DrawRound())


CERTIFICATES = "print certificates --output certificates-2026-11-27.html"
FIRST_TWO = ["result enter --round 1 --table 1", "result enter --round 1 --table 2"]
STATES: dict[Callable[[str], None], list[str]] = {
    nobody: ["player add Ana Beñat Carmen Diego", "event new 2026-11-27", "player list"],
    no_event: ["event new 2026-11-27", "player list"],
    no_current_event: ["event use Friday 27", "event use Friday", "event new 2026-11-27"],
    two_finished: ["event new 2026-11-27 --from Friday 20", "event new 2026-11-27", "player list"],
    no_entrant: ["event enter --all", "player list"],
    nobody_to_enter: ["event enter Ana Beñat Carmen Diego --add"],
    not_checked_in: ["event checkin --all"],
    two_not_checked_in: ["event checkin Gloria Hugo", "event withdraw Gloria Hugo --no-show", "round draw"],
    ready: ["round draw", "event show"],
    never_at_two_tables: ["event constrain --remove Ana,Beñat,Carmen", "event show"],
    by_hand: ["event show"],
    drawn: ["round clock --start", *FIRST_TWO],
    clock_runs: [*FIRST_TWO, "round show --by name"],
    one_missing: ["result enter --round 1 --table 2", "standings"],
    two_rounds_missing: ["round clock --start", "result enter --round 1 --table 2", "result enter --round 2 --table 1"],
    three_gone: ["round dissolve --table 2", "round clock --start", "result enter --round 1 --table 1"],
    all_in: ["round draw", "standings"],
    all_but_one_gone: ["event return Beñat Carmen Diego Elena", "event finish --anyway"],
    last_round_in: ["event finish", "standings"],
    finished: ["db backup", CERTIFICATES, "event new 2026-11-27 --from Friday"],
    two_played: [
        "event new 2026-11-27 --from Sunday",
        "print certificates Sunday --output certificates-2026-11-27.html",
        "event new 2026-11-27",
    ],
    bots: ["round play", "round show --by name", "standings"],
}
"""The commands that come next in each state: written down from the issue, not taken from the program."""


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Type a sheet wherever the program would ask for one."""

    def type_sheet(db: str, event: str | None, round_number: int, table: int, *_: object) -> GivenSheet:
        tables = rounds.show(db, event, round_number).rounds[0].tables
        (players,) = (each.players for each in tables if each.number == table)
        hands = tuple(desk.hands([player.shown for player in players]))
        return GivenSheet((event, round_number, table), hands, "whole", None)

    monkeypatch.setattr(questions, "possible", lambda: True)
    monkeypatch.setattr(prompts, "typed_sheet", type_sheet)


@pytest.mark.usefixtures("typed")
def test_the_suggestions_for_an_event_whose_name_looks_like_an_option_run(path: str, run: Runner) -> None:
    """The event -x is named by `--event=-x` while it is not the current one, and by `--from=-x` when it is over."""
    desk.event(path, 8, name="-x", rounds=1)
    apply(path, CreateEvent(EventSettings("Friday", "oficial")))
    assert run("status", "--db", path).out.count("event use --event=-x") == 1
    apply(path, UseEvent("Friday"))
    for expected in (
        ["round draw --event=-x", "event show --event=-x"],
        ["result enter --event=-x --round 1 --table 1", "result enter --event=-x --round 1 --table 2"],
        ["result enter --event=-x --round 1 --table 2", "standings --event=-x"],
        ["event finish --event=-x", "standings --event=-x"],
        [
            "db backup",
            "print certificates --event=-x --output certificates-2026-11-27.html",
            "event new 2026-11-27 --from=-x",
        ],
    ):
        steps = commands(path, "-x")
        assert [step for step in steps if not step.startswith("round show")] == expected
        assert run(*shlex.split(steps[0]), "--db", path).code == 0
    for step in steps:
        assert run(*shlex.split(step), "--db", path).code == 0


FOLLOWED = (no_event, not_checked_in, ready, clock_runs, all_in, last_round_in, bots)
"""States that the evening below goes through, or that differ little from another."""


@pytest.mark.usefixtures("typed")
@pytest.mark.parametrize(
    "state",
    [*(state for state in STATES if state not in FOLLOWED), *slow(FOLLOWED)],
    ids=lambda state: state.__name__,
)
def test_each_state_of_an_evening_has_its_next_commands_and_they_run(
    run: Runner, path: str, state: Callable[[str], None]
) -> None:
    state(path)
    assert commands(path) == STATES[state]
    for number, step in enumerate(run("status", "--db", path, "--json").json["next"]):
        copy = shutil.copy(path, f"{path}-{number}")
        words = shlex.split(step["command"].replace(path, copy))
        ran = run(*words[1:])
        assert ran.code == 0, (step["command"], ran.err)


@pytest.mark.usefixtures("typed")
def test_an_evening_can_be_run_by_following_the_suggestions_alone(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the commands that come next the first that changes anything is given, from the first player to next week."""
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "club.db"))
    monkeypatch.chdir(tmp_path)
    apply(None, RegisterPlayers(desk.NAMES[:4]))
    given: list[str] = []
    while not (given and given[-1].endswith("--from " + given[0].split()[-1])) and len(given) < 30:
        steps = [step["command"].removeprefix("tourney ") for step in run("status", "--json").json["next"]]
        reading = ("standings", "event show", "player list", *given[-1:])
        changing = next(step for step in steps if not step.startswith(reading))
        assert run(*shlex.split(changing)).code == 0, changing
        given.append(changing)
    today = given[0].split()[-1]
    rounds_played = [
        line for number in range(1, 4) for line in ("round draw", f"result enter --round {number} --table 1")
    ]
    assert given == [
        f"event new {today}",
        "event enter --all",
        *rounds_played,
        "event finish",
        "db backup",
        f"print certificates --output certificates-{today}.html",
        f"event new {today}-2 --from {today}",
    ]


# --- what it says ------------------------------------------------------------------------------------------


def page(db: str, event: str | None = None, now: datetime = NOW) -> str:
    """Return the page as a pipe gets it, without the lines that suggest a command."""
    shown = page_text(report(status(db, event, now), now)).splitlines()
    return "\n".join(line for line in shown if "`" not in line) + "\n"


@pytest.mark.parametrize("state", [finished_sunday, two_played], ids=lambda state: state.__name__)
def test_after_the_end_a_page_names_who_has_won_with_the_headings_of_the_standings(
    path: str, run: Runner, state: Callable[[str], None]
) -> None:
    """Over the sheet's seven hands seat 1 has five times 20 points, the next five times 30, the third five times 40."""
    state(path)
    tables = rounds.show(path, "Sunday", 1).rounds[0].tables[0]
    first, second, third, _last = (player.shown for player in tables.players)
    lines = page(path).splitlines()
    named = "Sunday: " if state is two_played else ""
    assert lines[0] == ("No event is open" if state is two_played else "Sunday: finished")
    assert lines[2] == f"{named}The winner is {first}."
    assert [line.split() for line in lines[3:7]] == [
        ["Rank", "Player", "Points"],
        ["1", first, "100"],
        ["2", second, "150"],
        ["3", third, "200"],
    ]
    data = run("status", "--db", path, "--json").json
    assert [(row["rank"], row["player"], row["score"]) for row in data["first"]] == [
        (1, first, 100),
        (2, second, 150),
        (3, third, 200),
    ]
    assert data["last"] == ("Sunday" if state is two_played else None)


def test_a_page_has_the_time_left_the_open_tables_and_the_partial_sheets(path: str) -> None:
    """The clock began 35 minutes ago and runs for 60, so 25 are left and a table has waited for 35."""
    one_missing(path)
    text = page(path)
    assert text.startswith("Friday: round 1 of 3\n\n1 table without a result\n")
    assert text.splitlines()[3].split() == ["Round", "Table", "Waiting", "Partial", "sheet", "Players"]
    assert text.splitlines()[4].split(maxsplit=6) == ["1", "2", "35", "min", "TT", "TE", ", ".join(seated(path, 1, 2))]
    assert "\n25 min left: the round ends at 20:25.\n" in text
    assert "\n8 players are here, of 8 entered.\n" in text
    assert "The time has been up since 20:25." in page(path, now=NOW + timedelta(minutes=26))


def test_the_time_that_a_table_waits_is_in_minutes_hours_or_days(path: str) -> None:
    clock_runs(path)
    cases = {0: "0 min", 119: "119 min", 120: "2 h", 47 * 60 + 59: "47 h", 48 * 60: "2 days"}
    for minutes, shown in cases.items():
        assert f" {shown}  " in page(path, now=NOW + timedelta(minutes=minutes - 35))


def test_a_page_names_who_does_not_play(path: str) -> None:
    """Five play at a table of four, so one sits out; Félix has left, Gloria never came, Hugo and Irene came late.

    Nine were entered: the three who are missing are named.
    """
    desk.event(path, 8, size=4, short="sit out", checkin="required")
    apply(path, CheckInPlayers(None, desk.NAMES[:5]))
    apply(path, DrawRound())
    apply(path, WithdrawPlayers(None, ["Félix"]))
    apply(path, WithdrawPlayers(None, ["Gloria"], absence="no-show"))
    apply(path, CheckInPlayers(None, ["Hugo"]))
    (out,) = rounds.show(path, None, 1).rounds[0].sitting_out
    apply(path, EnterPlayers(None, ["Irene"], add=True))
    text = page(path)
    for line in (
        "6 players are here, of 9 entered.",
        "Not checked in: Irene.",
        "Withdrawn: Félix.",
        "No-show: Gloria.",
        f"Sitting out this round: {out.shown}.",
        "Playing from the next round: Hugo.",
    ):
        assert f"\n{line}\n" in text


def test_changes_are_counted_since_the_last_backup(path: str) -> None:
    """The register, the event and its players are three changes; the backup has them, and a fourth comes after."""
    ready(path)
    assert (status(path).changes, "There is no backup yet." in page(path)) == (3, True)
    database.backup(path)
    assert status(path).changes == 0
    apply(path, DrawRound())
    assert "\n1 change since the last backup, of 20" in page(path)


def test_who_never_came_leaves_the_table_first_and_who_left_may_play_the_round_to_its_end(path: str) -> None:
    """Tables need two players at least, so that one or two of four may go."""
    clock_runs(path)
    names = seated(path, 1, 2)
    apply(path, WithdrawPlayers(None, names[:1]))
    assert commands(path)[:2] == ["result enter --round 1 --table 1", f"round move {names[0]} --out"]
    apply(path, WithdrawPlayers(None, names[1:2], absence="no-show"))
    assert commands(path)[0] == f"round move {names[1]} --out"


def test_commands_about_another_event_name_it_in_quotes(run: Runner, path: str) -> None:
    drawn(path)
    apply(path, CreateEvent(EventSettings("Friday 20", "oficial")))
    apply(path, UseEvent("Friday"))
    steps = run("status", "Friday 20", "--db", path, "--json").json["next"]
    assert steps[0]["command"] == f'tourney event enter "Friday 20" --all --db {path}'
    assert run(*shlex.split(steps[0]["command"])[1:]).code == 0


def test_a_player_whose_name_is_that_of_an_event_is_named_by_number(path: str) -> None:
    """`event withdraw Friday` would name the event; 8 is the last of eight entrants."""
    desk.event(path, 7, checkin="required")
    apply(path, EnterPlayers(None, ["Friday"], add=True))
    apply(path, CheckInPlayers(None, desk.NAMES[:7]))
    assert commands(path)[:2] == ["event checkin 8", "event withdraw 8 --no-show"]


def test_a_draft_has_no_clock_and_is_published_first(path: str) -> None:
    desk.event(path, 8, minutes=60)
    apply(path, DrawRound(draft=True))
    found = status(path)
    assert [command.words[1:3] for command in found.next][:2] == [("round", "publish"), ("result", "enter")]
    assert not any("clock" in line for line in report(found).lines)


def test_json_has_the_documented_keys_and_values(run: Runner, path: str) -> None:
    one_missing(path)
    data = run("status", "--db", path, "--json").json
    since = "2026-11-27T19:25:00Z"
    assert {key: data[key] for key in ("event", "state", "rounds", "drawn", "clock", "backup", "tables")} == {
        "event": "Friday",
        "state": "open",
        "rounds": 3,
        "drawn": 1,
        "clock": {"started": since, "minutes": 60},
        "backup": None,
        "tables": [
            {
                "round": 1,
                "table": 2,
                "players": seated(path, 1, 2),
                "gone": [],
                "since": since,
                "hands": ["TT", "TE"],
            }
        ],
    }
    assert set(data["missing"]) == {"not_checked_in", "withdrawn", "no_show", "sitting_out", "from_next_round"}
    assert set(data["next"][0]) == {"command", "words", "why"}


def test_without_a_database_status_says_how_to_begin(run: Runner, path: str) -> None:
    refused = run("status", "--db", path)
    assert (refused.code, "tourney event new NAME" in refused.err) == (ExitCode.NOT_FOUND, True)


def test_tourney_alone_shows_the_help_in_a_pipe(run: Runner, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ready(path)
    monkeypatch.setenv("TOURNEY_DB", path)
    assert run().out == run("-h").out


if sys.platform != "win32":
    from tests.harness.terminal import Terminal

    def test_tourney_alone_at_a_terminal_shows_the_status_if_there_is_a_database(path: str) -> None:
        for text, prepare in (("Start here:", lambda _db: None), ("Draw round 1: `tourney round draw`", ready)):
            prepare(path)
            with Terminal(TOURNEY_DB=path) as terminal:
                assert terminal.code() == 0
            assert text in terminal.shown

    def test_tourney_alone_with_a_damaged_database_is_refused_in_two_lines(path: str) -> None:
        Path(path).write_bytes(b"no database at all, but long enough to be read as one" * 20)
        with Terminal(TOURNEY_DB=path) as terminal:
            assert terminal.code() == ExitCode.STORAGE
        assert terminal.shown.startswith("error: ")
        assert "Traceback" not in terminal.shown
