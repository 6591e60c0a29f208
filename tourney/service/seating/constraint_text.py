"""Wishes as somebody types them, and as an event keeps them: whom not to meet, whom to meet, which table is needed."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, groupby
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Constraint, Event
from tourney.domain.people import Player
from tourney.seating.constraints import Constraints
from tourney.text.i18n import _
from tourney.text.names import fold

CLUB: Final = "club"
"""Said instead of names: who should not meet are the members of each club."""

_TABLE: Final = re.compile(r"\s*0*[1-9][0-9]{0,3}\s*", re.ASCII)


Find = Callable[[str], Player]
"""Who is meant by a name; TourneyError NOT_FOUND for nobody."""


def read_constraints(
    people: Sequence[Player],
    find: Find,
    apart: Sequence[str] = (),
    together: Sequence[str] = (),
    tables: Sequence[str] = (),
) -> Constraints:
    """The wishes of these players, numbered as they stand, in the words of a command line.

    Of each of `apart`, names with commas between or the word `club`, no two should meet; of each of `together` all
    wish to; a name with a comma of its own stands between quotation marks. Each of `tables` is a name, `=`, and the
    number of the table needed. Raises TourneyError USAGE for other words, and for wishes that contradict each other;
    NOT_FOUND for an unknown name, REFUSED for clubs where nobody has one.
    """
    number_of = {player.shown: number for number, player in enumerate(people)}

    def number(name: str) -> int:
        return number_of[find(name).shown]

    def numbers(option: str, said: str) -> list[int]:
        found = list(map(number, _several(option, said)))
        if len(set(found)) < len(found):
            message = _("{option} “{said}” names somebody twice").format(option=option, said=said[:80])
            raise TourneyError(ExitCode.USAGE, message, _("name everybody once"))
        return found

    named = [frozenset(numbers("--apart", said)) for said in apart if not is_club(said)]
    groups = [group for said in apart if is_club(said) for group in clubs_of(people)] + named
    pairs = [pair for said in together for pair in combinations(numbers("--together", said), 2)]
    needed = [(number(name), table) for name, table in map(_needed, tables)]
    constraints = Constraints(tuple(named), tuple(pairs), tuple(dict.fromkeys(needed)))
    refuse_contradiction(people, constraints, _("leave one of the two wishes out"))
    return replace(constraints, apart=tuple(groups))


def constraints_of(event: Event) -> Constraints:
    """The event's wishes, its players by their ids; the members of a club are who is in it now."""
    groups = [frozenset(player.id for player in one.players) for one in event.constraints if one.kind == "apart"]
    if Constraint("clubs apart") in event.constraints and any(player.club for player in event.entrants):
        groups += [frozenset(event.entrants[place].id for place in club) for club in clubs_of(event.entrants)]
    pairs = [one.players for one in event.constraints if one.kind == "together"]
    needs = [(player.id, one.table or 1) for one in event.constraints if one.kind == "table" for player in one.players]
    # Two who have become one person wish nothing of each other.
    together = tuple((pair[0].id, pair[1].id) for pair in pairs if len(pair) == 2)
    return Constraints(tuple(groups), together, tuple(needs))


def refuse_contradiction(people: Sequence[Player], constraints: Constraints, hint: str) -> None:
    """Raises TourneyError USAGE for who needs two tables, for two who are named to be kept apart and brought together,
    and for two of whom one of these goes against the tables they need."""
    names = [player.shown for player in people]
    needed = dict(constraints.tables)
    said = next(
        chain(
            _two_tables(names, constraints),
            _not_together(names, constraints, needed),
            _not_apart(names, constraints, needed),
        ),
        "",
    )
    if said:
        raise TourneyError(ExitCode.USAGE, said, hint)


def _two_tables(names: Sequence[str], constraints: Constraints) -> Iterator[str]:
    for (one, here), (other, there) in combinations(sorted(constraints.tables), 2):
        if one == other and here != there:
            said = _("{name} cannot sit at table {one} and at table {other}")
            yield said.format(name=names[one], one=here, other=there)


def _not_together(names: Sequence[str], constraints: Constraints, needed: Mapping[int, int]) -> Iterator[str]:
    for one, other in constraints.together:
        if any(group.issuperset((one, other)) for group in constraints.apart):
            said = _("{one} and {other} cannot be kept apart and brought together")
            yield said.format(one=names[one], other=names[other])
        elif {one, other} <= needed.keys() and needed[one] != needed[other]:
            said = _("{one} and {other} cannot be brought together: one needs table {here}, the other table {there}")
            yield said.format(one=names[one], other=names[other], here=needed[one], there=needed[other])


def _not_apart(names: Sequence[str], constraints: Constraints, needed: Mapping[int, int]) -> Iterator[str]:
    for group in constraints.apart:
        for one, other in combinations(sorted(group & needed.keys()), 2):
            if needed[one] == needed[other]:
                said = _("{one} and {other} cannot be kept apart: both need table {table}")
                yield said.format(one=names[one], other=names[other], table=needed[one])


def refuse_crowd(constraints: Constraints, places: int, hint: str) -> None:
    """Raises TourneyError REFUSED where more players need one table than it has places."""
    for table, number in Counter(table for _player, table in constraints.tables).items():
        if number > places:
            message = _("{number} players need table {table}, where {places} can sit").format(
                number=number, table=table, places=places
            )
            raise TourneyError(ExitCode.REFUSED, message, hint)


def is_club(said: str) -> bool:
    """Whether `--apart` says the word for the members of each club."""
    return said.strip().lower() == CLUB


def clubs_of(people: Sequence[Player]) -> list[frozenset[int]]:
    """The members of each club. Raises TourneyError REFUSED where nobody has one."""
    members = sorted((fold(player.club), number) for number, player in enumerate(people) if player.club)
    if not members:
        message = _("nobody plays for a club, so that --apart club means nobody")
        raise TourneyError(ExitCode.REFUSED, message, _("give names, or a file of players with a column `club`"))
    return [frozenset(number for _club, number in group) for _club, group in groupby(members, lambda one: one[0])]


def _several(option: str, said: str) -> list[str]:
    parts = next(csv.reader([said.replace("\n", " ")], skipinitialspace=True), [])
    names = [name for name in (part.strip() for part in parts) if name]
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
