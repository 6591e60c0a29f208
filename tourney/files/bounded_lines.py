"""Read a text file of ours line by line, with bounds, so that no file fills the memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tourney.domain.errors import TourneyError
from tourney.files.named import Path, refusal, refuse_no_file, unreadable
from tourney.text.i18n import _

MAX_LINE: Final = 4_000_000
"""The most bytes of a line."""
MAX_FILE: Final = 400_000_000
"""The most bytes of a file, unless it may be longer."""


@dataclass(frozen=True, slots=True)
class BoundedLines:
    """The lines of a file that ends each with a line feed; `hint` goes with every refusal, `most` bytes are allowed."""

    path: Path
    hint: str
    most: int = MAX_FILE

    def read(self) -> Iterator[tuple[int, str]]:
        """Yield each line's number, from 1, and its text without the line feed.

        Raises TourneyError as `refuse_no_file`, and REFUSED for a line that is too long or without its end, and for
        one that is not UTF-8, except the first.
        """
        refuse_no_file(self.path, self.hint)
        size = 0
        try:
            with open(self.path, "rb") as file:
                for number, raw in enumerate(iter(lambda: file.readline(MAX_LINE + 2), b""), 1):
                    size += len(raw)
                    if size > self.most:
                        message = _("the file is too large: {most} bytes are the most")
                        raise self.refusal(message.format(most=self.most))
                    yield number, self._text(number, raw)
        except OSError as error:
            raise unreadable(self.path, error) from None

    def _text(self, number: int, raw: bytes) -> str:
        if len(raw) > MAX_LINE + 1:
            raise self.refusal(_("it has more than {most} bytes").format(most=MAX_LINE), number)
        if not raw.endswith(b"\n"):
            raise self.refusal(_("the file is cut off here"), number)
        try:
            # What is no text at all is told from the file that was meant by its first line.
            return raw[:-1].decode("utf-8", "replace" if number == 1 else "strict")
        except UnicodeDecodeError:
            raise self.refusal(_("it is not text in UTF-8"), number) from None

    def refusal(self, message: str, line: int = 0) -> TourneyError:
        """Return the error REFUSED with the file, and with the line if one is wrong."""
        return refusal(self.path, line, message, self.hint)
