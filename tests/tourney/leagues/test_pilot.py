"""Tests of pilot runs: the number of hands a design needs, by hand calculation and simulated leagues."""

import statistics
from collections.abc import Callable, Iterator
from math import ceil, log, sqrt
from random import Random

import pytest

from engine.play import play_results
from engine.rules import load_rules
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.league_tables import DesignNeed, LeaguePilot
from tourney.domain.leagues import Design, League, PlayedBlock, PlaySettings
from tourney.league import workers
from tourney.league.pilot import PilotBlocks, design_needs, needed_blocks
from tourney.league.playing import block_games, deal_seed
from tourney.league.statistics import BlockMeans
from tourney.reports.leagues import studies as reports
from tourney.reports.render.page import page_text
from tourney.service.leagues import comparisons


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
    """The two-sided normal quantiles are 1.95996 and 2.57583, and that of power 0.8 is 0.84162: 7.8489 and 11.6790
    times the square of spread over gap.
    """
    assert needed_blocks(spread, gap, certainty) == blocks


def test_design_needs_match_a_calculation_by_hand() -> None:
    """Four differences ±10 and ±5 about −1 have variances 400/3 and 100/3.

    With 14 hands a block, 7.8489 × 400/3 gives 1047 blocks, 14,658 hands; with 28 hands a block, 7.8489 × 100/3 gives
    262 blocks, 7,336 hands: half.
    """
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


def test_the_pair_of_bots_that_needs_most_hands_counts() -> None:
    """The sums of squared differences, by hand: 3 for A and B, 50.75 for A and C, 56.75 for B and C."""
    rows = [(1.0, 2.0, 3.0), (2.0, 3.0, 9.0), (3.0, 4.0, 0.0), (4.0, 3.0, 7.0)]
    (need,) = design_needs({"pairs": PilotBlocks(112, rows)}, "ABC", 1.0, 0.95)
    assert {need.better, need.worse} == {"B", "C"}


def test_bots_that_never_differ_need_two_blocks_and_have_no_factor() -> None:
    alike = PilotBlocks(28, [(3.0, 3.0), (4.0, 4.0)])
    unlike = PilotBlocks(28, [(3.0, 3.0), (4.0, 5.0)])
    need = design_needs({"fresh": unlike, "pairs": alike}, "ABC", 1.0, 0.95)[1]
    assert (need.hands, need.fewer) == (28, None)


def test_a_league_of_the_needed_length_separates_the_bots_in_four_of_five_cases() -> None:
    """Of 400 leagues with the blocks needed for a spread of 6 and a gap of 1.5 at 95 %, 80 % separate the bots, within
    three standard errors.
    """
    rng = Random(11)
    blocks = needed_blocks(6.0, 1.5, 0.95)
    separated = 0
    for _league in range(400):
        means = BlockMeans(2)
        for _block in range(blocks):
            means.add((0.0, rng.gauss(1.5, 6.0)))
        separated += means.gap(1, 0).p_value() < 0.05
    assert abs(separated / 400 - 0.8) <= 0.06


def test_the_interval_of_the_factor_covers_the_true_factor_as_often_as_promised() -> None:
    """300 pairs of pilots have 60 blocks, spreads 9 and 5, and 14 and 35 hands a block: the factor is 81/25 × 14/35."""
    rng = Random(12)
    true_factor = 81 / 25 * 14 / 35
    covered, logs = 0, 0.0
    for _pilot in range(300):
        fresh = PilotBlocks(60 * 14, [(0.0, rng.gauss(1.0, 9.0)) for _ in range(60)])
        other = PilotBlocks(60 * 35, [(0.0, rng.gauss(1.0, 5.0)) for _ in range(60)])
        need = design_needs({"fresh": fresh, "replace": other}, "ABC", 1.0, 0.95)[1]
        assert need.fewer is not None
        assert need.fewer_low is not None
        assert need.fewer_high is not None
        covered += need.fewer_low <= true_factor <= need.fewer_high
        logs += log(need.fewer / true_factor)
    assert 0.91 <= covered / 300 <= 0.99
    assert abs(logs / 300) <= 0.05


# --- the command ----------------------------------------------------------------------------------------

PILOT = ("league", "pilot", "--bots", "greedy,greedy", "--seats", "2", "--games", "6", "--workers", "1")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line with pilots of three blocks."""
    monkeypatch.setattr(comparisons, "MIN_BLOCKS", 3)
    return Runner(capsys)


def played_gap_and_spread(seed: str) -> tuple[float, float]:
    """Return gap and spread of two greedy bots over three fresh blocks, played without the code of leagues."""
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


def test_a_pilot_plays_every_design_and_shows_the_hands_it_needs(run: Runner) -> None:
    """The pilot has the same bot twice, so that only the design `fresh` gives differences.

    With `fresh` 7.8489 times the squared spread is the number of blocks, each of 14 hands.
    """
    result = run(*PILOT, "--gap", "1", "--seed", "s", "--json")
    assert (result.code, result.err) == (0, "")
    data = result.json
    assert (data["bots"], data["gap"], data["certainty"], data["power"]) == (["greedy", "greedy-2"], 1.0, 0.95, 0.8)
    fresh, *paired = data["designs"]
    gap, spread = played_gap_and_spread("s")
    assert fresh["gap"] == pytest.approx(abs(gap))
    assert (fresh["better"] == "greedy") == (gap > 0)
    assert fresh["spread"] == pytest.approx(spread)
    assert fresh["hands"] == 14 * ceil(7.848880 * spread**2)
    assert (fresh["design"], fresh["played"], fresh["fewer"]) == ("fresh", 42, 1.0)
    assert [need["design"] for need in paired] == ["rotations", "pairs", "replace"]
    for need in paired:
        assert (need["gap"], need["spread"], need["hands"], need["fewer"]) == (0.0, 0.0, 28, None)


def need(design: Design, fewer: float) -> DesignNeed:
    """Return the needs of a design that takes 100,000 / `fewer` hands."""
    return DesignNeed(design, 2520, "planner", "random", 138.18, 1.71, 9.3, round(1e5 / fewer), fewer, 0.3, 1.2)


@pytest.mark.parametrize("bots", [("planner", "random"), ("greedy", "planner", "random")], ids=["two", "three"])
def test_text_has_a_row_for_each_design_within_80_columns(bots: tuple[str, ...]) -> None:
    """The factor may be below or above 1; the pair is named only if there are more than two bots."""
    needs = (need("fresh", 1.0), need("rotations", 0.63), need("pairs", 1.3))
    pilot = LeaguePilot(League(bots, "oficial", 4, "1", 1), 0.5, 0.95, 0.8, needs)
    lines = page_text(reports.pilot(pilot), 80).splitlines()
    title = f"Hands to separate 0.5 points a hand: {', '.join(bots)}, oficial, 4 at a table"
    assert " ".join(lines).startswith(f"{title} ")
    assert max(map(len, lines)) <= 80
    whole = page_text(reports.pilot(pilot)).splitlines()
    rows = [line.split() for line in whole if line.startswith(("fresh", "rotations", "pairs"))]
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
        raise workers.WorkerDied(4)

    monkeypatch.setattr(workers, "play_blocks", dies)
    result = run(*PILOT, "--gap", "1")
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert result.err == "error: worker processes died again and again at block 5\nhint: try --workers 1\n"


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
