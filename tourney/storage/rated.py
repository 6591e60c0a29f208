"""What ratings are made of: the games of a pool in the order of rating, in stretches that a digest names each.

A stretch is what counts of a round of an event, or a results file. Whoever has folded stretches before knows by their
digests how far nothing has changed, and reads only the games behind. Nothing here grows with the number of games.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, cast

from sqlalchemy import Connection, delete, insert

from tourney.domain import PoolKind
from tourney.storage import journal, sqlite
from tourney.storage.parts import Part
from tourney.storage.schema import table
from tourney.storage.seals import Rows, damaged, seals
from tourney.storage.values import Known, Spot
from tourney.text import _

Game = tuple[Sequence[str], Sequence[int]]
"""The players of a game in source order, by number or by name, and the place of each."""
Sealed = Callable[[Part], Mapping[str, Rows]]
"""Reads the rows of a part, as `seals.sealed` does."""


class Stretch(NamedTuple):
    """Games that are rated one after the other: what counts for a kind of pool in a round of the event `of`, or

    (`round` 0) the results file of the import `of`. `digest` is over who played them and the places.
    """

    kind: PoolKind
    of: int
    round: int
    games: int
    digest: str


class History(Protocol):
    """The games of a pool, or of several."""

    def stretches(self, kind: PoolKind) -> Iterator[Stretch]:
        """Those that count for such a pool, in the order of rating."""

    def games(self, stretch: Stretch) -> Iterator[Game]:
        """The games of one of them, in order. Raises TourneyError STORAGE if they are not as they were written."""


class ImportedFiles:
    """The results files of a pool."""

    def __init__(self, connection: Connection, imports: Sequence[Any]) -> None:
        self._connection = connection
        self._imports = imports

    def stretches(self, kind: PoolKind) -> Iterator[Stretch]:
        """The files in the order in which they came."""
        return (Stretch(kind, row.id, 0, row.games, row.digest) for row in self._imports)

    def games(self, stretch: Stretch) -> Iterator[Game]:
        """The games of a file. That a row is not as it was written is perhaps found behind the last game."""
        taken = journal.RowsDigest()
        query = "SELECT game, name, place FROM pool_result WHERE pool_import = ? ORDER BY row"
        for _game, group in groupby(sqlite.stream(self._connection, query, (stretch.of,)), itemgetter(0)):
            numbers, names, places = zip(*group, strict=True)
            taken.add(numbers[0], names, places)
            yield names, places
        if taken.text() != stretch.digest:
            raise damaged(_("imported results are not those that were brought in"))


class ImportedRows:
    """The rows of an import of that number, made of games as they come; counted, and in the digest, when taken."""

    def __init__(self, number: int, games: Iterable[Game]) -> None:
        self.games = self.rows = 0
        self._number = number
        self._from = games
        self._taken = journal.RowsDigest()

    def __iter__(self) -> Iterator[tuple[int, int, int, str, int]]:
        """Each row as `pool_result` has it; games and rows count from 1."""
        for players, places in self._from:
            self.games += 1
            self._taken.add(self.games, players, places)
            for name, place in zip(players, places, strict=True):
                self.rows += 1
                yield self._number, self.rows, self.games, name, place

    def digest(self) -> str:
        """Over the rows so far: it names the file, however it was written."""
        return self._taken.text()


class PlayedRounds:
    """The rounds of all events, `events` being their numbers in the order of rating.

    What is kept of a round is good while the seats of its event and its own results have the seals that they had.
    """

    def __init__(self, connection: Connection, sealed: Sealed, events: Sequence[int]) -> None:
        self._connection = connection
        self._sealed = sealed
        self._order = Known({event: place for place, event in enumerate(events)})
        self._seals = _seals(connection)
        self._seats: tuple[int, Mapping[Spot, Sequence[str]]] = (0, {})
        self._kinds: Mapping[str, str] = {}
        self._good: dict[Spot, tuple[Stretch, ...]] = {}
        self._seated: dict[Spot, Mapping[Spot, Sequence[str]]] = {}
        self._look()

    def stretches(self, kind: PoolKind) -> Iterator[Stretch]:
        """What counts of each round, by event and round."""
        for spot in sorted(self._seals, key=lambda spot: (self._order[spot[0]], spot[1])):
            found = self._good[spot] if spot in self._good else _stretches(spot, self._text(spot))
            yield from (stretch for stretch in found if stretch.kind == kind)

    def games(self, stretch: Stretch) -> Iterator[Game]:
        """The games of a round, by table; players by their numbers."""
        spot = (stretch.of, stretch.round)
        text = self._kept_text(spot) if spot in self._good else self._text(spot)
        tables = next(tables for kind, _games, tables in _lines(text) if kind == stretch.kind)
        return ((players, places) for _number, players, places in json.loads(tables))

    def stale(self) -> list[Spot]:
        """Event and round of those of which nothing good is kept, and of those kept that are no more."""
        return sorted((self._seals.keys() - self._good.keys()) | self._gone)

    def keep(self, spot: Spot) -> None:
        """Keep what counts of that round now, in the place of what was kept before."""
        rounds = table("rated_round")
        self._connection.execute(delete(rounds).where(rounds.c.event == spot[0], rounds.c.round == spot[1]))
        if spot in self._seals:
            row = (*spot, *self._seals[spot], self._text(spot))
            values = dict(zip(("event", "round", "seats", "scores", "text"), row, strict=True))
            self._connection.execute(insert(rounds), [{**values, "checksum": journal.checksum(row)}])

    def _look(self) -> None:
        """See what is kept, and how good it is."""
        self._gone: set[Spot] = set()
        for *row, checksum in sqlite.stream(self._connection, f"SELECT {', '.join(_COLUMNS)} FROM rated_round"):
            event, number, seats, scores, text = row
            spot = (event, number)
            if spot not in self._seals:
                self._gone.add(spot)
            elif journal.checksum(row) == checksum and seats == self._seals[spot][0]:
                if scores == self._seals[spot][1]:
                    self._good[spot] = tuple(_stretches(spot, text))
                else:
                    self._seated[spot] = _seated(spot, text)

    def _kept_text(self, spot: Spot) -> str:
        query = "SELECT text FROM rated_round WHERE event = ? AND round = ?"
        return str(sqlite.rows(self._connection, query, spot)[0][0])

    def _text(self, spot: Spot) -> str:
        """What counts of a round as its rows say."""
        scores = self._sealed(Part("results", *spot))["score"]
        places = {
            at: [row.place for row in group] for at, group in groupby(scores, lambda row: (row.round, row.table_number))
        }
        seated = self._seated.get(spot, {})
        if not places.keys() <= seated.keys():
            seated = self._seats_of(spot[0])
        if not self._kinds:
            self._kinds = Known({str(row.id): row.kind for row in self._sealed(Part("players"))["player"]})
        return _text({at: (seated[at], there) for at, there in places.items()}, self._kinds)

    def _seats_of(self, event: int) -> Mapping[Spot, Sequence[str]]:
        """Who sits at the tables of an event; one event is remembered."""
        if self._seats[0] != event:
            rows = self._sealed(Part("rounds", event))["seat"]
            tables = groupby(rows, lambda row: (row.round, row.table_number))
            self._seats = (event, Known({at: [str(row.player) for row in group] for at, group in tables}))
        return self._seats[1]


_COLUMNS = ("event", "round", "seats", "scores", "text", "checksum")


def _seals(connection: Connection) -> dict[Spot, tuple[str, str]]:
    """The seals of each round's seats and results; of a round with rows and no seal an empty one, which never holds."""
    seats = {part.event: digest for part, digest in seals(connection, Part("rounds")).items()}
    scores = {(part.event, part.round): digest for part, digest in seals(connection, Part("results")).items()}
    there = sqlite.rows(connection, "SELECT DISTINCT event, round FROM result")
    return {spot: (seats.get(spot[0], ""), scores.get(spot, "")) for spot in {*scores, *there}}


