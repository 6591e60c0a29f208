"""Read CSV as people's spreadsheets save it.

Fields are separated by commas, semicolons, tabs or bars; the text is UTF-8 or UTF-16, or in the older encoding that its
words fit, which is said; line endings are of any kind, and blank rows are skipped. Anything that could be read in two
ways is refused with file and line, never guessed.
"""

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Final, TextIO

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.description import PLAIN, Description
from tourney.files.encodings import marked, readings
from tourney.files.named import Block, NamedRows, Path, blocks_of, refusal, shown, unreadable
from tourney.text.composed import compose, composed
from tourney.text.i18n import _, either

MAX_ROW: Final = 100_000
"""The most characters of a row; a cell of a spreadsheet program holds a third of that."""
MAX_LINE: Final = 1 << 62
"""A line that no file has."""

_BLOCK: Final = 1 << 14
_BEGINS: Final = r"(\A|[;,\t|\r\n])"
"""Where a spreadsheet may begin a cell, whichever separator it is told."""
_FORMULA: Final = r"""(?=(?:[^\S\t\r\n]|["'])*[=+\-@＝＋－＠])"""
_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_OPEN: Final = re.compile(_BEGINS + _FORMULA)
_GUARDED: Final = re.compile(f"{_BEGINS}'{_FORMULA}")
_SEPARATORS: Final = ("\t", "|", ",", ";")
"""The separators; of those that a header has equally often, the first is the one."""
_QUOTED: Final = re.compile('"[^"]*"')
_RULE: Final = re.compile(r"[|:\s-]+")
"""The line below the header of a table with bars, which has a hyphen somewhere."""
_ENCODINGS: Final = ("ascii", "big5", "cp", "euc", "gb", "iso8859", "koi8", "mac", "shift_jis", "utf-8", "utf-16")
"""The beginnings of encodings that can be given; Python has others, which are not of texts."""
_CALLED: Final = {"ansi": "cp1252", "dos": "cp850", "latin-9": "iso8859-15", "mac": "mac_roman", "windows": "cp1252"}
"""Encodings by names of theirs that Python does not know."""


@contextmanager
def opened(path: Path, described: Description = PLAIN) -> Iterator[NamedRows | None]:
    """Yield the rows of a CSV file, which is read as they are iterated; None if the file is empty.

    Raises TourneyError with file and line for a file that cannot be opened or is not text, for an encoding that the
    file does not have, or that is not certain, for stray or unclosed quotation marks, for rows with more or fewer
    fields than the header, and for rows of more than MAX_ROW characters.
    """
    first, last = described.lines
    with open(path, encoding=_encoding(path, described)) as file:
        text = _Text(file)
        while text.line < first and text.readline(MAX_ROW):
            pass
        header = next(_row_texts(path, text), None)
        if header is None:
            yield None
            return
        separator = max(_SEPARATORS, key=_QUOTED.sub("", header[1]).count)
        fields = _fields(path, *header, separator)
        yield NamedRows(header[0], fields, _row_blocks(path, text, separator, len(fields), last))


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


def _row_blocks(path: Path, text: _Text, separator: str, width: int, last: int) -> Iterator[Block]:
    """Yield the rows that are not blank, as wide as the header, up to the line `last`; 0 is the end of the file."""
    if last or separator == "|":
        yield from blocks_of(_rows(path, text, separator, width, MAX_LINE, last or MAX_LINE))
        return
    while not text.ended():
        lines = text.ahead()
        columns = _plain_columns(lines, separator, width)
        if columns is None:
            yield from blocks_of(_rows(path, text, separator, width, text.line + lines.count("\n")))
        else:
            first = text.line
            text.skip(lines)
            yield Block(range(first, text.line), columns)
            del columns  # Otherwise two blocks would be held while the next is read.


def _plain_columns(lines: str, separator: str, width: int) -> list[list[str]] | None:
    """Return the columns of whole lines; None if these have to be read one by one.

    This is so for lines with quotation marks, for blank rows, and where a row has too many characters, marks or fields.
    """
    if '"' in lines or not 0 < len(lines) <= MAX_ROW:
        return None
    try:
        lines = compose(lines)
    except TourneyError:
        return None
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


