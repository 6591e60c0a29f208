"""Words of headings broken in two, where a table has no room for a whole word."""

import re
import unicodedata
from typing import Final

from rich.cells import cell_len

_BETWEEN_VOWELS: Final = re.compile(r"(?<=[aeiou])[^\W\d_aeiou]+(?=[aeiou])")
_ONSETS: Final = {a + b for a in "bcfgkp" for b in "lr"} | {"dr", "tr", "ch", "ll", "rr"}
"""Two consonants that begin a syllable together."""
_WORD: Final = re.compile(r"\S+(?: [^\w\s]+)*")
"""A word with the signs after it, as in “95 %”."""
_LEAST: Final = 6
"""The fewest letters of a word that is broken: a shorter one gains too little."""
_LEAST_BEFORE, _LEAST_AFTER = 2, 3
"""The fewest letters before and after a hyphen."""


def breaks(word: str) -> list[int]:
    """Return the indexes at which a word may be broken, by the rules of Spanish, which suit most English words.

    The last consonant between two vowels begins a syllable, or the last two if they sound as one. A word without such a
    place is broken anywhere, three letters from its ends: in two parts it can still be read, a hidden column cannot.
    Abbreviations are not broken, nor is a word with a sign after it.
    """
    if len(word) < _LEAST or word.endswith(".") or " " in word:
        return []
    folded = "".join(unicodedata.normalize("NFD", letter)[0].lower() for letter in word)
    found = (end - (2 if run[-2:] in _ONSETS else 1) for run, end in _consonants(folded))
    syllables = [at for at in found if _LEAST_BEFORE <= at <= len(word) - _LEAST_AFTER]
    return syllables or list(range(_LEAST_AFTER, len(word) - _LEAST_AFTER + 1))


def _consonants(word: str) -> list[tuple[str, int]]:
    """Return the consonants between two vowels, and where they end."""
    return [(found[0], found.end()) for found in _BETWEEN_VOWELS.finditer(word)]


def broken(heading: str, width: int) -> str:
    """Return a heading whose words longer than this width stand on two lines, with a hyphen, if they can."""
    return " ".join(_broken(word, width) for word in heading.split(" "))


def words_of(heading: str) -> list[str]:
    """Return the parts of a heading that stand on one line: a sign stays with the word before it."""
    return _WORD.findall(heading)


def least_width(word: str) -> int:
    """Return the least width, in characters of a terminal, of a word that may be broken once."""
    return min([cell_len(word), *(max(map(cell_len, _parts(word, at))) for at in breaks(word))])


def _broken(word: str, width: int) -> str:
    if cell_len(word) <= width:
        return word
    fitting = [parts for parts in (_parts(word, at) for at in breaks(word)) if max(map(cell_len, parts)) <= width]
    return "\n".join(fitting[-1]) if fitting else word


def _parts(word: str, at: int) -> tuple[str, str]:
    return f"{word[:at]}-", word[at:]
