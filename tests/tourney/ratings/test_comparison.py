"""Tests of the comparison of our ratings with `trueskill`: differences, and games that it cannot compute."""

import math
import random
from pathlib import Path

import pytest
import trueskill

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.ratings.imported import import_text
from tests.harness.slow import slow
from tests.oracles import formula1
from tourney.domain.errors import ExitCode
from tourney.domain.pools import Pool
from tourney.domain.rankings import ROUNDING, RatingsComparison
from tourney.files.results import read_results
from tourney.ratings.comparison import _Package, compare
from tourney.ratings.fold import Fold
from tourney.ratings.kernel import Kernel, Skill
from tourney.ratings.model import GameResult, Rating
from tourney.ratings.parameters import Parameters, RatingError
from tourney.reports.ratings import model_evaluation as reports
from tourney.service.ratings import model_evaluation, ratings

POOL = Pool("f1", "imported", "25.0", "8.3", "4.2", "0.1", "0.01")


def races(number: int) -> list[GameResult]:
    return [(game.players, game.places) for game in read_results(formula1.FILE)][:number]


def rated(games: list[GameResult], parameters: Parameters) -> dict[str, Rating]:
    fold = Fold(parameters)
    fold.add_all(games)
    return dict(fold.checkpoint().ratings)


def compared(games: list[GameResult], parameters: Parameters, ratings: dict[str, Rating]) -> RatingsComparison:
    return compare(POOL, parameters, games, ratings)


def test_our_ratings_are_those_of_the_package() -> None:
    """The ratings of 40 races differ by rounding only, and the package computes all of them."""
    comparison = compared(races(40), Parameters(), rated(races(40), Parameters()))
    assert comparison.agree
    assert (comparison.games, comparison.beyond, comparison.version) == (40, (), trueskill.__version__)
    assert comparison.players == len({player for players, _ in races(40) for player in players})


@pytest.mark.parametrize(("mu", "sigma"), [(2e-9, 0.0), (0.0, 2e-9), (-3.0, 1.0)])
def test_the_player_of_the_greatest_difference_is_named(mu: float, sigma: float) -> None:
    """A change of one player's mu and another's sigma is comparison, measured and named."""
    ratings = rated(races(40), Parameters())
    first, second = list(ratings)[7], list(ratings)[9]
    ratings[first] = Rating(first, ratings[first].mu + mu, ratings[first].sigma)
    ratings[second] = Rating(second, ratings[second].mu, ratings[second].sigma + sigma)
    comparison = compared(races(40), Parameters(), ratings)
    assert not comparison.agree
    assert (comparison.mu, comparison.sigma) == pytest.approx((abs(mu), sigma), abs=1e-9)
    assert (comparison.mu_player == first) == (mu != 0.0)
    assert (comparison.sigma_player == second) == (sigma != 0.0)


def tied_games(number: int, seed: str) -> list[GameResult]:
    """Return games of three to eight of 300 players of skills 6 apart, one neighbour in ten tied."""
    draw = random.Random(seed)
    skills = {f"p{player}": draw.gauss(0.0, 6.0) for player in range(300)}
    games = []
    for _ in range(number):
        table = draw.sample(list(skills), draw.choice((3, 4, 4, 5, 8)))
        order = sorted(table, key=lambda player: skills[player] + draw.gauss(0.0, 4.0), reverse=True)
        places = [1]
        for seat in range(1, len(order)):
            places.append(places[-1] if draw.random() < 0.1 else seat + 1)
        games.append((order, places))
    return games


@pytest.mark.parametrize("number", [200, *slow([60_000])])
def test_ties_with_a_narrow_margin_raise_no_alarm(number: int) -> None:
    """Floats lose half of their digits in such ties; a mu shown that is off by 1e-7 is still found."""
    narrow = Parameters(draw=0.01)
    games = tied_games(number, "ties")
    ratings = rated(games, narrow)
    comparison = compared(games, narrow, ratings)
    assert (comparison.agree, comparison.differing, comparison.shown) == (True, (), 0.0)
    moved = next(iter(ratings))
    ratings[moved] = Rating(moved, ratings[moved].mu + 1e-7, ratings[moved].sigma)
    assert not compared(games, narrow, ratings).agree


