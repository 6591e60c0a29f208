"""Read people and events, and refuse rows whose checksum is wrong."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, select

from tourney.domain.events import EntrantState, Event
from tourney.domain.people import Player
from tourney.storage import rows as values
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.checksums import Rows, damaged, verified_rows
from tourney.storage.journal.fold import writers
from tourney.storage.journal.partitions import Partition
from tourney.storage.rating_inputs import RatedEvent
from tourney.storage.read.journal import JournalReader
from tourney.storage.rows import Spot
from tourney.storage.tables import table
from tourney.text.i18n import _

if TYPE_CHECKING:
    pass


class EventReader(JournalReader):
    """Queries of people, of events and of who has entered them.

    Each method raises TourneyError STORAGE if the rows that it reads are not as they were written.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._seen: dict[Partition, Mapping[str, Rows]] = {}
        self._living: tuple[Rows, dict[int, Player]] = ([], {})
        self._merged: tuple[Rows, dict[int, int]] = ([], {})

    def players(self) -> tuple[Player, ...]:
        """Return all players and seats of bots in the order of registration, except those merged into another."""
        return tuple(self._players().values())

    def gone(self) -> tuple[Player, ...]:
        """Return the players merged into another, each under the last name before the merger."""
        return tuple(self._with_names([row for row in self._rows("players")["player"] if row.merged is not None]))

    def merged(self) -> Mapping[int, int]:
        """Return which player was merged into which, by number; remembered as long as their rows."""
        rows = self._rows("players")["player"]
        if rows is not self._merged[0]:
            self._merged = rows, {each.id: each.merged for each in rows if each.merged is not None}
        return self._merged[1]

    def current_event(self) -> int | None:
        """Return the number of the event set by `event use`; None if none is set."""
        rows = self._rows("current")["current_event"]
        return rows[0].event if rows else None

    def meant_event(self) -> int | None:
        """Return the number of the event that commands mean when none is named; None if none can be.

        It is the one set by `event use`, otherwise the only event, otherwise the only one in play: open, and a round of
        it is drawn. So the event in play stays the current one when the next is created. Where none is in play, it is
        the only open one.
        """
        chosen = self.current_event()
        if chosen is not None:
            return chosen
        rows = self._rows("settings")["event"]
        if len(rows) > 1:
            rows = [row for row in rows if row.state == "open"]
            rows = [row for row in rows if self._rows("rounds", row.id)["round"]] or rows
        return rows[0].id if len(rows) == 1 else None

    def event_names(self) -> dict[int, str]:
        """Return the names of events by number, in the order they were made."""
        return {row.id: row.name for row in self._rows("settings")["event"]}

    def event(self, number: int) -> Event:
        """Return the event of that number with its entrants."""
        return self.event_alone(number, self._name_of_current())

    def events(self) -> tuple[Event, ...]:
        """Return all events with their entrants, in the order they were made."""
        current = self._name_of_current()
        return tuple(self.event_alone(number, current) for number in self.event_names())

    def _name_of_current(self) -> str:
        meant = self.meant_event()
        return "" if meant is None else str(self._rows("settings", meant)["event"][0].name)

    def event_alone(self, number: int, current: str = "") -> Event:
        """Return the event of that number with its entrants; `current` is the name of the current event, if known."""
        rows = self._rows("settings", number)["event"]
        if not rows:
            raise damaged(_("event {number} is not there").format(number=number))
        players = self._players()
        entrants = self._rows("entrants", number)["entrant"]
        people = tuple(players[row.player] for row in entrants)
        constraints = payloads.read_constraints(rows[0].wishes, players, self.merged())
        states = tuple(self._entrant_state(row) for row in entrants)
        return values.event(rows[0], people, states, constraints, current, self.merged())

    def _entrant_state(self, row: Row[Any]) -> EntrantState:
        """Return an entrant's state; the entry of a no-show says whether they were entered by mistake."""
        state: EntrantState = row.state
        if state != "no-show":
            return state
        entry = self._entry(row.act)
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
        for row in writers(self._connection, Partition("entrants", event)):
            entry = self._entry(row.act)
            payload = entry.payload
            if kinds.people.PlayersWithdrawn.made(entry):
                found |= dict.fromkeys(payload["players"], payload.get("mistake", False))
            elif kinds.people.PlayersMerged.made(entry):
                both = [found.pop(player) for player in (payload["keep"], payload["gone"]) if player in found]
                found |= {payload["keep"]: all(both)} if both else {}
        return found

    def events_of(self, player: int) -> tuple[str, ...]:
        """Return the names of the events that the player has entered, in the order they were made."""
        entered = {row.event for row in self._rows("entrants")["entrant"] if row.player == player}
        return tuple(name for number, name in self.event_names().items() if number in entered)

    def rated_events(self) -> tuple[RatedEvent, ...]:
        """Return all events in the order of rating: by date, or without one by the day (UTC) they were made."""
        rows = self._rows("settings")["event"]
        events = [
            RatedEvent(row.id, row.name, row.rules, json.loads(row.settings).get("date") or self._day(row.act))
            for row in rows
        ]
        return tuple(sorted(events, key=lambda event: (event.day, event.number)))

    def _players(self) -> dict[int, Player]:
        """Return the players who were not merged into another, by number; remembered as long as their rows."""
        rows = self._rows("players")["player"]
        if rows is not self._living[0]:
            called = self._with_names([row for row in rows if row.merged is None])
            self._living = rows, values.Known({player.id: player for player in called})
        return self._living[1]

    def _with_names(self, rows: Sequence[Row[Any]]) -> Iterator[Player]:
        """Yield these players with their names."""
        persons = table("person")
        texts = {(row.player, row.version): row for row in self._connection.execute(select(persons))}
        return (values.player(row, texts.get((row.id, row.version))) for row in rows)

    def _rows(self, name: str, event: int = 0, in_round: int = 0) -> Mapping[str, Rows]:
        """Return the rows of a partition by table, and remember them."""
        partition = Partition(name, event, in_round)
        if partition not in self._seen:
            self._seen[partition] = self._verified(partition)
        return self._seen[partition]

    def _verified(self, partition: Partition, spots: Collection[Spot] | None = None) -> Mapping[str, Rows]:
        """Return the rows of a partition, or with `spots` only those of these tables, without remembering them."""
        return verified_rows(self._connection, partition, spots)
