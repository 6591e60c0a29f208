"""Tests of results files: the games in order, dates and names, and the refusal of faulty files."""

import csv
import random
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import pytest

from tourney.domain.errors import TourneyError
from tourney.files.results import Dates, FileGame, ResultsFile, read_results

FORMULA1 = Path(__file__).parents[3] / "fixtures" / "formula1.csv"


def written(folder: Path, text: str, columns: Mapping[str, str] | None = None, dates: Dates = "kept") -> ResultsFile:
    """Write a results file, and return its reader."""
    path = folder / "results.csv"
    path.write_text(text, encoding="utf-8")
    return read_results(path, columns, dates)


def games(folder: Path, text: str, columns: Mapping[str, str] | None = None) -> list[FileGame]:
    return list(written(folder, text, columns))


def pairs(column: str, values: Sequence[str]) -> str:
    """Return a file with a game of two for each value of the column."""
    rows = [f"{seq},{value},{player},1" for seq, value in enumerate(values) for player in ("Eva", "Iker")]
    return "\n".join((f"seq,{column},player,rank", *rows, ""))


def test_formula_1_is_read_as_the_csv_module_reads_it() -> None:
    """The file has 1,160 races with 679 drivers; the rows of each race stay in order."""
    with FORMULA1.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    expected = []
    for _, group in groupby(rows, key=lambda row: row["seq"]):
        race = list(group)
        places = tuple(int(row["rank"]) for row in race)
        expected.append((race[0]["date"], race[0]["race"], tuple(row["driver"] for row in race), places))
    read = list(read_results(FORMULA1))
    assert [(game.date, game.name, game.players, game.places) for game in read] == expected
    assert [game.number for game in read] == list(range(1, 1161))
    assert len({player for game in read for player in game.players}) == 679


def test_a_file_out_of_order_is_sorted_by_seq(tmp_path: Path) -> None:
    """Shuffled rows give games in order, each with its rows in the order of the file."""
    with FORMULA1.open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))[:600]
    generator = random.Random(7)
    generator.shuffle(rows)
    text = "\n".join(",".join(row) for row in [head, *rows])
    expected = {seq: tuple(row[3] for row in rows if row[0] == seq) for seq in {row[0] for row in rows}}
    read = games(tmp_path, text)
    assert [game.seq for game in read] == sorted(expected, key=int)
    assert {game.seq: game.players for game in read} == expected


@pytest.mark.parametrize(
    ("seqs", "order"),
    [
        (["10", "9", "2.5", "-1"], ["-1", "2.5", "9", "10"]),
        (["R10", "R9", "R2"], ["R2", "R9", "R10"]),
        (["2026-11-20", "2025-12-01", "final"], ["2025-12-01", "2026-11-20", "final"]),
        (["2", "10", "x"], ["2", "10", "x"]),
        (["9007199254740993", "9007199254740992", "1.5"], ["1.5", "9007199254740992", "9007199254740993"]),
        (["9" * 19, "1" + "0" * 19, "8"], ["8", "9" * 19, "1" + "0" * 19]),
    ],
)
def test_numbers_in_a_seq_are_ordered_as_numbers(tmp_path: Path, seqs: list[str], order: list[str]) -> None:
    """If not every seq is a number, they are ordered as texts in which digits count as numbers."""
    text = "seq,player,rank\n" + "".join(f"{seq},Ana,1\n{seq},Beñat,2\n" for seq in seqs)
    assert [game.seq for game in games(tmp_path, text)] == order


def test_equal_numbers_are_one_game_however_written(tmp_path: Path) -> None:
    """If every seq is a number, 1, 01 and 1.0 are one game; texts such as R1 and R01 are two."""
    assert len(games(tmp_path, "seq,player,rank\n1,Ana,1\n01,Beñat,2\n1.0,Carla,3\n")) == 1
    with pytest.raises(TourneyError, match="no game of two"):
        games(tmp_path, "seq,player,rank\nR1,Ana,1\nR01,Beñat,2\n")


