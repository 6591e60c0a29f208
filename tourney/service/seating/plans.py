"""Seatings without an event: planned for a number of players or the people of a file, or judged from a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from typing import Final

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.people import Player
from tourney.files.seating import MAX_SEATS, SeatingFile, read_seating
from tourney.seating.constraints import Constraints
from tourney.seating.model import MOST_PLAYERS, MOST_ROUNDS, Aim, Remainder, Round, Seating, SeatingError, table_sizes
from tourney.seating.plan import PlanWish, plan
from tourney.seating.quality.bounds import Certificate, certify
from tourney.seating.separate import shared
from tourney.service.directory import Directory
from tourney.service.people_file import people_in
from tourney.service.seating.constraint_text import (
    is_club,
    pairs_text,
    read_constraints,
    refuse_crowd,
    refuse_uncountable,
)
from tourney.service.version import seating_version
from tourney.text.i18n import _, ngettext
from tourney.text.names import clean
from tourney.text.ranges import listed

USUAL_SIZE: Final = 4


@dataclass(frozen=True, slots=True)
class SeatingRequest:
    """A request for a plan. The players are a number of them, called 1, 2, 3 …, or those of a CSV file.

    Every table has `size` players (by default four), or `sizes` gives the size of each; only one of the two may be
    given. The rounds of the file `played` come first and do not change. Constraints are in the syntax that
    `read_constraints` reads.
    """

    players: int | None = None
    file: str | None = None
    rounds: int = 5
    size: int | None = None
    sizes: tuple[int, ...] | None = None
    least: int = 2
    short: Remainder = "short tables"
    seed: str = "1"
    aim: Aim = "no third meeting"
    played: str | None = None
    apart: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedSeating:
    """A seating of people with names, and its certificate; players are indices of `names`, from 0.

    `numbers[r][t]` is the number of the physical table of `rounds[r][t]`. `source` is the file of the seating, if any.
    """

    names: tuple[str, ...]
    rounds: tuple[Round, ...]
    numbers: tuple[tuple[int, ...], ...]
    sitting_out: tuple[tuple[int, ...], ...]
    certificate: Certificate
    source: str = ""
    notes: tuple[str, ...] = ()


def planned_seating(request: SeatingRequest) -> NamedSeating:
    """Return a planned seating of all rounds; equal requests give equal plans on every machine.

    Raises TourneyError USAGE for options that cannot be read or that contradict each other, NOT_FOUND for an unknown
    name or file, REFUSED, with a hint on what to change, if no seating is possible.
    """
    people = _people(request)
    _check(request, len(people))
    sizes = _sizes(request, len(people))
    before = _Before.read(request, people)
    constraints = _constraints(request, people, sizes)
    seating = _plan(request, len(people), sizes, before, constraints)
    _refuse_together(people, seating, len(before.rounds), constraints)
    judged = certify(seating.rounds, len(people), played=len(before.rounds), aim=request.aim, constraints=constraints)
    certificate = replace(
        judged,
        level=seating.level,
        method=seating.method,
        seed=_seed(request),
        version=seating_version(),
    )
    names = (*(player.shown for player in people), *before.gone)
    numbers = tuple(tuple(range(1, len(tables) + 1)) for tables in seating.rounds)
    return NamedSeating(names, seating.rounds, numbers, seating.sitting_out, certificate, notes=before.notes())


def _refuse_together(people: Sequence[Player], seating: Seating, played: int, constraints: Constraints) -> None:
    """Raise TourneyError REFUSED for a planned round in which two players share a table who never do."""
    for number, tables in enumerate(seating.rounds[played:], played + 1):
        if pairs := shared(tables, constraints.never_pairs):
            message = _("round {round} cannot be seated without a table that {pairs} share").format(
                round=number, pairs=pairs_text(people, pairs)
            )
            raise TourneyError(ExitCode.REFUSED, message, _("leave somebody out, or have more tables"))


def _plan(
    request: SeatingRequest, players: int, sizes: tuple[int, ...], before: _Before, constraints: Constraints
) -> Seating:
    with _refusals():
        return plan(
            players,
            _size(request),
            request.rounds,
            _seed(request),
            PlanWish(
                sizes=sizes, played=before.rounds, sat_out=before.sat_out, aim=request.aim, constraints=constraints
            ),
        )


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn an error of the planner into TourneyError REFUSED."""
    try:
        yield
    except SeatingError as error:
        message = _(error.template).format(**error.values)
        raise TourneyError(ExitCode.REFUSED, message, _("see `tourney seating plan -h`")) from error


