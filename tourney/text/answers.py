"""Answers and numbers as people type them: words in English and Spanish, decimals with a point or a comma."""

import math
import re
from typing import Final, Literal

from tourney.text.i18n import _
from tourney.text.names import fold

_YES: Final = frozenset({"y", "yes", "s", "si"})
_NO: Final = frozenset({"n", "no"})
Keyword = Literal["back", "leave", "help", "stop", "dead"]
"""The wishes that a word at a question can say: to go back or away, help, the end of the game, or a dead hand."""
_KEYWORDS: Final[dict[str, Keyword]] = {
    **dict.fromkeys(("b", "atras"), "back"),
    **dict.fromkeys(("q", "salir"), "leave"),
    **dict.fromkeys(("?", "ayuda"), "help"),
    **dict.fromkeys(("end", "fin"), "stop"),
    **dict.fromkeys(("-", "−", "–", "muerta"), "dead"),
}
_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,20}(?:[.,][0-9]{0,20})?|[.,][0-9]{1,20})(?:e[+-]?[0-9]{1,3})?", re.ASCII | re.I)
_MINUS = str.maketrans("−–", "--")


def read_yes_or_no(typed: str) -> bool | None:
    """Return True for yes (`y`, `yes`, `s`, `sí`) and False for no (`n`, `no`) in any case; None for any other word."""
    word = fold(typed)
    if word in _YES or word == _("y"):
        return True
    return False if word in _NO or word == _("n") else None


def read_keyword(typed: str) -> Keyword | None:
    """Return what a word asks for, in any case and with or without accents; None for any other text."""
    return _KEYWORDS.get(fold(typed)) or _KEYWORDS.get(typed.strip())


def read_decimal(text: str) -> float | None:
    """Return a decimal number typed with a point or a comma, `0.95` or `0,95`; None for any other text.

    There are no separators of thousands: `1,234` is a little more than 1, and `1.234,5` is not a number.
    """
    plain = text.strip().translate(_MINUS)
    number = float(plain.replace(",", ".")) if _DECIMAL.fullmatch(plain) else math.inf
    return number if math.isfinite(number) else None