def test_a_game_of_one_player_is_skipped(tmp_path: Path) -> None:
    """The numbers of the other games have no gap."""
    read = games(tmp_path, "seq,player,rank\n1,Ana,1\n2,Ana,2\n2,Carla,1\n3,Carla,1\n4,Ana,1\n4,Carla,1\n")
    assert [(game.number, game.seq, game.players, game.places) for game in read] == [
        (1, "2", ("Ana", "Carla"), (2, 1)),
        (2, "4", ("Ana", "Carla"), (1, 1)),
    ]


def test_games_of_one_player_are_counted_at_every_reading(tmp_path: Path) -> None:
    """The count starts again each time the file is read."""
    results = written(tmp_path, "seq,player,rank\n1,Ana,1\n2,Ana,2\n2,Carla,1\n3,Carla,1\n")
    for _reading in range(2):
        numbers_and_counts = [(game.number, results.games_of_one) for game in results]
        assert (numbers_and_counts, results.games_of_one) == ([(1, 1)], 2)


@pytest.mark.parametrize("player", ["player", "driver", "Driver"])
def test_a_player_may_be_a_driver(tmp_path: Path, player: str) -> None:
    """The column of players has either header; date and game may be missing, and other columns are ignored."""
    (game,) = games(tmp_path, f"points;rank;{player};seq\n9;1;Ana;1\n5;2;Beñat;1\n")
    assert (game.players, game.date, game.name) == (("Ana", "Beñat"), "", "")


def test_the_header_of_a_column_may_be_given(tmp_path: Path) -> None:
    """A header in `columns` is used even if the file also has the usual one."""
    text = "seq,rank,player,who,place\n1,9,x,Ana,2\n1,9,x,Beñat,1\n"
    (game,) = games(tmp_path, text, {"player": "who", "rank": "place"})
    assert (game.players, game.places) == (("Ana", "Beñat"), (2, 1))


