"""Cards in letters and symbols: as the engine writes them, with English letters, or with the Spanish ones.

The letter `c` is hearts in Spanish and clubs in English, so a text is read in one alphabet, and refused where it is
not of that alphabet; it is never guessed.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, Literal

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _, language
from tourney.text.names import fold

Alphabet = Literal["en", "es"]
ALPHABETS: Final[tuple[Alphabet, ...]] = ("en", "es")
SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
"""The symbols of the suits by the engine's letters."""
SPANISH: Final = {"p": "s", "c": "h", "d": "d", "t": "c"}
"""The engine's letters by the Spanish ones: picas, corazones, diamantes, tréboles."""

_TO_SPANISH: Final = {english: spanish for spanish, english in SPANISH.items()}
_WORD: Final = re.compile(r"[^\s,/]+")
_SPANISH_CARD: Final = re.compile(r"(10|[2-9TJQKA])([pcdt])(\*?)", re.IGNORECASE | re.ASCII)
_BEFORE_SUIT: Final = re.compile(" (?=[♣♦♥♠])")
_WITH_SYMBOL: Final = re.compile(r"(10|[2-9TJQKA])([♣♦♥♠♧♢♡♤])\ufe0f?(\*?)", re.IGNORECASE | re.ASCII)
_CARD: Final = re.compile(r"\b(10|[2-9TJQKA])([cdhs])\b", re.ASCII)
_JOKERS: Final = {"jk": "jk", "joker": "joker", "comodin": "joker"}
"""The words that the engine reads for those of a joker, which are without accents."""
_JOKER: Final = re.compile(r"\bjoker\b", re.IGNORECASE)

_typed: list[Alphabet] = []
"""The alphabets of the blocks of `typing_cards` around what now runs."""


def prompt_alphabet(chosen: str | None = None) -> Alphabet:
    """Return the alphabet in which cards are typed at prompts: of an event's language, or of that of the sentences."""
    return "es" if (chosen or language()) == "es" else "en"


@contextmanager
def typing_cards(alphabet: Alphabet) -> Iterator[None]:
    """Show cards within this block to somebody who writes them in this alphabet."""
    _typed.append(alphabet)
    try:
        yield
    finally:
        _typed.pop()


def typed_alphabet() -> Alphabet:
    """Return the alphabet of the block of `typing_cards` around; without one, that of the sentences."""
    return _typed[-1] if _typed else prompt_alphabet()


def usual_letters() -> bool:
    """Return whether cards are shown with English letters: sentences are English, and cards are typed so."""
    return typed_alphabet() == prompt_alphabet() == "en"


def read_cards(text: str, alphabet: Alphabet) -> str:
    """Return cards that were typed in this alphabet with the engine's letters; English ones are left to the engine.

    Every other character stays, so that a place in the text is the same. Raises TourneyError USAGE for the first word
    that is not a card with Spanish letters.
    """
    return text if alphabet == "en" else _WORD.sub(_from_spanish, text)


def _from_spanish(found: re.Match[str]) -> str:
    word = found[0]
    if card := _SPANISH_CARD.fullmatch(word):
        return f"{card[1].upper()}{SPANISH[card[2].lower()]}{card[3]}"
    if fold(word) in _JOKERS:
        return _JOKERS[fold(word)].rjust(len(word))
    if _WITH_SYMBOL.fullmatch(word):
        return word
    message = _("“{card}” is not a card with Spanish letters (character {column})")
    raise TourneyError(
        ExitCode.USAGE,
        message.format(card=word[:20], column=found.start() + 1),
        spanish_letters(),
    )


def spanish_letters() -> str:
    """Return a hint on how cards are written with Spanish letters."""
    return _("write cards as 7c, 10d, Ap or Jk: p ♠, c ♥, d ♦, t ♣")


def written_cards(text: str, alphabet: Alphabet) -> str:
    """Return cards with the engine's letters as they are typed in this alphabet."""
    return text if alphabet == "en" else _CARD.sub(lambda card: card[1] + _TO_SPANISH[card[2]], text)


def shown_cards(cards: str) -> str:
    """Return cards with the engine's letters as a sentence has them: by symbols, but in English by letters.

    An English sentence has symbols, too, for somebody who types Spanish letters.
    """
    return cards if usual_letters() else with_symbols(cards)


def with_symbols(text: str) -> str:
    """Return the text with the suits of cards as symbols: `7h` as `7♥`."""
    return _CARD.sub(lambda card: card[1] + SYMBOLS[card[2]], text)


def echoed_cards(cards: str) -> str:
    """Return cards that were typed, with the engine's letters, as the program writes them: `K♥ 10♠ Jk`."""
    return shown_cards(_JOKER.sub("Jk", cards))


def spanish_card(texts: Iterable[str]) -> str | None:
    """Return the first word of the texts that is a card in Spanish only: `7p`, `jóker`, `comodín`; None without one."""
    return next((word for text in texts for word in _WORD.findall(text) if _is_spanish(word)), None)


def _is_spanish(word: str) -> bool:
    if _SPANISH_CARD.fullmatch(word):
        return word.rstrip("*")[-1].lower() in "pt"
    return fold(word) in _JOKERS and word.lower() not in ("jk", "joker")


def is_ambiguous(texts: Iterable[str]) -> bool:
    """Return whether a card of the texts is one card in English letters and another in Spanish ones."""
    words = [card for text in texts for word in _WORD.findall(text) if (card := _SPANISH_CARD.fullmatch(word))]
    return any(SPANISH[card[2].lower()] != card[2].lower() for card in words)


def english_letters_note() -> str:
    """Return a note for a reader of Spanish, where a card is another one in Spanish letters and nobody said which."""
    return _("Cards are read with English letters, in which c is clubs (♣); with --cards es, c is hearts (♥).")


def unbroken_suits(text: str) -> str:
    """Return the text for a page: a browser does not divide the symbol of a suit from its letter."""
    return _BEFORE_SUIT.sub("\u00a0", text)


def alphabet_text(alphabet: Alphabet) -> str:
    """Return a line that says how cards are typed at a prompt."""
    if alphabet == "es":
        return _("points, or the cards left with Spanish letters: p ♠, c ♥, d ♦, t ♣, 10 or T, Jk (joker)")
    return _("points, or the cards left with English letters: s ♠, h ♥, d ♦, c ♣, 10 or T, Jk (joker)")
