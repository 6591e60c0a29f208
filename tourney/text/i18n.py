"""Translation of the sentences shown to people: the language chosen, and its catalogue, read sentence by sentence.

The sentences of the sources are English; another language is a catalogue `tourney.mo`, which the build compiles.

The reader of the standard library reads a whole catalogue at once, which would add 6 ms to every start.
"""

import gettext
import os
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property, lru_cache
from typing import Final

_MAGIC: Final = 0x950412DE
_HEAD: Final = struct.Struct("<5I")
"""The magic number, the version, the number of sentences, and where the tables of both texts begin."""
_ENTRY: Final = struct.Struct("<2I")
"""An entry of a table: the length of a text and where it begins."""


class Catalogue(gettext.NullTranslations):
    """The translations in the content of a file `.mo`; texts of one sentence and its plural are divided by NUL.

    Raises ValueError or struct.error for content that is not a whole catalogue.
    """

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self._content = content
        magic, _version, self._count, self._ids, self._texts = _HEAD.unpack_from(content)
        if magic != _MAGIC or not self._count:
            raise ValueError("this is not a catalogue")
        self._found: dict[str, list[str] | None] = {}
        for table in (self._ids, self._texts):
            starts = struct.unpack_from(f"<{2 * self._count}I", content, table)[1::2]
            if max(starts) >= len(content) or not content.endswith(b"\0"):
                raise ValueError("the catalogue is cut short")

    def gettext(self, message: str) -> str:
        """Return the translation of a sentence, or the sentence."""
        forms = self._forms(message)
        return message if forms is None else forms[0]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translation by the plural rule of the language, or of English without a translation."""
        forms = self._forms(msgid1)
        return super().ngettext(msgid1, msgid2, n) if forms is None else forms[self._plural(n)]

    def _forms(self, message: str) -> list[str] | None:
        """Return the translated forms of a sentence; None without a translation."""
        if message not in self._found:
            self._found[message] = self._search(message.encode())
        return self._found[message]

    def _search(self, message: bytes) -> list[str] | None:
        """Search the sentence among those of the file, which are in the order of their bytes."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._text(self._ids, middle).partition(b"\0")[0] < message:
                low = middle + 1
            else:
                high = middle
        if low == self._count or self._text(self._ids, low).partition(b"\0")[0] != message:
            return None
        return self._text(self._texts, low).decode().split("\0")

    def _text(self, table: int, index: int) -> bytes:
        length, start = _ENTRY.unpack_from(self._content, table + _ENTRY.size * index)
        return self._content[start : start + length]

    @cached_property
    def _plural(self) -> Callable[[int], int]:
        """Return the plural rule, which the entry of the empty sentence has."""
        head = (self._search(b"") or [""])[0]
        rule = head.partition("plural=")[2].partition(";")[0].partition("\n")[0]
        return gettext.c2py(rule or "n != 1")


LOCALE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")
SOURCE: Final = "en"
"""The language in which the sentences are written, and which needs no catalogue."""
LANGUAGES: Final = {SOURCE: "English", "es": "español"}
"""The languages that the program speaks, each with its own name."""
VARIABLE: Final = "TOURNEY_LANG"
SYSTEM: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""The system's variables in the order in which gettext reads them; the first one that is set counts."""

CONTEXT: Final = "|"
"""The sign between the context of a word with two meanings and the word, in the catalogue."""

_FOR_TERMINAL: Final = re.compile(r"`tourney|\{(?:commands?|dissolve|options?)\}|(?:^|[\s`])--[a-z]")
"""A command or an option in a sentence before its values are put in, or the place of one."""

_spoken: list[str] = []
"""The language chosen for this process, and those of the blocks of `speaking` around what now runs."""
_asked: list[str] = []
"""The language that the command line asks for, if it does, which goes before that of an event."""
_own_words: list[Callable[[str], str]] = []
"""The function that puts a club's own words into a Spanish sentence, if the rules of this command have any."""