GAMES = "".join(f"{seq},1,Ana\n{seq},2,Beto\n" for seq in range(1, 1001))
FAULTS: list[tuple[str, str, str]] = [
    ("no player column", "seq,rank\n1,1\n", "line 1: no column 'player' or 'driver'; the columns found are: seq, rank"),
    ("two player columns", "seq,rank,player,driver\n1,1,a,b\n", "line 1: two columns for 'player'"),
    ("no seq column", "game,rank,player\n1,1,Ana\n", "line 1: no column 'seq'"),
    ("rank 0", "seq,rank,player\n1,1,Ana\n1,0,Beto\n", "line 3: rank '0' is not a whole number from 1"),
    ("rank negative", "seq,rank,player\n1,-1,Ana\n", "line 2: rank '-1'"),
    ("rank broken", "seq,rank,player\n1,1.5,Ana\n", "line 2: rank '1.5'"),
    ("rank word", "seq,rank,player\n1,DNF,Ana\n", "line 2: column “rank”: “DNF”"),
    ("rank empty", "seq,rank,player\n1,,Ana\n", "line 2: column “rank”: “”"),
    ("rank of other digits", "seq,rank,player\n1,١,Ana\n", "line 2: rank '١'"),
    ("rank endless", "seq,rank,player\n1," + "9" * 5000 + ",Ana\n", "line 2: rank '999"),
    ("player empty", "seq,rank,player\n1,1,Ana\n1,2,\n", "line 3: no player"),
    ("seq empty", "seq,rank,player\n1,1,Ana\n,2,Beto\n", "line 3: no seq"),
    (
        "player twice",
        "seq,rank,player\n7,1,Ana\n7,2,Beto\n7,3,Ana\n",
        "line 4: 'Ana' appears twice in game 7, first in line 2",
    ),
    (
        "player twice, rows apart",
        "seq,rank,player\n2,1,Ana\n1,1,Beto\n2,2,Ana\n",
        "line 4: 'Ana' appears twice in game 2",
    ),
    ("no game of two", "seq,rank,player\n1,1,Ana\n2,1,Ana\n", "results.csv: no game of two or more players"),
    (
        "no such day",
        "seq,date,rank,player\n1,2023-02-28,1,Ana\n1,,2,Beto\n2,2023-02-30,1,Ana\n2,2023-02-30,2,Beto\n",
        "line 4: date '2023-02-30' is not a date",
    ),
    ("no such day in the second row", "seq,date,rank,player\n1,,1,Ana\n1,2026-13-01,2,Beto\n", "line 3: date '2026-13"),
    (
        "day in words",
        "seq,date,rank,player\n1,2 March,1,Ana\n1,2 March,2,Beto\n",
        "line 2: date '2 March' is not a date",
    ),
    ("day without dashes", "seq,date,rank,player\n1,20260301,1,Ana\n1,20260301,2,Beto\n", "line 2: date '20260301'"),
    ("no day, played alone", "seq,date,rank,player\n1,soon,1,Ana\n2,,1,Ana\n2,,2,Beto\n", "line 2: date 'soon'"),
    (
        "two dates in a game",
        "seq,date,rank,player\n1,2020-01-01,1,Ana\n1,,2,Beto\n1,2020-01-02,3,Eva\n",
        "line 4: game 1 has a second date, 2020-01-02; it is 2020-01-01 in line 2",
    ),
    ("a field of two lines before it", 'seq,rank,player\n1,1,"Ana\nMaría"\n1,0,Beto\n', "line 4: rank '0'"),
    ("a field of two lines in it", 'seq,rank,player\n1,1,Ana\n1,0,"Be\nto"\n2,1,Eva\n', "line 3: rank '0'"),
    ("blank lines before it", "\nseq,rank,player\n\n1,1,Ana\n \n,,\n1,x,Beto\n", "line 7: rank 'x'"),
    ("lines that end as on Windows", "seq,rank,player\r\n\r\n1,1,Ana\r\n1,x,Beto\r\n", "line 4: rank 'x'"),
    (
        "player twice, blank lines and fields of two lines between",
        'seq,rank,player,x\n\n7,1,Ana,"a\nb"\n\n7,2,Ana,\n',
        "line 6: 'Ana' appears twice in game 7, first in line 3",
    ),
    ("rows apart and blank lines", 'seq,rank,player\n2,1,"A\na"\n\n1,1,Beto\n2,x,Eva\n', "line 6: rank 'x'"),
    ("no date in words", "seq,date,rank,player\n\n1,,1,Ana\n\n1,soon,2,Beto\n", "line 5: date 'soon'"),
    ("after a thousand games", "seq,rank,player\n" + GAMES + '\n"1001",1,"A\nb"\n1001,?,Ana\n', "line 2005: rank '?'"),
    ("control characters", "seq,rank,player\n1,\x1b[2J,Ana\n", "line 2: rank '�[2J'"),
]


@pytest.mark.parametrize(("text", "message"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_a_fault_is_refused_with_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    """The message is one short line of printable text, and there is a hint."""
    with pytest.raises(TourneyError) as caught:
        games(tmp_path, text)
    assert message in caught.value.message
    assert str(tmp_path / "results.csv") in caught.value.message
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < len(str(tmp_path)) + 160
    assert caught.value.hint


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"player": "rank"}, "column 'rank' cannot stand for two columns"),
        ({"winner": "x"}, "no column 'winner' in a results file"),
        ({"player": "who"}, "no column 'who'"),
    ],
)
def test_impossible_columns_are_refused(tmp_path: Path, columns: dict[str, str], message: str) -> None:
    """A header must be in the file, for a column of results files, and for only one of them."""
    with pytest.raises(TourneyError, match=message):
        games(tmp_path, "seq,rank,player\n1,1,Ana\n1,2,Beto\n", columns)


