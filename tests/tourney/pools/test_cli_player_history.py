"""Tests of the output of `rating show`, `rating history` and `rating explain`."""

import math
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, refusal, start_ups
from tests.harness.long_history import long_history
from tests.harness.ratings.imported import import_text
from tourney.domain.errors import ExitCode
from tourney.service.ratings.player_history import MOST_EXPLAINED

PAGE = """\
Inés in the pool people

Rank 22 (provisional); 21 to 22 with 95 %
  - score -2.12: mu 10.83, sigma 4.32; trend -10.09
  - 5 games, 0 won; mean place 3.60
  - best score -1.94, after game 1 (Friday, round 1)
  - worst score -2.68, after game 2 (Friday, round 2)

mu (o) and score (*) after each game
"""


def test_the_page_of_a_player_has_these_sections(run: Runner, evening: str) -> None:
    """The page has at most eighty columns in a pipe, and no colour."""
    result = run("rating", "show", "ines", "--db", evening)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(PAGE)
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in result.out
    headings = [line for line in lines if line and not line.startswith(" ")]
    assert headings[3:] == [
        "Games",
        "Opponents, with games finished ahead of them and behind",
        "By contract",
        "By seat; seat 1 is the first dealer",
    ]
    assert sum(line.endswith("*") or "o" in line for line in lines) >= 5


@pytest.mark.slow
def test_the_page_of_one_of_a_thousand_players_takes_less_than_two_start_ups(tmp_path: Path) -> None:
    """Starting up takes about half a second on an idle processor; the page may take as long again."""
    db = os.fspath(tmp_path / "club.db")
    long_history(db, nights=1, rounds=2, people=1000)
    assert start_ups("rating", "show", "Player 0007", db=db) < 2


def test_markdown_has_the_plot_as_a_code_block(run: Runner, evening: str) -> None:
    text = run("rating", "show", "Inés", "--db", evening, "--format", "markdown").out
    _before, plot, _after = text.split("```")
    assert plot.count("\n") == 16
    assert "| TT | 5 |" in text


def test_the_title_names_the_filter(run: Runner, evening: str) -> None:
    """The titles of page and history name the filter, also if no game passes it."""
    page = run("rating", "show", "Inés", "--games", "12", "--db", evening).out
    assert page.startswith("Inés in the pool people, first 12 games\n\nRank ")
    games = run("rating", "history", "Inés", "--rules", "oficial", "--db", evening).out
    assert games.startswith("Inés in the pool people, game by game, only games by oficial\n\n")
    assert run("rating", "show", "Inés", "--season", "1999", "--db", evening).out == (
        "Inés in the pool people, since 1999-01-01, until 1999-12-31\n\nNo game yet.\n"
    )


def test_the_page_of_a_player_without_games_says_so_in_one_line(run: Runner, tmp_path: Path) -> None:
    db = os.fspath(tmp_path / "club.db")
    desk.event(db, 4)
    for verb in ("show", "history"):
        result = run("rating", verb, "Ana", "--db", db)
        assert result.code == 0
        assert result.out.endswith("\n\nNo game yet.\n")
    data = run("rating", "show", "Ana", "--db", db, "--json").json
    assert (data["rating"], data["best"], data["games"]) == (None, None, [])


def test_an_explanation_shows_the_contributions_and_their_sum(run: Runner, evening: str) -> None:
    """The game is named by event and round; JSON has the contributions, the page also their sum."""
    words = ("rating", "explain", "Inés", "Friday", "--round", "2", "--db", evening)
    data = run(*words, "--json").json
    change = data["game"]["mu"] - data["game"]["mu_before"]
    assert sum(contribution["on_mu"] for contribution in data["contributions"]) == pytest.approx(change)
    output = run(*words).out
    assert output.startswith("Inés, round 2, table 4 of Friday: place 4 of 4\n")
    (total,) = [line.split() for line in output.splitlines() if line.startswith("  in all")]
    sigma_change = data["game"]["sigma"] - data["game"]["sigma_before"]
    assert total[2:] == [f"{change:.3f}", f"{sigma_change:.3f}", f"{change - 3 * sigma_change:.3f}"]
    assert max(map(len, output.splitlines())) <= 80


