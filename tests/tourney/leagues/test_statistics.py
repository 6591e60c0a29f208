"""Statistics of leagues: against published tables, hand arithmetic and simulated leagues."""

import statistics
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, pairwise
from math import atan, cos, erfc, inf, pi, sin, sqrt
from random import Random

import pytest

from tourney.league.statistics import Best, BlockMeans, Estimate, lead, rank_interval, summarize
from tourney.league.student_t import critical_value, upper_tail

# --- Student's t ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "row"),
    [
        (1, (3.078, 6.314, 12.706, 31.821, 63.657)),
        (2, (1.886, 2.920, 4.303, 6.965, 9.925)),
        (3, (1.638, 2.353, 3.182, 4.541, 5.841)),
        (4, (1.533, 2.132, 2.776, 3.747, 4.604)),
        (5, (1.476, 2.015, 2.571, 3.365, 4.032)),
        (10, (1.372, 1.812, 2.228, 2.764, 3.169)),
        (20, (1.325, 1.725, 2.086, 2.528, 2.845)),
        (30, (1.310, 1.697, 2.042, 2.457, 2.750)),
        (120, (1.289, 1.658, 1.980, 2.358, 2.617)),
    ],
)
def test_critical_values_match_the_printed_tables(freedom: int, row: tuple[float, ...]) -> None:
    """NIST/SEMATECH e-Handbook, 1.3.6.7.2: upper critical values for 0.10, 0.05, 0.025, 0.01 and 0.005."""
    for probability, printed in zip((0.1, 0.05, 0.025, 0.01, 0.005), row, strict=True):
        assert abs(critical_value(probability, freedom) - printed) <= 0.0005001


def tail_by_series(t: float, freedom: int) -> float:
    """Abramowitz and Stegun 26.7.3 and 26.7.4: sums of as many terms as there are degrees of freedom."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = total = 0.0 if freedom == 1 else cos(angle) if odd else 1.0
    for factor in range(3 if odd else 2, freedom - 1, 2):
        term *= (factor - 1) / factor * cos(angle) ** 2
        total += term
    within = 2.0 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return 0.5 * (1.0 - within)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 8, 31, 62, 999, 4000])
def test_tails_match_the_finite_series(freedom: int) -> None:
    for t in (1e-9, 0.01, 0.3, 1.0, 1.7, 2.5, 4.0):
        assert upper_tail(t, freedom) == pytest.approx(tail_by_series(t, freedom), abs=1e-11)
        assert upper_tail(-t, freedom) == pytest.approx(1.0 - tail_by_series(t, freedom), abs=1e-11)


@pytest.mark.parametrize("t", [0.0, 0.5, 2.0, 4.0, 6.0])
def test_many_degrees_of_freedom_approach_the_normal_distribution(t: float) -> None:
    assert upper_tail(t, 100_000_000) == pytest.approx(0.5 * erfc(t / sqrt(2.0)), rel=1e-5)


def test_far_tails_keep_their_digits() -> None:
    """By 26.7.4 with two degrees of freedom: ½ (1 − t / √(2 + t²)), which is 1 / (2 t²) for a large t."""
    assert upper_tail(1e6, 2) == pytest.approx(0.5e-12, rel=1e-9)
    assert upper_tail(1e200, 3) == 0.0


# --- means, intervals and orders ------------------------------------------------------------------------------------

BLOCKS = [(1.0, 4.0, 2.5), (2.0, 3.0, 2.5), (6.0, 8.0, 2.5), (3.0, 9.0, 2.5)]
"""Three entrants' points a hand in four blocks."""


def means_of(blocks: list[tuple[float, ...]]) -> BlockMeans:
    means = BlockMeans(len(blocks[0]))
    for block in blocks:
        means.add(block)
    return means


def test_means_and_errors_match_hand_arithmetic() -> None:
    """1, 2, 6, 3: mean 3, squares 14, error √(14 / 3 / 4). Differences to 4, 3, 8, 9: 3, 1, 2, 6: the same."""
    means = means_of(BLOCKS)
    own, gap = means.mean(0), means.gap(1, 0)
    assert (own.value, own.blocks) == (3.0, 4)
    assert own.error == pytest.approx(sqrt(14 / 12))
    assert gap.value == pytest.approx(3.0)
    assert gap.error == pytest.approx(sqrt(14 / 12))
    turned = means.gap(0, 1)
    assert (turned.value, turned.error) == (-gap.value, gap.error)
    assert means.mean(2) == Estimate(2.5, 0.0, 4)


