"""Names similar to a misspelt one: for suggestions and questions, never to guess what is meant."""

from collections.abc import Iterable, Sequence

from tourney.text.names import fold

_AS_NEAR = 8
"""By how much a name may be less similar than the most similar one, from 0 to 100."""
MAX_LENGTH = 200
"""The longest text, in characters, for which similar names are sought; no name is longer."""


def similar(text: str, known: Iterable[str], most: int = 1, cutoff: float = 60) -> list[str]:
    """Return the known names most similar to the text, best first, accents and case aside: at most `most`, all near.

    `cutoff` is the least similarity, from 0 to 100: twice the letters in common, in order, among all letters of both.
    """
    names = list(known)
    return [names[place] for place in similar_places(fold(text), [fold(name) for name in names], most, cutoff)]


def similar_places(text: str, known: Sequence[str], most: int = 1, cutoff: float = 60) -> list[int]:
    """Return the places of the most similar names in `known`; text and names are folded already."""
    if not text or len(text) > MAX_LENGTH:
        return []
    # Imported only here, because most commands suggest nothing.
    from rapidfuzz import fuzz, process

    found = process.extract(text, known, scorer=fuzz.ratio, processor=None, score_cutoff=cutoff, limit=most)
    return [place for _name, score, place in found if score >= found[0][1] - _AS_NEAR]
