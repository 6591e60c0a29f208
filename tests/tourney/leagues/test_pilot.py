"""Pilot runs: the hands that a design needs, by hand arithmetic and by simulated leagues of that length."""

import statistics
from collections.abc import Callable, Iterator
from math import ceil, log, sqrt
from random import Random

import pytest

from engine.play import play_results
from engine.rules import load_rules
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.leagues import Design, DesignNeed, League, LeaguePilot, PlaySettings
from tourney.league import workers
from tourney.league.pilot import PilotBlocks, design_needs, needed_blocks
from tourney.league.playing import PlayedBlock, block_games, deal_seed
from tourney.league.statistics import BlockMeans
from tourney.reports import leagues as reports
from tourney.reports.render.plain import plain_text
from tourney.service.leagues import pilots


@pytest.mark.parametrize(
    ("spread", "gap", "certainty", "blocks"),
    [
        (10.0, 1.0, 0.95, 785),
        (10.0, 2.0, 0.95, 197),
        (10.0, 1.0, 0.99, 1168),
        (1.0, 1.0, 0.95, 8),
        (0.0, 1.0, 0.95, 2),
    ],
)
def test_needed_blocks_match_the_textbook(spread: float, gap: float, certainty: float, blocks: int) -> None:
    """Normal quantiles 1.95996 and 2.57583 to both sides, 0.84162 for four in five: 7.8489 and 11.6790 times the square
    of spread over gap."""
    assert needed_blocks(spread, gap, certainty) == blocks


def test_design_needs_match_hand_arithmetic() -> None:
    """Differences ±10 and ±5 about −1: squares 100 and 25, of four blocks, so variances 400/3 and 100/3. Blocks of 14
    and of 28 hands: 7.8489 × 400/3 → 1047 blocks, 14,658 hands; 7.8489 × 100/3 → 262 blocks, 7,336 hands, half."""
    fresh = PilotBlocks(56, [(20.0, 11.0), (20.0, 31.0), (20.0, 11.0), (20.0, 31.0)])
    pairs = PilotBlocks(112, [(5.0, 1.0), (5.0, 11.0), (5.0, 1.0), (5.0, 11.0)])
    first, second = design_needs({"fresh": fresh, "pairs": pairs}, "ABC", 1.0, 0.95)
    assert (first.design, first.played, first.better, first.worse) == ("fresh", 56, "A", "B")
    assert (first.hands, second.hands) == (14_658, 7_336)
    assert (first.fewer, first.fewer_low, first.fewer_high) == (1.0, 1.0, 1.0)
    assert (second.design, second.gap, second.error) == ("pairs", pytest.approx(1.0), pytest.approx(sqrt(25 / 3)))
    assert second.spread == pytest.approx(sqrt(100 / 3))
    assert second.fewer == pytest.approx(2.0)


def test_the_better_bot_has_more_money() -> None:
    (need,) = design_needs({"pairs": PilotBlocks(28, [(5.0, 9.0), (5.0, 8.0)])}, "ABC", 1.0, 0.95, "highest")
    assert (need.better, need.worse, need.gap) == ("B", "A", 3.5)


def test_of_several_bots_the_pair_that_needs_most_hands_counts() -> None:
    """Squares of the differences, worked by hand: 3 of the first two, 50.75 and 56.75 of the third to them."""
    rows = [(1.0, 2.0, 3.0), (2.0, 3.0, 9.0), (3.0, 4.0, 0.0), (4.0, 3.0, 7.0)]
    (need,) = design_needs({"pairs": PilotBlocks(112, rows)}, "ABC", 1.0, 0.95)
    assert {need.better, need.worse} == {"B", "C"}


def test_bots_that_never_differ_need_two_blocks_and_have_no_factor() -> None:
    alike = PilotBlocks(28, [(3.0, 3.0), (4.0, 4.0)])
    unlike = PilotBlocks(28, [(3.0, 3.0), (4.0, 5.0)])
    found = design_needs({"fresh": unlike, "pairs": alike}, "ABC", 1.0, 0.95)[1]
    assert (found.hands, found.fewer) == (28, None)


