"""Tests of cards and answers typed in Spanish: never read as another card, and shown by the symbols of their suits."""

import io
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.cards import card_text, cards_text, parse_card, parse_cards
from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tests.tourney.cli.test_output import Bytes
from tests.tourney.results.test_dialogue import new_dialogue, type_lines
from tourney.domain.errors import ExitCode, TourneyError
from tourney.files.sheet_toml import read_sheet
from tourney.text.cards import (
    ALPHABETS,
    Alphabet,
    is_ambiguous,
    read_cards,
    with_symbols,
    written_cards,
)
from tourney.text.encoding import prepare
from tourney.text.i18n import speaking
from tourney.text.typed_words import read_keyword

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


@pytest.mark.parametrize("typed", ["Jk", "jk", "JOKER", "jóker", "Jo\u0301ker", "comodín", "Comodin", "comodi\u0301n"])
def test_a_joker_is_typed_in_either_word_with_or_without_its_accent(typed: str) -> None:
    assert cards_text(parse_cards(read_cards(typed, "es"))) == "Jk"


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
    typed = "7c comodín,2d* / comodin 8d"
    read = read_cards(typed, "es")
    assert [read.index(card) for card in ("2d*", "/", "8d")] == [typed.index(card) for card in ("2d*", "/", "8d")]
    assert parse_cards(read.partition("/")[0]) == parse_cards("7h Jk 2d*")


@pytest.mark.parametrize("word", ["comodín", "jóker", "7p"])
def test_a_spanish_word_among_english_letters_is_refused_with_the_way_to_write_it(run: Runner, word: str) -> None:
    refused = run("rules", "score", "oficial", f"7h {word}")
    assert refused.code == ExitCode.USAGE
    assert "--cards es" in refused.err


def test_only_a_letter_with_two_meanings_is_ambiguous() -> None:
    """Of c, d, h, s and p, c, d, t only the c is in both with different suits; p and t are refused in English."""
    in_both = {suit for suit in "cdhspt" if suit in "cdhs" and suit in SUITS}
    assert in_both == {"c", "d"}
    assert [is_ambiguous([f"7{suit}"]) for suit in ("c", "d")] == [True, False]


@pytest.mark.parametrize(
    ("language", "shown"), [("en", "Ana: K(hearts) T(clubs) Jk"), ("es", "Ana: K(corazones) T(treboles) Jk")]
)
def test_a_terminal_without_symbols_shows_suits_in_words(language: str, shown: str) -> None:
    """A letter would be another suit to somebody who types those of the other language."""
    stream = Bytes("ascii", terminal=True)
    prepare(stream)
    with speaking(language):
        stream.write(with_symbols("Ana: Kh Tc Jk"))
    assert stream.written() == shown.encode()


# --- at the prompt ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("spanish")
def test_a_sheet_takes_spanish_letters_and_says_so_before() -> None:
    """The draft keeps the engine's letters; a joker is echoed by the name that every other screen has for it."""
    dialogue = new_dialogue()
    asked = type_lines(dialogue, "1", "n")
    assert asked.count("p ♠") == 1
    read = type_lines(dialogue, "kc comodín 7d jóker")
    assert "Elena: K♥ Jk 7♦ Jk" in read
    assert "p ♠" not in read
    assert dialogue.draft.current.left == {1: "Kh joker 7d joker"}
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


ENGLISH_CARD = re.compile(r"\b(10|[2-9TJQKA])[cdhs]\b", re.ASCII)
REFUSED = {
    "a third copy": (("Kc Kc Kc",), "K♥"),
    "a third copy in two hands": (("Kd Kd", "Kd"), "K♦"),
    "a fifth copy, with the cards typed": (("Ap 2c 7t 7t 7t 7t 7t",), "A♠ 2♥ 7♣"),
    "too many jokers": ((" ".join(["Jk"] * 9),), "Jk"),
    "a card of the other alphabet": (("Ap 7h",), "“7h”"),
    "a word": (("As",), "“As”"),
}
"""Typed at a sheet with Spanish letters, and refused with these cards in the sentence."""


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_at_a_spanish_prompt_has_no_card_in_english_letters(case: str, language: str) -> None:
    """A seven of clubs that was typed 7t came back as 7c, which is the seven of hearts there.

    What was typed is quoted as it was.
    """
    typed, shown = REFUSED[case]
    with speaking(language):
        refused = type_lines(new_dialogue(lang="es"), "1", "n", *typed).splitlines()[0]
    assert shown in refused
    assert not ENGLISH_CARD.search(re.sub("“.*?”", "", refused))


