"""Tests of seating advice: options recounted from plans, the choice among them by cases, and the length of games."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.slow import slow
from tourney.domain.errors import ExitCode
from tourney.domain.rules import RulesRef
from tourney.seating.advice import Advice, SizeQuestion, advise
from tourney.seating.plan import PlanWish, plan
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds.clock import ChangeClock
from tourney.service.rounds.draw_round import DrawRound
from tourney.service.seating.advice import GameLength, game_length_of

EIGHT = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("new_db")
TWELVE = tuple(12 * size for size in range(9))
"""The minutes of a round by size of table: twelve for each player."""


def advice_for(players: int, rounds: int, most: int = 4, **fields: object) -> Advice:
    """Return the advice for tables of 2 to `most` players, preferably four; `fields` are further ones of Question."""
    advice = advise(replace(SizeQuestion(players, rounds, 4, 2, most), **fields))
    assert advice is not None
    return advice


@pytest.mark.parametrize(("players", "rounds", "most"), [(9, 3, 4), (2, 2, 4), *slow([(22, 5, 4), (5, 4, 4)])])
def test_every_option_has_the_figures_of_a_plan(players: int, rounds: int, most: int) -> None:
    """Count byes and smaller tables from a plan with another seed."""
    advice = advice_for(players, rounds, most, minutes=TWELVE)
    assert len({option.sizes for option in advice.options}) == len(advice.options)
    for option in (*advice.options, *advice.around):
        seating = plan(
            players, option.size, option.rounds, "other", PlanWish(remainder=option.remainder, aim="no third meeting")
        )
        tables = [table for tables in seating.rounds for table in tables]
        largest = max(map(len, tables))
        assert sorted(option.sizes) == sorted(map(len, seating.rounds[0]))
        assert option.byes == sum(map(len, seating.sitting_out))
        assert option.shorts == sum(len(table) for table in tables if len(table) < largest)
        assert option.twos == sum(len(table) for table in tables if len(table) == 2)
        assert option.minutes == option.rounds * 12 * largest
    assert {option.rounds for option in advice.options} == {rounds}


CHOSEN = [
    # players, rounds, largest table, chosen tables, reason
    (22, 5, 4, (4, 4, 4, 4, 3, 3), "no byes, no tables of two"),
    (24, 6, 8, (4,) * 6, "no repeats at tables of four, the preferred size"),
    (9, 3, 4, (3, 3, 3), "tables of four would give one a bye"),
    (8, 3, 4, (4, 4), "tables of three would leave a table of two"),
    (12, 5, 4, (3, 3, 3, 3), "at tables of four everybody has 15 meetings with 11 opponents, at tables of three 10"),
    (15, 5, 4, (4, 4, 4, 3), "less than one repeat per player is accepted"),
    (5, 4, 4, (3, 2), "a table of two is better than a bye"),
    (3, 2, 4, (3,), "all fit one table"),
    (2, 2, 4, (2,), "all fit one table of two"),
]


@pytest.mark.parametrize(("players", "rounds", "most", "sizes", "why"), CHOSEN, ids=lambda value: str(value))
def test_the_chosen_tables_follow_the_order_of_the_criteria(
    players: int, rounds: int, most: int, sizes: tuple[int, ...], why: str
) -> None:
    assert advice_for(players, rounds, most).chosen.sizes == sizes, why


def test_each_drawback_is_the_most_serious_compared_with_the_chosen_tables() -> None:
    """Options for 22 players have more tables of two or byes than the chosen one; for 30, repeats or another size."""
    few = advice_for(22, 5)
    named = {
        (option.size, option.remainder): drawback for option, drawback in zip(few.options, few.drawbacks, strict=True)
    }
    assert named == {
        (4, "short tables"): None,
        (3, "short tables"): "more tables of two",
        (2, "short tables"): "more tables of two",
        (3, "sit out"): "more sitting out",
        (4, "sit out"): "more sitting out",
    }
    many = advice_for(30, 5, 6)
    drawbacks = {option.sizes: drawback for option, drawback in zip(many.options, many.drawbacks, strict=True)}
    assert drawbacks[6, 6, 6, 6, 6] == "more repeats"
    assert drawbacks[(3,) * 10] == "another size"


def test_rounds_that_do_not_fit_into_the_time_are_not_advised() -> None:
    """Six rounds of 48 minutes at tables of four fit into 300 minutes, and all eight of 36 at tables of three."""
    advice = advice_for(40, 8, minutes=TWELVE, limit=300)
    assert (advice.chosen.sizes, advice.chosen.rounds) == ((4,) * 10, 6)
    assert {option.size: option.rounds for option in advice.options if option.remainder == "short tables"} == {
        4: 6, 3: 8, 2: 8
    }  # fmt: skip
    assert {option.rounds for option in advice.around} == {4, 5}
    assert advise(SizeQuestion(40, 8, 4, 2, 4, TWELVE, limit=20)) is None


@pytest.fixture
def db(new_db: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Play five rounds of four players, the first four of them with a clock of 60 minutes.

    Their results are entered after 42, 56, 70 and 500 minutes.
    """
    desk.event(new_db, 4, rounds=5, minutes=60)
    for minutes in (42, 56, 70, 500, 7):
        drawn = apply(new_db, DrawRound()).rounds[0]
        if minutes != 7:
            apply(new_db, ChangeClock(None, "start", now=EIGHT))
        names = [player.name for player in drawn.tables[0].players]
        entered = (EIGHT + timedelta(minutes=minutes)).isoformat(timespec="microseconds").replace("+00:00", "Z")
        with monkeypatch.context() as patched:
            patched.setattr("tourney.storage.nouns.writing.utc_now", lambda entered=entered: entered)
            apply(new_db, EnterResult(None, drawn.number, 1, desk.hands(names)))
    return new_db


