"""Tests of `tourney league` on the command line: JSON, CSV, tables and refusals."""

import csv
import io
import math
import tomllib
from functools import partial
from pathlib import Path

import pytest
import trueskill

from tests.harness.commands import Runner
from tests.harness.failing_bots import failing_bots
from tourney.domain.errors import ExitCode
from tourney.league import playing, workers

RUN = ("league", "run", "--bots", "greedy,random", "--rules", "oficial", "--seats", "2", "--blocks", "3", "--seed", "1")


@pytest.fixture
def club(run: Runner, tmp_path: Path):
    """A function that runs a command with one database, and with one worker if the command plays games."""

    def run_command(*words: str):
        plays = words[:2] in {("league", "run"), ("league", "resume"), ("league", "join")}
        return run(*words, *(("--workers", "1") if plays else ()), "--db", str(tmp_path / "club.db"))

    return run_command


def test_json_has_the_hash_blocks_hands_and_bots(club) -> None:
    """Check that these fields are present and that the unrounded numbers of each bot add up."""
    result = club(*RUN, "--json")
    data = result.json
    assert (result.code, result.err) == (0, "")
    assert {"hash", "blocks", "hands", "bots"} <= set(data)
    assert (data["blocks"], data["games"], data["hands"], data["state"]) == (3, 6, 42, "played")
    assert len(data["hash"]) == 64
    for bot in data["bots"]:
        assert {"bot", "mean", "error", "mu", "sigma", "faults"} <= set(bot)
        assert bot["hands"] == 42
        assert math.isclose(bot["mean"], bot["points"] / bot["hands"])
        assert math.isclose(bot["mean"], sum(bot["contracts"]) / 7)
        assert bot["low"] < bot["mean"] < bot["high"]
    assert [bot["bot"] for bot in data["bots"]] == ["greedy", "random"]
    (pair,) = data["pairs"]
    assert math.isclose(pair["gap"], data["bots"][1]["mean"] - data["bots"][0]["mean"])


def test_bots_are_rated_by_trueskill_without_drift(club) -> None:
    """The package `trueskill` rates the same games again, from their records."""
    data = club(*RUN, "--json").json
    world = trueskill.TrueSkill(mu=25, sigma=25 / 3, beta=25 / 6, tau=0.0, draw_probability=0.01)
    first, second = world.create_rating(), world.create_rating()
    places = []
    for block in "123":
        for game in "12":
            record = club("league", "record", "--block", block, "--game", game).out
            by_name = dict(zip(*(tomllib.loads(record)[key] for key in ("players", "points")), strict=True))
            places.append(by_name["greedy"] < by_name["random"])
            ranks = [0, 1] if places[-1] else [1, 0]
            (first,), (second,) = world.rate([(first,), (second,)], ranks=ranks)
    assert any(places)
    greedy, random = data["bots"]
    assert math.isclose(greedy["mu"], first.mu, rel_tol=1e-9)
    assert math.isclose(greedy["sigma"], first.sigma, rel_tol=1e-9)
    assert math.isclose(random["mu"], second.mu, rel_tol=1e-9)


def test_one_block_has_a_mean_and_no_error(club) -> None:
    """The bounds of the infinite interval are null in JSON."""
    data = club(*RUN[:-4], "--blocks", "1", "--json").json
    assert {(bot["error"], bot["low"], bot["high"]) for bot in data["bots"]} == {(None, None, None)}


def test_status_and_resume_show_the_same_as_run(club) -> None:
    table = club(*RUN, "--json").json
    assert club("league", "status", "--json").json == table
    assert club("league", "status", "1", "--json").json == table
    resumed = club("league", "resume", "--json")
    assert (resumed.code, resumed.json) == (0, table)


def test_csv_has_a_row_for_each_bot(club) -> None:
    data = club(*RUN, "--json").json
    rows = list(csv.DictReader(io.StringIO(club("league", "status", "--format", "csv").out)))
    assert [row["entrant"] for row in rows] == ["greedy", "random"]
    assert [float(row["mean"]) for row in rows] == [bot["mean"] for bot in data["bots"]]
    assert [int(row["points"]) for row in rows] == [bot["points"] for bot in data["bots"]]


