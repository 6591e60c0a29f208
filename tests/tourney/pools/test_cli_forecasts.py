"""Tests of `rating predict` and `rating quality`: which players they accept, and their output."""

import csv
import io
from pathlib import Path

import pytest

from tests.harness.commands import Runner, refusal
from tests.harness.ratings.imported import finishes, import_text
from tourney.domain.errors import ExitCode, TourneyError
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers
from tourney.service.ratings import forecasts

RACERS = ("Eva", "Iker", "Noa")


def test_the_page_of_a_forecast_has_percentages_and_the_favourite_first(run: Runner, full: str) -> None:
    """The page has the most likely orders, and JSON all of them."""
    result = run("rating", "predict", *RACERS, "--pool", "races", "--top", "3", "--db", full)
    assert result.code == 0
    assert result.out.splitlines()[0] == "Expected finish of a game of 3, by the ratings of the pool races"
    page, _, orders_text = result.out.partition("The most likely orders")
    means = [float(line.split()[1]) for line in page.splitlines() if line.split()[:1] and line.split()[0] in RACERS]
    assert means == sorted(means)
    shares = [float(line.split()[-2]) for line in orders_text.splitlines() if " > " in line]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(100.0, abs=0.31)
    orders = run("rating", "predict", *RACERS, "--pool", "races", "--top", "3", "--db", full, "--json").json["orders"]
    assert len(orders) == len(shares) == 6


def test_the_csv_of_a_forecast_has_a_column_for_every_place(run: Runner, full: str) -> None:
    result = run("rating", "predict", *RACERS, "--pool", "races", "--format", "csv", "--db", full)
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert [row["player"] for row in rows] == list(RACERS)
    for row in rows:
        assert sum(float(row[f"place_{place}"]) for place in (1, 2, 3)) == pytest.approx(1.0)


def test_the_page_of_a_forecast_of_many_players_shows_only_the_first_places(run: Runner, crowded: str) -> None:
    """Twelve places do not fit into 80 columns; JSON has all of them, equally likely for newcomers."""
    names = [f"Player {number:03}" for number in range(1, 13)]
    result = run("rating", "predict", *names, "--db", crowded)
    assert max(map(len, result.out.splitlines())) <= 80
    assert "First three" in result.out
    data = run("rating", "predict", *names, "--db", crowded, "--json").json["players"]
    assert data[0]["places"] == pytest.approx([1 / 12] * 12)


