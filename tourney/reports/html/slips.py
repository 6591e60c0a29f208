"""Score slips as HTML shows them: two columns under each player's name, and lines for signatures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from tourney.reports.html.grids import GridRow
from tourney.reports.render.report import TO_SIGN, Field, Section, cell_text

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


def slip_views(sections: Sequence[Section]) -> list[SlipView]:
    """Return the slips of a report, one for each of its sections."""
    return [_slip(section) for section in sections]


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
    for seat, group in groupby(columns, key=seat_of):
        members = list(group)
        if seat:
            yield SlipHead(members[0].heading, seat, len(members))
        else:
            yield from (SlipHead(column.heading) for column in members)


def seat_of(column: Field[Any]) -> int:
    """Return the seat that a column of a slip belongs to; 0 for none."""
    name, _line, seat = column.key.rpartition("_")
    return int(seat) if name in ("points", "total") else 0
