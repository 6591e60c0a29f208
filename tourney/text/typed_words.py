"""Words and numbers as people type them, in English and Spanish, and their meanings beside the English ones.

The words are like the names of options: the same in every language, so that a command, a file and a guide hold
everywhere. People who read one in a table must be able to type it, and to understand it: `drawn (por sorteo)`.
"""

import math
import re
from typing import Final, Literal

from tourney.text.i18n import _, pgettext
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


def explained(setting: str, word: str) -> str:
    """Return a value of the setting with its meaning in the reader's language; alone in English, or if it has none.

    The catalogue has an entry for every word of every setting, with the setting as its context.
    """
    meaning = pgettext(setting, word)
    return word if meaning == word else _("{word} ({meaning})").format(word=word, meaning=meaning)
