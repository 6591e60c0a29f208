"""Tests of the output of `ratings`."""

from pathlib import Path

import pytest

from tests.harness.commands import Runner, empty_pythons
from tests.harness.ratings.imported import finishes, import_text
from tourney.service.ratings import ratings


def test_programs_get_ranks_ratings_and_doubts_as_fields(run: Runner, evening: str) -> None:
    """The promised fields come first, newer ones after them."""
    result = run("ratings", "--db", evening, "--json")
    assert (result.code, result.err) == (0, "")
    table = ratings.ratings(evening)
    for rating, row, (low, high) in zip(result.json, table.rows, table.intervals, strict=True):
        assert list(rating)[:7] == ["rank", "player", "mu", "sigma", "score", "games", "wins"]
        assert rating["score"] == rating["mu"] - 3 * rating["sigma"]
        assert (rating["change"], rating["trend"]) == (row.change, row.trend)
        assert (rating["rank_low"], rating["rank_high"]) == (low, high)
        assert rating["provisional"] is (rating["sigma"] > 25 / 6)
    assert {rating["player"] for rating in result.json if rating["provisional"]} == {"Inés"}


def test_the_page_of_ratings_has_the_interval_the_trend_and_provisional_players(run: Runner, evening: str) -> None:
    """The page has no colour in a pipe, and all columns; a question mark marks provisional ratings."""
    output = run("ratings", "--db", evening).out
    assert "\x1b" not in output
    lines = output.splitlines()
    assert " ".join(lines[2].split()) == "Rank 95 % Player ? mu sigma Score Games Wins Trend Skill"
    marked = [line for line in lines[3:] if " ? " in line]
    assert len(marked) == 1
    assert "Inés" in marked[0]
    assert "? is provisional: a sigma above 4.17, half a newcomer's." in lines


@pytest.fixture(scope="module")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database with a pool of a thousand provisional players with long names."""
    rows = [
        f"{game},{place},Maria de las Mercedes {(game * 7 + place * 331) % 1000:03}\n"
        for game in range(1000)
        for place in range(1, 5)
    ]
    return import_text(tmp_path_factory.mktemp("thousand"), "seq,rank,player\n" + "".join(rows), "many")


def test_a_thousand_players_are_listed_in_eighty_columns(
    run: Runner, thousand: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("ratings", "--db", thousand, "--pool", "many").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("de las" in line for line in lines) == 1000


@pytest.mark.slow
def test_a_thousand_players_take_less_than_a_hundred_empty_pythons(thousand: str) -> None:
    """Two start-ups, the limit before reading took fewer imports, were 120 times `python -c pass`."""
    assert empty_pythons("ratings", "--pool", "many", "--db", thousand) < 100


@pytest.mark.parametrize(("by", "first"), [("score", "1"), ("mu", "2")])
def test_ranks_and_intervals_are_by_what_is_asked_for(run: Runner, tmp_path: Path, by: str, first: str) -> None:
    """Ana won 9 of 10 games; Eva, who won her only one, has the higher mu and the larger sigma."""
    db = import_text(tmp_path, finishes(*["Ana Leo"] * 9, "Eva Ana Leo"), "by")
    table = run("ratings", "--pool", "by", "--by", by, "--db", db, "--json").json
    ranks = {row["player"]: row["rank"] for row in table}
    assert str(ranks["Ana"]) == first
    assert [row["rank"] for row in table] == [1, 2, 3]
    assert all(row["rank_low"] <= row["rank"] <= row["rank_high"] for row in table)
