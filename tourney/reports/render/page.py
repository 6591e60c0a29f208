"""Show a report as a page by Rich: on a terminal with colours and lines, in a pipe as aligned text with every column.

Everything is laid out before Rich draws it, so that a page never depends on the width that Rich thinks it has.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TextIO

from rich.box import ROUNDED
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from tourney.reports.render import theme
from tourney.reports.render.bars import narrowed
from tourney.reports.render.layout import GAP, Layout, fitted, wrapped
from tourney.reports.render.report import PAGE, Cell, Field, Grid, Report, Section, cell_text, for_people
from tourney.text.cards import with_symbols
from tourney.text.i18n import _
from tourney.text.sanitize import sanitize

_ENDLESS: Final = 100_000
"""The width of Rich's console: what it draws is laid out already."""
_ROWS: Final = 200
"""Rows drawn per batch, so that the first ones appear immediately."""
_INDENT: Final = 2


@dataclass(frozen=True, slots=True)
class Medium:
    """A terminal or a pipe that shows a page, with the widths of tables (None: endless) and sentences in characters.

    `symbols` says whether cards are shown by the symbols of their suits.
    """

    width: int | None = None
    sentence_width: int = PAGE
    terminal: bool = False
    symbols: bool = False

    def inside(self, margin: int) -> "Medium":
        """Return the medium without a margin of so many characters."""
        width = None if self.width is None else max(1, self.width - margin)
        return replace(self, width=width, sentence_width=max(1, self.sentence_width - margin))


def medium_of(width: int | None, *, terminal: bool = False, symbols: bool = False, wide: bool = False) -> Medium:
    """Return a terminal or a pipe of this width (None: endless) as a medium; `wide`: tables may be wider."""
    return Medium(None if wide else width, min(width or PAGE, PAGE), terminal, symbols)


def page_text(report: Report, width: int | None = None) -> str:
    """Return the page as it goes into a pipe of this width, each line ending with a line feed."""
    stream = io.StringIO()
    write(report, stream, medium_of(width))
    return stream.getvalue()


def write(report: Report, stream: TextIO, medium: Medium) -> None:
    """Write the page to a pipe, without colours, lines or blanks at the ends of lines."""
    drawn = io.StringIO()
    console = _console(drawn, color_system=None, legacy_windows=False)
    for part in parts(report, medium):
        if isinstance(part, _Rows):
            stream.write("".join(f"{line.rstrip()}\n" for line in part.lines))
            continue
        console.print(part)
        stream.write("".join(f"{line.rstrip()}\n" for line in drawn.getvalue().splitlines()))
        drawn.seek(0)
        drawn.truncate()


def console_of(stream: TextIO) -> Console:
    """Return a console on a terminal; Rich obeys NO_COLOR and TERM, and the encoding of the stream."""
    return _console(stream)


def _console(stream: TextIO, **settings: Any) -> Console:
    """Return a console that shows texts as they are."""
    # Rich assumes 80 columns on a dumb terminal unless the height is set.
    settings |= {"width": _ENDLESS, "height": 25, "highlight": False, "emoji": False, "markup": False}
    return Console(file=stream, theme=theme.THEME, **settings)


def parts(report: Report, medium: Medium) -> Iterator[RenderableType]:
    """Yield the title, the tables, lines and notes, and what to do next, with empty lines between them."""
    for number, part in enumerate(_parts(report, medium)):
        if number:
            yield ""
        yield from part


def _parts(report: Report, medium: Medium) -> Iterator[Iterable[RenderableType]]:
    # In a report that is not about cards, `As` is a word.
    sentences = medium if report.cards else replace(medium, symbols=False)
    if report.title:
        yield [_title(report, sentences)]
    for section in report.sections:
        yield _section(_fitting_section(section, sentences), sentences)
    if report.rows and not report.sections:
        yield _table(report.for_people(), report.dimmed, medium)
    lines = [_sentence(line, sentences) for line in (*report.lines, *report.notes)]
    if medium.terminal:
        yield from filter(None, (lines, _framed(report.next_steps, medium)))
    else:
        yield from filter(None, [lines + [_sentence(step, medium) for step in report.next_steps]])


def _title(report: Report, medium: Medium) -> Text:
    """Return the title, which may be a command's whole output: in an endless pipe it stays one line."""
    title = sanitize(report.title)
    lines = [title] if medium.width is None else wrapped(title, medium.width)
    return _marked("\n".join(lines), "title", medium)


def _sentence(line: str, medium: Medium) -> Text:
    return _marked("\n".join(wrapped(sanitize(line), medium.sentence_width)), "", medium)


