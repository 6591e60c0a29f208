"""Sentences shown to people, in their language: gettext with the catalogue in `tourney/locale`."""

import gettext
import os
from collections.abc import Iterable
from functools import cache

LOCALE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")


@cache
def _catalogue() -> gettext.NullTranslations:
    return gettext.translation("tourney", LOCALE, fallback=True)


def _(sentence: str) -> str:
    """The sentence in the reader's language; itself where no translation is known."""
    return _catalogue().gettext(sentence)


def ngettext(one: str, many: str, number: int) -> str:
    """`one` or `many` by the plural rule of the reader's language; the number is not filled in."""
    return _catalogue().ngettext(one, many, number)


def either(words: Iterable[str]) -> str:
    """The words as a choice: `15, 10 or 5`."""
    *rest, last = words
    return _("{words} or {last}").format(words=", ".join(rest), last=last) if rest else last


def typed(word: str) -> str:
    """The word as somebody types it on a command line: in double quotes where it has blanks."""
    return f'"{word}"' if any(char.isspace() for char in word) else word


_NAMES = {ord(char): f"\\x{ord(char):02x}" for char in map(chr, (*range(32), *range(127, 160)))}
_NAMES |= {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x2028, 0x2029)}


def harmless(text: str) -> str:
    """The text on one line, its control characters spelled out, so that a name cannot steer a terminal."""
    return text.translate(_NAMES)
