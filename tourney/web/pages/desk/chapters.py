"""The chapters of the desk, in the order of its navigation, and which page does what a command does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final
from urllib.parse import quote

from tourney.reports.documents import PRINTED
from tourney.text.i18n import _, marked
from tourney.web.render import Link

HOME: Final = "/desk"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the desk: the path of its first page, its name, and the pages that do what commands do.

    `commands` has a page's path by the words of a command, such as `round draw`; a path may have `{round}`, `{table}`
    and `{player}`, which are those of the command.
    """

    path: str
    text: str
    commands: Mapping[str, str] = field(default_factory=dict)


CHAPTERS: Final[tuple[Chapter, ...]] = (
    Chapter(
        HOME, marked("Now"), {"status": HOME, "undo": "/desk/undo", "log": "/desk/changes", "db backup": "/desk/backup"}
    ),
    Chapter(
        "/desk/people",
        marked("People"),
        {
            "event enter": "/desk/people/enrol",
            "event checkin": "/desk/people?show=missing",
            "event withdraw": "/desk/people?show=missing",
            "event return": "/desk/people?show=left",
            "event show": "/desk/people",
            "event constrain": "/desk/people/constraints",
        },
    ),
    Chapter(
        "/desk/rounds",
        marked("Rounds"),
        {
            "round draw": "/desk/rounds",
            "round publish": "/desk/rounds",
            "round show": "/desk/rounds",
            "round cancel": "/desk/rounds",
            "round clock": "/desk/rounds",
            "round move": "/desk/rounds/move?player={player}&to=out",
            "round dissolve": "/desk/rounds/dissolve?table={table}",
        },
    ),
    Chapter("/desk/stages", marked("Stages"), {"event cut": "/desk/stages"}),
    Chapter(
        "/desk/results",
        marked("Results"),
        {
            "result show": "/desk/results/{round}/{table}",
            "result enter": "/desk/results/{round}/{table}/enter",
            "result correct": "/desk/results/{round}/{table}/correct",
            "result void": "/desk/results/{round}/{table}",
        },
    ),
    Chapter(
        "/desk/rulings",
        marked("Calls and decisions"),
        dict.fromkeys(
            (
                *("result flag", "result flags", "result answer"),
                *("ruling add", "ruling penalty", "ruling list", "ruling cancel"),
            ),
            "/desk/rulings",
        )
        | {"rules ruling": "/desk/rulings/steps"},
    ),
    Chapter(
        "/desk/paper",
        marked("Paper and files"),
        {
            **{f"print {name}": "/desk/paper" for name in PRINTED},
            "event export": "/desk/paper/files",
            "site": "/desk/paper/files",
            "db mirror": "/desk/paper/mirrors",
        },
    ),
    Chapter(
        "/desk/events",
        marked("Events"),
        {
            "event new": "/desk/events/new",
            "event use": "/desk/events",
            "event list": "/desk/events",
            "event set": "/desk/events/settings",
            "event finish": "/desk/events/finish",
            "event delete": "/desk/events/delete",
            "event reopen": "/desk/events/finish",
            **dict.fromkeys(("club set", "club show"), "/desk/events/club"),
            "season new": "/desk/events/seasons",
            "season add": "/desk/events/seasons",
            "season remove": "/desk/events/seasons",
            "season delete": "/desk/events/seasons",
        },
    ),
)
"""The chapters; a new one adds a line here, and its pages to the table in this package."""


def links() -> Sequence[Link]:
    """Return the links of the desk's navigation."""
    return [Link(chapter.path, _(chapter.text)) for chapter in CHAPTERS]


def tools() -> Sequence[Link]:
    """Return the links that the head of every page of the desk has: what hangs on the wall, and what players hold."""
    return [
        Link("/desk/paper/phones", _("Phones")),
        Link("/desk/screen", _("Projector")),
        Link("/", _("Standings")),
    ]


def chapter_of(path: str) -> str:
    """Return the path of the chapter to which a page belongs."""
    found = (
        chapter.path for chapter in reversed(CHAPTERS) if path == chapter.path or path.startswith(f"{chapter.path}/")
    )
    return next(found, HOME)


def page_of(words: Sequence[str]) -> str:
    """Return the path of the page that does what a command does; "" if none does. `words` begin with `tourney`.

    A command that names no table leads to the chapter's first page, where one is chosen. One that lacks only what
    stands in the query leads to the page without it.
    """
    pages = {command: (path, chapter.path) for chapter in CHAPTERS for command, path in chapter.commands.items()}
    found, first = pages.get(" ".join(words[1:3])) or pages.get(" ".join(words[1:2])) or ("", "")
    for path in (found, found.partition("?")[0]):
        with suppress(KeyError):
            return path.format(**dict(_named(words)))
    return first


def _named(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the round and the table that a command names, and the player who leaves the round."""
    for name, value in pairwise(words):
        if name in ("--round", "--table") and value.isdecimal():
            yield name.removeprefix("--"), value
        if value == "--out":
            yield "player", quote(name, safe="")
