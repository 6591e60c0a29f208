"""Tests of smoothed ratings against sampled and weighted histories, and of their report."""

import math
import random
import sys
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.ratings.fold import Fold
from tourney.ratings.kernel import rate_table
from tourney.ratings.model import GameResult
from tourney.ratings.parameters import Parameters, RatingError
from tourney.ratings.smoothing import smoothed_curves
from tourney.service.change import apply
from tourney.service.people.players import RegisterPlayers
from tourney.service.ratings import ratings
from tourney.service.ratings.pools import ImportResults

POOL = Parameters()
GAMES: list[GameResult] = [("ab", (1, 2)), ("ca", (1, 2)), ("ad", (1, 2)), ("ae", (1, 2))]
"""Games of player a against a newcomer each: without loops the only error is that of the approximation by moments."""


DATED = """\
seq,race,rank,player,date
1,Monza,1,Ana,2020-01-01
1,Monza,2,Eva,2020-01-01
2,Spa,1,Eva,2020-01-08
2,Spa,2,Iker,2020-01-08
3,Imola,1,Ana,2022-07-02
3,Imola,2,Iker,2022-07-02
"""


def test_the_smoothed_skill_of_a_single_game_is_the_rating_after_it() -> None:
    pool = Parameters(tau=0.0)
    curves = smoothed_curves(pool, [("abc", (2, 1, 3))], lambda _done: None)
    rated = rate_table(pool, [(pool.mu, pool.sigma)] * 3, (2, 1, 3))
    for player, skill in zip("abc", rated, strict=True):
        ((game, smoothed),) = curves[player]
        assert (game, smoothed) == (1, pytest.approx(skill, abs=1e-2))


def weighted_histories(pool: Parameters, paths: int) -> list[tuple[float, float]]:
    """Return mean and deviation of the skill of player a at each game, by importance sampling.

    `paths` histories of the skill are drawn from the prior; the weight of a history is the probability of the four
    results, each decided by a normal gap to a newcomer.
    """
    generator = random.Random(4)
    spread = math.sqrt(pool.sigma**2 + 2.0 * pool.beta**2)
    sums = [[0.0, 0.0] for _ in GAMES]
    total = 0.0
    for _ in range(paths):
        path = [generator.gauss(pool.mu, pool.sigma)]
        while len(path) < len(GAMES):
            path.append(path[-1] + generator.gauss(0.0, pool.tau))
        weight = 1.0
        for skill, (players, _places) in zip(path, GAMES, strict=True):
            gap = (skill - pool.mu) * (1.0 if players[0] == "a" else -1.0)
            weight *= 0.5 * math.erfc(-gap / spread / math.sqrt(2.0))
        total += weight
        for sum_, skill in zip(sums, path, strict=True):
            sum_[0] += weight * skill
            sum_[1] += weight * skill * skill
    return [(first / total, math.sqrt(square / total - (first / total) ** 2)) for first, square in sums]


@pytest.mark.parametrize("paths", [40_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_smoothed_skills_are_those_of_weighted_histories(paths: int) -> None:
    """Four games with quickly changing skills agree up to sampling noise and the approximation by moments."""
    pool = Parameters(tau=3.0, draw=0.001)
    curve = smoothed_curves(pool, GAMES, lambda _done: None)["a"]
    assert [game for game, _skill in curve] == [1, 2, 3, 4]
    for (_game, (mu, sigma)), (mean, deviation) in zip(curve, weighted_histories(pool, paths), strict=True):
        assert mu == pytest.approx(mean, abs=0.15)
        assert sigma == pytest.approx(deviation, abs=0.15)


def test_later_games_change_the_skill_at_earlier_ones() -> None:
    """Six wins after a loss raise the smoothed skill at the loss and lower its sigma."""
    games: list[GameResult] = [("ab", (2, 1)), *[("ab", (1, 2))] * 6]
    (_game, (mu, sigma)), *_rest = smoothed_curves(POOL, games, lambda _done: None)["a"]
    fold = Fold(POOL)
    fold.add(*games[0])
    rating = fold.rating("a")
    assert mu > rating.mu + 1.0
    assert sigma < rating.sigma


def test_passes_are_reported_until_convergence() -> None:
    reported: list[int] = []
    smoothed_curves(POOL, GAMES, reported.append)
    assert reported == list(range(1, len(reported) + 1))
    assert 1 < len(reported) < 30


def test_without_the_package_the_hint_says_how_to_install_it(
    run: Runner, full: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "trueskillthroughtime", None)
    result = run("rating", "smooth", "Eva", "--pool", "races", "--db", full)
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert result.err == (
        "error: smoothed ratings need the package trueskillthroughtime, which is not installed\n"
        'hint: install it with `pip install "tourney-continental[smooth]"`\n'
    )


def test_games_that_cannot_be_smoothed_are_refused() -> None:
    with pytest.raises(RatingError, match="cannot be smoothed"):
        smoothed_curves(Parameters(beta=1e-160, sigma=1e-160, tau=0.0), GAMES, lambda _done: None)


def test_a_curve_ends_with_the_player_s_rating(run: Runner, tmp_path: Path) -> None:
    """Ana's games are those of `rating history`, in its order, and the last rating is the current one."""
    db = desk.evening(tmp_path / "club.db")
    (row,) = [row for row in ratings.ratings(db).rows if row.player == "Ana"]
    result = run("rating", "smooth", "ana", "--db", db, "--json")
    assert (result.code, result.err) == (0, "")
    assert (result.json["pool"], result.json["player"]) == ("people", "Ana")
    games = result.json["games"]
    assert len(games) == row.games
    assert (games[-1]["mu"], games[-1]["sigma"]) == (row.mu, row.sigma)
    assert [game["game"] for game in games] == sorted(game["game"] for game in games)
    assert sum(game["place"] == 1 for game in games) == row.wins
    assert all(game["smoothed_sigma"] < game["sigma"] + 0.01 for game in games)
    history = run("rating", "history", "Ana", "--db", db, "--json").json
    for key in ("event", "day", "round", "table", "place", "mu", "sigma"):
        assert [game[key] for game in games] == [game[key] for game in history]
    page = run("rating", "smooth", "ana", "--db", db).out
    assert page.splitlines()[2].split()[:5] == ["Event", "Day", "Round", "Table", "Place"]
    assert max(map(len, page.splitlines())) <= 80


def test_games_of_a_file_are_shown_by_number_name_and_day(run: Runner, tmp_path: Path) -> None:
    """A game has its number in the pool; with absence the ratings are those of `rating history`."""
    (tmp_path / "games.csv").write_text(DATED, encoding="utf-8")
    db = str(tmp_path / "club.db")
    apply(db, ImportResults(tmp_path / "games.csv", "races", parameters="absence=2"))
    words = ("Ana", "--pool", "races", "--db", db)
    games = run("rating", "smooth", *words, "--json").json["games"]
    identified = [(game["game"], game["event"], game["day"]) for game in games]
    assert identified == [(1, "Monza", "2020-01-01"), (3, "Imola", "2022-07-02")]
    history = run("rating", "history", *words, "--json").json
    assert [(game["mu"], game["sigma"]) for game in games] == [(game["mu"], game["sigma"]) for game in history]
    assert run("rating", "smooth", *words).out.splitlines()[2].split()[:4] == ["Game", "Event", "Day", "Place"]


def test_a_player_without_a_game_has_no_curve(run: Runner, db: str) -> None:
    apply(db, RegisterPlayers(["Zoe"]))
    result = run("rating", "smooth", "Zoe", "--db", db)
    assert (result.code, result.err) == (0, "")
    assert "No game yet." in result.out
