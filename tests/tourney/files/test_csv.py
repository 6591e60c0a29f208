"""CSV files as people's spreadsheet programs save them, and what is wrong with those that are refused."""

import csv
import io
import re
import tracemalloc
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.csv import MAX_ROW, read_columns, read_rows

FIELDS = st.text(alphabet="aZ9 ñéüÑ\"',;\n-", max_size=12)


def write(folder: Path, content: bytes, name: str = "people.csv") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def values(path: Path, *required: str, **options: object) -> list[dict[str, str]]:
    return [dict(row.values) for row in read_rows(path, required, **options)]


def bare(text: str) -> str:
    """The text without the apostrophe that guards a formula."""
    return re.sub(r"^'(?=[-=+@])", "", text)


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.tuples(FIELDS, FIELDS), min_size=1, max_size=8).filter(
        lambda rows: any(field.strip() for row in rows for field in row)
    ),
    separator=st.sampled_from(",;"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252"]),
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_what_the_csv_module_writes_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str]],
    separator: str,
    encoding: str,
    ending: str,
    quoting: int,
) -> None:
    """Every dialect gives the fields that were written, their ends trimmed, empty rows left out."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n", quoting=quoting)
    writer.writerows([("name", "note"), *rows])
    path = tmp_path_factory.getbasetemp() / "written.csv"
    path.write_bytes(text.getvalue().replace("\n", ending).encode(encoding))
    trimmed = [{"name": bare(name.strip()), "note": bare(note.strip())} for name, note in rows]
    assert values(path, "name", "note") == [row for row in trimmed if any(row.values())]
    places = [(row.line, (row.values["note"], "", row.values["name"])) for row in read_rows(path, ("name",))]
    assert list(read_columns(path, ("note",), ("club", "name"))) == places


def test_lines_are_those_of_an_editor(tmp_path: Path) -> None:
    """A row's line is the one where it begins, past blank rows and fields that run over lines."""
    path = write(tmp_path, b'name,note\n\nAna,"one\ntwo"\n,\nCarla,\n')
    assert [(row.line, row.values["name"]) for row in read_rows(path, ["name"])] == [(3, "Ana"), (6, "Carla")]


def test_a_letter_with_its_accent_is_one_text(tmp_path: Path) -> None:
    """An ñ of two code points, as some systems write it, is the ñ of one."""
    path = write(tmp_path, ("name\n" + unicodedata.normalize("NFD", "Beñat")).encode())
    assert values(path, "name") == [{"name": "Beñat"}]


def test_columns_are_found_by_header(tmp_path: Path) -> None:
    """Case does not matter, other columns keep their header, nameless ones are left out."""
    path = write(tmp_path, b"NAME;Label;;TT\nAna;x;y;-10\n")
    assert values(path, "name", optional=("club",)) == [{"name": "Ana", "Label": "x", "TT": "-10"}]


@pytest.mark.parametrize("content", [b"name,who\nx,Ana\n", b"who,name\nAna,x\n"])
def test_another_header_may_stand_for_a_column(tmp_path: Path, content: bytes) -> None:
    """A column asked for by another header is that one, even beside a column of its own name."""
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
    ("spreadsheet program's own format", b"PK\x03\x04\x14\0\x06\0", 1, "NUL byte"),
    ("UTF-16", "name,club\nAna,x\n".encode("utf-16"), 1, "NUL byte"),
    ("neither UTF-8 nor 1252", b"name,club\nAna,x\nBe\x81to,x\n", 3, "neither UTF-8 nor code page 1252"),
    ("marked as UTF-8 but not", b"\xef\xbb\xbfname,club\nBe\xf1at,x\n", 2, "neither UTF-8"),
    ("row too long", b"name,club\nAna,x\n" + b"a" * MAX_ROW + b",x\n", 3, "more than 100000 characters"),
    ("quoted field too long", b'name,club\n"' + b"a\n" * MAX_ROW + b'",x\n', 2, "not closed within"),
]


@pytest.mark.parametrize(("content", "line", "message"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_a_fault_is_one_line_with_its_place(tmp_path: Path, content: bytes, line: int, message: str) -> None:
    """Each fault is refused in one line of text that names the file and the line, with a hint."""
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
    """A file of many blocks is UTF-8 wherever they cut it, and a torn last letter makes it no UTF-8."""
    names = ["ñ" * width + "a" for width in range(1, 500)]
    whole = ("name\n" + "\n".join(names)).encode()
    assert len(whole) > 2 * 65536
    for lead in (b"", b"x"):
        path = write(tmp_path, whole.replace(b"name\n", b"name\n" + lead + b"\n" if lead else b"name\n", 1))
        assert [row["name"] for row in values(path, "name")] == ["x"] * len(lead) + names
    assert values(write(tmp_path, b"name\nBe\xc3"), "name") == [{"name": "BeÃ"}]


def test_ten_megabytes_in_one_field_cost_nothing(tmp_path: Path) -> None:
    """A field of 10 MB is refused before it is held: less than 1.5 MB at the peak."""
    path = write(tmp_path, b"name,club\nAna," + b"x" * 10_000_000 + b"\n")
    tracemalloc.start()
    with pytest.raises(TourneyError, match="line 2"):
        values(path, "name")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_500_000


def test_rows_are_streamed(tmp_path: Path) -> None:
    """Reading 1.4 MB row by row holds less than a quarter of it."""
    path = write(tmp_path, b"name,club\n" + b"Ana,Club de Continental de Tolosa\n" * 40_000)
    tracemalloc.start()
    count = sum(1 for _ in read_rows(path, ["name"]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 40_000
    assert peak < path.stat().st_size / 4


def test_no_file_is_its_own_fault(tmp_path: Path) -> None:
    """A path without a file is not found; a folder is refused."""
    with pytest.raises(TourneyError, match="there is no such file") as caught:
        values(tmp_path / "nothing.csv", "name")
    assert caught.value.code == ExitCode.NOT_FOUND
    with pytest.raises(TourneyError, match="this is not a file") as caught:
        values(tmp_path, "name")
    assert caught.value.code == ExitCode.REFUSED