def _marked(text: str, style: str, medium: Medium) -> Text:
    """Return a text with commands, clauses and suits marked."""
    if not medium.terminal:
        return Text(text)
    return theme.sentence(with_symbols(text) if medium.symbols else text, style)


def _framed(steps: Sequence[str], medium: Medium) -> list[RenderableType]:
    """Return a frame with what to do next, or only the steps if a frame does not fit."""
    width = medium.sentence_width
    lines = [line for step in steps for line in wrapped(sanitize(step), max(1, width - 4))]
    needed = 4 + max(map(cell_len, lines), default=0)
    if not steps or needed > (medium.width or needed):
        return [_sentence(step, medium) for step in steps]
    text = theme.sentence("\n".join(lines))
    return [Panel(text, ROUNDED, title=_("Next"), title_align="left", border_style="frame", width=max(width, needed))]


def _fitting_section(section: Section, medium: Medium) -> Section:
    """Return the section, or its narrow form if its table would not fit."""
    if section.narrow is None or medium.width is None:
        return section
    columns, table = _texts(for_people(section.columns, section.rows))
    natural = fitted(columns, table, None).widths
    return section if sum(natural) + GAP * len(natural) <= medium.width else section.narrow


def _section(section: Section, medium: Medium) -> Iterator[RenderableType]:
    """Yield the heading, if there is one, the figure, the table and the bullets of a section."""
    inner = medium.inside(_INDENT)
    if section.heading:
        yield _marked("\n".join(wrapped(sanitize(section.heading), medium.sentence_width)), "heading", medium)
    if section.figure is not None:
        yield Padding(Text("\n".join(section.figure(inner.sentence_width)), "bar"), (0, 0, 0, _INDENT), expand=False)
    if section.rows:
        yield from _table(for_people(section.columns, section.rows), section.dimmed, medium, _INDENT)
    for bullet in section.bullets:
        lines = wrapped(sanitize(bullet), max(1, inner.sentence_width - 2))
        yield _marked("  - " + "\n    ".join(lines), "", medium)


def _texts(grid: Grid) -> tuple[list[Field[Any]], list[list[str]]]:
    columns, rows = grid
    named = [replace(column, heading=sanitize(column.heading)) for column in columns]
    return named, [[sanitize(cell_text(*cell)) for cell in zip(columns, row, strict=True)] for row in rows]


def _table(grid: Grid, dimmed: Sequence[bool], medium: Medium, indent: int = 0) -> Iterator[RenderableType]:
    """Yield the table, some rows at a time, a line that names the hidden columns, and the notes of the others.

    It is indented by so many characters, unless these make room for a column or for whole words in headings.
    """
    columns, table = _texts(grid)
    layout = fitted(columns, table, medium.inside(indent).width)
    if indent and (layout.hidden or layout.compact):
        wider = fitted(columns, table, medium.width)
        if (len(wider.hidden), wider.compact) < (len(layout.hidden), layout.compact):
            layout, indent = wider, 0
    _shorten_bars(columns, table, layout)
    for part in _drawn(grid, (columns, table, layout), dimmed, medium.inside(indent)):
        if indent:
            yield part.indented(indent) if isinstance(part, _Rows) else Padding(part, (0, 0, 0, indent), expand=False)
        else:
            yield part


def _shorten_bars(columns: Sequence[Field[Any]], table: Sequence[list[str]], layout: Layout) -> None:
    """Draw intervals again that are wider than their column, all on one scale."""
    for index, width in zip(layout.shown, layout.widths, strict=True):
        scale = max(len(row[index]) for row in table)
        if columns[index].look == "bar" and width < scale:
            for row in table:
                row[index] = narrowed(row[index], scale, width)


