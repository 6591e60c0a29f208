"""Constraints as they are typed, and as an event keeps them: apart, never together, together, and needed tables."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, groupby
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Constraint, Event
from tourney.domain.people import Player
from tourney.seating.constraints import Constraints
from tourney.seating.separate import largest_clique, separable
from tourney.service.directory import find_all
from tourney.text.i18n import _, fill, ngettext
from tourney.text.names import fold
from tourney.text.ranges import listed

CLUB: Final = "club"
"""The word in place of names that keeps the members of each club apart."""

_TABLE: Final = re.compile(r"\s*0*[1-9][0-9]{0,3}\s*", re.ASCII)


Find = Callable[[str], Player]
"""A function that returns the player of a name. Raises TourneyError NOT_FOUND for an unknown name."""


def read_constraints(
    people: Sequence[Player],
    find: Find,
    apart: Sequence[str] = (),
    together: Sequence[str] = (),
    tables: Sequence[str] = (),
    never: Sequence[str] = (),
) -> Constraints:
    """Return the constraints in the words of a command line; players are numbered by their place in `people`, from 0.

    Each text of `apart` has names, separated by commas, of players to be kept apart, or is the word `club`; each of
    `never` has names of players of whom no two ever share a table; each of `together` has names of players to be seated
    together; a name that has a comma is put between quotation marks. Each of `tables` is a name, `=`, and the number of
    the table needed. Raises TourneyError USAGE for other text, and for constraints that contradict each other;
    NOT_FOUND for an unknown name, REFUSED for clubs if nobody has one.
    """
    number_of = {player.shown: number for number, player in enumerate(people)}
    typed = [name for option, words in _texts(apart, together, never) for name in _several(option, words)]
    typed += [name for name, _table in map(_needed, tables)]
    meant = dict(zip(typed, find_all(find, typed), strict=True))

    def number(name: str) -> int:
        return number_of[meant[name].shown]

    def numbers(option: str, words: str) -> list[int]:
        found = list(map(number, _several(option, words)))
        if len(set(found)) < len(found):
            message = _("{option} “{words}” names somebody twice").format(option=option, words=words[:80])
            raise TourneyError(ExitCode.USAGE, message, _("name everybody once"))
        return found

    named = [frozenset(numbers("--apart", words)) for words in apart if not is_club(words)]
    groups = [group for words in apart if is_club(words) for group in clubs_of(people)] + named
    pairs = [pair for words in together for pair in combinations(numbers("--together", words), 2)]
    needed = [(number(name), table) for name, table in map(_needed, tables)]
    enemies = tuple(frozenset(numbers("--never", words)) for words in never)
    constraints = Constraints(tuple(named), tuple(pairs), tuple(dict.fromkeys(needed)), enemies)
    refuse_contradiction(people, constraints, _("leave one of the two constraints out"))
    return replace(constraints, apart=tuple(groups))


def refuse_lone_names(apart: Sequence[str], together: Sequence[str], never: Sequence[str]) -> None:
    """Raise TourneyError USAGE for a text that names fewer than two players, as one with blanks between them does."""
    for option, words in _texts(apart, together, never):
        _several(option, words)


def _texts(apart: Sequence[str], together: Sequence[str], never: Sequence[str]) -> list[tuple[str, str]]:
    """Return the texts that have names, each after its option."""
    texts = [("--apart", words) for words in apart if not is_club(words)]
    return texts + [("--together", words) for words in together] + [("--never", words) for words in never]


def constraints_of(event: Event) -> Constraints:
    """Return the event's constraints, with players by their ids and the present members of each club."""
    groups, never = (
        [
            frozenset(player.id for player in constraint.players)
            for constraint in event.constraints
            if constraint.kind == kind
        ]
        for kind in ("apart", "never")
    )
    if Constraint("clubs apart") in event.constraints and any(player.club for player in event.entrants):
        groups += [frozenset(event.entrants[place].id for place in club) for club in clubs_of(event.entrants)]
    pairs = [constraint.players for constraint in event.constraints if constraint.kind == "together"]
    needs = [
        (player.id, constraint.table or 1)
        for constraint in event.constraints
        if constraint.kind == "table"
        for player in constraint.players
    ]
    # Two players merged into one person have no constraint on each other.
    together = tuple((pair[0].id, pair[1].id) for pair in pairs if len(pair) == 2)
    return Constraints(tuple(groups), together, tuple(needs), tuple(never))


def refuse_contradiction(
    people: Sequence[Player], constraints: Constraints, hint: str, before: Constraints | None = None
) -> None:
    """Raise TourneyError USAGE for constraints that contradict each other, other than those `before` do already.

    They do if a player needs two tables, if two players are to be both kept apart and seated together, or if the tables
    that two players need contradict one of these. Merging two registrations can bring that about.
    """
    known = frozenset() if before is None else frozenset(_contradictions(people, before))
    message = next((text for text in _contradictions(people, constraints) if text not in known), "")
    if message:
        raise TourneyError(ExitCode.USAGE, message, hint)


def _contradictions(people: Sequence[Player], constraints: Constraints) -> Iterator[str]:
    names = [player.shown for player in people]
    needed = dict(constraints.tables)
    yield from _two_tables(names, constraints)
    yield from _not_together(names, constraints, needed)
    yield from _not_apart(names, constraints, needed)


def _two_tables(names: Sequence[str], constraints: Constraints) -> Iterator[str]:
    for (player, table), (other, other_table) in combinations(sorted(constraints.tables), 2):
        if player == other and table != other_table:
            message = _("{name} cannot sit at table {table} and at table {other}")
            yield message.format(name=names[player], table=table, other=other_table)


