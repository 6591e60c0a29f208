"""Advice: every option counted again from a plan of it, the order of worth by cases, and how long games last."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.rules import RulesRef
from tourney.seating.advice import Advice, Question, advise
from tourney.seating.plan import plan
from tourney.service.change import apply
from tourney.service.results.results import EnterResult
from tourney.service.rounds.rounds import ChangeClock, DrawRound
from tourney.service.seating.advice import GameLength, game_length_of

EIGHT = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
TWELVE = tuple(12 * size for size in range(9))
"""Rounds of twelve minutes for each player at the table."""


def asked(players: int, rounds: int, most: int = 4, **more: object) -> Advice:
    advice = advise(replace(Question(players, rounds, 4, 2, most), **more))
    assert advice is not None
    return advice


@pytest.mark.parametrize(("players", "rounds", "most"), [(22, 5, 4), (9, 3, 4), (5, 4, 4), (2, 2, 4)])
def test_every_option_is_what_an_event_of_that_size_would_have(players: int, rounds: int, most: int) -> None:
    """Count byes and smaller tables from a plan with another seed."""
    advice = asked(players, rounds, most, minutes=TWELVE)
    assert len({option.sizes for option in advice.options}) == len(advice.options)
    for option in (*advice.options, *advice.around):
        seating = plan(players, option.size, option.rounds, "other", remainder=option.remainder, aim="no third meeting")
        tables = [table for one in seating.rounds for table in one]
        largest = max(map(len, tables))
        assert sorted(option.sizes) == sorted(map(len, seating.rounds[0]))
        assert option.byes == sum(map(len, seating.sitting_out))
        assert option.shorts == sum(len(table) for table in tables if len(table) < largest)
        assert option.twos == sum(len(table) for table in tables if len(table) == 2)
        assert option.minutes == option.rounds * 12 * largest
    assert {option.rounds for option in advice.options} == {rounds}


CHOSEN = [
    # players, rounds, most at a table, the tables chosen, and why
    (22, 5, 4, (4, 4, 4, 4, 3, 3), "nobody sits out, no tables of two"),
    (24, 6, 8, (4,) * 6, "no repeats with fours, and four is wished"),
    (9, 3, 4, (3, 3, 3), "fours would leave one out"),
    (8, 3, 4, (4, 4), "threes would make a table of two"),
    (12, 5, 4, (3, 3, 3, 3), "with fours everybody has 15 meetings with 11 others, with threes 10"),
    (15, 5, 4, (4, 4, 4, 3), "less than one repeat a player is put up with"),
    (5, 4, 4, (3, 2), "better a table of two than somebody out"),
    (3, 2, 4, (3,), "they fit one table"),
    (2, 2, 4, (2,), "there are no more"),
]


@pytest.mark.parametrize(("players", "rounds", "most", "sizes", "why"), CHOSEN, ids=lambda value: str(value))
def test_the_tables_chosen_are_the_best_by_what_counts_first(
    players: int, rounds: int, most: int, sizes: tuple[int, ...], why: str
) -> None:
    assert asked(players, rounds, most).chosen.sizes == sizes, why


def test_each_drawback_is_the_gravest_beside_the_chosen_tables() -> None:
    """22 players in fours and threes: other options have tables of two, or byes; 30 at larger tables have repeats."""
    few = asked(22, 5)
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
    many = asked(30, 5, 6)
    drawbacks = {option.sizes: drawback for option, drawback in zip(many.options, many.drawbacks, strict=True)}
    assert drawbacks[6, 6, 6, 6, 6] == "more repeats"
    assert drawbacks[(3,) * 10] == "another size"


def test_rounds_that_do_not_fit_are_not_advised() -> None:
    """Rounds of four last 48 minutes: six of eight fit into 300, and of three 36: all eight."""
    advice = asked(40, 8, minutes=TWELVE, limit=300)
    assert (advice.chosen.sizes, advice.chosen.rounds) == ((4,) * 10, 6)
    assert {option.size: option.rounds for option in advice.options if option.remainder == "short tables"} == {
        4: 6, 3: 8, 2: 8
    }  # fmt: skip
    assert {option.rounds for option in advice.around} == {4, 5}
    assert advise(Question(40, 8, 4, 2, 4, TWELVE, limit=20)) is None


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An event of four people over five rounds, the first four of which had a clock of 60 minutes.

    Their sheets came after 42, 56, 70 and 500 minutes, the fifth without a clock.
    """
    db = str(tmp_path / "club.db")
    desk.event(db, 4, rounds=5, minutes=60)
    for minutes in (42, 56, 70, 500, 7):
        drawn = apply(db, DrawRound()).rounds[0]
        if minutes != 7:
            apply(db, ChangeClock(None, "start", now=EIGHT))
        names = [player.name for player in drawn.tables[0].players]
        entered = (EIGHT + timedelta(minutes=minutes)).isoformat(timespec="microseconds").replace("+00:00", "Z")
        with monkeypatch.context() as patched:
            patched.setattr("tourney.storage.write.utc_now", lambda entered=entered: entered)
            apply(db, EnterResult(None, drawn.number, 1, desk.hands(names)))
    return db


def test_games_last_as_long_as_the_middle_one_of_those_timed_here(db: str) -> None:
    """56 minutes for four players: 14 for each. The sheet after 500 minutes was entered at home."""
    assert game_length_of(db, RulesRef("oficial")) == GameLength(pytest.approx(14), 3)


