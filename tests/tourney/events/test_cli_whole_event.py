"""Tests of a club evening and a bot event on the command line: what each command prints and what it keeps."""

import csv
import json
import shlex
from collections import defaultdict
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Runner, done
from tourney.domain.errors import ExitCode

PEOPLE, SHEETS = str(desk.CLUB / "players.csv"), str(desk.CLUB / "score-sheets.csv")

pytestmark = pytest.mark.usefixtures("new_db")


@pytest.fixture
def club(run: Runner) -> Runner:
    """The command line with the imported club evening."""
    assert done(run("player", "import", PEOPLE)).err == ""
    done(run("event", "import", "Friday", "--sheets", SHEETS, "--rules", "oficial"))
    return run


@pytest.fixture
def bots(run: Runner) -> Runner:
    """The command line with a bot event of two rounds, the first drawn."""
    done(run(*shlex.split("event new Bots --rules oficial --format rotation --rounds 2 --size 4 --seed 9")))
    done(run("event", "enter", "Bots", "--bots", "greedy:4,random:4"))
    done(run("round", "draw", "Bots"))
    return run


@pytest.fixture
def people(run: Runner) -> Runner:
    """The command line with four people, entered and seated at one table that has no result yet."""
    done(run("player", "add", "Ana", "Beñat", "Carmen", "Diego"))
    done(run("event", "new", "Small", "--rounds", "2", "--seed", "4"))
    done(run("event", "enter", "Small", "Ana", "Beñat", "Carmen", "Diego"))
    done(run("round", "draw", "Small"))
    return run


