"""Tests of the catalogue: nothing missing from the sources, and nothing changed that must stay."""

import gettext
import io
import re
import time
from collections import Counter
from functools import cache
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message

from tests.harness.commands import processor_seconds
from tests.harness.pages import catalogue
from tourney.text.i18n import Catalogue

TO_DO = "run `python -m tests.harness.pages.catalogue`, then translate what is new"
LANGUAGES = {path.parts[-3]: path for path in catalogue.translations()}


@cache
def template() -> Catalog:
    return catalogue.template()


@cache
def translation(language: str) -> tuple[Message, ...]:
    """Return the translated messages of a catalogue."""
    messages = catalogue.read(LANGUAGES[language])
    return tuple(message for message in messages if message.id and any(catalogue.texts(message.string)))


def test_the_template_has_the_sentences_of_the_sources() -> None:
    assert catalogue.TEMPLATE.read_bytes() == catalogue.written(template()), TO_DO


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_the_sentences_of_the_template(language: str) -> None:
    path = LANGUAGES[language]
    assert path.read_bytes() == catalogue.written(catalogue.updated(path, template())), TO_DO


def fields(text: str) -> Counter[tuple[str, str | None, str | None]]:
    """Return the placeholders of a sentence, each with how it is formatted."""
    return Counter((name, form, how) for _text, name, form, how in Formatter().parse(text) if name is not None)


def kept(text: str) -> Any:
    """Return what a translation must have as the sentence has it."""
    return {
        "options": Counter(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)),
        "blanks around": (text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]),
        "paragraphs": text.count("\n\n"),
    }


def fault(message: Message) -> str:
    """Return what a translation changed that must stay; "" if nothing."""
    ours, theirs = catalogue.texts(message.id), catalogue.texts(message.string)
    if len(ours) != len(theirs) or not all(theirs):
        return "a plural form is missing"
    # The singular may say “one” in words where the other has the number.
    for form, text in zip(ours, theirs, strict=True):
        try:
            same = fields(form) == fields(text)
        except ValueError:
            return "a brace is lost"
        if not same:
            return f"placeholders differ: {text}"
        differing = [name for name, value in kept(form).items() if value != kept(text)[name]]
        if differing:
            return f"{', '.join(differing)} differ: {text}"
    return ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_keeps_placeholders_options_and_plural_forms(language: str) -> None:
    faults = [f"{message.id}: {found}" for message in translation(language) if (found := fault(message))]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("sentence", "translated"),
    [
        ("{n} of {most}", "{n} de {max}"),
        ("{n} of {most}", "{n} de"),
        ("{price:.1f}", "{price}"),
        ("{n} of", "{n de"),
        ("with --db", "con --bd"),
        ("  indented", "sangrado"),
        (("{n} game", "{n} games"), ("{n} partida",)),
        (("{n} game", "{n} games"), ("{n} partida", "")),
    ],
    ids=str,
)
def test_a_changed_placeholder_or_a_missing_form_is_found(sentence: Any, translated: Any) -> None:
    assert fault(Message(sentence, translated))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_plural_rule_of_a_language_has_two_forms(language: str) -> None:
    """English and Spanish have one form for 1, and one for all other numbers, 0 among them."""
    messages = catalogue.read(LANGUAGES[language])
    assert (messages.num_plurals, messages.plural_expr) == (2, "(n != 1)")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated_and_none_is_a_guess(language: str) -> None:
    """A change may land untranslated, a release may not."""
    messages = [message for message in catalogue.read(LANGUAGES[language]) if message.id]
    assert [message.id for message in messages if message.fuzzy] == []
    assert [message.id for message in messages if not all(catalogue.texts(message.string))] == []


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_was_read_by_somebody_whose_language_it_is(language: str) -> None:
    """A change may land unread, a release may not."""
    assert catalogue.to_read(catalogue.read(LANGUAGES[language])) == ""


def test_an_entry_is_unread_again_when_its_translation_or_its_sentence_changes() -> None:
    entries = Catalog(locale="es")
    entries.add("a trio", "un trío")
    entries.add(("{n} card", "{n} cards"), ("{n} carta", "{n} cartas"))
    entries.add("not translated", "")
    assert len(catalogue.unread(entries)) == 2
    for message in catalogue.unread(entries):
        message.user_comments = [catalogue.reading(message)]
    assert catalogue.unread(entries) == []
    entries["a trio"].string = "un trio"
    assert [message.string for message in catalogue.unread(entries)] == ["un trio"]
    entries["a trio"].string = "un trío"
    entries["{n} card"].id = ("{n} card", "{n} Cards")
    assert [message.string for message in catalogue.unread(entries)] == [("{n} carta", "{n} cartas")]


SIDES = {
    "ours changed": ("un trio", "un trío", "un trio", "un trío"),
    "theirs changed": ("un trio", "un trio", "un trío", "un trío"),
    "both changed": ("un trio", "el trío", "un trío", "un trío"),
    "new in theirs": (None, None, "un trío", "un trío"),
    "new in ours": (None, "un trío", None, "un trío"),
    "not translated in theirs": ("", "un trío", "", "un trío"),
}


@pytest.mark.parametrize("case", SIDES)
def test_a_merge_keeps_what_each_side_changed(case: str) -> None:
    """The whole of one side was taken, and with it corrections and readings of the other were lost."""
    *sides, expected = SIDES[case]
    base, ours, theirs = (Catalog() for _side in range(3))
    for side, string in zip((base, ours, theirs), sides, strict=True):
        if string is not None:
            comments = [f"read {string}"] if "trío" in string else []
            side.add("a trio", string, user_comments=comments)
    merged = catalogue.merged(base, ours, theirs)["a trio"]
    assert merged is not None
    assert (merged.string, merged.user_comments) == (expected, [f"read {expected}"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_is_found_as_the_standard_library_finds_it(language: str) -> None:
    """The second source is `gettext.GNUTranslations`, which reads the whole file."""
    content = LANGUAGES[language].with_suffix(".mo").read_bytes()
    ours, theirs = Catalogue(content), gettext.GNUTranslations(io.BytesIO(content))
    for message in translation(language):
        first, *others = catalogue.texts(message.id)
        assert ours.gettext(first) == theirs.gettext(first)
        for number in (0, 1, 2, 5) if others else ():
            assert ours.ngettext(first, others[0], number) == theirs.ngettext(first, others[0], number)
    for absent in ("", "a sentence that nobody wrote", "\uffff"):
        assert ours.gettext(absent) == (theirs.gettext(absent) if absent else ours.gettext(""))
        assert ours.ngettext(f"{absent}?", "many", 2) == "many"


def test_a_start_in_spanish_reads_its_catalogue_in_little_time() -> None:
    """Five milliseconds are two fifths of what an empty Python takes, 12 ms, on the machine of the README's figures.

    Compared are the processor times of reading the catalogue with a hundred sentences, and of an empty Python.
    """
    content = LANGUAGES["es"].with_suffix(".mo").read_bytes()
    asked = [catalogue.texts(message.id)[0] for message in translation("es")[:100]]
    times = []
    for _turn in range(5):
        begun = time.process_time()
        ours = Catalogue(content)
        for sentence in asked:
            ours.gettext(sentence)
        times.append(time.process_time() - begun)
    assert min(times) <= 0.4 * processor_seconds("-c", "pass", runs=5)
