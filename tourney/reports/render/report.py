"""The contents of a report, before they are shown as a table, JSON, CSV or Markdown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from tourney.text.i18n import _

Cell = str | int | float | None
Align = Literal["left", "right"]
Readers = Literal["everybody", "people", "programs"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `key` names it for programs, `heading` for people; `decimals` rounds what people see.

    What is not for everybody says whom it is for: people, or programs and spreadsheets.
    """

    key: str
    heading: str
    align: Align = "left"
    decimals: int | None = None
    readers: Readers = "everybody"


Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Field(Generic[Row]):
    """One field of a report's rows, declared once for every form of output.

    `value` takes from a row what JSON holds under `key`. Tables and CSV show the same under `heading`, or what `cell`
    takes where that differs; a field without a heading stands in JSON alone. An `optional` column is left empty, and
    so is not shown, unless some row has a value.
    """

    key: str
    heading: str
    value: Callable[[Row], Any]
    align: Align = "left"
    decimals: int | None = None
    readers: Readers = "everybody"
    cell: Callable[[Row], Cell] | None = None
    optional: bool = False

    def column(self) -> Column:
        """Return the column of this field."""
        return Column(self.key, self.heading, self.align, self.decimals, self.readers)

    def cells(self, rows: Sequence[Row]) -> list[Cell]:
        """Return the cells of this field, row by row."""
        found: list[Cell] = list(map(self.cell or self.value, rows))
        return [""] * len(found) if self.optional and not any(found) else found


Fields = Sequence[Field[Row]]


def columns(fields: Fields[Row]) -> tuple[Column, ...]:
    """Return the columns of the fields that have a heading."""
    return tuple(field.column() for field in fields if field.heading)


def cells(fields: Fields[Row], rows: Iterable[Row]) -> tuple[tuple[Cell, ...], ...]:
    """Return the rows of a table of these fields."""
    found = list(rows)
    return tuple(zip(*(field.cells(found) for field in fields if field.heading), strict=True)) if found else ()


def record(fields: Fields[Row], row: Row) -> dict[str, Any]:
    """Return a row as JSON holds it: under its key the value of every field that programs read, in order."""
    return {field.key: field.value(row) for field in fields if field.readers != "people"}


def named(source: object, *names: str) -> dict[str, Any]:
    """Return these attributes under their own names, tuples as the lists that they are in JSON."""
    values = {name: getattr(source, name) for name in names}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: a heading, a table, points that each are a sentence or two, and lines that draw a figure.

    `narrow` says the same for a page on which the table would have to be folded.
    """

    heading: str
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    points: tuple[str, ...] = ()
    figure: tuple[str, ...] = ()
    narrow: "Section | None" = None


@dataclass(frozen=True, slots=True)
class Report:
    """A title, a table, lines and notes.

    Where there are `sections`, people read those as a page, and the table is for spreadsheets alone.
    `lines` say to people what `data` says to programs, or what to do next; `details` are lines shown only with
    `--verbose`. `notes` are remarks that everybody should read, and stand on standard error beside JSON and CSV.
    `data` is what JSON holds where that is not simply one object per row.
    """

    title: str
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    notes: tuple[str, ...] = ()
    data: Any = None
    lines: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    details: tuple[str, ...] = ()

    def for_people(self) -> "Grid":
        """Return columns and rows as people see them: without the columns that are empty in every row."""
        return for_people(self.columns, self.rows)

    def as_sections(self, heading: str) -> tuple[Section, ...]:
        """Return the report as parts of a page: its sections, or its table under the heading."""
        return (Section(heading, *self.for_people()),) if self.rows and not self.sections else self.sections

    def for_programs(self) -> "Grid":
        """Return columns and rows as programs and spreadsheets take them."""
        places = [place for place, column in enumerate(self.columns) if column.readers != "people"]
        return _of(self.columns, self.rows, places)

    def structure(self) -> Any:
        """Return what JSON holds: `data`, or a list of one object per row."""
        if self.data is not None:
            return self.data
        columns, rows = self.for_programs()
        keys = [column.key for column in columns]
        return [dict(zip(keys, row, strict=True)) for row in rows]


Grid = tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]
"""Columns and rows."""


def for_people(columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...]) -> Grid:
    """Return a table without the columns that are for programs, or empty in every row."""
    shown = [place for place, column in enumerate(columns) if column.readers != "programs"]
    return _of(columns, rows, [place for place in shown if any(row[place] != "" for row in rows)])


def _of(columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...], places: Sequence[int]) -> Grid:
    """Return the table of the columns at these places."""
    return tuple(columns[place] for place in places), tuple(tuple(row[place] for place in places) for row in rows)


def facts(known: Mapping[str, Cell]) -> Grid:
    """Return a table of names and values, without those whose value is an empty text."""
    rows = tuple((name, value) for name, value in known.items() if value != "")
    return (Column("what", _("What")), Column("value", _("Value"))), rows


def cell_text(column: Column, value: Cell) -> str:
    """Return the cell as people read it, rounded to the column's decimals; a dash where there is nothing."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.{2 if column.decimals is None else column.decimals}f}"
    return str(value)


def listing(
    title: str,
    fields: Fields[Row],
    rows: Sequence[Row],
    *,
    notes: tuple[str, ...] = (),
    data: Any = None,
    lines: tuple[str, ...] = (),
    sections: tuple[Section, ...] = (),
    details: tuple[str, ...] = (),
) -> Report:
    """Return a report of one row for each of `rows`; JSON holds one object per row, or `data`."""
    data = [record(fields, row) for row in rows] if data is None else data
    return Report(title, columns(fields), cells(fields, rows), notes, data, lines, sections, details)


def table_section(heading: str, fields: Fields[Row], rows: Sequence[Row], points: tuple[str, ...] = ()) -> Section:
    """Return a part of a page with one row for each of `rows`."""
    return Section(heading, columns(fields), cells(fields, rows), points)
