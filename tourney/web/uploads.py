"""Files that desks have sent, kept in memory between the look at what is in them and the button that takes them in."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from email.parser import BytesParser
from email.policy import HTTP
from hashlib import sha256
from typing import Final

MOST_UPLOADED: Final = 2 * 1024 * 1024
"""The most bytes of a form with a file: events of 200 players and ten rounds are a quarter of that."""
MOST_KEPT: Final = 4
"""The most files that are kept, the oldest forgotten first."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a form: its name on the device of whoever sent it, and its content."""

    name: str
    content: bytes


def parts_of(content_type: str, body: bytes) -> tuple[dict[str, str], Upload | None]:
    """Return the fields of a form of the kind `multipart/form-data`, and its file; nothing of another body."""
    fields, file = dict[str, str](), None
    if not content_type.lower().startswith("multipart/form-data"):
        return fields, file
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    for part in BytesParser(policy=HTTP).parsebytes(head + body).iter_parts():
        content, name = part.get_payload(decode=True), part.get_param("name", header="content-disposition")
        if not isinstance(content, bytes) or not isinstance(name, str):
            continue
        if part.get_filename() is None:
            fields[name] = content.decode("utf-8", "replace")
        elif part.get_filename():
            file = Upload(str(part.get_filename()), content)
    return fields, file


class Uploads:
    """The files that were sent, by a key that only their sender learns."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Upload] = OrderedDict()

    def keep(self, upload: Upload) -> str:
        """Keep a file; return its key."""
        key = sha256(upload.content).hexdigest()[:32]
        self._kept[key] = upload
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return key

    def get(self, key: str) -> Upload | None:
        """Return the file of a key; None if it is forgotten."""
        return self._kept.get(key)
