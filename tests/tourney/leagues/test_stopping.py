"""Tests of the stopping rule: when leagues end, and how often with a wrong order, in simulated leagues."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from tests.harness.commands import Runner
from tourney.league import statistics
from tourney.league.statistics import (
    FIRST_LOOK,
    BlockMeans,
    StoppingRule,
    Verdict,
    lead,
    order_certainty,
    rank_interval,
    ranking,
    stopping_rule,
    summarize,
)

Noise = Callable[[Random], float]
NOISES: dict[str, Noise] = {
    "normal": lambda rng: rng.gauss(0.0, 1.0),
    "heavy tails": lambda rng: rng.gauss(0.0, 1.0) / sqrt(rng.gammavariate(1.5, 2.0)),
    "skewed": lambda rng: rng.expovariate(1.0) - 1.0,
    "mostly zero": lambda rng: rng.choice((-3.0, 3.0)) if rng.random() < 0.1 else 0.0,
}
"""The distributions of what a block adds to a bot's true mean, with a spread of about 1; the one with heavy tails has
no fourth moment."""


@pytest.mark.parametrize(
    ("blocks", "looks"),
    [
        (1000, (64, 128, 256, 512, 1000)),
        (512, (64, 128, 256, 512)),
        (513, (64, 128, 256, 512, 513)),
        (64, (64,)),
        (10, (10,)),
        (1, (1,)),
    ],
)
def test_looks_are_at_doubled_numbers_of_blocks_and_at_the_end(blocks: int, looks: tuple[int, ...]) -> None:
    assert FIRST_LOOK == 64
    assert stopping_rule(0.95, blocks).looks == looks


def means_of(values: list[tuple[float, ...]]) -> BlockMeans:
    means = BlockMeans(len(values[0]))
    for row in values:
        means.add(row)
    return means


def test_nothing_is_decided_between_looks() -> None:
    rule = StoppingRule(0.95, (4, 8))
    rows = [(1.0, 9.0), (2.0, 9.0), (1.0, 8.0), (2.0, 9.0), (1.0, 9.0)]
    verdicts = [rule.verdict(means_of(rows[:blocks])) for blocks in range(1, 6)]
    assert verdicts == ["open", "open", "open", "certain", "open"]


def test_the_last_look_ends_a_league_whose_bots_are_equal() -> None:
    rule = StoppingRule(0.95, (2, 4))
    rows = [(1.0, 1.0)] * 4
    assert [rule.verdict(means_of(rows[:blocks])) for blocks in range(1, 5)] == [
        "open",
        "open",
        "open",
        "not separated",
    ]


@pytest.mark.parametrize(
    ("blocks", "differing", "verdict"),
    [
        pytest.param(128, 0, "open", id="too few blocks"),
        pytest.param(256, 0, "not separated", id="256 blocks without a difference"),
        pytest.param(256, 1, "open", id="one difference"),
    ],
)
def test_bots_that_never_differ_are_not_played_to_the_end(blocks: int, differing: int, verdict: Verdict) -> None:
    """Of three entrants the third is far behind; the others have equal points after `differing` different blocks."""
    rng = Random(blocks)
    luck = [rng.gauss(20.0, 3.0) for _block in range(blocks)]
    rows = [(shared, shared + (block < differing), shared + 9.0) for block, shared in enumerate(luck)]
    assert stopping_rule(0.95, 100_000).verdict(means_of(rows)) == verdict


@pytest.mark.parametrize(
    ("t", "verdict"),
    [pytest.param(2.67, "certain", id="just above the bound"), pytest.param(2.65, "open", id="just below the bound")],
)
def test_the_bound_is_the_critical_value_for_its_share_of_the_error(t: float, verdict: Verdict) -> None:
    """With five looks and 0.95 each look has an error of 0.01 on both sides together.

    61 blocks have 60 degrees of freedom: the critical value is 2.660 for 0.005 (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
    The 61 differences are ±1 about a mean that gives them the wanted t.
    """
    rule = StoppingRule(0.95, (61, 122, 244, 488, 976))
    spread = [1.0] * 30 + [-1.0] * 30 + [0.0]
    shift = t * sqrt(1.0 / 61.0)
    assert rule.verdict(means_of([(0.0, shift + deviation) for deviation in spread])) == verdict


@pytest.mark.parametrize("seed", range(30))
def test_all_entrants_are_separated_if_all_neighbours_are(seed: int) -> None:
    """The proof of the rule needs this: the p value of a lead is at most the highest of the neighbours in between."""
    rng = Random(seed)
    entrants = rng.randint(3, 7)
    means = means_of([tuple(rng.gauss(place, 9.0) for place in range(entrants)) for _ in range(rng.randint(2, 40))])
    order = ranking(means)
    for first, last in combinations(range(entrants), 2):
        between = [lead(means, a, b).p_value() for a, b in pairwise(order[first : last + 1])]
        assert lead(means, order[first], order[last]).p_value() <= max(between) * (1.0 + 1e-9)


# --- simulated leagues ----------------------------------------------------------------------------------


def play_until_stopped(
    rule: StoppingRule, true_means: tuple[float, ...], noise: Noise, rng: Random
) -> tuple[BlockMeans, Verdict]:
    """Simulate a league of bots with these true means until the rule ends it; return its means and the verdict."""
    means = BlockMeans(len(true_means))
    while True:
        shared = rng.gauss(0.0, 3.0)
        means.add([mean + shared + noise(rng) for mean in true_means])
        if (verdict := rule.verdict(means)) != "open":
            return means, verdict


def count_endings(true_means: tuple[float, ...], noise: Noise, leagues: int, certainty: float = 0.95) -> Counter[str]:
    """Count simulated leagues by verdict, those with a wrong order (or an order of equal bots), and those whose final
    intervals of a mean, a lead and a rank cover the true value.
    """
    rule = stopping_rule(certainty, 1024)
    rng = Random(f"leagues {true_means}")
    counts: Counter[str] = Counter()
    for _league in range(leagues):
        means, verdict = play_until_stopped(rule, true_means, noise, rng)
        summary = summarize(means, looks=len(rule.looks))
        steps = [true_means[after] - true_means[before] for before, after in pairwise(summary.order)]
        counts[verdict] += 1
        counts["wrong"] += verdict == "certain" and min(steps) <= 0.0
        low, high = means.mean(0).interval(certainty, len(rule.looks))
        counts["mean covered"] += low <= true_means[0] <= high
        low, high = summary.leads[0].interval(certainty, len(rule.looks))
        counts["lead covered"] += low <= steps[0] <= high
        others = [other for other in range(len(true_means)) if other != 1]
        first, last = rank_interval([lead(means, 1, other) for other in others], certainty, len(rule.looks))
        counts["rank covered"] += first <= 1 + sum(mean < true_means[1] for mean in true_means) and last >= sum(
            mean <= true_means[1] for mean in true_means
        )
    return counts


TRUE_MEANS = {
    "four steps": (20.0, 20.5, 21.1, 21.6),
    "four, two of them close": (20.0, 20.02, 21.0, 22.0),
    "three equals": (20.0, 20.0, 20.0),
    "two equals": (20.0, 20.0),
}
SEPARABLE = ("four steps",)


def check_promise(field: str, name: str, leagues: int) -> None:
    """Simulate leagues at 95 %: at most 5 % may end with a wrong order, and about 95 % of intervals must cover."""
    counts = count_endings(TRUE_MEANS[field], NOISES[name], leagues)
    assert counts["wrong"] <= 0.05 * leagues
    assert counts["mean covered"] >= 0.95 * leagues
    assert counts["rank covered"] >= 0.95 * leagues
    assert counts["lead covered"] >= 0.94 * leagues
    if field in SEPARABLE:
        assert counts["certain"] - counts["wrong"] >= 0.95 * leagues
    else:
        assert counts["not separated"] >= 0.9 * leagues


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("four steps", "normal"),
        ("four steps", "heavy tails"),
        ("two equals", "normal"),
        ("two equals", "mostly zero"),
    ],
)
def test_at_most_the_promised_share_of_leagues_ends_with_a_wrong_order(field: str, name: str) -> None:
    check_promise(field, name, 200)


@pytest.mark.soak
@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("field", TRUE_MEANS)
def test_at_most_the_promised_share_of_a_thousand_leagues_ends_with_a_wrong_order(field: str, name: str) -> None:
    check_promise(field, name, 1000)


def test_five_looks_without_correction_would_end_more_leagues_with_a_wrong_order() -> None:
    """With equal bots and five looks at 95 % each, at least one simulated league in twelve ends with an order."""
    rule = stopping_rule(0.95, 1024)
    rng = Random(3)
    wrong = 0
    for _league in range(200):
        means = BlockMeans(2)
        for blocks in range(1, rule.looks[-1] + 1):
            means.add((0.0, rng.gauss(0.0, 1.0)))
            if blocks in rule.looks and order_certainty(means) >= 0.95:
                wrong += 1
                break
    assert wrong >= 200 / 12


# --- the command ----------------------------------------------------------------------------------------


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line with leagues whose first look is after four blocks."""
    monkeypatch.setattr(statistics, "FIRST_LOOK", 4)
    monkeypatch.setattr(statistics, "IDENTICAL_BLOCKS", 8)
    return Runner(capsys)


@pytest.mark.parametrize(
    ("bots", "blocks", "state", "message"),
    [
        ("greedy,greedy", 8, "not separated", "greedy and greedy-2 have not differed in any block"),
        ("greedy,random", 4, "certain", "% certain: the league has ended."),
    ],
)
def test_a_league_played_until_certain_ends_at_a_look(
    run: Runner, tmp_path: Path, bots: str, blocks: int, state: str, message: str
) -> None:
    """A bot against itself never differs with the same cards, and greedy is 100 points better than random."""
    words = ("league", "run", "--bots", bots, "--seats", "2", "--until-sure", "0.95", "--workers", "1")
    data = run(*words, "--db", str(tmp_path / "a.db"), "--json").json
    assert (data["blocks"], data["of_blocks"], data["state"]) == (blocks, 100_000, state)
    assert message in run("league", "status", "--db", str(tmp_path / "a.db")).out


def test_a_league_not_certain_after_all_its_blocks_says_so(run: Runner, tmp_path: Path) -> None:
    """Six blocks of the same bot twice with fresh deals cannot separate the two at 99.9999 %."""
    words = ("league", "run", "--bots", "greedy,greedy", "--seats", "2", "--design", "fresh", "--workers", "1")
    result = run(*words, "--until-sure", "0.999999", "--blocks", "6", "--db", str(tmp_path / "a.db"))
    assert result.code == 0
    assert "Not separated: after all blocks the order is only" in result.out
