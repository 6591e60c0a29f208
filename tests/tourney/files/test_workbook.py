"""Tests of reading workbooks: the cells that Excel shows, and nothing of what a hostile file contains."""

import datetime
import io
import re
import sys
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from tests.harness import desk
from tests.harness.bad_input import workbooks
from tests.harness.desk import CLUB
from tests.harness.effort import effort, growth
from tests.harness.slow import slow
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files import workbook
from tourney.files.description import Description, read_lines
from tourney.files.rows import read_rows
from tourney.files.score_csv import read_score_sheets

CONTRACTS = ("TT", "TE", "EE", "TTT", "TTE", "TEE", "EEE")


def made(path: Path, *rows: tuple[Any, ...], change: Callable[[Workbook], object] = lambda book: None) -> Path:
    """Write a workbook with these rows, changed by `change`, and return its path."""
    book = Workbook()
    for row in rows:
        book.active.append(row)
    change(book)
    book.save(path)
    return path


def rewritten(path: Path, part: str, change: Callable[[bytes], bytes]) -> Path:
    """Change one part of a workbook."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {part: b"", **parts}.items():
            archive.writestr(name, change(content) if name == part else content)
    return path


SHEET = "xl/worksheets/sheet1.xml"


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a file with the column `name`."""
    return [dict(row.values) for row in read_rows(path, ("name",))]


VALUES = {
    "a text": ("Beñat", "Beñat"),
    "blanks around it": ("  Ana \u00a0", "Ana"),
    "a character by the two numbers of its halves": ("_xD83C__xDC00_", "\U0001f000"),
    "another composition": ("Ben\u0303at", "Beñat"),
    "a whole number": (7, "7"),
    "a whole number stored with a point": (7.0, "7"),
    "a fraction": (2.5, "2.5"),
    "below zero": (-10, "-10"),
    "a date": (datetime.datetime.fromisoformat("2026-11-20T00:00"), "2026-11-20"),
    "a day": (datetime.date(2026, 11, 20), "2026-11-20"),
    "true": (True, "true"),
    "nothing": (None, ""),
}


@pytest.mark.parametrize("case", VALUES)
def test_a_cell_has_the_text_that_csv_would_have(tmp_path: Path, case: str) -> None:
    value, text = VALUES[case]
    assert read(made(tmp_path / "people.xlsx", ("name", "other"), ("Ana", value)))[0]["other"] == text


def test_a_text_that_looks_like_a_formula_is_a_text(tmp_path: Path) -> None:
    """A spreadsheet keeps `=1+1` as a text if an apostrophe is typed before it."""

    def as_text(book: Workbook) -> None:
        book.active["A2"].data_type = "s"

    assert read(made(tmp_path / "people.xlsx", ("name",), ("=1+1",), change=as_text)) == [{"name": "=1+1"}]


@pytest.mark.parametrize("name", ["people", "people.csv", "people.xls"])
@pytest.mark.parametrize("cell", ["Ana", "=A1"])
def test_a_workbook_is_known_by_its_content_and_not_by_its_name(tmp_path: Path, name: str, cell: str) -> None:
    path = made(tmp_path / "people.xlsx", ("name",), (cell,)).rename(tmp_path / name)
    if cell == "Ana":
        assert read(path) == [{"name": "Ana"}]
    else:
        with pytest.raises(TourneyError, match="A2"):
            read(path)


def test_blank_rows_and_columns_without_a_heading_are_skipped(tmp_path: Path) -> None:
    path = made(tmp_path / "people.xlsx", (), ("name", None, "club"), (), ("Ana",), (None, None), ("Carla", None, "x"))
    assert read(path) == [{"name": "Ana", "club": ""}, {"name": "Carla", "club": "x"}]


def test_score_sheets_of_a_workbook_are_those_of_the_csv(tmp_path: Path) -> None:
    """The rows are taken from the CSV by hand, numbers as numbers."""
    lines = (CLUB / "score-sheets.csv").read_text(encoding="utf-8").splitlines()
    rows = [tuple(int(cell) if cell.lstrip("-").isdigit() else cell for cell in line.split(",")) for line in lines]
    path = made(tmp_path / "sheets.xlsx", *rows)
    assert read_score_sheets(path, CONTRACTS) == read_score_sheets(CLUB / "score-sheets.csv", CONTRACTS)


