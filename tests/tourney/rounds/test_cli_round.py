"""Tests of `tourney round`: seatings, posted lists, clocks and score slips."""

import csv
import io
import re

import pytest
from rich.cells import cell_len

from tests.harness import desk as helpers
from tests.harness.commands import Runner, done
from tourney.domain.errors import ExitCode
from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import PartialSheet, SheetHand
from tourney.domain.rounds import Table
from tourney.domain.rules import RulesRef
from tourney.domain.schedule import Slips
from tourney.reports.rounds.slips import slips
from tourney.rulebook import rulesets
from tourney.service.change import apply
from tourney.service.results.results import EnterResult, VoidResult
from tourney.service.rounds import rounds
from tourney.storage.session import writing

pytestmark = pytest.mark.usefixtures("new_db")

LONG = ("Maria de los Angeles Etxeberria Goikoetxe", "A" * 40, "王" * 40, "Ñandú Ñandú Ñandú Ñandú Ñandú Ñandú Ñand")
NASTY = ("=1+1", "+cmd", "-Ana", "@SUM(A1)", "＝2", "A|B", "*_`[x](y)", "<b>Eva</b>")


def event(db: str, *names: str, **settings: object) -> None:
    """Create an event with these players."""
    helpers.people_in(db, names, **settings)


def seats(run: Runner) -> list[list[list[str]]]:
    """Return the names by round, table and seat, as the JSON has them."""
    return done(run("round", "show", "--json")).json["rounds"]


@pytest.mark.parametrize("view", [(), ("--by", "table"), ("--by", "name")], ids=["seating", "by table", "by name"])
@pytest.mark.parametrize("short", ["short tables", "sit out"])
def test_a_seating_fits_eighty_columns_with_long_names(
    db: str, run: Runner, monkeypatch: pytest.MonkeyPatch, view: tuple[str, ...], short: str
) -> None:
    """The output goes to a pipe: no letter of any name is lost, and there are no colour codes."""
    names = [f"{name[:39]}{mark}" for name in LONG for mark in "xy"][:7]
    event(db, *names, rounds=2, short=short)
    done(run("round", "draw"))
    monkeypatch.setenv("COLUMNS", "80")
    text = done(run("round", "show", *view)).out
    assert max(map(cell_len, text.splitlines())) <= 80
    assert "\x1b" not in text
    together = re.sub(r"\s", "", text)
    for name in names:
        assert together.count("王") >= 39
        assert all(word in together for word in name.split() if len(word) < 10)


def test_the_posted_list_by_name_is_in_alphabetical_order(db: str, run: Runner) -> None:
    """Accents and case are ignored, ñ is after n; every player appears once, at the table and seat of the JSON."""
    event(db, "ñora", "Álvaro", "alba", "Zoe", "Ñandú", "Nuria", "eva")
    done(run("round", "draw"))
    done(run("round", "draw"))
    rows = list(csv.DictReader(io.StringIO(done(run("round", "show", "--by", "name", "--format", "csv")).out)))
    assert [row["player"] for row in rows] == ["alba", "Álvaro", "eva", "Nuria", "Ñandú", "ñora", "Zoe"]
    assert {row["round"] for row in rows} == {"2"}, "the newest round is posted"
    newest = seats(run)[1]
    assert {row["player"] for row in rows} == {name for table in newest for name in table}
    for row in rows:
        assert newest[int(row["table"]) - 1][int(row["seat"]) - 1] == row["player"]


def test_the_posted_list_by_table_has_the_seats_in_order(db: str, run: Runner) -> None:
    """The list of round 1 has its tables and seats, although round 2 is drawn."""
    event(db, *helpers.NAMES[:7])
    done(run("round", "draw"))
    done(run("round", "draw"))
    text = done(run("round", "show", "--round", "1", "--by", "table", "--format", "csv")).out
    expected = [
        f"1,{number},{seat},{name}"
        for number, table in enumerate(seats(run)[0], 1)
        for seat, name in enumerate(table, 1)
    ]
    assert text.splitlines() == ["round,table,seat,player", *expected]


