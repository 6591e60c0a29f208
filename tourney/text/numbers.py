"""Numbers as people read them: with a decimal comma in Spanish, and never a separator of thousands."""

from collections.abc import Mapping
from typing import Final

from tourney.text.i18n import language

_WITH_COMMA: Final = frozenset({"es"})
"""The languages in which a comma stands before the decimals."""


class Number(float):
    """A number for people: it formats as in the language of the sentences, `2.50` or `2,50`.

    Programs get the plain float: JSON, CSV and workbooks have a point in every language.
    """

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        """Return the number formatted as a float is, with the decimal sign of the language."""
        text = float(self).__format__(spec)
        return text.replace(".", ",") if language() in _WITH_COMMA else text

    def __str__(self) -> str:
        """Return the shortest text that reads back as the number, with the decimal sign of the language."""
        return format(self)


def ordinal(number: int, texts: Mapping[int, str], other: str) -> str:
    """Return the one of these texts that ends a number as English does: `texts` has those for 1st, 2nd and 3rd."""
    is_teen = number // 10 % 10 == 1
    return other if is_teen else texts.get(number % 10, other)