def test_an_interval_reaches_as_many_errors_as_the_table_says() -> None:
    """Four blocks have three degrees of freedom: 3.182 for 95 %, 5.841 for 99 %; 95 % at five looks is 99 % at each."""
    estimate = Estimate(10.0, 2.0, 4)
    assert estimate.interval() == pytest.approx((10.0 - 6.364, 10.0 + 6.364), abs=0.001)
    assert estimate.interval(0.99) == pytest.approx((10.0 - 11.682, 10.0 + 11.682), abs=0.001)
    assert estimate.interval(0.95, looks=5) == estimate.interval(0.99)


def test_the_order_and_its_certainty_match_hand_arithmetic() -> None:
    """Best are 2.5, 3 and 6. Third over first entrant: t = 0.5 / √(14/12) = 0.463, tail 0.3375 (series); twice that is
    its p value, two leads double it, and nothing is left of the certainty."""
    found = summarize(means_of(BLOCKS))
    assert found.order == (2, 0, 1)
    assert [estimate.value for estimate in found.leads] == pytest.approx([0.5, 3.0])
    t = 0.5 / sqrt(14 / 12)
    assert found.leads[0].confidence_above_zero() == pytest.approx(1.0 - tail_by_series(t, 3))
    assert found.certainty == 0.0
    assert summarize(means_of(BLOCKS), "highest").order == (1, 0, 2)


@pytest.mark.parametrize("looks", [1, 2, 5])
def test_certainty_of_two_is_one_minus_the_p_value_times_the_looks(looks: int) -> None:
    """Differences 3, 1, 2, 6: t = 3 / √(14/12) = 2.777 at three degrees of freedom."""
    found = summarize(means_of([row[:2] for row in BLOCKS]), looks=looks)
    assert found.certainty == pytest.approx(1.0 - looks * 2.0 * tail_by_series(3.0 / sqrt(14 / 12), 3))


@pytest.mark.parametrize(
    ("blocks", "above"),
    [
        pytest.param([(5.0, 7.0)], 0.5, id="one block proves nothing"),
        pytest.param([(5.0, 5.0)] * 9, 0.5, id="equal in all blocks"),
        pytest.param([(5.0, 7.0)] * 3, 0.875, id="three blocks alike are three throws of a coin"),
        pytest.param([(7.0, 5.0)] * 3, 0.125, id="the other way round"),
    ],
)
def test_blocks_with_equal_differences_count_as_a_sign_test(blocks: list[tuple[float, ...]], above: float) -> None:
    means = means_of(blocks)
    assert lead(means, 0, 1).confidence_above_zero() == above
    assert lead(means, 1, 0).confidence_above_zero() == 1.0 - above
    assert summarize(means).certainty == pytest.approx(max(0.0, 1.0 - 2.0 * min(above, 1.0 - above)))


def test_one_block_gives_no_interval_and_one_entrant_is_certain() -> None:
    assert means_of([(5.0, 7.0)]).mean(1).interval() == (-inf, inf)
    alone = summarize(means_of([(5.0,), (6.0,)]))
    assert (alone.order, alone.leads, alone.certainty) == ((0,), (), 1.0)


def test_the_confidence_of_a_pair_holds_at_every_look() -> None:
    """Differences 3, 1, 2, 6, as above: the p value counts once for each look; the confidence is at least one half."""
    means = means_of([row[:2] for row in BLOCKS])
    missed = tail_by_series(3.0 / sqrt(14 / 12), 3)
    for looks, sure in ((1, 1.0 - missed), (5, 1.0 - 5.0 * missed), (50, 0.5)):
        assert lead(means, 0, 1).confidence_above_zero(looks) == pytest.approx(sure)
        assert lead(means, 1, 0).confidence_above_zero(looks) == pytest.approx(1.0 - sure)


@pytest.mark.parametrize(
    ("best", "ranks"),
    [pytest.param("lowest", (1, 3, 1, 4), id="points"), pytest.param("highest", (3, 2, 3, 1), id="money")],
)
def test_equal_means_share_a_rank(best: Best, ranks: tuple[int, ...]) -> None:
    """The first and the third entrant have equal points in every block."""
    found = summarize(means_of([(1.0, 2.0, 1.0, 5.0), (3.0, 4.0, 3.0, 3.5)]), best)
    assert found.ranks == ranks


@pytest.mark.parametrize(
    ("gaps", "level", "looks", "ranks"),
    [
        pytest.param((2.76, 1.0, -2.76), 0.96, 1, (1, 4), id="short of the bound for a third of 0.04"),
        pytest.param((3.5, 1.0, -3.5), 0.96, 1, (2, 3), id="one is worse, one is better"),
        pytest.param((3.5, 1.0, -3.5), 0.96, 4, (1, 4), id="but not at four looks"),
        pytest.param((4.0, 4.0, 5.0), 0.96, 1, (1, 1), id="the best of all"),
        pytest.param((0.0, -4.0, -4.0), 0.96, 1, (3, 4), id="alike with one, worse than two"),
        pytest.param((), 0.95, 1, (1, 1), id="alone"),
    ],
)
def test_a_rank_is_below_the_significantly_better_and_above_the_significantly_worse(
    gaps: tuple[float, ...], level: float, looks: int, ranks: tuple[int, int]
) -> None:
    """Gaps in standard errors of eleven blocks: ten degrees of freedom. 0.04 over three others is 0.0067 to a side, and
    the printed bounds are 2.764 for 0.01 and 3.169 for 0.005; over four looks 0.0017, and 3.581 is that for 0.0025."""
    assert rank_interval([Estimate(gap, 1.0, 11) for gap in gaps], level, looks) == ranks