def _not_together(names: Sequence[str], constraints: Constraints, needed: Mapping[int, int]) -> Iterator[str]:
    for player, other in constraints.together:
        if any(group.issuperset((player, other)) for group in (*constraints.apart, *constraints.never)):
            message = _("{one} and {other} cannot be both kept apart and seated together")
            yield fill(message, one=names[player], other=names[other])
        elif {player, other} <= needed.keys() and needed[player] != needed[other]:
            message = _("{one} and {other} cannot be seated together: one needs table {here}, the other table {there}")
            yield fill(message, one=names[player], other=names[other], here=needed[player], there=needed[other])


def _not_apart(names: Sequence[str], constraints: Constraints, needed: Mapping[int, int]) -> Iterator[str]:
    for group in (*constraints.apart, *constraints.never):
        for player, other in combinations(sorted(group & needed.keys()), 2):
            if needed[player] == needed[other]:
                message = _("{one} and {other} cannot be kept apart: both need table {table}")
                yield fill(message, one=names[player], other=names[other], table=needed[player])


def refuse_crowd(constraints: Constraints, places: int, hint: str, before: Constraints | None = None) -> None:
    """Raise TourneyError REFUSED where more players need one table than it has places, and more than `before`."""
    known = Counter(() if before is None else (table for _player, table in before.tables))
    for table, number in Counter(table for _player, table in constraints.tables).items():
        if number > max(places, known[table]):
            message = _("{number} players need table {table}, which has {places} seats").format(
                number=number, table=table, places=places
            )
            raise TourneyError(ExitCode.REFUSED, message, hint)


def refuse_uncountable(
    people: Sequence[Player], constraints: Constraints, sizes: Sequence[int], byes: int, hint: str
) -> None:
    """Raise TourneyError REFUSED where counting alone shows that a round at tables of these sizes breaks a constraint.

    More players are to be kept apart than there are tables and byes, or no seating separates all pairs who never share
    a table.
    """
    if message := uncountable(people, constraints, sizes, byes):
        raise TourneyError(ExitCode.REFUSED, message, hint)


def uncountable(people: Sequence[Player], constraints: Constraints, sizes: Sequence[int], byes: int) -> str:
    """Return why a round at tables of these sizes breaks a constraint, as far as counting shows it; "" otherwise."""
    never = max((*constraints.never, frozenset(largest_clique(constraints.never_pairs))), key=len, default=frozenset())
    for group in (*constraints.apart, never):
        if len(group) > len(sizes) + byes:
            return counting_text(people, group, len(sizes))
    if separable(constraints.never_pairs, sizes, byes) == "impossible":
        return _("no round at tables of {sizes} separates all pairs who never share a table: {pairs}").format(
            sizes=", ".join(map(str, sizes)), pairs=pairs_text(people, constraints.never_pairs)
        )
    return ""


def counting_text(people: Sequence[Player], group: Collection[int], tables: int) -> str:
    """Return how many players are to be kept apart, at how many tables, and who they are."""
    players = ngettext("{number} player", "{number} players", len(group)).format(number=len(group))
    text = ngettext(
        "{players} to be kept apart at {number} table: {names}",
        "{players} to be kept apart at {number} tables: {names}",
        tables,
    )
    names = listed((people[player].shown for player in sorted(group)), 12)
    return text.format(players=players, number=tables, names=names)


def pairs_text(people: Sequence[Player], pairs: Collection[tuple[int, int]]) -> str:
    """Return pairs of players as a list in one line."""
    text = _("{one} and {other}")
    shown = (fill(text, one=people[one].shown, other=people[other].shown) for one, other in sorted(pairs))
    return listed(shown, 6)


def is_club(words: str) -> bool:
    """Return whether the text is the word `club`, for the members of each club."""
    return words.strip().lower() == CLUB


def clubs_of(people: Sequence[Player]) -> list[frozenset[int]]:
    """Return the members of each club by their places in `people`. Raises TourneyError REFUSED if nobody has a club."""
    members = sorted((fold(player.club), number) for number, player in enumerate(people) if player.club)
    if not members:
        message = _("nobody has a club, so --apart club names nobody")
        raise TourneyError(ExitCode.REFUSED, message, _("give names, or a file of players with a column `club`"))
    return [frozenset(number for _club, number in group) for _club, group in groupby(members, lambda member: member[0])]


def _several(option: str, words: str) -> list[str]:
    names = names_in(option, words)
    if len(names) < 2:
        message = _("{option} “{words}” names fewer than two").format(option=option, words=words[:80])
        raise TourneyError(
            ExitCode.USAGE, message, _('write names with commas between, as {option} "Ana,Beñat"').format(option=option)
        )
    return names


def name_in_list(name: str) -> str:
    """Return a name as `names_in` reads it: between quotation marks if it has a comma."""
    return '"{name}"'.format(name=name.replace('"', '""')) if "," in name or '"' in name else name


def names_in(option: str, words: str) -> list[str]:
    """Return the names of an option, which are separated by commas. Raises TourneyError USAGE if there is none."""
    parts = next(csv.reader([" ".join(words.split())], skipinitialspace=True), [])
    names = [name for name in (part.strip() for part in parts) if name]
    if not names:
        message = _("{option} “{words}” names nobody").format(option=option, words=words[:80])
        raise TourneyError(
            ExitCode.USAGE, message, _('write names with commas between, as {option} "Ana,Beñat"').format(option=option)
        )
    return names


def _needed(words: str) -> tuple[str, int]:
    name, _equals, table = words.rpartition("=")
    if not name.strip() or not _TABLE.fullmatch(table):
        message = _("--table “{words}” cannot be read").format(words=words[:80])
        raise TourneyError(ExitCode.USAGE, message, _('write who needs which table, as --table "Ana=3"'))
    return name, int(table)
