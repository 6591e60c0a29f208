"""What people say of a file of theirs before it is read: its columns, its encoding, and where its table stands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.layout import PLAIN_LAYOUT, Layout
from tourney.files.named import shown
from tourney.text.i18n import _

_LINES: Final = re.compile(r"([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8})?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Description:
    """A file as people describe it, and what the reader found out of it.

    The columns are by the header that stands for them, without accents and case: those `given` in a command count
    before the columns' own names, those `remembered` only where these are missing. `lines` are those of the header and
    of the last row, 0 where they are not said; `encoding` is "" if the file has to show it.

    Reading fills in `used`, the headers of the file that were needed, as they stand there, and `notes` by their kinds.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    remembered: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    lines: tuple[int, int] = (0, 0)
    layout: Layout = PLAIN_LAYOUT
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
        hint = _("as in `--lines 4-40`, or `--lines 4-` if the table goes on to the end")
        raise TourneyError(ExitCode.USAGE, message.format(text=shown(text)), hint)
    return header, last
