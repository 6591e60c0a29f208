"""Translation of the sentences shown to people: gettext with the catalogue in `tourney/locale`."""

import gettext
import os
from collections.abc import Iterable
from functools import cache

LOCALE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")


@cache
def _catalogue() -> gettext.NullTranslations:
    return gettext.translation("tourney", LOCALE, fallback=True)


def language() -> str:
    """Return the language of the sentences, as HTML names it: `en`, `es`, `pt-BR`."""
    found = gettext.find("tourney", LOCALE)
    return "en" if found is None else os.path.basename(os.path.dirname(os.path.dirname(found))).replace("_", "-")


def _(sentence: str) -> str:
    """Return the sentence in the reader's language, or unchanged where there is no translation."""
    return _catalogue().gettext(sentence)


def ngettext(one: str, many: str, number: int) -> str:
    """Return `one` or `many` by the plural rule of the reader's language; the number is not filled in."""
    return _catalogue().ngettext(one, many, number)


def either(words: Iterable[str]) -> str:
    """Return the words as a choice: `15, 10 or 5`."""
    *rest, last = words
    return _("{words} or {last}").format(words=", ".join(rest), last=last) if rest else last