def test_the_game_length_is_the_median_of_the_timed_games(db: str) -> None:
    """The median is 56 minutes for four players, 14 for each. The result after 500 minutes is left out."""
    assert game_length_of(db, RulesRef("oficial")) == GameLength(pytest.approx(14), 3)


def test_without_timed_games_the_length_is_that_of_the_encyclopedia(tmp_path: Path) -> None:
    """The encyclopedia gives 35 to 60 minutes for four players, 47.5 on average; knock games have no known length."""
    assert game_length_of(None, RulesRef("oficial")) == GameLength(pytest.approx(47.5 / 4))
    assert game_length_of(None, RulesRef("knock")) == GameLength(None)
    assert not list(tmp_path.iterdir())


def test_contract_games_give_no_length_for_knock_games(db: str) -> None:
    assert game_length_of(db, RulesRef("knock")) == GameLength(None)


def test_the_json_has_the_chosen_tables_and_other_numbers_of_rounds(run: Runner) -> None:
    data = run("seating", "advise", "--players", "22", "--rounds", "5", "--rules", "oficial", "--json").json
    assert data["chosen"]["sizes"] == [4, 4, 4, 4, 3, 3]
    assert (data["chosen"]["repeats"], data["chosen"]["sitting_out"], data["chosen"]["short_turns"]) == (0, 0, 30)
    assert data["chosen"]["minutes"] == pytest.approx(5 * 47.5)
    assert [option["rounds"] for option in data["rounds"]] == [3, 4, 6, 7]
    assert (data["minutes_per_player"], data["tables_timed"]) == (pytest.approx(47.5 / 4), 0)


def test_the_text_names_the_chosen_tables_and_the_command_for_them(run: Runner) -> None:
    output = run("seating", "advise", "--players", "22").out
    assert max(map(len, output.splitlines())) <= 80
    assert output.startswith("22 players, oficial: tables 4 of 4, 2 of 3; 5 rounds\n")
    assert "chosen" in output
    assert "es.wikipedia" in output
    command = f"tourney event new {datetime.now(UTC).astimezone():%Y-%m-%d} --rules oficial --rounds 5 --size 4"
    assert f"Create it: `{command}`" in output
    assert run(*command.split()[1:]).code == 0
    assert f"`{command.replace(' --rules', '-2 --rules')}`" in " ".join(
        run("seating", "advise", "--players", "22").out.split()
    )