DATES = {
    "every game": ("2026-01-02", "2026-01-02", "2026-03-01", [(1, "2026-01-02"), (3, "2026-03-01")]),
    "back in time": (
        "2026-03-01",
        "2026-01-02",
        "2026-03-01",
        [(1, "2026-03-01"), (2, "2026-01-02"), (3, "2026-03-01")],
    ),
    "the last without a date": ("2026-01-02", "2026-01-02", "", []),
    "the first without a date": ("", "2026-01-02", "2026-01-02", []),
}


@pytest.mark.parametrize("case", DATES.values(), ids=DATES)
def test_days_are_listed_only_if_every_game_has_a_date(tmp_path: Path, case: tuple) -> None:
    """Each day is listed with its first game; the list is the same after a second reading."""
    *dates, expected = case
    results = written(tmp_path, pairs("date", dates))
    for _reading in range(2):
        assert len(list(results)) == 3
        assert list(results.days) == expected


def test_a_game_has_the_date_of_any_of_its_rows(tmp_path: Path) -> None:
    """The other row of each game has no date."""
    read = games(tmp_path, "seq,date,player,rank\n1,,Eva,1\n1,2026-01-02,Iker,2\n2,2026-01-03,Eva,1\n2,,Iker,2\n")
    assert [game.date for game in read] == ["2026-01-02", "2026-01-03"]


def test_a_file_of_too_many_days_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit bounds what the journal keeps of a file."""
    monkeypatch.setattr("tourney.files.results.MAX_DATE_CHANGES", 2)
    for days in (2, 3):
        results = written(tmp_path, pairs("date", [f"2026-01-0{day}" for day in range(1, days + 1)]))
        assert len(list(results)) == days
        assert len(results.days) == (2 if days == 2 else 0)


@pytest.mark.parametrize(
    ("dates", "line"),
    [(("2026-01-02", "", ""), 4), (("2026-01-02", "2026-02-03", ""), 6), (("", "2026-02-03", ""), 2)],
    ids=["the second without", "the last without", "the first without"],
)
def test_the_first_game_without_a_date_is_reported_by_line_and_refused_if_dates_are_needed(
    tmp_path: Path, dates: Sequence[str], line: int
) -> None:
    """Each game has two rows, below a line of headers."""
    results = written(tmp_path, pairs("date", dates))
    assert len(list(results)) == 3
    assert results.undated == line
    with pytest.raises(TourneyError, match=rf"results.csv, line {line}: no date$"):
        list(written(tmp_path, pairs("date", dates), dates="needed"))


def test_a_file_without_any_date_reports_no_missing_date(tmp_path: Path) -> None:
    results = written(tmp_path, pairs("date", [""]))
    assert len(list(results)) == 1
    assert results.undated is None


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Monza", "Monza", "Spa"), [(1, "Monza"), (3, "Spa")]),
        (("", "Monza", ""), [(2, "Monza"), (3, "")]),
        (("", "", ""), []),
    ],
    ids=["all", "some", "none"],
)
def test_each_name_is_listed_with_the_first_of_its_games(
    tmp_path: Path, names: Sequence[str], expected: list[tuple[int, str]]
) -> None:
    """The list is the same after a second reading."""
    results = written(tmp_path, pairs("race", names))
    for _reading in range(2):
        assert len(list(results)) == 3
        assert (results.names, results.unnamed) == (expected, False)


def test_a_file_of_too_long_names_has_none_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each name counts as ten characters more than it has: two names of five characters are thirty."""
    for maximum, kept in ((30, 2), (29, 0)):
        monkeypatch.setattr("tourney.files.results.MAX_NAME_CHARACTERS", maximum)
        results = written(tmp_path, pairs("game", ["Game1", "Game2"]))
        assert len(list(results)) == 2
        assert (len(results.names), results.unnamed) == (kept, not kept)
