"""Read and write the pools of ratings: their games, files and editions, and what is cached of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Row, delete, insert, or_, select

from tourney.domain.editions import Edition, PublishedEdition
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.pools import Pool, PoolKind
from tourney.domain.rounds import COUNTS_FOR
from tourney.storage import rows as values
from tourney.storage import sqlite
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.canonical import row_checksum
from tourney.storage.journal.entries import Payload
from tourney.storage.journal.kinds import Change
from tourney.storage.journal.partitions import Partition
from tourney.storage.nouns.events import EventReader
from tourney.storage.nouns.people import PeopleReader
from tourney.storage.nouns.rounds import RoundReader
from tourney.storage.nouns.transaction import Transaction, parsed
from tourney.storage.nouns.writing import Writing
from tourney.storage.rating_inputs import (
    Attribute,
    CachedRounds,
    Changes,
    Game,
    ImportedFile,
    ImportedFiles,
    ImportedRows,
    PlayedHands,
    PlayedRounds,
    PlayedTable,
    StaleRow,
    StandIns,
    as_counted,
)
from tourney.storage.table_rows import delete_rows, insert_rows
from tourney.storage.tables import table
from tourney.text.i18n import _
from tourney.text.names import fold
from tourney.text.sanitize import quote_argument

EARLIER: Final = "earlier"
"""The source of files that were imported before sources had names."""

_Rounds = TypeVar("_Rounds", bound=PlayedRounds)


class KeptRatings(NamedTuple):
    """Ratings as text, after the first `games` games of a pool; `inputs` is the digest of these games."""

    games: int
    inputs: str
    text: str


class PoolReader:
    """Queries of pools, and of the games that they rate."""

    def __init__(
        self, transaction: Transaction, people: PeopleReader, events: EventReader, rounds: RoundReader
    ) -> None:
        self._transaction = transaction
        self._people = people
        self._events = events
        self._rounds = rounds
        self._cached_rounds: CachedRounds | None = None

    def played_by(self, player: int) -> Iterator[PlayedTable]:
        """Yield the tables that count for a player, in the order of rating: event date, event, round, table.

        Only events that the player has entered, or plays a substitute in, are read.
        """
        entered = {row.event for row in self._transaction.rows("entrants")["entrant"] if row.player == player}
        stand_ins = self._stand_ins()
        entered |= {number for number, changed in stand_ins.items() if str(player) in changed.values()}
        numbers = [event.number for event in self._events.rated() if event.number in entered]
        tables = (table for number in numbers for table in self._counted(number, stand_ins.get(number, {})))
        return (table for table in tables if any(seated.id == player for seated in table.players))

    def _counted(self, number: int, changed: StandIns) -> Iterator[PlayedTable]:
        """Yield the tables of an event that count."""
        players, name = self._people.by_number(), self._events.names()[number]
        scores = self._transaction.verified(Partition("results", number))["score"]
        if scores:
            tables = values.tables(self._transaction.verified(Partition("rounds", number))["seat"], players)
            for at, group in groupby(scores, lambda row: (row.round, row.table_number)):
                seated = [str(player.id) for player in tables[at].players]
                counted = as_counted(seated, [row.place for row in group], at[0], changed)
                if counted is not None:
                    yield PlayedTable(name, tuple(players[int(each)] for each in counted[0]), tuple(counted[1]))

    def played_rounds(self) -> PlayedRounds:
        """Return the tables that count for ratings, by round, as this transaction sees them until its next entry."""
        return self._played(PlayedRounds)

    def played_hands(self) -> PlayedHands:
        """Return the hands of these tables."""
        return self._played(PlayedHands)

    def _played(self, rounds: type[_Rounds]) -> _Rounds:
        # Reading the events writes every checksum that is due, before the first partition is read.
        days = {event.number: event.day for event in self._events.rated()}
        connection, verified = self._transaction.connection, self._transaction.verified
        found = rounds(connection, verified, days, self._stand_ins(), self._cached_rounds)
        self._cached_rounds = found.cached
        return found

    def _stand_ins(self) -> dict[int, StandIns]:
        """Return for each event with substitutes for whom their results count, if not for the absent players."""
        traces = sqlite.rows(
            self._transaction.connection, "SELECT DISTINCT event FROM trace WHERE part = 'substitutes'"
        )
        found, events = {}, self._events.names()
        for (number,) in traces:
            if number not in events:
                continue  # Its import was taken back, or it was deleted.
            event = self._events.alone(number)
            counts_for = COUNTS_FOR[event.settings.substitutes]
            found[number] = {
                (each.round, str(each.absent.id)): None if (who := counts_for(each)) is None else str(who.id)
                for each in self._rounds.substitutions(event)
            }
        return {number: changed for number, changed in found.items() if changed}

    def all(self) -> dict[int, Pool]:
        """Return the pools that were opened, imported or given parameters, by number."""
        return {
            row.id: Pool(row.name, row.kind, row.mu, row.sigma, row.beta, row.tau, row.draw, row.absence, row.unit)
            for row in self._transaction.rows("pools")["pool"]
        }

    def imported_files(self, pool: int) -> ImportedFiles:
        """Return the files imported into the pool, for ratings."""
        rows = [row for row in self._transaction.rows("pools")["pool_import"] if row.pool == pool]
        files = [self._imported_file(row) for row in rows]
        return ImportedFiles(
            self._transaction.connection,
            files,
            lambda number: self._transaction.entry(number).payload,
            self.aliases(pool),
        )

    def _imported_file(self, row: Row[Any]) -> ImportedFile:
        payload = self._transaction.entry(row.act).payload
        source, place = payload.get("source", EARLIER), payload.get("place", row.id)
        return ImportedFile(row.id, row.act, source, place, row.games, row.rows, row.digest)

    def aliases(self, pool: int) -> dict[str, str]:
        """Return the other names of players of imported files, each with the name of its player."""
        joined: dict[int, int] = {}
        for payload in self._of_pool(kinds.pools.AliasSet, pool):
            joined = {alias: player for alias, player in joined.items() if alias != payload["alias"]}
            joined |= {payload["alias"]: payload["player"]} if payload["player"] else {}
        names = {number: name for name, number in self.imported_names(pool).items()} if joined else {}
        return {names[alias]: names[payloads.survivor(alias, joined)] for alias in joined}

    def imported_names(self, pool: int) -> dict[str, int]:
        """Return the numbers of all names in the files ever imported into the pool: their place there, from 1.

        Files that were replaced or removed count, so that a name keeps its number.
        """
        query = "SELECT name FROM pool_result WHERE pool_import = ? GROUP BY name ORDER BY min(row)"
        names: dict[str, int] = {}
        for payload in self._of_pool(kinds.pools.GamesImported, pool):
            for (name,) in sqlite.stream(self._transaction.connection, query, (payload["import"],)):
                names.setdefault(name, len(names) + 1)
        return names

    def _of_pool(self, kind: type[Change], pool: int) -> Iterator[Payload]:
        """Yield the payloads of the entries of a kind that stand and are about the pool, in order."""
        return (payload for payload in self._transaction.made(kind, "pools") if payload["pool"] == pool)

    def naming(self, former: Collection[str]) -> tuple[str, ...]:
        """Return the pools whose imported files have one of a person's names, accents and case aside."""
        names = set(map(fold, former))
        # Rows of files that were replaced or removed stay, and are in no list of files.
        pools = {each["import"]: each["pool"] for each in self._transaction.made(kinds.pools.GamesImported, "pools")}
        query = "SELECT DISTINCT pool_import, name FROM pool_result"
        rows = sqlite.rows(self._transaction.connection, query)
        found = {pools[number] for number, name in rows if number in pools and fold(name) in names}
        return tuple(pool.name for number, pool in self.all().items() if number in found)

    def editions(self, pool: str) -> tuple[PublishedEdition, ...]:
        """Return the editions of the pool of that name, in order."""
        numbers = (row.act for row in self._transaction.writers("editions"))
        chained = ((number, *self._transaction.chained(number)) for number in numbers)
        entries = ((number, parsed(text, number), head) for number, text, head in chained)
        return tuple(
            PublishedEdition(payloads.read_edition(entry.payload), number, entry.time, entry.by, head)
            for number, entry, head in entries
            if entry.payload["name"] == pool
        )

    def checkpoints(self, pool: str) -> frozenset[str]:
        """Return the digests of the inputs for which ratings of a pool are cached."""
        kept = table("rating_checkpoint").c
        return frozenset(self._transaction.connection.execute(select(kept.inputs).where(kept.pool == pool)).scalars())

    def checkpoint(self, pool: str, inputs: str) -> str | None:
        """Return the cached ratings for these inputs as text; None if the row is missing or damaged."""
        kept = table("rating_checkpoint")
        row = self._transaction.first(select(kept).where(kept.c.pool == pool, kept.c.inputs == inputs))
        return str(row.text) if row is not None and row_checksum(row[:-1]) == row.checksum else None

    def kept(self, name: str) -> Iterator[KeptRatings]:
        """Yield all that is cached under a name, by the number of games; damaged rows are left out."""
        query = "SELECT pool, games, inputs, text, checksum FROM rating_checkpoint WHERE pool = ? ORDER BY games"
        for *row, checksum in sqlite.stream(self._transaction.connection, query, (name,)):
            if row_checksum(row) == checksum:
                yield KeptRatings(*row[1:])

    def column_names(self) -> dict[str, str]:
        """Return the columns that a club's own headers stand for, by the header without accents and case."""
        named = (self._transaction.entry(row.act).payload["columns"] for row in self._transaction.writers("columns"))
        return {theirs: ours for names in named for theirs, ours in names.items()}


