"""Visitors of a page, and its answers: HTML, a file, the way to another page, a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from gzip import compress
from hashlib import sha256
from typing import Any, Final, Literal

from tourney.domain.errors import ExitCode, TemplateError, TourneyError, UnusableError
from tourney.domain.people import Player
from tourney.domain.rounds import Table
from tourney.service.web.guesses import TooManyTriesError
from tourney.text.i18n import _, for_terminal

Audience = Literal["everybody", "table", "desk"]
"""The audiences of a page: everybody reads, a table has its own sheet, the desk runs the event."""
FrameKind = Literal["site", "bare"]
"""The surroundings of a page: the site's head and links, or nothing, as on a projector."""

STATUS: Final[Mapping[int, int]] = {
    ExitCode.REFUSED: 400,
    ExitCode.USAGE: 400,
    ExitCode.NOT_FOUND: 404,
    ExitCode.CONFLICT: 409,
    ExitCode.STORAGE: 500,
}
"""The status of a page that says why something was refused."""


class ForbiddenError(TourneyError):
    """A refusal of a page that this visitor may not open; `way` is the path of a page that helps, "" for none."""

    def __init__(self, message: str, hint: str = "", way: str = "") -> None:
        super().__init__(ExitCode.REFUSED, message, hint)
        self.way = way


class ClosedLinkError(ForbiddenError):
    """A refusal of a link to a table that opens nothing, or nothing any more."""


def is_of_files(error: object) -> bool:
    """Return whether an error says what is wrong with the organiser's files, and where they are: the desk sees it."""
    is_stored = isinstance(error, TourneyError) and error.code == ExitCode.STORAGE
    return is_stored and not isinstance(error, UnusableError)  # a locked database is said to all


def for_everybody(fault: TourneyError | None) -> tuple[str, str]:
    """Return the sentence and the hint of a refusal on a page that is not the desk's. Raises it if it `is_of_files`."""
    if fault is None:
        return "", ""
    if is_of_files(fault):
        raise fault
    return fault.message, hint_of(fault)


def hint_of(error: TourneyError) -> str:
    """Return the hint of a refusal in the reader's language."""
    return _(error.hint) if isinstance(error, TemplateError) else error.hint


def page_hint(error: TourneyError) -> str:
    """Return the hint of a refusal as a page has it, where nobody can type a command: "" for one at a terminal."""
    hint = hint_of(error)
    return "" if for_terminal(hint) else hint


def status_of(error: TourneyError) -> int:
    """Return the HTTP status that says what kind of refusal this is."""
    if isinstance(error, ForbiddenError):
        return 403
    return 429 if isinstance(error, TooManyTriesError) else STATUS.get(error.code, 500)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor, as far as their cookie or token says who they are.

    A `table` has one table of one round of the event of that name; `player` sits there, if the phone has said whose it
    is. `device` tells two phones at one table apart. `name` is who makes the changes, as the journal has it.
    """

    audience: Audience = "everybody"
    event: str = ""
    table: Table | None = None
    player: Player | None = None
    device: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A page of HTML: its template, its title, and what the template needs.

    A `live` page is loaded again when the state changes. `cookies` are as in `Moved`; a page for everybody has none.
    """

    template: str
    title: str
    values: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200
    frame: FrameKind = "site"
    live: bool = True
    cookies: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """An answer that sends the visitor to another page, with cookies for it (name and value, "" deletes one)."""

    to: str
    cookies: tuple[tuple[str, str], ...] = ()


LEVEL: Final = 6
"""The level of compression of pages: the highest takes three times as long and saves 2 per cent of the standings."""


@dataclass(frozen=True, slots=True)
class Content:
    """An answer that is no page of ours: its bytes and their media type, and headers of its own.

    One that is kept for many visitors is `packed`: it has the tag of its bytes and these compressed, so that neither is
    made again for each of them.
    """

    body: bytes
    media: str
    status: int = 200
    cookies: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    kept_tag: str = ""
    zipped: bytes = b""

    @property
    def tag(self) -> str:
        """Return what tells these bytes from others, however they are compressed."""
        return self.kept_tag or f'W/"{sha256(self.body).hexdigest()[:24]}"'

    def packed(self) -> Content:
        """Return the content with its tag and its compressed bytes, where these are fewer."""
        is_packed = self.media.startswith(("image/", "font/"))
        zipped = b"" if is_packed else compress(self.body, LEVEL, mtime=0)
        return replace(self, kept_tag=self.tag, zipped=b"" if is_packed or len(zipped) >= len(self.body) else zipped)


Answer = View | Moved | Content
