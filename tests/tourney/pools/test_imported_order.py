"""Tests of results files whose order shows only while they are imported: the same ratings, refusals and nothing left.

The second source is the reader that looks for the order first, which the import does not use unless it has to.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.commands import Ran, Runner
from tourney.domain.errors import ExitCode
from tourney.files.results import OutOfOrder, read_results
from tourney.service import database
from tourney.service.ratings import ratings

HEADER = "seq,rank,player\n"


def game(seq: object, first: str = "Ana", second: str = "Beto") -> str:
    """Return the rows of a game that the first player won."""
    return f"{seq},1,{first}\n{seq},2,{second}\n"


MANY = "".join(game(seq, f"p{seq % 7}", f"p{seq % 5 + 7}") for seq in range(1, 5_001))
"""Five thousand games in order, which are more than one block of the file."""
DISORDERS = {
    "an early game at the end": MANY + game("0.5", "p3", "p8"),
    "a game in two places": MANY + game(1, "p4", "p9"),
    "a word at the end": MANY + game("final", "p3", "p8"),
    "leading zeros, then a word": game("01", "p1", "p2")
    + game(1, "p2", "p1")
    + MANY.replace("1,", "2,", 1)
    + game("x"),
}


@pytest.fixture
def imported(run: Runner, tmp_path: Path) -> Callable[..., Ran]:
    """Write a results file and import it."""

    def command(text: str, name: str = "a") -> Ran:
        file = tmp_path / f"{name}.csv"
        file.write_text(HEADER + text, encoding="utf-8")
        return run("rating", "import", str(file), "--pool", "p", "--db", str(tmp_path / f"{name}.db"))

    return command


@pytest.mark.parametrize("disorder", DISORDERS.values(), ids=DISORDERS)
def test_an_order_that_shows_late_gives_the_ratings_of_the_sorted_file(
    disorder: str, imported: Callable[..., Ran], tmp_path: Path
) -> None:
    """Ratings are equal to the last bit, and the database is sound."""
    assert imported(disorder).code == 0
    games = list(read_results(tmp_path / "a.csv"))
    rows = [
        f"{each.number},{place},{name}\n"
        for each in games
        for name, place in zip(each.players, each.places, strict=True)
    ]
    assert imported("".join(rows), "sorted").code == 0
    found, expected = (ratings.ratings(str(tmp_path / f"{name}.db"), "p").rows for name in ("a", "sorted"))
    assert found == expected
    assert database.check(str(tmp_path / "a.db")).problems == ()


@pytest.mark.parametrize("disorder", DISORDERS.values(), ids=DISORDERS)
def test_games_that_should_be_in_order_are_not_read_past_the_disorder(disorder: str, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(HEADER + disorder, encoding="utf-8")
    with pytest.raises(OutOfOrder):
        list(read_results(file, in_order=True))


@pytest.mark.parametrize("seqs", [("1", "01", "1.5", "2"), ("R01", "R1", "R2", "R10"), ("-2", "-1,5", "0")])
def test_games_in_order_are_read_as_by_the_reader_that_looks_for_the_order(
    seqs: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "a.csv"
    rows = [f"{seq};{at};{name}{at}\n" for at, seq in enumerate(seqs, 1) for name in ("Ana", "Beto")]
    file.write_text("seq;rank;player\n" + "".join(rows), encoding="utf-8")
    games = list(read_results(file))
    assert list(read_results(file, in_order=True)) == games
    assert len(games) > 1


FAULTS = {
    "a rank, then a row too short": (
        game(1) + "2,x,Ana\n2,1,Beto\n" + MANY + "9999,1\n",
        "line 10006: 2 fields where the header has 3",
    ),
    "a rank, then an earlier game with another": (
        game(5) + "6,x,Ana\n6,1,Beto\n" + "2,y,Ana\n2,1,Beto\n",
        "line 6: rank 'y'",
    ),
    "one player under two names, then an earlier game": (
        game(5, "Ana", "ana") + game(2, "Eva", "eva"),
        "line 5: 'Eva' and 'eva' are one player",
    ),
    "a rank, then an earlier game": ("5,x,Ana\n5,1,Beto\n" + game(2), "line 2: rank 'x'"),
}


@pytest.mark.parametrize(("text", "message"), FAULTS.values(), ids=FAULTS)
def test_the_fault_that_is_named_is_the_first_in_the_order_of_rating(
    text: str, message: str, imported: Callable[..., Ran], tmp_path: Path
) -> None:
    """A row that cannot be read at all comes first, wherever it is; lines are counted by hand."""
    refused = imported(text)
    assert refused.code == ExitCode.REFUSED
    assert f"a.csv, {message}" in refused.err
    assert not (tmp_path / "a.db").exists()


def test_a_file_too_long_to_be_sorted_leaves_nothing(
    imported: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of ten thousand rows is out of order, and only a hundred rows may be held."""
    monkeypatch.setattr("tourney.files.results.MAX_SORTED", 100)
    refused = imported(MANY + game("0.5"))
    assert refused.code == ExitCode.REFUSED
    assert "more than 100 rows have to be held" in refused.err
    assert not (tmp_path / "a.db").exists()