@pytest.mark.parametrize(("lang", "card"), [("es", "K♥"), ("en", "K♣")])
def test_a_refusal_in_spanish_has_symbols_whatever_letters_are_typed(lang: str, card: str) -> None:
    with speaking("es"):
        assert card in type_lines(new_dialogue(lang=lang), "1", "n", "Kc Kc Kc")


def test_a_refusal_at_an_english_prompt_is_as_it_was() -> None:
    assert type_lines(new_dialogue(), "1", "n", "Kc Kc Kc").startswith(
        "Elena: Kc is left once too often; the packs hold 2\n"
    )


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
    assert (refused.code, refused.err.splitlines()[0]) == (2, "error: “TTT” no es una carta (carácter 1)")


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
    assert read_sheet(file).hands[0].left == {"Bea": "Kh 7c"}


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


ASKED_ES = {
    "too many copies": (("arrange", "oficial", "TT", "7t 7t 7t"), "7♣"),
    "a card on a trio": (("layoff", "oficial", "7t 7c 7d", "Kp"), "K♠"),
    "a card on a run": (("layoff", "oficial", "5c 6c 7c 8c", "Kp"), "5♥ 6♥ 7♥ 8♥"),
    "not a meld": (("check", "oficial", "T", "7t 7c 8c"), "7♣ 7♥ 8♥"),
    "a run out of order": (("check", "oficial", "E", "5p 7p 6p 8p"), "5♠ 6♠ 7♠ 8♠"),
    "two cards for one": (("layoff", "oficial", "5c 6c 7c 8c", "4t 9t"), "4♣ 9♣"),
    "a two that is not wild": (("check", "oficial", "T", "2c* 2d 2t"), "2♥*"),
}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("case", ASKED_ES)
def test_an_answer_to_spanish_letters_has_no_card_in_english_ones(run: Runner, case: str, language: str) -> None:
    words, shown = ASKED_ES[case]
    asked = run("rules", *words, "--cards", "es", "--lang", language)
    assert asked.code in (ExitCode.REFUSED, ExitCode.USAGE)
    answer = asked.out + asked.err.partition("\n")[0]
    assert shown in answer
    assert not ENGLISH_CARD.search(answer)


# --- sheets from files -------------------------------------------------------------------------------------------


def sheet_text(cards: str, head: str = "") -> str:
    """Return a sheet that Ana closes seven times, in which Beñat has these cards left in the first hand."""
    first = SHEET.format(head=head, cards=cards).replace('"Bea"', '"Beñat"')
    first = first.replace('points = { "Ana" = 0 }', 'points = { "Ana" = 0, "Carmen" = 5, "Diego" = 5 }')
    rest = "".join(
        f'[[hands]]\ncontract = "{contract}"\ncloser = "Ana"\n'
        'points = { "Ana" = 0, "Beñat" = 5, "Carmen" = 5, "Diego" = 5 }\n'
        for contract in desk.CONTRACTS[1:]
    )
    return first + rest


@dataclass(frozen=True)
class Desk:
    """A database with an event whose first round is drawn, with a table of four."""

    db: str
    folder: Path
    run: Runner

    def give(self, words: tuple[str, ...], text: str, *options: str) -> Ran:
        """Run a command with the sheet in a file."""
        file = self.folder / "sheet.toml"
        file.write_text(text, encoding="utf-8")
        return self.run(*words, "--round", "1", "--table", "1", "--file", str(file), "--db", self.db, *options)

    def points(self) -> int:
        """Return the points that Beñat has in the first hand."""
        shown = self.run("result", "show", "--round", "1", "--table", "1", "--json", "--db", self.db).json
        return int(shown["hands"][0]["points"]["Beñat"])


