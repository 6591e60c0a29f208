"""Find the encoding of a text that does not say it, by the letters that its words would have.

Each 8-bit encoding gives every text some meaning, so that only the words tell: `Be–at` and `Be¤at` are not words. The
letters of a file should be those of one language. Where two encodings fit about as well, people are asked.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

_WEST: Final = {
    "ca": "àçéèíïóòúü",
    "da": "åæøé",
    "de": "äöüß",
    "es": "áéíóúñü",
    "fr": "àâæçéèêëîïôœùûüÿ",
    "is": "áðéíóúýþæö",
    "it": "àèéìòù",
    "pt": "áâãàçéêíóôõú",
    "sv": "åäöé",
}
_EAST: Final = {
    "cs": "áčďéěíňóřšťúůýžľĺŕäô",
    "de": "äöüß",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "pl": "ąćęłńóśźż",
    "ro": "ăâîşţ",
}
CANDIDATES: Final = {
    "cp1252": _WEST,
    "mac_roman": _WEST,
    "cp850": _WEST,
    "cp437": _WEST,
    "iso8859-15": _WEST,
    "cp1250": _EAST,
    "iso8859-2": _EAST,
    "cp1254": {"tr": "çğıöşüâî"},
}
"""The encodings that are tried, the more frequent first, with the letters of the languages that are written in each."""
_MARKS: Final = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_SIGNS: Final = frozenset("€–—‘’“”…·ºª°¿¡«»£§")
"""The signs that a text may have, though not inside a word."""
_WORD: Final = re.compile(rb"[A-Za-z\x80-\xff'-]{1,50}")
"""A word, or a piece of what is longer than any."""
_WORDS: Final = 1_000
"""The most different words that are judged."""
_FITS, _FOREIGN, _UNKNOWN, _IMPOSSIBLE = 3, 1, -3, -6
"""The scores of letters: one of the language, of another one, of none, and a sign or a capital inside a word."""
_FREQUENT: Final = 3
"""The advantage of code page 1252."""
_RARE: Final = 2
"""The disadvantage of Icelandic, whose letters are those of Turkish in another encoding."""
_MARGIN: Final = 2
"""The least difference by which one reading is preferred to another."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An encoding in which a text can be read, how well its words fit, and these words."""

    encoding: str
    fit: int
    words: Sequence[str]

    @property
    def sample(self) -> str:
        """Return the first word that is not ASCII alone; "" without one."""
        return next(iter(self.words), "")


def marked(start: bytes) -> str:
    """Return the encoding that the first bytes of a file show: by their mark, or by the NULs of UTF-16; else ""."""
    for mark, encoding in _MARKS.items():
        if start.startswith(mark):
            return encoding
    even, odd = start[::2].count(0), start[1::2].count(0)
    if max(even, odd) * 4 < len(start) or min(even, odd) * 10 > max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def readings(blocks: Iterable[bytes]) -> list[Reading]:
    """Return the readings of an 8-bit text, the best first; the later ones differ from it in some word.

    More than one remains where the best is not better than the next by enough, or does not fit.
    """
    words = _words(blocks)
    found = [reading for encoding in CANDIDATES if (reading := _reading(words, encoding)) is not None]
    found.sort(key=lambda reading: -reading.fit)
    best = found[0]
    others = [reading for reading in found[1:] if reading.words != best.words]
    sure = best.fit >= 0 and all(best.fit - other.fit >= _MARGIN for other in others)
    return [best] if sure else [best, *others[:2]]


def _words(blocks: Iterable[bytes]) -> list[bytes]:
    """Return the first different words that are not ASCII."""
    found: dict[bytes, None] = {}
    for block in blocks:
        found |= dict.fromkeys(word for word in _WORD.findall(block) if not word.isascii())
        if len(found) > _WORDS:
            break
    return list(islice(found, _WORDS))


def _reading(words: Sequence[bytes], encoding: str) -> Reading | None:
    """Return the words as the encoding reads them, and how well they fit; None if it does not have their bytes."""
    try:
        texts = [word.decode(encoding) for word in words]
    except UnicodeDecodeError:
        return None
    languages = CANDIDATES[encoding]
    every = frozenset("".join(languages.values()))
    found = Counter(char for text in texts for char in _judged(text))
    fits = [
        sum(number * _fit(char, letters, every) for char, number in found.items()) - (_RARE if language == "is" else 0)
        for language, letters in languages.items()
    ]
    return Reading(encoding, max(fits) + (_FREQUENT if encoding == "cp1252" else 0), texts)


def _judged(word: str) -> Iterator[str]:
    """Yield each character of a word beyond ASCII; "" for one that no word has at its place."""
    capitals = word.isupper()
    for at, char in enumerate(word):
        if not char.isascii():
            yield "" if _is_impossible(word, at, capitals) else char


def _fit(char: str, letters: str, every: frozenset[str]) -> int:
    """Return how well a judged character fits one language; `every` has the letters of all of them."""
    if not char:
        return _IMPOSSIBLE
    if char in _SIGNS:
        return 0
    small = "ı" if char == "İ" else char.lower()
    return _FITS if small in letters else _FOREIGN if small in every else _UNKNOWN


def _is_impossible(word: str, at: int, capitals: bool) -> bool:
    """Return whether a word has a sign inside or a letter of the wrong case; `capitals`: it has capitals alone."""
    char, before, after = word[at], word[at - 1 : at] if at else "", word[at + 1 : at + 2]
    if char in _SIGNS or not char.isalpha():
        return char not in _SIGNS or (char != "’" and before.isalpha() and after.isalpha())
    if char.isupper():
        return before.isalpha() and not capitals
    return after.isupper() and (before.isupper() or not before)
