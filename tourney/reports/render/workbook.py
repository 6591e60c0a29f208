"""A report as a workbook (.xlsx): numbers and dates are typed, and every text is a text, whatever it begins with."""

import datetime
import gc
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import Any, BinaryIO, Final

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from tourney.reports.render.report import Cell, Field, Report
from tourney.text.sanitize import sanitize

_EXACT: Final = 10**15
"""The numbers up to here are exact in a spreadsheet; longer ones are written as text."""
_DATE: Final = re.compile(r"(19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}", re.ASCII)
_ESCAPED: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_WIDEST: Final = 40
_DATES: Final = "date"
"""The key of the columns that have dates."""


def write_workbook(report: Report, file: BinaryIO) -> None:
    """Write the rows under the keys of their columns, as in CSV, without title and notes, to one worksheet.

    Raises OSError if there is no room for it, or for the file that openpyxl writes on the way.
    """
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        content = _content(report)
    except OSError as error:
        failed = error.errno, error.strerror
    else:
        file.write(content)
        return
    finally:
        # What openpyxl has left open where there is no room complains again when it is collected.
        gc.collect()
        sys.unraisablehook = hook
    raise OSError(*failed)


def _content(report: Report) -> bytes:
    columns, rows = report.for_programs()
    book = Workbook(write_only=True)
    book.properties.creator = "tourney"
    sheet = book.create_sheet("tourney")
    sheet.freeze_panes = "A2"
    for place, column in enumerate(columns):
        letter = get_column_letter(place + 1)
        longest = max((len(str(row[place])) for row in rows), default=0)
        sheet.column_dimensions[letter].width = min(max(longest, len(column.key)) + 2, _WIDEST)
    sheet.append(list(_header(sheet, columns)))
    for row in rows:
        sheet.append([_cell(sheet, column, value) for column, value in zip(columns, row, strict=True)])
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def _header(sheet: Any, columns: tuple[Field[Any], ...]) -> Iterator[Any]:
    for column in columns:
        cell = _text(sheet, column.key)
        cell.font = Font(bold=True)
        yield cell


def _cell(sheet: Any, column: Field[Any], value: Cell) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return _number(sheet, column, value) if abs(value) <= _EXACT else _text(sheet, str(value))
    day = _day(value) if column.key == _DATES else None
    if day is None:
        return _text(sheet, value) if value else None
    cell = WriteOnlyCell(sheet, value=day)
    cell.number_format = "yyyy-mm-dd"
    return cell


def _number(sheet: Any, column: Field[Any], value: float) -> Any:
    """Return a cell that shows the column's decimals and keeps all others."""
    # openpyxl would round a number to 16 digits; a float needs 17.
    cell = WriteOnlyCell(sheet, value=repr(value))
    cell.data_type = "n"
    if isinstance(value, float):
        cell.number_format = f"0.{'0' * (2 if column.decimals is None else column.decimals)}".rstrip(".")
    return cell


def _text(sheet: Any, value: str) -> Any:
    """Return a cell with this text, which is no formula even if it begins with an equals sign."""
    # Excel reads `_x0041_` as a letter, unless its first character is written like that, too.
    cell = WriteOnlyCell(sheet, value=_ESCAPED.sub("_x005F_", sanitize(value)))
    cell.data_type = "s"
    return cell


def _day(value: str) -> datetime.datetime | None:
    """Return the date that the text is; None for other text."""
    try:
        return datetime.datetime.fromisoformat(value) if _DATE.fullmatch(value) else None
    except ValueError:
        return None
