"""Tests that `rules ruling` finds the kind of irregularity by what players type, in English and Spanish."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.harness.pages.examples import GUIDE
from tourney.rulebook.rulings.kinds import KINDS
from tourney.rulebook.rulings.search import kinds_meant

SAID = tomllib.loads(Path(__file__).with_name("ruling_phrases.toml").read_text(encoding="utf-8"))
LANGUAGES = {name: phrases for name, phrases in SAID.items() if name != "none"}


@pytest.mark.parametrize(
    ("language", "kind"), [(language, kind) for language, phrases in LANGUAGES.items() for kind in phrases]
)
def test_what_players_say_finds_its_kind_first(language: str, kind: str) -> None:
    found = {phrase: kinds_meant(phrase)[:1] for phrase in LANGUAGES[language][kind]}
    assert {phrase: kinds for phrase, kinds in found.items() if kinds != [kind]} == {}


def test_what_means_no_irregularity_finds_none() -> None:
    found = {phrase: kinds_meant(phrase) for phrase in SAID["none"]}
    assert {phrase: kinds for phrase, kinds in found.items() if kinds} == {}


@pytest.mark.parametrize("page", ["ratings", "es/seating"])
def test_hardly_a_sentence_about_something_else_means_an_irregularity(page: str) -> None:
    """Of the sentences on a page of the guide that has no irregularities, at most one in fifty finds any."""
    text = re.sub(r"```.*?```", "", (GUIDE / f"{page}.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    sentences = [part for part in re.split(r"[.:;,|]\s+", text) if 3 <= len(part.split()) <= 12]
    found = [part for part in sentences if kinds_meant(part)]
    assert len(sentences) >= 50
    assert len(found) <= len(sentences) / 50, found


@pytest.mark.parametrize("language", ["English", "Spanish"])
def test_sixty_phrases_and_more_find_all_kinds(language: str) -> None:
    phrases = LANGUAGES[language]
    assert set(phrases) == {kind.kind for kind in KINDS}
    assert len(phrases) == 21
    assert sum(map(len, phrases.values())) >= 60
    assert min(map(len, phrases.values())) >= 4


def test_a_phrase_of_any_length_is_answered() -> None:
    assert kinds_meant("") == []
    assert kinds_meant("misdeal " * 1000) == []