def test_a_formula_counts_as_the_value_stored_with_it_and_is_never_computed(tmp_path: Path) -> None:
    """1 + 1 is stored as 7 here, which no program that computes would show."""
    path = made(tmp_path / "people.xlsx", ("name", "number"), ("Ana", "=1+1"))
    stored = rewritten(path, SHEET, lambda xml: re.sub(rb"<v ?/>|<v></v>", b"<v>7</v>", xml))
    assert read(stored) == [{"name": "Ana", "number": "7"}]


def test_a_long_formula_that_many_cells_share_is_not_taken_apart(tmp_path: Path) -> None:
    """The attack: 25 kB of a formula of 20,000 words held the command for minutes."""
    path = made(tmp_path / "people.xlsx", ("name",), *[("Ana",)] * 200)
    shared = b'<f t="shared" ref="A2:A201" si="0">%s</f>' % (b"A1+" * 20_000 + b"A1")
    path = rewritten(path, SHEET, lambda xml: with_formulas(xml, shared))
    assert effort(lambda: read(path)) < 85
    assert read(path) == [{"name": f"P{row}"} for row in range(2, 202)]


def with_formulas(xml: bytes, first: bytes) -> bytes:
    """Let each cell of column A below the heading have the formula, or share it, and a stored value."""
    formulas = [first, *[b'<f t="shared" si="0"/>'] * 199]
    rows = (
        b'<row r="%d"><c r="A%d" t="str">%s<v>P%d</v></c></row>' % (row, row, formula, row)
        for row, formula in enumerate(formulas, 2)
    )
    return re.sub(rb'<row r="2".*</sheetData>', b"".join(rows) + b"</sheetData>", xml)


def with_format(xml: bytes, code: bytes, cells: int) -> bytes:
    """Return styles in which so many formats of cells have one format of numbers."""
    xml = re.sub(rb"<numFmts.*?(</numFmts>|/>)", b"", xml)
    xml = xml.replace(b"<fonts", b'<numFmts><numFmt numFmtId="200" formatCode="%s"/></numFmts><fonts' % code, 1)
    formats = b'<xf numFmtId="200"/>' * cells
    return re.sub(rb"<cellXfs.*</cellXfs>", b"<cellXfs>%s</cellXfs>" % formats, xml)


