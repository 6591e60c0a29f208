"""The games of a pool in the order of rating, in batches identified by a digest each.

A batch holds the games of one round of an event, or of one results file. The digests of batches show up to where a
cached rating is valid, so that only later games are read. No memory here grows with the number of games.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from sys import intern
from typing import Literal, NamedTuple, Protocol, cast

from sqlalchemy import Connection

from tourney.domain.people import Player
from tourney.domain.pools import PoolKind
from tourney.storage import sqlite
from tourney.storage.journal.canonical import RowsDigest, canonical_json, row_checksum, sha256
from tourney.storage.journal.checksums import Rows, damaged, written_checksums, wrong_checksum
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.partitions import Partition
from tourney.storage.rows import Known, Spot
from tourney.text.i18n import _

Game = tuple[Sequence[str], Sequence[int]]
"""The players of a game, by number or by name, in the order of their seats or of their file; and each one's place."""
HandPoints = tuple[Sequence[str], Sequence[int]]
"""The players of a hand in the order of their seats, and the points of each, of which the fewest are the best."""
Attribute = Literal["days", "names"]
"""An attribute that a results file may have for its games."""
Changes = Sequence[tuple[int, str]]
"""Values of an attribute, each with the number of the first game (from 1) that has it."""
ReadRows = Callable[[Partition], Mapping[str, Rows]]
"""A function that reads the rows of a partition, as `checksums.verified_rows` does."""
Seated = Mapping[int, Sequence[str]]
"""The players of a round's tables, by number, in seat order."""

StandIns = Mapping[tuple[int, str], str | None]
"""The players, by round and number, whose results count for another player, or for nobody (None)."""

StaleRow = tuple[Spot, Mapping[str, object] | None]
"""A round whose cache is stale, and the row that belongs there; None for a round that no longer exists."""
_ROWS = 1_000
"""The rows of imported games that are digested and stored together."""
_KEPT = ("event", "round", "seats", "scores", "text")
"""The columns of a cached round that its checksum covers."""
MOST_STALE = 8
"""The most stale rounds whose tables are remembered as they are read, to be cached afterwards."""


