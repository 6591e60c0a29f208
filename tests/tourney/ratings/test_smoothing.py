"""Tests of smoothed ratings against `trueskillthroughtime` and weighted histories, and of their reports."""

import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from trueskillthroughtime import History

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.ratings.imported import import_text
from tourney.ratings.fold import Fold
from tourney.ratings.kernel import rate_table
from tourney.ratings.model import GameResult
from tourney.ratings.parameters import Parameters, RatingError
from tourney.ratings.smoothing import _History, smoothed_curves
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import ratings

make_db = desk.make_everything

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


def made(games: int, seats: int, people: int, step: float, seed: int) -> list[GameResult]:
    """Return games of `people` with random skills; performances are multiples of `step`, so that some tie."""
    draw = random.Random(seed)
    skills = [draw.gauss(25.0, 8.0) for _ in range(people)]
    results: list[GameResult] = []
    for _ in range(games):
        table = draw.sample(range(people), seats)
        performances = [round(draw.gauss(skills[player], 4.0) / step) for player in table]
        places = [1 + sum(other > mine for other in performances) for mine in performances]
        results.append(([f"p{player}" for player in table], places))
    return results


def furthest_from_the_package(pool: Parameters, games: Sequence[GameResult], days: Sequence[int]) -> float:
    """Return the greatest difference of a smoothed mu or sigma from that of the package.

    The package gets each game in the order of its places: in any other order it mixes up three players or more. It
    grows variances either from game to game, as tau does, or with the days, as absence does.
    """
    listed = [tuple(zip(*sorted(zip(*game, strict=True), key=lambda seat: seat[1]), strict=True)) for game in games]
    teams = [[[player] for player in players] for players, _places in listed]
    scores = [[-float(place) for place in places] for _players, places in listed]
    gamma = pool.absence / math.sqrt(365.25) if days else pool.tau
    package = History(
        teams, scores, list(days), mu=pool.mu, sigma=pool.sigma, beta=pool.beta, gamma=gamma, p_draw=pool.draw
    )
    package.convergence(epsilon=1e-8, iterations=300, verbose=False)
    ours = smoothed_curves(pool, games, lambda _done: None, days, 1e-9)
    furthest = 0.0
    for player, curve in package.learning_curves().items():
        # On one day a player has one skill for the package; ours are those after the day's games too, and equal.
        at = {days[game - 1] if days else game: skill for game, skill in ours[player]}
        assert len(at) == len(curve)
        for time, skill in curve:
            furthest = max(furthest, abs(at[time][0] - skill.mu), abs(at[time][1] - skill.sigma))
    return furthest


