"""Read CSV as people's spreadsheets save it.

Fields are separated by commas or by semicolons; the text is UTF-8, with or without a byte order mark, or code page
1252; line endings are of any kind, and blank rows are skipped. Anything that could be read in two ways is refused with
file and line, never guessed.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from tourney.domain.errors import TourneyError
from tourney.files.named import Block, Path, Source, blocks_of, refusal, shown, unreadable
from tourney.text.i18n import _

MAX_ROW: Final = 100_000
"""The most characters of a row; a cell of a spreadsheet program holds a third of that."""

_BLOCK: Final = 1 << 16
_BEGINS: Final = r"(\A|[;,\t|\r\n])"
"""Where a spreadsheet may begin a cell, whichever separator it is told."""
_FORMULA: Final = r"""(?=(?:[^\S\t\r\n]|["'])*[=+\-@＝＋－＠])"""
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_OPEN: Final = re.compile(_BEGINS + _FORMULA)
_GUARDED: Final = re.compile(f"{_BEGINS}'{_FORMULA}")
_MARK: Final = codecs.BOM_UTF8
_UNDEFINED: Final = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
"""The bytes that code page 1252 does not use."""


@contextmanager
def opened(path: Path) -> Iterator[Source | None]:
    """Yield the rows of a CSV file, which is read as they are iterated; None if the file is empty.

    Raises TourneyError with file and line for a file that cannot be opened or is not text, for stray or unclosed
    quotation marks, for rows with more or fewer fields than the header, and for rows of more than MAX_ROW characters.
    """
    with open(path, encoding=_encoding(path)) as file:
        text = _Text(file)
        header = next(_row_texts(path, text), None)
        if header is None:
            yield None
            return
        separator = ";" if header[1].count(";") > header[1].count(",") else ","
        fields = _fields(path, *header, separator)
        yield Source(header[0], fields, _row_blocks(path, text, separator, len(fields)))


class _Text:
    """The text of a file that is not yet read, by lines or by blocks of whole lines; `line` is the next line."""

    def __init__(self, file: TextIO) -> None:
        self.line = 1
        self._file = file
        self._held = ""
        self._at = 0
        """The index in the held text of what is not yet read."""

    def ended(self) -> bool:
        """Return whether nothing is left."""
        return self._at == len(self._held) and not self._hold()

    def ahead(self) -> str:
        """Return whole lines without reading them, as many as are held; "" if there is none."""
        end = self._held.rfind("\n", self._at)
        if end < 0:
            self._hold()
            end = self._held.rfind("\n", self._at)
        return self._held[self._at : end + 1]

    def skip(self, lines: str) -> None:
        """Count the lines that `ahead` has returned as read."""
        self._at += len(lines)
        self.line += lines.count("\n")

    def readline(self, most: int) -> str:
        """Return the next line, or its first `most` characters; "" at the end."""
        while (end := self._held.find("\n", self._at, self._at + most)) < 0:
            if len(self._held) - self._at >= most or not self._hold():
                end = self._at + most - 1
                break
        line = self._held[self._at : end + 1]
        self._at += len(line)
        self.line += line != ""
        return line

    def _hold(self) -> bool:
        """Hold more of the text, and return whether there was more."""
        more = self._file.read(_BLOCK)
        self._held, self._at = self._held[self._at :] + more, 0
        return more != ""


def _row_blocks(path: Path, text: _Text, separator: str, width: int) -> Iterator[Block]:
    """Yield the rows that are not blank, with as many columns as the header has."""
    while not text.ended():
        lines = text.ahead()
        columns = _plain_columns(lines, separator, width)
        if columns is None:
            yield from blocks_of(_rows(path, text, separator, width, text.line + lines.count("\n")))
        else:
            first = text.line
            text.skip(lines)
            yield Block(range(first, text.line), columns)


def _plain_columns(lines: str, separator: str, width: int) -> list[list[str]] | None:
    """Return the columns of whole lines; None if these have to be read one by one.

    This is so for lines with quotation marks, for blank rows, and where a row has too many characters or fields.
    """
    if '"' in lines or not 0 < len(lines) <= MAX_ROW:
        return None
    if not lines.isascii():
        lines = unicodedata.normalize("NFC", lines)
    rows = lines.count("\n")
    # A line end closes a field, too. All rows have the width if each field of the last column, and no other, ends so.
    fields = lines.replace("\n", f"\n{separator}").split(separator)
    fields.pop()
    if len(fields) != rows * width or "".join(fields[width - 1 :: width]).count("\n") != rows:
        return None
    columns = [list(map(str.strip, fields[at::width])) for at in range(width)]
    if all("" in column for column in columns):
        return None
    return [list(map(_unguarded, column)) for column in columns] if "'" in lines else columns


def _rows(path: Path, text: _Text, separator: str, width: int, end: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each row that is not blank, as many as the header has; stop before a row from line `end`."""
    for line, row in _row_texts(path, text):
        fields = _fields(path, line, row, separator)
        if any(fields):
            if len(fields) != width:
                raise refusal(
                    path,
                    line,
                    _("{number} fields where the header has {width}").format(number=len(fields), width=width),
                    _("put a field that contains the separator between quotation marks"),
                )
            yield line, fields if "'" not in row else list(map(_unguarded, fields))
        if text.line >= end:
            return


def guarded(value: str) -> str:
    """Return a text as a cell that no spreadsheet runs, even one that splits the file at another separator.

    An apostrophe stands where = + - or @ would begin a cell; a number stays as it is. Our own reader takes it away.
    """
    if _NUMBER.fullmatch(value):
        return value
    text = _OPEN.sub(r"\1'", value)
    return f"'{text}" if text[:1] in {"\t", "\r", "\n"} else text


def _unguarded(value: str) -> str:
    """Return the value without the apostrophes by which spreadsheets, and our own CSV, mark text as no formula."""
    return _GUARDED.sub(r"\1", value)


def _row_texts(path: Path, text: _Text) -> Iterator[tuple[int, str]]:
    """Yield the text of each row that is not blank with its first line; a quoted field may span lines."""
    start, parts, size, marks = text.line, list[str](), 0, 0
    while line := text.readline(MAX_ROW + 2):
        if not parts and '"' not in line and len(line) <= MAX_ROW:
            if not line.isspace():
                yield start, line if line.isascii() else unicodedata.normalize("NFC", line)
            start = text.line
            continue
        size += len(line)
        if size > MAX_ROW:
            raise refusal(path, start, _too_long(marks), _("check the quotation marks and separators there"))
        marks += line.count('"')
        parts.append(line)
        if marks % 2 == 0:
            whole = "".join(parts).strip("\n")
            if whole and not whole.isspace():
                yield start, unicodedata.normalize("NFC", whole)
            start, parts, size, marks = text.line, [], 0, 0
    if parts:
        raise refusal(path, start, _("a quotation mark that is not closed"), _("close it, or remove it"))


def _too_long(marks: int) -> str:
    if marks % 2:
        return _("a quotation mark that is not closed within {most} characters").format(most=MAX_ROW)
    return _("a row of more than {most} characters").format(most=MAX_ROW)


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
        _("a stray quotation mark: {field}").format(field=shown(field.rstrip("\n"))),
        _("a field with quotation marks stands between quotation marks, those inside it doubled"),
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
                _("a NUL byte, so this is not text"),
                _("save the sheet as CSV (UTF-8)"),
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
            _("a character that is neither UTF-8 nor code page 1252"),
            _("save the sheet as CSV (UTF-8)"),
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
    try:
        with open(path, "rb") as file:
            while block := file.read(_BLOCK):
                yield block
    except OSError as error:
        raise unreadable(path, error) from None