def test_text_has_the_table_every_pair_and_the_contracts(club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = club(*RUN).out
    assert out.startswith("League 1: greedy, random, oficial, 2 at a table, pairs\n")
    for word in (
        "Points a hand",
        "Every pair",
        "Points a hand by contract",
        "3 of 3 blocks, 6 games, 42 hands",
        "hash ",
    ):
        assert word in out
    assert max(map(len, out.splitlines())) <= 80
    assert "## League 1" in club("league", "status", "--format", "markdown").out


def test_a_bot_named_twice_is_two_entrants(club) -> None:
    data = club("league", "run", "--bots", "greedy,greedy", "--seats", "2", "--blocks", "1", "--json").json
    assert [(bot["bot"], bot["entrant"]) for bot in data["bots"]] == [("greedy", "greedy"), ("greedy", "greedy-2")]
    assert {bot["hands"] for bot in data["bots"]} == {14}


def test_the_record_of_any_game_is_printed_and_replays(club, run: Runner, tmp_path: Path) -> None:
    """A kept record equals that of the same game played again."""
    club(*RUN, "--records", "all")
    club(*RUN)
    kept = club("league", "record", "1", "--block", "2", "--game", "2")
    replayed = club("league", "record", "2", "--block", "2", "--game", "2")
    assert kept.out == replayed.out
    file = tmp_path / "game.toml"
    file.write_text(kept.out, encoding="utf-8")
    assert run("record", "replay", str(file)).code == 0
    assert club("league", "record", "--json").json["record"].startswith("format = 1\n")


def test_why_shows_the_first_different_action_and_its_points(club) -> None:
    """Exchanging the two bots in the command exchanges their actions in the output."""
    club(*RUN)
    data = club("league", "why", "greedy", "random", "--json").json
    assert (data["better"], data["worse"], data["league"]) == ("greedy", "random", 1)
    assert data["hands"]
    assert all(hand["moved"] == hand["worse_points"] - hand["better_points"] for hand in data["hands"])
    exchanged = club("league", "why", "random", "greedy", "--block", str(data["block"]), "--json").json
    assert [(hand["better_act"], hand["worse_act"]) for hand in exchanged["hands"]] == [
        (hand["worse_act"], hand["better_act"]) for hand in data["hands"]
    ]
    gained = sum(hand["moved"] for hand in data["hands"])
    assert f"the gain of greedy: {gained} in all" in " ".join(club("league", "why", "greedy", "random").out.split())


def test_why_reads_kept_records(club, monkeypatch: pytest.MonkeyPatch) -> None:
    """With kept records the output is that of games played again, although `play_block` is disabled."""
    club(*RUN)
    without_records = club("league", "why", "greedy", "random", "--json").json
    club(*RUN, "--records", "all")
    monkeypatch.setattr(playing, "play_block", None)
    with_records = club("league", "why", "greedy", "random", "--json").json
    assert with_records == {**without_records, "league": 2}


def test_all_faults_are_counted_and_the_first_are_shown(club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that fails at every fifth action: three faults of each game are kept, and twenty are shown."""
    monkeypatch.setattr(workers, "play_block", partial(playing.play_block, make=failing_bots("raises")))
    data = club("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "4", "--json").json
    by_bot = {bot["bot"]: bot["faults"] for bot in data["bots"]}
    assert by_bot["greedy"] == 0
    assert data["faults_total"] == by_bot["random"] > len(data["faults"]) == 20
    assert {fault["trace"].splitlines()[-1] for fault in data["faults"]} == {"ZeroDivisionError: by nought"}
    out = club("league", "status").out
    assert f"Faults, 20 of {data['faults_total']}" in out
    assert out.count("ZeroDivisionError: by nought") == 20
    assert "Only the first are shown, a few of each game; the others are counted." in out
    assert "`tourney league status 1 --json` has the tracebacks of classes" in out


def test_a_bot_that_never_answers_is_waited_for_until_the_time_limit(club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot is waited for once in each of two games; every action of the fallback is counted."""
    monkeypatch.setattr(workers, "play_block", partial(playing.play_block, make=failing_bots("hangs")))
    out = club("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--patience", "1").out
    assert "Faults, 2 of" in out
    assert "the others are counted" in out
    assert out.count("no answer within 1 s") == 2


def test_why_says_when_bots_played_alike(club) -> None:
    """Greedy uses no randomness: two greedy bots play the same cards alike."""
    club("league", "run", "--bots", "greedy,greedy", "--seats", "2", "--blocks", "1")
    assert "They decided alike in every hand." in club("league", "why", "greedy", "greedy-2").out


def test_a_dry_run_of_join_adds_no_bot_and_shows_how_many_games_would_be_played(club) -> None:
    """With three bots each of three blocks has six games, of which two are already played."""
    club(*RUN)
    before = club("league", "status", "--json").json
    out = club("league", "join", "--bots", "greedy", "--dry-run").out
    assert out.startswith("dry run: nothing was saved.")
    assert out.endswith("\ngreedy would join: at most 12 games more\n")
    assert club("league", "status", "--json").json == before
    joined = club("league", "join", "--bots", "greedy", "--json").json
    assert [bot["entrant"] for bot in joined["bots"]][2] == "random"
    assert joined["games"] == 18


def test_the_list_has_every_league_with_its_blocks_and_its_state(club, run: Runner, tmp_path: Path) -> None:
    """A league that was run, one that ended early, and one of which a part was merged."""
    club(*RUN)
    certain = ("league", "run", "--bots", "greedy,random", "--seats", "2", "--until-sure", "0.95", "--blocks", "80")
    ended = club(*certain, "--json").json
    part = ("--bots", "greedy,random", "--seats", "2", "--blocks", "5", "--seed", "9", "--workers", "1")
    assert run("league", "part", "2/2", *part, "--output", str(tmp_path / "two.league")).code == 0
    club("league", "merge", str(tmp_path / "two.league"))
    listed = club("league", "list", "--json").json
    assert [(row["league"], row["blocks"], row["of_blocks"], row["state"]) for row in listed] == [
        (1, 3, 3, "played"),
        (2, ended["blocks"], 80, "certain"),
        (3, 2, 5, "open"),
    ]
    assert {tuple(row["bots"]) for row in listed} == {("greedy", "random")}
    assert ended["blocks"] < 80
    shown = club("league", "list").out
    assert "Continue an unfinished one with `tourney league resume 3`." in shown


def test_the_list_is_empty_in_a_database_without_leagues(club) -> None:
    assert club("league", "list").code == ExitCode.NOT_FOUND
    club("player", "add", "Ana")
    assert (club("league", "list", "--json").json, club("league", "list").code) == ([], 0)


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


def test_a_refusal_is_one_line_with_a_hint(club) -> None:
    club(*RUN)
    for words, code, word in REFUSED:
        result = club(*words)
        assert (result.code, result.out) == (code, ""), words
        error, hint, rest = result.err.split("\n")
        assert error.startswith("error: ")
        assert word in error
        assert hint.startswith("hint: ")
        assert rest == ""
