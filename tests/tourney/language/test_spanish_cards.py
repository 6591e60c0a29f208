"""Tests of cards and answers typed in Spanish: never read as another card, and shown by the symbols of their suits."""

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cards import card_text, parse_card, parse_cards
from tests.harness.commands import Runner
from tests.tourney.results.test_dialogue import new_dialogue, type_lines
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.sheet_toml import read_sheet
from tourney.text.answers import read_keyword
from tourney.text.cards import (
    ALPHABETS,
    Alphabet,
    is_ambiguous,
    read_cards,
    with_symbols,
    without_symbols,
    written_cards,
)
from tourney.text.i18n import speaking

SUITS = {"p": "♠", "c": "♥", "d": "♦", "t": "♣"}
"""The Spanish letters of issue 18: picas, corazones, diamantes, tréboles."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "10", "J", "Q", "K")


@pytest.fixture
def spanish() -> Iterator[None]:
    with speaking("es"):
        yield


@pytest.mark.parametrize("suit", SUITS)
def test_every_card_in_spanish_letters_is_the_card_with_its_symbol(suit: str) -> None:
    """The engine reads symbols by itself: they say which card is meant in either alphabet."""
    for rank in RANKS:
        for typed in (f"{rank}{suit}", f"{rank}{suit}".swapcase()):
            assert parse_card(read_cards(typed, "es")) == parse_card(f"{rank}{SUITS[suit]}")


@pytest.mark.parametrize("typed", ["Jk", "jk", "JOKER", "jóker", "Jo\u0301ker"])
def test_a_joker_is_typed_with_or_without_its_accent(typed: str) -> None:
    assert card_text(parse_card(read_cards(typed, "es"))) == "Jk"


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_cards_are_written_as_they_are_typed(alphabet: Alphabet) -> None:
    """An answer offered again is taken by Enter: what is written must be read as the same cards."""
    cards = " ".join(card_text(face) for face in range(53))
    assert parse_cards(read_cards(written_cards(cards, alphabet), alphabet)) == parse_cards(cards) == tuple(range(53))


@pytest.mark.parametrize("word", ["7h", "7s", "As", "1c", "11c", "7", "c7", "7cc", "7♥7", "Sota", "7ç"])
def test_a_word_of_another_alphabet_is_refused_with_its_place(word: str) -> None:
    with pytest.raises(TourneyError) as refused:
        read_cards(f"10p / Jk, {word}", "es")
    assert refused.value.code == ExitCode.USAGE
    assert "(character 11)" in refused.value.message
    assert "p ♠, c ♥, d ♦, t ♣" in (refused.value.hint or "")


def test_places_in_a_text_stay_where_they_are() -> None:
    assert read_cards("10c 7♥\ufe0f  /jóker,2d*", "es") == "10h 7♥\ufe0f  /joker,2d*"


def test_only_a_letter_with_two_meanings_is_ambiguous() -> None:
    """Of c, d, h, s and p, c, d, t only the c is in both with different suits; p and t are refused in English."""
    in_both = {suit for suit in "cdhspt" if suit in "cdhs" and suit in SUITS}
    assert in_both == {"c", "d"}
    assert [is_ambiguous([f"7{suit}"]) for suit in ("c", "d")] == [True, False]


def test_a_terminal_without_symbols_shows_letters() -> None:
    assert without_symbols(with_symbols("Ana: Kh Tc Jk"), "es") == "Ana: Kc Tt Jk"
    assert without_symbols(with_symbols("Ana: Kh Tc Jk"), "en") == "Ana: Kh Tc Jk"


# --- at the prompt ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("spanish")
def test_a_sheet_takes_spanish_letters_and_says_so_before() -> None:
    """A king and a seven are 17 points (003/1.2); the journal keeps the engine's letters."""
    dialogue = new_dialogue()
    asked = type_lines(dialogue, "1", "n")
    assert asked.count("p ♠") == 1
    read = type_lines(dialogue, "kc 7d")
    assert "Elena: K♥ 7♦" in read
    assert "p ♠" not in read
    assert dialogue.draft.current.left == {1: "Kh 7d"}
    assert "[Kc 7d]" in type_lines(new_dialogue(), "1", "n", "Kc 7d", "b")


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize("typed", ["Kh 7d", "7s", "Kc 7x"])
def test_english_letters_are_refused_at_a_spanish_prompt(typed: str) -> None:
    dialogue = new_dialogue()
    asked = type_lines(dialogue, "1", "n", typed)
    assert "p ♠, c ♥, d ♦, t ♣" in asked
    assert dialogue.draft.current.left == {}
    assert dialogue.question in asked