def test_the_command_in_the_text_creates_an_event_with_the_chosen_tables(run: Runner, tmp_path: Path) -> None:
    """Run the printed command for ten players, draw a round and compare its tables with the JSON."""
    db = str(tmp_path / "event.db")
    line = run("seating", "advise", "--players", "10", "--size", "4", "--rules", "oficial").out.splitlines()[-1]
    words = line.split("`")[1].split()
    name = words[3]
    assert words[:3] == ["tourney", "event", "new"]
    assert run(*words[1:], "--db", db).code == 0
    names = [f"P{number}" for number in range(10)]
    assert run("event", "enter", name, *names, "--add", "--db", db).code == 0
    drawn = run("round", "draw", name, "--db", db, "--json").json
    chosen = run("seating", "advise", "--players", "10", "--json").json["chosen"]["sizes"]
    assert sorted(len(table) for table in drawn["rounds"][0]) == sorted(chosen)


def test_the_commands_that_come_after_a_new_event_can_be_pasted(run: Runner) -> None:
    run("player", "add", "Ana", "Beñat", "Carmen")
    pasted = [line.split("`")[1].split() for line in run("event", "new", "Friday").out.splitlines() if "`" in line]
    assert [words[1:3] for words in pasted] == [["event", "enter"], ["event", "enter"], ["seating", "advise"]]
    for words in pasted:
        assert run(*words[1:]).code == 0, words


def test_csv_has_a_row_for_every_option(run: Runner) -> None:
    lines = run("seating", "advise", "--players", "22", "--format", "csv").out.splitlines()
    assert lines[0] == "tables,rounds,repeats,short_turns,sitting_out,hours,remark"
    assert lines[1].startswith('"4 of 4, 2 of 3",5,0,30,0,')
    assert len(lines) == 1 + 5 + 4


REFUSED = {
    "no players": (("--players", "0"), ExitCode.REFUSED, "0 players"),
    "a million players": (("--players", "1000000"), ExitCode.REFUSED, "2 to 2000"),
    "players not given": ((), ExitCode.USAGE, "--players"),
    "no rounds": (("--players", "8", "--rounds", "0"), ExitCode.REFUSED, "1 to 100"),
    "unknown rules": (("--players", "8", "--rules", "oficail"), ExitCode.NOT_FOUND, "oficial"),
    "a size that the rules do not have": (("--players", "8", "--size", "5"), ExitCode.REFUSED, "2 to 4"),
    "no time": (("--players", "8", "--hours", "0"), ExitCode.REFUSED, "above 0"),
    "time that is no number": (("--players", "8", "--hours", "nan"), ExitCode.REFUSED, "above 0"),
    "too little time": (("--players", "8", "--hours", "0.1"), ExitCode.REFUSED, "not one round fits into 0.1 hours"),
    "a game of unknown length": (
        ("--players", "8", "--rules", "knock", "--hours", "3"),
        ExitCode.REFUSED,
        "--minutes",
    ),
    "no such database": (("--players", "8", "--db", "nowhere.db"), ExitCode.NOT_FOUND, "nowhere.db"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_impossible_question_is_refused_in_one_line(run: Runner, case: str) -> None:
    words, code, message = REFUSED[case]
    result = run("seating", "advise", *words)
    assert (result.code, result.out) == (code, "")
    error, hint, rest = result.err.split("\n")
    assert error.startswith("error: ")
    assert hint.startswith("hint: ")
    assert message in result.err
    assert rest == ""


def test_a_time_limit_reduces_the_rounds(run: Runner) -> None:
    """Five rounds of 30 minutes take 150 minutes; four of them fit into two hours."""
    words = ("seating", "advise", "--players", "22", "--minutes", "30", "--json")
    assert run(*words).json["chosen"]["minutes"] == 150
    chosen = run(*words, "--hours", "2").json["chosen"]
    assert (chosen["sizes"], chosen["rounds"], chosen["minutes"]) == ([4, 4, 4, 4, 3, 3], 4, 120)
