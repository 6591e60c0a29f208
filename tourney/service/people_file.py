"""People of a CSV file, cleaned and checked before anybody is registered."""

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


_ERASED = re.compile(r"erased-[0-9]+", re.ASCII)
"""What the program calls a person whose name was erased."""


def read_people(path: str | PathLike[str]) -> list[storage.NewPerson]:
    """The people of a CSV file, cleaned, in its order. Raises TourneyError REFUSED with file and line."""
    return [storage.NewPerson(one.name, one.label, one.club) for one in people_in(path)]


def people_in(path: str | PathLike[str]) -> list[Player]:
    """The same as players whom nobody has registered, of number 0."""
    from tourney.files.csv import read_rows, refusal

    people: list[Player] = []
    lines: dict[str, int] = {}
    for row in read_rows(path, ("name",), ("label", "club")):
        where = _("{path}, line {line}").format(path=path, line=row.line)
        values = row.values
        person = Player(
            0,
            _person_name(values["name"], where),
            label=optional(values.get("label", ""), _("label"), where=where),
            club=optional(values.get("club", ""), _("club"), where=where),
        )
        folded = fold(person.shown)
        if folded in lines:
            twice = _("“{name}” stands in line {line} already").format(name=person.shown, line=lines[folded])
            hint = _("remove one, or tell two people apart by a column `label`")
            raise refusal(path, row.line, twice, hint)
        lines[folded] = row.line
        people.append(person)
    return people


def _person_name(text: str, where: str = "") -> str:
    """The name, cleaned; what a bot's seat would be called, such as greedy-1, is no person's name."""
    from tourney.rulebook import bot_names

    name = clean(text, _("name"), where=where)
    kind, dash, number = fold(name).rpartition("-")
    if dash and number.isdigit() and kind in bot_names():
        message = _("“{name}” is what a seat of the bot {bot} is called").format(name=name, bot=kind)
        place = f"{where}: " if where else ""
        raise TourneyError(ExitCode.REFUSED, place + message, _("give the person another name"))
    if _ERASED.fullmatch(fold(name)):
        message = _("“{name}” is what a person is called whose name was erased").format(name=name)
        place = f"{where}: " if where else ""
        raise TourneyError(ExitCode.REFUSED, place + message, _("give the person another name"))
    return name