@pytest.mark.parametrize(
    ("seats", "step", "draw"),
    [
        pytest.param(2, 0.01, 0.01, id="two players"),
        pytest.param(3, 3.0, 0.2, id="three players with ties"),
        pytest.param(5, 0.01, 0.01, id="five players", marks=pytest.mark.slow),
        pytest.param(7, 3.0, 0.1, id="seven players with ties", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("calendar", [False, True], ids=["from game to game", "with the calendar"])
def test_smoothed_skills_are_those_of_the_package(seats: int, step: float, draw: float, calendar: bool) -> None:
    """Agree to 1e-6 with `trueskillthroughtime` on every skill of a history, with tau and with absence."""
    games = made(12, seats, 8, step, seats)
    generator, day, days = random.Random(5), 730_000, []
    for _game in games:
        day += generator.choice([0, 0, 1, 7, 90])
        days.append(day)
    pool = Parameters(tau=0.0, absence=2.0, draw=draw) if calendar else Parameters(tau=0.5, draw=draw)
    assert furthest_from_the_package(pool, games, days if calendar else []) < 1e-6


def test_the_order_in_which_a_game_lists_its_players_does_not_matter() -> None:
    """Each game listed by place and backwards gives the same skills; without ties the order says nothing."""
    games = made(20, 5, 7, 1e-6, 9)
    curves = smoothed_curves(POOL, games, lambda _done: None, (), 1e-10)
    turned = [(list(players)[::-1], list(places)[::-1]) for players, places in games]
    for player, curve in smoothed_curves(POOL, turned, lambda _done: None, (), 1e-10).items():
        for (game, skill), (same_game, same_skill) in zip(curve, curves[player], strict=True):
            assert (game, skill) == (same_game, pytest.approx(same_skill, abs=1e-7))


def test_absence_loosens_what_distant_games_say() -> None:
    """Ten years between two games leave the first less certain than ten days do."""
    pool = Parameters(absence=2.0)
    games: list[GameResult] = [("ab", (1, 2)), ("ab", (1, 2))]
    (_first, (_mu, near)), _second = smoothed_curves(pool, games, lambda _done: None, (1, 11))["a"]
    (_first, (_mu, far)), _second = smoothed_curves(pool, games, lambda _done: None, (1, 3653))["a"]
    assert near < far - 0.05


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


@pytest.mark.parametrize(
    ("pool", "dated"),
    [(Parameters(tau=0.5), False), (Parameters(tau=0.0, absence=2.0), True), (Parameters(tau=0.0), False)],
    ids=["tau", "absence on days with several games", "skills that never move"],
)
def test_settled_levels_are_those_that_many_plain_passes_reach(pool: Parameters, dated: bool) -> None:
    """Passes without acceleration, as many as it takes, bring all skills to where at most 40 do with it."""
    games = made(60, 4, 8, 1e-6, 3)
    days = [730_000 + number // 3 for number in range(60)] if dated else []
    plain = _History(pool, games, days)
    while plain.improve() > 1e-10:
        pass
    reported: list[int] = []
    curves = smoothed_curves(pool, games, reported.append, days, 1e-8)
    assert len(reported) <= 40
    for player, curve in plain.curves().items():
        for (_game, skill), (_same, found) in zip(curve, curves[player], strict=True):
            assert found == pytest.approx(skill, abs=1e-6)


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
    db = import_text(tmp_path, DATED, parameters="absence=2")
    words = ("Ana", "--pool", "races", "--db", db)
    games = run("rating", "smooth", *words, "--json").json["games"]
    identified = [(game["game"], game["event"], game["day"]) for game in games]
    assert identified == [(1, "Monza", "2020-01-01"), (3, "Imola", "2022-07-02")]
    history = run("rating", "history", *words, "--json").json
    assert [(game["mu"], game["sigma"]) for game in games] == [(game["mu"], game["sigma"]) for game in history]
    assert run("rating", "smooth", *words).out.splitlines()[2].split()[:4] == ["Game", "Event", "Day", "Place"]


def test_peaks_are_the_greatest_smoothed_scores(run: Runner, tmp_path: Path) -> None:
    """A peak is the greatest mu − 3 sigma of the player's `rating smooth`, at that game; few games are left out."""
    db = import_text(tmp_path, DATED)
    found = run("rating", "peaks", "--pool", "races", "--min-games", "1", "--db", db, "--json").json
    assert (found["pool"], found["games"], found["players"], found["min_games"]) == ("races", 3, 3, 1)
    scores = []
    for peak in found["peaks"]:
        games = run("rating", "smooth", peak["player"], "--pool", "races", "--db", db, "--json").json["games"]
        best = max(games, key=lambda game: game["smoothed_mu"] - 3.0 * game["smoothed_sigma"])
        assert (peak["game"], peak["event"], peak["day"]) == (best["game"], best["event"], best["day"])
        assert (peak["mu"], peak["sigma"]) == (best["smoothed_mu"], best["smoothed_sigma"])
        assert peak["score"] == pytest.approx(peak["mu"] - 3.0 * peak["sigma"])
        scores.append(peak["score"])
    assert scores == sorted(scores, reverse=True)
    assert [peak["rank"] for peak in found["peaks"]] == [1, 2, 3]
    assert (
        len(
            run("rating", "peaks", "--pool", "races", "--min-games", "1", "--top", "2", "--db", db, "--json").json[
                "peaks"
            ]
        )
        == 2
    )
    assert run("rating", "peaks", "--pool", "races", "--min-games", "3", "--db", db, "--json").json["peaks"] == []


def test_the_plot_of_a_smoothed_curve_is_written(run: Runner, tmp_path: Path) -> None:
    db, file = import_text(tmp_path, DATED), tmp_path / "ana.svg"
    words = ("rating", "smooth", "Ana", "--pool", "races", "--db", db, "--svg", str(file))
    assert run(*words).code == 0
    assert file.read_text(encoding="utf-8").startswith("<svg ")


def test_a_player_without_a_game_has_no_curve(run: Runner, db: str) -> None:
    apply(db, RegisterPlayers(["Zoe"]))
    result = run("rating", "smooth", "Zoe", "--db", db)
    assert (result.code, result.err) == (0, "")
    assert "No game yet." in result.out
