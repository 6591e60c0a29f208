"""A report as one HTML file that needs no other: stylesheet, tables, score slips, and type that fits a sheet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from math import ceil
from os.path import dirname, join
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from tourney.domain.club import Club, logo_text
from tourney.reports.render.report import PAGE, TO_SIGN, Cell, Field, Layout, Report, Section, cell_text, for_people
from tourney.text.i18n import _, language
from tourney.text.sanitize import sanitize

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


NARROW: Final = 50
"""The characters of a table that need not be as wide as the page: its columns stay side by side."""
USUAL: Final = 88
"""The characters of a line on an upright page, in the usual type."""
PORTRAIT: Final = 100
"""The characters of a line on an upright page, in smaller type; wider tables get a page on its side."""
LANDSCAPE: Final = 146
"""The characters of a line on a page on its side; wider tables get the smallest type."""
_WRAPPED: Final = 34
"""The most characters that a cell counts for, since longer texts are wrapped between words."""
_GAP: Final = 3
"""The characters that the space between two columns takes."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of a table: texts of its cells, whether it matters less, and the part of the table that it begins."""

    cells: tuple[str, ...]
    dimmed: bool = False
    part: str = ""


@dataclass(frozen=True, slots=True)
class GridView:
    """A table: its columns, the index of the column that names each row, its rows, and its width in characters."""

    columns: tuple[Field[Any], ...]
    names: int
    rows: tuple[GridRow, ...]
    room: int

    @property
    def type(self) -> Literal["narrow", "", "tight", "dense"]:
        """Return how the table is set: as narrow as its texts, as wide as the page, or also in smaller type."""
        if self.room <= NARROW:
            return "narrow"
        return "" if self.room <= USUAL else "tight" if self.room <= LANDSCAPE else "dense"


def grid_view(columns: Sequence[Field[Any]], rows: Sequence[tuple[Cell, ...]], dimmed: Sequence[bool] = ()) -> GridView:
    """Return a table as a template shows it."""
    order = _order(columns)
    texts = [tuple(map(cell_text, columns, row)) for row in rows]
    parts = ["".join(row[at] for at, column in enumerate(columns) if column.look == "part") for row in texts]
    shown = tuple(
        GridRow(tuple(row[at] for at in order), is_dimmed, part if part != before else "")
        for row, is_dimmed, part, before in zip(texts, dimmed or [False] * len(rows), parts, ["", *parts], strict=False)
    )
    ordered = tuple(replace(columns[at], priority=0) if columns[at].look == "score" else columns[at] for at in order)
    return GridView(ordered, _names(ordered), shown, _room(ordered, shown))


def _order(columns: Sequence[Field[Any]]) -> list[int]:
    """Return the indices of the columns as they are shown: what decides directly behind the names, no parts."""
    found = [at for at, column in enumerate(columns) if column.look not in ("score", "part")]
    behind = found.index(_names(columns)) + 1 if found else 0
    found[behind:behind] = [at for at, column in enumerate(columns) if column.look == "score"]
    return found


def _names(columns: Sequence[Field[Any]]) -> int:
    """Return the index of the column that names a row: that of the player, or else the first."""
    keys = [column.key for column in columns]
    return next((keys.index(key) for key in ("player", "name") if key in keys), 0)


def _room(columns: Sequence[Field[Any]], rows: Sequence[GridRow]) -> int:
    widths = (_width(column, [row.cells[at] for row in rows]) for at, column in enumerate(columns))
    return sum(width + _GAP for width in widths)


def _width(column: Field[Any], texts: Sequence[str]) -> int:
    """Return the characters of a column; one text in ten may be longer, and is wrapped between words."""
    longest_word = max(map(len, column.heading.split()), default=0)
    lengths = sorted(map(len, texts))
    if column.align == "right" or not lengths:
        return max(longest_word, min(_WRAPPED, max(lengths, default=0)))
    longest_word = max([longest_word, *(len(word) for text in texts for word in text.split())])
    usual = lengths[ceil(0.9 * (len(lengths) - 1))]
    return max(min(longest_word, _WRAPPED), min(_WRAPPED, usual))