def sheet_rows() -> list[dict[str, str]]:
    with open(SHEETS, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def tables() -> list[list[dict[str, str]]]:
    """Return the rows of each table of the evening, by round and table; the rows are in seat order."""
    rows_by_table: dict[tuple[int, int], list[dict[str, str]]] = defaultdict(list)
    for row in sheet_rows():
        rows_by_table[int(row["round"]), int(row["table"])].append(row)
    return [sorted(rows_by_table[key], key=lambda row: int(row["seat"])) for key in sorted(rows_by_table)]


# --- the club evening -------------------------------------------------------------------------------------


def test_only_verbose_tables_name_the_head_of_the_journal(club: Runner) -> None:
    """Check that JSON and CSV omit it, so that equal games give equal output."""
    head = done(club("db", "check", "--json")).json["head"][:16]
    for command in (("standings", "Friday"), ("ratings",)):
        assert f"journal head {head}" in done(club(*command, "--verbose")).out
        assert head not in done(club(*command)).out
        for format in ("json", "csv"):
            assert head not in done(club(*command, "--format", format)).out


# --- players and events -----------------------------------------------------------------------------------


def test_an_event_is_created_with_every_option_and_shown(run: Runner) -> None:
    words = shlex.split(
        "--rules oficial --format rotation --rounds 3 --size 4 --seed s --minimum 2 --checkin required --minutes 50 "
        "--unfinished penalty --unfinished-points 25 --seats drawn --table-points dc --totals sum --fee 7,5 "
        "--pot 100.00 --tie-breaks games-won,lot --prizes '50%-30%;newcomer 10' --organiser 'Club Getxo' "
        "--substitutes nobody --lang en --short 'sit out' --date 2026-05-01"
    )
    created = done(run("event", "new", "May", *words, "--json")).json
    assert {key: value for key, value in created.items() if key != "rules_digest"} == {
        "id": 1,
        "name": "May",
        "date": "2026-05-01",
        "rules": "oficial",
        "format": "rotation",
        "rounds": 3,
        "size": 4,
        "seed": "s",
        "short": "sit out",
        "minimum": 2,
        "checkin": "required",
        "minutes": 50,
        "unfinished": "penalty",
        "unfinished_points": 25,
        "stake": 0,
        "tables": None,
        "seats": "drawn",
        "lang": "en",
        "scoring": "table points",
        "table_points": "4-3-2-1/4-2.5-1",
        "totals": "sum",
        "tie_breaks": "games-won,lot",
        "fee": "7.50",
        "pot": "100",
        "prizes": "50%-30%; newcomer 10",
        "substitutes": "nobody",
        "organiser": "Club Getxo",
        "phone_pins": "seat taken",
        "wishes": [],
        "state": "open",
        "states": [],
        "entrants": [],
    }
    assert done(run("event", "show", "may", "--json")).json == created
    assert done(run("event", "list", "--json")).json == [created]
    assert done(run("event", "use", "May")).out == "current event: May\n"
    assert done(run("event", "show", "--json")).json == created


# --- rounds, bots and records -----------------------------------------------------------------------------


def test_a_record_that_does_not_replay_is_refused_with_its_hand_and_step(bots: Runner, tmp_path: Path) -> None:
    done(bots("round", "play", "Bots"))
    text = done(bots("result", "show", "Bots", "--round", "1", "--table", "1", "--record")).out
    record = tmp_path / "altered.toml"
    record.write_text(text.replace('seed = "9/', 'seed = "8/'), encoding="utf-8")
    result = bots("record", "verify", str(record))
    assert (result.code, result.out) == (ExitCode.REFUSED, "")
    assert f"{record}: hand 1 (TT), step " in result.err
    for content, words in ((b"\xff", "is not UTF-8"), (b"x", "this is not a record"), (b"", "field 'format'")):
        record.write_bytes(content)
        refused = bots("record", "show", str(record))
        assert refused.code == ExitCode.REFUSED
        assert words in refused.err
    missing = bots("record", "replay", str(tmp_path / "none.toml"))
    assert missing.code == ExitCode.NOT_FOUND


# --- results of people ------------------------------------------------------------------------------------


def seats_of(run: Runner) -> list[str]:
    seats: list[str] = done(run("round", "show", "Small", "--json")).json["rounds"][0][0]
    return seats


def hand_options(names: list[str], points: tuple[int, ...] = (-10, 35, 12, 60)) -> list[str]:
    words: list[str] = []
    for contract in desk.CONTRACTS:
        pairs = " ".join(f"{name}={point}" for name, point in zip(names, points, strict=True))
        words += ["--hand", f"{contract} {pairs}"]
    return words


AT = ("Small", "--round", "1", "--table", "1")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--file", "a.toml", "--hand", "TT Ana=0"),
        ("--file", "a.toml", "--dead", "TT"),
        ("--hand", "nonsense"),
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
def test_a_sheet_comes_either_from_a_file_or_from_options(people: Runner, words: tuple[str, ...]) -> None:
    refused = people("result", "enter", *AT, *words)
    assert (refused.code, refused.out) == (ExitCode.USAGE, "")


def test_a_record_needs_its_table_and_a_table_alone_is_of_the_newest_round(people: Runner) -> None:
    for words in (("--round", "1", "--record"), ("--record",)):
        assert people("result", "show", "Small", *words).code == ExitCode.USAGE
    missing = people("result", "show", "Small", "--table", "1")
    assert (missing.code, "table 1 of round 1" in missing.err) == (ExitCode.NOT_FOUND, True)


# --- dry runs ---------------------------------------------------------------------------------------------


def test_every_dry_run_shows_a_report_and_keeps_nothing(people: Runner, tmp_path: Path) -> None:
    """Every changing command is run dry; the head of the journal is the same before and after."""
    names = seats_of(people)
    results = tmp_path / "results.csv"
    results.write_text("seq,player,rank\n1,x,1\n1,y,2\n", encoding="utf-8")
    commands = [
        ("player", "add", "Unai"),
        ("player", "import", PEOPLE),
        ("event", "new", "Other"),
        ("event", "use", "Small"),
        ("event", "enter", "Small", "--bots", "greedy:4"),
        ("round", "draw", "Small"),
        ("round", "play", "Small"),
        ("result", "enter", *AT, *hand_options(names)),
        ("rating", "import", str(results), "--pool", "p"),
        ("db", "upgrade"),
    ]
    before = done(people("db", "check", "--json")).json
    for words in commands:
        result = done(people(*words, "--dry-run"))
        assert result.out.startswith("dry run: nothing was saved"), words
        shown = done(people(*words, "--dry-run", "--json"))
        assert shown.err.startswith("dry run: nothing was saved\n"), words
        json.loads(shown.out)
    assert done(people("db", "check", "--json")).json == before


# --- ratings of other games, the database -----------------------------------------------------------------


def test_the_option_db_names_the_database(run: Runner, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    assert done(run("db", "path", "--db", other)).out == f"{other}\n"
    assert done(run("db", "path", "--json")).json == {"path": str(tmp_path / "club.db")}
    refused = run("player", "list", "--db", other)
    assert (refused.code, refused.out) == (ExitCode.NOT_FOUND, "")
    assert not Path(other).exists()


def test_a_sound_database_passes_the_check_and_a_damaged_one_fails(club: Runner, tmp_path: Path) -> None:
    """A name is changed in the file: exit code 1, and the problem is named."""
    import sqlite3

    sound = done(club("db", "check", "--json")).json
    assert sound["problems"] == []
    with sqlite3.connect(tmp_path / "club.db") as db:
        assert db.execute("UPDATE person SET name = 'Nobody' WHERE rowid = 1").rowcount == 1
    damaged = club("db", "check", "--json")
    assert damaged.code == ExitCode.REFUSED
    assert damaged.json["problems"]
    assert damaged.json["problems"][0] in club("db", "check").out


def test_the_demo_shows_every_report_and_leaves_no_file(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The demo prints its commands, seating, standings and ratings, and which command to type next."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = done(run("demo"))
    assert result.err == ""
    for words in (
        "$ tourney player import",
        "Seat 1",
        "Standings of",
        "Ratings of the pool people",
        "tourney player add",
    ):
        assert words in result.out
    assert list(tmp_path.iterdir()) == []
