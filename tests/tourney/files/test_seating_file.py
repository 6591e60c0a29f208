"""Tests of seating files: JSON and CSV, numbers and names, and the refusal of faulty files."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.effort import effort
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.seating import SeatingFile, read_seating

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
    """Check that `diego` is the player Diego, spelled as at first."""
    assert read_seating(file(tmp_path, JSON, encoding)) == READ


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_csv_gives_the_same_seating_from_rows_in_any_order(tmp_path: Path, encoding: str) -> None:
    """A row without table and seat is a bye; the first spelling of Diego is here `diego`, in round 2."""
    read = read_seating(file(tmp_path, CSV, encoding))
    assert (read.numbers, read.sitting_out) == (READ.numbers, READ.sitting_out)
    assert [[[name.title() for name in table] for table in tables] for tables in read.rounds] == [
        [list(table) for table in tables] for tables in READ.rounds
    ]


def test_every_player_is_named_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    assert read_seating(file(tmp_path, JSON)).names == ("Ana", "Beñat", "Carmen", "Diego", "Elena")


def test_numbers_in_json_are_names(tmp_path: Path) -> None:
    assert read_seating(file(tmp_path, '{"rounds": [[[1, 2], [3, "4"]]]}')).names == ("1", "2", "3", "4")


def test_tables_keep_their_numbers_if_one_is_missing(tmp_path: Path) -> None:
    """Nobody sits at table 1 in this round, so the tables are 2 and 10."""
    text = "round;table;seat;player\n1;2;1;Ana\n1;2;2;Beñat\n1;10;1;Carmen\n1;10;2;Diego\n"
    assert read_seating(file(tmp_path, text)).numbers == ((2, 10),)


def test_a_file_of_one_round_may_have_the_number_of_that_round(tmp_path: Path) -> None:
    text = "round,table,seat,player\n3,1,1,Ana\n3,1,2,Beñat\n3,,,Carmen\n"
    assert read_seating(file(tmp_path, text), only_round=3) == SeatingFile(
        ((("Ana", "Beñat"),),), ((1,),), (("Carmen",),)
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("3,1,1,Ana\n3,1,2,Beñat\n3,2,1,Ana", ", line 4: Ana appears twice in round 3"),
        ("3,,,Ana", ": round 3 has no tables"),
        ("2,1,1,Ana\n2,1,2,Beñat", ": the file holds round 2; round 3 is wanted"),
        ("7,1,1,Ana\n7,1,2,Beñat", ": the file holds round 7; round 3 is wanted"),
        ("2,1,1,Ana\n2,1,2,Beñat\n3,1,1,Ana\n3,1,2,Beñat", ": round 1 has no tables"),
    ],
    ids=["twice", "only byes", "the round before", "a later round", "the first round missing"],
)
def test_a_refusal_gives_a_round_the_number_that_it_has_in_the_file(tmp_path: Path, rows: str, message: str) -> None:
    """Round 3 is wanted, from a file of this round or of all rounds."""
    path = file(tmp_path, f"round,table,seat,player\n{rows}\n")
    with pytest.raises(TourneyError) as refusal:
        read_seating(path, only_round=3)
    assert refusal.value.message == f"{path}{message}"


SCRAPS = ["null", "[", "]", "{", "}", '"', ",", ":", ";", "1e999", "-1", "true", "0", "\n", "99999", "NaN", '""', "1.5"]


@pytest.mark.parametrize("good", [JSON, CSV], ids=["json", "csv"])
def test_a_file_with_a_typo_is_read_or_refused_in_one_line(tmp_path: Path, good: str) -> None:
    """In 400 copies some characters are replaced: each gives a seating or a refusal with a hint."""
    outcomes = Counter(outcome(good, tmp_path, random.Random(f"slip {seed}")) for seed in range(400))
    assert set(outcomes) == {"read", "refused"}


def outcome(good: str, folder: Path, rng: random.Random) -> str:
    """Return "read" or "refused" for a copy of the file with a typo, or what is wrong with the outcome."""
    start = rng.randrange(len(good))
    slip = rng.choice([*SCRAPS, "\0", "\ufeff", '"\\ud800"'])
    path = file(folder, good[:start] + slip + good[start + rng.randint(0, 6) :])
    try:
        seating = read_seating(path)
    except TourneyError as error:
        return "refused" if error.hint and "\n" not in error.message else repr(error)
    return "read" if all(2 <= len(table) <= 8 for tables in seating.rounds for table in tables) else repr(seating)


def test_a_field_that_appears_twice_is_found_in_one_pass(tmp_path: Path) -> None:
    """The attack: the search for the second of 40,000 fields took minutes."""
    path = tmp_path / "dup.json"
    fields = ",".join(f'"a{each}":0' for each in range(40_000))
    path.write_text(f'{{"rounds":[[["Ana","Ben"]]],{fields},"a39999":1}}', encoding="utf-8")

    def read() -> None:
        with desk.refused(ExitCode.REFUSED, "the field “a39999” appears twice"):
            read_seating(path)

    assert effort(read) < 85
