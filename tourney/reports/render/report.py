"""The content of a report, before it is shown as a table, JSON, CSV or Markdown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Literal, TypeVar

from tourney.domain.club import NO_CLUB, Club
from tourney.text.dates import long_date, shown_dates
from tourney.text.i18n import _, marked
from tourney.text.numbers import Number

PAGE: Final = 80
"""The width of a page of sentences, in characters."""

TO_SIGN: Final = "____________________"
"""The line at the end of a sentence that is to be signed."""

Cell = str | int | float | None
Align = Literal["left", "right"]
Readers = Literal["everybody", "people", "programs"]
Look = Literal["plain", "rank", "score", "part", "moved", "bar", "cards", "date", "long date", "state", "word"]
"""The looks of a column's cells: by rank, by sign, as a bar, as cards, as a date, as good or bad, as a word of ours.

On pages and paper the `score` follows the name, and a `part` is above the rows that have it.
"""
WORDS: Final = (
    *(marked("counts"), marked("void")),
    *(marked("person"), marked("bot")),
    *(marked("people"), marked("bots"), marked("joint"), marked("imported")),
    *(marked("contract"), marked("knock")),
    *(marked("game"), marked("hand")),
)
"""The values of columns of the look `word`: programs read them as they are, people in their language."""
Layout = Literal["listing", "rules", "slips", "wall", "signs", "certificates"]
"""The layouts of a report on paper."""

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Field(Generic[Row]):
    """One field of a report's rows, declared once for every form of output: `key` names it for programs.

    `value` takes from a row the value that JSON has under `key`. Tables and CSV show it under `heading`, or show the
    value of `cell` if given; a field without a heading is only in JSON, and a table whose cells are given needs no
    `value`. An `optional` column is left empty, and so is not shown, unless some row has a value.

    `decimals` rounds what people see. `readers` says who sees the column: everybody, people only, or only programs and
    spreadsheets. On a narrow terminal columns with the greatest `priority` number are hidden first, those with 0 never.
    The `note` is a sentence below a table that shows the column.
    """

    key: str
    heading: str
    value: Callable[[Row], Any] = str
    align: Align = "left"
    decimals: int | None = None
    readers: Readers = "everybody"
    cell: Callable[[Row], Cell] | None = None
    optional: bool = False
    priority: int = 1
    look: Look = "plain"
    note: str = ""

    def cells(self, rows: Sequence[Row]) -> list[Cell]:
        """Return the cells of this field, row by row."""
        column: list[Cell] = list(map(self.cell or self.value, rows))
        return [""] * len(column) if self.optional and not any(column) else column


Fields = Sequence[Field[Row]]


def columns(fields: Fields[Row]) -> tuple[Field[Any], ...]:
    """Return the fields that have a heading: the columns of a table."""
    return tuple(field for field in fields if field.heading)


def cells(fields: Fields[Row], rows: Iterable[Row]) -> tuple[tuple[Cell, ...], ...]:
    """Return the rows of a table of these fields."""
    listed = list(rows)
    return tuple(zip(*(field.cells(listed) for field in fields if field.heading), strict=True)) if listed else ()


def record(fields: Fields[Row], row: Row) -> dict[str, Any]:
    """Return a row as a JSON object: the value of every field that programs read, by key, in order."""
    return {field.key: field.value(row) for field in fields if field.readers != "people"}


def named(source: object, *names: str) -> dict[str, Any]:
    """Return these attributes as a JSON object under their own names, tuples as lists."""
    values = {name: getattr(source, name) for name in names}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: a heading, a table, bullets of a sentence or two, and a figure drawn for a given width.

    `narrow` takes its place on a page that is too narrow for the table. `brief` is a sentence that takes its place
    unless details are asked for. `dimmed` says which rows matter less.
    """

    heading: str
    columns: tuple[Field[Any], ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    bullets: tuple[str, ...] = ()
    figure: Callable[[int], Sequence[str]] | None = None
    narrow: "Section | None" = None
    dimmed: tuple[bool, ...] = ()
    brief: str = ""


MEDALS: Final = ("🥇", "🥈", "🥉")


@dataclass(frozen=True, slots=True)
class ListLine:
    """A line of a list in a message: what stands before a name, the name, and what stands behind it."""

    lead: str
    name: str
    tail: str = ""


def medal(rank: int | None) -> str:
    """Return what stands before a name of this rank: a medal for the first three, then the number; a dash without."""
    if rank is None:
        return "–"
    return MEDALS[rank - 1] if rank <= len(MEDALS) else f"{rank}."


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures below the tables of a report, as SVG that has its style from the page, and what they mean."""

    drawn: tuple[str, ...]
    meaning: str


@dataclass(frozen=True, slots=True)
class Report:
    """A title, a table, lines and notes.

    With `sections`, a page shows these, and the table is only for spreadsheets. `lines` say in words what `data` says
    in JSON; `details` are lines shown only with `--verbose`. `notes` are remarks that everybody should read: with JSON
    and CSV they go to standard error. `next_steps` say what to do next. `data` is the JSON if it is not simply one
    object per row. `dimmed` says which rows matter less, `cards` whether title and lines speak of cards. `message`
    returns the entries and sentences of a message, in a report that people post; `code` is the code of what it shows,
    `organiser` the event's, `club` the one that paper shows. `layout` says how the report is arranged on paper, and
    `paper` returns it as it is there, if that differs; `pictures` are for pages and paper.
    """

    title: str
    columns: tuple[Field[Any], ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    notes: tuple[str, ...] = ()
    data: Any = None
    lines: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    details: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    dimmed: tuple[bool, ...] = ()
    cards: bool = False
    message: Callable[[], Iterable[ListLine | str]] | None = None
    code: str = ""
    organiser: str = ""
    club: Club = NO_CLUB
    layout: Layout = "listing"
    paper: "Callable[[], Report] | None" = None
    pictures: Pictures | None = None

    def with_cards(self, written: Callable[[str], str]) -> "Report":
        """Return the report with its cards, which have the engine's letters, written in another way."""
        title, lines, rows = self.title, self.lines, self.rows
        if self.cards:
            title, lines = written(title), tuple(map(written, lines))
        for at, column in enumerate(self.columns):
            if column.look == "cards":
                rows = tuple((*row[:at], written(str(row[at])), *row[at + 1 :]) for row in rows)
        return replace(self, title=title, lines=lines, rows=rows)

    def for_people(self) -> "Grid":
        """Return columns and rows as people see them: no column is empty in every row or only for programs."""
        return for_people(self.columns, self.rows)

    def as_sections(self, heading: str) -> tuple[Section, ...]:
        """Return the report as parts of a page: its sections, or its table under the heading."""
        own = Section(heading, *self.for_people(), dimmed=self.dimmed)
        return (own,) if self.rows and not self.sections else self.sections

    def in_brief(self) -> "Report":
        """Return the report with the sentences of its sections that have one, instead of these sections."""
        brief = tuple(section.brief for section in self.sections if section.brief)
        kept = tuple(section for section in self.sections if not section.brief)
        is_own_table = len(kept) == 1 and kept[0].rows == self.for_people()[1]
        return replace(self, lines=(*self.lines, *brief), sections=() if is_own_table else kept) if brief else self

    def for_programs(self) -> "Grid":
        """Return columns and rows as programs and spreadsheets take them."""
        indexes = [index for index, column in enumerate(self.columns) if column.readers != "people"]
        return _selected(self.columns, self.rows, indexes)

    def structure(self) -> Any:
        """Return the JSON structure: `data`, or a list of one object per row."""
        if self.data is not None:
            return self.data
        columns, rows = self.for_programs()
        keys = [column.key for column in columns]
        return [dict(zip(keys, row, strict=True)) for row in rows]


Grid = tuple[tuple[Field[Any], ...], tuple[tuple[Cell, ...], ...]]
"""Columns and rows."""


def for_people(columns: tuple[Field[Any], ...], rows: tuple[tuple[Cell, ...], ...]) -> Grid:
    """Return a table without the columns that are empty in every row or only for programs."""
    shown = [index for index, column in enumerate(columns) if column.readers != "programs"]
    return _selected(columns, rows, [index for index in shown if any(row[index] != "" for row in rows)])


def _selected(columns: tuple[Field[Any], ...], rows: tuple[tuple[Cell, ...], ...], indexes: Sequence[int]) -> Grid:
    """Return the table with only the columns at these indexes."""
    return tuple(columns[index] for index in indexes), tuple(tuple(row[index] for index in indexes) for row in rows)


def facts(values: Mapping[str, Cell]) -> Grid:
    """Return a table of names and values, without those whose value is an empty text."""
    rows = tuple((name, value) for name, value in values.items() if value != "")
    return (Field("what", _("What"), priority=0), Field("value", _("Value"), priority=0)), rows


def cell_text(column: Field[Any], value: Cell) -> str:
    """Return the cell as people read it: a number rounded to the column's decimals, a dash for None."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{Number(value):.{2 if column.decimals is None else column.decimals}f}"
    if column.look == "word":
        return _(str(value))
    if column.look in ("date", "long date"):
        return shown_dates(str(value)) if column.look == "date" else long_date(str(value))
    return str(value)


def listing(
    title: str,
    fields: Fields[Row],
    rows: Sequence[Row],
    *,
    data: Any = None,
    dimmed: Callable[[Row], bool] | None = None,
    **parts: Any,
) -> Report:
    """Return a report of one row for each of `rows`; its JSON is one object per row, or `data`.

    `dimmed` says of a row whether it matters less; `parts` are the other parts of a report, by name.
    """
    data = [record(fields, row) for row in rows] if data is None else data
    pale = () if dimmed is None else tuple(map(dimmed, rows))
    return Report(title, columns(fields), cells(fields, rows), data=data, dimmed=pale, **parts)


def table_section(heading: str, fields: Fields[Row], rows: Sequence[Row], bullets: tuple[str, ...] = ()) -> Section:
    """Return a part of a page with one row for each of `rows`."""
    return Section(heading, columns(fields), cells(fields, rows), bullets)
