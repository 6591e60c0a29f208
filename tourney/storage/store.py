"""The whole database in one transaction: what reads it, and what also writes it, each composed of a part a noun."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from sqlalchemy import Connection

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.rounds import Drawing, Round
from tourney.storage import sqlite
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.entries import PROGRAM, Entry, LoggedEntry
from tourney.storage.journal.kinds import Change, OfEvent
from tourney.storage.journal.replay import databases_before
from tourney.storage.nouns.club import ClubReader
from tourney.storage.nouns.events import EventReader, EventStore
from tourney.storage.nouns.journal import JournalReader
from tourney.storage.nouns.leagues import LeagueReader, LeagueStore
from tourney.storage.nouns.outside import OutsideReader, OutsideStore
from tourney.storage.nouns.people import PeopleReader, PeopleStore
from tourney.storage.nouns.pools import PoolReader, PoolStore
from tourney.storage.nouns.results import ResultReader, ResultStore
from tourney.storage.nouns.rounds import RoundReader, RoundStore
from tourney.storage.nouns.seasons import SeasonReader
from tourney.storage.nouns.transaction import Transaction
from tourney.storage.nouns.writing import Writing
from tourney.text.i18n import _


class Reader:
    """All queries of one open transaction, by noun.

    Each raises TourneyError STORAGE if the rows that it reads are not as they were written.
    """

    def __init__(
        self, connection: Connection, db: str | None = None, *, drafts: bool = True, for_all: bool = False
    ) -> None:
        self.db = db
        self.transaction = transaction = Transaction(connection, drafts=drafts)
        self.journal = JournalReader(transaction)
        self.people = PeopleReader(transaction, for_all=for_all)
        self.rounds = RoundReader(transaction, self.people)
        self.events = EventReader(transaction, self.people, self.rounds)
        self.results = ResultReader(transaction, self.people, self.rounds)
        self.pools = PoolReader(transaction, self.people, self.events, self.rounds)
        self.seasons = SeasonReader(transaction)
        self.club = ClubReader(transaction)
        self.leagues = LeagueReader(transaction)
        self.outside = OutsideReader(transaction)

    def shown_to_all(self) -> Hashable:
        """Return a value that differs after each entry of the journal, and after each block of a league."""
        query = "SELECT league, entrants, what, rows, total FROM league_seal ORDER BY league, entrants, what"
        return self.journal.head(), tuple(sqlite.rows(self.transaction.connection, query))

    def draws(self, event: Event) -> Iterator[tuple[Round, Drawing | None, Reader]]:
        """Yield each drawing of a round of the event that stands, in order.

        Each has the round as it was drawn, how it was drawn, and the database before it, valid until the next drawing.
        """

        def is_drawing(entry: LoggedEntry) -> bool:
            return kinds.rounds.RoundDrawn.made(entry) and entry.payload["event"] == event.id

        for entry, past in databases_before(self.transaction.connection, list(self.journal.entries()), is_drawing):
            before = Reader(past)
            players = {player.id: player for player in before.people.players()}
            yield payloads.drawn(entry.payload, players), payloads.drawn_by(entry.payload, players), before


class Store(Reader):
    """An open transaction that may write. Every entry of one store belongs to one command, made by one author."""

    def __init__(
        self,
        connection: Connection,
        db: str | None = None,
        dry_run: bool = False,
        by: str = "",
        *,
        for_all: bool = False,
    ) -> None:
        self.db = db
        self.dry_run = dry_run
        self._after_commit: list[Callable[[], None]] = []
        self.transaction: Writing = Writing(connection, by or PROGRAM)
        self.journal = self.transaction.journal
        self.people: PeopleStore = PeopleStore(self.transaction, for_all=for_all)
        self.rounds: RoundStore = RoundStore(self.transaction, self.people)
        self.events: EventStore = EventStore(self.transaction, self.people, self.rounds)
        self.results: ResultStore = ResultStore(self.transaction, self.people, self.rounds)
        self.pools: PoolStore = PoolStore(self.transaction, self.people, self.events, self.rounds)
        self.seasons = SeasonReader(self.transaction)
        self.club = ClubReader(self.transaction)
        self.leagues: LeagueStore = LeagueStore(self.transaction)
        self.outside: OutsideStore = OutsideStore(self.transaction)

    def after_commit(self, follow: Callable[[], None]) -> None:
        """Call `follow` once the transaction is committed; never for a dry run."""
        self._after_commit.append(follow)

    def committed(self) -> None:
        """Call the functions given to `after_commit`."""
        for follow in self._after_commit:
            follow()

    def write(self, change: Change, entry_id: str = "") -> bool:
        """Write a change and its index rows; return False if the same entry was written before under that id.

        Raises TourneyError CONFLICT if that id belongs to another entry.
        """
        return self.transaction.write(change, entry_id)

    def changed(self, change: OfEvent) -> Event:
        """Write a change in an event; return the event after it."""
        self.write(change)
        return self.events.get(change.payload["event"])

    def add(self, change: Change, entry_id: str = "") -> int:
        """Write the making of something; return its number. A retry returns the number that it got before."""
        return self.transaction.add(change, entry_id)

    def next(self, counted: str, event: int = 0) -> int:
        """Return the number of the next thing of a sort, or of the next one in an event."""
        return self.transaction.next(counted, event)

    def undo(self, number: int | None = None) -> tuple[Entry, ...]:
        """Undo the newest command that stands, or the one with the entry of that number; return its entries.

        No later entry may rest on it (`resting_on`). Raises TourneyError REFUSED if there is none, and as `undo_of`.
        """
        entries = (self.journal.next_undo() if number is None else self.journal.undo_of(number)).entries
        if not entries:
            hint = _("see what was done with `tourney log`")
            raise TourneyError(ExitCode.REFUSED, _("there is nothing to undo"), hint)
        self.transaction.append("undo", {"batch": entries[0].batch})
        return entries

    def redo(self) -> tuple[Entry, ...]:
        """Put back what was undone last; return its entries. Raises TourneyError REFUSED after a new change."""
        entries = self.journal.next_redo().entries
        if not entries:
            hint = _("only what was undone last can be put back, with nothing new done since")
            raise TourneyError(ExitCode.REFUSED, _("there is nothing to redo"), hint)
        self.transaction.append("redo", {"batch": entries[0].batch})
        return entries
