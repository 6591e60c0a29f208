"""The words behind the references of a rules page: short quotations of the documents, and this program's decisions.

The quotations are data, `documents/NNN.toml`, by section and by the sentence that they stand for.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Final

from tourney.rulebook.decisions import DECISIONS, OURS
from tourney.text.i18n import _, marked

_WIKIPEDIA: Final = marked(
    "Document {number}: {title}, an article of the English Wikipedia, quoted under the licence Creative Commons "
    "Attribution-ShareAlike; the history of the article names its authors."
)
_NAMELESS: Final = marked(
    "Document {number}: {title}, published without a name; short quotations of its author's text."
)
_ORIGINS: Final[dict[str, tuple[str, str]]] = {
    "000": (
        "Continental",
        marked("Document {number}: {title}, rules by Naipes Heraclio Fournier; short quotations of its text."),
    ),
    "001": ("Continental (card game)", _WIKIPEDIA),
    "002": ("Continental Rummy", _NAMELESS),
    "003": ("Reglamento oficial del Continental", _NAMELESS),
    "004": ("Continental Rummy", _WIKIPEDIA),
}
"""The title of each document, and where it comes from."""


def words_of(clause: str, field: str) -> str:
    """Return the words of each reference of a sentence: quotations, then decisions; empty where there are none.

    A reference of a club to a text of its own, such as `Getxo 2024`, has none.
    """
    return "; ".join(filter(None, (_words(reference, field) for reference in clause.split(", "))))


def _words(reference: str, field: str) -> str:
    document, _slash, section = reference.partition("/")
    quoted = _document(document).get(section, {}).get(field, "") if section else ""
    if quoted:
        return _("{reference}: “{words}”").format(reference=reference, words=quoted)
    if reference == OURS:
        return _("{reference}: no document asks for it.").format(reference=_(OURS))
    if reference in DECISIONS:
        return _("{reference}: {words}").format(reference=reference, words=_(DECISIONS[reference]))
    return ""


def origins(clauses: Iterable[str]) -> tuple[str, ...]:
    """Return where each document comes from to which the clauses refer."""
    references = (reference for clause in clauses for reference in clause.split(", "))
    numbers = sorted({reference.partition("/")[0] for reference in references} & set(_ORIGINS))
    return tuple(_(_ORIGINS[number][1]).format(number=number, title=_ORIGINS[number][0]) for number in numbers)


@cache
def _document(number: str) -> Mapping[str, Mapping[str, str]]:
    """Return the quotations of a document by section and sentence; empty for other text."""
    if number not in _ORIGINS:
        return {}
    file = resources.files("tourney") / "rulebook" / "documents" / f"{number}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