@pytest.mark.parametrize("code", [b"[", b"&quot;", b"\\", b"_", b";", b"[h"])
def test_formats_of_numbers_take_time_in_proportion_to_their_length_and_number(tmp_path: Path, code: bytes) -> None:
    """The attack: a workbook of 5 kB took a minute, for each format of a cell asked a long format of numbers again."""

    def work(size: int) -> Callable[[], object]:
        path = made(tmp_path / f"{size}.xlsx", ("name",), ("Ana",))
        rewritten(path, "xl/styles.xml", lambda xml: with_format(xml, code * size, size // 10))
        return lambda: read_or_refused(path)

    assert growth(work, 1_000) < 3


def read_or_refused(path: Path) -> None:
    with suppress(TourneyError):
        read(path)


@pytest.mark.parametrize(("length", "sound"), [(255, True), (256, False)])
def test_a_format_of_numbers_is_no_longer_than_in_excel(tmp_path: Path, length: int, sound: bool) -> None:
    path = made(tmp_path / "people.xlsx", ("name",), ("Ana",))
    rewritten(path, "xl/styles.xml", lambda xml: with_format(xml, b"0" * length, 1))
    if sound:
        assert read(path) == [{"name": "Ana"}]
    else:
        with desk.refused(ExitCode.REFUSED, "this is not a sound workbook"):
            read(path)


FORMATS = {"dd/mm/yyyy": "2026-11-20", "0.00": "46346", '"day" 0': "46346", "[$-409]d-mmm": "2026-11-20"}


@pytest.mark.parametrize("code", FORMATS)
def test_a_number_is_a_date_where_its_own_format_shows_one(tmp_path: Path, code: str) -> None:
    """The 20th of November 2026 has the number 46346 (days since the 30th of December 1899)."""

    def shown(book: Workbook) -> None:
        book.active["B2"].number_format = code

    path = made(tmp_path / "people.xlsx", ("name", "day"), ("Ana", 46346), change=shown)
    assert read(path) == [{"name": "Ana", "day": FORMATS[code]}]


@pytest.mark.parametrize("name", ["_xlnm.Print_Area", "_xlnm.Print_Titles", "_xlnm.Print_Area2", "other"])
def test_names_of_ranges_are_not_taken_apart(tmp_path: Path, name: str) -> None:
    """The attack: a print area of 20,000 apostrophes took twelve seconds."""
    named = f'</sheets><definedNames><definedName name="{name}" localSheetId="0">%s</definedName></definedNames>'
    path = made(tmp_path / "people.xlsx", ("name",), ("Ana",))
    hostile = named.encode() % (b"'" * 20_000)
    rewritten(path, "xl/workbook.xml", lambda xml: xml.replace(b"</sheets>", hostile).replace(b"<definedNames />", b""))
    assert effort(lambda: read(path)) < 85
    assert read(path) == [{"name": "Ana"}]


def test_a_part_is_one_worksheet_however_often_it_is_named(tmp_path: Path) -> None:
    """A thousand worksheets of one large part would be read a thousand times."""
    path = made(tmp_path / "people.xlsx", ("name",), ("Ana",))
    again = rb"\1" + b"".join(b'<sheet name="S%d" sheetId="%d" state="visible" r:id="rId1"/>' % (n, n) for n in (2, 3))
    sheet = rb"(<sheet [^>]*/>)"
    rewritten(path, "xl/workbook.xml", lambda xml: re.sub(sheet, again.replace(b"r:id", prefixed(xml)), xml))
    assert read(path) == [{"name": "Ana"}]


def prefixed(xml: bytes) -> bytes:
    """Return the name of the attribute by which a worksheet names its part."""
    found = re.search(rb"<sheet [^>]*?([a-z0-9]*:id)=", xml)
    assert found
    return found[1]


def test_links_to_other_files_are_not_followed(tmp_path: Path) -> None:
    path = made(tmp_path / "people.xlsx", ("name", "other"), ("Ana", "='[/etc/passwd]Sheet'!A1"))
    with desk.refused(ExitCode.REFUSED, "cell B2 has a formula without a value"):
        read(path)


def test_only_the_worksheet_with_values_is_read(tmp_path: Path) -> None:
    def more(book: Workbook) -> None:
        book.create_sheet("Empty")
        hidden = book.create_sheet("Hidden")
        hidden.append(("name",))
        hidden.sheet_state = "hidden"

    assert read(made(tmp_path / "people.xlsx", ("name",), ("Ana",), change=more)) == [{"name": "Ana"}]


def second_sheet(book: Workbook) -> None:
    book.create_sheet("Second").append(("name",))


def seasons(book: Workbook) -> None:
    """Add a hidden worksheet, and one that is named by a number, with a title above and totals below."""
    for title, rows in {
        "Old": [("Old",), ("name", "points"), ("Eva", 1)],
        "2024": [("Season 2024",), (), ("name", "points"), ("Ana", 7), ("Beñat", 9), ("Total", 16, "seen")],
    }.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book["Old"].sheet_state = "hidden"


@pytest.mark.parametrize(
    ("sheet", "lines", "expected"),
    [
        ("Sheet", "", {"Mar": "1"}),
        ("1", "", {"Mar": "1"}),
        ("2024", "3-5", {"Ana": "7", "Beñat": "9"}),
        ("2", "3-4", {"Ana": "7"}),
        ("OLD", "2-", {"Eva": "1"}),
    ],
)
def test_a_worksheet_is_chosen_by_name_or_number_and_read_between_two_lines(
    tmp_path: Path, sheet: str, lines: str, expected: dict[str, str]
) -> None:
    """Numbers count the worksheets that a spreadsheet shows; a name goes before a number."""
    path = made(tmp_path / "people.xlsx", ("name", "points"), ("Mar", 1), change=seasons)
    described = Description(sheet=sheet, lines=read_lines(lines))
    rows = [row.values for row in read_rows(path, ("name",), described=described)]
    assert {row["name"]: row["points"] for row in rows} == expected


def test_a_worksheet_that_is_not_there_and_titles_are_refused_with_what_to_write(tmp_path: Path) -> None:
    path = made(tmp_path / "people.xlsx", ("name", "points"), ("Mar", 1), change=seasons)
    for sheet in ("2023", "3", "0"):
        with pytest.raises(TourneyError, match=f"no worksheet “{sheet}”") as error:
            list(read_rows(path, ("name",), described=Description(sheet=sheet)))
        assert "Sheet, 2024" in error.value.hint
    with pytest.raises(TourneyError) as error:
        list(read_rows(path, ("name",), described=Description(sheet="2024")))
    assert "`--lines 3-`" in error.value.hint
    plain = tmp_path / "people.csv"
    plain.write_text("name\nAna\n", encoding="utf-8")
    for file, described in ((plain, Description(sheet="1")), (path, Description(encoding="cp850", sheet="1"))):
        with pytest.raises(TourneyError, match="not for a"):
            list(read_rows(file, ("name",), described=described))


def error_cell(book: Workbook) -> None:
    book.active["A2"] = "#REF!"


def far_right(book: Workbook) -> None:
    book.active["XFD3"] = "x"


def utf_16_entities(xml: bytes) -> bytes:
    return without_entities(xml).decode().replace("UTF-8", "UTF-16").encode("utf-16")


def without_entities(xml: bytes) -> bytes:
    """Return the part with a definition that would expand to a thousand million letters."""
    entities = b"".join(b'<!ENTITY l%d "%s">' % (level, b"&l%d;" % (level - 1) * 10) for level in range(1, 10))
    start, rest = xml.split(b"?>", 1) if b"?>" in xml else (b"", xml)
    prolog = start + b"?>" if start else b""
    return prolog + b'<!DOCTYPE x [<!ENTITY l0 "lol">' + entities + b"]>" + rest


def bomb(path: Path) -> Path:
    """Return a workbook of some kilobytes with a part of a thousand million bytes."""
    made(path, ("name",), ("Ana",))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/bomb.xml", "w") as part:
        for _block in range(70):
            part.write(bytes(1 << 20))
    return path


def many_parts(path: Path) -> Path:
    made(path, ("name",), ("Ana",))
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(workbook.MAX_PARTS):
            archive.writestr(f"xl/{number}.xml", "")
    return path


def not_excel(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    return path


def cut(path: Path) -> Path:
    content = made(path, ("name",), ("Ana",)).read_bytes()
    path.write_bytes(content[: len(content) // 2])
    return path


def encrypted(path: Path) -> Path:
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    return path


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def crowded(part: str, before: str, each: str, after: str, times: int = 200_001) -> Callable[[Path], Path]:
    """Return what writes a small workbook with an element so often in one part that reading it takes long."""
    xml = f"<{before.replace(' ', f' xmlns={MAIN!r} ', 1)}{each * times}{after}"
    return lambda path: rewritten(made(path, ("name",), ("Ana",)), part, lambda _old: xml.encode())


CROWDS = {
    "styles": crowded("xl/styles.xml", "styleSheet ><fonts>", "<font/>", "</fonts></styleSheet>"),
    "formats of cells": crowded("xl/styles.xml", "styleSheet ><cellXfs>", "<xf/>", "</cellXfs></styleSheet>"),
    "texts": crowded("xl/sharedStrings.xml", "sst >", "<si/>", "</sst>"),
    "pieces of a text": crowded("xl/sharedStrings.xml", "sst ><si>", "<r/>", "</si></sst>"),
    "what is in the pieces of a text": crowded(
        "xl/sharedStrings.xml", "sst ><si>", "<r><rPr><b/><i/><u/></rPr></r>", "</si></sst>", 101_000
    ),
    "what is in styles": crowded(
        "xl/styles.xml", "styleSheet ><fonts>", "<font><b/><i/><u/><sz/></font>", "</fonts></styleSheet>", 101_000
    ),
    "styles that say they are rows": crowded(
        "xl/styles.xml", "styleSheet ><sheetData>", "<row><b/><i/><u/><sz/></row>", "</sheetData></styleSheet>", 101_000
    ),
    "what is below the rows of a worksheet": crowded(
        SHEET,
        "worksheet ><sheetData/><dataValidations>",
        "<dataValidation><b/><b/><b/><b/></dataValidation>",
        "</dataValidations></worksheet>",
        101_000,
    ),
    "what is no row among the rows": crowded(
        SHEET, "worksheet ><sheetData>", "<y><b/><b/><b/><b/></y>", "</sheetData></worksheet>", 101_000
    ),
    "rows of another kind": crowded(
        SHEET,
        'worksheet ><sheetData xmlns:other="others">',
        "<other:row><b/><b/><b/><b/></other:row>",
        "</sheetData></worksheet>",
        101_000,
    ),
    "names": crowded("xl/workbook.xml", "workbook ><definedNames>", "<definedName/>", "</definedNames></workbook>"),
    "texts within a cell": crowded(
        SHEET,
        'worksheet ><sheetData><row r="1"><c t="inlineStr"><is>',
        "<t/>",
        "</is></c></row></sheetData></worksheet>",
    ),
    "attributes": lambda path: rewritten(
        made(path, ("name",), ("Ana",)),
        SHEET,
        lambda xml: xml.replace(b"<sheetData", b"<sheetData " + b" ".join(b'a%d=""' % at for at in range(200_000))),
    ),
}


CROWDS |= {
    "attributes of many elements": crowded(
        "xl/workbook.xml",
        "workbook ><extLst>",
        "<a " + " ".join(f'a{at}="1"' for at in range(600)) + "/>",
        "</extLst></workbook>",
        900,
    ),
    "a long text": crowded("xl/sharedStrings.xml", "sst ><si><t>", "x" * 1000, "</t></si></sst>", 1100),
    "many pieces of a text": crowded(
        "xl/sharedStrings.xml", "sst ><si>", f"<r><t>{'x' * 1000}</t></r>", "</si></sst>", 1100
    ),
    "the cells of a row": crowded(
        SHEET, "worksheet ><sheetData><row>", f"<c><v>{'1' * 1000}</v></c>", "</row></sheetData></worksheet>", 1100
    ),
}


@pytest.mark.parametrize("case", CROWDS)
def test_a_workbook_of_too_many_elements_is_refused_before_openpyxl_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    monkeypatch.setattr("tourney.files.workbook_values.opened_book", None)
    with desk.refused(ExitCode.REFUSED, "people.xlsx", "the workbook is too large"):
        read(CROWDS[case](tmp_path / "people.xlsx"))


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/styles.xml", "xl/sharedStrings.xml"])
def test_a_part_that_is_read_as_a_whole_is_not_built_because_it_has_rows(tmp_path: Path, part: str) -> None:
    """The attack: a worksheet of two million elements as the workbook's list of worksheets took 1,300 MB."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    texts = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'.encode()
    many = crowded(part, "worksheet ><sheetData>", "<row><b/><b/><b/><b/></row>", "</sheetData></worksheet>", 101_000)
    path = many(tmp_path / "people.xlsx")
    path = rewritten(path, "[Content_Types].xml", lambda xml: xml.replace(b"</Types>", texts))
    with desk.refused(ExitCode.REFUSED, "people.xlsx", "this is not a sound workbook"):
        read(path)


BAD: dict[str, tuple[Callable[[Path], Path], tuple[str, ...]]] = {
    "a formula": (
        lambda path: made(path, ("name",), ("Ana",), ("=A2",)),
        ("cell A3 has a formula without a value", "open the file in a spreadsheet and save it"),
    ),
    "an error": (lambda path: made(path, ("name",), ("x",), change=error_cell), ("cell A2 has the error #REF!",)),
    "two worksheets": (
        lambda path: made(path, ("name",), ("Ana",), change=second_sheet),
        ("several worksheets with values: Sheet, Second", "`--sheet Sheet`"),
    ),
    "a value beside the header": (
        lambda path: made(path, ("name",), ("Ana", "x")),
        ("cell B2 has a value, but no heading above it",),
    ),
    "a value in the last column": (
        lambda path: made(path, ("name",), ("Ana",), change=far_right),
        ("the workbook is too large",),
    ),
    "an empty one": (made, ("the file is empty", "name the columns: name")),
    "a header alone": (lambda path: made(path, ("name",)), ("no rows below the header",)),
    "another header": (lambda path: made(path, ("who",), ("Ana",)), ("no column 'name'", "the columns found are: who")),
    "a bomb": (bomb, ("the workbook is too large",)),
    "many parts": (many_parts, ("the workbook is too large",)),
    "entities": (
        lambda path: rewritten(made(path, ("name",), ("Ana",)), SHEET, without_entities),
        ("this is not a sound workbook",),
    ),
    "entities of another encoding": (
        lambda path: rewritten(made(path, ("name",), ("Ana",)), SHEET, utf_16_entities),
        ("this is not a sound workbook",),
    ),
    "another kind of file": (not_excel, ("this is not a sound workbook", "save it as .xlsx without a password")),
    "half a file": (cut, ("this is not a sound workbook",)),
    "an old or encrypted workbook": (encrypted, ("this is not a sound workbook",)),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_workbook_is_refused_in_one_line_that_names_it(tmp_path: Path, case: str) -> None:
    make, words = BAD[case]
    path = make(tmp_path / "people.xlsx")
    with desk.refused(ExitCode.REFUSED, "people.xlsx", *words):
        read(path)


LONG = {
    "a cell": ("x" * 32_768, "cell A2 has more than 32767 characters"),
    "half of a character": ("_xD83C_", "cell A2: the text contains an invisible character (U+D83C)"),
    "marks": ("Ana" + "\u0301\u0316" * 15_000, "cell A2: a letter has more than 30 accents or other marks"),
}


@pytest.mark.parametrize(("text", "message"), LONG.values(), ids=LONG)
def test_a_text_that_no_cell_has_is_refused_by_its_cell(tmp_path: Path, text: str, message: str) -> None:
    """The attack: 9 kB of a letter with millions of accents held the command for an hour, and no signal ended it."""
    path = made(tmp_path / "people.xlsx", ("name",), ("Ana",))
    path = rewritten(path, SHEET, lambda xml: xml.replace(b"Ana", text.encode()))
    with desk.refused(ExitCode.REFUSED, "people.xlsx", message):
        read(path)


def test_one_text_of_many_cells_counts_as_often_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "people.xlsx", ("name",), *[("x" * 30_000,)] * 10)
    assert len(read(path)) == 10
    monkeypatch.setattr(workbook, "MAX_TEXTS", 200_000)
    with desk.refused(ExitCode.REFUSED, "the workbook is too large"):
        read(path)


def long_book(path: Path, rows: int) -> Path:
    """Write a workbook with so many rows of one cell, as text, since openpyxl would take minutes."""
    made(path, ("name",), ("Ana",))
    lines = b"".join(b'<row r="%d"><c r="A%d"><v>1</v></c></row>' % (number, number) for number in range(3, rows + 1))
    return rewritten(path, SHEET, lambda xml: xml.replace(b"</sheetData>", lines + b"</sheetData>"))


def test_a_workbook_of_a_row_too_many_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is lowered here; the slow test has a million rows."""
    monkeypatch.setattr(workbook, "MAX_ROWS", 100)
    assert len(read(long_book(tmp_path / "people.xlsx", 100))) == 99
    for found in (101, 10_000):
        with desk.refused(ExitCode.REFUSED, "the workbook is too large", "save the sheet as CSV"):
            read(long_book(tmp_path / "people.xlsx", found))


def test_rows_far_below_are_refused_as_if_there_were_rows_between(tmp_path: Path) -> None:
    path = made(tmp_path / "people.xlsx", ("name",), ("Ana",))
    moved = rewritten(path, SHEET, lambda xml: xml.replace(b'r="2"', b'r="1048576"').replace(b'"A2"', b'"A1048576"'))
    with desk.refused(ExitCode.REFUSED, "the workbook is too large"):
        read(moved)


@pytest.mark.slow
def test_a_million_rows_are_refused_once_a_fifth_of_them_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row is read by openpyxl."""
    real, rows = workbook._Counted.start, 0

    def start(counted: workbook._Counted, name: str, attributes: Sequence[str]) -> None:
        nonlocal rows
        rows += name == "row"
        real(counted, name, attributes)

    monkeypatch.setattr(workbook._Counted, "start", start)
    monkeypatch.setattr("tourney.files.workbook_values.opened_book", None)
    with desk.refused(ExitCode.REFUSED, "too large"):
        read(long_book(tmp_path / "all.xlsx", 1_000_000))
    assert workbook.MAX_ROWS < rows <= 200_000


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processor time need POSIX signals")
@pytest.mark.parametrize("seed", [1, *slow(range(2, 14))])
def test_a_damaged_workbook_is_read_or_refused(tmp_path: Path, seed: int) -> None:
    """No fault of the program arises, whether the archive is damaged or its parts are, below the checksums."""
    found = list(workbooks.tried(tmp_path, 160, seed))
    assert [each for each in found if each.faults] == []
    refusals = [each.refusal for each in found if each.refusal is not None]
    assert all(refusal.replace("\n", "").isprintable() for refusal in refusals)
    assert 20 < len(refusals) < 140


def test_what_openpyxl_writes_is_what_it_reads(tmp_path: Path) -> None:
    """The files of these tests are workbooks: the library that wrote them reads them again."""
    path = made(tmp_path / "people.xlsx", ("name",), ("Ana",))
    assert [row[0] for row in load_workbook(io.BytesIO(path.read_bytes())).active.iter_rows(values_only=True)] == [
        "name",
        "Ana",
    ]
