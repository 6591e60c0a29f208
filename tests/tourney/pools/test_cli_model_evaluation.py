"""Tests of the output of `rating compare` and `rating noise`."""

import math
from itertools import groupby
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tests.harness.ratings.imported import import_text
from tests.oracles import formula1
from tourney.domain.errors import ExitCode
from tourney.service.ratings import model_evaluation, ratings


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database with the pool f1 of forty races."""
    head, *rows = formula1.FILE.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [list(group) for _seq, group in groupby(rows, key=lambda row: row.split(",")[0])][600:640]
    return import_text(tmp_path_factory.mktemp("races"), head + "".join(row for race in kept for row in race), "f1")


def test_predictors_are_sorted_by_loss_and_that_of_the_coin_is_ln_2(run: Runner, races: str) -> None:
    """Of forty games, 11 to 20 are used to fit the parameters and 21 to 40 to measure the loss."""
    result = run("rating", "compare", "--pool", "f1", "--db", races, "--json")
    assert (result.code, result.err) == (0, "")
    data = result.json
    assert (data["games"], data["fitted"], data["measured"]) == (40, [11, 20], [21, 40])
    losses = {predictor["predictor"]: predictor["loss"] for predictor in data["predictors"]}
    assert set(losses) == {"defaults", "pool", "fitted", "elo", "coin"}
    assert list(losses.values()) == sorted(losses.values())
    assert losses["coin"] == pytest.approx(math.log(2.0))
    best = data["predictors"][0]
    assert (best["behind"], best["error"]) == (0.0, 0.0)
    for predictor in data["predictors"]:
        assert predictor["behind"] == pytest.approx(predictor["loss"] - best["loss"])
    predictors = {predictor["predictor"]: predictor for predictor in data["predictors"]}
    assert (predictors["defaults"]["draw"], predictors["pool"]["draw"]) == (0.1, 0.01)
    assert predictors["elo"]["k"] > 0.0


def test_the_page_lists_all_predictors_and_names_the_best(run: Runner, races: str) -> None:
    result = run("rating", "compare", "--pool", "f1", "--db", races)
    assert result.code == 0
    assert max(map(len, result.out.splitlines())) <= 80
    assert result.out.startswith("Predictions for the pool f1: games 21 to 40, each before it is learned\n")
    table = result.out.split("\n\n")[1].splitlines()
    rows = [line for line in table if line.startswith(("TrueSkill, ", "Elo, ", "a coin"))]
    assert len(rows) == 5
    first = rows[0].split("  ")[0]
    assert f"Best: {first}" in result.out


def test_a_fit_to_too_few_games_has_a_warning(run: Runner, races: str, tmp_path: Path) -> None:
    """Two fitted games with 1 + 2 neighbouring places are too few; ten races are enough."""
    few = "".join(
        f"{game},{1 if game == 3 and place < 3 else place},p{place}\n" for game in range(1, 9) for place in (1, 2, 3)
    )
    db = import_text(tmp_path, "seq,rank,player\n" + few, "few")
    result = run("rating", "compare", "--pool", "few", "--db", db, "--json")
    assert (result.json["fitted"], result.json["neighbours"], result.json["enough"]) == ([3, 4], 3, False)
    for text in (result.err, run("rating", "compare", "--pool", "few", "--db", db).out):
        assert "Too few games to fit four parameters: games 3 to 4 have 3 neighbours by place" in " ".join(text.split())
    assert run("rating", "compare", "--pool", "f1", "--db", races, "--json").json["enough"] is True


@pytest.mark.parametrize("verb", ["compare", "noise"])
def test_a_pool_without_games_cannot_be_evaluated(run: Runner, full: str, verb: str) -> None:
    """An empty pool is refused with exit code 1, an unknown pool with 3."""
    result = run("rating", verb, "--pool", "bots" if verb == "compare" else "joint", "--db", full)
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert "error: the pool " in result.err
    assert "hint: at least" in result.err
    assert run("rating", verb, "--pool", "nix", "--db", full).code == ExitCode.NOT_FOUND


def test_noise_lists_every_player_with_rank_and_score(run: Runner, evening: str) -> None:
    """Ranks and scores equal those of `ratings`; each mean rank lies between the bounds `low` and `high`."""
    rows = {row.player: row for row in ratings.ratings(evening).rows}
    result = run("rating", "noise", "--shuffles", "5", "--seed", "s", "--db", evening, "--json")
    assert (result.code, result.err) == (0, "")
    data = result.json
    assert (data["pool"], data["shuffles"], data["seed"]) == ("people", 5, "s")
    assert [player["player"] for player in data["players"]] == list(rows)
    for player in data["players"]:
        assert player["rank"] == rows[player["player"]].rank
        assert player["score"] == pytest.approx(rows[player["player"]].score, abs=1e-12)
        assert 1 <= player["low"] <= player["mean_rank"] <= player["high"] <= len(rows)
    deviations = [player["rank_deviation"] for player in data["players"]]
    assert data["rank_deviation"] == pytest.approx(sum(deviations) / len(deviations))
    page = run("rating", "noise", "--shuffles", "5", "--seed", "s", "--db", evening).out
    assert f"The order alone moves a rank by {data['rank_deviation']:.1f} on average." in page


def test_the_same_seed_gives_the_same_noise(evening: str) -> None:
    """Another seed gives other numbers; progress is reported after every shuffle."""
    reported: list[tuple[int, int]] = []
    noise = model_evaluation.order_noise(
        evening, shuffles=3, progress=lambda done, total: reported.append((done, total))
    )
    assert reported == [(1, 3), (2, 3), (3, 3)]
    assert model_evaluation.order_noise(evening, shuffles=3) == noise
    assert model_evaluation.order_noise(evening, shuffles=3, seed="2").rows != noise.rows


def test_a_pool_adopts_what_compare_has_fitted(run: Runner, races: str) -> None:
    """The dry run saves nothing; then the pool has the fitted parameters, and there is nothing left to change."""
    words = ("rating", "pool", "set", "f1", "--db", races)
    (fitted,) = [
        row
        for row in run("rating", "compare", "--pool", "f1", "--db", races, "--json").json["predictors"]
        if row["predictor"] == "fitted"
    ]
    before = run("rating", "pool", "--db", races, "--json").out
    assert run(*words, "--fitted", "--dry-run").out.startswith("dry run: nothing was saved.")
    assert run("rating", "pool", "--db", races, "--json").out == before
    adopted = run(*words, "--fitted", "--json").json
    for name in ("beta", "tau", "draw", "absence"):
        assert adopted[name] == pytest.approx(fitted[name])
    assert run(*words, "--fitted").err.startswith("error: the pool f1 has these parameters already")
    run("undo", "--db", races)


def test_fitted_parameters_are_refused_beside_others_and_for_few_games(run: Runner, races: str, evening: str) -> None:
    both = run("rating", "pool", "set", "f1", "--fitted", "--tau", "1", "--db", races)
    assert (both.code, both.err.splitlines()[0]) == (ExitCode.USAGE, "error: --fitted cannot be combined with --tau")
    few = run("rating", "pool", "set", "people", "--fitted", "--db", evening)
    assert (few.code, few.err.splitlines()[0]) == (
        ExitCode.REFUSED,
        "error: the pool people has too few games to fit its parameters",
    )
