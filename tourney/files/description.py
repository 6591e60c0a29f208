"""The description of a file before it is read: its columns, encoding and lines, and the layout of its results."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.named import shown
from tourney.text.i18n import _

Order = Literal["file", "newest-first", "date", "number"]
Best = Literal["high", "low"]
Wide = Literal["games", "players", "places"]
Unfinished = Literal["last", "out"]
Twice = Literal["best", "first"]
Decimals = Literal["point", "comma"]

_LINES: Final = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8})?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class FileLayout:
    """The layout of a results file: what its columns are, and how its ranks are read.

    A game is told by the values of the columns `game` together, or the whole file is `one_game`, of that `day`. Ranks
    follow from the column `score`, of which the `best` is high or low; the sign `decimals` begins the decimals of its
    numbers. In a `wide` table the columns `cells` are games, players or places; with `best` their values are scores.
    Who did not finish (`unfinished`) is last or left out, `ranks` has places by the words for them. Of a player's rows
    in a game the best or the first counts (`twice`), and of all rows those that have the values of `only`. `columns`
    has headers by the fields that they stand for.
    """

    game: tuple[str, ...] = ()
    one_game: bool = False
    day: str = ""
    order: Order | None = None
    score: str = ""
    best: Best | None = None
    decimals: Decimals | None = None
    wide: Wide | None = None
    cells: tuple[str, ...] = ()
    unfinished: Unfinished | None = None
    ranks: Mapping[str, str] = field(default_factory=dict)
    twice: Twice | None = None
    only: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)


PLAIN_LAYOUT: Final = FileLayout()
"""A row for each player of each game, with seq and rank."""


def is_plain(layout: FileLayout) -> bool:
    """Return whether the file has a row for each player of each game, and nothing else to be known but its headers."""
    return replace(layout, columns={}) == PLAIN_LAYOUT


@dataclass(frozen=True, slots=True)
class Description:
    """A file as people describe it, and what the reader found out of it.

    Columns are named by their headers, without accents and case. Names `given` in a command count before the columns'
    own names, and `remembered` names only where these are missing. `lines` are the numbers of the header's line and
    of the last row's, 0 where they are not said; `encoding` is "" if the file has to show it, and `sheet`, the name or
    the number of a worksheet, if the workbook has only one.

    Reading fills in `used`, the headers of the file that were needed, as they stand there, and `notes` by their kinds.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    remembered: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    sheet: str = ""
    lines: tuple[int, int] = (0, 0)
    layout: FileLayout = PLAIN_LAYOUT
    used: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)


PLAIN: Final = Description()
"""A file of which nothing is said."""


def read_lines(text: str) -> tuple[int, int]:
    """Return the lines of the header and of the last row, from texts such as `4-` or `4-40`; 0 for those not said.

    Raises TourneyError USAGE for another text.
    """
    found = _LINES.fullmatch(text) if text else None
    header, last = (int(found[1]), int(found[2] or 0)) if found else (0, 0)
    if text and (found is None or 0 < last <= header):
        message = _("--lines {text} is not the line of the header and the last line of the table")
        hint = _("as in `--lines 4-40`, or `--lines 4-` if nothing follows the table")
        raise TourneyError(ExitCode.USAGE, message.format(text=shown(text)), hint)
    return header, last
