"""A club's own words in Spanish sentences: `tercia` for `trío`, with the articles and adjectives beside it.

Only nouns of the game are terms, and only Spanish sentences have them replaced: in English `run` and `meld` are verbs
too.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ClubNoun:
    """A noun of a language with gender."""

    one: str
    many: str
    feminine: bool


TERMS: Final[Mapping[str, ClubNoun]] = {
    "trio": ClubNoun("trío", "tríos", False),
    "run": ClubNoun("escalera", "escaleras", True),
    "joker": ClubNoun("comodín", "comodines", False),
    "meld": ClubNoun("combinación", "combinaciones", True),
    "stock": ClubNoun("mazo", "mazos", False),
    "discards": ClubNoun("pozo", "pozos", False),
    "suit": ClubNoun("palo", "palos", False),
    "pot": ClubNoun("bote", "botes", False),
    "contract": ClubNoun("contrato", "contratos", False),
}
"""The terms for which a club may have its own word, by the key of its file."""


def _listed(words: str) -> list[str]:
    return words.split()


TAKEN: Final = frozenset(
    _listed(
        "mano manos ronda rondas vuelta vueltas partida partidas mesa mesas puesto puestos torneo torneos velada "
        "veladas turno turnos jugador jugadores carta cartas punto puntos descarte descartes hoja hojas regla reglas "
        "posición as ases rey reyes dama damas reina reinas jota jotas pica picas corazón corazones diamante diamantes "
        "trébol tréboles árbitro sanción castigo contra clasificación empate sorteo"
    )
)
"""Words of the program that no club word may hide, beside those of TERMS."""

_PAIRS: Final = (
    *(("el", "la"), ("los", "las"), ("un", "una"), ("unos", "unas"), ("ese", "esa"), ("ningún", "ninguna")),
    *(
        (f"{stem}o{plural}", f"{stem}a{plural}")
        for stem in _listed("otr mism propi tod sol cuánt")
        for plural in ("", "s")
    ),
    ("varios", "varias"),
)
"""Words before a noun that agree with it, masculine and feminine: those of our sentences, which a test compares."""

_JOINED: Final = (("del", "de la"), ("al", "a la"))
"""A preposition and an article; a word before them agrees with another noun, as in `el del trío`."""

_ENDINGS: Final = _listed(
    "nuev propi distint vací repetid consecutiv seguid liberad bajad limpi suci ajen complet enter mism extendid "
    "ordenad válid larg cort rot incomplet"
)
"""Stems of adjectives on -o and -a that stand behind a noun."""


def own_noun(word: str, plural: str = "", gender: str = "") -> ClubNoun:
    """Return a club's word with the plural and the gender that Spanish would give it, where the club gives none."""
    feminine = gender == "f" if gender else word.endswith(("a", "as", "ión", "dad", "tad", "ez"))
    return ClubNoun(word, plural or _plural(word), feminine)


def _plural(word: str) -> str:
    if word[-1] in "aeiouáéó":
        return f"{word}s"
    accents = str.maketrans("áéíóú", "aeiou")
    stem = word[:-2] + word[-2:].translate(accents) if word[-1] in "ns" else word
    return f"{stem[:-1]}ces" if word.endswith("z") else f"{stem}es"


def hidden(words: Mapping[str, ClubNoun]) -> Iterator[tuple[str, str]]:
    """Yield the club's words that a reader would take for something else, each with its term.

    A word may not be that of another term, of another of the club's words, or of the program.
    """
    for term, noun in words.items():
        others = [other for key, other in (*TERMS.items(), *words.items()) if key != term]
        meant = TAKEN.union(*({other.one, other.many} for other in others))
        yield from ((term, word) for word in (noun.one, noun.many) if meant & {word, *word.split()})


def rewording(words: Mapping[str, ClubNoun]) -> Callable[[str], str]:
    """Return a function that puts the words into a Spanish sentence; text between backquotes stays as it is.

    No word may be one that `hidden` yields: otherwise one change would see what another has written.
    """
    changes = [_change(TERMS[term], own) for term, own in words.items()]

    def reword(sentence: str) -> str:
        parts = sentence.split("`")
        for at in range(0, len(parts), 2):
            for pattern, write in changes:
                parts[at] = pattern.sub(write, parts[at])
        return "`".join(parts)

    return reword


def _change(term: ClubNoun, own: ClubNoun) -> tuple[re.Pattern[str], Callable[[re.Match[str]], str]]:
    """Return the pattern of a term with the words that agree with it, and what to write instead."""
    joined, alone = (_agreeing(pairs, term.feminine, own.feminine) for pairs in (_JOINED, _PAIRS))
    agreeing, behind = joined | alone, _behind(term.feminine, own.feminine)
    first, before, after = map("|".join, (joined, alone, behind))
    pattern = re.compile(
        rf"(?P<before>(?:\b(?:{first})\s+)?(?:\b(?:{before})\s+)*)\b(?P<noun>{term.many}|{term.one})\b"
        rf"(?P<after>(?:\s+(?:más|ya|está|están|es|son|van|muy))?(?:\s+(?:{after})\b)*)",
        re.IGNORECASE,
    )

    def write(found: re.Match[str]) -> str:
        noun = own.many if found["noun"].lower() == term.many else own.one
        return _agree(found["before"], agreeing) + _like(found["noun"], noun) + _agree(found["after"], behind)

    return pattern, write


def _agreeing(pairs: Iterable[tuple[str, str]], feminine: bool, own_feminine: bool) -> dict[str, str]:
    """Return each word before a noun of one gender, with the one that stands before a noun of the other."""
    place, other = (1, 0) if feminine else (0, 1)
    return {pair[place]: pair[place if feminine == own_feminine else other] for pair in pairs}


def _behind(feminine: bool, own_feminine: bool) -> dict[str, str]:
    then, now = ("a" if feminine else "o"), ("a" if own_feminine else "o")
    return {f"{stem}{then}{plural}": f"{stem}{now}{plural}" for stem in _ENDINGS for plural in ("", "s")}


def _agree(words: str, agreeing: Mapping[str, str]) -> str:
    """Return the words, each as it agrees with the club's noun; `de la` and `a la` are one word."""
    known = "|".join(sorted(map(re.escape, agreeing), key=len, reverse=True))
    return re.sub(
        rf"\b(?:{known})\b", lambda found: _like(found[0], agreeing[found[0].lower()]), words, flags=re.IGNORECASE
    )


def _like(model: str, word: str) -> str:
    """Return the word with a capital if the model begins with one."""
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
