"""Read and write events, and who has entered them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import dropwhile
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.exc import OperationalError, StatementError

from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import EntrantState, Event, EventSettings, without_round
from tourney.domain.leagues import OutsideBot
from tourney.domain.people import Player
from tourney.domain.rounds import both_play
from tourney.domain.rules import RulesRef
from tourney.storage import person_names, sqlite
from tourney.storage import rows as values
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.checksums import damaged
from tourney.storage.journal.entries import Entry, Origin, new_id, parse_entry, utc_now
from tourney.storage.journal.undo import IMPOSSIBLE
from tourney.storage.nouns.people import PeopleReader
from tourney.storage.nouns.rounds import RoundReader
from tourney.storage.nouns.transaction import Transaction
from tourney.storage.nouns.writing import Writing
from tourney.storage.person_names import NewPerson
from tourney.storage.rating_inputs import RatedEvent
from tourney.storage.table_rows import lacks_parent
from tourney.storage.tables import COLUMNS, table
from tourney.text.i18n import _, fill


class EventReader:
    """Queries of events and of their entrants."""

    def __init__(self, transaction: Transaction, people: PeopleReader, rounds: RoundReader) -> None:
        self._transaction = transaction
        self._people = people
        self._rounds = rounds

    def current(self) -> int | None:
        """Return the number of the event set by `event use`; None if none is set."""
        rows = self._transaction.rows("current")["current_event"]
        return rows[0].event if rows else None

    def meant(self) -> int | None:
        """Return the number of the event that commands mean when none is named; None if none can be.

        It is the one set by `event use`, otherwise the only event, otherwise the only one in play: open, and a round of
        it is drawn. So the event in play stays the current one when the next is created. Where none is in play, it is
        the only open one.
        """
        chosen = self.current()
        if chosen is not None:
            return chosen
        rows = self._transaction.rows("settings")["event"]
        if len(rows) > 1:
            rows = [row for row in rows if row.state == "open"]
            rows = [row for row in rows if self._transaction.rows("rounds", row.id)["round"]] or rows
        return rows[0].id if len(rows) == 1 else None

    def names(self) -> dict[int, str]:
        """Return the names of events by number, in the order they were made."""
        return {row.id: row.name for row in self._transaction.rows("settings")["event"]}

    def get(self, number: int) -> Event:
        """Return the event of that number with its entrants."""
        return self.alone(number, self._name_of_current())

    def has_shown(self, number: int, deals: str) -> bool:
        """Return whether the event was finished, or came back from elsewhere, after it had this seed of deals.

        What was undone counts, too.
        """
        entries = self._transaction.about("settings", number)
        later = dropwhile(lambda entry: deals not in canonical_json(entry.payload), entries)
        showing = kinds.events.EventFinished, kinds.events.EventImported
        return any(kind.made(entry) for entry in later for kind in showing)

    def all(self) -> tuple[Event, ...]:
        """Return all events with their entrants, in the order they were made."""
        current = self._name_of_current()
        return tuple(self.alone(number, current) for number in self.names())

    def _name_of_current(self) -> str:
        meant = self.meant()
        return "" if meant is None else str(self._transaction.rows("settings", meant)["event"][0].name)

    def alone(self, number: int, current: str = "") -> Event:
        """Return the event of that number with its entrants, and with those who only play for others."""
        return self._rounds.with_substitutes(self._with_entrants(number, current))

    def _with_entrants(self, number: int, current: str) -> Event:
        """Return the event of that number with its entrants."""
        rows = self._transaction.rows("settings", number)["event"]
        if not rows:
            raise damaged(_("event {number} is not there").format(number=number))
        players = self._people.by_number()
        entrants = self._transaction.rows("entrants", number)["entrant"]
        people = tuple(players[row.player] for row in entrants)
        constraints = payloads.read_constraints(rows[0].wishes, players, self._people.merged())
        states = tuple(self._entrant_state(row) for row in entrants)
        event = values.event(rows[0], people, states, constraints, current, self._people.merged())
        drafts = frozenset[int]() if self._transaction.drafts else self._rounds.drafts(number)
        return without_round(event, min(drafts)) if drafts else event

    def naming(self, names: Collection[str]) -> tuple[str, ...]:
        """Return the events whose names or settings have one of the names, accents and case aside."""
        found = person_names.having(names)
        rows = self._transaction.rows("settings")["event"]
        return tuple(row.name for row in rows if found([row.name, *json.loads(row.settings).values()]))

    def making_entry(self, event: Event) -> str:
        """Return the id of the entry that made the event."""
        return next(
            entry.id for entry in self._transaction.standing("settings", event.id) if kinds.events.EventMade.made(entry)
        )

    def _entrant_state(self, row: Row[Any]) -> EntrantState:
        """Return an entrant's state; the entry of a no-show says whether they were entered by mistake."""
        state: EntrantState = row.state
        if state != "no-show":
            return state
        entry = self._transaction.entry(row.act)
        if kinds.people.PlayersMerged.made(entry):
            is_mistake = self._mistaken(row.event)[row.player]
        else:
            is_mistake = entry.payload.get("mistake", False)
        return "removed" if is_mistake else state

    def _mistaken(self, event: int) -> dict[int, bool]:
        """Return of everybody who was ever taken out of an event whether that was last as entered by mistake.

        Somebody of two registrations was, if no other reason took one of them out.
        """
        found: dict[int, bool] = {}
        for entry in self._transaction.standing("entrants", event):
            payload = entry.payload
            if kinds.people.PlayersWithdrawn.made(entry):
                found |= dict.fromkeys(payload["players"], payload.get("mistake", False))
            elif kinds.people.PlayersMerged.made(entry):
                both = [found.pop(player) for player in (payload["keep"], payload["gone"]) if player in found]
                found |= {payload["keep"]: all(both)} if both else {}
        return found

    def entered_by(self, player: int) -> tuple[str, ...]:
        """Return the names of the events that the player has entered, in the order they were made."""
        entered = {row.event for row in self._transaction.rows("entrants")["entrant"] if row.player == player}
        return tuple(name for number, name in self.names().items() if number in entered)

    def rated(self) -> tuple[RatedEvent, ...]:
        """Return all events in the order of rating: by date, or without one by the day (UTC) they were made."""
        rows = self._transaction.rows("settings")["event"]
        events = [
            RatedEvent(
                row.id,
                row.name,
                row.rules,
                json.loads(row.settings).get("date") or self._transaction.entry(row.act).time[:10],
            )
            for row in rows
        ]
        return tuple(sorted(events, key=lambda event: (event.day, event.number)))

    def bots(self, event: int) -> dict[str, OutsideBot]:
        """Return the bots from outside that were entered in an event, by name."""
        entries = (entry.payload for entry in self._transaction.standing("entrants", event))
        bots = [payloads.outside_bot(row) for payload in entries for row in payload.get("outside", ())]
        return {bot.name: bot for bot in bots}


