"""Tests of ratings against published values, the closed form for two players, and the package `trueskill`."""

import math
import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.harness.rating_steps import Step, rate, rating_steps
from tests.oracles import formula1, trueskill_ratings
from tourney.domain.errors import TourneyError
from tourney.files.results import read_results
from tourney.ratings.kernel import rate_table
from tourney.ratings.model import Rating, ranking
from tourney.ratings.parameters import Parameters, RatingError, parse_parameters

DEFAULT = (25.0, 25.0 / 3.0)
TENTH = Parameters(draw=0.10)
EXACT = 1e-9


# --- one table -------------------------------------------------------------------------------------------

# The reference tests of the package trueskill 0.4.5 (trueskilltest.py: test_individual, test_upset; draw
# probability 0.10) give these values to three decimals and allow one unit of the last: some are truncated, not
# rounded.
PUBLISHED = [
    ("three", [DEFAULT] * 3, (1, 2, 3), [(31.675, 6.656), (25.000, 6.208), (18.325, 6.656)]),
    ("three tied", [DEFAULT] * 3, (1, 1, 1), [(25.000, 5.698), (25.000, 5.695), (25.000, 5.698)]),
    ("four", [DEFAULT] * 4, (1, 2, 3, 4), [(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)]),
    (
        "five",
        [DEFAULT] * 5,
        (1, 2, 3, 4, 5),
        [(34.363, 6.136), (29.058, 5.536), (25.000, 5.420), (20.942, 5.536), (15.637, 6.136)],
    ),
    ("two, an upset tie", [DEFAULT, (50.0, 12.5)], (1, 1), [(31.662, 7.137), (35.010, 7.910)]),
    (
        "eight, upside down",
        [(10.0, 8.0), (15.0, 7.0), (20.0, 6.0), (25.0, 5.0), (30.0, 4.0), (35.0, 3.0), (40.0, 2.0), (45.0, 1.0)],
        (1, 2, 3, 4, 5, 6, 7, 8),
        [
            (35.135, 4.506),
            (32.585, 4.037),
            (31.329, 3.756),
            (30.984, 3.453),
            (31.751, 3.064),
            (34.051, 2.541),
            (38.263, 1.849),
            (44.118, 0.983),
        ],
    ),
]


@pytest.mark.parametrize(
    ("skills", "places", "after"), [row[1:] for row in PUBLISHED], ids=[row[0] for row in PUBLISHED]
)
def test_published_values(
    skills: list[tuple[float, float]], places: tuple[int, ...], after: list[tuple[float, float]]
) -> None:
    """Skills equal the published ones to one unit of the third decimal."""
    for rated, published in zip(rate_table(TENTH, skills, places), after, strict=True):
        assert rated == pytest.approx(published, abs=0.001)


@pytest.mark.parametrize("gap", [-10.0, -3.0, 0.0, 3.0, 10.0])
def test_two_players_follow_the_closed_form(gap: float) -> None:
    """Herbrich's formula for two players, with the exact erfc, agrees to the accuracy of the package's erfc."""
    pool = Parameters()
    winner, loser = (25.0 + gap, 6.0), (25.0, 4.0)
    variances = [sigma**2 + pool.tau**2 for _, sigma in (winner, loser)]
    spread = math.sqrt(sum(variances) + 2 * pool.beta**2)
    # P(|N(0, 2 beta²)| < margin) = draw, so margin / (sqrt 2 beta) is that quantile: found by bisection.
    low, high = 0.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if math.erf(middle / math.sqrt(2)) < pool.draw else (low, middle)
    x = (gap - low * math.sqrt(2) * pool.beta) / spread
    v = math.exp(-x * x / 2) / math.sqrt(2 * math.pi) / (0.5 * math.erfc(-x / math.sqrt(2)))
    w = v * (v + x)
    expected = [
        (mu + sign * variance / spread * v, math.sqrt(variance * (1 - variance / spread**2 * w)))
        for (mu, _), sign, variance in zip((winner, loser), (1, -1), variances, strict=True)
    ]
    for rated, exact in zip(rate_table(pool, [winner, loser], (1, 2)), expected, strict=True):
        assert rated == pytest.approx(exact, abs=1e-4)


class RandomTable(NamedTuple):
    skills: list[tuple[float, float]]
    places: list[int]
    weights: list[float]


def random_table(generator: random.Random, size: int) -> RandomTable:
    """Return a random table of `size` players with ties; about every fourth player has played only part of the game."""
    skills = [(generator.uniform(0, 50), generator.uniform(0.7, 9)) for _ in range(size)]
    most = generator.randint(1, size)
    places = [generator.randint(1, most) for _ in range(size)]
    return RandomTable(skills, places, [min(1.0, generator.uniform(0.1, 4)) for _ in range(size)])


