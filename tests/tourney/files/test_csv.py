"""Tests of reading CSV files as spreadsheet programs save them, and of refusing faulty ones."""

import csv
import io
import re
import tracemalloc
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.csv import MAX_ROW
from tourney.files.description import Description
from tourney.files.named import Block
from tourney.files.rows import Row, read_columns, read_rows

FIELDS = st.text(alphabet="aZ9 ñéüÑ\"',;\n-", max_size=12)


def write(folder: Path, content: bytes, name: str = "people.csv") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def values(path: Path, *required: str, **options: object) -> list[dict[str, str]]:
    """Return the fields of every row, by column."""
    return [dict(row.values) for row in read_rows(path, required, **options)]


def without_guard(text: str) -> str:
    """Return the text without the apostrophes that guard a formula at its beginning and after a separator."""
    return re.sub(r"""(^|[;,\t|\r\n])'(?=([^\S\t\r\n]|["'])*[-=+@])""", r"\1", text)


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.tuples(FIELDS, FIELDS), min_size=1, max_size=8).filter(
        lambda rows: any(field.strip() for row in rows for field in row)
    ),
    separator=st.sampled_from(",;"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252"]),
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    block=st.sampled_from([1, 5, 20, 1 << 16]),
)
def test_files_of_the_csv_module_are_read_in_every_dialect(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str]],
    separator: str,
    encoding: str,
    ending: str,
    quoting: int,
    block: int,
) -> None:
    """The fields read are those written, without blanks at their ends, wherever the blocks end; empty rows are left
    out."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n", quoting=quoting)
    writer.writerows([("name", "note"), *rows])
    path = tmp_path_factory.getbasetemp() / "written.csv"
    path.write_bytes(text.getvalue().replace("\n", ending).encode(encoding))
    described = Description(encoding=encoding)
    trimmed = [{"name": without_guard(name.strip()), "note": without_guard(note.strip())} for name, note in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tourney.files.csv._BLOCK", block)
        assert values(path, "name", "note", described=described) == [row for row in trimmed if any(row.values())]
        columns = [(row.line, row.values["note"], "", row.values["name"]) for row in rows_of(path, described)]
        assert by_row(read_columns(path, ("note",), ("club", "name"), described=described)) == columns


def rows_of(path: Path, described: Description) -> Iterable[Row]:
    return read_rows(path, ("name",), described=described)


def by_row(blocks: Iterable[Block]) -> list[tuple]:
    """Return the line and the fields of each row."""
    return [row for lines, columns in blocks for row in zip(lines, *columns, strict=True)]


def test_line_numbers_are_those_of_a_text_editor(tmp_path: Path) -> None:
    """The number of a row is that of its first line; blank rows and fields of several lines are counted."""
    path = write(tmp_path, b'name,note\n\nAna,"one\ntwo"\n,\nCarla,\n')
    assert [(row.line, row.values["name"]) for row in read_rows(path, ["name"])] == [(3, "Ana"), (6, "Carla")]


def test_letters_with_combining_accents_are_composed(tmp_path: Path) -> None:
    """An ñ of two code points, as some systems write it, is read as one code point."""
    path = write(tmp_path, ("name\n" + unicodedata.normalize("NFD", "Beñat")).encode())
    assert values(path, "name") == [{"name": "Beñat"}]


def test_columns_are_found_by_header(tmp_path: Path) -> None:
    """Case does not matter; other columns keep their header, and columns without one are left out."""
    path = write(tmp_path, b"NAME;Label;;TT\nAna;x;y;-10\n")
    assert values(path, "name", optional=("club",)) == [{"name": "Ana", "Label": "x", "TT": "-10"}]


@pytest.mark.parametrize("content", [b"name,who\nx,Ana\n", b"who,name\nAna,x\n"])
def test_a_column_may_have_another_header(tmp_path: Path, content: bytes) -> None:
    """The other header is used even if the file also has the usual one."""
    path = write(tmp_path, content)
    assert values(path, "name", headers={"name": ("who",)}) == [{"name": "Ana"}]


FAULTS: list[tuple[str, bytes, int, str]] = [
    ("empty", b"", 0, "the file is empty"),
    ("only blank lines", b"\n \n", 0, "the file is empty"),
    ("only a mark", b"\xef\xbb\xbf", 0, "the file is empty"),
    ("no rows", b"name,club\n,\n", 1, "no rows"),
    ("missing column", b"nombre,club\nAna,x\n", 1, "no column 'name'; the columns found are: nombre, club"),
    ("column twice", b"name,Name\nAna,x\n", 1, "two columns for 'name'"),
    ("field too many", b"name,club\nAna,x\nBeto,x,y\n", 3, "3 fields where the header has 2"),
    ("field too few", b"name,club\nAna\n", 2, "1 fields where the header has 2"),
    ("mark not closed", b'name,club\nAna,x\n"Beto,x\nCarla,y\n', 3, "not closed"),
    ("mark not closed at the end", b'name,club\nAna,"x', 2, "not closed"),
    ("mark not opened", b'name,club\nAna",x\nCarla,y\n', 2, "not closed"),
    ("marks inside a bare field", b'name,club\nA "n" a,x\n', 2, 'stray quotation mark: A "n" a'),
    ("text behind a closing mark", b'name,club\nAna,x\n"Be"to,x\n', 3, "stray quotation mark"),
    ("mark doubled at the start only", b'name,club\n""Ana,x\n', 2, "stray quotation mark"),
    ("marks astray in two rows", b'name,club\n"Ana,x\nBe"to,x\n', 2, "stray quotation mark"),
    ("three marks at the end", b'name,club\nAna,"x"""y"\n"a",b"\n', 2, "stray quotation mark"),
    ("NUL byte", b"name,club\nAna,x\nBe\0to,x\n", 3, "NUL byte"),
    ("a damaged workbook", b"PK\x03\x04\x14\0\x06\0", 0, "not a sound workbook"),
    ("half of a UTF-16 letter", "name,club\nAna,x\n".encode("utf-16") + b"x", 3, "a character that is not UTF-16"),
    ("an encoding that may be two", b"name,club\nAna,x\nBe\x96at,x\n", 0, "mac_roman (“Beñat”)"),
    ("marked as UTF-8 but not", b"\xef\xbb\xbfname,club\nBe\xf1at,x\n", 2, "a character that is not UTF-8"),
    ("row too long", b"name,club\nAna,x\n" + b"a" * MAX_ROW + b",x\n", 3, "more than 100000 characters"),
    ("quoted field too long", b'name,club\n"' + b"a\n" * MAX_ROW + b'",x\n', 2, "not closed within"),
]