def test_a_plot_is_written_as_svg_and_may_be_overwritten(run: Runner, evening: str, tmp_path: Path) -> None:
    """A plot may replace another plot; the page is printed as well."""
    file = tmp_path / "plot.svg"
    for name in ("Inés", "Ana", "Ana"):
        result = run("rating", "show", name, "--svg", os.fspath(file), "--db", evening)
        assert (result.code, result.err) == (0, f"The plot is in {file}.\n")
        page = ElementTree.parse(file).getroot()
        assert page.find("{http://www.w3.org/2000/svg}title").text == f"{name} in the pool people"
    assert [path.name for path in tmp_path.iterdir()] == ["plot.svg"]


def test_a_plot_replaces_no_other_file(run: Runner, evening: str, tmp_path: Path) -> None:
    """A plot neither replaces another kind of file nor is written into a missing folder."""
    other = tmp_path / "club.db"
    other.write_bytes(b"SQLite format 3\0")
    cases = [
        (evening, "Ana", other, ExitCode.CONFLICT, "exists and is not a plot"),
        (evening, "Ana", tmp_path / "none" / "plot.svg", ExitCode.STORAGE, "cannot be written"),
        (evening, "Ana", tmp_path, ExitCode.STORAGE, "cannot be written"),
    ]
    for db, name, file, code, words in cases:
        error, _hint = refusal(run("rating", "show", name, "--svg", os.fspath(file), "--db", db), code)
        assert words in error
    assert other.read_bytes() == b"SQLite format 3\0"
    assert [path.name for path in tmp_path.iterdir()] == ["club.db"]


def test_a_player_without_a_game_has_no_plot(run: Runner, tmp_path: Path) -> None:
    db = os.fspath(tmp_path / "club.db")
    desk.event(db, 4)
    result = run("rating", "show", "Ana", "--svg", os.fspath(tmp_path / "plot.svg"), "--db", db)
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert result.err == "error: Ana has no game in the pool people\nhint: a plot needs at least one\n"
    assert not (tmp_path / "plot.svg").exists()