def test_a_league_as_long_as_needed_separates_the_gap_in_four_of_five() -> None:
    """400 leagues of the blocks that a spread of 6 and a gap of 1.5 need, at 95 %: 80 % of them, to three errors."""
    rng = Random(11)
    blocks = needed_blocks(6.0, 1.5, 0.95)
    separated = 0
    for _league in range(400):
        means = BlockMeans(2)
        for _block in range(blocks):
            means.add((0.0, rng.gauss(1.5, 6.0)))
        separated += means.gap(1, 0).p_value() < 0.05
    assert abs(separated / 400 - 0.8) <= 0.06


def test_the_interval_of_the_factor_covers_the_true_one_as_often_as_promised() -> None:
    """300 pairs of pilots of 60 blocks: spreads 9 and 5, blocks of 14 and 35 hands, so a factor of 81/25 × 14/35."""
    rng = Random(12)
    true = 81 / 25 * 14 / 35
    held, logs = 0, 0.0
    for _pilot in range(300):
        fresh = PilotBlocks(60 * 14, [(0.0, rng.gauss(1.0, 9.0)) for _ in range(60)])
        other = PilotBlocks(60 * 35, [(0.0, rng.gauss(1.0, 5.0)) for _ in range(60)])
        need = design_needs({"fresh": fresh, "replace": other}, "ABC", 1.0, 0.95)[1]
        assert need.fewer is not None
        assert need.fewer_low is not None
        assert need.fewer_high is not None
        held += need.fewer_low <= true <= need.fewer_high
        logs += log(need.fewer / true)
    assert 0.91 <= held / 300 <= 0.99
    assert abs(logs / 300) <= 0.05


# --- the command ----------------------------------------------------------------------------------------

