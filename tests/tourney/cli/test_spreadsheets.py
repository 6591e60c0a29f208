"""Tests of what spreadsheets open: workbooks, read by another library, and CSV for a Spanish Excel."""

import csv
import datetime
import io
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.files.workbook import opened
from tourney.reports.render.export import csv_text, spanish_csv_text
from tourney.reports.render.report import Field, Report
from tourney.reports.render.workbook import write_workbook
from tourney.service.change import apply
from tourney.service.players import RegisterPlayers

FORMULAS = (
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    '=HYPERLINK("http://x","y")',
    "2026-11-20",
    "007",
    "#REF!",
)
COLUMNS = (
    Field("player", "Player"),
    Field("date", "Date"),
    Field("points", "Points", align="right"),
    Field("average", "Per game", align="right", decimals=2),
    Field("provisional", "provisional", readers="programs"),
    Field("shown", "Shown", readers="people"),
)
ROWS = (
    ("Beñat", "2026-11-20", 375, 1 / 3, True, "▂▄"),
    *((formula, "", -10, -2.5, False, "") for formula in FORMULAS),
    ('Ana, «la rápida»; "x"', "soon", 10**18, None, None, ""),
)


@pytest.fixture
def club(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """The command line in a folder with the evening of the club, and people whose names look like formulas."""
    db = desk.evening(tmp_path / "club.db")
    apply(db, RegisterPlayers(FORMULAS[:5]))
    monkeypatch.setenv("TOURNEY_DB", db)
    monkeypatch.chdir(tmp_path)
    return Runner(capsys)


def workbook(rows: tuple[tuple[Any, ...], ...]) -> bytes:
    """Return the workbook of a report with these rows."""
    file = io.BytesIO()
    write_workbook(Report("", COLUMNS, rows), file)
    return file.getvalue()


def other_library(content: bytes) -> list[list[Any]]:
    """Return the cells of a workbook as a library of other people reads them."""
    return CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()


def test_another_library_reads_every_cell_of_a_workbook_with_its_type() -> None:
    """An empty cell is "" there; numbers are unrounded; a number of 18 digits, which Excel would round, is text."""
    header, first, *others, last = other_library(workbook(ROWS))
    assert header == ["player", "date", "points", "average", "provisional"]
    assert first == ["Beñat", datetime.date(2026, 11, 20), 375, 1 / 3, True]
    assert others == [[formula, "", -10, -2.5, False] for formula in FORMULAS]
    assert last == ['Ana, «la rápida»; "x"', "soon", str(10**18), "", ""]


@pytest.mark.parametrize("name", ["_x0041_na", "_x005F_x0041_na", "a_x000D_b", "_x_", "_x004_"])
def test_a_name_that_excel_would_read_as_another_one_stays_as_it_is(tmp_path: Path, name: str) -> None:
    """Excel shows `_x0041_` as A (ECMA-376, 22.9.2.19)."""
    content = workbook(((name, "", 0, 0, False, ""),))
    assert other_library(content)[1][0] == name
    (tmp_path / "people.xlsx").write_bytes(content)
    with opened(tmp_path / "people.xlsx") as rows:
        assert rows is not None
        assert [row[0] for block in rows.blocks for row in zip(*block.columns, strict=True)] == [name]


def test_a_workbook_has_no_formula_and_no_link() -> None:
    with zipfile.ZipFile(io.BytesIO(workbook(ROWS))) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml")
        assert b"<f>" not in sheet
        assert b"hyperlink" not in sheet
        assert not [name for name in parts.namelist() if "external" in name.lower() or "macro" in name.lower()]


@pytest.mark.parametrize("text", [csv_text, spanish_csv_text])
def test_a_heading_of_csv_is_no_formula_either(text: Any) -> None:
    """Columns of a league have the names of its bots; Excel in Spain splits at semicolons."""
    header = (
        text(Report("", (Field("better_than_a;=1+1", "", align="right"),), ((1.5,),))).lstrip("\ufeff").splitlines()[0]
    )
    assert not [cell for cell in re.split("[;,]", header.strip('"')) if cell.startswith("=")]


def test_a_workbook_without_rows_has_its_header() -> None:
    assert other_library(workbook(())) == [["player", "date", "points", "average", "provisional"]]


@pytest.mark.parametrize("command", ["standings", "player list", "ratings", "event list", "round show", "log"])
def test_a_listing_in_a_workbook_equals_its_csv(club: Runner, tmp_path: Path, command: str) -> None:
    """Both have the same cells; those of the workbook are typed, so they are compared as text."""
    listed = list(csv.reader(io.StringIO(club(*command.split(), "--format", "csv").out)))
    done = club(*command.split(), "--format", "xlsx", "--output", "listing.xlsx")
    assert (done.code, done.out) == (0, "")
    cells = other_library((tmp_path / "listing.xlsx").read_bytes())
    assert [[as_csv(cell) for cell in row] for row in cells] == [[plain(cell) for cell in row] for row in listed]


def as_csv(cell: Any) -> str:
    """Return the text of a typed cell; calamine has every number as a float."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return plain(str(cell)) if not isinstance(cell, float) else plain(repr(cell))


def plain(cell: str) -> str:
    """Return a cell of CSV without the apostrophe that guards a formula, and a number in one form."""
    unguarded = re.sub(r"(^|[;,|])'(?=[ \"']*[-=+@])", r"\1", cell)
    try:
        return repr(float(unguarded))
    except ValueError:
        return unguarded


def test_spanish_csv_has_a_mark_semicolons_and_decimal_commas() -> None:
    text = spanish_csv_text(Report("", COLUMNS, ROWS))
    assert text.encode().startswith(b"\xef\xbb\xbfplayer;date;points;average;provisional\n")
    first, *others, last = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))[1:]
    assert first == ["Beñat", "2026-11-20", "375", repr(1 / 3).replace(".", ","), "true"]
    assert {row[3] for row in others} == {"-2,5"}
    assert last == ['Ana, «la rápida»; "x"', "soon", str(10**18), "", ""]


@pytest.mark.parametrize("command", ["standings", "player list", "ratings", "event list", "round show", "log"])
def test_spanish_csv_read_back_equals_csv(club: Runner, command: str) -> None:
    plain_csv = list(csv.reader(io.StringIO(club(*command.split(), "--format", "csv").out)))
    text = club(*command.split(), "--format", "csv-es").out
    spanish = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))
    assert [[cell.replace(",", ".") for cell in row] for row in spanish] == [
        [cell.replace(",", ".") for cell in row] for row in plain_csv
    ]


def test_both_forms_of_csv_guard_the_same_texts() -> None:
    rows = tuple((formula, "", 0, 0, False, "") for formula in FORMULAS)
    texts = csv_text(Report("", COLUMNS, rows)), spanish_csv_text(Report("", COLUMNS, rows))
    guarded = [[line[:1] == "'" or line[:2] == "\"'" for line in text.splitlines()[1:]] for text in texts]
    assert guarded[0] == guarded[1] == [True] * 5 + [False] * 3


def test_notes_of_a_workbook_go_to_standard_error(club: Runner) -> None:
    club("event", "new", "Saturday")
    expected = club("standings", "Saturday", "--format", "csv").err
    done = club("standings", "Saturday", "--format", "xlsx", "--output", "empty.xlsx")
    assert done.err.replace("The output is in empty.xlsx.\n", "") == expected != ""


def test_a_workbook_needs_a_file(club: Runner) -> None:
    done = club("standings", "--format", "xlsx")
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert done.err == (
        "error: a workbook is written to a file\nhint: add --output and a name, such as --output standings.xlsx\n"
    )


def test_without_openpyxl_a_workbook_is_refused_before_a_change(
    club: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    club("event", "new", "Saturday")
    club("event", "enter", "Saturday", "--all")
    before = desk.query(str(tmp_path / "club.db"), "SELECT hash FROM head")
    done = club("round", "draw", "Saturday", "--format", "xlsx", "--output", "round.xlsx")
    assert done.code == ExitCode.REFUSED
    assert done.err == (
        "error: workbooks (.xlsx) need the package openpyxl, which is not installed\nhint: pip install openpyxl\n"
    )
    assert desk.query(str(tmp_path / "club.db"), "SELECT hash FROM head") == before
    assert not (tmp_path / "round.xlsx").exists()
