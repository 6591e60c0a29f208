"""People who are registered, and those of a CSV file, cleaned and checked before anybody is registered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.text.i18n import _
from tourney.text.names import clean, fold, optional

if TYPE_CHECKING:
    from os import PathLike


ERASED = re.compile(r"erased-[0-9]+", re.ASCII)
"""The name that the program gives to a person whose name was erased."""


def read_people(path: str | PathLike[str]) -> list[storage.NewPerson]:
    """Return the people of a CSV file, cleaned, in its order. Raises TourneyError REFUSED with file and line."""
    return [storage.NewPerson(person.name, person.label, person.club) for person in people_in(path)]


def people_of(reader: storage.Reader) -> tuple[Player, ...]:
    """Return the people who are registered, without those whose names were erased."""
    return tuple(
        player for player in reader.players() if player.kind == "person" and not ERASED.fullmatch(fold(player.name))
    )


def people_in(path: str | PathLike[str]) -> list[Player]:
    """Return the people of a CSV file as players who are not registered and have the id 0. Raises as `read_people`."""
    from tourney.files.csv import read_rows, refusal

    people: list[Player] = []
    lines: dict[str, int] = {}
    for row in read_rows(path, ("name",), ("label", "club")):
        where = _("{path}, line {line}").format(path=path, line=row.line)
        values = row.values
        person = Player(
            0,
            person_name(values["name"], where),
            label=optional(values.get("label", ""), _("label"), where=where),
            club=optional(values.get("club", ""), _("club"), where=where),
        )
        folded = fold(person.shown)
        if folded in lines:
            message = _("“{name}” stands in line {line} already").format(name=person.shown, line=lines[folded])
            hint = _("remove one, or tell two people apart by a column `label`")
            raise refusal(path, row.line, message, hint)
        lines[folded] = row.line
        people.append(person)
    return people


def person_name(text: str, where: str = "") -> str:
    """Return the name, cleaned. Refused: names reserved for bots' seats, such as greedy-1, and for erased people."""
    from tourney.rulebook.records import bot_names

    name = clean(text, _("name"), where=where)
    kind, dash, number = fold(name).rpartition("-")
    message = ""
    if dash and number.isdigit() and kind in bot_names():
        message = _("“{name}” is the name of a seat of the bot {bot}").format(name=name, bot=kind)
    elif ERASED.fullmatch(fold(name)):
        message = _("“{name}” is kept for people whose names were erased").format(name=name)
    if message:
        place = f"{where}: " if where else ""
        raise TourneyError(ExitCode.REFUSED, place + message, _("give the person another name"))
    return name