@pytest.fixture
def crowded(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database of twelve people who have not played."""
    db = str(tmp_path_factory.mktemp("crowd") / "club.db")
    apply(db, RegisterPlayers([f"Player {number:03}" for number in range(1, 13)]))
    return db


@pytest.mark.parametrize("verb", ["predict", "quality"])
@pytest.mark.parametrize(
    ("names", "code", "error"),
    [
        (("Eva",), ExitCode.USAGE, "a game has 2 to 64 players, not 1"),
        (("Eva", "Iker", "eva"), ExitCode.USAGE, "Eva is named twice"),
        (("Eva", "Ikre"), ExitCode.NOT_FOUND, "nobody is called “Ikre”"),
        (("Eva", "Nobody at all"), ExitCode.NOT_FOUND, "nobody is called “Nobody at all”"),
        (("Eva", "Ana"), ExitCode.NOT_FOUND, "nobody is called “Ana”"),
        (("Eva",) * 65, ExitCode.USAGE, "a game has 2 to 64 players, not 65"),
    ],
    ids=["alone", "twice", "misspelled", "unknown", "of another pool", "too many"],
)
def test_impossible_players_are_refused_in_one_line_with_a_hint(
    run: Runner, full: str, verb: str, names: tuple[str, ...], code: ExitCode, error: str
) -> None:
    said, hint = refusal(run("rating", verb, *names, "--pool", "races", "--db", full), code)
    assert said == f"error: {error}"
    assert ("did you mean Iker?" in hint) == ("Ikre" in names)


@pytest.mark.parametrize(
    ("pool", "opponent", "name", "accepted"),
    [
        ("people", "Beñat", "Ana", True),
        ("people", "Beñat", "greedy-1", False),
        ("bots", "greedy-2", "greedy-1", True),
        ("bots", "greedy-2", "Ana", False),
        ("joint", "greedy-2", "Ana", True),
    ],
)
def test_a_pool_accepts_only_players_of_its_kind(
    full: str, pool: str, opponent: str, name: str, accepted: bool
) -> None:
    """The pools accept people, bots, or both in the joint pool."""
    if accepted:
        assert forecasts.predict(full, (opponent, name), pool).players[1].player == name
        return
    with pytest.raises(TourneyError, match="nobody is called") as caught:
        forecasts.predict(full, (opponent, name), pool)
    assert caught.value.code == ExitCode.NOT_FOUND


def test_top_cannot_exceed_the_number_of_players(run: Runner, full: str) -> None:
    result = run("rating", "predict", *RACERS, "--pool", "races", "--top", "4", "--db", full)
    assert refusal(result, ExitCode.USAGE)[0] == "error: there is no order of the first 4 of 3 players"


def test_too_many_orders_are_refused_before_they_are_computed(run: Runner, crowded: str) -> None:
    """The first five of twelve have 12 × 11 × 10 × 9 × 8 orders."""
    names = [f"Player {number:03}" for number in range(1, 13)]
    result = run("rating", "predict", *names, "--top", "5", "--db", crowded)
    assert result.code == ExitCode.USAGE
    assert result.err.startswith("error: the first 5 of 12 players have 95040 orders; the limit is 5040\n")


def test_the_same_seed_gives_the_same_information(crowded: str) -> None:
    """The orders of seven players are sampled; another seed gives a number within 2 percent."""
    names = [f"Player {number:03}" for number in range(1, 8)]
    bits, same_seed, other_seed = (forecasts.quality(crowded, names, seed=seed).bits for seed in ("1", "1", "2"))
    assert bits == same_seed != other_seed
    assert bits == pytest.approx(other_seed, rel=0.02)


@pytest.mark.parametrize("pool", ["people", "races"])
def test_a_newcomer_is_predicted_in_every_pool(run: Runner, tmp_path: Path, pool: str) -> None:
    """Two newcomers have equal chances, whatever the pool; each has those of equals against the other."""
    db = import_text(tmp_path, finishes("Ana Leo"))
    run("player", "add", "Ana", "Leo", "--db", db)
    words = ("rating", "predict", "Ana", "--pool", pool, "--newcomer", "Xabi", "--newcomer", "Eva", "--db", db)
    players = run(*words, "--json").json["players"]
    assert [each["player"] for each in players] == ["Ana", "Xabi", "Eva"]
    assert players[1]["places"] == pytest.approx(players[2]["places"])
    assert players[1]["games"] == 0
    assert run("rating", "quality", "Ana", "--newcomer", "Xabi", "--pool", pool, "--db", db).code == 0


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (("Ana", "Xabi"), ExitCode.NOT_FOUND, "for somebody new: --newcomer NAME"),
        (("Leo", "--newcomer", "ana"), ExitCode.REFUSED, "name them without --newcomer"),
        (("Ana", "--newcomer", "Eva", "--newcomer", "EVA"), ExitCode.USAGE, "name each player once"),
    ],
)
def test_somebody_of_whom_nothing_is_known_is_predicted_only_if_said_so(
    run: Runner, tmp_path: Path, words: tuple[str, ...], code: int, hint: str
) -> None:
    db = import_text(tmp_path, finishes("Ana Leo"))
    refused = run("rating", "predict", *words, "--pool", "races", "--db", db)
    assert (refused.code, hint in refused.err) == (code, True)


@pytest.mark.parametrize("pool", ["people", "bots"])
def test_a_game_of_newcomers_only_is_predicted_in_a_pool_without_games(run: Runner, tmp_path: Path, pool: str) -> None:
    """Equals have equal chances; nobody at all is no game."""
    names, db = ("--newcomer", "Xabi", "--newcomer", "Eva"), ("--pool", pool, "--db", str(tmp_path / "club.db"))
    run("player", "add", "Ana", "--db", db[-1])
    players = run("rating", "predict", *names, *db, "--json").json["players"]
    assert [each["places"] for each in players] == [pytest.approx([0.5, 0.5])] * 2
    assert run("rating", "quality", *names, *db).code == 0
    refused = run("rating", "predict", *db)
    assert (refused.code, "a game has 2 to 64 players, not 0" in refused.err) == (ExitCode.USAGE, True)


def test_somebody_registered_who_has_never_played_is_a_newcomer(run: Runner, tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    run("player", "add", "Ana", "Nuevo", "--db", db)
    for words in (("predict", "Ana", "--newcomer", "Nuevo"), ("quality", "Ana", "--newcomer", "Nuevo")):
        assert run("rating", *words, "--db", db).code == ExitCode.DONE
    twice = run("rating", "predict", "Ana", "Nuevo", "--newcomer", "nuevo", "--db", db)
    assert (twice.code, "name them without --newcomer" in twice.err) == (ExitCode.REFUSED, True)