def test_where_nothing_was_timed_the_number_is_the_encyclopedia_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """35 to 60 minutes for four: 47.5 in the middle; a knock game has no number of hands, and nobody says."""
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "none.db"))
    assert game_length_of(None, RulesRef("oficial")) == GameLength(pytest.approx(47.5 / 4))
    assert game_length_of(None, RulesRef("knock")) == GameLength(None)
    assert not list(tmp_path.iterdir())


def test_games_of_the_other_family_say_nothing(db: str) -> None:
    assert game_length_of(db, RulesRef("knock")) == GameLength(None)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Runner:
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "none.db"))
    return Runner(capsys)


def test_the_promised_invocation_compares_and_chooses(run: Runner) -> None:
    data = run("seating", "advise", "--players", "22", "--rounds", "5", "--rules", "oficial", "--json").json
    assert data["chosen"]["sizes"] == [4, 4, 4, 4, 3, 3]
    assert (data["chosen"]["repeats"], data["chosen"]["sitting_out"], data["chosen"]["short_turns"]) == (0, 0, 30)
    assert data["chosen"]["minutes"] == pytest.approx(5 * 47.5)
    assert [option["rounds"] for option in data["rounds"]] == [3, 4, 6, 7]
    assert (data["minutes_per_player"], data["tables_timed"]) == (pytest.approx(47.5 / 4), 0)


def test_people_see_what_to_choose_and_what_to_type(run: Runner) -> None:
    output = run("seating", "advise", "--players", "22").out
    assert max(map(len, output.splitlines())) <= 80
    assert output.startswith("22 players, oficial: tables 4 of 4, 2 of 3; 5 rounds\n")
    assert "chosen" in output
    assert "es.wikipedia" in output
    assert "`tourney event new NAME --rules oficial --rounds 5 --size 4` creates this event." in output


def test_the_command_that_it_gives_makes_those_tables(run: Runner, tmp_path: Path) -> None:
    """Ten people at full tables of four: two byes in turn, as in the event then created."""
    db = str(tmp_path / "event.db")
    line = run("seating", "advise", "--players", "10", "--size", "4", "--rules", "oficial").out.splitlines()[-1]
    words = line.split("`")[1].replace("NAME", "Friday").split()
    assert words[:3] == ["tourney", "event", "new"]
    assert run(*words[1:], "--db", db).code == 0
    names = [f"P{number}" for number in range(10)]
    assert run("event", "enter", "Friday", *names, "--add", "--db", db).code == 0
    drawn = run("round", "draw", "Friday", "--db", db, "--json").json
    chosen = run("seating", "advise", "--players", "10", "--json").json["chosen"]["sizes"]
    assert sorted(len(table) for table in drawn["rounds"][0]) == sorted(chosen)


def test_csv_has_a_row_for_every_way(run: Runner) -> None:
    lines = run("seating", "advise", "--players", "22", "--format", "csv").out.splitlines()
    assert lines[0] == "tables,rounds,repeats,short_turns,sitting_out,hours,remark"
    assert lines[1].startswith('"4 of 4, 2 of 3",5,0,30,0,')
    assert len(lines) == 1 + 5 + 4


REFUSED = {
    "nobody": (("--players", "0"), ExitCode.REFUSED, "0 players"),
    "a million": (("--players", "1000000"), ExitCode.REFUSED, "2 to 2000"),
    "nobody said": ((), ExitCode.USAGE, "--players"),
    "no rounds": (("--players", "8", "--rounds", "0"), ExitCode.REFUSED, "1 to 100"),
    "unknown rules": (("--players", "8", "--rules", "oficail"), ExitCode.NOT_FOUND, "oficial"),
    "a size that the rules do not have": (("--players", "8", "--size", "5"), ExitCode.REFUSED, "2 to 4"),
    "no time": (("--players", "8", "--hours", "0"), ExitCode.REFUSED, "above 0"),
    "time that is none": (("--players", "8", "--hours", "nan"), ExitCode.REFUSED, "above 0"),
    "too little time": (("--players", "8", "--hours", "0.1"), ExitCode.REFUSED, "not one round fits into 0.1 hours"),
    "a game of unknown length": (
        ("--players", "8", "--rules", "knock", "--hours", "3"),
        ExitCode.REFUSED,
        "--minutes",
    ),
    "no such database": (("--players", "8", "--db", "nowhere.db"), ExitCode.NOT_FOUND, "nowhere.db"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_advised_is_refused_in_one_line(run: Runner, case: str) -> None:
    words, code, says = REFUSED[case]
    result = run("seating", "advise", *words)
    assert (result.code, result.out) == (code, "")
    error, hint, rest = result.err.split("\n")
    assert error.startswith("error: ")
    assert hint.startswith("hint: ")
    assert says in result.err
    assert rest == ""


def test_a_time_limit_says_how_long_a_round_lasts(run: Runner) -> None:
    """Five rounds of half an hour take 150 minutes; into two hours go four."""
    words = ("seating", "advise", "--players", "22", "--minutes", "30", "--json")
    assert run(*words).json["chosen"]["minutes"] == 150
    chosen = run(*words, "--hours", "2").json["chosen"]
    assert (chosen["sizes"], chosen["rounds"], chosen["minutes"]) == ([4, 4, 4, 4, 3, 3], 4, 120)