class GameBatch(NamedTuple):
    """Games that are rated together: those of a round of the event `of`, or (`round` 0) of the import `of`.

    `digest` covers their players and places.
    """

    kind: PoolKind
    of: int
    round: int
    games: int
    digest: str


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table that counts: its event, and its players and their places, in seat order."""

    event: str
    players: tuple[Player, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RatedEvent:
    """An event with what ratings need of it: its rules and its day (ISO)."""

    number: int
    name: str
    rules: str
    day: str


class History(Protocol):
    """The games of a pool, or of several."""

    def batches(self, kind: PoolKind) -> Iterator[GameBatch]:
        """Yield the batches that count for a pool of this kind, in the order of rating."""

    def games(self, batch: GameBatch) -> Iterator[Game]:
        """Yield the games of a batch, in order. Raises TourneyError STORAGE if they are not as they were written."""

    def numbered(self, batch: GameBatch) -> Iterator[tuple[int, Game]]:
        """Yield the games of a batch, each with the number of its table, or of the game in its file."""

    def day(self, batch: GameBatch, number: int) -> str:
        """Return the day (ISO) on which a game was played; "" for files that do not say so of every game."""

    def days(self, batch: GameBatch) -> list[tuple[int, str]]:
        """Return the days of the games in order, with how many in a row were played on each."""

    def name(self, batch: GameBatch, number: int) -> str:
        """Return the name that the file gives a game; "" if it has none, and for tables."""

    def stale(self) -> Sequence[Spot]:
        """Return the rounds whose cache is missing or stale, and the cached rounds that no longer exist."""

    def rows(self) -> Iterator[StaleRow]:
        """Yield the row that caches each stale round."""


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """A results file of a pool: its number and that of its entry, its source, and its place in the order of rating.

    A file that replaces another takes its place.
    """

    number: int
    entry: int
    source: str
    place: int
    games: int
    rows: int
    digest: str


class ImportedFiles:
    """The results files of a pool; `payload` returns the payload of an entry by its number.

    `aliases` has the player that each other name stands for.
    """

    def __init__(
        self,
        connection: Connection,
        files: Sequence[ImportedFile],
        payload: Callable[[int], Payload],
        aliases: Mapping[str, str],
    ) -> None:
        self._connection = connection
        self._files = {file.number: file for file in sorted(files, key=lambda file: (file.place, file.number))}
        self._payload = payload
        self._aliases = aliases
        self._attributes: dict[tuple[int, Attribute], Changes] = {}

    @property
    def files(self) -> tuple[ImportedFile, ...]:
        """Return the files in the order of rating."""
        return tuple(self._files.values())

    @property
    def aliases(self) -> Mapping[str, str]:
        """Return the player that each other name stands for."""
        return self._aliases

    def batches(self, kind: PoolKind) -> Iterator[GameBatch]:
        """Yield the files in the order of rating."""
        return (GameBatch(kind, file.number, 0, file.games, self._digest(file)) for file in self._files.values())

    def names(self, file: ImportedFile) -> Iterator[str]:
        """Yield the names in a file, in the order in which it first has them."""
        query = "SELECT name FROM pool_result WHERE pool_import = ? GROUP BY name ORDER BY min(row)"
        return (name for (name,) in sqlite.stream(self._connection, query, (file.number,)))

    def _digest(self, file: ImportedFile) -> str:
        """Return what identifies the games of a file: that of its rows, with the names that others stand for."""
        return sha256(f"{file.digest}{canonical_json(self._aliases)}") if self._aliases else file.digest

    def games(self, batch: GameBatch) -> Iterator[Game]:
        """Yield the games of a file. A damaged row may be found only after the last game."""
        return (game for _number, game in self.numbered(batch))

    def numbered(self, batch: GameBatch) -> Iterator[tuple[int, Game]]:
        """Yield the games of a file with their numbers, from 1."""
        digest = RowsDigest()
        query = "SELECT game, name, place FROM pool_result WHERE pool_import = ? ORDER BY row"
        for _game, group in groupby(sqlite.stream(self._connection, query, (batch.of,)), itemgetter(0)):
            numbers, names, places = zip(*group, strict=True)
            digest.add(numbers, names, places)
            yield numbers[0], (self._players(names), places)
        if digest.text() != self._files[batch.of].digest:
            raise damaged(_("imported results are not as they were imported"))

    def _players(self, names: Sequence[str]) -> Sequence[str]:
        return [self._aliases.get(name, name) for name in names] if self._aliases else names

    def day(self, batch: GameBatch, number: int) -> str:
        """Return the day of a game, from the import's entry."""
        return self._at(batch, "days", number)

    def days(self, batch: GameBatch) -> list[tuple[int, str]]:
        """Return the days of all games of the file."""
        changes = self._changes(batch, "days")
        ends = [*(first for first, _day in changes[1:]), batch.games + 1]
        return [(end - first, day) for (first, day), end in zip(changes, ends, strict=True)]

    def name(self, batch: GameBatch, number: int) -> str:
        """Return the name of a game, from the import's entry."""
        return self._at(batch, "names", number)

    def stale(self) -> Sequence[Spot]:
        """Return no round: files have none."""
        return ()

    def rows(self) -> Iterator[StaleRow]:
        """Yield nothing: no file is cached."""
        yield from ()

    def _at(self, batch: GameBatch, attribute: Attribute, number: int) -> str:
        changes = self._changes(batch, attribute)
        place = bisect_right(changes, number, key=itemgetter(0))
        return changes[place - 1][1] if place else ""

    def _changes(self, batch: GameBatch, attribute: Attribute) -> Changes:
        """Return the values of an attribute; "" for all games if the entry does not have the attribute."""
        key = (batch.of, attribute)
        if key not in self._attributes:
            entry = self._files[batch.of].entry
            self._attributes[key] = [(first, text) for first, text in self._payload(entry).get(attribute, [])] or [
                (1, "")
            ]
        return self._attributes[key]


class ImportedRows:
    """The rows of import `number`, made from its games one by one; iterating counts and digests them."""

    def __init__(self, number: int, games: Iterable[Game]) -> None:
        self.games = self.rows = 0
        self._number = number
        self._source = games
        self._digest = RowsDigest()

    def __iter__(self) -> Iterator[Sequence[Sequence[object]]]:
        """Yield the rows by column as `pool_result` has them, some at a time; games and rows count from 1."""
        numbers, names, places = list[int](), list[str](), list[int]()
        for players, ranks in self._source:
            self.games += 1
            numbers += [self.games] * len(players)
            names += players
            places += ranks
            if len(names) >= _ROWS:
                yield self._columns(numbers, names, places)
                numbers, names, places = [], [], []
        yield self._columns(numbers, names, places)

    def _columns(self, *columns: *tuple[list[int], list[str], list[int]]) -> Sequence[Sequence[object]]:
        self._digest.add(*columns)
        rows = range(self.rows + 1, self.rows + len(columns[0]) + 1)
        self.rows += len(rows)
        return [self._number] * len(rows), rows, *columns

    def digest(self) -> str:
        """Return the digest of the rows so far, which identifies the content of the file."""
        return self._digest.text()


