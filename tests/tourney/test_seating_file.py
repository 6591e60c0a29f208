"""Seating files: the two ways of writing one, and what of it must not be guessed."""

from pathlib import Path

import pytest

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