_ROOMY: Final = 4
"""The most players at a table whose slip has wider columns for points than for totals."""
_UPRIGHT: Final = 6
"""The most players whose columns fit an upright page."""
_LINES_MM: Final = 73.0
"""The height of all lines of a slip, in millimetres: with heading and signatures, two slips fit a page."""
_HIGHEST_MM, _LOWEST_MM = 10.4, 5.8


@dataclass(frozen=True, slots=True)
class SlipHead:
    """A heading over one column, or a player's over their columns; `seat` is the player's, 0 for other columns."""

    text: str
    seat: int = 0
    span: int = 1


@dataclass(frozen=True, slots=True)
class SlipView:
    """A slip: its headings, columns, lines of `height` millimetres, seats by name, instructions, and who signs."""

    heading: str
    heads: tuple[SlipHead, ...]
    columns: tuple[Field[Any], ...]
    rows: tuple[GridRow, ...]
    seats: Mapping[str, int]
    height: float
    instructions: tuple[str, ...]
    signers: tuple[str, ...]
    roomy: bool
    wide: bool


def _slip(section: Section) -> SlipView:
    heads = tuple(_heads(section.columns))
    players = max(head.seat for head in heads)
    return SlipView(
        section.heading,
        heads,
        section.columns,
        tuple(GridRow(tuple(map(cell_text, section.columns, row))) for row in section.rows),
        {head.text: head.seat for head in heads if head.seat},
        min(_HIGHEST_MM, max(_LOWEST_MM, _LINES_MM / max(1, len(section.rows)))),
        tuple(line for line in section.bullets if not line.endswith(TO_SIGN)),
        tuple(line.removesuffix(TO_SIGN).rstrip(" :") for line in section.bullets if line.endswith(TO_SIGN)),
        roomy=players <= _ROOMY,
        wide=players > _UPRIGHT,
    )


def _heads(columns: Sequence[Field[Any]]) -> Iterator[SlipHead]:
    """Yield a heading for each group of columns: points and total of a seat belong together."""
    for seat, group in groupby(columns, key=_seat_of):
        members = list(group)
        if seat:
            yield SlipHead(members[0].heading, seat, len(members))
        else:
            yield from (SlipHead(column.heading) for column in members)


def _seat_of(column: Field[Any]) -> int:
    """Return the seat that a column of a slip belongs to; 0 for none."""
    name, _line, seat = column.key.rpartition("_")
    return int(seat) if name in ("points", "total") else 0


ONE_SHEET: Final = (8.75, 11.0)
"""The least and the greatest type of rules on one sheet, in points."""
TWO_SHEETS: Final = (8.25, 12.5)
"""The least and the greatest type of rules on two sheets, in points."""
_STEP: Final = 0.25
_WIDTH: Final = 538.0
"""The width of an A4 sheet between its margins, in points."""
_POINTS: Final = 72 / 25.4
"""The points of a millimetre."""
_LETTER: Final = 0.475
"""The mean width of a letter, as a share of the type."""
_LINE, _BETWEEN, _HEADING, _AROUND = 1.25, 0.1, 1.8, 9.0
"""Heights in lines of type: a line, the space after a sentence, a heading; and the space after a section in points."""
_TOP, _ROW, _NOTE = 90.0, 18.5, 36.0
"""Heights in points: title, captions and headings of the tables; a row of a table; the note at the end."""
_FILLED: Final = 0.93
"""The share of a column that can be filled, since no sentence or heading is cut just anywhere."""


def rules_type(sections: Sequence[Sequence[str]], rows: Iterable[int], height: float) -> float:
    """Return the type in points for these sections of sentences, below tables with so many rows.

    `height` is that of a sheet between its margins, in millimetres. One sheet is filled if its type can be read, else
    two, so that no sheet is nearly empty.
    """
    sheet = height * _POINTS
    top = _TOP + _ROW * max(rows, default=0) + _NOTE
    for number, (least, greatest) in ((1, ONE_SHEET), (2, TWO_SHEETS)):
        size = greatest
        while size >= least:
            if _height(sections, size) <= 2 * (number * sheet - top) * _FILLED:
                return size
            size -= _STEP
    return TWO_SHEETS[0]


def _height(sections: Sequence[Sequence[str]], size: float) -> float:
    """Return the height of all sentences in one column, in points."""
    letters = ((_WIDTH - 2 * size) / 2 - 1.2 * size) / (_LETTER * size)
    lines = sum(ceil(len(sentence) / letters) * _LINE + _BETWEEN for section in sections for sentence in section)
    return (lines + _HEADING * len(sections)) * size + _AROUND * len(sections)