@pytest.mark.parametrize("view", [(), ("--by", "table"), ("--by", "name"), ("--round", "1")], ids=str)
def test_json_is_the_same_whatever_is_shown(db: str, run: Runner, view: tuple[str, ...]) -> None:
    """One round is drawn: every view has its table and its bye."""
    event(db, *helpers.NAMES[:5], short="sit out")
    done(run("round", "draw"))
    shown = done(run("round", "show", *view, "--json")).json
    (table,) = shown["rounds"][0]
    assert sorted([*table, *shown["sitting_out"][0]]) == sorted(helpers.NAMES[:5])


def test_csv_of_a_seating_is_safe_and_its_numbers_are_numbers(db: str, run: Runner) -> None:
    """Names that a spreadsheet would take for formulas begin with an apostrophe; rounds and tables are numbers."""
    event(db, *NASTY, rounds=1)
    done(run("round", "draw"))
    for view in ((), ("--by", "table"), ("--by", "name")):
        rows = list(csv.DictReader(io.StringIO(done(run("round", "show", *view, "--format", "csv")).out)))
        cells = [cell for row in rows for key, cell in row.items() if key == "player" or key.startswith("seat_")]
        assert sorted(cells) == sorted(f"'{name}" if name[0] in "=+-@＝" else name for name in NASTY)
        assert all(row["table"].isdigit() and row["round"] == "1" for row in rows)


def test_markdown_of_a_seating_keeps_its_columns(db: str, run: Runner) -> None:
    """Every line has as many bars as the first, although names contain Markdown and HTML."""
    event(db, *NASTY, rounds=1)
    done(run("round", "draw"))
    for words in (("show",), ("show", "--by", "name"), ("slips",)):
        text = done(run("round", *words, "--format", "markdown")).out
        for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1
        assert re.search(r"(?<!\\)<", text) is None


def test_each_table_shows_its_state(db: str, run: Runner) -> None:
    """One round has a table in each state: awaiting a result, partly entered, complete, stopped and void."""
    event(db, *[f"P{number}" for number in range(1, 21)], rounds=1)
    done(run("round", "draw"))
    tables = rounds.show(db).rounds[0].tables
    sheets = {table.number: helpers.hands([player.name for player in table.players]) for table in tables}
    for number in (3, 5):
        apply(db, EnterResult(None, 1, number, sheets[number]))
    apply(db, EnterResult(None, 1, 4, sheets[4][:3], length="short"))
    apply(db, VoidResult(None, 1, 5, "wrong table"))
    with writing(db) as store:
        hand = SheetHand("TT", dict(enumerate(sheets[2][0].points.values())))
        store.results.keep_partial_sheet(store.events.get(1), PartialSheet(1, 2, (hand,)))
    lines = done(run("round", "show")).out.splitlines()[3:8]
    states = ["awaiting result", "partly entered", "complete", "stopped", "void"]
    assert [line.split(table.players[-1].name)[1].strip() for line, table in zip(lines, tables, strict=True)] == states


def test_a_slip_has_a_line_for_each_hand_and_room_for_each_player(db: str, run: Runner) -> None:
    """The slip has the seven contracts of document 003 with 7 to 13 cards; the deal rotates from the first seat."""
    event(db, *helpers.NAMES[:7])
    done(run("round", "draw"))
    first, second = seats(run)[0]
    text = done(run("round", "slips")).out
    assert text.count("### Friday, round 1, table ") == 2
    for names, slip in zip((first, second), text.split("###")[1:], strict=True):
        lines = [line.split(" | ") for line in slip.splitlines() if line.startswith("|")]
        assert [cell for cell in lines[0] if cell in names] == names
        hands = [(line[0].strip("| "), line[1], line[2]) for line in lines[2:]]
        contracts = zip(helpers.CONTRACTS, range(7, 14), strict=True)
        assert hands == [
            (contract, str(cards), names[number % len(names)]) for number, (contract, cards) in enumerate(contracts)
        ]
        assert {len(line) for line in lines} == {3 + 2 * len(names) + 2}
        assert all(f"- {name}: \\_" in slip for name in names)


