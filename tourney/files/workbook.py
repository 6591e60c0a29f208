"""Read a worksheet of a workbook (.xlsx) row by row, with limits that no file can exceed.

Nothing is computed: a formula counts as the value that a spreadsheet has stored with it. Macros and links to other
files are not read.
"""

from __future__ import annotations

import datetime
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import reduce
from itertools import islice
from typing import Any, Final
from xml.parsers import expat

from tourney.domain.errors import TourneyError
from tourney.files.description import PLAIN, Description
from tourney.files.named import NamedRows, Path, blocks_of, refusal, refuse_without_openpyxl, shown
from tourney.text.composed import compose
from tourney.text.i18n import _
from tourney.text.names import fold, refuse_halves
from tourney.text.sanitize import quote_argument

MAX_BYTES: Final = 20_000_000
MAX_UNPACKED: Final = 64_000_000
"""The most bytes of all parts of a workbook together: 50,000 rows of score sheets have a third of that."""
MAX_PARTS: Final = 1_000
MAX_ROWS: Final = 50_000
MAX_COLUMNS: Final = 200
MAX_OUTER: Final = 200_000
"""The most elements in the upper levels of a part, as rows, texts, styles and names are, and the most within one."""
MAX_ELEMENTS: Final = 2_500_000
"""The most elements of the rows of a worksheet: 50,000 rows of score sheets have half as many."""
MAX_BUILT: Final = 500_000
"""The most elements and attributes that openpyxl keeps as objects: 100,000 texts have less than half as many.

Of a worksheet it keeps all elements but those of rows; of a part that it reads as a whole, all.
"""
MAX_TAG: Final = 1_000_000
"""The most characters of an element's attributes, of a comment, of an instruction, and of the texts of a row."""
MAX_TEXTS: Final = 16_000_000
"""The most characters of all texts outside rows, and of the cells that are read; each may take four bytes."""
MAX_TEXT: Final = 32_767
"""The most characters of a cell, as in Excel."""
_PROBED: Final = 50
"""The rows in which a worksheet that is not empty has a value."""
_BLOCK: Final = 1 << 20
_OUTER_LEVELS: Final = 3
_ROW: Final = ["worksheet", "sheetData", "row"]
_NAMESPACE: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main "
"""The beginning of the names of elements that openpyxl knows, as expat gives them."""
_ESCAPED: Final = re.compile("_x([0-9A-Fa-f]{4})_")
_XML: Final = (".xml", ".rels")
_EXACT: Final = 10**15
_PLACE: Final = re.compile("([A-Z]{1,3})([1-9][0-9]{0,6})")
_DAMAGED: Final = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, NotImplementedError, OSError),
    *(RuntimeError, SyntaxError, TypeError, ValueError, zipfile.BadZipFile, zlib.error),
)
"""The errors by which openpyxl says that a workbook is damaged."""


@contextmanager
def opened(path: Path, described: Description = PLAIN) -> Iterator[NamedRows | None]:
    """Yield the rows of the worksheet that is named, or of the only one with values; None if it is empty.

    They are read as they are iterated, from the first to the last of the lines that are said. Values are text as CSV
    has it: dates as 2026-11-20, whole numbers without a decimal point. Raises TourneyError REFUSED for anything but a
    sound .xlsx file, and for one that is too large, lacks the worksheet that is named, or has several with values.
    Values beside the columns of the header, formulas without a stored value and errors are refused with their cell.
    """
    refuse_without_openpyxl()
    from tourney.files.workbook_values import opened_book

    examined = _examined(path)
    # openpyxl warns of what it does not read, such as the rules of a cell's format.
    warnings.filterwarnings("ignore", category=UserWarning, module="openpyxl")
    # Given a path, openpyxl refuses names that do not end in .xlsx.
    with ExitStack() as files:
        with _refusing_damage(path):
            file = files.enter_context(open(path, "rb"))
            large = {name for name, part in examined.items() if part.is_large}
            values = files.enter_context(opened_book(file, large))
        uncomputed = {name: part.uncomputed for name, part in examined.items()}
        rows = _rows(path, values, uncomputed, described)
        header = next(rows, None)
        yield None if header is None else NamedRows(header[0], header[1], blocks_of(rows))


def _examined(path: Path) -> Mapping[str, _Counted]:
    """Return each part with what is counted of it.

    Raises TourneyError REFUSED if the workbook is not a sound or small .xlsx.
    """
    with _refusing_damage(path), zipfile.ZipFile(path) as archive:
        parts = archive.infolist()
        packed, unpacked = sum(part.compress_size for part in parts), sum(part.file_size for part in parts)
        if len(parts) > MAX_PARTS or packed > MAX_BYTES or unpacked > MAX_UNPACKED:
            raise _too_large(path)
        return {part.filename: _counted(path, archive, part) for part in parts}


