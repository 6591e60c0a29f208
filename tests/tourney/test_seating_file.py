"""Seating files: the two ways of writing one, and what of it must not be guessed."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tourney.domain import TourneyError
from tourney.seating_file import SeatingFile, read_seating

JSON = """{"rounds": [[["Ana", "Beñat"], ["Carmen", "Diego"]], [["diego", "Ana", "Beñat"]]],
           "sitting_out": [["Elena"], []], "method": "whatever else a program says"}"""
CSV = """round,table,seat,player
2,1,1,diego
1,2,2,Diego
1,1,2,Beñat
1,1,1,Ana
1,2,1,Carmen
1,,,Elena
2,1,3,Beñat
2,1,2,Ana
"""
READ = SeatingFile(
    rounds=((("Ana", "Beñat"), ("Carmen", "Diego")), (("Diego", "Ana", "Beñat"),)),
    numbers=((1, 2), (1,)),
    sitting_out=(("Elena",), ()),
)


def file(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "seating"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_json_has_rounds_of_tables_of_names_in_seat_order(tmp_path: Path, encoding: str) -> None:
    """Who is written `diego` the second time is Diego, as everywhere in the program."""
    assert read_seating(file(tmp_path, JSON, encoding)) == READ


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_csv_says_the_same_in_rows_of_any_order(tmp_path: Path, encoding: str) -> None:
    """A row without table and seat sits out; the first spelling of a name is the second round's here."""
    read = read_seating(file(tmp_path, CSV, encoding))
    assert (read.numbers, read.sitting_out) == (READ.numbers, READ.sitting_out)
    assert [[[name.title() for name in table] for table in tables] for tables in read.rounds] == [
        [list(table) for table in tables] for tables in READ.rounds
    ]


def test_everybody_is_named_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    assert read_seating(file(tmp_path, JSON)).names == ("Ana", "Beñat", "Carmen", "Diego", "Elena")


def test_numbers_in_json_are_names(tmp_path: Path) -> None:
    assert read_seating(file(tmp_path, '{"rounds": [[[1, 2], [3, "4"]]]}')).names == ("1", "2", "3", "4")


def test_tables_keep_their_numbers_where_one_is_left_out(tmp_path: Path) -> None:
    """Table 1 is lost: nobody sits there in this round."""
    text = "round;table;seat;player\n1;2;1;Ana\n1;2;2;Beñat\n1;10;1;Carmen\n1;10;2;Diego\n"
    assert read_seating(file(tmp_path, text)).numbers == ((2, 10),)


SCRAPS = ["null", "[", "]", "{", "}", '"', ",", ":", ";", "1e999", "-1", "true", "0", "\n", "99999", "NaN", '""', "1.5"]


@pytest.mark.parametrize("good", [JSON, CSV], ids=["json", "csv"])
def test_a_file_with_a_slip_is_read_or_refused_in_one_line(tmp_path: Path, good: str) -> None:
    """Some characters exchanged for others, four hundred times: never anything but a seating or a clear line."""
    outcomes = Counter(outcome(good, tmp_path, random.Random(f"slip {seed}")) for seed in range(400))
    assert set(outcomes) == {"read", "refused"}


def outcome(good: str, folder: Path, chance: random.Random) -> str:
    start = chance.randrange(len(good))
    slip = chance.choice([*SCRAPS, "\0", "\ufeff", '"\\ud800"'])
    path = file(folder, good[:start] + slip + good[start + chance.randint(0, 6) :])
    try:
        seating = read_seating(path)
    except TourneyError as error:
        return "refused" if error.hint and "\n" not in error.message else repr(error)
    return "read" if all(2 <= len(table) <= 8 for tables in seating.rounds for table in tables) else repr(seating)
