"""Read places and scores as people write them: `1st`, `T3`, `=3`, `DNF`, `1,234.5`, `4:05:12`, `+0:15`."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from tourney.files.description import Decimals

_RANK: Final = re.compile(
    r"(?:#|=|t-?|tied?|joint|ex aequo)?\s*0*([1-9][0-9]{0,8})(?:[.,]0+)?"
    r"\s*+(?:\.?[ºª°]|\.|st|nd|rd|th|er|re|[eè]me|[eoa])?\s*+(?:=|t|tied?|ex aequo)?",
    re.ASCII | re.IGNORECASE,
)
_AROUND: Final = "()[]* \t"
"""The signs around a place that is dropped or remarked upon."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_CODES: Final = frozenset(
    (
        *("ab", "abandon", "abandono", "abd", "bfd", "descalificado", "desc", "df", "disq", "dnc", "dne", "dnf", "dnp"),
        *("dnq", "dns", "dq", "dsq", "eliminado", "hd", "nc", "np", "ocs", "otl", "raf", "ret", "retirado", "retired"),
        *("rtd", "ufd", "wd", "wdr", "withdrawn", "withdrew"),
    )
)
"""The words for somebody who did not start or finish, or whose result does not count."""
NOTHING: Final = frozenset(("", "-", "–", "—", "−", "n/a", "."))
"""The text of a cell without a value."""
_DIGITS: Final = re.compile(r"([0-9]+)", re.ASCII)
_SAME: Final = frozenset(("s.t.", "st", "m.t.", "mt", ",,", '"', "''"))
"""The words of races for the time of the row above."""
_CURRENCY: Final = re.compile(
    r"(?<=\d)\s*(?:pts?|points?|puntos|EUR|USD|GBP)\.?$|^(?:EUR|USD|GBP)|[^\w.,:+()'\"−-]", re.IGNORECASE
)
_GROUPS: Final = re.compile(r"[0-9]{1,3}([.,])[0-9]{3}", re.ASCII)
_GROUPED: Final = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:[.,][0-9]{3})+", re.ASCII)
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?", re.ASCII)
_TIME: Final = re.compile(r"(?:(?:([0-9]{1,4}):)?([0-9]{1,4}):)?([0-9]{1,9}(?:\.[0-9]{1,9})?)", re.ASCII)

_HOURS: Final = re.compile(
    r"([0-9]{1,4})h(?:([0-9]{1,2})(?:(?:min|mn|[m':])(?:([0-9]{1,2}(?:\.[0-9]{1,9})?)(?:s|''|\")?)?)?)?",
    re.ASCII | re.IGNORECASE,
)
"""A time whose hours are named: what follows them are minutes, as in `1h05`, and then seconds."""


def read_rank(text: str) -> int | None:
    """Return the place that a text names; None for another text."""
    found = _RANK.fullmatch(text.strip(_AROUND))
    return int(found[1]) if found else None


def is_unfinished(text: str) -> bool:
    """Return whether a text is empty, or says that a player did not finish, as in `DNF` or `24.0 DNC`."""
    words = (word.casefold() for word in _LETTERS.findall(text))
    return text.strip().casefold() in NOTHING or any(word in _CODES for word in words)


def is_same(text: str) -> bool:
    """Return whether a text repeats the score of the row above."""
    return text.strip().casefold() in _SAME


def decimal_sign(texts: Iterable[str]) -> Decimals | None:
    """Return the sign that begins decimals in a column of scores; None if it may be either.

    A sign before other than three digits begins decimals; one that comes twice, or before the other, does not.
    """
    open_sign = False
    for text in (_bare(text) for text in texts if _DIGITS.search(text)):
        signs = [char for char in text if char in ".,"]
        if not signs:
            continue
        if ":" in text:
            return _sign(signs[-1])
        if len(set(signs)) == 2:
            return _sign(signs[-1])
        if len(signs) > 1:
            return "point" if signs[0] == "," else "comma"
        if not _GROUPS.fullmatch(text.lstrip("+-")):
            return _sign(signs[0])
        open_sign = True
    return None if open_sign else "point"


def read_score(text: str, sign: Decimals) -> Decimal | None:
    """Return a score, or a time in seconds; None for another text."""
    bare = _bare(text)
    decimal, thousands = (",", ".") if sign == "comma" else (".", ",")
    whole, *decimals = bare.split(decimal)
    if thousands in whole:
        if not _GROUPED.fullmatch(whole):
            return None
        whole = whole.replace(thousands, "")
    bare = ".".join((whole, *decimals)).lstrip("+")
    if _NUMBER.fullmatch(bare):
        return Decimal(bare)
    found = _HOURS.fullmatch(bare) or _TIME.fullmatch(re.sub(r"'(?=\d)", ":", bare).rstrip("\"'s"))
    if found is None:
        return None
    hours, minutes, seconds = (Decimal(part or 0) for part in found.groups())
    return (hours * 60 + minutes) * 60 + seconds


def is_gap(text: str) -> bool:
    """Return whether a score is a distance from the first, as in `+0:15`."""
    return _bare(text).startswith("+")


def _bare(text: str) -> str:
    """Return a score without currencies, blanks and signs around it, and with a plain minus."""
    return _CURRENCY.sub("", text.strip(_AROUND)).replace("−", "-")


def _sign(char: str) -> Decimals:
    return "comma" if char == "," else "point"


def natural_key(text: str) -> tuple[tuple[str, ...], str]:
    """Return a key that sorts texts in which numbers count as numbers."""
    parts = _DIGITS.split(text)
    # Digits with their count in front compare as numbers do, however many digits there are.
    parts[1::2] = [f"{len(digits.lstrip('0')):06}{digits.lstrip('0')}" for digits in parts[1::2]]
    return tuple(parts), text