Checksums = tuple[str, str]
"""The checksums of an event's seats and of a round's results."""


class CachedRounds(NamedTuple):
    """The batches of the rounds that are cached, and with which checksums: those of `others`, or else of `sums`."""

    batches: Mapping[Spot, tuple[GameBatch, ...]]
    sums: Mapping[Spot, Checksums]
    others: Mapping[Spot, Checksums]

    def of(self, spot: Spot) -> Checksums | None:
        """Return the checksums with which a round is cached; None if it is not."""
        return self.others.get(spot, self.sums.get(spot)) if spot in self.batches else None


class PlayedRounds:
    """The rounds of all events, in the order of rating; `days` has each event's day by number, in that order.

    The cache of a round is valid while the seats of its event and its own results have the same checksums. `cached` are
    the rounds that another reading of the same cache has found. Raises TourneyError STORAGE if rounds have lost their
    checksums.
    """

    def __init__(
        self,
        connection: Connection,
        verified_rows: ReadRows,
        days: Mapping[int, str],
        stand_ins: Mapping[int, StandIns],
        cached: CachedRounds | None = None,
    ) -> None:
        self._connection = connection
        self._stand_ins = stand_ins
        self._verified_rows = verified_rows
        self._rows = _RoundRows(verified_rows, stand_ins)
        self._days = Known(days)
        self._order = Known({event: place for place, event in enumerate(days)})
        found = _checksums(connection)
        changed = {spot: found[spot] for spot in found if spot[0] in stand_ins} if stand_ins else {}
        for spot, (seats, scores) in changed.items():
            found[spot] = (_with_stand_ins(seats, stand_ins[spot[0]]), scores)
        self._checksums = found
        self.cached = _cached(connection, found) if cached is None else cached
        self._found: dict[Spot, tuple[GameBatch, ...]] = {}
        deleted = self.cached.batches.keys() - found.keys()
        self._stale: Sequence[Spot] = [*sorted(spot for spot in found if not self._is_valid(spot)), *deleted]
        self._texts: dict[Spot, str] = {}
        self._ordered: Sequence[Spot] = ()
        self._hands: dict[tuple[PoolKind, Spot], list[tuple[int, Game]]] = {}

    def batches(self, kind: PoolKind) -> Iterator[GameBatch]:
        """Yield the tables that count of each round, by event and round."""
        if not self._ordered:
            self._ordered = sorted(self._checksums, key=lambda spot: (self._order[spot[0]], spot[1]))
        for spot in self._ordered:
            for batch in self.cached.batches[spot] if self._is_valid(spot) else self._read_batches(spot):
                if batch.kind == kind:
                    yield batch

    def _is_valid(self, spot: Spot) -> bool:
        """Return whether the cache of a round is."""
        return self.cached.of(spot) == self._checksums[spot]

    def _read_batches(self, spot: Spot) -> tuple[GameBatch, ...]:
        """Return the batches of a stale round, read once."""
        if spot not in self._found:
            self._found[spot] = _batches(spot, self._text(spot))
        return self._found[spot]

    def games(self, batch: GameBatch) -> Iterator[Game]:
        """Yield the games of a round, by table; players by number."""
        return (game for _number, game in self.numbered(batch))

    def numbered(self, batch: GameBatch) -> Iterator[tuple[int, Game]]:
        """Yield the games of a round with the tables' numbers."""
        text = self._text((batch.of, batch.round))
        tables = next(tables for kind, _games, tables in _lines(text) if kind == batch.kind)
        return ((number, (players, places)) for number, players, places in json.loads(tables))

    def day(self, batch: GameBatch, number: int) -> str:
        """Return the event's day."""
        return self._days[batch.of]

    def days(self, batch: GameBatch) -> list[tuple[int, str]]:
        """Return the event's day, with the number of games of the batch."""
        return [(batch.games, self._days[batch.of])]

    def name(self, batch: GameBatch, number: int) -> str:
        """Return an empty text: a table has only a number."""
        return ""

    def stale(self) -> Sequence[Spot]:
        """Return the rounds whose cache is missing or stale, and the cached rounds that no longer exist."""
        return self._stale

    def rows(self) -> Iterator[StaleRow]:
        """Yield the row that caches the tables of each stale round which count now."""
        for spot in self._stale:
            row = (*spot, *self._checksums[spot], self._text(spot)) if spot in self._checksums else None
            yield spot, row and {**dict(zip(_KEPT, row, strict=True)), "checksum": row_checksum(row)}

    def sheets(self) -> dict[int, str]:
        """Return for each event a digest of all that its score sheets say, and of the tables that count."""
        hands = written_checksums(self._connection, Partition("hands"))
        parts: dict[int, list[object]] = {}
        for spot, checksums in sorted(self._checksums.items()):
            parts.setdefault(spot[0], []).append([spot[1], *checksums, hands.get(Partition("hands", *spot), "")])
        return {event: sha256(canonical_json(rounds)) for event, rounds in parts.items()}

    def _text(self, spot: Spot) -> str:
        """Return the tables of a round that count, as text: from the cache, or else from its rows."""
        if self._is_valid(spot):
            return self._cached_text(spot)
        text = self._texts.get(spot)
        if text is None:
            cached = self.cached.of(spot) or ("", "")
            seats_known = cached[0] == self._checksums[spot][0] and spot[0] not in self._stand_ins
            text = self._rows.text(spot, _seated(self._cached_text(spot)) if seats_known else {})
            if len(self._stale) <= MOST_STALE:
                self._texts[spot] = text
        return text

    def _cached_text(self, spot: Spot) -> str:
        query = "SELECT text FROM rated_round WHERE event = ? AND round = ?"
        return str(sqlite.rows(self._connection, query, spot)[0][0])


