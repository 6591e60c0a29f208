"""Seatings without an event: planned for so many players or the people of a file, judged, whoever made them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Final

from tourney.domain import ExitCode, Player, TourneyError
from tourney.names import clean
from tourney.seating import Aim, Round, Seating, Short, Wishes, plan
from tourney.seating.certificate import Certificate, certify
from tourney.seating_file import MOST_SEATS, SeatingFile, read_seating
from tourney.service.lookup import Directory, listed
from tourney.service.players import people_in
from tourney.service.version import program_version
from tourney.service.wish_words import read_wishes
from tourney.text import _, ngettext

MOST_PLAYERS: Final = 2_000
"""A search among more would take minutes, and the memory of their meetings gigabytes."""

MOST_ROUNDS: Final = 100


@dataclass(frozen=True, slots=True)
class SeatingWanted:
    """What a plan is made of. The players are so many unnamed ones, called 1, 2, 3 …, or those of a CSV file.

    `sizes` of the tables, where given, go before `size`. The rounds of the file `played` come first and stay as
    they are. Wishes are in the words of `read_wishes`.
    """

    players: int | None = None
    file: str | None = None
    rounds: int = 5
    size: int = 4
    sizes: tuple[int, ...] | None = None
    least: int = 2
    short: Short = "short tables"
    seed: str = "1"
    aim: Aim = "no third meeting"
    played: str | None = None
    apart: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NamedSeating:
    """A seating of people with names, and what it attained; the numbers in it are places in `names`.

    `numbers[r][t]` is that of the physical table `rounds[r][t]`. `source` is the file that it was read from.
    """

    names: tuple[str, ...]
    rounds: tuple[Round, ...]
    numbers: tuple[tuple[int, ...], ...]
    sitting_out: tuple[tuple[int, ...], ...]
    certificate: Certificate
    source: str = ""
    notes: tuple[str, ...] = ()


def planned(wanted: SeatingWanted) -> NamedSeating:
    """A seating of all rounds, the same for the same words everywhere.

    Raises TourneyError USAGE for words that cannot be read, NOT_FOUND for an unknown name or file, REFUSED, saying
    what to change, for what cannot be seated.
    """
    people = _people(wanted)
    _check(wanted, len(people))
    before = _Before.read(wanted, people)
    wishes = read_wishes(people, wanted.apart, wanted.together, wanted.tables)
    seating = _plan(wanted, len(people), before, wishes)
    certificate = certify(
        seating.rounds,
        len(people),
        played=len(before.rounds),
        aim=wanted.aim,
        wishes=wishes,
        method=seating.method,
        seed=_seed(wanted),
        version=program_version(),
    )
    names = (*(player.shown for player in people), *before.gone)
    numbers = tuple(tuple(range(1, len(tables) + 1)) for tables in seating.rounds)
    return NamedSeating(names, seating.rounds, numbers, seating.sitting_out, certificate, notes=before.notes())


def _plan(wanted: SeatingWanted, players: int, before: _Before, wishes: Wishes) -> Seating:
    """The plan; a refusal of the planner becomes one for people."""
    sizes = None if wanted.sizes is None else _given_sizes(wanted.sizes, players, wanted.short)
    try:
        return plan(
            players,
            wanted.size,
            wanted.rounds,
            _seed(wanted),
            least=wanted.least,
            short=wanted.short,
            sizes=sizes,
            played=before.rounds,
            sat_out=before.sat_out,
            aim=wanted.aim,
            wishes=wishes,
        )
    except ValueError as error:
        raise TourneyError(ExitCode.REFUSED, str(error), _("see `tourney seating plan -h`")) from error


def _seed(wanted: SeatingWanted) -> str:
    return clean(wanted.seed, _("seed"))


def judged(path: str | PathLike[str]) -> NamedSeating:
    """The seating in a file with its certificate, whoever made it: players are all that it names.

    Raises TourneyError as `read_seating` does, and REFUSED for more players than MOST_PLAYERS.
    """
    file = read_seating(path)
    names = file.names
    within(players_text(len(names)), len(names), 2, MOST_PLAYERS)
    number_of = {name: number for number, name in enumerate(names)}
    rounds = _numbered(file, number_of)
    out = tuple(tuple(sorted(set(range(len(names))).difference(*tables))) for tables in rounds)
    certificate = certify(rounds, len(names), numbers=file.numbers)
    return NamedSeating(names, rounds, file.numbers, out, certificate, str(path))


@dataclass(frozen=True, slots=True)
class _Before:
    """Rounds played already, in the players' numbers; `gone` are who is not among the players, numbered after them."""

    rounds: tuple[Round, ...] = ()
    sat_out: tuple[tuple[int, ...], ...] | None = None
    gone: tuple[str, ...] = ()

    @classmethod
    def read(cls, wanted: SeatingWanted, people: Sequence[Player]) -> _Before:
        """Those of the file that is named. Raises TourneyError REFUSED for more than are wished in all."""
        if wanted.played is None:
            return cls()
        file, directory = read_seating(wanted.played), Directory(people)
        if len(file.rounds) > wanted.rounds:
            text = _("{played} rounds are played, and {rounds} wished in all")
            message = text.format(played=len(file.rounds), rounds=wanted.rounds)
            raise TourneyError(ExitCode.REFUSED, message, _("count those played among --rounds"))
        known = {name: directory.known(name) for name in file.names}
        gone = tuple(name for name, player in known.items() if player is None)
        everybody = (*(player.shown for player in people), *gone)
        number_of = {name: number for number, name in enumerate(everybody)}
        number_of |= {name: number_of[player.shown] for name, player in known.items() if player is not None}
        sat_out = tuple(tuple(number_of[name] for name in out) for out in file.sitting_out)
        return cls(_numbered(file, number_of), sat_out if any(sat_out) else None, gone)

    def notes(self) -> tuple[str, ...]:
        """What somebody should know who has misspelled a name."""
        if not self.gone:
            return ()
        return (_("Not among the players, and taken to have left: {names}.").format(names=listed(self.gone, 12)),)