def test_the_slip_of_one_table_as_json(db: str, run: Runner) -> None:
    """The JSON has a row per hand with its cards and dealer; an unknown table is not found."""
    event(db, *helpers.NAMES[:7])
    assert run("round", "slips").code == ExitCode.REFUSED
    done(run("round", "draw"))
    rows = done(run("round", "slips", "--table", "2", "--json")).json
    dealers = seats(run)[0][1]
    assert rows[3] == {"round": 1, "table": 2, "hand": "TTT", "cards": 10, "dealer": dealers[3 % len(dealers)]}
    assert len(rows) == 7
    assert run("round", "slips", "--table", "3").code == ExitCode.NOT_FOUND


def test_a_slip_for_the_knock_game_has_open_lines() -> None:
    """In document 001 the number of hands is open, the dealer depends on who is still in, and four endings exist."""
    seated = tuple(Player(number, name) for number, name in enumerate(helpers.NAMES[:3], 1))
    knock = RulesRef("knock")
    tables = Slips(Event(1, EventSettings("Money", "knock"), knock), (Table(1, 1, seated),), rulesets.contracts(knock))
    (section,) = slips(tables).sections
    assert section.columns[-1].heading == "Ending"
    assert "knock, rummy, color or continental" in section.bullets[0]
    assert section.bullets[1] == "Ana deals the first hand."
    assert [row[0] for row in section.rows] == [str(number) for number in range(1, 13)]
    assert {cell for row in section.rows for cell in row[2:]} == {" "}


def test_a_move_is_reported_with_its_cost(db: str, run: Runner) -> None:
    """The report has the tables that changed, the byes, and repeats before and after."""
    event(db, *helpers.NAMES[:6])
    done(run("round", "draw"))
    done(run("round", "draw"))
    first, second = seats(run)[1]
    ran = done(run("round", "move", "Friday", first[0], "--with", second[0]))
    assert ran.out.startswith("changed: Friday, round 2\n")
    assert re.search(
        r"^(players meet again as often as before|meetings of players who have met before: \d+ .*)$",
        ran.out,
        re.MULTILINE,
    )
    assert seats(run)[1] == [[second[0], *first[1:]], [first[0], *second[1:]]]
    shown = done(run("round", "move", "Friday", first[1], "--out", "--dry-run", "--json"))
    assert shown.json["changed"] == [1]
    assert shown.json["sitting_out"] == [[first[1]]]
    assert shown.json["repeats_after"] <= shown.json["repeats_before"]
    done(run("round", "move", "Friday", first[1], "--table", "2", "--seat", "1"))
    assert seats(run)[1][1][0] == first[1]


@pytest.mark.parametrize(
    "words",
    [
        ("move", "Friday", "1"),
        ("move", "Friday", "1", "--out", "--table", "1"),
        ("move", "Friday", "1", "--with", "2", "--out"),
        ("move", "Friday", "1", "--seat", "2"),
        ("move", "Friday", "1", "--out", "--seat", "2"),
        ("clock", "--stop", "--start"),
        ("clock", "--stop", "--minutes", "5"),
        ("clock", "--minutes", "0"),
        ("show", "--by", "colour"),
    ],
    ids=" ".join,
)
def test_options_that_contradict_each_other_are_a_usage_error(db: str, run: Runner, words: tuple[str, ...]) -> None:
    event(db, *helpers.NAMES[:6])
    done(run("round", "draw"))
    ran = run("round", *words)
    assert (ran.code, ran.out) == (ExitCode.USAGE, "")


def test_a_round_is_timed_and_cancelled(db: str, run: Runner) -> None:
    """Every clock command reports the clock after it; a cancelled round is no longer shown."""
    event(db, *helpers.NAMES[:4], minutes=30)
    done(run("round", "draw"))
    assert "round 1: no clock runs" in done(run("round", "clock")).out
    assert "30 min left, ends " in done(run("round", "clock", "--start", "--dry-run")).out
    assert re.search(r"round 1: 30 min left, ends .*\d\d:\d\d", done(run("round", "clock", "--start")).out)
    assert "45 min left" in done(run("round", "clock", "--minutes", "45")).out
    assert "45 min left" in done(run("round", "show")).out
    assert done(run("round", "clock", "--json")).json[0]["minutes"] == 45
    assert "no clock runs" in done(run("round", "clock", "--stop")).out
    cancelled = done(run("round", "cancel", "--reason", "fire alarm"))
    assert cancelled.out.startswith("cancelled: Friday, round 1\n")
    assert "No round is drawn" in done(run("round", "show", "--by", "name")).out