def known(name: str) -> str | None:
    """Return our name of a language, `es` for `ES`, `es-MX` or `es_ES.UTF-8`; None for one that we lack."""
    base = name.lower().replace("-", "_").partition(".")[0].partition("@")[0].partition("_")[0]
    return base if base in LANGUAGES else None


def preferred() -> str:
    """Return the language that the environment asks for: TOURNEY_LANG, then the system's; English if we lack it."""
    own = os.environ.get(VARIABLE)
    if own:
        return known(own) or SOURCE
    asked = next(filter(None, map(os.environ.get, SYSTEM)), "")
    return next(filter(None, map(known, asked.split(":"))), SOURCE)


def speak(language: str) -> None:
    """Choose the language of all sentences from now on; it must be one of LANGUAGES."""
    _spoken[:] = [language]


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Choose the language of the sentences made within this block, such as a page of an event of another language."""
    _spoken.append(language)
    try:
        yield
    finally:
        _spoken.pop()


def in_each_language(say: Callable[[], str]) -> Iterator[str]:
    """Yield a text in each of our languages."""
    for language in LANGUAGES:
        with speaking(language):
            text = say()
        yield text


def use_words(reword: Callable[[str], str]) -> None:
    """Put a club's own words into every Spanish sentence from now on, until the command ends."""
    _own_words[:] = [reword]


@contextmanager
def using_words(reword: Callable[[str], str] | None) -> Iterator[None]:
    """Put these own words of a club into the Spanish sentences made within this block, and no others."""
    before = _own_words[:]
    _own_words[:] = [reword] if reword else []
    try:
        yield
    finally:
        _own_words[:] = before


@contextmanager
def speaking_as_asked(asked: str | None) -> Iterator[None]:
    """Choose the language that the command line asks for within this block, if it does, also for pages of events.

    The own words of a club end with the block.
    """
    try:
        if asked is None:
            yield
            return
        _asked.append(asked)
        try:
            with speaking(asked):
                yield
        finally:
            _asked.pop()
    finally:
        _own_words.clear()


@contextmanager
def printing(kept: str | None) -> Iterator[None]:
    """Choose the language that an event keeps for what is printed, unless the command line asks for another."""
    with speaking(language() if _asked or kept is None else kept):
        yield


def language() -> str:
    """Return the language of the sentences, as HTML names it: `en` or `es`."""
    if not _spoken:
        speak(preferred())
    return _spoken[-1]


def complaint(asked: str | None = None) -> str:
    """Return why the sentences are not in the language of the command line, or of TOURNEY_LANG; "" if they are."""
    own = asked or os.environ.get(VARIABLE, "")
    if own and known(own) is None:
        message = _("{variable} is “{name}”, a language that tourney lacks: it has {languages}")
        return message.format(variable=VARIABLE, name=own[:40], languages=either(LANGUAGES))
    if language() != SOURCE and _read(language()) is None:
        return _("the sentences in “{language}” cannot be read from {file}: install tourney again").format(
            language=language(), file=_file(language())
        )
    return ""


def _file(language: str) -> str:
    return os.path.join(LOCALE, language, "LC_MESSAGES", "tourney.mo")


@cache
def _read(language: str) -> gettext.NullTranslations | None:
    """Return the catalogue of a language; None if it is missing or damaged."""
    try:
        with open(_file(language), "rb") as file:
            return Catalogue(file.read())
    except (OSError, ValueError, LookupError, struct.error):
        return None


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.NullTranslations() if language == SOURCE else _read(language) or gettext.NullTranslations()


class ForTerminal(str):
    """A sentence that says what to type at a terminal, and stays one when values are put into it.

    Its template tells that, so that a name with the signs of a command makes no sentence one, and hides none.
    """

    commands: tuple[str, ...]

    def __new__(cls, sentence: str, commands: Iterable[str] | None = None) -> "ForTerminal":
        """Return the sentence with its commands: those between backquotes, unless they are given."""
        made = super().__new__(cls, sentence)
        made.commands = tuple(sentence.split("`")[1::2] if commands is None else commands)
        return made

    def format(self, *args: object, **values: object) -> "ForTerminal":
        """Return the sentence with these values in it and in its commands."""
        inner = (each for value in _used(self, values) for each in commands_in(value))
        commands = (*(each.format(*args, **values) for each in self.commands), *inner)
        return ForTerminal(super().format(*args, **values), commands)


