"""Tests of the sequential probability ratio test: its formula, its errors, and the command `league test`."""

import math
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from math import exp, inf, log, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, stdev

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tests.harness.leagues.small_league import LEAGUE, same_outcome
from tests.tourney.leagues.test_stopping import NOISES, Noise, means_of
from tourney.domain.errors import ExitCode
from tourney.domain.league_tables import LeagueProgress
from tourney.domain.leagues import GapTest, PlaySettings
from tourney.league import statistics, tally
from tourney.league.pilot import needed_blocks
from tourney.league.statistics import FIRST_LOOK, BlockMeans, stopping_rule
from tourney.league.tally import GapTestRule, log_likelihood_ratio, lower_bound, upper_bound
from tourney.service.leagues import leagues, play
from tourney.text.signals import listening

TEST = GapTest(0.0, 1.0)


def normal_log_likelihood(values: list[float], mean: float, deviation: float) -> float:
    """Return the sum of the logarithms of the normal density, from the standard library."""
    return sum(log(NormalDist(mean, deviation).pdf(value)) for value in values)


@pytest.mark.parametrize("seed", range(5))
def test_the_ratio_is_that_of_normal_likelihoods(seed: int) -> None:
    """Densities with the sample's standard deviation; the program uses no density."""
    rng = Random(seed)
    values = [rng.gauss(0.4, 2.0) for _value in range(50)]
    deviation = stdev(values)
    summed = normal_log_likelihood(values, 1.5, deviation) - normal_log_likelihood(values, -0.5, deviation)
    assert math.isclose(log_likelihood_ratio(50, fmean(values), deviation**2, -0.5, 1.5), summed, rel_tol=1e-9)


def test_blocks_that_do_not_vary_are_infinitely_likely_for_one_of_the_two() -> None:
    assert log_likelihood_ratio(64, 0.0, 0.0, 0.0, 1.0) == -inf
    assert log_likelihood_ratio(64, 1.0, 0.0, 0.0, 1.0) == inf
    assert log_likelihood_ratio(64, 0.5, 0.0, 0.0, 1.0) == 0.0


def test_the_bounds_are_walds() -> None:
    """ln(19) on both sides for errors of 0.05; with 0.1 and 0.02 ln(0.02 / 0.9) and ln(0.98 / 0.1), by hand."""
    assert math.isclose(upper_bound(TEST), 2.9444389791664403)
    assert math.isclose(lower_bound(TEST), -2.9444389791664403)
    other = GapTest(0.0, 1.0, 0.1, 0.02)
    assert math.isclose(exp(upper_bound(other)), 9.8)
    assert math.isclose(exp(-lower_bound(other)), 45.0)


def test_a_test_looks_at_no_fewer_than_64_blocks() -> None:
    rows = [(0.0, 50.0)] * 63
    assert (FIRST_LOOK, GapTestRule(TEST, 1000).verdict(means_of(rows))) == (64, "open")
    assert GapTestRule(TEST, 1000).state(means_of(rows)).llr is None
    rows += [(0.0, 51.0)]
    assert GapTestRule(TEST, 1000).verdict(means_of(rows)) == "passed"


def test_the_new_bot_is_better_with_fewer_points_or_more_money() -> None:
    rows = [(10.0, 20.0 + block % 3) for block in range(64)]
    assert GapTestRule(TEST, 1000).verdict(means_of(rows), "lowest") == "passed"
    assert GapTestRule(TEST, 1000).verdict(means_of(rows), "highest") == "failed"


def test_equal_bots_end_the_test_at_the_first_look() -> None:
    assert GapTestRule(TEST, 1000).verdict(means_of([(7.0, 7.0)] * 64)) == "failed"


def test_after_all_blocks_a_test_without_an_answer_is_undecided() -> None:
    rows = [(0.0, 0.5 + (5.0 if block % 2 else -5.0)) for block in range(100)]
    assert GapTestRule(TEST, 101).verdict(means_of(rows)) == "open"
    assert GapTestRule(TEST, 100).verdict(means_of(rows)) == "undecided"


# --- simulated tests ------------------------------------------------------------------------------------

SPREAD = 9.2
"""The standard deviation of a block's lead in points a hand: between that of two versions of `planner` (5.8) and that
of `planner` and `greedy` (11.9), as `tourney league pilot --games 400` measures them in `pairs` at tables of four."""


