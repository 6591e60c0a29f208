"""What a command has to say, before it is a table, JSON, CSV or Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

Cell = str | int | float | None
Readers = Literal["everybody", "people", "programs"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `key` names it for programs, `heading` for people; `decimals` rounds what people see.

    What is not for everybody says whom it is for: people, or programs and spreadsheets.
    """

    key: str
    heading: str
    align: Literal["left", "right"] = "left"
    decimals: int | None = None
    readers: Readers = "everybody"


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
    `lines` tell people what `data` tells programs, or what to do next; `notes` are remarks that everybody
    should read, and stand on standard error beside JSON and CSV. `data` is what JSON holds where that is
    not simply one object per row.
    """

    title: str
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    notes: tuple[str, ...] = ()
    data: Any = None
    lines: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()

    def told(self) -> "Shown":
        """Columns and rows as people see them: without the columns that are empty in every row."""
        return told(self.columns, self.rows)

    def table(self) -> "Shown":
        """Columns and rows as programs and spreadsheets take them."""
        places = [place for place, column in enumerate(self.columns) if column.readers != "people"]
        return _of(self.columns, self.rows, places)

    def structure(self) -> Any:
        """What JSON holds: `data`, or a list of one object per row."""
        if self.data is not None:
            return self.data
        columns, rows = self.table()
        keys = [column.key for column in columns]
        return [dict(zip(keys, row, strict=True)) for row in rows]


Shown = tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]
"""Columns and rows."""


def told(columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...]) -> Shown:
    """The table for people: without the columns that are for programs, or empty in every row."""
    shown = [place for place, column in enumerate(columns) if column.readers != "programs"]
    return _of(columns, rows, [place for place in shown if any(row[place] != "" for row in rows)])


def _of(columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...], places: Sequence[int]) -> Shown:
    """The table of the columns at these places."""
    return tuple(columns[place] for place in places), tuple(tuple(row[place] for place in places) for row in rows)


def cell_text(column: Column, value: Cell) -> str:
    """The cell as people read it, rounded to the column's decimals; a dash where there is nothing."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.{2 if column.decimals is None else column.decimals}f}"
    return str(value)
