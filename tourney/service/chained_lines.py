"""Files of which each line begins with the hash of itself and all lines before it: read line by line, and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tourney import storage
from tourney.domain.errors import TourneyError
from tourney.files.bounded_lines import BoundedLines
from tourney.text.i18n import _

_LINE: Final = re.compile(r"([0-9a-f]{64}) (\{.*\})", re.DOTALL)
MALFORMED: Final = (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError)
"""The errors of reading a value that has another form than it must have."""


class ReadLine(NamedTuple):
    """A line as it was read: its number from 1, the hash of it and all lines before it, its JSON, and its value."""

    number: int
    hash: str
    text: str
    value: Any


@dataclass(frozen=True, slots=True)
class ChainedFile:
    """A file of such lines; the first names its `format` and the `version`.

    `other` and `other_hint` are what to say of a file of another format, `other_version` of one of a `{version}` that
    is not the `{known}` one.
    """

    lines: BoundedLines
    format: str
    version: int
    other: str
    other_hint: str
    other_version: str

    def read(self) -> Iterator[ReadLine]:
        """Yield each line, the header first.

        Raises TourneyError as `BoundedLines.read`, and REFUSED, with the number of the line, for another format or
        version, and for a line that is not as it was written.
        """
        before = ""
        for number, text in self.lines.read():
            found = _LINE.fullmatch(text)
            if number == 1:
                self._refuse_other(found)
            if found is None or found[1] != storage.chain_hash(before, found[2]):
                raise self.lines.refusal(_("it is not as it was written, or one before it is missing"), number)
            before = found[1]
            yield ReadLine(number, before, found[2], self._value(number, found[2]))

    def _refuse_other(self, found: re.Match[str] | None) -> None:
        """Raise TourneyError REFUSED unless the first line is the header of a version that is known here."""
        header: Any = None
        if found is not None:
            with suppress(ValueError, RecursionError):
                header = json.loads(found[2])
        if not isinstance(header, dict) or header.get("format") != self.format:
            error = self.lines.refusal(self.other)
            raise TourneyError(error.code, error.message, self.other_hint)
        if header != {"format": self.format, "version": self.version}:
            shown = str(header.get("version"))[:20]
            error = self.lines.refusal(self.other_version.format(version=shown, known=self.version))
            raise TourneyError(error.code, error.message, _("update tourney"))

    def _value(self, number: int, text: str) -> Any:
        try:
            value = json.loads(text)
            if storage.canonical_json(value) != text:
                raise ValueError("not canonical")
        except MALFORMED:
            raise self.lines.refusal(_("it is not canonical JSON"), number) from None
        return value


@dataclass(frozen=True, slots=True)
class ChainedLine:
    """A line of such a file: its JSON, and the hash of it and all lines before it."""

    hash: str
    text: str

    @classmethod
    def after(cls, before: str, value: object) -> ChainedLine:
        """Return the line of a value that follows the line of that hash ("": the first line)."""
        text = storage.canonical_json(value)
        return cls(storage.chain_hash(before, text), text)
