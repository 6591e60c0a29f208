"""A compiled catalogue of gettext of which only the sentences asked for are read.

The standard library reads all of a catalogue at once, which would add 6 ms to every start.
"""

import gettext
import struct
from collections.abc import Callable
from functools import cached_property
from typing import Final

_MAGIC: Final = 0x950412DE
_HEAD: Final = struct.Struct("<5I")
"""The magic number, the version, the number of sentences, and where the tables of both texts begin."""
_ENTRY: Final = struct.Struct("<2I")
"""An entry of a table: the length of a text and where it begins."""


class Catalogue(gettext.NullTranslations):
    """The translations in the content of a file `.mo`; texts of one sentence and its plural are divided by NUL.

    Raises ValueError or struct.error for content that is not a whole catalogue.
    """

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self._content = content
        magic, _version, self._count, self._ids, self._texts = _HEAD.unpack_from(content)
        if magic != _MAGIC or not self._count:
            raise ValueError("this is not a catalogue")
        self._found: dict[str, list[str] | None] = {}
        for table in (self._ids, self._texts):
            starts = struct.unpack_from(f"<{2 * self._count}I", content, table)[1::2]
            if max(starts) >= len(content) or not content.endswith(b"\0"):
                raise ValueError("the catalogue is cut short")

    def gettext(self, message: str) -> str:
        """Return the translation of a sentence, or the sentence."""
        forms = self._forms(message)
        return message if forms is None else forms[0]

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translation by the plural rule of the language, or of English without a translation."""
        forms = self._forms(msgid1)
        return super().ngettext(msgid1, msgid2, n) if forms is None else forms[self._plural(n)]

    def _forms(self, message: str) -> list[str] | None:
        """Return the translated forms of a sentence; None without a translation."""
        if message not in self._found:
            self._found[message] = self._search(message.encode())
        return self._found[message]

    def _search(self, message: bytes) -> list[str] | None:
        """Search the sentence among those of the file, which are in the order of their bytes."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._text(self._ids, middle).partition(b"\0")[0] < message:
                low = middle + 1
            else:
                high = middle
        if low == self._count or self._text(self._ids, low).partition(b"\0")[0] != message:
            return None
        return self._text(self._texts, low).decode().split("\0")

    def _text(self, table: int, index: int) -> bytes:
        length, start = _ENTRY.unpack_from(self._content, table + _ENTRY.size * index)
        return self._content[start : start + length]

    @cached_property
    def _plural(self) -> Callable[[int], int]:
        """Return the plural rule, which the entry of the empty sentence has."""
        head = (self._search(b"") or [""])[0]
        rule = head.partition("plural=")[2].partition(";")[0].partition("\n")[0]
        return gettext.c2py(rule or "n != 1")