def _numbered(file: SeatingFile, number_of: dict[str, int]) -> tuple[Round, ...]:
    return tuple(tuple(tuple(number_of[name] for name in table) for table in tables) for tables in file.rounds)


def _people(wanted: SeatingWanted) -> list[Player]:
    """The players, each under another name."""
    if (wanted.players is None) == (wanted.file is None):
        message = _("who plays is said by one of --players and --file")
        raise TourneyError(ExitCode.USAGE, message, _("give one of them"))
    if wanted.file is not None:
        return people_in(wanted.file)
    number = wanted.players or 0
    within(players_text(number), number, 2, MOST_PLAYERS)
    return [Player(0, str(name)) for name in range(1, number + 1)]


def _check(wanted: SeatingWanted, players: int) -> None:
    within(players_text(players), players, 2, MOST_PLAYERS)
    within(rounds_text(wanted.rounds), wanted.rounds, 1, MOST_ROUNDS)
    for size in (wanted.size, *(wanted.sizes or ())):
        within(tables_text(size), size, 2, MOST_SEATS)
    smallest = ngettext("a smallest table of {number} player", "a smallest table of {number} players", wanted.least)
    within(smallest, wanted.least, 2, wanted.size)


def players_text(number: int) -> str:
    """So many players, the number left open."""
    return ngettext("{number} player", "{number} players", number)


def rounds_text(number: int) -> str:
    """So many rounds, the number left open."""
    return ngettext("{number} round", "{number} rounds", number)


def tables_text(size: int) -> str:
    """Tables of so many players, the number left open."""
    return ngettext("tables of {number} player", "tables of {number} players", size)


def within(what: str, number: float, least: int, most: int) -> None:
    """Raises TourneyError REFUSED for a number that no seating can have."""
    if not least <= number <= most:
        message = _("a seating cannot have {what}").format(what=what.format(number=number))
        raise TourneyError(ExitCode.REFUSED, message, _("{least} to {most} can be").format(least=least, most=most))


def _given_sizes(sizes: tuple[int, ...], players: int, short: Short) -> tuple[int, ...]:
    """The sizes, if they hold all players, or some are to sit out in turn."""
    places = sum(sizes)
    if places == players or (places < players and short == "sit out"):
        return sizes
    tables = " + ".join(map(str, sizes)) if len(sizes) <= 12 else _("{number} tables").format(number=len(sizes))
    message = _("{tables} give {places} places to {players} players").format(
        tables=tables, places=places, players=players
    )
    hint = _("give other sizes") if places > players else _('add a table, or let some rest with --short "sit out"')
    raise TourneyError(ExitCode.REFUSED, message, hint)