TEMPLATES: Final = join(dirname(__file__), "templates")
_SIZES: Final = {"a4": "A4", "letter": "Letter"}
_HEIGHTS: Final = {"a4": 269, "letter": 251}
"""The height of a whole page between its margins, in millimetres."""
SIGN_LINE: Final = 26
"""The characters of a name that fit a line of a sign."""
_LIST_LINE: Final = 36
"""The characters of a name that fit a line of a list on a wall."""
_ELSEWHERE: Final = ("event", "place", "player", "date", "organiser", "signature")
"""The columns of a certificate that have places of their own."""
_USUAL_LINES, _CLOSE_LINES = 18, 24
"""The lines that fit one page of a list on a wall: in the usual type, and closer together in smaller type."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page, as a template shows it: a heading, the lines of a figure, a table, sentences."""

    heading: str
    figure: tuple[str, ...] = ()
    grid: GridView | None = None
    bullets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """Pictures below a report, as SVG that we have drawn, and what they mean."""

    picture: "Markup"
    legend: str


@dataclass(frozen=True, slots=True)
class PaperView:
    """A report as a template shows it; `more` is what its layout needs, `wide` asks for pages on their side.

    A listing has the club and `organiser` above it ("" for none), and below it a `figure` if the report has pictures.
    """

    layout: Layout
    title: str
    sentences: tuple[str, ...]
    more: Mapping[str, Any] = field(default_factory=dict)
    wide: bool = False
    organiser: str = ""
    figure: Figure | None = None


@dataclass(frozen=True, slots=True)
class SignLink:
    """A way to a table's sheet, for its sign: what to do, a QR code as SVG, and an address where a code is typed."""

    words: str
    picture: "Markup"
    address: str
    code: str


def html_text(
    report: Report, day: str, paper: str | None = None, links: Mapping[int, SignLink] = MappingProxyType({})
) -> str:
    """Return the report as an HTML file, by the template of its layout.

    The organiser, the day and the report's code stand on every page; certificates have only the day there. Paper is
    `a4` or `letter`, or what the printer has (None). Signs have the `links` of their tables, if there are any.
    """
    height = _HEIGHTS[paper or "letter"]
    arranged = report if report.paper is None else replace(report.paper(), pictures=report.pictures)
    view = _view(arranged, height, {str(table): link for table, link in links.items()})
    size = " ".join(filter(None, (_SIZES[paper] if paper else "", "landscape" if view.wide else "portrait")))
    page = _environment().get_template("page.html")
    mark = _mark(report, day)
    values = {"size": size, "height": height, "mark": mark, "language": language(), **_club(report.club)}
    return page.render(view=view, **values) + "\n"


def _club(club: Club) -> Mapping[str, str]:
    """Return the colour and the logo of the club as paper has them; "" for what is not set."""
    logo = f"data:image/png;base64,{logo_text(club.logo)}" if club.logo else ""
    return {"accent": club.accents[0] if club.colour else "", "logo": logo}


def _mark(report: Report, day: str) -> str:
    """Return what stands at the foot of every page."""
    if report.layout == "certificates":
        return day
    code = _("code {code}").format(code=report.code) if report.code else ""
    return " · ".join(filter(None, (report.organiser, day, code)))


def _css_text(text: str) -> "Markup":
    """Return a text as the value of a property that is a string, whatever its characters mean in CSS and HTML."""
    from markupsafe import Markup

    plain = sanitize(text)
    return Markup("".join(char if char.isalnum() or char in " ·/-." else f"\\{ord(char):x} " for char in plain))