@pytest.mark.usefixtures("spanish")
@pytest.mark.parametrize("typed", ["", "s", "y", "sí"])
def test_the_sheet_is_entered_by_the_answer_in_brackets(typed: str) -> None:
    dialogue = new_dialogue()
    type_lines(dialogue, *["0 35 17"] * 7)
    assert dialogue.question == "¿Está bien la hoja? (s/n, o una mano) [s] "
    dialogue.answer(typed)
    assert dialogue.state == "entered"


@pytest.mark.usefixtures("spanish")
def test_an_answer_offered_again_in_spanish_letters_is_taken_by_enter() -> None:
    dialogue = new_dialogue()
    type_lines(dialogue, "1", "n", "Kc 7t", "b", "")
    assert dialogue.draft.current.left == {1: "Kh 7c"}


def test_an_english_prompt_is_as_it_was() -> None:
    dialogue = new_dialogue()
    assert "♠" not in type_lines(dialogue, "1", "n")
    assert "♥" not in type_lines(dialogue, "Kh 7d")
    assert dialogue.draft.current.left == {1: "Kh 7d"}


@pytest.mark.parametrize(("spoken", "kept"), [("en", "es"), ("es", "en")])
def test_the_language_of_the_event_counts_and_the_prompt_says_so(spoken: str, kept: str) -> None:
    typed = {"es": "Kc 7t", "en": "Kh 7c"}[kept]
    with speaking(spoken):
        dialogue = new_dialogue(lang=kept)
        assert {"es": "t ♣", "en": "c ♣"}[kept] in type_lines(dialogue, "1", "n")
        assert "Elena: K♥ 7♣" in type_lines(dialogue, typed)
        assert f"[{typed}]" in type_lines(dialogue, "b")
    assert dialogue.draft.previous is not None
    assert dialogue.draft.previous.left == {1: "Kh 7c"}


WORDS = {
    "back": ("b", "B", "atrás", "ATRAS"),
    "leave": ("q", "salir"),
    "help": ("?", "ayuda"),
    "stop": ("end", "fin", "Fin"),
    "dead": ("-", "−", "–", "muerta", "Muerta"),
    None: ("", "x", "back", "finca", "--"),
}


@pytest.mark.parametrize(("meaning", "typed"), [(meaning, word) for meaning, words in WORDS.items() for word in words])
def test_words_at_questions_are_read_in_english_and_spanish(meaning: str | None, typed: str) -> None:
    assert read_keyword(typed) == meaning


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_dead_hand_and_the_end_of_a_game_are_typed_as_words(language: str) -> None:
    with speaking(language):
        dialogue = new_dialogue()
        type_lines(dialogue, "muerta 30 41 22", "muerta")
        assert (dialogue.draft.hands[0].dead, dialogue.draft.current.dead) == (True, True)
        type_lines(dialogue, "atrás", "fin")
        assert dialogue.draft.length == "short"
        type_lines(dialogue, "salir")
        assert dialogue.state == "left"


