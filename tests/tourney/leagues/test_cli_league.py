"""Tests of `tourney league` on the command line: JSON, CSV, tables and refusals."""

import math
import tomllib
from pathlib import Path

import pytest
import trueskill

from tests.harness.commands import Runner
from tests.harness.failing_bots import failing_bots
from tourney.domain.errors import ExitCode
from tourney.league import playing

RUN = ("league", "run", "--bots", "greedy,random", "--rules", "oficial", "--seats", "2", "--blocks", "3", "--seed", "1")


@pytest.fixture
def club(run: Runner, tmp_path: Path):
    """A function that runs a command with one database, and with one worker if the command plays games."""

    def run_command(*words: str):
        plays = words[:2] in {("league", "run"), ("league", "resume"), ("league", "join")}
        return run(*words, *(("--workers", "1") if plays else ()), "--db", str(tmp_path / "club.db"))

    return run_command


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
    monkeypatch.setattr(playing, "make_bot", failing_bots("raises"))
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
    monkeypatch.setattr(playing, "make_bot", failing_bots("hangs"))
    out = club("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--patience", "60").out
    assert "Faults, 2 of" in out
    assert "the others are counted" in out
    assert out.count("no answer within 60 s") == 2


def test_why_says_when_bots_played_alike(club) -> None:
    """Greedy uses no randomness: two greedy bots play the same cards alike."""
    club("league", "run", "--bots", "greedy,greedy", "--seats", "2", "--blocks", "1")
    assert "They decided alike in every hand." in club("league", "why", "greedy", "greedy-2").out


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