def _rows(
    path: Path, text: _Text, separator: str, width: int, end: int, last: int = MAX_LINE
) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each row that is not blank, as many as the header has.

    Stop before a row from line `end`, and before the first that begins after the line `last`, whose fields may be any.
    """
    for line, row in _row_texts(path, text):
        if line > last:
            return
        if separator == "|" and "-" in row and _RULE.fullmatch(row):
            continue
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
                yield start, _composed(path, start, line)
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
                yield start, _composed(path, start, whole)
            start, parts, size, marks = text.line, [], 0, 0
    if parts:
        raise refusal(path, start, _("a quotation mark that is not closed"), _("close it, or remove it"))


def _composed(path: Path, line: int, text: str) -> str:
    try:
        return compose(text)
    except TourneyError as error:
        raise refusal(path, line, error.message, error.hint) from None


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
        _("a field with quotation marks goes between quotation marks, those inside it doubled"),
    )


def _encoding(path: Path, described: Description) -> str:
    """Return the encoding of a file: the one that is given, or that it shows, UTF-8, or the one that its words fit."""
    shows = described.encoding or marked(next(_blocks(path), b"")[: 1 << 10])
    encoding = _known(shows) if shows else "utf-8-sig"
    fault = _fault_line(path, encoding)
    if fault and not shows:
        encoding = _that_fits(path, described)
        fault = _fault_line(path, encoding)
    if fault:
        message = _("a character that is not {encoding}").format(encoding=encoding.removesuffix("-sig").upper())
        raise refusal(path, fault, message, _("save the sheet as CSV (UTF-8)"))
    return encoding


def _known(encoding: str) -> str:
    """Return the encoding of that name as Python calls it. Raises TourneyError USAGE for another name."""
    try:
        name = codecs.lookup(_CALLED.get(encoding.casefold(), encoding)).name
    except (LookupError, ValueError):
        name = ""
    if not name.startswith(_ENCODINGS):
        message = _("there is no encoding “{name}”").format(name=shown(encoding))
        hint = _("such as utf-8, cp1252 (Windows), mac_roman, cp850 or cp437 (DOS), iso8859-15 (Latin-9), utf-16")
        raise TourneyError(ExitCode.USAGE, message, hint)
    return "utf-8-sig" if name == "utf-8" else name


def _that_fits(path: Path, described: Description) -> str:
    """Return the older encoding that fits the words of a file, and note it.

    Raises TourneyError REFUSED where several fit about as well, or none does.
    """
    found = readings(_blocks(path))
    if len(found) == 1:
        text = _("The text was read as {encoding}, for example “{word}”; `--encoding` sets another.")
        word = shown(composed(found[0].sample))
        described.notes["encoding"] = text.format(encoding=found[0].encoding, word=word)
        return found[0].encoding
    words = zip(*(reading.words for reading in found), strict=True)
    told = max(words, key=lambda each: len(set(each)))
    meant = [f"{reading.encoding} (“{shown(word)}”)" for reading, word in zip(found, told, strict=True)]
    hint = _("save it as CSV (UTF-8), or say which encoding it is, as in `--encoding {encoding}`")
    message = _("the encoding of the text is not certain: {encodings}").format(encodings=either(meant))
    raise refusal(path, 0, message, hint.format(encoding=found[0].encoding))


def _fault_line(path: Path, encoding: str) -> int:
    """Return the line of the first byte that the encoding does not have, 0 if there is none.

    The file is read through once, in blocks. Raises TourneyError REFUSED for a NUL, which no text has.
    """
    decoder, line = codecs.getincrementaldecoder(encoding)(), 1
    for block in chain(_blocks(path), (b"",)):
        try:
            text = decoder.decode(block, not block)
        except UnicodeDecodeError as error:
            return line + error.object[: error.start].decode(encoding, "replace").count("\n")
        if (nul := text.find("\0")) >= 0:
            message = _("a NUL byte, so this is not text")
            raise refusal(path, line + text.count("\n", 0, nul), message, _("save the sheet as CSV (UTF-8)"))
        line += text.count("\n")
    return 0


def _blocks(path: Path) -> Iterator[bytes]:
    try:
        with open(path, "rb") as file:
            while block := file.read(_BLOCK):
                yield block
    except OSError as error:
        raise unreadable(path, error) from None
