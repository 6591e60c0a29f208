"""Forms and files that desks have sent, kept in memory, so that one that is sent twice counts once."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, TypeVar

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _

Key = TypeVar("Key")
Value = TypeVar("Value")

MOST_UPLOADED: Final = 2 * 1024 * 1024
"""The most bytes of a form with a file: events of 200 players and ten rounds are a quarter of that."""
MOST_PARTS: Final = 20
"""The most parts of a form with a file; ours have four."""
MOST_HEAD: Final = 2000
"""The most bytes of the head of a part."""
_BOUNDARY: Final = re.compile(r'multipart/form-data;\s*boundary="?([^";,\s]{1,70})', re.IGNORECASE)
_NAMED: Final = re.compile(
    rb'^content-disposition: *form-data; *name="([^"\r\n]*)"(?:; *filename="([^"\r\n]*)")? *\r?$',
    re.IGNORECASE | re.MULTILINE,
)
"""The line of a head that names a field, and its file if it is one, as browsers write it (RFC 7578, HTML standard)."""
_ESCAPED: Final = {b"%0A": b"\n", b"%0D": b"\r", b"%22": b'"'}
"""The characters that browsers escape in such a name."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a form: its name on the device of whoever sent it, and its content."""

    name: str
    content: bytes


def parts_of(content_type: str, body: bytes) -> tuple[dict[str, str], Upload | None]:
    """Return the fields of a form of the kind `multipart/form-data`, and its file; nothing of another body.

    A part with another head than those of browsers is no field: readers of mail decode and nest what a head says.
    """
    fields, file = dict[str, str](), None
    for head, content in _parts(content_type, body):
        found = _NAMED.search(head)
        if found is None:
            continue
        if found[2] is None:
            fields[_unescaped(found[1])] = content.decode("utf-8", "replace")
        elif found[2]:
            file = Upload(_unescaped(found[2]), content)
    return fields, file


def _unescaped(name: bytes) -> str:
    for escaped, character in _ESCAPED.items():
        name = name.replace(escaped, character)
    return name.decode("utf-8", "replace")


def _parts(content_type: str, body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield head and content of each part of a form; nothing of one that has more than MOST_PARTS."""
    found = _BOUNDARY.match(content_type)
    if found is None:
        return
    border = b"\r\n--" + found[1].encode("latin-1", "replace")
    parts = (b"\r\n" + body).split(border, MOST_PARTS + 1)
    for part in parts[1:] if len(parts) <= MOST_PARTS + 1 else ():
        head, blank, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        if blank and len(head) <= MOST_HEAD:
            yield head, content


class Newest(OrderedDict[Key, Value]):
    """Values by their keys, of which the newest are kept."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value as the newest, and forget the oldest of too many."""
        self[key] = value
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)


MOST_FILES: Final = 4
"""The most files that are kept."""
MOST_KEPT: Final = 400
"""The most forms that are remembered."""
AGAIN: Final = timedelta(seconds=15)
"""The time during which a form that comes again is the same tap of a finger, or the same loss of the network."""

SHOWN: Final = timedelta(minutes=2)
"""The time during which a page says what was done; later it would be taken for news."""


@dataclass(frozen=True, slots=True)
class Done:
    """A form that was sent: what was done, in a title and sentences, the page that shows it, and when.

    `links` have the paths and names of pages that help with what follows from it.
    """

    title: str
    sentences: tuple[str, ...]
    to: str
    at: datetime
    links: tuple[tuple[str, str], ...] = ()


class Forms(Newest[str, Done]):
    """The forms that were sent, by their key, the oldest forgotten first."""

    def __init__(self) -> None:
        super().__init__(MOST_KEPT)

    def news(self, key: str) -> Done | None:
        """Return what was done with the form of that key; None if nothing is known of it, or it was long ago."""
        found = self.get(key)
        return None if found is None or datetime.now(UTC) - found.at > SHOWN else found

    def sent_again(self, key: str) -> Done | None:
        """Return what was done if this form has just been sent; None if it is new.

        Raises TourneyError CONFLICT if it was sent a while ago, as by a page that was left open.
        """
        found = self.get(key)
        if found is None or datetime.now(UTC) - found.at < AGAIN:
            return found
        time = f"{found.at.astimezone():%H:%M}"
        message = _("this form was sent at {time} already, and counted once").format(time=time)
        raise TourneyError(
            ExitCode.CONFLICT, message, _("look at what is there now, and send it again if it is missing")
        )


def key_of(*parts: bytes) -> str:
    """Return the key of a form: of who sends it, its path and its fields."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()[:24]