class EventStore(EventReader):
    """Reads and writes events."""

    _transaction: Writing

    def new(self, settings: EventSettings, rules: RulesRef) -> Event:
        """Create an event without entrants."""
        return self.get(self._transaction.add(kinds.events.EventMade.of(settings, rules)))

    def change(self, event: Event, settings: EventSettings) -> Event:
        """Change the event's settings, except its rules."""
        changes = payloads.changes(event.settings, settings)
        if changes:
            self._transaction.write(kinds.events.EventSet(event, changes))
        return self.get(event.id)

    def enter(self, event: Event, players: Sequence[Player], outside: Sequence[OutsideBot] = ()) -> Event:
        """Add players after the event's entrants; `outside` are the bots of their seats that are not built in."""
        bots = payloads.outside_rows(outside)
        self._transaction.write(kinds.people.PlayersEntered(event, players, len(event.entrants) + 1, bots))
        return self.get(event.id)

    def merge(self, keep: Player, gone: Player) -> None:
        """Merge two players who are one person, in every event.

        Raises TourneyError REFUSED, naming event and round, if both have a seat in one round, or play for somebody.
        """
        merged = [number for number in self.names() if gone in self.get(number).entrants]
        for number in merged:
            self._refuse_both(self.get(number), keep, gone)
        self._transaction.write(kinds.people.PlayersMerged(keep, gone, merged))

    def _refuse_both(self, event: Event, keep: Player, gone: Player) -> None:
        substitutions = self._rounds.substitutions(event)
        for drawn in self._rounds.of(event):
            seated = {player.id for at in drawn.tables for player in at.players}
            playing = {each.absent.id: each.substitute.id for each in substitutions if each.round == drawn.number}
            if both_play(seated, playing, keep.id, gone.id):
                message = _("{keep} and {gone} both have a seat in round {round} of {event}")
                message = fill(message, keep=keep.shown, gone=gone.shown, round=drawn.number, event=event.settings.name)
                hint = _("they are two people, or one of the seats is wrong: see `tourney round show`")
                raise TourneyError(ExitCode.REFUSED, message, hint)

    def note_import(self, name: str, entries: int, head: str, known: int | None = None) -> int:
        """Write that so many entries of an event are imported; return its number here, which is `known` if it was here.

        The entries follow by `bring_in`. No name is read before all of them are written, because a person's name may be
        somebody else's until the entry that merges the two.
        """
        number = self._transaction.next("event") if known is None else known
        self._transaction.write(kinds.events.EventImported(number, name, entries, head, more=known is not None))
        return number

    def bring_in(self, entry: Entry) -> None:
        """Write an entry made in another database, which has its origin, as a part of this command.

        An id that an entry here has already is replaced by a new one. Raises ValueError for an entry that cannot follow
        those before it.
        """
        taken = self._transaction.first(select(table("act").c.number).where(table("act").c.id == entry.id)) is not None
        try:
            self._transaction.write_entry(
                replace(entry, id=new_id() if taken else entry.id, batch=self._transaction.batch)
            )
        except OperationalError:
            raise
        except (*IMPOSSIBLE, StatementError) as error:
            raise ValueError("it cannot follow the entries before it") from error

    def add_unregistered(self, how_many: int) -> tuple[int, ...]:
        """Return new numbers for players who are not registered: only undone entries of an imported event name them."""
        first, entry = self._transaction.next("player"), new_id()
        numbers = tuple(range(first, first + how_many))
        nobody = NewPerson("", "", "")
        person_names.write(self._transaction.connection, [(number, 1, nobody) for number in numbers])
        added = kinds.people.PlayersAdded([{"id": number, "kind": "person"} for number in numbers])
        origin = Origin(entry, entry, "undone")
        self.bring_in(Entry(entry, added.kind_name, utc_now(), "", added.payload, self._transaction.by, origin=origin))
        return numbers

    def with_any(self, ids: Sequence[str]) -> int | None:
        """Return an event of which an entry has one of these ids, here or where it was made; None without one."""
        acts, names, wanted = table("act"), self.names(), set(ids)
        created = self._transaction.connection.execute(
            select(acts.c.text).where(acts.c.kind == kinds.events.EventMade.kind_name)
        )
        found = [parse_entry(row.text) for row in created]
        found = [entry for entry in found if entry.origin is not None and entry.origin.id in wanted]
        for start in range(0, len(ids), 500):
            same = select(acts.c.text).where(acts.c.id.in_(ids[start : start + 500]))
            found += [parse_entry(row.text) for row in self._transaction.connection.execute(same)]
        named = (number for entry in found for number in (entry.payload.get("event"), *entry.payload.get("events", ())))
        return next((number for number in named if number in names), None)

    def refers_to_nothing(self, event: int) -> bool:
        """Return whether a row of the event, or of a player, refers to one that is not there.

        Otherwise the end of the transaction would refuse it, without saying why. Rows of other events are not read.
        """
        if sqlite.rows(self._transaction.connection, "PRAGMA foreign_key_check(player)"):
            return True
        return any(lacks_parent(self._transaction.connection, name, event) for name in COLUMNS)
