"""Tests that one thing has one name in Spanish: the table of terms in TRANSLATING, against catalogue and guide."""

import re
from functools import cache

import pytest

from tests.harness.pages import catalogue

TRANSLATING = catalogue.ROOT / ".github" / "TRANSLATING.md"
if not TRANSLATING.exists():
    pytest.skip("a source distribution has the tests, but no .github", allow_module_level=True)

ROW = re.compile(r"^\| (?P<english>[^|]+) \| (?P<spanish>[^|]+) \| (?P<never>[^|]*)\|$", re.MULTILINE)
TYPED = re.compile(
    r"^```.*?^```|^tourney [^\n]*$|\*[^*]*\*|"
    r"`[^`]*`|\{[^}]*\}|\"[^\"]*\"|“[^”]*”|'[^']*'|--[\w-]+|\b[\w-]+\.\w+\b",
    re.MULTILINE | re.DOTALL,
)
"""The parts of a sentence that are typed, quoted or filled in."""
UNCOUNTED = ("event", "deal, to deal", "default", "directory", "computer", "file", "run", "stock", "pot")
"""Terms that are also ordinary words, or verbs, so that only their rivals can be looked for."""


@cache
def terms() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return, by the English term, the Spanish ones and those that are never used."""
    text = TRANSLATING.read_text(encoding="utf-8").partition("| English | Spanish | Never |")[2]
    rows = [found for found in ROW.finditer(text.partition("\n\n")[0]) if not found["english"].startswith("-")]
    return {row["english"]: (words(row["spanish"]), words(row["never"])) for row in rows}


def words(cell: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in cell.split(",") if word.strip())


@cache
def pairs() -> tuple[tuple[str, str], ...]:
    """Return each sentence and its translation, form by form, without its context and what is typed."""
    messages = [message for message in catalogue.read(catalogue.translations()[0]) if message.id]
    return tuple(
        (TYPED.sub(" ", ours.rpartition("|")[2]), TYPED.sub(" ", theirs))
        for message in messages
        for ours, theirs in zip(catalogue.texts(message.id), catalogue.texts(message.string), strict=False)
        if theirs
    )


def has(term: str, text: str) -> bool:
    """Return whether a text has a term, also in the plural."""
    return re.search(rf"\b{term}(s|es)?\b", text, re.IGNORECASE) is not None


def faults(english: str, sentences: tuple[tuple[str, str], ...]) -> list[str]:
    """Return the translations that name the thing otherwise."""
    spanish, never = terms()[english]
    found = [theirs for _ours, theirs in sentences if any(has(word, theirs) for word in never)]
    if english not in UNCOUNTED:
        found += [
            f"{ours} = {theirs}"
            for ours, theirs in sentences
            if has(english, ours) and not any(word in theirs.lower() for word in spanish)
        ]
    return found


@pytest.mark.parametrize("english", terms())
def test_a_thing_has_one_name(english: str) -> None:
    assert faults(english, pairs()) == []


@pytest.mark.parametrize("english", terms())
def test_no_page_of_the_guide_has_another_name(english: str) -> None:
    pages = sorted((catalogue.ROOT / "tourney" / "guide" / "es").glob("*.md"))
    assert len(pages) > 5
    never = terms()[english][1]
    text = {page.name: TYPED.sub(" ", page.read_text(encoding="utf-8")) for page in pages}
    assert [(name, word) for name, page in text.items() for word in never if has(word, page)] == []


@pytest.mark.parametrize(
    ("english", "translated"), [("joker", "un mono"), ("joker", "una carta"), ("folder", "el directorio")]
)
def test_another_name_is_found(english: str, translated: str) -> None:
    assert faults(english, ((f"a {english}", translated),))


def test_quotations_have_the_same_marks_in_every_spanish_sentence() -> None:
    guide = (catalogue.ROOT / "tourney" / "guide" / "es").glob("*.md")
    texts = [catalogue.translations()[0], *guide]
    assert [path.name for path in texts if re.search("[«»]", path.read_text(encoding="utf-8"))] == []