@pytest.mark.parametrize("seed", range(20))
def test_means_and_errors_match_exact_fractions(seed: int) -> None:
    """Points near each other and far from 0, up to eight entrants: the textbook's formula in fractions."""
    rng = Random(seed)
    entrants, number = rng.randint(2, 8), rng.randint(2, 60)
    far = rng.choice((0.0, 1e6))
    blocks = [tuple(far + rng.randint(-40, 90) / 8 for _ in range(entrants)) for _ in range(number)]
    means = means_of(blocks)
    for one, other in combinations(range(entrants), 2):
        exact = [Fraction(block[one]) - Fraction(block[other]) for block in blocks]
        gap = means.gap(one, other)
        assert gap.value == pytest.approx(float(sum(exact) / number), abs=1e-9)
        assert gap.error == pytest.approx(sqrt(statistics.variance(exact) / number), rel=1e-9)
    for entrant in range(entrants):
        assert means.mean(entrant).value == pytest.approx(statistics.fmean(block[entrant] for block in blocks))


def test_the_lowest_mean_is_best_in_points_and_the_highest_in_money() -> None:
    rng = Random(8)
    means = means_of([tuple(rng.gauss(0.0, 9.0) for _ in range(6)) for _ in range(5)])
    sides: tuple[tuple[Best, float], ...] = (("lowest", 1.0), ("highest", -1.0))
    for best, sign in sides:
        order = summarize(means, best).order
        assert all(sign * means.mean(a).value <= sign * means.mean(b).value for a, b in pairwise(order))
        assert all(lead(means, a, b, best).value >= 0.0 for a, b in pairwise(order))


# --- coverage of the intervals -------------------------------------------------------------------------

Noise = Callable[[Random], float]
NOISES: dict[str, Noise] = {
    "normal": lambda rng: rng.gauss(0.0, 1.0),
    "heavy tails": lambda rng: rng.gauss(0.0, 1.0) / sqrt(rng.gammavariate(1.5, 2.0) / 3.0),
    "skewed": lambda rng: rng.expovariate(1.0) - 1.0,
    "mostly zero": lambda rng: rng.choice((-5.0, 5.0)) if rng.random() < 0.1 else 0.0,
}
"""The distributions added by each block to a true mean; "mostly zero" is the difference of bots that seldom differ."""


def coverage(noise: Noise, blocks: int, leagues: int) -> tuple[float, float]:
    """Return how often 95 % intervals of a mean and of a difference cover the truth."""
    rng = Random(f"coverage {blocks}")
    own = gaps = 0
    for _league in range(leagues):
        means = BlockMeans(2)
        for _block in range(blocks):
            shared = rng.gauss(0.0, 3.0)
            first = 20.0 + shared + noise(rng)
            means.add((first, first + 1.0 + noise(rng)))
        low, high = means.mean(0).interval()
        own += low <= 20.0 <= high
        low, high = means.gap(1, 0).interval()
        gaps += low <= 1.0 <= high
    return own / leagues, gaps / leagues


@pytest.mark.parametrize(
    ("name", "blocks"),
    [("normal", 3), ("normal", 20), ("heavy tails", 20), ("skewed", 128), ("mostly zero", 128)],
)
def test_intervals_cover_the_truth_as_often_as_promised(name: str, blocks: int) -> None:
    """1,000 leagues: 95 % to three errors of the count; with heavy tails they may cover more."""
    own, gaps = coverage(NOISES[name], blocks, 1000)
    assert 0.93 <= own <= 0.97
    assert 0.93 <= gaps <= (0.99 if name == "heavy tails" else 0.97)


@pytest.mark.soak
@pytest.mark.parametrize("blocks", [2, 5, 64, 200])
@pytest.mark.parametrize("name", NOISES)
def test_intervals_of_many_leagues_cover_the_truth_as_often_as_promised(name: str, blocks: int) -> None:
    """10,000 leagues. Few blocks of skewed or mostly zero differences cover less, hence FIRST_LOOK."""
    own, gaps = coverage(NOISES[name], blocks, 10_000)
    assert 0.94 <= own <= 0.97
    if blocks >= 64 or name in ("normal", "heavy tails"):
        assert 0.935 <= gaps <= 0.99