class PlayedHands(PlayedRounds):
    """The hands of the rounds of all events: each is a game of its own, whose places follow from its points.

    The fewest points are the best, equal points tie. A game has the number of its table, and so have all its hands. A
    table whose hands are not known has none here.
    """

    def batches(self, kind: PoolKind) -> Iterator[GameBatch]:
        """Yield the hands of each round, by event and round."""
        for batch in super().batches(kind):
            hands = list(self._read_hands(batch))
            if hands:
                self._hands[kind, (batch.of, batch.round)] = hands
                yield batch._replace(games=len(hands), digest=sha256(canonical_json(hands)))

    def numbered(self, batch: GameBatch) -> Iterator[tuple[int, Game]]:
        """Yield the hands of a round, by table, with the tables' numbers."""
        yield from self._hands[batch.kind, (batch.of, batch.round)]

    def points(self, batch: GameBatch) -> Iterator[tuple[int, HandPoints]]:
        """Yield the hands of a round as `numbered` does, with points in place of places."""
        points: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for row in self._verified_rows(Partition("hands", batch.of, batch.round))["hand_score"]:
            points.setdefault((row.table_number, row.hand), []).append((row.seat, row.points))
        tables = dict(super().numbered(batch))
        for (at, _hand), scored in sorted(points.items()):
            if at not in tables:
                continue
            seated = self._counted_seats(batch, at, tables[at])
            counted = [(seated[seat], mine) for seat, mine in scored if seated[seat] is not None]
            if len(counted) > 1:
                players = [player for player, _points in counted if player is not None]
                yield at, (players, [mine for _player, mine in counted])

    def _read_hands(self, batch: GameBatch) -> Iterator[tuple[int, Game]]:
        for at, (players, points) in self.points(batch):
            yield at, (players, places_by_points(points))

    def _counted_seats(self, batch: GameBatch, at: int, game: Game) -> Sequence[str | None]:
        """Return by seat the player for whom a table counts; None where it counts for nobody."""
        stand_ins = self._stand_ins.get(batch.of)
        if not stand_ins:
            return game[0]
        seated = self._rows.seats_of(batch.of, batch.round)[at]
        return [stand_ins.get((batch.round, player), player) for player in seated]


def places_by_points(points: Sequence[int]) -> list[int]:
    """Return the places of a hand: the fewest points are the best, equal points tie."""
    return [1 + sum(other < mine for other in points) for mine in points]