def _sizes(request: SeatingRequest, players: int) -> tuple[int, ...]:
    """Return the size of each table."""
    if request.sizes is not None:
        return _given_sizes(request.sizes, players, request.short)
    with _refusals():
        return table_sizes(players, _size(request), request.least, request.short)


def _constraints(request: SeatingRequest, people: Sequence[Player], sizes: tuple[int, ...]) -> Constraints:
    """Return the constraints.

    Raises TourneyError as `read_constraints` does, and REFUSED for a table that no round has, or that more players need
    than it seats.
    """
    hint = _("the players are called as in {file}").format(file=request.file)
    if request.file is None:
        hint = _("the players are called 1 to {number}").format(number=len(people))
    find = partial(Directory(people).find, hint=hint)
    constraints = read_constraints(people, find, request.apart, request.together, request.tables, request.never)
    for player, table in constraints.tables:
        if table > len(sizes):
            text = ngettext(
                "{name} cannot sit at table {table}: there is {number} table",
                "{name} cannot sit at table {table}: there are {number} tables",
                len(sizes),
            )
            message = text.format(name=people[player].shown, table=table, number=len(sizes))
            raise TourneyError(ExitCode.REFUSED, message, _("give the number of a table in use"))
    refuse_crowd(constraints, max(sizes), _("give some of them another table"))
    hint = _("leave somebody out, or have more tables")
    refuse_uncountable(people, constraints, sizes, len(people) - sum(sizes), hint)
    return constraints


def _size(request: SeatingRequest) -> int:
    return USUAL_SIZE if request.size is None else request.size


def _seed(request: SeatingRequest) -> str:
    return clean(request.seed, _("seed"))


def judged_seating(
    path: str | PathLike[str], apart: Sequence[str] = (), together: Sequence[str] = (), tables: Sequence[str] = ()
) -> NamedSeating:
    """Return the seating in a file with its certificate; its players are all those that the file names.

    Constraints, in the syntax that `read_constraints` reads, are judged too. Raises TourneyError as `read_constraints`
    and `read_seating` do, and REFUSED for more than MOST_PLAYERS players and for clubs, which such files do not have.
    """
    if any(map(is_club, apart)):
        message = _("a seating does not say who plays for which club")
        raise TourneyError(ExitCode.REFUSED, message, _('name the members of each club, as --apart "Ana,Beñat"'))
    file = read_seating(path)
    names = file.names
    within(players_text(len(names)), len(names), 2, MOST_PLAYERS)
    number_of = {name: number for number, name in enumerate(names)}
    rounds = _numbered(file, number_of)
    out = tuple(tuple(sorted(set(range(len(names))).difference(*tables))) for tables in rounds)
    people = [Player(0, name) for name in names]
    find = partial(Directory(people).find, hint=_("the players are called as in {file}").format(file=path))
    constraints = read_constraints(people, find, apart, together, tables)
    certificate = certify(rounds, len(names), numbers=file.numbers, constraints=constraints)
    return NamedSeating(names, rounds, file.numbers, out, certificate, str(path))