def _drawn(
    grid: Grid, laid_out: tuple[list[Field[Any]], list[list[str]], Layout], dimmed: Sequence[bool], medium: Medium
) -> Iterator[RenderableType]:
    """Yield the parts of a table that is laid out."""
    columns, table, layout = laid_out
    styles = ["dimmed" if faint else "" for faint in dimmed] or [""] * len(table)
    rows = list(zip(grid[1], table, styles, strict=True))
    for start in range(0, len(rows), _ROWS):
        drawn = _empty_table(columns, layout, medium, with_header=start == 0)
        lines = None if medium.terminal else _lines(columns, table[start : start + _ROWS], layout)
        if lines is not None:
            yield from (drawn, lines) if start == 0 else (lines,)
            continue
        for values, texts, style in rows[start : start + _ROWS]:
            cells = (_cell(columns[i], values[i], texts[i], medium) for i in layout.shown)
            drawn.add_row(*map(_padded, cells, layout.pads), style=style)
        yield drawn
    if layout.alike:
        same = [(columns[index].heading.strip() or columns[index].key, table[0][index]) for index in layout.alike]
        yield _alike(same, medium)
    if layout.hidden:
        yield _hidden([columns[index] for index in layout.hidden], medium)
    notes = [columns[index].note for index in layout.shown if columns[index].note]
    if notes:
        yield ""
        yield from (_sentence(note, medium) for note in notes)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of a table in a pipe, each on one line; Rich takes ten times as long to draw them."""

    lines: tuple[str, ...]

    def indented(self, indent: int) -> "_Rows":
        """Return the rows with so many blanks before each."""
        return _Rows(tuple(" " * indent + line for line in self.lines))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the rows as one text."""
        yield Text("\n".join(self.lines))


def _lines(columns: Sequence[Field[Any]], table: Sequence[list[str]], layout: Layout) -> _Rows | None:
    """Return rows without styles as Rich would draw them; None if a cell is wider than its column."""
    if any(
        cell_len(row[index]) > width for row in table for index, width in zip(layout.shown, layout.widths, strict=True)
    ):
        return None
    places = [
        (index, width, pad + layout.gap, columns[index].align == "right")
        for index, width, pad in zip(layout.shown, layout.widths, layout.pads, strict=True)
    ]
    return _Rows(
        tuple("".join(_aligned(row[index], width, gap, right) for index, width, gap, right in places) for row in table)
    )


def _aligned(text: str, width: int, gap: int, right: bool) -> str:
    blanks = " " * (width - cell_len(text))
    return f"{blanks if right else ''}{text}{'' if right else blanks}{' ' * gap}"


def _empty_table(columns: Sequence[Field[Any]], layout: Layout, medium: Medium, *, with_header: bool) -> Table:
    lines = theme.HEAD if medium.terminal else None
    # With lines, Rich puts a blank between columns.
    gap = layout.gap - 1 if medium.terminal else layout.gap
    table = Table(
        box=lines,
        padding=(0, gap, 0, 0),
        show_edge=False,
        pad_edge=False,
        show_header=with_header,
        header_style="header",
        border_style="dimmed",
    )
    for index, heading, width, pad in zip(layout.shown, layout.headings, layout.widths, layout.pads, strict=True):
        align = columns[index].align
        table.add_column(_padded(Text(heading), pad), justify=align, width=width + pad, overflow="fold")
    return table


def _padded(part: RenderableType, blanks: int) -> RenderableType:
    """Return a cell with so many further blanks after it."""
    return Padding(part, (0, blanks, 0, 0)) if blanks else part


def _cell(column: Field[Any], value: Cell, text: str, medium: Medium) -> RenderableType:
    if medium.terminal and column.look == "cards":
        return _marked(text, "", medium)
    style = theme.cell_style(column.look, value) if medium.terminal else ""
    return Text(text, style) if style else _Cell(text)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell without a style. Most need one line, and Rich takes twice as long for a table if it tries to wrap each."""

    text: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the text, on one line if it fits."""
        blanks = options.max_width - cell_len(self.text)
        if blanks < 0:
            yield Text(self.text)
        else:
            yield Segment(" " * blanks + self.text if options.justify == "right" else self.text)


def _alike(same: Sequence[tuple[str, str]], medium: Medium) -> Text:
    """Return the line that says once what columns without room say in every row."""
    values = ", ".join(_("{heading} ({value})").format(heading=heading, value=value) for heading, value in same)
    line = _("The same in every row: {columns}").format(columns=values)
    return _marked("\n".join(wrapped(line, medium.sentence_width)), "dimmed", medium)


def _hidden(columns: Sequence[Field[Any]], medium: Medium) -> Text:
    """Return the line that names the hidden columns."""
    names = ", ".join(column.heading.strip() or column.key for column in columns)
    line = _("Hidden, for lack of room: {columns}. `--wide` shows all.").format(columns=names)
    return _marked("\n".join(wrapped(line, medium.sentence_width)), "dimmed", medium)


def message(text: str, style: str, stream: TextIO, width: int) -> None:
    """Print an error or a hint on a terminal, with the word before its colon in this style."""
    marked = theme.sentence("\n".join(wrapped(text, width)))
    marked.stylize(style, 0, text.find(":") + 1)
    console_of(stream).print(marked)
