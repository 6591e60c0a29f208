"""Tests of `tourney seating`: plans as text, JSON and CSV, their judgement, and refusals in one line."""

import csv
import io
import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tests.harness.effort import effort
from tourney.domain.errors import ExitCode

pytestmark = pytest.mark.usefixtures("new_db")

PEOPLE = "name,club\nAna,Getxo\nBeñat,Getxo\nCarmen,Bilbao\nDiego,Bilbao\nElena,\nFélix,GETXO\nGloria,Bilbao\nHugo,\n"


@pytest.fixture
def people(tmp_path: Path) -> str:
    """Return the path of a file of eight people: three of one club, three of another, two of none."""
    file = tmp_path / "people.csv"
    file.write_text(PEOPLE, encoding="utf-8")
    return str(file)


def meetings(rounds: Any) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for tables in rounds for table in tables for pair in combinations(table, 2))


def saved(result: Ran, file: Path) -> str:
    file.write_text(result.out, encoding="utf-8")
    return str(file)


def test_the_json_of_a_plan_has_rounds_of_tables_of_names(run: Runner) -> None:
    """24 players at tables of 4 play 6 rounds without a repeat; players without names are called 1 to 24."""
    result = run("seating", "plan", "--players", "24", "--size", "4", "--rounds", "6", "--seed", "1", "--json")
    assert (result.code, result.err) == (0, "")
    rounds = result.json["rounds"]
    assert len(rounds) == 6
    for tables in rounds:
        assert sorted(name for table in tables for name in table) == sorted(map(str, range(1, 25)))
        assert [len(table) for table in tables] == [4] * 6
    assert max(meetings(rounds).values()) == 1
    assert (result.json["repeats"], result.json["bound"], result.json["seed"]) == (0, 0, "1")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--players", "2", "--rounds", "3"), "hay 3 encuentros y una sola pareja posible"),
        (("--players", "6", "--size", "3", "--rounds", "3", "--aim", "fewest repeats"), "una búsqueda exhaustiva"),
        (("--players", "6", "--size", "3", "--rounds", "2"), "el mínimo de parejas que coinciden en dos rondas"),
    ],
    ids=["counted pairs", "searched", "pairs in common"],
)
def test_the_reason_of_a_bound_is_in_the_readers_language_and_in_files_as_ever(
    run: Runner, words: tuple[str, ...], reason: str
) -> None:
    """Three rounds of two players are 3 meetings of 1 pair; two threes in two rounds share 2 pairs, by pigeonholes."""
    spanish = run("--lang", "es", "seating", "plan", *words, "--wide").out
    assert reason in " ".join(spanish.split())
    files = [run("--lang", language, "seating", "plan", *words, "--json").out for language in ("en", "es")]
    assert files[0] == files[1]


def test_a_seed_is_any_word_and_gives_the_same_plan_again(run: Runner) -> None:
    first, same, other = (
        run("seating", "plan", "--players", "9", "--seed", seed).out for seed in ("ñandú 7", "ñandú 7", "ñandú 8")
    )
    assert first == same != other


@pytest.mark.parametrize("form", ["json", "csv"])
@pytest.mark.parametrize(
    "words", [("--players", "13"), ("--players", "22"), ("--players", "9", "--short", "sit out", "--rounds", "7")]
)
def test_the_judgement_of_a_plan_is_that_of_its_certificate(
    run: Runner, tmp_path: Path, words: tuple[str, ...], form: str
) -> None:
    """`seating judge` finds in the file of a plan what `seating plan` reported, except how the plan was made."""
    planned = run("seating", "plan", *words, "--json").json
    file = saved(run("seating", "plan", *words, "--format", form), tmp_path / "plan")
    found = run("seating", "judge", file, "--json").json
    assert found["repeats"] == sum(count - 1 for count in meetings(planned["rounds"]).values())
    made = {"method", "seed", "version", "rounds", "sitting_out"}
    # Of several players with the same figure, the first in the file is named.
    names = {"worst", "worst_pair"}
    assert {key: found[key] for key in found.keys() - made - names} == {
        key: planned[key] for key in planned.keys() - made - names
    }
    for criterion, worst in planned["worst"].items():
        assert {**found["worst"][criterion], "player": ""} == {**worst, "player": ""}


