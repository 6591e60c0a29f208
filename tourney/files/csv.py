"""Read CSV as people's spreadsheets save it.

Fields are separated by commas or by semicolons; the text is UTF-8, with or without a byte order mark, or code page
1252; line endings are of any kind, and blank rows are skipped. Anything that could be read in two ways is refused with
file and line, never guessed.
"""

import codecs
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, TextIO

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import Path, refuse_no_file, shown, unreadable
from tourney.text.i18n import _

MAX_ROW: Final = 100_000
"""The most characters of a row; a cell of a spreadsheet program holds a third of that."""
MAX_NUMBER: Final = 99_999
"""The highest number of a round, a table or a seat."""

_BLOCK: Final = 1 << 16
_FORMULA: Final = frozenset("=+-@＝＋－＠")
_MARK: Final = codecs.BOM_UTF8
_WHOLE: Final = re.compile(r"0*[1-9][0-9]*", re.ASCII)
_UNDEFINED: Final = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
"""The bytes that code page 1252 does not use."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line where it begins (from 1) and its values by column, without surrounding blanks."""

    line: int
    values: Mapping[str, str]


def read_rows(
    path: Path,
    required: Sequence[str],
    optional: Sequence[str] = (),
    headers: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Row]:
    """Yield the rows of a CSV file one by one; memory does not grow with the file.

    `required` and `optional` name columns, found whatever their case; `headers` lists the headers that may stand for a
    name in the file, if not the name itself. `Row.values` has every column of the file that has a header: the named
    ones under their names, all others under their headers. Text is in Unicode's composed form (NFC), so that an ñ typed
    on two systems is the same. Rows without any value are skipped.

    Raises TourneyError with file and line for a file that cannot be opened, is empty, has no rows, is not text, lacks a
    column or has it twice, for stray or unclosed quotation marks, for rows with more or fewer fields than the header,
    and for rows of more than MAX_ROW characters.
    """
    with open(path, encoding=_encoding(path)) as file:
        columns, rows = _table(path, file, required, _accepted_headers(required, optional, headers))
        for line, fields in rows:
            yield Row(line, {name: value for name, value in zip(columns, fields, strict=True) if name})