@dataclass(frozen=True, slots=True)
class _Before:
    """The rounds played already, by players' numbers; `gone` are people who have left, numbered after the players."""

    rounds: tuple[Round, ...] = ()
    sat_out: tuple[tuple[int, ...], ...] | None = None
    gone: tuple[str, ...] = ()

    @classmethod
    def read(cls, request: SeatingRequest, people: Sequence[Player]) -> _Before:
        """Read the file of rounds played. Raises TourneyError REFUSED for more rounds than are wanted in all."""
        if request.played is None:
            return cls()
        file, directory = read_seating(request.played), Directory(people)
        if len(file.rounds) > request.rounds:
            text = _("{played} rounds are played, and {rounds} are wanted in all")
            message = text.format(played=len(file.rounds), rounds=request.rounds)
            raise TourneyError(ExitCode.REFUSED, message, _("include the rounds played in --rounds"))
        known = {name: directory.known(name) for name in file.names}
        gone = tuple(name for name, player in known.items() if player is None)
        everybody = (*(player.shown for player in people), *gone)
        number_of = {name: number for number, name in enumerate(everybody)}
        number_of |= {name: number_of[player.shown] for name, player in known.items() if player is not None}
        sat_out = tuple(tuple(number_of[name] for name in out) for out in file.sitting_out)
        return cls(_numbered(file, number_of), sat_out if any(sat_out) else None, gone)

    def notes(self) -> tuple[str, ...]:
        """Return a note on unknown names, which may be misspelled."""
        if not self.gone:
            return ()
        return (_("Not among the players, so counted as having left: {names}.").format(names=listed(self.gone, 12)),)


def _numbered(file: SeatingFile, number_of: dict[str, int]) -> tuple[Round, ...]:
    return tuple(tuple(tuple(number_of[name] for name in table) for table in tables) for tables in file.rounds)


def _people(request: SeatingRequest) -> list[Player]:
    """Return the players, each under a different name."""
    if (request.players is None) == (request.file is None):
        message = _("give either --players or --file")
        raise TourneyError(ExitCode.USAGE, message, _("for example --players 16"))
    if request.file is not None:
        return people_in(request.file)
    number = request.players or 0
    within(players_text(number), number, 2, MOST_PLAYERS)
    return [Player(0, str(name)) for name in range(1, number + 1)]


def _check(request: SeatingRequest, players: int) -> None:
    within(players_text(players), players, 2, MOST_PLAYERS)
    within(rounds_text(request.rounds), request.rounds, 1, MOST_ROUNDS)
    if request.sizes is not None and request.size is not None:
        message = _("--size and --sizes contradict each other")
        raise TourneyError(ExitCode.USAGE, message, _("for example --players 16"))
    for size in request.sizes or (_size(request),):
        within(tables_text(size), size, 2, MAX_SEATS)
    smallest = ngettext("a smallest table of {number} player", "a smallest table of {number} players", request.least)
    within(smallest, request.least, 2, _size(request) if request.sizes is None else MAX_SEATS)
    if request.sizes is not None and min(request.sizes) < request.least:
        message = _("--sizes has a table of {size}, and --least allows none below {least}").format(
            size=min(request.sizes), least=request.least
        )
        raise TourneyError(ExitCode.USAGE, message, _("change one of them"))


def players_text(number: int) -> str:
    """Return the singular or plural template for that many players; the caller fills in {number}."""
    return ngettext("{number} player", "{number} players", number)


def rounds_text(number: int) -> str:
    """Return the singular or plural template for that many rounds; the caller fills in {number}."""
    return ngettext("{number} round", "{number} rounds", number)


def tables_text(size: int) -> str:
    """Return the singular or plural template for tables of that many players; the caller fills in {number}."""
    return ngettext("tables of {number} player", "tables of {number} players", size)


def within(quantity: str, number: float, least: int, most: int, rules: str = "") -> None:
    """Raise TourneyError REFUSED unless the number is between the limits, those of `rules` if they are named."""
    if not least <= number <= most:
        message = _("a seating cannot have {quantity}").format(quantity=quantity.format(number=number))
        hint = _("the rules {rules} allow {least} to {most}") if rules else _("{least} to {most} are allowed")
        raise TourneyError(ExitCode.REFUSED, message, hint.format(least=least, most=most, rules=rules))


def _given_sizes(sizes: tuple[int, ...], players: int, short: Remainder) -> tuple[int, ...]:
    """Return the sizes. Raises TourneyError REFUSED unless they hold all players, or byes are allowed."""
    places = sum(sizes)
    if places == players or (places < players and short == "sit out"):
        return sizes
    tables = " + ".join(map(str, sizes)) if len(sizes) <= 12 else _("{number} tables").format(number=len(sizes))
    message = _("{tables} have {places} places for {players} players").format(
        tables=tables, places=places, players=players
    )
    hint = _("give other sizes") if places > players else _('add a table, or give byes with --short "sit out"')
    raise TourneyError(ExitCode.REFUSED, message, hint)