PILOT = ("league", "pilot", "--bots", "greedy,greedy", "--seats", "2", "--games", "6", "--workers", "1")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Return a command line whose pilots have three blocks."""
    monkeypatch.setattr(pilots, "MIN_BLOCKS", 3)
    return Runner(capsys)


def by_hand(seed: str) -> tuple[float, float]:
    """Return gap and spread of two greedy bots over three fresh blocks, from games played by the engine alone."""
    rules, league = load_rules("oficial"), League(("greedy", "greedy"), "oficial", 2, seed, 3, "fresh")
    differences = []
    for block in range(3):
        points = [0, 0]
        for game in block_games(league, block):
            result = play_results(rules, ("greedy", "greedy"), deal_seed(seed, block, game.deal))
            for entrant, gained in zip(game.seating, result.points, strict=True):
                points[entrant] += gained
        differences.append((points[1] - points[0]) / 14)
    return statistics.fmean(differences), statistics.stdev(differences)


def test_a_pilot_plays_every_design_and_shows_what_each_needs(run: Runner) -> None:
    """Check a pilot with the same bot twice, so that only fresh deals differ.

    A difference then takes 7.8489 times the squared spread, in blocks of 14 hands.
    """
    result = run(*PILOT, "--gap", "1", "--seed", "s", "--json")
    assert (result.code, result.err) == (0, "")
    data = result.json
    assert (data["bots"], data["gap"], data["certainty"], data["power"]) == (["greedy", "greedy-2"], 1.0, 0.95, 0.8)
    fresh, *paired = data["designs"]
    gap, spread = by_hand("s")
    assert fresh["gap"] == pytest.approx(abs(gap))
    assert (fresh["better"] == "greedy") == (gap > 0)
    assert fresh["spread"] == pytest.approx(spread)
    assert fresh["hands"] == 14 * ceil(7.848880 * spread**2)
    assert (fresh["design"], fresh["played"], fresh["fewer"]) == ("fresh", 42, 1.0)
    assert [need["design"] for need in paired] == ["rotations", "pairs", "replace"]
    for need in paired:
        assert (need["gap"], need["spread"], need["hands"], need["fewer"]) == (0.0, 0.0, 28, None)


def need(design: Design, fewer: float) -> DesignNeed:
    """Return the needs of a design that takes so many times fewer hands than 100,000."""
    return DesignNeed(design, 2520, "planner", "random", 138.18, 1.71, 9.3, round(1e5 / fewer), fewer, 0.3, 1.2)


@pytest.mark.parametrize("bots", [("planner", "random"), ("greedy", "planner", "random")], ids=["two", "three"])
def test_text_has_a_row_for_each_design_within_80_columns(bots: tuple[str, ...]) -> None:
    """The factor may be below or above 1; the pair is named only where there are more than two bots."""
    needs = (need("fresh", 1.0), need("rotations", 0.63), need("pairs", 1.3))
    found = LeaguePilot(League(bots, "oficial", 4, "1", 1), 0.5, 0.95, 0.8, needs)
    lines = plain_text(reports.pilot(found)).splitlines()
    assert lines[0] == f"Hands to separate 0.5 points a hand: {', '.join(bots)}, oficial, 4 at a table"
    assert max(map(len, lines[1:])) <= 80
    rows = [line.split() for line in lines if line.startswith(("fresh", "rotations", "pairs"))]
    assert [(row[0], row[-4], row[-3]) for row in rows] == [
        ("fresh", "100000", "1.00"),
        ("rotations", "158730", "0.63"),
        ("pairs", "76923", "1.30"),
    ]
    assert {"planner" in row for row in rows} == {len(bots) > 2}
    assert "Worth: of a hand, in hands of the design fresh;" in " ".join(lines)


def test_a_pilot_does_not_depend_on_the_order_of_its_blocks(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    data = run(*PILOT, "--gap", "1", "--json").json
    play = workers.play_blocks

    def backwards(
        league: League, numbers: Iterator[int], settings: PlaySettings, should_stop: Callable[[], bool]
    ) -> Iterator[PlayedBlock]:
        return play(league, iter(list(numbers)[::-1]), settings, should_stop)

    monkeypatch.setattr(workers, "play_blocks", backwards)
    assert run(*PILOT, "--gap", "1", "--json").json == data


def test_a_worker_that_dies_ends_the_pilot_in_one_line(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*_league: object) -> Iterator[PlayedBlock]:
        raise workers.WorkerDied

    monkeypatch.setattr(workers, "play_blocks", dies)
    result = run(*PILOT, "--gap", "1")
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert result.err == "error: a worker process died\nhint: try --workers 1\n"


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        pytest.param(("--gap", "0"), ExitCode.USAGE, id="no gap"),
        pytest.param(("--gap", "nan"), ExitCode.USAGE, id="a gap that is not a number"),
        pytest.param(("--gap", "-1"), ExitCode.USAGE, id="a gap below 0"),
        pytest.param(("--gap", "1e-300"), ExitCode.USAGE, id="a gap too small for any league"),
        pytest.param(("--bots", "greedy"), ExitCode.USAGE, id="one bot"),
        pytest.param(("--bots", "greedi,random"), ExitCode.NOT_FOUND, id="an unknown bot"),
        pytest.param(("--rules", "oficiall"), ExitCode.NOT_FOUND, id="unknown rules"),
        pytest.param(("--certainty", "1"), ExitCode.USAGE, id="an impossible certainty"),
        pytest.param(("--certainty", ""), ExitCode.USAGE, id="no certainty"),
        pytest.param(("--seats", "40"), ExitCode.REFUSED, id="a table size that the rules do not have"),
    ],
)
def test_an_impossible_pilot_is_refused_in_one_line(run: Runner, changed: tuple[str, str], code: ExitCode) -> None:
    result = run(*PILOT, "--gap", "1", *changed)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("error: ")
    assert "Traceback" not in result.err