class PoolStore(PoolReader):
    """Reads and writes pools."""

    _transaction: Writing

    def import_games(
        self,
        pool: int,
        games: Iterable[Game],
        source: str,
        attributes: Callable[[], Mapping[Attribute, Changes]] = dict,
    ) -> tuple[int, int]:
        """Import the games of a results file into a pool, one by one; return the numbers of games and of rows.

        The files of this source in the pool are replaced. `attributes` is called after the last game for the attributes
        of the games. If reading the games raises anything, none of them is stored. Raises TourneyError CONFLICT if the
        same games are in the pool already.
        """
        number = self._transaction.next("import")
        before = self.imported_files(pool).files
        replaced = [file for file in before if fold(file.source) == fold(source)]
        rows = ImportedRows(number, games)
        with self._transaction.connection.begin_nested():
            sqlite.insert_all(self._transaction.connection, "pool_result", rows)
        kept: Payload = {name: [*map(list, changes)] for name, changes in attributes().items() if changes}
        same = next((file for file in before if file.digest == rows.digest()), None)
        if same is not None and not (same in replaced and self._attributes(same) != kept):
            raise self._imported_already(pool, same)
        place = min((file.place for file in replaced), default=number)
        counts = (rows.games, rows.rows, rows.digest())
        replaces = [file.number for file in replaced]
        self._transaction.add(kinds.pools.GamesImported(pool, *counts, source, place, replaces, **kept))
        return rows.games, rows.rows

    def _attributes(self, file: ImportedFile) -> Payload:
        payload = self._transaction.entry(file.entry).payload
        return {name: payload[name] for name in ("days", "names") if name in payload}

    def _imported_already(self, pool: int, file: ImportedFile) -> TourneyError:
        name = self.all()[pool].name
        message = _("the results of this file are in the pool {pool} already, from the source {source}").format(
            pool=name, source=file.source
        )
        hint = _("see `tourney rating source list --pool {pool}`").format(pool=quote_argument(name))
        return TourneyError(ExitCode.CONFLICT, message, hint)

    def name_columns(self, names: Mapping[str, str]) -> None:
        """Remember the columns that headers stand for; nothing is written of those that are remembered already."""
        new = dict(names.items() - self.column_names().items())
        if new:
            self._transaction.write(kinds.columns.ColumnsNamed(new))

    def next_edition(self, pool: str) -> int:
        """Return the number of the next edition of a pool; one that was undone keeps its number."""
        return self._transaction.next(kinds.pools.editions_counter(pool))

    def publish(self, edition: Edition, kind: PoolKind, pool: int | None) -> PublishedEdition:
        """Publish an edition of the pool of that kind and number (None: it has none)."""
        self._transaction.write(kinds.pools.EditionPublished.of(edition, kind, pool))
        return self.editions(edition.pool)[-1]

    def keep_rounds(self, rows: Iterable[StaleRow]) -> None:
        """Cache the tables of rounds; one that no longer exists leaves the cache. No entry is written for a cache."""
        for (event, number), row in rows:
            delete_rows(self._transaction.connection, "rated_round", event=event, round=number)
            insert_rows(self._transaction.connection, "rated_round", [] if row is None else [row])
        self._cached_rounds = None

    def keep_checkpoints(self, pool: str, new: Sequence[KeptRatings], still: Collection[str]) -> None:
        """Cache ratings of a pool, and of those cached before keep those of the inputs `still`; no entry is written."""
        kept = table("rating_checkpoint")
        lines = [{**ratings._asdict(), "pool": pool, "checksum": row_checksum((pool, *ratings))} for ratings in new]
        gone = (kept.c.inputs.not_in(list(still)), kept.c.games.in_([ratings.games for ratings in new]))
        self._transaction.connection.execute(delete(kept).where(kept.c.pool == pool, or_(*gone)))
        if lines:
            self._transaction.connection.execute(insert(kept), lines)
