"""Texts composed (NFC) or decomposed (NFKD), in a time that grows with their length: nothing else calls `normalize`.

`normalize` takes a time with the square of a run of marks. Meanwhile no other thread runs, and no signal is seen.
"""

import re
import unicodedata
from functools import cache
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _

MOST_MARKS: Final = 30
"""The most marks in a row of a long text, as in Unicode's Stream-Safe Text Format (UAX 15-D3)."""
_SHORT: Final = 80
"""The most characters of a text that may have any marks, as a name may that was kept by an earlier version."""
_FIRST_MARK, _BEYOND_MARKS = 0x300, 0x20000
_MAYBE_MARKS: Final = re.compile(rf"[^\0-{chr(_FIRST_MARK - 1)}]{{{MOST_MARKS + 1}}}")
"""A text of characters of which each may be a mark; European names have no such text."""


def compose(text: str, where: str = "") -> str:
    """Return the text composed (NFC).

    `where` precedes the message. Raises TourneyError REFUSED for a long text with too many marks in a row.
    """
    if _shortened(text) != text:
        message = _("a letter has more than {most} accents or other marks").format(most=MOST_MARKS)
        raise TourneyError(ExitCode.REFUSED, where + message, _("type it again without them"))
    return unicodedata.normalize("NFC", text)


def composed(text: str) -> str:
    """Return a text composed (NFC) for a comparison, in which marks that are too many are left out."""
    return unicodedata.normalize("NFC", _shortened(text))


def decomposed(text: str) -> str:
    """Return a text decomposed (NFKD) for a comparison, in which marks that are too many are left out."""
    return unicodedata.normalize("NFKD", _shortened(text))


def _shortened(text: str) -> str:
    """Return the text with at most so many marks in a row as `normalize` takes in little time."""
    if len(text) <= _SHORT or text.isascii() or not _MAYBE_MARKS.search(text):
        return text
    return _too_many().sub(r"\1", text)


@cache
def _too_many() -> re.Pattern[str]:
    """Return the pattern of too many marks in a row; its group has those that stay.

    A mark is a character whose decomposition begins with one that has a combining class.
    """
    chars = map(chr, range(_FIRST_MARK, _BEYOND_MARKS))
    marks = "".join(char for char in chars if unicodedata.combining(unicodedata.normalize("NFKD", char)[0]))
    return re.compile(f"([{marks}]{{{MOST_MARKS}}})[{marks}]+")