def _used(template: str, values: Mapping[str, object]) -> Iterator[object]:
    """Yield the values for which the template has a place."""
    yield from (value for name, value in values.items() if "{" + name in template)


def for_terminal(sentence: str) -> bool:
    """Return whether the sentence names a command or an option, which nobody can type into a page."""
    return isinstance(sentence, ForTerminal)


def commands_in(sentence: object) -> tuple[str, ...]:
    """Return the commands that a sentence says to type; none of another value."""
    return sentence.commands if isinstance(sentence, ForTerminal) else ()


@lru_cache(4096)
def _names_command(template: str) -> bool:
    return _FOR_TERMINAL.search(template) is not None


def _as_in(template: str, sentence: str) -> str:
    """Return the sentence, marked if its template is for a terminal."""
    return ForTerminal(sentence) if _names_command(template) else sentence


def marked(sentence: str) -> str:
    """Return the sentence as it is: a constant that is translated by `_` when it is shown, in the language of then."""
    return _as_in(sentence, sentence)


def _(sentence: str) -> str:
    """Return the sentence in the reader's language, or unchanged where there is no translation."""
    # The empty text is the key of the catalogue's head.
    return _as_in(sentence, _reworded(_catalogue(language()).gettext(sentence))) if sentence else ""


def pgettext(context: str, sentence: str) -> str:
    """Return the sentence as `_` does, in the sense that the context names: one English word may be two elsewhere.

    The catalogue has it as `of a mirror|complete`.
    """
    entry = context + CONTEXT + sentence
    translated = _catalogue(language()).gettext(entry)
    return sentence if translated == entry else _reworded(translated)


def ngettext(one: str, many: str, number: int) -> str:
    """Return `one` or `many` by the plural rule of the reader's language; the number is not filled in."""
    return _as_in(one, _reworded(_catalogue(language()).ngettext(one, many, number)))


def _reworded(sentence: str) -> str:
    return _own_words[0](sentence) if _own_words and language() == "es" else sentence


_EUPHONY: Final = {
    "es": (
        (re.compile(r" o \{(\w+)\}"), " u {{{}}}", re.compile(r"h?[oó]|8|11(?!\d)", re.I)),
        (
            re.compile(r" y \{(\w+)\}"),
            " e {{{}}}",
            re.compile(r"(?:h?[ií]|hy)(?![aeoáéó])|y(?![aeiouáéíóú])", re.I),
        ),
    )
}
"""Joints that change before some sounds: the usual one, the other, and the beginnings of words that take the other."""


def fill(sentence: str, **values: object) -> str:
    """Return a translated sentence with its values, in which Spanish has `e` and `u` where `y` and `o` sound badly.

    Use it instead of `format` where a value such as a name stands behind “and” or “or”: `Ana e Íñigo`, `10 u 8`. A
    value that is for a terminal makes the sentence one, too.
    """
    kind = ForTerminal if any(isinstance(each, ForTerminal) for each in (sentence, *_used(sentence, values))) else str
    for usual, other, beginning in _EUPHONY.get(language(), ()):
        for found in usual.finditer(sentence):
            if beginning.match(str(values[found[1]]).lstrip("“«`")):
                sentence = sentence.replace(found[0], other.format(found[1]))
    return kind(sentence).format(**values)


def either(words: Iterable[str]) -> str:
    """Return the words as a choice: `15, 10 or 5`."""
    *rest, last = words
    return fill(_("{words} or {last}"), words=", ".join(rest), last=last) if rest else last


def both(words: Iterable[str]) -> str:
    """Return the words as a list: `Ana, Beñat and Carmen`."""
    *rest, last = words
    return fill(_("{words} and {last}"), words=", ".join(rest), last=last) if rest else last