class _RoundRows:
    """Reads the tables that count from the rows of rounds; remembers the seats of one event."""

    def __init__(self, verified_rows: ReadRows, stand_ins: Mapping[int, StandIns]) -> None:
        self._verified = verified_rows
        self._stand_ins = stand_ins
        self._kinds: Mapping[str, str] = {}
        self._event = 0
        self._seats: Mapping[int, Seated] = {}

    def text(self, spot: Spot, seated: Seated) -> str:
        """Return a line for each kind of pool for which tables count; `seated` are those whose seats are known."""
        scores = groupby(self._verified(Partition("results", *spot))["score"], attrgetter("table_number"))
        places = {at: [row.place for row in rows] for at, rows in scores}
        if not places.keys() <= seated.keys():
            seated = self.seats_of(*spot)
        if not self._kinds:
            self._kinds = Known({str(row.id): row.kind for row in self._verified(Partition("players"))["player"]})
        changed = self._stand_ins.get(spot[0], {})
        counted = ((at, as_counted(seated[at], table, spot[1], changed)) for at, table in places.items())
        return _text([(at, *table) for at, table in counted if table is not None], self._kinds)

    def seats_of(self, event: int, number: int) -> Seated:
        """Return the seats of a round."""
        if self._event != event:
            tables: dict[int, dict[int, list[str]]] = {}
            for row in self._verified(Partition("rounds", event))["seat"]:
                tables.setdefault(row.round, {}).setdefault(row.table_number, []).append(str(row.player))
            self._event, self._seats = event, {drawn: Known(seats_by_table) for drawn, seats_by_table in tables.items()}
        return self._seats.get(number, Known())


def as_counted(
    players: Sequence[str], places: Sequence[int], number: int, stand_ins: StandIns
) -> tuple[Sequence[str], Sequence[int]] | None:
    """Return the players of a table of round `number` for whom it counts, and their places; None if it is no game."""
    if not stand_ins:
        return players, places
    who = [stand_ins.get((number, player), player) for player in players]
    kept = [(player, place) for player, place in zip(who, places, strict=True) if player is not None]
    return ([player for player, _place in kept], [place for _player, place in kept]) if len(kept) > 1 else None


def _with_stand_ins(seats: str, stand_ins: StandIns) -> str:
    """Return the checksum of an event's seats together with its substitutes, on which the games rest too."""
    changed = [[number, player, who] for (number, player), who in sorted(stand_ins.items())]
    return sha256(canonical_json([seats, changed]))


def _checksums(connection: Connection) -> dict[Spot, tuple[str, str]]:
    """Return for each round the checksums of its event's seats and of its own results."""
    seats = {
        partition.event: digest for partition, digest in written_checksums(connection, Partition("rounds")).items()
    }
    scores = {
        (partition.event, partition.round): digest
        for partition, digest in written_checksums(connection, Partition("results")).items()
    }
    if {*sqlite.rows(connection, "SELECT DISTINCT event, round FROM result")} != scores.keys():
        raise wrong_checksum(Partition("results"))
    if not {event for event, _round in scores} <= seats.keys():
        raise wrong_checksum(Partition("rounds"))
    return {spot: (seats[spot[0]], digest) for spot, digest in scores.items()}


def _text(tables: Iterable[tuple[int, Sequence[str], Sequence[int]]], kinds: Mapping[str, str]) -> str:
    """Return a line for each kind of pool: kind, number of tables, then number, players and places of each table."""
    lines: dict[str, list[object]] = {}
    for number, players, places in tables:
        kinds_seated = {kinds[player] for player in players}
        kind = "joint" if len(kinds_seated) > 1 else "people" if kinds_seated == {"person"} else "bots"
        lines.setdefault(kind, []).append((number, players, places))
    return "\n".join(f"{kind} {len(found)} {canonical_json(found)}" for kind, found in sorted(lines.items()))


def _lines(text: str) -> Iterator[tuple[PoolKind, int, str]]:
    """Yield kind, number of games and tables (as JSON) of each line."""
    for line in text.splitlines():
        kind, games, tables = line.split(" ", 2)
        # Each of thousands of batches would have a text of its own for one of three kinds.
        yield cast("PoolKind", intern(kind)), int(games), tables


def _cached(connection: Connection, now: Mapping[Spot, Checksums]) -> CachedRounds:
    """Return the rounds that are cached; one whose row is damaged has checksums that no round has."""
    batches, others = dict[Spot, tuple[GameBatch, ...]](), dict[Spot, Checksums]()
    for *row, checksum in sqlite.stream(connection, f"SELECT {', '.join(_KEPT)}, checksum FROM rated_round"):
        event, number, seats, scores, text = row
        spot, is_sound = (event, number), row_checksum(row) == checksum
        batches[spot] = _batches(spot, text) if is_sound else ()
        sums = (seats, scores) if is_sound else ("", "")
        if now.get(spot) != sums:
            others[spot] = sums
    return CachedRounds(batches, now, others)


def _batches(spot: Spot, text: str) -> tuple[GameBatch, ...]:
    return tuple([GameBatch(kind, *spot, games, sha256(tables)) for kind, games, tables in _lines(text)])


def _seated(text: str) -> Seated:
    """Return the players of the tables that count, by table."""
    tables = (each for _kind, _games, tables in _lines(text) for each in json.loads(tables))
    return {number: players for number, players, _places in tables}