def simulated(gap: float, noise: Noise, rng: Random, rule: GapTestRule) -> tuple[str, int]:
    """Return the verdict of a test of bots with this true gap, and the blocks that it took.

    Each bot has its own noise, so that the spread of a block's lead is about SPREAD.
    """
    means = BlockMeans(2)
    while True:
        means.add((SPREAD * noise(rng) / sqrt(2.0), gap + SPREAD * noise(rng) / sqrt(2.0)))
        if (verdict := rule.verdict(means)) != "open":
            return verdict, means.blocks


def check_errors(name: str, tests: int, within: float) -> None:
    """Check that errors of both kinds stay below Wald's α / (1 − β), by `within` standard errors of their number."""
    rule = GapTestRule(TEST, 100_000)
    bound = 0.05 / 0.95
    allowed = tests * bound + within * sqrt(tests * bound * (1.0 - bound))
    for gap, wrong in ((0.0, "passed"), (1.0, "failed")):
        rng = Random(f"{name} {gap}")
        verdicts = [simulated(gap, NOISES[name], rng, rule)[0] for _test in range(tests)]
        assert verdicts.count(wrong) <= allowed, (name, gap, verdicts.count(wrong))
        assert "undecided" not in verdicts


def test_errors_of_both_kinds_stay_within_their_bounds() -> None:
    check_errors("normal", 60, 3.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", NOISES)
def test_errors_of_both_kinds_in_two_thousand_tests_stay_within_their_bounds(name: str) -> None:
    check_errors(name, 2000, 2.33)


def blocks_until_sure(gap: float, rng: Random) -> int:
    """Return the blocks that `--until-sure 0.95` takes to order two bots with this true gap."""
    rule, means = stopping_rule(0.95, 100_000), BlockMeans(2)
    while rule.verdict(means) == "open":
        means.add((0.0, gap + SPREAD * rng.gauss(0.0, 1.0)))
    return means.blocks


@pytest.mark.slow
def test_a_test_takes_fewer_blocks_than_an_order_that_is_certain() -> None:
    """A true gap of 2 points a hand, in 2,000 simulated tests.

    By hand, for a known variance: each block adds (high − low)(gap − (low + high) / 2) / spread² = 1.5 / 84.64 to the
    ratio, so that ln(19) takes 166 blocks. A single test of 166 blocks has a power of 80 % at 95 % (`needed_blocks`).
    """
    rng, rule = Random(1), GapTestRule(TEST, 100_000)
    endings = [simulated(2.0, NOISES["normal"], rng, rule) for _test in range(2000)]
    taken = fmean([blocks for _verdict, blocks in endings])
    sure = fmean([blocks_until_sure(2.0, rng) for _league in range(500)])
    formula = log(19.0) * SPREAD**2 / 1.5
    assert round(formula) == 166
    assert needed_blocks(SPREAD, 2.0, 0.95) in (166, 167)
    assert 0.95 * formula < taken < 1.15 * formula
    assert sure > 1.5 * taken
    assert [verdict for verdict, _blocks in endings].count("passed") >= 1990


# --- the command ----------------------------------------------------------------------------------------

Club = Callable[..., Ran]


@pytest.fixture
def club(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A function that runs a command with one database, and tests that first look after four blocks."""
    monkeypatch.setattr(tally, "FIRST_LOOK", 4)
    monkeypatch.setattr(statistics, "FIRST_LOOK", 4)
    return lambda *words: run(*words, "--db", str(tmp_path / "club.db"))


def flat(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def words_for(*bots: str) -> tuple[str, ...]:
    return ("league", "test", *bots, "--seats", "2", "--workers", "1", "--seed", "1")


def test_a_better_bot_passes_with_exit_code_0(club: Club) -> None:
    result = club(*words_for("greedy", "random"))
    assert result.code == 0
    assert "Passed: greedy is better than random by 1 a hand rather than by 0." in flat(result.out)
    assert "bounds -2.94 and 2.94" in result.out


def test_a_worse_bot_and_an_equal_one_fail_with_exit_code_1(club: Club) -> None:
    worse, equal = club(*words_for("random", "greedy")), club(*words_for("greedy", "greedy"), "--json")
    assert worse.code == equal.code == 1
    assert "Failed: random is better than greedy by 0 a hand rather than by 1, or not at all." in flat(worse.out)
    assert (equal.json["state"], equal.json["blocks"], equal.json["test"]["llr"]) == ("failed", 4, None)
    assert "Traceback" not in worse.err + equal.err


def test_a_test_without_an_answer_has_exit_code_1_and_says_so(club: Club) -> None:
    words = (*words_for("greedy", "planner"), "--alpha", "1e-9", "--beta", "1e-9", "--blocks", "4")
    result = club(*words)
    assert (result.code, "Undecided: after all blocks" in result.out) == (1, True)


def test_json_has_the_test_with_its_ratio_and_bounds(club: Club) -> None:
    words = (*words_for("greedy", "random"), "--sprt", "0,0.5", "--alpha", "0,1", "--beta", "0.02", "--json")
    data = club(*words).json
    test = data["test"]
    assert (test["low"], test["high"], test["alpha"], test["beta"]) == (0.0, 0.5, 0.1, 0.02)
    assert math.isclose(test["upper"], log(9.8))
    assert (data["state"], data["of_blocks"]) == ("passed", 100_000)
    assert test["llr"] > test["upper"]


def test_status_and_resume_show_a_test_again_and_play_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = club(*words_for("random", "greedy"))
    status, resumed = club("league", "status"), club("league", "resume", "--workers", "1")
    assert status.out == resumed.out == ended.out
    assert (status.code, resumed.code) == (0, 1)


def test_a_league_without_a_test_has_no_word_of_one(club: Club) -> None:
    data = club("league", "run", "--bots", "greedy,random", "--seats", "2", "--blocks", "1", "--json").json
    assert "test" not in data


def test_a_test_that_was_stopped_ends_as_one_that_was_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks are those of a league, so that it goes on from the first missing one."""
    monkeypatch.setattr(tally, "FIRST_LOOK", 8)
    monkeypatch.setattr(statistics, "FIRST_LOOK", 8)
    monkeypatch.setattr(play, "PROGRESS_SECONDS", 0.0)
    league = replace(LEAGUE, blocks=50, test=GapTest(0.0, 1.0))
    whole = leagues.run(str(tmp_path / "whole.db"), league)
    assert (whole.verdict, whole.blocks) == ("passed", 8)
    part = str(tmp_path / "part.db")
    interrupted = desk.refused(ExitCode.INTERRUPTED, "of 50 blocks of league 1 are kept", "tourney league resume 1")
    with listening(), interrupted:
        leagues.run(part, league, progress=stop_at_once)
    assert 0 < leagues.status(part).blocks < 8
    assert same_outcome(leagues.resume(part, settings=PlaySettings(2)), whole)


def stop_at_once(now: LeagueProgress) -> None:
    """Interrupt a league when it reports its progress for the first time after its beginning, as Ctrl-C does."""
    if now.done:
        os.kill(os.getpid(), signal.SIGINT)


def test_a_test_cannot_be_joined(club: Club) -> None:
    club(*words_for("greedy", "random"))
    result = club("league", "join", "--bots", "planner")
    assert (result.code, "it tests two bots" in result.err) == (ExitCode.REFUSED, True)


@pytest.mark.parametrize(
    ("words", "word"),
    [
        pytest.param(("--sprt", "1,0"), "1,0", id="the larger gap first"),
        pytest.param(("--sprt", "1"), "“1”", id="one gap"),
        pytest.param(("--sprt", "0,nan"), "nan", id="not a number"),
        pytest.param(("--sprt", "0,inf"), "inf", id="infinite"),
        pytest.param(("--sprt", "x,1"), "“x,1”", id="not numbers"),
        pytest.param(("--alpha", "0"), "--alpha", id="no error of the first kind"),
        pytest.param(("--beta", "0.5"), "--beta", id="as good as a coin"),
        pytest.param(("--blocks", "3"), "4 blocks", id="too few blocks"),
    ],
)
def test_impossible_numbers_are_refused_in_one_line(club: Club, words: tuple[str, ...], word: str) -> None:
    result = club(*words_for("greedy", "random"), *words)
    assert (result.code, result.out) == (ExitCode.USAGE, "")
    assert word in result.err
    assert result.err.count("\n") == 2


def test_a_test_is_of_two_bots(club: Club, tmp_path: Path) -> None:
    (tmp_path / "field.toml").write_text('[[bot]]\nentrant = "greedy"\n[[bot]]\nentrant = "random"\n')
    result = club(*words_for("planner", f"@{tmp_path / 'field.toml'}"))
    assert (result.code, "of two bots, not of 3" in result.err) == (ExitCode.USAGE, True)
    assert result.out == ""
