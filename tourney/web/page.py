"""A page as a value: its path, who may open it, what is asked of it, and the function that answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal
from urllib.parse import parse_qsl

from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.i18n import _
from tourney.web.answers import Answer, Audience, ClosedLinkError, Visitor
from tourney.web.server import Server

Method = Literal["GET", "POST"]
SIGNING_IN: Final = "sign-in"
"""The kind of the pages that sign a desk in, and the first part of their paths."""
MOST_FIELDS: Final = 2000
"""The most fields of a form: ours have at most a few for each of 200 players."""


@dataclass(frozen=True)
class Asked:
    """A request for a page: its visitor, the parts of its path and its query, and its body.

    `method` is "POST" for a submitted form. `language` is the one that the visitor asks for, "" if none that we have;
    `address` is that of their device, `host` the name under which they ask, `url` the path as they see it. Cookies are
    only for `tourney.web.access`. `content_type` is that of the body, `agent` what the browser calls itself.
    """

    server: Server
    method: Method = "GET"
    visitor: Visitor = field(default_factory=Visitor)
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    language: str = ""
    address: str = ""
    host: str = ""
    url: str = "/"
    content_type: str = ""
    agent: str = ""

    def by(self, visitor: Visitor) -> Asked:
        """Return what this visitor asks."""
        return replace(self, visitor=visitor)

    @property
    def db(self) -> str | None:
        """Return the database that is served."""
        return self.server.settings.db

    @cached_property
    def form(self) -> Mapping[str, Sequence[str]]:
        """The fields of a submitted form, each with its values in order.

        Raises TourneyError USAGE if there are more than MOST_FIELDS.
        """
        values: dict[str, list[str]] = {}
        body = self.body.decode("utf-8", "replace")
        try:
            fields = parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
        except ValueError:
            message = _("this is too much at once: a form has at most {n} fields").format(n=MOST_FIELDS)
            raise TourneyError(ExitCode.USAGE, message, _("send it in parts")) from None
        for name, value in fields:
            values.setdefault(name, []).append(value)
        return values

    def field(self, name: str) -> str:
        """Return the one value of a form's field; "" if it is missing."""
        return next(iter(self.form.get(name, ())), "")


@dataclass(frozen=True, slots=True)
class Page:
    """A line of the table of routes: a path, the function that answers, and who may ask.

    `query` has the fields of the query that the page reads. A page for everybody that is read is rendered once for all
    visitors, unless it is `private`; the others are never kept. `closed` answers in place of the page of a table whose
    link opens nothing, or nothing any more. `most_bytes` is the length of the longest body, where it may be
    longer than elsewhere. A `slow` page reads a long history: of these, one at a time is made. So it is with pages that
    sign a desk in, which wait for no others.
    """

    path: str
    answer: Callable[[Asked], Answer]
    audience: Audience = "everybody"
    method: Method = "GET"
    query: tuple[str, ...] = ()
    private: bool = False
    closed: Callable[[Asked, ClosedLinkError], Answer] | None = None
    most_bytes: int = 0
    slow: bool = False

    @property
    def kind(self) -> str:
        """Return the kind of the page, of which one at a time is made for all but desks."""
        if self.path.startswith(f"/{SIGNING_IN}"):
            return SIGNING_IN
        return "slow" if self.slow else self.audience