def by_trueskill(pool: Parameters, table: RandomTable) -> list[tuple[float, float]]:
    environment = trueskill.TrueSkill(pool.mu, pool.sigma, pool.beta, pool.tau, pool.draw)
    groups = [(environment.create_rating(mu, sigma),) for mu, sigma in table.skills]
    rated = environment.rate(groups, table.places, [(weight,) for weight in table.weights])
    return [(rating.mu, rating.sigma) for (rating,) in rated]


def assert_as_trueskill(pool: Parameters, table: RandomTable) -> None:
    rated = rate_table(pool, table.skills, table.places, table.weights)
    for ours, expected in zip(rated, by_trueskill(pool, table), strict=True):
        assert ours == pytest.approx(expected, abs=EXACT), table


@settings(max_examples=60, deadline=None)
@given(
    size=st.integers(2, 12),
    seed=st.integers(0, 2**32),
    tau=st.sampled_from([0.0, 0.3]),
    draw=st.sampled_from([0.001, 0.01, 0.4]),
)
def test_random_tables_are_rated_as_by_trueskill(size: int, seed: int, tau: float, draw: float) -> None:
    """Ratings agree with the package for any skills, ties and weights, with tied players in the given order."""
    assert_as_trueskill(Parameters(beta=3.0, tau=tau, draw=draw), random_table(random.Random(seed), size))


@pytest.mark.parametrize("size", [16, 33, 64])
def test_large_tables_are_rated_as_by_trueskill(size: int) -> None:
    """Tables of up to 64 players agree with the package."""
    for seed in range(4):
        skills, places, _ = random_table(random.Random(seed), size)
        assert_as_trueskill(Parameters(), RandomTable(skills, places, [1.0] * size))


@pytest.mark.parametrize("size", [2, 3, 4, 8])
@pytest.mark.parametrize("number", [50, pytest.param(5000, marks=pytest.mark.soak)])
def test_many_tables_are_rated_as_by_trueskill(size: int, number: int) -> None:
    """Random tables with the default parameters agree with the package; the long run has 5,000 of each size."""
    generator = random.Random(f"{size} players")
    for _ in range(number):
        assert_as_trueskill(Parameters(), random_table(generator, size))


def test_a_whole_game_is_a_weight_of_one() -> None:
    """No weights means weights of 1, to the last bit; half a game changes a rating less."""
    skills, places = [DEFAULT] * 3, (2, 1, 3)
    assert rate_table(Parameters(), skills, places, [1.0] * 3) == rate_table(Parameters(), skills, places)
    _, _, (whole, _) = rate_table(Parameters(mu=0.0), [(0.0, 8.0)] * 3, (1, 2, 3))
    _, _, (part, _) = rate_table(Parameters(mu=0.0), [(0.0, 8.0)] * 3, (1, 2, 3), [1.0, 1.0, 0.5])
    assert whole < part < 0.0


def test_without_ties_the_order_of_the_players_does_not_matter() -> None:
    """Players listed in another order get the same skills to the last bit."""
    skills = [(20.0 + 3 * place, 8.0 - place) for place in range(6)]
    places = [4, 1, 6, 2, 5, 3]
    rated = dict(zip(places, rate_table(Parameters(), skills, places), strict=True))
    by_place = sorted(zip(places, skills, strict=True))
    listed = rate_table(Parameters(), [skill for _, skill in by_place], [place for place, _ in by_place])
    assert listed == [rated[place] for place in sorted(places)]


@pytest.mark.parametrize("skills", [[(1e308, 1.0), (-1e308, 1.0)], [(1e200, 1.0), (0.0, 1e200)]])
def test_skills_too_far_apart_for_floats_are_refused(skills: list[tuple[float, float]]) -> None:
    """Where the numbers overflow, the error says how far apart the skills are, whoever wins."""
    for places in ((1, 2), (2, 1), (1, 1)):
        with pytest.raises(RatingError, match=r"skills (inf|1e\+200) apart at one table, with beta 4.16667"):
            rate_table(Parameters(), skills, places)