AWAY = "seq,rank,player,date\n" + "".join(
    f"{number},{place},{player},{day}\n"
    for number, (day, names) in enumerate(
        [("2020-01-01", "Ana Eva"), ("2020-01-08", "Eva Iker"), ("2022-07-02", "Ana Iker"), ("2023-07-02", "Eva Iker")],
        1,
    )
    for place, player in enumerate(names.split(), 1)
)


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database: Ana plays twice, 913 days apart; the last game of the pool is 365 days later.

    A year adds 2 to sigma, in squares.
    """
    return import_text(tmp_path_factory.mktemp("away"), AWAY, "a", parameters="absence=2")


def sigma_growth(sigma: float, days: int) -> float:
    """Return by how much sigma grows in `days` days away, if a year adds 2 points in squares."""
    return math.sqrt(sigma**2 + 4 * days / 365.25) - sigma


def test_days_away_are_shown_beside_the_game(run: Runner, away: str) -> None:
    """The changes by the days away and by the game sum to the change of the score."""
    words = ("--pool", "a", "--db", away)
    first, second = run("rating", "history", "Ana", *words, "--json").json
    assert (first["days_away"], first["away"], second["days_away"]) == (0, 0.0, 913)
    assert second["away"] == pytest.approx(-3 * sigma_growth(first["sigma"], 913))
    assert second["away"] + second["change"] == pytest.approx(second["score"] - first["score"])
    output = run("rating", "history", "Ana", *words).out
    assert output.split("\n")[2].split()[-3:] == ["Score", "Away", "Change"]
    assert f"{second['away']:.2f}" in output
    assert "Away is the change of the score by the days since the game before" in output


def test_days_since_the_last_game_are_shown_on_the_page(run: Runner, away: str) -> None:
    page = run("rating", "show", "Ana", "--pool", "a", "--db", away)
    data = run("rating", "show", "Ana", "--pool", "a", "--db", away, "--json").json
    growth = sigma_growth(data["games"][-1]["sigma"], 365)
    assert data["rating"]["growth"] == pytest.approx(growth)
    assert f"  - away since the last game: sigma +{growth:.2f}, score -{3 * growth:.2f}\n" in page.out


def test_an_explanation_has_a_row_for_the_days_away(run: Runner, away: str) -> None:
    """The explanation starts with the sigma after the previous game, and its rows sum to the change."""
    words = ("--pool", "a", "--db", away)
    first, second = run("rating", "history", "Ana", *words, "--json").json
    data = run("rating", "explain", "Ana", *words, "--json").json["game"]
    growth = sigma_growth(first["sigma"], 913)
    assert (data["days_away"], data["growth"]) == (913, pytest.approx(growth))
    assert data["sigma_before"] == pytest.approx(first["sigma"] + growth)
    output = run("rating", "explain", "Ana", *words).out
    assert f"What each place did to mu {first['mu']:.2f} and sigma {first['sigma']:.2f}\n" in output
    (row,) = [line.split() for line in output.splitlines() if line.startswith("  913 days away")]
    assert row[3:] == ["0.000", f"{growth:.3f}", f"{-3 * growth:.3f}"]
    (total,) = [line.split() for line in output.splitlines() if line.startswith("  in all")]
    assert total[3:] == [f"{second['sigma'] - first['sigma']:.3f}", f"{second['score'] - first['score']:.3f}"]


RACES = "seq,race,rank,player\n" + "".join(
    f"{seq},{race},{place},{player}\n"
    for seq, (race, names) in enumerate(
        [("Monza", "Ana Eva"), ("", "Eva Iker"), ("Spa", "Eva Iker Ana"), ("Monza", "Iker Ana"), ("Spa", "Eva Iker")], 1
    )
    for place, player in enumerate(names.split(), 1)
)


@pytest.fixture
def races(tmp_path: Path) -> tuple[str, ...]:
    """Options for a pool in which Ana plays games 1, 3 and 4 of a file, whose second game has no name, and one of
    another file.
    """
    import_text(tmp_path, RACES, "h", file="one.csv")
    last = "seq,race,rank,player\n9,Monaco,1,Ana\n9,Monaco,2,Noa\n"
    return ("--pool", "h", "--db", import_text(tmp_path, last, "h", file="two.csv"))


def test_games_are_shown_by_the_names_in_their_files(run: Runner, races: tuple[str, ...]) -> None:
    rows = run("rating", "history", "Ana", *races, "--json").json
    assert [(row["event"], row["table"]) for row in rows] == [("Monza", 1), ("Spa", 3), ("Monza", 4), ("Monaco", 6)]
    assert run("rating", "history", "Iker", *races, "--json").json[0]["event"] == ""
    lines = run("rating", "history", "Ana", *races).out.splitlines()
    assert [line.split()[1] for line in lines[2:7]] == ["Event", "Monza", "Spa", "Monza", "Monaco"]
    page = run("rating", "show", "Ana", *races).out
    data = run("rating", "show", "Ana", *races, "--json").json
    for extreme in ("best", "worst"):
        assert f", after game {data[extreme]['number']} ({data[extreme]['event']})\n" in page


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (("monza",), "Ana, game 4 of the pool h, Monza: place 2 of 2"),
        (("Monza", "--game", "1"), "Ana, game 1 of the pool h, Monza: place 1 of 2"),
        (("SPA",), "Ana, game 3 of the pool h, Spa: place 3 of 3"),
        ((), "Ana, game 6 of the pool h, Monaco: place 1 of 2"),
    ],
    ids=" ".join,
)
def test_a_game_of_a_file_is_explained_by_its_name(
    run: Runner, races: tuple[str, ...], words: tuple[str, ...], title: str
) -> None:
    """The last game of that name is explained unless a number is given; accents and case do not matter."""
    result = run("rating", "explain", "Ana", *words, *races)
    assert (result.code, result.out.splitlines()[0]) == (0, title)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("Imola",), "Ana has no game called “Imola” in this pool"),
        (("Spa", "--game", "1"), "Ana has no game 1 called “Spa” in this pool"),
    ],
    ids=["no such name", "another number"],
)
def test_an_unknown_name_of_a_game_is_refused(
    run: Runner, races: tuple[str, ...], words: tuple[str, ...], message: str
) -> None:
    result = run("rating", "explain", "Ana", *words, *races)
    assert (result.code, result.out) == (ExitCode.NOT_FOUND, "")
    assert result.err == f"error: {message}\nhint: see all games with `tourney rating history Ana --pool h`\n"


def test_a_game_of_hundreds_is_not_explained(folder: Path, run: Runner) -> None:
    """The time would grow faster than the square of its players."""
    rows = "".join([f"1,{place},P{place}\n" for place in range(1, MOST_EXPLAINED + 2)])
    db = import_text(folder, f"seq,rank,player\n{rows}")
    error, _hint = refusal(run("rating", "explain", "P1", "--pool", "races", "--db", db), ExitCode.REFUSED)
    assert error == "error: the game has 201 players, and shares are computed for at most 200"