def test_csv_has_a_row_for_each_player_and_round(run: Runner) -> None:
    """Byes have neither table nor seat."""
    result = run("seating", "plan", "--players", "9", "--short", "sit out", "--rounds", "3", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert list(rows[0]) == ["round", "table", "seat", "player"]
    for number in "123":
        rows_of_round = [row for row in rows if row["round"] == number]
        assert sorted(row["player"] for row in rows_of_round) == sorted("123456789")
        assert sorted((row["table"], row["seat"]) for row in rows_of_round) == [
            ("", ""),
            *((table, seat) for table in "12" for seat in "1234"),
        ]


def test_a_plan_fits_eighty_columns(run: Runner, people: str) -> None:
    result = run("seating", "plan", "--file", people, "--rounds", "3")
    assert max(map(len, result.out.splitlines())) <= 80
    for words in ("Round 3", "Seat 4", "12 repeats", "Ana", "seed 1"):
        assert words in result.out


def test_a_plan_made_elsewhere_is_judged(run: Runner, tmp_path: Path) -> None:
    """Counted by hand: in two rounds at the same tables each of the 6 + 6 pairs meets twice."""
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({"rounds": [[["a", "b", "c", "d"], ["e", "f", "g", "h"]]] * 2}), encoding="utf-8")
    result = run("seating", "judge", str(file))
    assert "12 repeats" in result.out
    found = run("seating", "judge", str(file), "--json").json
    assert (found["repeats"], found["most_meetings"], found["worst_pair"]) == (12, 2, ["a", "b"])
    assert (found["seat_most"], found["dealer_spread"], found["revisits"]) == (2, 2, 8)
    assert (found["unmet"], found["strangers"], found["seed"]) == (16, 16, "")
    # Two rounds of two tables of four have four pairs in common at least: two from each table stay together.
    assert found["bound"] == 4
    assert found["worst"]["first deals"] == {"player": "a", "count": 2, "sharing": 2, "least": 0}


def test_members_of_a_club_are_kept_apart_where_that_is_possible(run: Runner, people: str) -> None:
    """One round has four tables of two: the members of two clubs of three need not meet each other."""
    result = run(
        "seating", "plan", "--file", people, "--sizes", "2,2,2,2", "--rounds", "1", "--apart", "club", "--json"
    )
    clubs = [{"Ana", "Beñat", "Félix"}, {"Carmen", "Diego", "Gloria"}]
    assert not any(set(pair) <= club for pair in meetings(result.json["rounds"]) for club in clubs)
    assert result.json["broken"]["apart"] == 0


def test_names_are_kept_apart_and_brought_together(run: Runner, people: str) -> None:
    """Names in constraints are read without regard to accents and case."""
    constraints = ("--apart", "ana,benat", "--together", "Ana, Hugo")
    result = run("seating", "plan", "--file", people, "--rounds", "1", *constraints, "--json")
    met = meetings(result.json["rounds"])
    assert (met[frozenset({"Ana", "Beñat"})], met[frozenset({"Ana", "Hugo"})]) == (0, 1)