@pytest.mark.parametrize(("content", "line", "message"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_a_fault_is_refused_with_file_line_and_hint(tmp_path: Path, content: bytes, line: int, message: str) -> None:
    """The message is one line of printable text."""
    path = write(tmp_path, content)
    with pytest.raises(TourneyError) as caught:
        values(path, "name")
    error = caught.value
    assert message in error.message
    assert error.message.startswith(f"{path}, line {line}: " if line else f"{path}: ")
    assert error.message.isprintable()
    assert error.hint
    assert error.code == ExitCode.REFUSED


def test_a_block_may_end_inside_a_letter(tmp_path: Path) -> None:
    """Blocks may be cut inside a letter of UTF-8; a file that ends inside a letter is not UTF-8, nor anything else."""
    names = ["ñ" * width + "a" for width in range(1, 500)]
    whole = ("name\n" + "\n".join(names)).encode()
    assert len(whole) > 2 * 65536
    for first_name in (b"", b"x"):
        path = write(tmp_path, whole.replace(b"name\n", b"name\n" + first_name + b"\n" if first_name else b"name\n", 1))
        assert [row["name"] for row in values(path, "name")] == ["x"] * len(first_name) + names
    with pytest.raises(TourneyError, match="not certain"):
        values(write(tmp_path, b"name\nBe\xc3"), "name")


def test_a_field_of_ten_megabytes_takes_little_memory(tmp_path: Path) -> None:
    """The field is refused before it is read whole: the peak is below 1.5 MB."""
    path = write(tmp_path, b"name,club\nAna," + b"x" * 10_000_000 + b"\n")
    tracemalloc.start()
    with pytest.raises(TourneyError, match="line 2"):
        values(path, "name")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_500_000


@pytest.mark.slow
def test_rows_are_streamed(tmp_path: Path) -> None:
    """Reading 1.4 MB row by row takes less than a quarter of that memory."""
    path = write(tmp_path, b"name,club\n" + b"Ana,Club de Continental de Tolosa\n" * 40_000)
    next(read_rows(path, ["name"]))  # Modules are imported on their first use.
    tracemalloc.start()
    count = sum(1 for _ in read_rows(path, ["name"]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 40_000
    assert peak < path.stat().st_size / 4


def test_a_missing_file_is_not_found_and_a_folder_is_refused(tmp_path: Path) -> None:
    """Check exit codes 3 and 1 and their messages."""
    with pytest.raises(TourneyError, match="there is no such file") as caught:
        values(tmp_path / "nothing.csv", "name")
    assert caught.value.code == ExitCode.NOT_FOUND
    with pytest.raises(TourneyError, match="this is not a file") as caught:
        values(tmp_path, "name")
    assert caught.value.code == ExitCode.REFUSED


MARKS = "\u0301\u0316"


@pytest.mark.parametrize("row", [f"Ana{MARKS * 50}", f'"Ana{MARKS * 50}"', f"Ana{MARKS * 40_000}"])
def test_a_letter_with_too_many_accents_is_refused_by_its_line(tmp_path: Path, row: str) -> None:
    """The attack: a line of 40,000 accents took 3 s, and a file may have any number of such lines."""
    path = write(tmp_path, f"name\nBeñat\n{row}\n".encode())
    with pytest.raises(TourneyError, match=r"people.csv, line 3: a letter has more than 30 accents or other marks"):
        list(read_rows(path, ["name"]))


def test_a_name_as_earlier_versions_kept_it_is_read(tmp_path: Path) -> None:
    """Earlier versions kept up to 79 accents on a letter."""
    name = unicodedata.normalize("NFC", "A" + MARKS * 30)
    assert values(write(tmp_path, f"name\n{name}\n".encode())) == [{"name": name}]
