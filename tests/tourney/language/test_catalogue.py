"""Tests of the catalogue: nothing missing from the sources, and nothing changed that must stay."""

import re
from collections import Counter
from functools import cache
from string import Formatter
from typing import Any

import pytest

pytest.importorskip("babel.messages", reason="Babel compiles the catalogues, and only their tests need it")

from babel.messages.catalog import Catalog, Message

from tests.harness.pages import catalogue

if not catalogue.TEMPLATE.exists():
    pytest.skip("the sources are not beside the tests", allow_module_level=True)

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
