"""Names that look alike: letters of other scripts that are drawn as Latin ones, and marks that nobody sees.

The pairs of letters are Unicode's confusables (UTS 39), as the package confusable_homoglyphs has them.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from tourney.text.composed import composed
from tourney.text.i18n import _
from tourney.text.names import fold

_LATIN_END = 0x250
"""The first character beyond the Latin letters that European names have."""


def look_alikes(new: Iterable[str], known: Iterable[str]) -> list[tuple[str, str]]:
    """Return each new name that looks like an earlier one, new or known, with that one; names that fold alike are none.

    Compared are names of which one has a character beyond Latin letters: other names that differ look different.
    """
    found: list[tuple[str, str]] = []
    plain: dict[str, str] = {}
    foreign: dict[str, str] = {}
    for name in known:
        _add(name, plain, foreign)
    for name in new:
        drawn = drawn_as(name)
        other = foreign.get(drawn) or (plain.get(drawn) if drawn != fold(name) else None)
        if other is not None and fold(other) != fold(name):
            found.append((name, other))
        _add(name, plain, foreign)
    return found


def doubt(name: str, other: str) -> str:
    """Return what to say of a new name that looks like another one."""
    text = _("{name} looks like {other}, but in letters of another alphabet: they are probably one person")
    return text.format(name=name, other=other)


def _add(name: str, plain: dict[str, str], foreign: dict[str, str]) -> None:
    if _is_foreign(name):
        foreign.setdefault(drawn_as(name), name)
    else:
        plain.setdefault(fold(name), name)


def _is_foreign(name: str) -> bool:
    return not name.isascii() and any(ord(char) >= _LATIN_END for char in name)


def drawn_as(name: str) -> str:
    """Return the name without accents, case and marks that take no room, every letter as its Latin look-alike."""
    if not _is_foreign(name):
        return fold(name)
    seen = (char for char in composed(name) if unicodedata.category(char) not in ("Mn", "Me"))
    return fold("".join(map(_latin, seen)))


@lru_cache(maxsize=4_096)
def _latin(char: str) -> str:
    """Return the Latin letter that the character is drawn as, or else the character."""
    if ord(char) < _LATIN_END:
        return char
    # Imported only here, because hardly any name has such a letter.
    from confusable_homoglyphs import confusables

    found = confusables.is_confusable(char, greedy=True, preferred_aliases=["latin"]) or [{"homoglyphs": []}]
    alike: list[str] = [each["c"] for each in found[0]["homoglyphs"]]
    return next((other for other in alike if other.isascii() and other.isalpha()), char)