def _view(report: Report, height: int, links: Mapping[str, SignLink]) -> PaperView:
    sentences = (*report.lines, *report.notes, *report.next_steps)
    match report.layout:
        case "slips":
            slips = [_slip(section) for section in report.sections]
            wide = any(slip.wide for slip in slips)
            return PaperView("slips", report.title, sentences, {"slips": slips}, wide)
        case "certificates":
            winners = {"winners": list(_records(report)), "word": _("Certificate"), "elsewhere": _ELSEWHERE}
            return PaperView("certificates", report.title, sentences, winners)
        case "listing":
            parts = tuple(parts_of(report))
            wide = any(part.grid is not None and part.grid.room > PORTRAIT for part in parts)
            lines = (*_notes_of(report), *sentences)
            host = " · ".join(dict.fromkeys(filter(None, (report.club.name, report.organiser))))
            return PaperView("listing", report.title, lines, {"parts": parts}, wide, host, figure_of(report))
        case "rules":
            # Paper does not say which command to run next.
            told = (*report.lines, *report.notes)
            parts = tuple(parts_of(report))
            return PaperView("rules", report.title, told, {"parts": parts, "type": _rules_type(parts, height)})
        case posted:
            lists = [_posted(part) for part in report.as_sections("")]
            return PaperView(posted, report.title, sentences, {"lists": lists, "links": links})


def figure_of(report: Report) -> Figure | None:
    """Return the pictures of a report, if it has any; the names in them are escaped where they are drawn."""
    from markupsafe import Markup

    pictures = report.pictures
    return None if pictures is None else Figure(Markup("".join(pictures.drawn)), pictures.meaning)


def _rules_type(parts: Sequence[Part], height: int) -> float:
    """Return the type in which the sentences of rules fill one sheet of this height, or two, in points."""
    rows = [len(part.grid.rows) for part in parts if part.grid is not None]
    return rules_type([part.bullets for part in parts if part.bullets], rows, height)


def parts_of(report: Report) -> Iterator[Part]:
    """Yield the parts of a report: its sections, or its own table."""
    for section in report.as_sections(""):
        figure = () if section.figure is None else tuple(section.figure(PAGE))
        columns, rows = for_people(section.columns, section.rows)
        grid = grid_view(columns, rows, section.dimmed) if rows else None
        yield Part(section.heading, figure, grid, section.bullets)


def _notes_of(report: Report) -> tuple[str, ...]:
    """Return what the columns that are shown mean."""
    return () if report.sections else tuple(column.note for column in report.for_people()[0] if column.note)


def _records(report: Report) -> Iterator[dict[str, Any]]:
    """Yield for each row the headings and texts of its cells by the columns' keys."""
    columns, rows = report.for_people()
    for row in rows:
        yield {
            column.key: {"heading": column.heading, "text": cell_text(column, value)}
            for column, value in zip(columns, row, strict=True)
        }


def _posted(section: Section) -> dict[str, Any]:
    """Return a list to post: columns and rows without the round, and the seats of each table if the table is first."""
    keys = [column.key for column in section.columns]
    shown = [at for at, key in enumerate(keys) if key != "round"]
    columns = [section.columns[at] for at in shown]
    rows = [tuple(cell_text(section.columns[at], row[at]) for at in shown) for row in section.rows]
    return {"columns": columns, "rows": rows, "tables": _tables(columns, rows), "type": _list_type(columns, rows)}


def _list_type(columns: Sequence[Field[Any]], rows: Sequence[tuple[str, ...]]) -> Literal["", "close"]:
    """Return the type of a list: a smaller one for a list that would leave a few lines to a second page."""
    name = [column.key for column in columns].index("player")
    lines = sum(1 + len(row[name]) // _LIST_LINE for row in rows)
    return "close" if _USUAL_LINES < lines <= _CLOSE_LINES else ""


def _tables(columns: Sequence[Field[Any]], rows: Sequence[tuple[str, ...]]) -> list[dict[str, Any]]:
    """Return the rows of each table under its number; nothing if the table is not the first column."""
    if not columns or columns[0].key != "table":
        return []
    groups = ((number, [row[1:] for row in group]) for number, group in groupby(rows, key=lambda row: row[0]))
    return [{"number": number, "seats": seats, "type": _sign_type(seats)} for number, seats in groups]


def _sign_type(seats: Sequence[tuple[str, ...]]) -> Literal["", "many", "crowded"]:
    """Return the type of a sign by the lines that its names take: empty for the largest."""
    lines = sum(1 + len(name) // SIGN_LINE for _seat, name in seats)
    return "" if lines <= 4 else "many" if lines <= 8 else "crowded"


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    environment.filters["css_text"] = _css_text
    return environment


def shown(value: object) -> object:
    """Return a text without the characters that steer what is around it; marked-up text stays as it is."""
    return sanitize(value) if type(value) is str else value