def _counted(path: Path, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> _Counted:
    """Return a part with what is counted of it.

    Raises TourneyError REFUSED for a document type, whose entities may expand without end, and for too many elements,
    whatever their names: openpyxl builds styles, names and texts as objects, and every row as a tree.
    """
    counted = _Counted(path)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.ordered_attributes = True
    parser.StartElementHandler, parser.EndElementHandler = counted.start, counted.end
    parser.CharacterDataHandler = counted.text
    parser.StartDoctypeDeclHandler = counted.refuse_document_type
    parser.CommentHandler = parser.ProcessingInstructionHandler = counted.refuse_long
    try:
        with archive.open(part) as file:
            while block := file.read(_BLOCK):
                parser.Parse(block, False)
    except expat.ExpatError:
        # A picture ends here, after its first bytes, as it would when it is read as a worksheet.
        if part.filename.endswith(_XML):
            raise _not_a_workbook(path) from None
    return counted


class _Counted:
    """The elements of a part, counted while it is parsed, and the formulas of its rows without a stored value."""

    def __init__(self, path: Path) -> None:
        self.uncomputed: dict[int, str] = {}
        """For each row the first cell that has a formula and no stored value."""
        self._path = path
        self._row = self._column = 0
        self._element = ""
        self._formula = self._value = False
        self._depth = self._elements = self._outer = self._within = self._built = self._whole = 0
        self._characters = self._texts = 0
        self._outermost: list[str] = []

    @property
    def is_large(self) -> bool:
        """Return whether too many objects would be built of the part if it was read as a whole."""
        return self._whole > MAX_BUILT

    def start(self, name: str, attributes: Sequence[str]) -> None:
        """Count an element. Raises TourneyError REFUSED if it is one too many."""
        outer = self._depth < _OUTER_LEVELS
        self._depth += 1
        self._elements += 1
        self._outer += outer
        weight = 1 + len(attributes) // 2
        self._whole += weight
        self._within = 0 if outer else self._within + weight
        self._element = name.rpartition(" ")[2]
        if self._element in ("row", "c"):
            self._place(dict(zip(attributes[::2], attributes[1::2], strict=True)).get("r", ""))
        self._formula = self._formula or self._element == "f"
        if outer:
            self._outermost[self._depth - 1 :] = [name.removeprefix(_NAMESPACE)]
            if self._depth < _OUTER_LEVELS or self._outermost == _ROW:
                self._characters = 0
        self._built += weight if self._outermost != _ROW else 0
        if max(self._outer, self._within) > MAX_OUTER or self._elements > MAX_ELEMENTS or self._built > MAX_BUILT:
            raise _too_large(self._path)
        self.refuse_long(*attributes)

    def text(self, text: str) -> None:
        """Take a text within an element: a cell whose value has text has a stored value.

        Raises TourneyError REFUSED if there are too many of them in a row, or in a text of the workbook.
        """
        self._value = self._value or self._element == "v"
        self._characters += len(text)
        self._texts += len(text) if self._outermost != _ROW else 0
        if self._characters > MAX_TAG or self._texts > MAX_TEXTS:
            raise _too_large(self._path)

    def end(self, name: str) -> None:
        """Leave an element. At the end of a cell, note it if its formula has no stored value."""
        self._depth -= 1
        self._element = ""
        if name.rpartition(" ")[2] == "c" and self._formula and not self._value:
            self.uncomputed.setdefault(self._row, f"{_letters(self._column)}{self._row}")

    def _place(self, said: str) -> None:
        """Begin a row or a cell at the place that it says, or after the one before it."""
        self._formula = self._value = False
        if self._element == "row":
            self._row, self._column = int(said) if said.isdecimal() else self._row + 1, 0
        elif found := _PLACE.fullmatch(said):
            self._row, self._column = int(found[2]), reduce(_with_letter, found[1], 0)
        else:
            self._column += 1

    def refuse_long(self, *texts: str) -> None:
        """Raise TourneyError REFUSED for texts that are read in one piece and are too long together."""
        if sum(map(len, texts)) > MAX_TAG:
            raise _too_large(self._path)

    def refuse_document_type(self, *_declared: object) -> None:
        """Raise TourneyError REFUSED: no workbook has a document type."""
        raise _not_a_workbook(self._path)


def _with_letter(column: int, letter: str) -> int:
    return 26 * column + ord(letter) - ord("A") + 1


def _letters(column: int) -> str:
    """Return the letters of a column, counted from 1."""
    rest, last = divmod(column - 1, 26)
    return (_letters(rest) if rest else "") + chr(ord("A") + last)


@contextmanager
def _refusing_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except TourneyError:
        raise
    except _DAMAGED:
        raise _not_a_workbook(path) from None


def _not_a_workbook(path: Path) -> TourneyError:
    hint = _("save it as .xlsx without a password, or as CSV (UTF-8)")
    return refusal(path, 0, _("this is not a sound workbook (.xlsx)"), hint)


def _too_large(path: Path) -> TourneyError:
    message = _(
        "the workbook is too large: {rows} rows, {bytes} bytes unpacked, or {texts} texts or styles, are the most"
    )
    message = message.format(rows=MAX_ROWS, bytes=MAX_UNPACKED, texts=MAX_OUTER // 2)
    return refusal(path, 0, message, _("save the sheet as CSV (UTF-8), which may be longer"))


def _rows(
    path: Path, values: Any, uncomputed: Mapping[str, Mapping[int, str]], described: Description
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of the header, then of each row with a value, as many cells as the header has."""
    with _refusing_damage(path):
        sheet = _named_sheet(path, values, described.sheet) if described.sheet else _only_sheet(path, values)
        first, last = described.lines
        lacking = uncomputed.get(sheet._worksheet_path, {})
        width = read = 0
        for line, cells in islice(enumerate(_cells(path, sheet), 1), max(0, first - 1), last or None):
            if line in lacking:
                message = _("cell {cell} has a formula without a value").format(cell=lacking[line])
                raise refusal(path, 0, message, _("open the file in a spreadsheet and save it, or type the value"))
            texts = [_text(path, cell) for cell in cells]
            read += sum(map(len, texts))
            if read > MAX_TEXTS:
                # One text may be that of any number of cells.
                raise _too_large(path)
            if not any(texts):
                continue
            width = width or max(place for place, text in enumerate(texts, 1) if text)
            beside = next((cell for cell, text in zip(cells[width:], texts[width:], strict=True) if text), None)
            if beside is not None:
                message = _("cell {cell} has a value, but no heading above it").format(cell=beside.coordinate)
                raise refusal(path, 0, message, _("give its column a heading, or clear the cell"))
            yield line, (texts + [""] * width)[:width]


def _only_sheet(path: Path, book: Any) -> Any:
    """Return the only visible worksheet with values; the first one if all are empty."""
    visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    filled = [sheet for sheet in visible if any(map(_has_value, islice(_cells(path, sheet), _PROBED)))]
    if len(filled) > 1:
        names = ", ".join(shown(sheet.title) for sheet in filled[:5])
        message = _("the workbook has several worksheets with values: {names}").format(names=names)
        hint = _("say which one is read, as in `--sheet {name}`").format(name=quote_argument(filled[0].title))
        raise refusal(path, 0, message, hint)
    return (filled or visible or book.worksheets)[0]


def _named_sheet(path: Path, book: Any, wanted: str) -> Any:
    """Return the worksheet of that name, or the visible one of that number, from 1. Raises TourneyError REFUSED."""
    visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    found = {str(number): sheet for number, sheet in enumerate(visible, 1)}
    found |= {fold(sheet.title): sheet for sheet in book.worksheets}
    if fold(wanted) not in found:
        message = _("the workbook has no worksheet “{name}”").format(name=shown(wanted))
        names = ", ".join(shown(sheet.title) for sheet in visible)
        raise refusal(path, 0, message, _("there are: {names}").format(names=shown(names, 200)))
    return found[fold(wanted)]


def _has_value(cells: Sequence[Any]) -> bool:
    return any(cell.value is not None for cell in cells)


def _cells(path: Path, sheet: Any) -> Iterator[Sequence[Any]]:
    """Yield the cells of each row; what the file says about its own size is not believed."""
    sheet.reset_dimensions()
    for line, cells in enumerate(sheet.iter_rows(), 1):
        if line > MAX_ROWS or len(cells) > MAX_COLUMNS:
            raise _too_large(path)
        yield cells


def _unescaped(text: str) -> str:
    """Return a text of which some characters may be written by their numbers (ECMA-376, 22.9.2.19).

    A number is a code unit of UTF-16: two of them may be one character. Raises TourneyError REFUSED for half of one.
    """
    units = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    whole = units.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    refuse_halves(whole)
    return whole


def _text(path: Path, cell: Any) -> str:
    """Return the value of a cell as CSV has it. Raises TourneyError REFUSED for an error such as #REF!."""
    value = cell.value
    if isinstance(value, str):
        if cell.data_type == "e":
            message = _("cell {cell} has the error {error}").format(cell=cell.coordinate, error=shown(value))
            raise refusal(path, 0, message, _("correct it in the spreadsheet"))
        if len(value) > MAX_TEXT:
            message = _("cell {cell} has more than {most} characters").format(cell=cell.coordinate, most=MAX_TEXT)
            raise refusal(path, 0, message, _("write less into it"))
        try:
            return compose(_unescaped(value).strip())
        except TourneyError as error:
            message = _("cell {cell}: {problem}").format(cell=cell.coordinate, problem=error.message)
            raise refusal(path, 0, message, error.hint) from None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return "" if value is None else str(value)