@pytest.mark.parametrize(
    ("skills", "places", "message"),
    [
        ([DEFAULT, DEFAULT], (1,), "2 skills but 1 places"),
        ([DEFAULT, (25.0, 0.0)], (1, 2), "sigma 0.0"),
        ([DEFAULT, (math.nan, 1.0)], (1, 2), "mu nan"),
        ([DEFAULT, (25.0, math.inf)], (1, 2), "sigma inf"),
        ([(math.inf, 1.0)], (1,), "mu inf"),
    ],
)
def test_invalid_skills_are_refused(skills: list[tuple[float, float]], places: tuple[int, ...], message: str) -> None:
    """Skills that are not finite, and lists of unequal length, are refused before any arithmetic."""
    with pytest.raises(RatingError, match=message):
        rate_table(Parameters(), skills, places)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ((1.0,), "2 skills but 1 weights"),
        ((1.0, 0.0), "a weight of 0.0; it must be more than 0 and at most 1"),
        ((1.0, 1.5), "a weight of 1.5"),
        ((math.nan, 1.0), "a weight of nan"),
    ],
)
def test_invalid_weights_are_refused(weights: tuple[float, ...], message: str) -> None:
    """A weight is more than 0 and at most 1."""
    with pytest.raises(RatingError, match=message):
        rate_table(Parameters(), [DEFAULT, DEFAULT], (1, 2), weights)


# --- parameters ------------------------------------------------------------------------------------------


def test_the_defaults_are_those_of_trueskill_except_draw() -> None:
    """The package has mu 25, sigma 25/3, beta 25/6 and tau 25/300; our draw probability is 0.01."""
    pool = Parameters()
    package = (trueskill.MU, trueskill.SIGMA, trueskill.BETA, trueskill.TAU)
    assert (pool.mu, pool.sigma, pool.beta, pool.tau) == pytest.approx(package, rel=1e-15)
    assert pool.draw == 0.01


def test_a_draw_probability_of_zero_would_let_a_tie_raise_sigma() -> None:
    """The package then computes such a tie without an error; therefore we refuse 0."""
    environment = trueskill.TrueSkill(draw_probability=0)
    first, _ = trueskill.rate_1vs1(environment.create_rating(), environment.create_rating(), True, env=environment)
    assert first.sigma > trueskill.SIGMA
    (_, sigma), _ = rate_table(Parameters(draw=0.001), [DEFAULT, DEFAULT], (1, 1))
    assert sigma < trueskill.SIGMA


@given(
    st.builds(
        Parameters,
        mu=st.floats(-1e6, 1e6),
        sigma=st.floats(1e-6, 1e6),
        beta=st.floats(1e-6, 1e6),
        tau=st.floats(0, 1e6),
        draw=st.floats(0.001, 0.999),
        absence=st.floats(0, 1e6),
    )
)
def test_parameters_are_read_back_from_their_text(parameters: Parameters) -> None:
    """The text gives the same numbers, to the last bit."""
    assert parse_parameters(str(parameters)) == parameters


def test_omitted_parameters_have_their_defaults() -> None:
    """A text may name only some parameters, in any order, and set them to 0."""
    assert parse_parameters("tau=0 beta=2.5") == Parameters(beta=2.5, tau=0.0)
    assert parse_parameters("") == Parameters()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("draw=0", "draw is 0.0; it must be at least 0.001 and less than 1"),
        ("draw=0.0009", "it must be at least 0.001"),
        ("draw=1", "less than 1"),
        ("sigma=0", "sigma is 0.0; it must be more than 0"),
        ("beta=-1", "beta is -1.0; it must be more than 0"),
        ("absence=-1", "absence is -1.0; it must be 0 or more"),
        ("absence=nan", "absence is nan; it must be a finite number"),
        ("tau=-0.1", "tau is -0.1; it must be 0 or more"),
        ("mu=nan", "mu is nan; it must be a finite number"),
        ("beta=inf", "beta is inf; it must be a finite number"),
        ("gamma=1", "no parameter 'gamma'; there are: mu, sigma, beta, tau, draw"),
        ("mu", "mu is ''; it must be a number"),
        ("mu=x", "mu is 'x'; it must be a number"),
        ("mu=1 mu=1", "parameter 'mu' is given twice"),
    ],
)
def test_parameters_out_of_range_are_refused(text: str, message: str) -> None:
    """The error is both a ValueError and a TourneyError, with one line that says what is allowed."""
    with pytest.raises(ValueError, match=message) as caught:
        parse_parameters(text)
    assert isinstance(caught.value, TourneyError)


# --- results in order ------------------------------------------------------------------------------------


class Season(NamedTuple):
    """Our steps of Formula 1, and the ratings after the last race by driver."""

    steps: list[Step]
    ratings: dict[str, Rating]


