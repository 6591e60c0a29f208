"""`tourney league` at the command line: what programs read, what people read, and what is refused."""

import csv
import io
import math
import tomllib
from functools import partial
from pathlib import Path

import pytest
import trueskill

from tests.harness.commands import Here
from tests.harness.failing_bots import failing_bots
from tourney.domain.errors import ExitCode
from tourney.league import playing, workers

RUN = ("league", "run", "--bots", "greedy,random", "--rules", "oficial", "--seats", "2", "--blocks", "3", "--seed", "1")


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    return Here(capsys)


@pytest.fixture
def run(here: Here, tmp_path: Path):
    """Obeys a command line with a database of its own, one worker where one plays."""

    def obeyed(*words: str):
        plays = words[:2] in {("league", "run"), ("league", "resume"), ("league", "join")}
        return here(*words, *(("--workers", "1") if plays else ()), "--db", str(tmp_path / "club.db"))

    return obeyed


def test_programs_read_hash_blocks_hands_and_bots(run) -> None:
    """The fields of the contract; rows of a bot in numbers that are not rounded, and add up."""
    said = run(*RUN, "--json")
    found = said.json
    assert (said.code, said.err) == (0, "")
    assert {"hash", "blocks", "hands", "bots"} <= set(found)
    assert (found["blocks"], found["games"], found["hands"], found["state"]) == (3, 6, 42, "played")
    assert len(found["hash"]) == 64
    for bot in found["bots"]:
        assert {"bot", "mean", "error", "mu", "sigma", "faults"} <= set(bot)
        assert bot["hands"] == 42
        assert math.isclose(bot["mean"], bot["points"] / bot["hands"])
        assert math.isclose(bot["mean"], sum(bot["contracts"]) / 7)
        assert bot["low"] < bot["mean"] < bot["high"]
    assert [bot["bot"] for bot in found["bots"]] == ["greedy", "random"]
    (pair,) = found["pairs"]
    assert math.isclose(pair["gap"], found["bots"][1]["mean"] - found["bots"][0]["mean"])


def test_the_rating_of_bots_is_trueskill_s_without_drift(run) -> None:
    """Worked out again by the package, game by game, from their records."""
    found = run(*RUN, "--json").json
    world = trueskill.TrueSkill(mu=25, sigma=25 / 3, beta=25 / 6, tau=0.0, draw_probability=0.01)
    one, other = world.create_rating(), world.create_rating()
    places = []
    for block in "123":
        for game in "12":
            record = run("league", "record", "--block", block, "--game", game).out
            by_name = dict(zip(*(tomllib.loads(record)[key] for key in ("players", "points")), strict=True))
            places.append(by_name["greedy"] < by_name["random"])
            ranks = [0, 1] if places[-1] else [1, 0]
            (one,), (other,) = world.rate([(one,), (other,)], ranks=ranks)
    assert any(places)
    greedy, random = found["bots"]
    assert math.isclose(greedy["mu"], one.mu, rel_tol=1e-9)
    assert math.isclose(greedy["sigma"], one.sigma, rel_tol=1e-9)
    assert math.isclose(random["mu"], other.mu, rel_tol=1e-9)


def test_one_block_has_a_mean_and_no_error(run) -> None:
    """Nothing that JSON cannot say: no interval is infinite there."""
    found = run(*RUN[:-4], "--blocks", "1", "--json").json
    assert {(bot["error"], bot["low"], bot["high"]) for bot in found["bots"]} == {(None, None, None)}


def test_status_and_resume_say_what_run_has_said(run) -> None:
    said = run(*RUN, "--json").json
    assert run("league", "status", "--json").json == said
    assert run("league", "status", "1", "--json").json == said
    resumed = run("league", "resume", "--json")
    assert (resumed.code, resumed.json) == (0, said)


def test_a_spreadsheet_gets_a_row_a_bot(run) -> None:
    found = run(*RUN, "--json").json
    rows = list(csv.DictReader(io.StringIO(run("league", "status", "--format", "csv").out)))
    assert [row["entrant"] for row in rows] == ["greedy", "random"]
    assert [float(row["mean"]) for row in rows] == [bot["mean"] for bot in found["bots"]]
    assert [int(row["points"]) for row in rows] == [bot["points"] for bot in found["bots"]]


def test_people_read_the_table_every_pair_and_the_contracts(run) -> None:
    said = run(*RUN).out
    assert said.startswith("League 1: greedy, random, oficial, 2 at a table, pairs\n")
    for word in (
        "Points a hand",
        "Every pair",
        "Points a hand by contract",
        "3 blocks of 3, 6 games, 42 hands",
        "hash ",
    ):
        assert word in said
    assert max(map(len, said.splitlines())) <= 80
    assert "## League 1" in run("league", "status", "--format", "markdown").out


def test_a_bot_named_twice_is_there_twice(run) -> None:
    found = run("league", "run", "--bots", "greedy,greedy", "--seats", "2", "--blocks", "1", "--json").json
    assert [(bot["bot"], bot["entrant"]) for bot in found["bots"]] == [("greedy", "greedy"), ("greedy", "greedy-2")]
    assert {bot["hands"] for bot in found["bots"]} == {14}


def test_any_game_s_record_is_printed_and_replays(run, here: Here, tmp_path: Path) -> None:
    """Kept or played again, it is the same."""
    run(*RUN, "--records", "all")
    run(*RUN)
    kept = run("league", "record", "1", "--block", "2", "--game", "2")
    again = run("league", "record", "2", "--block", "2", "--game", "2")
    assert kept.out == again.out
    file = tmp_path / "game.toml"
    file.write_text(kept.out, encoding="utf-8")
    assert here("record", "replay", str(file)).code == 0
    assert run("league", "record", "--json").json["record"].startswith("format = 1\n")


