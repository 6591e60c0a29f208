"""Words and numbers as people type them, in English and Spanish, and their meanings beside the English ones.

The words are like the names of options: the same in every language, so that a command, a file and a guide hold
everywhere. People who read one in a table must be able to type it, and to understand it: `drawn (por sorteo)`.
"""

import math
import re
from typing import Final, Literal

from tourney.text.i18n import _, marked, pgettext
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


MEANINGS: Final = (
    marked("format|rotation"),
    marked("format|swiss"),
    marked("format|rated swiss"),
    marked("format|snake"),
    marked("format|seeded"),
    marked("format|random"),
    marked("format|informative"),
    marked("format|groups"),
    marked("format|knock-out"),
    marked("format|ladder"),
    marked("format|manual"),
    marked("short|short tables"),
    marked("short|sit out"),
    marked("checkin|not asked"),
    marked("checkin|required"),
    marked("unfinished|count hands"),
    marked("unfinished|void"),
    marked("unfinished|penalty"),
    marked("seats|balanced"),
    marked("seats|drawn"),
    marked("seats|winner deals"),
    marked("lang|en"),
    marked("lang|es"),
    marked("scoring|points"),
    marked("scoring|table points"),
    marked("scoring|place points"),
    marked("scoring|share"),
    marked("scoring|neuberg"),
    marked("totals|automatic"),
    marked("totals|sum"),
    marked("totals|per game"),
    marked("substitutes|absent"),
    marked("substitutes|substitute"),
    marked("substitutes|nobody"),
    marked("phone_pins|seat taken"),
    marked("phone_pins|always"),
    marked("by|points"),
    marked("by|table points"),
    marked("by|place points"),
    marked("by|base rank"),
    marked("totals|mean"),
    marked("totals|ema"),
    marked("weights|given"),
    marked("weights|ema"),
    marked("rounding|exact"),
    marked("rounding|round"),
    marked("rounding|truncate"),
    marked("design|pairs"),
    marked("design|replace"),
    marked("design|gauntlet"),
    marked("design|rotations"),
    marked("design|fresh"),
    marked("isolation|trusted"),
    marked("isolation|process"),
    marked("isolation|sandbox"),
    marked("isolation|wasm"),
)
"""Each word behind the setting that it is a value of, which is its context in the catalogue."""


def explained(setting: str, word: str) -> str:
    """Return a value of the setting with its meaning in the reader's language; alone in English, or if it has none."""
    meaning = pgettext(setting, word)
    return word if meaning == word else _("{word} ({meaning})").format(word=word, meaning=meaning)
