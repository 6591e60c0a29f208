"""Ratings compared with those of the package: differences, their players, and games it cannot compute."""

import os
from pathlib import Path

import pytest
import trueskill

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.rankings import Pool, RatingsComparison
from tourney.files.results import read_results
from tourney.ratings.comparison import compare
from tourney.ratings.fold import Fold
from tourney.ratings.model import GameResult, Rating
from tourney.ratings.parameters import Parameters, RatingError
from tourney.reports.ratings import model_evaluation as reports
from tourney.service.change import apply
from tourney.service.ratings import model_evaluation, ratings
from tourney.service.ratings.pools import ImportResults

POOL = Pool("f1", "imported", "25.0", "8.3", "4.2", "0.1", "0.01")
FORMULA1 = desk.ROOT / "fixtures" / "formula1.csv"


def races(number: int) -> list[GameResult]:
    return [(game.players, game.places) for game in read_results(FORMULA1)][:number]


def rated(games: list[GameResult], parameters: Parameters) -> dict[str, Rating]:
    fold = Fold(parameters)
    fold.add_all(games)
    return dict(fold.checkpoint().ratings)


def compared(games: list[GameResult], parameters: Parameters, ratings: dict[str, Rating]) -> RatingsComparison:
    return compare(POOL, parameters, games, ratings)


def test_ratings_of_our_fold_are_the_package_s() -> None:
    """Some races differ by rounding only, and the package computes all of them."""
    found = compared(races(40), Parameters(), rated(races(40), Parameters()))
    assert found.agree
    assert (found.games, found.beyond, found.version) == (40, (), trueskill.__version__)
    assert found.players == len({player for players, _ in races(40) for player in players})


@pytest.mark.parametrize(("mu", "sigma"), [(2e-9, 0.0), (0.0, 2e-9), (-3.0, 1.0)])
def test_the_player_of_the_greatest_difference_is_named(mu: float, sigma: float) -> None:
    """A moved mu and a moved sigma are found, measured and named."""
    ratings = rated(races(40), Parameters())
    one, other = list(ratings)[7], list(ratings)[9]
    ratings[one] = Rating(one, ratings[one].mu + mu, ratings[one].sigma)
    ratings[other] = Rating(other, ratings[other].mu, ratings[other].sigma + sigma)
    found = compared(races(40), Parameters(), ratings)
    assert not found.agree
    assert (found.mu, found.sigma) == pytest.approx((abs(mu), sigma), abs=1e-9)
    assert (found.mu_player == one) == (mu != 0.0)
    assert (found.sigma_player == other) == (sigma != 0.0)


def test_ratings_of_others_are_refused() -> None:
    """A player too many or too few is an error, not a difference."""
    ratings = rated(races(2), Parameters())
    with pytest.raises(RatingError, match="not those of the players"):
        compared(races(3), Parameters(), ratings)


def test_nobody_is_like_nobody() -> None:
    """A pool without games agrees."""
    found = compared([], Parameters(), {})
    assert (found.agree, found.games, found.mu, found.mu_player) == (True, 0, 0.0, "")


@pytest.mark.parametrize("failure", [FloatingPointError, ZeroDivisionError, ValueError])
def test_games_that_the_package_cannot_compute_are_numbered(
    failure: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the package fails it continues from our ratings, and later games are compared."""
    package = trueskill.TrueSkill.rate
    games = races(30)
    called: list[int] = []

    def rate(self: trueskill.TrueSkill, groups: object, places: object) -> object:
        called.append(1)
        if len(called) in (7, 20):
            raise failure("too far apart")
        return package(self, groups, places)

    monkeypatch.setattr(trueskill.TrueSkill, "rate", rate)
    found = compared(games, Parameters(), rated(games, Parameters()))
    assert (found.beyond, found.games, found.agree) == ((7, 20), 30, True)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    return desk.evening(tmp_path_factory.mktemp("evening") / "club.db")


def test_a_pool_of_people_is_verified_by_name(evening: str, run: Runner) -> None:
    """The club evening has 22 people at 30 tables; JSON has the differences themselves."""
    found = model_evaluation.verify(evening)
    shown = ratings.ratings(evening)
    assert found.agree
    assert found.players == len(shown.rows)
    assert {found.mu_player, found.sigma_player} <= {row.player for row in shown.rows}
    result = run("rating", "verify", "--db", evening, "--json")
    assert (result.code, result.err) == (0, "")
    assert result.json["agree"] is True
    assert (result.json["games"], result.json["mu"], result.json["mu_player"]) == (
        found.games,
        found.mu,
        found.mu_player,
    )


def test_ratings_that_differ_end_with_1(evening: str, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says so; the bound is lowered below rounding here."""
    monkeypatch.setattr("tourney.domain.rankings.ROUNDING", -1.0)
    result = run("rating", "verify", "--db", evening)
    assert result.code == ExitCode.REFUSED
    assert "differ by more than rounding" in result.out


def test_an_unknown_pool_is_not_found(evening: str, run: Runner) -> None:
    """An unknown pool ends with exit code 3."""
    result = run("rating", "verify", "--pool", "nix", "--db", evening)
    assert (result.code, result.out) == (ExitCode.NOT_FOUND, "")


def test_an_imported_pool_is_verified(tmp_path: Path, run: Runner) -> None:
    """Some Formula 1 races are verified, and progress is reported game by game."""
    file = tmp_path / "races.csv"
    file.write_text("".join(FORMULA1.read_text(encoding="utf-8").splitlines(keepends=True)[:300]), encoding="utf-8")
    db = os.fspath(tmp_path / "club.db")
    games = apply(db, ImportResults(file, "f1")).games
    reported: list[tuple[int, int]] = []
    assert model_evaluation.verify(db, "F1", lambda done, total: reported.append((done, total))).agree
    assert reported == [(number, games) for number in range(1, games + 1)]
    result = run("rating", "verify", "--pool", "f1", "--db", db)
    assert result.code == 0
    assert f"The pool f1, {games} games of" in result.out
    assert "trueskill 0.4.5" in result.out
    assert "the same, to rounding" in result.out


def test_many_games_beyond_the_package_are_not_all_listed() -> None:
    """People see the first ten, programs all."""
    found = RatingsComparison(POOL, "0.4.5", 50, 2, 0.0, "a", 0.0, "b", tuple(range(1, 13)))
    report = reports.verified(found)
    assert report.notes == (
        "trueskill cannot compute 12 games, whose players are too far apart, and continues from our ratings: "
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …",
    )
    assert report.structure()["beyond"] == list(range(1, 13))
