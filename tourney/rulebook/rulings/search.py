"""Search for the kind of irregularity that a phrase means, in English or Spanish, with small misspellings.

What players say is data, `words.toml`.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, Final

from tourney.rulebook.rulings.kinds import KINDS
from tourney.text.i18n import _
from tourney.text.names import fold
from tourney.text.similar import MAX_LENGTH, similar, similar_places

_NAMED: Final = 88
"""From what similarity, of 100, a phrase is the name of a kind."""
_MISSPELT: Final = 83
"""From what similarity, of 100, a word is a misspelt one that we know."""
_MISSPELT_SHORT: Final = 88
"""The like for a word of four letters, which is a word of five with one missing."""
_CONFUSED: Final = str.maketrans("vkqszj", "bccccg")
_SHORTEST: Final = 5
"""The fewest letters of a word that we recognise misspelt: shorter ones are too much alike."""


def kinds_meant(phrase: str) -> list[str]:
    """Return the kinds that the phrase means, best first: several if it fits them equally well, or none."""
    if len(phrase) > MAX_LENGTH:
        return []
    named = similar(phrase.replace("-", " "), _names(), cutoff=_NAMED)
    if named:
        return [_names()[named[0]]]
    said = set(_notions(phrase))
    scores = {kind: max(_score(clue, said) for clue in clues.split(",")) for kind, clues in _words()["clues"].items()}
    best = max(scores.values())
    return [kind for kind, score in scores.items() if score == best > 0]


@cache
def _words() -> dict[str, Any]:
    """Return the words: notions by what they are called, the clues of each kind, and ordinary words."""
    return tomllib.loads((resources.files(__package__) / "words.toml").read_text(encoding="utf-8"))


def _names() -> dict[str, str]:
    """Return the names of all kinds: as they are typed, and in the reader's language as they are shown."""
    named = {kind.kind.replace("-", " "): kind.kind for kind in KINDS}
    shown = {_(kind.title): kind.kind for kind in KINDS}
    return named | shown


def _score(clue: str, said: set[str]) -> int:
    """Return how many notions of the clue were said, 0 if not all of them."""
    parts = clue.split()
    for part in parts:
        if part.startswith("!"):
            if part[1:] in said:
                return 0
        elif said.isdisjoint(part.split("|")):
            return 0
    return sum(not part.startswith("!") for part in parts)


def _notions(phrase: str) -> Iterator[str]:
    """Yield what the words of the phrase stand for; the longest expressions first, each word in one of them."""
    words = [_corrected(word) for word in re.findall(r"\w+", re.sub(r"['’`]", "", fold(phrase)))]
    free = [True] * len(words)
    for length in sorted(_entries(), reverse=True):
        for start in range(len(words) - length + 1):
            place = slice(start, start + length)
            found = _meanings(tuple(words[place])) if all(free[place]) else []
            if found:
                free[place] = [False] * length
                yield from found


def _meanings(words: tuple[str, ...]) -> list[str]:
    return [notion for entry, notion in _entries()[len(words)] if all(map(_fits, entry, words))]


def _fits(part: str, word: str) -> bool:
    return word.startswith(part[:-1]) if part.endswith("*") else word == part


@cache
def _entries() -> dict[int, list[tuple[tuple[str, ...], str]]]:
    """Return the expressions with their notions, by their number of words."""
    entries: dict[int, list[tuple[tuple[str, ...], str]]] = {}
    for notion, expressions in _words()["notions"].items():
        for parts in (tuple(expression.split("_")) for expression in expressions.split()):
            entries.setdefault(len(parts), []).append((parts, notion))
    return entries


@cache
def _known() -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    """Return the words that we know: whole ones, beginnings, and ordinary words, which are never misspellings."""
    parts = {part for entries in _entries().values() for entry, _notion in entries for part in entry}
    beginnings = tuple(sorted(part[:-1] for part in parts if part.endswith("*")))
    whole = frozenset(part for part in parts if not part.endswith("*"))
    return whole, beginnings, frozenset(_words()["ordinary"].split())


@cache
def _guesses(sound: str) -> dict[int, list[str]]:
    """Return what a misspelt word of that first sound may stand for: whole words at 0, beginnings by their length."""
    guesses: dict[int, list[str]] = {}
    whole, beginnings, _ordinary = _known()
    for word in (*sorted(whole), *beginnings):
        if len(word) >= _SHORTEST and _sound(word) == sound:
            guesses.setdefault(0 if word in whole else len(word), []).append(word)
    return guesses


def _sound(word: str) -> str:
    """Return the first letter; letters that Spanish confuses are one."""
    return word[0].translate(_CONFUSED)


def _corrected(word: str) -> str:
    """Return the word that a misspelt one stands for, or the word itself."""
    whole, beginnings, ordinary = _known()
    if len(word) < _SHORTEST - 1 or word in ordinary:
        return word
    for spelt in (word, word.replace("v", "b"), word.replace("b", "v")):
        if spelt in whole or spelt.startswith(beginnings):
            return spelt
    cutoff = _MISSPELT if len(word) >= _SHORTEST else _MISSPELT_SHORT
    for length, guesses in _guesses(_sound(word)).items():
        typed = word[:length] if length else word
        swapped = [guess for guess in guesses if sorted(guess) == sorted(typed)]
        near = swapped or [guesses[place] for place in similar_places(typed, guesses, cutoff=cutoff)]
        if near:
            return near[0]
    return word