def read_columns(
    path: Path,
    required: Sequence[str],
    optional: Sequence[str] = (),
    headers: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the line of each row and its values in the named columns; otherwise as `read_rows`, but fast on long files.

    Two or more columns are named; the values are in the order of `required` and `optional`, "" where an optional column
    is missing.
    """
    with open(path, encoding=_encoding(path)) as file:
        columns, rows = _table(path, file, required, _accepted_headers(required, optional, headers))
        # A column that is missing is read behind the last one, where each row is given an empty field.
        pick = itemgetter(*(columns.index(name) if name in columns else -1 for name in (*required, *optional)))
        for line, fields in rows:
            fields.append("")
            yield line, pick(fields)


def refusal(path: Path, line: int, message: str, hint: str = "") -> TourneyError:
    """Return the error that names file and line (0: the file as a whole)."""
    where = shown(os.fspath(path), 200) if line == 0 else f"{shown(os.fspath(path), 200)}, line {line}"
    return TourneyError(ExitCode.REFUSED, f"{where}: {message}", hint)


def whole_number(path: Path, row: Row, column: str, hint: str) -> int:
    """Return the number of a round, a table or a seat in that column, from 1.

    Raises TourneyError with file and line for anything else, and with the hint.
    """
    value = row.values[column]
    if not _WHOLE.fullmatch(value):
        message = _("{column} “{value}” is not a whole number from 1").format(column=column, value=shown(value))
        raise refusal(path, row.line, message, hint)
    digits = value.lstrip("0")
    if len(digits) > len(str(MAX_NUMBER)):
        message = _("{column} “{value}” is too large; {most} is the most")
        message = message.format(column=column, value=shown(value), most=MAX_NUMBER)
        raise refusal(path, row.line, message, _("look whether two columns have run together"))
    return int(digits)


def _accepted_headers(
    required: Sequence[str], optional: Sequence[str], headers: Mapping[str, Sequence[str]] | None
) -> dict[str, tuple[str, ...]]:
    """Return the headers that may stand for each column."""
    return {name: tuple((headers or {}).get(name, (name,))) for name in (*required, *optional)}


def _table(
    path: Path, file: TextIO, required: Sequence[str], accepted: Mapping[str, tuple[str, ...]]
) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Return the name of each column, and the rows below the header."""
    texts = _row_texts(path, file)
    missing = ", ".join(" or ".join(accepted[name]) for name in required)
    header = next(texts, None)
    if header is None:
        raise refusal(path, 0, "the file is empty", f"its first line must name the columns: {missing}")
    separator = ";" if header[1].count(";") > header[1].count(",") else ","
    columns = _columns(path, header[0], _fields(path, *header, separator), required, accepted)
    return columns, _rows(path, texts, header[0], separator, len(columns))


def _rows(
    path: Path, texts: Iterator[tuple[int, str]], header_line: int, separator: str, width: int
) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each row that is not blank, as many as the header has."""
    empty = True
    for line, text in texts:
        fields = _fields(path, line, text, separator)
        if not any(fields):
            continue
        if len(fields) != width:
            raise refusal(
                path,
                line,
                f"{len(fields)} fields where the header has {width}",
                "put a field that contains the separator between quotation marks",
            )
        empty = False
        yield line, fields if "'" not in text else list(map(_unguarded, fields))
    if empty:
        raise refusal(path, header_line, "there are no rows below the header", "add one row for each entry")


def _unguarded(value: str) -> str:
    """Return the value without the apostrophe by which spreadsheets, and our own CSV, mark text as no formula."""
    return value[1:] if value[:1] == "'" and value[1:2] in _FORMULA else value


def _columns(
    path: Path, line: int, found: list[str], required: Sequence[str], accepted: Mapping[str, tuple[str, ...]]
) -> list[str]:
    """Return the name of each column: the named one that its header stands for, otherwise the header itself."""
    # A header that is the name of a column, but may not stand for that column in this file, is ignored.
    names = ["" if header in accepted else header for header in found]
    taken: set[int] = set()
    for name, headers in accepted.items():
        index = _column(path, line, found, name, headers, name in required)
        if index is None:
            continue
        if index in taken:
            raise refusal(path, line, f"column '{shown(found[index])}' cannot stand for two columns")
        taken.add(index)
        names[index] = name
    return names


def _column(path: Path, line: int, found: list[str], name: str, headers: tuple[str, ...], required: bool) -> int | None:
    """Return the index of the column `name`; None if it is optional and missing."""
    folded = [header.casefold() for header in headers]
    indexes = [index for index, header in enumerate(found) if header.casefold() in folded]
    if len(indexes) > 1:
        both = " and ".join(f"'{shown(found[index])}'" for index in indexes)
        raise refusal(path, line, f"two columns for '{name}': {both}", "keep one, or say which one counts")
    if indexes:
        return indexes[0]
    if not required:
        return None
    headers_found = ", ".join(shown(header) for header in found if header)
    missing = " or ".join(f"'{header}'" for header in headers)
    hint = "the first line must name the columns, separated by commas or semicolons"
    raise refusal(path, line, f"no column {missing}; the columns found are: {shown(headers_found, 200)}", hint)


def _row_texts(path: Path, file: TextIO) -> Iterator[tuple[int, str]]:
    """Yield the text of each row that is not blank with its first line; a quoted field may span lines."""
    line, start, parts, size, marks = 0, 1, list[str](), 0, 0
    while text := file.readline(MAX_ROW + 2):
        line += 1
        if not parts and '"' not in text and len(text) <= MAX_ROW:
            if not text.isspace():
                yield line, text if text.isascii() else unicodedata.normalize("NFC", text)
            start = line + 1
            continue
        size += len(text)
        if size > MAX_ROW:
            raise refusal(path, start, _too_long(marks), "check the quotation marks and separators there")
        marks += text.count('"')
        parts.append(text)
        if marks % 2 == 0:
            whole = "".join(parts).strip("\n")
            if whole and not whole.isspace():
                yield start, unicodedata.normalize("NFC", whole)
            start, parts, size, marks = line + 1, [], 0, 0
    if parts:
        raise refusal(path, start, "a quotation mark that is not closed", "close it, or remove it")


def _too_long(marks: int) -> str:
    if marks % 2:
        return f"a quotation mark that is not closed within {MAX_ROW} characters"
    return f"a row of more than {MAX_ROW} characters"


def _fields(path: Path, line: int, text: str, separator: str) -> list[str]:
    if '"' not in text:
        return [field.strip() for field in text.split(separator)]
    return [field.strip() for field in _quoted_fields(path, line, text, separator)]


def _quoted_fields(path: Path, line: int, text: str, separator: str) -> Iterator[str]:
    """Yield the fields of a row with quotation marks: around whole fields only, doubled inside them."""
    start = 0
    while start <= len(text):
        if text.startswith('"', start):
            field, end = _between_marks(text, start + 1)
        else:
            separator_at = text.find(separator, start)
            end = separator_at if separator_at >= 0 else len(text)
            field = text[start:end]
            if '"' in field:
                raise _stray(path, line, field)
        if end < len(text) and text[end] != separator:
            raise _stray(path, line, text[start : end + 20])
        yield field
        start = end + 1


def _between_marks(text: str, start: int) -> tuple[str, int]:
    """Return the quoted field that begins at `start`, and the index after its closing mark."""
    parts: list[str] = []
    while True:
        # The mark is never missing: a row has an even number of marks, and those before this field came in pairs.
        end = text.index('"', start)
        parts.append(text[start:end])
        if not text.startswith('"', end + 1):
            return "".join(parts), end + 1
        parts.append('"')
        start = end + 2


def _stray(path: Path, line: int, field: str) -> TourneyError:
    return refusal(
        path,
        line,
        f"a stray quotation mark: {shown(field)}",
        "a field with quotation marks stands between quotation marks, those inside it doubled",
    )


def _encoding(path: Path) -> str:
    """Return UTF-8, or code page 1252 for bytes that are not UTF-8; the file is read through once, in blocks."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    line, undefined, fault, marked = 1, 0, 0, False
    for number, block in enumerate(_blocks(path)):
        marked = marked or (number == 0 and block.startswith(_MARK))
        if (nul := block.find(b"\0")) >= 0:
            raise refusal(
                path,
                line + block.count(b"\n", 0, nul),
                "a NUL byte, so this is not text",
                "save the sheet as CSV (UTF-8)",
            )
        if not undefined and (hit := _UNDEFINED.search(block)):
            undefined = line + block.count(b"\n", 0, hit.start())
        if not fault:
            fault = _fault_line(decoder, block, line)
        line += block.count(b"\n")
    if not fault and decoder.getstate()[0]:
        fault = line
    if fault and (marked or undefined):
        raise refusal(
            path,
            fault if marked else undefined,
            "a character that is neither UTF-8 nor code page 1252",
            "save the sheet as CSV (UTF-8)",
        )
    return "cp1252" if fault else "utf-8-sig"


def _fault_line(decoder: codecs.IncrementalDecoder, block: bytes, line: int) -> int:
    """Return the line of the first byte in the block that is not UTF-8; 0 if there is none."""
    try:
        decoder.decode(block)
    except UnicodeDecodeError as error:
        return line + error.object.count(b"\n", 0, error.start)
    return 0


def _blocks(path: Path) -> Iterator[bytes]:
    refuse_no_file(path, "give the path of a CSV file")
    try:
        with open(path, "rb") as file:
            while block := file.read(_BLOCK):
                yield block
    except OSError as error:
        raise unreadable(path, error) from None