WAYS = {
    "enter": ("result", "enter"),
    "correct": ("result", "correct", "--reason", "misread"),
    "ruling": ("ruling", "add", "--kind", "correction", "--reason", "misread"),
}


@pytest.fixture(params=WAYS)
def given(request: pytest.FixtureRequest, tmp_path: Path, run: Runner) -> tuple[tuple[str, ...], Desk]:
    """Return a command that takes a sheet's file, and a desk where it can be run."""
    make = desk.drawn if request.param == "enter" else desk.with_a_sheet
    return WAYS[request.param], Desk(make(tmp_path / "club.db"), tmp_path, run)


def test_every_command_that_takes_a_sheet_reads_spanish_letters_if_asked_to(
    given: tuple[tuple[str, ...], Desk],
) -> None:
    """An ace counts 20 points and a seven 7 (003/1.2)."""
    words, at = given
    assert at.give(words, sheet_text("Ap 7t"), "--cards", "es").code == 0
    assert at.points() == 27


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_sheet_of_spanish_letters_is_refused_unless_it_says_so(
    given: tuple[tuple[str, ...], Desk], language: str
) -> None:
    words, at = given
    refused = at.give(words, sheet_text("Kc 7t"), "--lang", language)
    assert refused.code == ExitCode.REFUSED
    assert "“7t”" in refused.err
    assert "--cards es" in refused.err
    assert 'cards = "es"' in refused.err


@pytest.mark.parametrize(
    ("cards", "options", "noted"),
    [
        ("7c", ("--lang", "es"), True),
        ("7c", (), False),
        ("7d", ("--lang", "es"), False),
        ("7c", ("--lang", "es", "--cards", "en"), False),
        ("7c", ("--lang", "es", "--cards", "es"), False),
    ],
    ids=["c in Spanish", "in English", "no c", "English asked for", "Spanish asked for"],
)
def test_a_sheet_whose_c_may_be_hearts_is_read_with_a_note(
    given: tuple[tuple[str, ...], Desk], cards: str, options: tuple[str, ...], noted: bool
) -> None:
    words, at = given
    entered = at.give(words, sheet_text(cards), *options)
    assert (entered.code, "--cards es" in entered.err) == (0, noted)


def test_an_event_in_spanish_has_the_note_also_for_a_reader_of_english(
    given: tuple[tuple[str, ...], Desk],
) -> None:
    words, at = given
    assert at.run("event", "set", "--lang", "es", "--db", at.db).code == 0
    entered = at.give(words, sheet_text("7c"), "--lang", "en")
    assert (entered.code, "--cards es" in entered.err) == (0, True)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("head", "options"), [('cards = "es"\n', ()), ("", ("--cards", "es"))], ids=["file", "option"])
def test_an_impossible_sheet_of_spanish_letters_is_refused_with_symbols(
    given: tuple[tuple[str, ...], Desk], head: str, options: tuple[str, ...], language: str
) -> None:
    words, at = given
    refused = at.give(words, sheet_text("Kt Kt Kt", head), *options, "--lang", language)
    assert refused.code == ExitCode.REFUSED
    assert "K♣" in refused.err
    assert not ENGLISH_CARD.search(refused.err)


def test_an_option_that_contradicts_the_sheet_is_refused(given: tuple[tuple[str, ...], Desk]) -> None:
    words, at = given
    refused = at.give(words, sheet_text("7c", 'cards = "es"\n'), "--cards", "en")
    assert refused.code == ExitCode.USAGE
    assert 'cards = "es"' in refused.err


def test_a_ruling_without_a_sheet_takes_no_letters(tmp_path: Path, run: Runner) -> None:
    db = desk.drawn(tmp_path / "club.db")
    refused = run("ruling", "add", "--kind", "note", "--reason", "late", "--cards", "es", "--db", db)
    assert refused.code == ExitCode.USAGE