def rated_by_trueskill() -> dict[str, tuple[float, float, int, int, float]]:
    """Rate the races with the package; return mu, sigma, games, wins and last change by driver."""
    rater = trueskill_ratings.Rater()
    changes: dict[str, float] = {}
    for drivers, places in formula1.races():
        before = [rater.ratings[driver] for driver in drivers]
        rater.rate(drivers, places)
        for driver, old in zip(drivers, before, strict=True):
            new = rater.ratings[driver]
            changes[driver] = (new.mu - 3 * new.sigma) - (old.mu - 3 * old.sigma)
    return {name: (*row, changes[name]) for name, row in rater.table().items()}


@pytest.fixture(scope="session")
def season() -> Season:
    ours = list(rating_steps(((game.players, game.places) for game in read_results(formula1.FILE)), Parameters()))
    return Season(ours, {rating.player: rating for step in ours for rating in step.after})


@pytest.mark.slow
def test_formula_1_is_rated_as_by_trueskill(season: Season) -> None:
    """All 679 drivers of 1,160 races agree: mu, sigma and last change to 1e-9, games and wins exactly."""
    assert len(season.steps) == 1160
    assert len(season.ratings) == 679
    expected = rated_by_trueskill()
    assert season.ratings.keys() == expected.keys()
    for name, (mu, sigma, games, wins, change) in expected.items():
        rating = season.ratings[name]
        assert (rating.mu, rating.sigma, rating.change) == pytest.approx((mu, sigma, change), abs=EXACT)
        assert (rating.games, rating.wins) == (games, wins)


def test_every_step_continues_from_the_last(season: Season) -> None:
    """A driver's rating before a race is the one after their previous race, or a newcomer's."""
    last: dict[str, Rating] = {}
    for step in season.steps:
        for before, after in zip(step.before, step.after, strict=True):
            assert before == last.get(before.player, Rating(before.player, *DEFAULT))
            last[after.player] = after
        assert tuple(rating.player for rating in step.after) == step.game[0]


def test_the_ranking_is_by_score(season: Season) -> None:
    """Every driver appears once, by falling score; the rank is one more than the number of better scores."""
    rows = ranking(season.ratings)
    assert sorted(row.player for row in rows) == sorted(season.ratings)
    scores = [rating.mu - 3 * rating.sigma for rating in season.ratings.values()]
    assert [row.score for row in rows] == sorted(scores, reverse=True)
    for row in rows[::50]:
        assert row.rank == 1 + sum(other.score > row.score for other in rows)
        assert row.score == row.mu - 3 * row.sigma


def test_a_shared_first_place_is_a_win_for_each() -> None:
    """Wins count each place 1, shared or not."""
    games = [(("Ana", "Beñat", "Carla"), (1, 1, 3)), (("Carla", "Ana"), (1, 2))]
    ratings = rate(games, Parameters())
    assert {name: (rating.games, rating.wins) for name, rating in ratings.items()} == {
        "Ana": (2, 1),
        "Beñat": (1, 1),
        "Carla": (2, 1),
    }


def test_a_game_of_one_changes_nothing() -> None:
    """The only player of a game keeps their skill."""
    assert rate_table(Parameters(), [DEFAULT], (1,)) == [DEFAULT]


def test_equal_scores_share_a_rank() -> None:
    """Ties are sorted by name, and the next rank counts all of them."""
    ratings = {name: Rating(name, mu, 1.0) for name, mu in [("d", 5.0), ("b", 9.0), ("a", 9.0), ("c", 12.0)]}
    assert [(row.rank, row.player) for row in ranking(ratings)] == [(1, "c"), (2, "a"), (2, "b"), (4, "d")]


def test_a_game_that_cannot_be_computed_is_named() -> None:
    """The error names the game whose players are too far apart."""
    start = {"Ana": Rating("Ana", 1e200, 1e200)}
    with pytest.raises(RatingError, match="game 2: skills 1e\\+200 apart"):
        rate([(("Beñat", "Carla"), (1, 2)), (("Beñat", "Ana"), (1, 2))], Parameters(), start)


def test_rating_loads_no_heavy_package() -> None:
    """Rating a table loads neither trueskill nor SQL nor terminal packages."""
    code = (
        "import sys\nfrom tourney.ratings import backtest, fold, forecast, intervals, kernel, shapley\n"
        "heavy = {'trueskill', 'sqlmodel', 'sqlalchemy', 'pydantic', 'typer', 'rich', 'engine'}\n"
        "kernel.rate_table(fold.Parameters(), [(25.0, 8.0)] * 2, (1, 2))\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    root = Path(__file__).parents[3]
    process = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "[]"
