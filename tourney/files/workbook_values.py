"""Open a workbook by openpyxl for its values alone: no styles, names, properties, themes or charts are read.

Their patterns read a text again at each of its places, and for each cell format that uses it.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, BinaryIO, Final
from zipfile import ZipFile, ZipInfo

from openpyxl.reader.excel import ExcelReader, ReadOnlyWorksheet
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.xml.functions import fromstring

MOST_OF_A_FORMAT: Final = 255
"""The most characters of a number's format, in Excel too."""
_STYLES: Final = "xl/styles.xml"


class _WholeParts(ZipFile):
    """The parts of a workbook that are read as a whole."""

    large: Collection[str] = ()

    def open(self, name: str | ZipInfo, *how: Any, **options: Any) -> IO[bytes]:
        """Open a part. Raises ValueError for a large one, of which too many objects would be built."""
        if (name.filename if isinstance(name, ZipInfo) else name) in self.large:
            raise ValueError("such a workbook is not saved")
        return super().open(name, *how, **options)


@contextmanager
def opened_book(file: BinaryIO, large: Collection[str]) -> Iterator[Any]:
    """Yield the workbook with its worksheets; the `large` parts can only be worksheets, which are read row by row.

    Raises what openpyxl raises, ValueError for one that nobody saves.
    """
    # Without `data_only` openpyxl takes formulas apart, in a time that no limit of a file bounds.
    reader = ExcelReader(file, read_only=True, data_only=True, keep_links=False)
    reader.archive = _WholeParts(file)
    reader.archive.large = large
    reader.read_manifest()
    reader.read_strings()
    reader.read_workbook()
    book = reader.wb
    book._archive = ZipFile(file)
    if _STYLES in reader.valid_files:
        book._date_formats, book._timedelta_formats = _date_formats(reader.archive.read(_STYLES))
    for sheet, relation in reader.parser.find_sheets():
        if relation.target in reader.valid_files and "chartsheet" not in relation.Type:
            worksheet = ReadOnlyWorksheet(book, sheet.name, relation.target, reader.shared_strings)
            worksheet.sheet_state = sheet.state
            book._sheets.append(worksheet)
            # A part that many worksheets are made of would be read for each of them.
            reader.valid_files.remove(relation.target)
    try:
        yield book
    finally:
        book.close()
        # Workbook and worksheets refer to each other, and would keep the texts for long.
        reader.shared_strings.clear()


def _date_formats(styles: bytes) -> tuple[set[int], set[int]]:
    """Return the formats of cells, by their place, that show a date or a time, and those that show a duration."""
    root = fromstring(styles)
    codes = dict(BUILTIN_FORMATS)
    codes |= {int(each.get("numFmtId")): each.get("formatCode") for each in root.iterfind("{*}numFmts/{*}numFmt")}
    used = [int(each.get("numFmtId", 0)) for each in root.iterfind("{*}cellXfs/{*}xf")]
    if any(len(codes.get(number) or "") > MOST_OF_A_FORMAT for number in set(used)):
        raise ValueError("no such format of numbers")
    dates = {number for number in set(used) if is_date_format(codes.get(number))}
    durations = {number for number in dates if is_timedelta_format(codes.get(number))}
    return _places(used, dates), _places(used, durations)


def _places(used: Sequence[int], wanted: Collection[int]) -> set[int]:
    return {at for at, number in enumerate(used) if number in wanted}
