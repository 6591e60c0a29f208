"""`ratings`: its output."""

import os
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, start_ups
from tourney.service.change import apply
from tourney.service.ratings import ratings
from tourney.service.ratings.pools import ImportResults


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> str:
    return desk.evening(tmp_path_factory.mktemp("evening") / "club.db")


def test_programs_get_ranks_ratings_and_doubts_as_fields(run: Runner, evening: str) -> None:
    """The promised fields come first, newer ones after them."""
    result = run("ratings", "--db", evening, "--json")
    assert (result.code, result.err) == (0, "")
    table = ratings.ratings(evening)
    for one, row, (low, high) in zip(result.json, table.rows, table.intervals, strict=True):
        assert list(one)[:7] == ["rank", "player", "mu", "sigma", "score", "games", "wins"]
        assert one["score"] == one["mu"] - 3 * one["sigma"]
        assert (one["change"], one["trend"]) == (row.change, row.trend)
        assert (one["rank_low"], one["rank_high"]) == (low, high)
        assert one["provisional"] is (one["sigma"] > 25 / 6)
    assert {one["player"] for one in result.json if one["provisional"]} == {"Inés"}


def test_spreadsheets_get_the_same_columns(run: Runner, evening: str) -> None:
    head, first, *_rest = run("ratings", "--db", evening, "--format", "csv").out.splitlines()
    assert head == "rank,player,mu,sigma,score,games,wins,change,trend,rank_low,rank_high,provisional"
    assert first.split(",")[-1] == "false"


def test_people_read_the_interval_the_trend_and_who_is_provisional(run: Runner, evening: str) -> None:
    """The page fits eighty columns in a pipe, without colour; a question mark marks the provisional."""
    output = run("ratings", "--db", evening).out
    assert "\x1b" not in output
    lines = output.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[2].split() == ["Rank", "95", "%", "Player", "mu", "sigma", "Score", "Games", "Wins", "Trend"]
    marked = [line for line in lines if " ? " in line]
    assert len(marked) == 1
    assert "Inés" in marked[0]
    assert "? is provisional: a sigma above 4.17, half a newcomer's." in lines


@pytest.fixture(scope="module")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a pool of a thousand provisional players with long names."""
    folder: Path = tmp_path_factory.mktemp("thousand")
    file = folder / "games.csv"
    rows = [
        f"{game},{place},Maria de las Mercedes {(game * 7 + place * 331) % 1000:03}\n"
        for game in range(1000)
        for place in range(1, 5)
    ]
    file.write_text("seq,rank,player\n" + "".join(rows), encoding="utf-8")
    db = os.fspath(folder / "club.db")
    apply(db, ImportResults(file, "many"))
    return db


def test_a_thousand_players_are_read_at_eighty_columns(run: Runner, thousand: str) -> None:
    lines = run("ratings", "--db", thousand, "--pool", "many").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("de las" in line for line in lines) == 1000


def test_a_thousand_players_take_less_than_half_a_second_beyond_start_up(thousand: str) -> None:
    """Start-up is about half a second of a quiet processor: no more than as much again."""
    assert start_ups("ratings", "--pool", "many", db=thousand) < 2
