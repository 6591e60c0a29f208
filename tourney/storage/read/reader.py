"""Read the whole database in one transaction: also what is rated, leagues, records and headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import select

from tourney.domain.editions import PublishedEdition
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rankings import Pool
from tourney.domain.rounds import Drawing, Round
from tourney.storage import person_names, sqlite
from tourney.storage import projections as kinds
from tourney.storage import rows as values
from tourney.storage.journal import payloads
from tourney.storage.journal.canonical import row_checksum, sha256
from tourney.storage.journal.checksums import Rows, damaged
from tourney.storage.journal.entries import LoggedEntry
from tourney.storage.journal.fold import writers
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.replay import databases_before
from tourney.storage.league_blocks import Blocks
from tourney.storage.rating_inputs import ImportedFiles, PlayedHands, PlayedRounds, PlayedTable
from tourney.storage.read.journal import parsed
from tourney.storage.read.results import ResultReader
from tourney.storage.rows import KeptAccess, KeptSubmission
from tourney.storage.tables import table
from tourney.text.i18n import _
from tourney.text.names import fold

if TYPE_CHECKING:
    from tourney.domain.leagues import League


_Rounds = TypeVar("_Rounds", bound=PlayedRounds)


class Reader(ResultReader):
    """All queries of one open transaction.

    Each method raises TourneyError STORAGE if the rows that it reads are not as they were written.
    """

    def draws(self, event: Event) -> Iterator[tuple[Round, Drawing | None, Reader]]:
        """Yield each drawing of a round of the event that stands, in order.

        Each has the round as it was drawn, how it was drawn, and the database before it, valid until the next drawing.
        """

        def is_drawing(entry: LoggedEntry) -> bool:
            return kinds.ROUND_DRAW.made(entry) and entry.payload["event"] == event.id

        for entry, past in databases_before(self._connection, list(self.entries()), is_drawing):
            before = Reader(past)
            players = {player.id: player for player in before.players()}
            yield payloads.drawn(entry.payload, players), payloads.drawn_by(entry.payload, players), before

    def played(self) -> Iterator[PlayedTable]:
        """Yield all tables that count, of all events, in the order of rating: event date, event, round, table."""
        players = self._players()
        names = self.event_names()
        seats = self._everywhere("rounds", "seat")
        scores = self._everywhere("results", "score")
        for number in filter(scores.__contains__, (event.number for event in self.rated_events())):
            tables = values.tables(seats[number], players)
            for at, group in groupby(scores[number], lambda row: (row.round, row.table_number)):
                yield PlayedTable(names[number], tables[at].players, tuple(row.place for row in group))

    def played_rounds(self) -> PlayedRounds:
        """Return the tables that count for ratings, by round, as this transaction sees them until its next entry."""
        return self._played(PlayedRounds)

    def played_hands(self) -> PlayedHands:
        """Return the hands of these tables."""
        return self._played(PlayedHands)

    def _played(self, rounds: type[_Rounds]) -> _Rounds:
        # Reading the events writes every checksum that is due, before the first partition is read.
        days = {event.number: event.day for event in self.rated_events()}
        return rounds(self._connection, self._verified, days)

    def pools(self) -> dict[int, Pool]:
        """Return the pools that were opened, imported or given parameters, by number."""
        return {
            row.id: Pool(row.name, row.kind, row.mu, row.sigma, row.beta, row.tau, row.draw, row.absence, row.unit)
            for row in self._rows("pools")["pool"]
        }

    def imported_files(self, pool: int) -> ImportedFiles:
        """Return the files imported into the pool, for ratings."""
        files = [row for row in self._rows("pools")["pool_import"] if row.pool == pool]
        return ImportedFiles(self._connection, files, lambda number: self._entry(number).payload)

    def pools_naming(self, player: Player) -> tuple[str, ...]:
        """Return the pools whose imported files have a name that the player has or had, accents and case aside."""
        names = set(map(fold, person_names.former(self._connection, player.id)))
        query = "SELECT DISTINCT pool, name FROM pool_result JOIN pool_import ON pool_import.id = pool_import"
        found = {pool for pool, name in sqlite.rows(self._connection, query) if fold(name) in names}
        return tuple(pool.name for number, pool in self.pools().items() if number in found)

    def editions(self, pool: str) -> tuple[PublishedEdition, ...]:
        """Return the editions of the pool of that name, in order."""
        numbers = (row.act for row in writers(self._connection, Partition("editions")))
        chained = ((number, *self._chained(number)) for number in numbers)
        entries = ((number, parsed(text, number), head) for number, text, head in chained)
        return tuple(
            PublishedEdition(payloads.read_edition(entry.payload), number, entry.time, entry.by, head)
            for number, entry, head in entries
            if entry.payload["name"] == pool
        )

    def checkpoints(self, pool: str) -> frozenset[str]:
        """Return the digests of the inputs for which ratings of a pool are cached."""
        kept = table("rating_checkpoint").c
        return frozenset(self._connection.execute(select(kept.inputs).where(kept.pool == pool)).scalars())

    def checkpoint(self, pool: str, inputs: str) -> str | None:
        """Return the cached ratings for these inputs as text; None if the row is missing or damaged."""
        kept = table("rating_checkpoint")
        row = self._first(select(kept).where(kept.c.pool == pool, kept.c.inputs == inputs))
        return str(row.text) if row is not None and row_checksum(row[:-1]) == row.checksum else None

    def column_names(self) -> dict[str, str]:
        """Return the columns that a club's own headers stand for, by the header without accents and case."""
        named = (self._entry(row.act).payload["columns"] for row in writers(self._connection, Partition("columns")))
        return {theirs: ours for names in named for theirs, ours in names.items()}

    def leagues(self) -> dict[int, League]:
        """Return the leagues by number, in the order they were begun."""
        return {row.id: values.league(row) for row in self._rows("leagues")["league"]}

    def access(self) -> tuple[KeptAccess, ...]:
        """Return the keys to pages of desks and tables, those that have ended too."""
        return tuple(KeptAccess(*row) for row in self._rows("access")["access"])

    def submissions(self, event: int) -> tuple[KeptSubmission, ...]:
        """Return the sheets that phones have typed in an event, in the order of their times."""
        rows = (KeptSubmission(*row) for row in self._rows("submissions", event)["submission"])
        return tuple(sorted(rows, key=lambda row: (row.time, row.id)))

    def submission(self, submission_id: str) -> KeptSubmission | None:
        """Return the sheet from a phone with that id, of whatever event; None if there is none."""
        rows = table("submission").c
        row = self._first(select(rows.event).where(rows.id == submission_id))
        found = () if row is None else self.submissions(row.event)
        return next((each for each in found if each.id == submission_id), None)

    def league_program(self, number: int) -> str:
        """Return the version of this program that began the league."""
        return str(next(row.program for row in self._rows("leagues")["league"] if row.id == number))

    def blocks(self, number: int) -> Blocks:
        """Return the results of a league's blocks, with the bots that it has now."""
        return Blocks(self._connection, number, len(self.leagues()[number].bots))

    def record(self, digest: str) -> str:
        """Return the text of the record that a result names."""
        records = table("record")
        row = self._first(select(records.c.text).where(records.c.digest == digest))
        if row is None or sha256(str(row.text)) != digest:
            raise damaged(_("a game's record is not as it was written"))
        return str(row.text)

    def _everywhere(self, partition: str, name: str) -> Mapping[int, Rows]:
        """Return the rows of all events, by event."""
        return {event: list(rows) for event, rows in groupby(self._rows(partition)[name], lambda row: row.event)}
