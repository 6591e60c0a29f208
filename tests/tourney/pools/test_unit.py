"""Tests of pools that rate hands: against `trueskill` on the sheets' points, in every command, and refusals."""

import math
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tests.harness.crowd import crowd
from tests.harness.ratings.imported import finishes, import_text
from tests.oracles import club_evening, trueskill_ratings
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.ratings.pools import SetPoolParameters

TODAY = date.today().isoformat()  # noqa: DTZ011 -- the day of the machine, as the program has it


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database with a club's evening, whose pool people rates hands."""
    db = desk.evening(tmp_path_factory.mktemp("hands") / "club.db")
    apply(db, SetPoolParameters("people", {}, "hand"))
    return db


def hands_of_the_evening() -> Iterator[trueskill_ratings.Game]:
    """Return players and places of every hand of the evening; equal points share a place."""
    for sheet in club_evening.sheets():
        for contract in desk.CONTRACTS:
            points = [hands[contract] for hands in sheet.points]
            yield sheet.players, [1 + sum(other < mine for other in points) for mine in points]


def test_hands_are_rated_one_by_one_and_equal_points_tie(run: Runner, hands: str) -> None:
    expected = trueskill_ratings.rated(hands_of_the_evening())
    rows = run("ratings", "--db", hands, "--json").json
    assert len(rows) == len(expected) > 4
    for row in rows:
        mu, sigma, played, _won = expected[row["player"]]
        assert (row["mu"], row["sigma"], row["games"]) == (
            pytest.approx(mu, abs=1e-9),
            pytest.approx(sigma, abs=1e-9),
            played,
        )
    assert "Games and Wins count hands" in " ".join(run("ratings", "--db", hands).out.split())


@pytest.mark.parametrize(
    "line",
    [
        "rating verify",
        "rating history Ana",
        "rating explain Ana",
        "rating show Ana",
        "rating smooth Ana",
        "rating peaks --min-games 1",
        "rating noise --shuffles 2",
        "rating predict Ana Carmen",
        "rating quality Ana Carmen",
        "rating pool",
        "ratings --games 10",
        f"rating publish --as-of {TODAY} --dry-run",
        "db check",
    ],
)
def test_every_command_knows_pools_of_hands(run: Runner, hands: str, line: str) -> None:
    result = run(*line.split(), "--db", hands)
    assert (result.code, result.err) == (0, "")


def test_a_game_counts_as_two_fifths_of_its_hands_in_its_prediction(run: Runner, hands: str) -> None:
    """Of seven hands a game that is 2.8, so that the variance of a performance is beta² / 2.8."""
    ratings = {row["player"]: row for row in run("ratings", "--db", hands, "--json").json}
    predicted = run("rating", "predict", "Ana", "Carmen", "--db", hands, "--json").json["players"]
    mine, theirs = ratings["Ana"], ratings["Carmen"]
    spread = math.sqrt(mine["sigma"] ** 2 + theirs["sigma"] ** 2 + 2.0 * (25 / 6) ** 2 / (0.4 * 7))
    chance = 0.5 * (1.0 + math.erf((mine["mu"] - theirs["mu"]) / spread / math.sqrt(2.0)))
    assert predicted[0]["places"][0] == pytest.approx(chance, abs=1e-7)


def test_the_unit_can_be_changed_back_and_undone(run: Runner, tmp_path: Path) -> None:
    """The ratings by games are those of before, and the dry run saves nothing."""
    db = desk.evening(tmp_path / "club.db")
    before = run("ratings", "--db", db, "--json").json
    first = run("rating", "pool", "set", "people", "--unit", "hand", "--dry-run", "--db", db).out.splitlines()[0]
    assert first == "dry run: nothing was saved. the pool people is rated with unit game → hand"
    assert run("ratings", "--db", db, "--json").json == before
    assert run("rating", "pool", "set", "people", "--unit", "hand", "--db", db, "--json").json["unit"] == "hand"
    by_hand = run("ratings", "--db", db, "--json").json
    assert by_hand != before
    assert run("rating", "pool", "set", "people", "--unit", "game", "--db", db).code == 0
    assert run("ratings", "--db", db, "--json").json == before
    assert run("undo", "--db", db).code == 0
    assert run("ratings", "--db", db, "--json").json == by_hand


def test_a_corrected_hand_moves_ratings_though_places_stay(run: Runner, tmp_path: Path) -> None:
    """Checkpoints know the points of hands."""
    db = desk.evening(tmp_path / "club.db")
    run("rating", "pool", "set", "people", "--unit", "hand", "--db", db)
    before = run("ratings", "--db", db, "--json").json
    run("result", "void", "Friday", "--round", "1", "--table", "1", "--reason", "wrong", "--db", db)
    after = run("ratings", "--db", db, "--json").json
    assert sum(row["games"] for row in after) == sum(row["games"] for row in before) - 4 * 7


def test_editions_of_hands_and_of_games_correct_only_their_own(run: Runner, tmp_path: Path) -> None:
    """A change of the unit corrects no edition; a void result corrects the one of hands, not the older one of games."""
    db = desk.evening(tmp_path / "club.db")
    words = ("rating", "publish", "--as-of", TODAY, "--db", db)
    assert run(*words).code == 0
    run("rating", "pool", "set", "people", "--unit", "hand", "--db", db)
    assert "edition 2" in run(*words).out
    assert run("rating", "edition", "2", "--db", db, "--json").json["corrections"] == []
    run("result", "void", "Friday", "--round", "1", "--table", "1", "--reason", "wrong", "--db", db)
    assert "edition 3" in run(*words).out
    corrected = run("rating", "edition", "3", "--db", db, "--json").json["corrections"]
    assert [correction["edition"] for correction in corrected] == [2]


def test_compare_judges_units_and_the_points_of_hands(run: Runner, tmp_path: Path) -> None:
    """Eight tables of an evening: by game, by hand and by points, each with the evenings that it needs, or none."""
    db = str(tmp_path / "club.db")
    crowd(db, people=8, rounds=4)
    data = run("rating", "compare", "--db", db, "--json").json
    found = {row["predictor"]: row for row in data["predictors"]}
    assert {"fitted", "fitted by hand", "fitted by points", "elo", "coin"} < set(found)
    assert data["evening"] == [8, 4, 4]
    assert found["coin"]["evenings"] is None
    for row in found.values():
        assert row["evenings"] is None or 1 <= row["evenings"] <= 50
    assert found["fitted by points"]["scale"] > 0.0
    page = run("rating", "compare", "--db", db).out
    assert "√points by hand, fitted" in page
    assert "if 8 players play 4 games at tables of 4, until 90 % of all pairs" in " ".join(page.split())


def test_files_have_no_hands(run: Runner, tmp_path: Path) -> None:
    db = import_text(tmp_path, finishes("Ana Eva"))
    result = run("rating", "pool", "set", "races", "--unit", "hand", "--db", db)
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert result.err == (
        "error: the games of races come from files, which do not have their hands\n"
        "hint: only pools of events can rate hands: people, bots, joint\n"
    )


def test_a_pool_without_games_can_rate_hands(run: Runner, tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    desk.event(db, 2)
    result = run("rating", "pool", "set", "people", "--unit", "hand", "--json", "--db", db)
    assert (result.code, result.json["unit"]) == (0, "hand")