WIDE = {
    "a wide scale, as of Elo": Parameters(mu=1500.0, sigma=350.0, beta=200.0, tau=5.0),
    "the widest scale with the least noise": Parameters(sigma=1000.0, beta=50.0, tau=1.0),
    "narrow ties on a wide scale": Parameters(sigma=1000.0, beta=500.0, tau=10.0, draw=0.001),
    "skills that change at once": Parameters(sigma=100.0, beta=50.0, tau=50.0),
    "noise that is small beside sigma, as 8.33 beside 0.42": Parameters(beta=5 / 12),
    "far from zero": Parameters(mu=10_000.0),
    "the widest margin of ties": Parameters(draw=0.5),
}


@pytest.mark.parametrize("parameters", WIDE.values(), ids=WIDE)
def test_rounding_on_wide_scales_raises_no_alarm(parameters: Parameters) -> None:
    """A mu shown that is off by 1e-7 is found on each of them."""
    for games in (races(30), tied_games(100, "wide")):
        ratings = rated(games, parameters)
        comparison = compared(games, parameters, ratings)
        assert (comparison.agree, comparison.differing, comparison.shown) == (True, (), 0.0)
        moved = next(iter(ratings))
        ratings[moved] = Rating(moved, ratings[moved].mu + 1e-7, ratings[moved].sigma)
        assert not compared(games, parameters, ratings).agree


def far_games(number: int) -> list[GameResult]:
    """Return games of 64 of 76 players, whose skills are 40 apart where newcomers count as 8 apart."""
    draw = random.Random("far")
    skills = {f"p{player}": draw.gauss(0.0, 40.0) for player in range(76)}
    games = []
    for _ in range(number):
        order = sorted(draw.sample(list(skills), 64), key=lambda player: skills[player] + draw.gauss(0.0, 4.0))
        places = [1]
        for seat in range(1, len(order)):
            places.append(places[-1] if draw.random() < 0.1 else seat + 1)
        games.append((order, places))
    return games


@pytest.mark.parametrize("number", [4, *slow([60])])
def test_games_at_the_edge_of_what_the_package_computes_raise_no_alarm(number: int) -> None:
    """In large fields with wide noise and a wide margin its densities fall below the smallest normal float."""
    wide = Parameters(beta=2 * Parameters().sigma, draw=0.5)
    games = far_games(number)
    ratings = rated(games, wide)
    comparison = compared(games, wide, ratings)
    assert (comparison.agree, comparison.differing) == (True, ())
    assert comparison.beyond
    moved = next(iter(ratings))
    ratings[moved] = Rating(moved, ratings[moved].mu + 1e-7, ratings[moved].sigma)
    assert not compared(games, wide, ratings).agree


def test_a_comparison_beyond_the_floats_of_the_package_counts_as_one_that_it_cannot_compute() -> None:
    """An outcome of 37.4 standard deviations is compared; one of 37.6, where its density is below 2.2e-308, is not."""
    parameters = Parameters(tau=0.0, draw=0.001)
    package = _Package(parameters)
    deviation = math.sqrt(2.0 * (1.0 + parameters.beta**2))
    for far, computed in ((37.4, True), (37.6, False)):
        assert (package.rate([(0.0, 1.0), (far * deviation, 1.0)], [1, 2]) is not None) == computed
        assert (package.rate([(0.0, 1.0), (far * deviation, 1.0)], [1, 1]) is not None) == computed


