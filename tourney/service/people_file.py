"""People who are registered, and those of a file, cleaned and checked before anybody is registered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.files.description import PLAIN, Description
from tourney.text.i18n import _
from tourney.text.names import clean, fold, optional

if TYPE_CHECKING:
    from os import PathLike

    from tourney.files.rows import Row


ERASED = re.compile(r"erased-[0-9]+", re.ASCII)
"""The name that the program gives to a person whose name was erased."""
_DASHES = re.compile(r"[-\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d ]+")
"""A name of dashes alone, one of which rankings show for a person who is not published."""
_LABELLED = re.compile(r"(?P<name>[^()]*[^()\s])\s*\((?P<label>[^()]+)\)")


def read_people(path: str | PathLike[str], described: Description = PLAIN) -> list[storage.NewPerson]:
    """Return the people of a file, cleaned, in its order. Raises TourneyError REFUSED with file and line.

    What `standings` and `player list` write is read, too: a column `player` has names with their labels, and bots and
    people whose names were erased are left out.
    """
    return [storage.NewPerson(person.name, person.label, person.club) for person in people_in(path, described)]


def people_of(reader: storage.Reader) -> tuple[Player, ...]:
    """Return the people who are registered, without those whose names were erased."""
    return tuple(
        player
        for player in reader.people.players()
        if player.kind == "person" and not ERASED.fullmatch(fold(player.name))
    )


def people_in(path: str | PathLike[str], described: Description = PLAIN) -> list[Player]:
    """Return the people of a file as players who are not registered and have the id 0. Raises as `read_people`."""
    from tourney.files.named import refusal
    from tourney.files.rows import read_rows

    people: list[Player] = []
    lines: dict[str, int] = {}
    for row in read_rows(path, ("name",), ("label", "club", "kind"), {"name": ("name", "player")}, described):
        where = _("{path}, line {line}").format(path=path, line=row.line)
        if _is_nobody(row):
            continue
        name, label = _name_and_label(row)
        person = Player(
            0,
            person_name(name, where),
            label=optional(label, _("label"), where=where),
            club=optional(row.values.get("club", ""), _("club"), where=where),
        )
        folded = fold(person.shown)
        if folded in lines:
            message = _("“{name}” is in line {line} already").format(name=person.shown, line=lines[folded])
            hint = _("remove one, or tell two people apart by a column `label`")
            raise refusal(path, row.line, message, hint)
        lines[folded] = row.line
        people.append(person)
    return people


def _is_nobody(row: Row) -> bool:
    """Return whether a row of our own lists is a bot, or a person whose name was erased."""
    name = fold(row.values["name"])
    is_own_list = "kind" in row.values or row.headers["name"].casefold() == "player"
    return is_own_list and (row.values.get("kind") == "bot" or _bot_of(name) != "" or bool(ERASED.fullmatch(name)))


def _name_and_label(row: Row) -> tuple[str, str]:
    """Return name and label; a column `player` without one of labels has both, as in `Ana (Getxo)`."""
    name, label = row.values["name"], row.values.get("label")
    found = _LABELLED.fullmatch(name) if label is None and row.headers["name"].casefold() == "player" else None
    return (found["name"], found["label"]) if found else (name, label or "")


def _bot_of(folded: str) -> str:
    """Return the bot of which this is the name of a seat, such as greedy-1; "" for another name."""
    from tourney.rulebook.records import bot_names

    kind, dash, number = folded.rpartition("-")
    return kind if dash and number.isdigit() and kind.partition("?")[0] in bot_names() else ""


def person_name(text: str, where: str = "") -> str:
    """Return the name, cleaned. Refused: names of bots' seats such as greedy-1, of erased people, and of dashes."""
    name = clean(text, _("name"), where=where)
    kind, message = _bot_of(fold(name)), ""
    if kind:
        message = _("“{name}” is the name of a seat of the bot {bot}").format(name=name, bot=kind)
    elif _DASHES.fullmatch(name):
        message = _("“{name}” is kept for people hidden in rankings").format(name=name)
    elif ERASED.fullmatch(fold(name)):
        message = _("“{name}” is kept for people whose names were erased").format(name=name)
    if message:
        place = f"{where}: " if where else ""
        raise TourneyError(ExitCode.REFUSED, place + message, _("give the person another name"))
    return name