def test_why_tells_the_first_act_that_differs_and_what_it_moved(run) -> None:
    """Seat by seat as the two records have it."""
    run(*RUN)
    found = run("league", "why", "greedy", "random", "--json").json
    assert (found["better"], found["worse"], found["league"]) == ("greedy", "random", 1)
    assert found["hands"]
    assert all(hand["moved"] == hand["worse_points"] - hand["better_points"] for hand in found["hands"])
    turned = run("league", "why", "random", "greedy", "--block", str(found["block"]), "--json").json
    assert [(hand["better_act"], hand["worse_act"]) for hand in turned["hands"]] == [
        (hand["worse_act"], hand["better_act"]) for hand in found["hands"]
    ]
    assert "It moved" in run("league", "why", "greedy", "random").out


def test_why_reads_the_records_that_were_kept(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what it says of games that it plays again; and says it too where nobody can play them any more."""
    run(*RUN)
    again = run("league", "why", "greedy", "random", "--json").json
    run(*RUN, "--records", "all")
    monkeypatch.setattr(playing, "play_block", None)
    kept = run("league", "why", "greedy", "random", "--json").json
    assert kept == {**again, "league": 2}


def test_all_faults_are_counted_and_the_first_are_told(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random fails at each fifth act here; of each game three faults are kept, of the league twenty are told."""
    monkeypatch.setattr(workers, "play_block", partial(playing.play_block, make=failing_bots("raises")))
    found = run("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "4", "--json").json
    by_bot = {bot["bot"]: bot["faults"] for bot in found["bots"]}
    assert by_bot["greedy"] == 0
    assert found["faults_total"] == by_bot["random"] > len(found["faults"]) == 20
    assert {fault["trace"].splitlines()[-1] for fault in found["faults"]} == {"ZeroDivisionError: by nought"}
    said = run("league", "status").out
    assert f"Faults, 20 of {found['faults_total']}" in said
    assert said.count("ZeroDivisionError: by nought") == 20
    assert "Only the first are shown, a few of each game; the others are counted." in said
    assert "`tourney league status 1 --json` has their tracebacks." in said


def test_a_bot_that_never_answers_is_waited_for_as_long_as_is_said(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second in each of two games; a league of a minute's patience would last two minutes."""
    monkeypatch.setattr(workers, "play_block", partial(playing.play_block, make=failing_bots("hangs")))
    said = run("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--patience", "1").out
    assert "Faults, 2 of 2" in said
    assert "the others are counted" not in said
    assert said.count("no answer within 1 s") == 2


def test_why_of_bots_that_play_alike_says_so(run) -> None:
    """greedy draws no lots: with the same cards two of them do the same."""
    run("league", "run", "--bots", "greedy,greedy", "--seats", "2", "--blocks", "1")
    assert "They decided alike in every hand." in run("league", "why", "greedy", "greedy-2").out


def test_a_dry_run_lets_nobody_join_and_says_what_would_be_played(run) -> None:
    """Of three bots each of three blocks has six games; two of them are there."""
    run(*RUN)
    before = run("league", "status", "--json").json
    said = run("league", "join", "--bots", "greedy", "--dry-run")
    assert said.out.startswith("dry run: nothing was saved.")
    assert said.out.endswith("\ngreedy would join: at most 12 games more\n")
    assert run("league", "status", "--json").json == before
    joined = run("league", "join", "--bots", "greedy", "--json").json
    assert [bot["entrant"] for bot in joined["bots"]][2] == "random"
    assert joined["games"] == 18


REFUSED = [
    (("league", "status", "7"), ExitCode.NOT_FOUND, "no league 7"),
    (("league", "resume", "7"), ExitCode.NOT_FOUND, "no league 7"),
    (("league", "record", "--block", "4"), ExitCode.NOT_FOUND, "block 4"),
    (("league", "record", "--game", "3"), ExitCode.NOT_FOUND, "no game 3"),
    (("league", "why", "greedy", "nobody"), ExitCode.NOT_FOUND, "nobody"),
    (("league", "why", "greedy", "greedy"), ExitCode.USAGE, "itself"),
    (("league", "why", "greedy", "random", "--block", "9"), ExitCode.NOT_FOUND, "block 9"),
    (("league", "join", "--bots", "nobody"), ExitCode.NOT_FOUND, "nobody"),
    (("league", "join", "--bots", ","), ExitCode.USAGE, "no bots"),
    (("league", "join", "--bots", "random", "7", "--dry-run"), ExitCode.NOT_FOUND, "no league 7"),
    (("league", "run", "--bots", "greedy:2,random"), ExitCode.USAGE, "greedy:2"),
    (("league", "run", "--bots", "greedy", "--design", "all"), ExitCode.USAGE, "all"),
    (("league", "run", "--bots", "greedy", "--until-sure", "2"), ExitCode.USAGE, "“2”"),
]


def test_what_cannot_be_is_one_line_with_a_hint(run) -> None:
    run(*RUN)
    for words, code, word in REFUSED:
        said = run(*words)
        assert (said.code, said.out) == (code, ""), words
        error, hint, rest = said.err.split("\n")
        assert error.startswith("error: ")
        assert word in error
        assert hint.startswith("hint: ")
        assert rest == ""
