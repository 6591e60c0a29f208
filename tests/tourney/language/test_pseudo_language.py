"""Tests that every sentence passes through gettext whole, by a language in which others can be seen."""

import pytest

from tests.harness.pages import pseudo
from tests.harness.pages.pseudo import Shown, plain_words, wide_lines, words_in


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("ab", "⟦áƀ⟧"),
        (" in {round} ", " ⟦íń {round}⟧ "),
        ("give `--wide` or --lang", "⟦ǵíṽé `--wide` óŕ --lang~~~~~⟧"),
        ("tourney demo\ntourney event -h", "tourney demo\ntourney event -h"),
        ("", ""),
    ],
)
def test_a_sentence_is_bracketed_and_longer_by_three_tenths(sentence: str, shown: str) -> None:
    """Placeholders, commands and options stay; 22 letters are 7 longer, of which the brackets are 2."""
    assert pseudo.pseudo(sentence) == shown


def test_a_sentence_that_the_template_lacks_stays_plain() -> None:
    """A text that is passed to gettext by a variable, and marked nowhere, would be English in every language."""
    catalogue = pseudo.Pseudo()
    assert catalogue.gettext("Step") == "⟦Śťéþ⟧"
    assert catalogue.gettext("of a mirror|complete") == pseudo.pseudo("complete")
    assert catalogue.gettext("a sentence that nobody marked") == "a sentence that nobody marked"


def test_a_plain_word_and_a_wide_line_are_found() -> None:
    text = f"⟦Áńá~⟧ draws Ana 7h `round draw`\n{'-' * 81}"
    shown = Shown("tourney round draw", text, words_in("Ana"))
    assert plain_words(shown, frozenset(), frozenset()) == ["draws"]
    assert wide_lines(shown) == ["-" * 81]


def test_few_words_are_exempt() -> None:
    assert len(pseudo.EXEMPT.split()) <= 40


@pytest.mark.parametrize(
    "part", ["some", *(pytest.param(part, marks=pytest.mark.slow) for part in ("help", "documented", "refusals"))]
)
def test_commands_show_no_untranslated_word_and_no_line_of_more_than_80_characters(part: str) -> None:
    """The parts are all help pages; every command of README and guide; and every bad command, with all exit codes."""
    assert pseudo.run(part)[part] == []