def test_a_game_that_stops_a_sweep_earlier_is_no_difference_and_one_rated_otherwise_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The package is replaced by our own update with one sweep less; then by one that gives the winner 1e-6 more."""
    games, parameters = tied_games(40, "sweeps"), Parameters(draw=0.01)
    ratings = rated(games, parameters)

    def earlier(_package: object, skills: list[Skill], places: list[int]) -> list[Skill]:
        swept = [Kernel(parameters.beta, parameters.tau, 0.01, sweeps).rate(skills, places) for sweeps in range(1, 11)]
        return next((skills for skills in reversed(swept) if skills != swept[-1]), swept[-1])

    def generous(_package: object, skills: list[Skill], places: list[int]) -> list[Skill]:
        (mu, sigma), *others = Kernel(parameters.beta, parameters.tau, 0.01).rate(skills, places)
        return [(mu + 1e-6, sigma), *others]

    monkeypatch.setattr("tourney.ratings.comparison._Package.rate", earlier)
    comparison = compared(games, parameters, ratings)
    assert comparison.agree
    assert comparison.mu > ROUNDING
    monkeypatch.setattr("tourney.ratings.comparison._Package.rate", generous)
    comparison = compared(games, parameters, ratings)
    # A game whose last sweep changed more than 1e-6 cannot tell.
    assert len(comparison.differing) > 20
    assert "The database is not at fault" in reports.verified(comparison).lines[0]


def test_ratings_of_other_players_are_refused() -> None:
    """Missing or additional players are an error, not a difference."""
    ratings = rated(races(2), Parameters())
    with pytest.raises(RatingError, match="ratings are of other players than the games"):
        compared(races(3), Parameters(), ratings)


def test_a_pool_without_games_agrees() -> None:
    comparison = compared([], Parameters(), {})
    assert (comparison.agree, comparison.games, comparison.mu, comparison.mu_player) == (True, 0, 0.0, "")


@pytest.mark.parametrize("failure", [FloatingPointError, ZeroDivisionError, ValueError])
def test_games_that_the_package_cannot_compute_are_numbered(
    failure: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the package fails, it continues from our ratings, and later games are compared."""
    package = trueskill.TrueSkill.rate
    games = races(30)
    calls: list[int] = []

    def rate(self: trueskill.TrueSkill, groups: object, places: object) -> object:
        calls.append(1)
        if len(calls) in (7, 20):
            raise failure("too far apart")
        return package(self, groups, places)

    monkeypatch.setattr(trueskill.TrueSkill, "rate", rate)
    comparison = compared(games, Parameters(), rated(games, Parameters()))
    assert (comparison.beyond, comparison.games, comparison.agree) == ((7, 20), 30, True)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    return desk.evening(tmp_path_factory.mktemp("evening") / "club.db")


def test_a_pool_of_people_is_verified_by_name(evening: str, run: Runner) -> None:
    """The JSON has the greatest differences and their players, as the service returns them."""
    comparison = model_evaluation.verify(evening)
    shown = ratings.ratings(evening)
    assert comparison.agree
    assert comparison.players == len(shown.rows)
    assert {comparison.mu_player, comparison.sigma_player} <= {row.player for row in shown.rows}
    result = run("rating", "verify", "--db", evening, "--json")
    assert (result.code, result.err) == (0, "")
    assert result.json["agree"] is True
    assert (result.json["games"], result.json["mu"], result.json["mu_player"]) == (
        comparison.games,
        comparison.mu,
        comparison.mu_player,
    )


def test_ratings_that_differ_have_exit_code_1(evening: str, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is lowered below 0, so that the ratings count as different; the output says so."""
    monkeypatch.setattr("tourney.domain.rankings.ROUNDING", -1.0)
    result = run("rating", "verify", "--db", evening)
    assert result.code == ExitCode.REFUSED
    assert "The ratings shown are up to" in result.out


def test_an_imported_pool_is_verified(tmp_path: Path, run: Runner) -> None:
    """The first Formula 1 races are verified, and progress is reported game by game."""
    lines = formula1.FILE.read_text(encoding="utf-8").splitlines(keepends=True)[:300]
    db, games = import_text(tmp_path, "".join(lines), "f1"), len({line.split(",")[0] for line in lines[1:]})
    reported: list[tuple[int, int]] = []
    assert model_evaluation.verify(db, "F1", lambda done, total: reported.append((done, total))).agree
    assert reported == [(number, games) for number in range(1, games + 1)]
    result = run("rating", "verify", "--pool", "f1", "--db", db)
    assert result.code == 0
    assert f"The pool f1, {games} games of" in result.out
    assert "trueskill 0.4.5" in result.out
    assert "the same, to rounding" in result.out


def test_many_games_beyond_the_package_are_not_all_listed() -> None:
    """The note lists the first ten games, the JSON all."""
    comparison = RatingsComparison(POOL, "0.4.5", 50, 2, 0.0, "a", 0.0, "b", tuple(range(1, 13)))
    report = reports.verified(comparison)
    assert report.notes == (
        "trueskill cannot compute 12 games, whose players are too far apart, and continues from our ratings: "
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …",
    )
    assert report.structure()["beyond"] == list(range(1, 13))
