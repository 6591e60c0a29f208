"""Wishes as somebody types them: whom not to meet, whom to meet, which table is needed."""

import re
from collections.abc import Sequence
from itertools import combinations, groupby
from typing import Final

from tourney.domain import ExitCode, Player, TourneyError
from tourney.names import fold
from tourney.seating import Wishes
from tourney.service.lookup import Directory
from tourney.text import _

CLUB: Final = "club"
"""Said instead of names: who should not meet are the members of each club."""

_TABLE: Final = re.compile(r"\s*0*[1-9][0-9]{0,3}\s*", re.ASCII)


def read_wishes(
    people: Sequence[Player], apart: Sequence[str] = (), together: Sequence[str] = (), tables: Sequence[str] = ()
) -> Wishes:
    """The wishes of these players, numbered as they stand, in the words of a command line.

    Of each of `apart`, names with commas between or the word `club`, no two should meet; of each of `together` all
    wish to; each of `tables` is a name, `=`, and the number of the table needed. Raises TourneyError USAGE for other
    words, NOT_FOUND for an unknown name, REFUSED for clubs where nobody has one.
    """
    directory = Directory(people)
    number_of = {player.shown: number for number, player in enumerate(people)}

    def number(name: str) -> int:
        return number_of[directory.find(name, _("see who plays")).shown]

    groups: list[frozenset[int]] = []
    for said in apart:
        if said.strip().lower() == CLUB:
            groups += _clubs(people)
        else:
            groups.append(frozenset(map(number, _several("--apart", said))))
    pairs = [pair for said in together for pair in combinations(map(number, _several("--together", said)), 2)]
    needed = [(number(name), table) for name, table in map(_needed, tables)]
    return Wishes(tuple(groups), tuple(pairs), tuple(needed))


def _clubs(people: Sequence[Player]) -> list[frozenset[int]]:
    """The members of each club. Raises TourneyError REFUSED where nobody has one."""
    members = sorted((fold(player.club), number) for number, player in enumerate(people) if player.club)
    if not members:
        message = _("nobody plays for a club, so that --apart club means nobody")
        raise TourneyError(ExitCode.REFUSED, message, _("give --file with a column `club`, or names"))
    return [frozenset(number for _club, number in group) for _club, group in groupby(members, lambda one: one[0])]


def _several(option: str, said: str) -> list[str]:
    names = [name for name in (part.strip() for part in said.split(",")) if name]
    if len(names) < 2:
        message = _("{option} “{said}” names fewer than two").format(option=option, said=said[:80])
        raise TourneyError(
            ExitCode.USAGE, message, _('write names with commas between, as {option} "Ana,Beñat"').format(option=option)
        )
    return names


def _needed(said: str) -> tuple[str, int]:
    name, _equals, table = said.rpartition("=")
    if not name.strip() or not _TABLE.fullmatch(table):
        message = _("--table “{said}” cannot be read").format(said=said[:80])
        raise TourneyError(ExitCode.USAGE, message, _('write who needs which table, as --table "Ana=3"'))
    return name, int(table)
