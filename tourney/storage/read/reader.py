"""Read the whole database in one transaction: also what is rated, leagues, records and headings."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import Row, select

from tourney.domain.editions import PublishedEdition
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rankings import Pool
from tourney.domain.rounds import COUNTS_FOR, Drawing, Round
from tourney.domain.seasons import Season
from tourney.storage import person_names, sqlite
from tourney.storage import rows as values
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.canonical import row_checksum, sha256
from tourney.storage.journal.checksums import damaged
from tourney.storage.journal.entries import LoggedEntry, Payload
from tourney.storage.journal.fold import writers
from tourney.storage.journal.kinds import Change
from tourney.storage.journal.partitions import Partition
from tourney.storage.journal.replay import databases_before
from tourney.storage.league_blocks import Blocks
from tourney.storage.rating_inputs import (
    ImportedFile,
    ImportedFiles,
    PlayedHands,
    PlayedRounds,
    PlayedTable,
    StandIns,
    as_counted,
)
from tourney.storage.read.journal import parsed
from tourney.storage.read.results import ResultReader
from tourney.storage.read.seasons import seasons
from tourney.storage.rows import KeptAccess, KeptSubmission
from tourney.storage.tables import table
from tourney.text.i18n import _
from tourney.text.names import fold

if TYPE_CHECKING:
    from tourney.domain.leagues import League, OutsideBot


EARLIER: Final = "earlier"
"""The source of files that were imported before sources had names."""

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
            return kinds.rounds.RoundDrawn.made(entry) and entry.payload["event"] == event.id

        for entry, past in databases_before(self._connection, list(self.entries()), is_drawing):
            before = Reader(past)
            players = {player.id: player for player in before.players()}
            yield payloads.drawn(entry.payload, players), payloads.drawn_by(entry.payload, players), before

    def shown_to_all(self) -> Hashable:
        """Return a value that differs after each entry of the journal, and after each block of a league."""
        query = "SELECT league, entrants, what, rows, total FROM league_seal ORDER BY league, entrants, what"
        return self.head(), tuple(sqlite.rows(self._connection, query))

    def played_by(self, player: int) -> Iterator[PlayedTable]:
        """Yield the tables that count for a player, in the order of rating: event date, event, round, table.

        Only events that the player has entered, or plays a substitute in, are read.
        """
        entered = {row.event for row in self._rows("entrants")["entrant"] if row.player == player}
        stand_ins = self._stand_ins()
        entered |= {number for number, changed in stand_ins.items() if str(player) in changed.values()}
        numbers = [event.number for event in self.rated_events() if event.number in entered]
        tables = (table for number in numbers for table in self._counted(number, stand_ins.get(number, {})))
        return (table for table in tables if any(seated.id == player for seated in table.players))

    def _counted(self, number: int, changed: StandIns) -> Iterator[PlayedTable]:
        """Yield the tables of an event that count."""
        players, name = self._players(), self.event_names()[number]
        scores = self._verified(Partition("results", number))["score"]
        if scores:
            tables = values.tables(self._verified(Partition("rounds", number))["seat"], players)
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
        days = {event.number: event.day for event in self.rated_events()}
        return rounds(self._connection, self._verified, days, self._stand_ins())

    def _stand_ins(self) -> dict[int, StandIns]:
        """Return for each event with substitutes for whom their results count, if not for the absent players."""
        traces = sqlite.rows(self._connection, "SELECT DISTINCT event FROM trace WHERE part = 'substitutes'")
        found, events = {}, self.event_names()
        for (number,) in traces:
            if number not in events:
                continue  # Its import was taken back, or it was deleted.
            event = self.event_alone(number)
            counts_for = COUNTS_FOR[event.settings.substitutes]
            found[number] = {
                (each.round, str(each.absent.id)): None if (who := counts_for(each)) is None else str(who.id)
                for each in self.substitutions(event)
            }
        return {number: changed for number, changed in found.items() if changed}

    def pools(self) -> dict[int, Pool]:
        """Return the pools that were opened, imported or given parameters, by number."""
        return {
            row.id: Pool(row.name, row.kind, row.mu, row.sigma, row.beta, row.tau, row.draw, row.absence, row.unit)
            for row in self._rows("pools")["pool"]
        }

    def imported_files(self, pool: int) -> ImportedFiles:
        """Return the files imported into the pool, for ratings."""
        rows = [row for row in self._rows("pools")["pool_import"] if row.pool == pool]
        files = [self._imported_file(row) for row in rows]
        return ImportedFiles(self._connection, files, lambda number: self._entry(number).payload, self.aliases(pool))

    def _imported_file(self, row: Row[Any]) -> ImportedFile:
        payload = self._entry(row.act).payload
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

    def published(self) -> dict[int, str | None]:
        """Return the other name under which rankings show a person, by number; None for one whom they do not show."""
        found: dict[int, str | None] = {}
        texts = table("person")
        for payload in self._made(kinds.people.PlayerPublished, Partition("players")):
            number = payload["player"]
            found.pop(number, None)
            if payload["published"] == "nothing":
                found[number] = None
            elif "version" in payload:
                where = (texts.c.player == number, texts.c.version == payload["version"])
                row = self._first(select(texts.c.name).where(*where))
                # The name of somebody who was erased is empty.
                found |= {number: row.name} if row is not None and row.name else {}
        return found

    def imported_names(self, pool: int) -> dict[str, int]:
        """Return the numbers of all names in the files ever imported into the pool: their place there, from 1.

        Files that were replaced or removed count, so that a name keeps its number.
        """
        query = "SELECT name FROM pool_result WHERE pool_import = ? GROUP BY name ORDER BY min(row)"
        names: dict[str, int] = {}
        for payload in self._of_pool(kinds.pools.GamesImported, pool):
            for (name,) in sqlite.stream(self._connection, query, (payload["import"],)):
                names.setdefault(name, len(names) + 1)
        return names

    def _of_pool(self, kind: type[Change], pool: int) -> Iterator[Payload]:
        """Yield the payloads of the entries of a kind that stand and are about the pool, in order."""
        return (payload for payload in self._made(kind, Partition("pools")) if payload["pool"] == pool)

    def _made(self, kind: type[Change], partition: Partition) -> Iterator[Payload]:
        """Yield the payloads of the entries of a kind that stand and have written a partition, in order."""
        acts = table("act").c
        numbers = set(self._connection.execute(select(acts.number).where(acts.kind == kind.kind_name)).scalars())
        for row in writers(self._connection, partition) if numbers else ():
            if row.act in numbers:
                yield self._entry(row.act).payload

    def pools_naming(self, player: Player) -> tuple[str, ...]:
        """Return the pools whose imported files have a name that the player has or had, accents and case aside."""
        names = set(map(fold, person_names.former(self._connection, player.id)))
        # Rows of files that were replaced or removed stay, and are in no list of files.
        pools = {each["import"]: each["pool"] for each in self._made(kinds.pools.GamesImported, Partition("pools"))}
        query = "SELECT DISTINCT pool_import, name FROM pool_result"
        rows = sqlite.rows(self._connection, query)
        found = {pools[number] for number, name in rows if number in pools and fold(name) in names}
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

    def seasons(self) -> tuple[Season, ...]:
        """Return the seasons in the order in which they were made."""
        return seasons(self._writers("seasons", 0))

    def event_bots(self, event: int) -> dict[str, OutsideBot]:
        """Return the bots from outside that were entered in an event, by name."""
        entries = (self._entry(row.act).payload for row in writers(self._connection, Partition("entrants", event)))
        bots = [payloads.outside_bot(row) for payload in entries for row in payload.get("outside", ())]
        return {bot.name: bot for bot in bots}

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
