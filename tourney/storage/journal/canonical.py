"""Canonical text and its digests, and the size of JSON, without a database."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Final

from tourney.text.names import fold

_LINES = 1_000
"""The lines of rows that are digested together."""
_NAMES = 1 << 16
"""The most names that are kept in quotation marks."""
_ROW_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=repr)
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys, without blanks. Raises TypeError for a float: it may be written in several ways."""
    _refuse_floats(value)
    return _ENCODER.encode(value)


def sha256(text: str) -> str:
    """Return the SHA-256 of the text in UTF-8, hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def person_checksum(player: int, version: int, name: str, label: str, club: str) -> str:
    """Return a checksum over a person's text and its numbers; it detects a flipped letter, or an exchanged row."""
    return row_checksum([player, version, name, label, club])


def found_as(name: str, label: str) -> str:
    """Return the name and its label in the form that look-ups compare, without accents and case."""
    return fold(f"{name} ({label})" if label else name)


def row_checksum(row: Sequence[object]) -> str:
    """Return a checksum over a row of a table outside the index; a damaged row may hold any value."""
    return sha256(_ROW_ENCODER.encode(row))


class RowsDigest:
    """SHA-256 over imported rows in order, one canonical line each, computed as they are read."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._lines: list[str] = []

    def add(self, games: Sequence[int], names: Sequence[str], places: Sequence[int]) -> None:
        """Add the next rows, by column."""
        quoted = _QUOTED
        rows = zip(games, names, places, strict=True)
        self._lines += [f"[{game},{quoted[name]},{place}]\n" for game, name, place in rows]
        if len(self._lines) >= _LINES:
            self._update()

    def text(self) -> str:
        """Return the digest so far, hexadecimal."""
        self._update()
        return self._hash.hexdigest()

    def _update(self) -> None:
        self._hash.update("".join(self._lines).encode("utf-8"))
        self._lines.clear()


class _QuotedNames(dict[str, str]):
    """Names as canonical text has them; kept, since most names recur."""

    def __missing__(self, name: str) -> str:
        if len(self) >= _NAMES:
            self.clear()
        quoted = self[name] = json.dumps(name, ensure_ascii=False, default=repr)
        return quoted


_QUOTED = _QuotedNames()


def _refuse_floats(value: object) -> None:
    # Most values are texts and numbers. Mappings come last, since asking for them takes longest.
    if value is None or isinstance(value, str | int):
        return
    if isinstance(value, float):
        raise TypeError("an entry holds no floats")
    if isinstance(value, list | tuple):
        for inner in value:
            _refuse_floats(inner)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError("the keys of an entry are text")
            _refuse_floats(inner)


MOST_VALUES: Final = 4_000_000
"""The most values that one reader holds, some 300 MB; a draw of 10,000 players has 30,000."""


def values_in(text: str) -> int:
    """Return how many values a JSON text has at most: what separates them is counted, in strings too.

    Each takes up to 80 bytes of memory once it is read, however few it has in the text.
    """
    return sum(map(text.count, ",:[{"))


def bounded(text: str) -> str:
    """Return a JSON text that a stranger may have written. Raises ValueError for more than MOST_VALUES values."""
    if values_in(text) > MOST_VALUES:
        raise ValueError("too many values")
    return text
