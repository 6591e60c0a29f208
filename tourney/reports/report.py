"""What a command has to say, before it is a table, JSON, CSV or Markdown."""

from dataclasses import dataclass
from typing import Any, Literal

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column: `key` names it for programs, `heading` for people; `decimals` rounds what people see."""

    key: str
    heading: str
    align: Literal["left", "right"] = "left"
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A title, a table and notes.

    `data` is what JSON holds where that is not simply one object per row. A report without columns says
    all it has to say in its title and notes.
    """

    title: str
    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    notes: tuple[str, ...] = ()
    data: Any = None

    def structure(self) -> Any:
        """What JSON holds: `data`, or a list of one object per row."""
        if self.data is not None:
            return self.data
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]


def cell_text(column: Column, value: Cell) -> str:
    """The cell as people read it, rounded to the column's decimals; a dash where there is nothing."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.{2 if column.decimals is None else column.decimals}f}"
    return str(value)