def test_a_name_with_a_comma_is_written_in_quotation_marks(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text('name\n"García, José"\nAna\nEva\nIda\n', encoding="utf-8")
    words = ("--file", str(file), "--sizes", "2,2", "--rounds", "1", "--together", '"García, José", Ana', "--json")
    assert meetings(run("seating", "plan", *words).json["rounds"])[frozenset({"García, José", "Ana"})] == 1


def test_played_rounds_are_kept_and_players_who_have_left_are_named(run: Runner, people: str, tmp_path: Path) -> None:
    played = tmp_path / "played.csv"
    seats = [("Ana", "Irene", "Carmen", "Diego"), ("Elena", "Félix", "Gloria", "Hugo")]
    rows = [f"1,{t},{s},{name}" for t, names in enumerate(seats, 1) for s, name in enumerate(names, 1)]
    played.write_text("\n".join(["round,table,seat,player", *rows]), encoding="utf-8")
    result = run("seating", "plan", "--file", people, "--played", str(played), "--rounds", "3", "--json")
    assert result.json["rounds"][0] == [list(names) for names in seats]
    assert all(sorted(map(len, tables)) == [4, 4] for tables in result.json["rounds"])
    assert result.err == "Not among the players, so counted as having left: Irene.\n"


REFUSED = {
    "no players": (("--players", "0"), 1, "0 players"),
    "one player": (("--players", "1"), 1, "2 to 2000"),
    "a million players": (("--players", "1000000"), 1, "2 to 2000"),
    "fewer than none": (("--players", "-3"), 1, "-3 players"),
    "no players given": ((), 2, "either --players or --file"),
    "players given twice": (("--players", "8", "--file", "PEOPLE"), 2, "either --players or --file"),
    "no rounds": (("--players", "8", "--rounds", "0"), 1, "0 rounds"),
    "too many rounds": (("--players", "8", "--rounds", "101"), 1, "1 to 100"),
    "tables of one": (("--players", "8", "--size", "1"), 1, "tables of 1"),
    "tables of nine": (("--players", "18", "--size", "9"), 1, "2 to 8"),
    "least above size": (("--players", "8", "--least", "5"), 1, "2 to 4"),
    "fewer than the least": (
        ("--players", "3", "--least", "4"),
        1,
        "too few players for a table: 3; the smallest has 4",
    ),
    "sizes of too few": (("--players", "12", "--sizes", "4,4,3"), 1, "4 + 4 + 3 have 11 places for 12 players"),
    "sizes of too many": (("--players", "10", "--sizes", "4,4,3"), 1, "have 11 places for 10 players"),
    "sizes of no tables": (("--players", "10", "--sizes", "four"), 2, "as 4,4,3"),
    "a table of one among them": (("--players", "9", "--sizes", "4,4,1"), 1, "tables of 1"),
    "size and sizes": (("--players", "8", "--sizes", "4,4", "--size", "4"), 2, "--size and --sizes contradict"),
    "less than the least among them": (("--players", "10", "--sizes", "8,2", "--least", "3"), 2, "a table of 2"),
    "a table of a negative size": (("--players", "9", "--sizes", "4,-1"), 2, "as 4,4,3"),
    "a table that no round has": (("--players", "20", "--table", "1=99"), 1, "table 99: there are 5 tables"),
    "table 0": (("--players", "20", "--table", "1=0"), 2, "“1=0” cannot be read"),
    "an unknown number": (("--players", "20", "--table", "25=1"), 3, "the players are called 1 to 20"),
    "more than a table holds": (
        ("--players", "9", *(word for name in "1234" for word in ("--table", f"{name}=1"))),
        1,
        "4 players need table 1, which has 3 seats",
    ),
    "apart at one table": (
        ("--file", "PEOPLE", "--apart", "Ana,Hugo", "--table", "Ana=1", "--table", "hugo=1"),
        2,
        "Ana and Hugo cannot be kept apart: both need table 1",
    ),
    "together at two tables": (
        ("--file", "PEOPLE", "--together", "Ana,Hugo", "--table", "Ana=1", "--table", "Hugo=2"),
        2,
        "cannot be seated together: one needs table 1, the other table 2",
    ),
    "an empty seed": (("--players", "8", "--seed", " "), 1, "the seed is empty"),
    "an unknown name": (("--file", "PEOPLE", "--apart", "Ana,Hogo"), 3, "did you mean Hugo"),
    "one name alone": (("--file", "PEOPLE", "--apart", "Ana"), 2, "fewer than two"),
    "no clubs": (("--players", "8", "--apart", "club"), 1, "nobody has a club"),
    "a table that is no number": (("--file", "PEOPLE", "--table", "Ana=red"), 2, "Ana=3"),
    "no such file": (("--file", "nowhere.csv"), 3, "nowhere.csv"),
    "an empty path": (("--file", ""), 2, "the path of the file is empty"),
    "an empty path of rounds": (("--players", "8", "--played", " "), 2, "the path of the file is empty"),
    "no such rounds": (("--players", "8", "--played", "nowhere.json"), 3, "nowhere.json"),
    "more played than wanted": (
        ("--file", "PEOPLE", "--rounds", "1", "--played", "TWO"),
        1,
        "2 rounds are played, and 1 are wanted in all",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_impossible_plan_is_refused_in_one_line(run: Runner, people: str, tmp_path: Path, case: str) -> None:
    words, code, message = REFUSED[case]
    two = tmp_path / "two.json"
    two.write_text('{"rounds": [[["Ana", "Hugo"]], [["Ana", "Elena"]]]}', encoding="utf-8")
    files = {"PEOPLE": people, "TWO": str(two)}
    result = run("seating", "plan", *(files.get(word, word) for word in words))
    assert (result.code, result.out) == (code, "")
    error, hint, rest = result.err.split("\n")
    assert error.startswith("error: ")
    assert hint.startswith("hint: ")
    assert message in result.err
    assert rest == ""
    assert "fault in tourney" not in result.err


def test_a_name_twice_in_the_players_is_refused_with_its_line(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "twice.csv"
    file.write_text("name\nAna\nBeñat\nana\n", encoding="utf-8")
    result = run("seating", "plan", "--file", str(file))
    assert result.code == ExitCode.REFUSED
    assert "line 4: “ana” is in line 2 already" in result.err


def test_a_file_of_ten_megabytes_is_refused_at_once(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    file.write_text('{"rounds": [' + ",".join(['[["a", "b"]]'] * 900_000) + "]}", encoding="utf-8")
    refused = []
    assert effort(lambda: refused.append(run("seating", "judge", str(file)))) < 425
    assert refused[0].code == ExitCode.REFUSED
    assert "too large" in refused[0].err


def test_more_players_than_can_be_judged_are_refused(run: Runner, tmp_path: Path) -> None:
    file = tmp_path / "crowd.json"
    tables = [[str(first), str(first + 1)] for first in range(0, 2002, 2)]
    file.write_text(json.dumps({"rounds": [tables]}), encoding="utf-8")
    result = run("seating", "judge", str(file))
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert "2002 players" in result.err


@pytest.mark.parametrize("words", [("--json",), ("--by", "table", "--format", "csv")], ids=" ".join)
def test_the_rounds_of_an_event_are_judged_from_their_own_files(
    run: Runner, db: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """`seating judge` reads the JSON of `round show` and its posted list by table as CSV."""
    desk.event(db, 8, rounds=3)
    assert run("round", "draw", "--db", db).code == 0
    file = saved(run("round", "show", *words, "--db", db), tmp_path / "file")
    found = run("seating", "judge", file, "--json").json
    assert (found["players"], found["repeats"], found["unmet"]) == (8, 0, 16)


def test_advice_is_offered_for_a_new_event_and_where_players_do_not_fill_the_tables(run: Runner) -> None:
    made = run("event", "new", "Friday", "--rounds", "3")
    assert "`tourney seating advise --players 22 --rounds 3 --rules oficial`" in made.out
    seven = run("event", "enter", "Friday", *"ABCDEFG", "--add")
    assert "7 players do not divide into tables of 4." in seven.out
    assert "`tourney seating advise --players 7 --rounds 3 --rules oficial`" in seven.out
    assert "seating advise" not in run("event", "enter", "Friday", "H", "--add").out


def test_bots_sit_apart_and_do_not_fill_the_tables_of_people(run: Runner) -> None:
    """With seven people and five bots one table of people is short; eight people fill their tables."""
    assert run("event", "new", "Friday").code == 0
    seven = run("event", "enter", "Friday", *"ABCDEFG", "--add", "--bots", "greedy:5").out
    assert "7 players do not divide into tables of 4." in seven
    assert "do not fill" not in run("event", "enter", "Friday", "H", "--add").out


def test_no_advice_is_offered_that_would_be_refused(run: Runner) -> None:
    """`seating advise` takes up to 100 rounds; an event may have more."""
    assert "seating advise" in run("event", "new", "Hundred", "--rounds", "100").out
    assert "seating advise" not in run("event", "new", "More", "--rounds", "101").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("seating", "plan", "--players", "1"), "a seating cannot have 1 player;"),
        (("seating", "plan", "--players", "8", "--size", "1"), "a seating cannot have tables of 1 player;"),
        (
            ("event", "new", "Friday", "--rounds", "2", "--minimum", "3"),
            "minimum games to be ranked: “3” is not possible",
        ),
    ],
    ids=["players", "size", "minimum"],
)
def test_messages_about_one_have_the_singular(run: Runner, words: tuple[str, ...], message: str) -> None:
    assert message.rstrip(";") in run(*words).err.splitlines()[0]


def test_a_seating_in_which_everybody_meets_is_reported(run: Runner) -> None:
    """Sixteen players at tables of four meet everybody once in five rounds."""
    output = run("seating", "plan", "--players", "16", "--rounds", "5").out
    assert "Everybody meets everybody." in output


def test_people_who_all_fit_one_table_need_no_advice(run: Runner) -> None:
    assert run("event", "new", "Friday").code == 0
    assert "seating advise" not in run("event", "enter", "Friday", *"ABC", "--add").out


def test_a_plan_made_elsewhere_is_judged_by_constraints_and_by_its_table_numbers(run: Runner, tmp_path: Path) -> None:
    """Counted by hand: Ana and Beñat meet once, Ana and Eva never; Ana sits at tables 3 and 7, and needs table 7."""
    file = tmp_path / "plan.csv"
    rows = "1,3,1,Ana 1,3,2,Beñat 1,7,1,Dani 1,7,2,Eva 2,3,1,Beñat 2,3,2,Eva 2,7,1,Dani 2,7,2,Ana"
    file.write_text(f"round,table,seat,player {rows}".replace(" ", "\n"), encoding="utf-8")
    words = ("seating", "judge", str(file), "--apart", "ana,benat", "--together", "Ana,Eva", "--table", "Ana=7")
    found = run(*words, "--json").json
    assert found["broken"] == {"apart": 1, "together": 1, "tables": 1}
    assert found["worst"]["wishes"] == {"player": "Ana", "count": 3, "sharing": 1, "least": 0}
    output = run(*words).out
    assert re.search(r"broken constraints +3 +Ana +0\n", output)
    assert "Unknown: the maker, the method and the seed." in output
    kept = run("seating", "judge", str(file), "--apart", "Beñat,Dani").out
    assert "All constraints are kept." in kept
    assert "wishes" not in run("seating", "judge", str(file), "--json").json["worst"]
    clubs = run("seating", "judge", str(file), "--apart", "club")
    assert (clubs.code, clubs.out) == (ExitCode.REFUSED, "")
    assert 'name the members of each club, as --apart "Ana,Beñat"' in clubs.err
    unknown = run("seating", "judge", str(file), "--apart", "Ana,Zoe")
    assert (unknown.code, unknown.out) == (ExitCode.NOT_FOUND, "")
    assert "nobody is called “Zoe”" in unknown.err