def _text(tables: Mapping[Spot, Game], kinds: Mapping[str, str]) -> str:
    """A line for each kind of pool for which tables count: its name, how many, and table, players and places."""
    lines: dict[str, list[object]] = {}
    for (_round, number), (players, places) in tables.items():
        there = {kinds[player] for player in players}
        kind = "joint" if len(there) > 1 else "people" if there == {"person"} else "bots"
        lines.setdefault(kind, []).append((number, players, places))
    return "\n".join(f"{kind} {len(found)} {journal.canonical(found)}" for kind, found in sorted(lines.items()))


def _lines(text: str) -> Iterator[tuple[PoolKind, int, str]]:
    """Kind, number of games and tables of each line."""
    for line in text.splitlines():
        kind, games, tables = line.split(" ", 2)
        yield cast("PoolKind", kind), int(games), tables


def _stretches(spot: Spot, text: str) -> Iterator[Stretch]:
    for kind, games, tables in _lines(text):
        yield Stretch(kind, *spot, games, journal.digest(tables))


def _seated(spot: Spot, text: str) -> dict[Spot, Sequence[str]]:
    """Who sits at each of the tables."""
    tables = (each for _kind, _games, tables in _lines(text) for each in json.loads(tables))
    return {(spot[1], number): players for number, players, _places in tables}