@pytest.mark.parametrize(
    ("word", "player"), [("fin", "Fina"), ("end", "Endika"), ("salir", "Saliria"), ("muerta", "Muerta")]
)
def test_a_word_with_which_a_name_begins_is_the_player(word: str, player: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`end` stopped the game even where Endika sat at the table."""
    monkeypatch.setattr(
        "tests.tourney.results.test_dialogue.NAMES", ("Ana", player, player + " B", "Carmen", "D", "Elena")
    )
    monkeypatch.setattr("tests.tourney.results.test_dialogue.SEATS", (0, 1, 3))
    dialogue = new_dialogue()
    type_lines(dialogue, word)
    assert (dialogue.state, dialogue.draft.length, dialogue.draft.current.closer) == ("asking", "whole", 1)


# --- files, options and standard input --------------------------------------------------------------------------

QUESTIONS = [
    (("check", "oficial", "TE"), "7c 7d 7t / 4p 5p jóker 7p", "7h 7d 7c / 4s 5s Jk 7s"),
    (("layoff", "oficial", "5c 6c Jk 8c"), "9c", None),
    (("arrange", "oficial", "TT"), "7c 7d 7t Kp Kd Jk 2t", "7h 7d 7c Ks Kd Jk 2c"),
    (("score", "oficial"), "Ap Kd 7c Jk", "As Kd 7h Jk"),
]


@pytest.mark.parametrize(
    ("words", "spanish_cards", "english"), QUESTIONS, ids=[words[0] for words, _es, _en in QUESTIONS]
)
def test_questions_read_spanish_letters_if_asked_to(
    run: Runner, words: tuple[str, ...], spanish_cards: str, english: str | None
) -> None:
    given = run("rules", *words, spanish_cards, "--cards", "es", "--json")
    translated = [read_cards(word, "es") if "c" in word and " " in word else word for word in words]
    assert given == run("rules", *translated, english or "9h", "--json")
    assert (given.code, given.err) == (0, "")


@pytest.mark.parametrize("language", ["en", "es"])
def test_without_the_option_letters_are_english_in_either_language(run: Runner, language: str) -> None:
    """The seven of clubs counts as the seven of hearts would, so the answer alone cannot show which was read."""
    asked = run("rules", "arrange", "oficial", "TT", "7c 7d 7h Ks Kd Jk", "--lang", language)
    noted = "--cards es" in asked.err
    assert (asked.code, noted) == (0, language == "es")
    plain = run("rules", "arrange", "oficial", "TT", "7d 7h 7s Ks Kd Jk", "--lang", language)
    assert plain.err == ""
    assert ("7♥" in plain.out, "7h" in plain.out) == (language == "es", language == "en")


def test_a_refusal_of_spanish_letters_names_the_option(run: Runner) -> None:
    refused = run("rules", "score", "oficial", "7p")
    assert refused.code == ExitCode.USAGE
    assert "--cards es" in refused.err


def test_a_refused_card_has_no_note_before_the_error(run: Runner) -> None:
    refused = run("rules", "layoff", "knock", "7h 7d 7c", "TTT", "--lang", "es")
    assert (refused.code, refused.err.splitlines()[0]) == (2, "error: 'TTT' no es una carta (carácter 1)")


def test_many_questions_are_read_in_the_letters_of_the_option(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        buffer = io.BytesIO(b"7c Ap\n7h\n")

    monkeypatch.setattr(sys, "stdin", Terminal)
    asked = run("rules", "score", "oficial", "-", "--cards", "es")
    rows = [json.loads(line) for line in asked.out.splitlines()]
    assert rows[0] == {"points": 7 + 20}
    assert "7h" in rows[1]["error"]


SHEET = '{head}[[hands]]\ncontract = "TT"\ncloser = "Ana"\npoints = {{ "Ana" = 0 }}\nleft = {{ "Bea" = "{cards}" }}\n'


@pytest.mark.parametrize(("head", "cards"), [("", "Kh 7c"), ('cards = "en"\n', "Kh 7c"), ('cards = "es"\n', "Kc 7t")])
def test_a_sheet_file_says_in_which_letters_its_cards_are(tmp_path: Path, head: str, cards: str) -> None:
    file = tmp_path / "sheet.toml"
    file.write_text(SHEET.format(head=head, cards=cards), encoding="utf-8")
    assert read_sheet(file)[0].left == {"Bea": "Kh 7c"}


@pytest.mark.parametrize(
    ("head", "cards", "fault"), [('cards = "es"\n', "Kh", "hand TT: “Kh”"), ('cards = "fr"\n', "Kh", "en or es")]
)
def test_a_sheet_file_with_other_letters_is_refused(tmp_path: Path, head: str, cards: str, fault: str) -> None:
    file = tmp_path / "sheet.toml"
    file.write_text(SHEET.format(head=head, cards=cards), encoding="utf-8")
    with pytest.raises(TourneyError) as refused:
        read_sheet(file)
    assert refused.value.code == ExitCode.REFUSED
    assert fault in refused.value.message
    assert str(file) in refused.value.message
