"""Read the rounds of an event: as they are, and as they were drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tourney.domain.events import Event
from tourney.domain.rounds import Clock, Drawing, KeptPlan, Round, Substitution, Table
from tourney.storage import rows as values
from tourney.storage import sqlite
from tourney.storage.journal import kinds, payloads
from tourney.storage.journal.canonical import canonical_json
from tourney.storage.journal.checksums import damaged
from tourney.storage.journal.entries import Entry
from tourney.storage.journal.fold import writers
from tourney.storage.journal.kinds import kind_of
from tourney.storage.journal.partitions import Partition
from tourney.storage.read.events import EventReader
from tourney.storage.read.journal import parsed
from tourney.storage.rows import Spot
from tourney.text.i18n import _

if TYPE_CHECKING:
    pass

Named = tuple[tuple[tuple[int, ...], bool], ...]
"""For each of some entries the ids of the players that it named, and whether it keeps the plan that it announced."""

AsDrawn = tuple[Round, Event, Drawing | None, Named]


def _read_plans(entry: Entry, number: int, merged: Mapping[int, int]) -> dict[str, KeptPlan]:
    try:
        return payloads.read_plans(entry.payload, merged)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damaged(_("the plan in entry {number} cannot be read").format(number=number)) from error


class RoundReader(EventReader):
    """Queries of the rounds of an event."""

    def rounds(self, event: Event) -> tuple[Round, ...]:
        """Return the drawn rounds of the event in order, players in seat order, byes in the order of entry."""
        rows = self._rows("rounds", event.id)
        tables = values.tables(rows["seat"], values.Known({player.id: player for player in event.entrants}))
        out: dict[int, set[int]] = defaultdict(set)
        for row in rows["sitting_out"]:
            out[row.round].add(row.player)
        drafts = self._drafts(event.id)
        return tuple(
            Round(
                row.number,
                tuple(table_ for (drawn, _at), table_ in tables.items() if drawn == row.number),
                tuple(player for player in event.entrants if player.id in out[row.number]),
                None if row.started is None else Clock(row.started, row.minutes),
                row.number in drafts,
            )
            for row in rows["round"]
        )

    def as_drawn(self, event: Event) -> tuple[tuple[AsDrawn, ...], dict[str, KeptPlan]]:
        """Return each drawn round in order, as it was drawn, and the steps of the plan that entries keep, by key.

        Each round comes with the event's settings and constraints at that time, how it was drawn, and the players that
        each entry about attendance named until the next draw.
        """
        names = ("settings", "entrants", "rounds")
        numbers = {row.act for name in names for row in writers(self._connection, Partition(name, event.id))}
        players, merged = self._players(), self.merged()
        everybody = values.Known(players | {gone: players[payloads.survivor(gone, merged)] for gone in merged})
        now = replace(event, constraints=())
        drawn: dict[int, tuple[Round, Event, Drawing | None]] = {}
        plans: dict[str, KeptPlan] = {}
        named: list[Named] = [()]
        for number in sorted(numbers):
            entry = self._entry(number)
            kind, payload = kind_of(entry), entry.payload
            plans |= _read_plans(entry, number, merged)
            if kind in (kinds.events.EventMade, kinds.events.EventSet):
                now = replace(now, settings=payloads.settings(now.settings, payload, merged))
            elif kind is kinds.events.EventConstrained:
                constraints = payloads.read_constraints(canonical_json(payload["wishes"]), players, merged)
                now = replace(now, constraints=constraints)
            elif kind in kinds.people.ATTENDANCE:
                players_named = tuple(payloads.survivor(player, merged) for player in payload["players"])
                named[-1] += ((players_named, "plan" in payload),)
            elif kind is kinds.rounds.RoundDrawn:
                drawn[payload["round"]] = (
                    payloads.drawn(payload, everybody),
                    now,
                    payloads.drawn_by(payload, everybody),
                )
                named.append(())
            elif kind is kinds.rounds.RoundCancelled:
                del drawn[payload["round"]]
                named[-2:] = [named[-2] + named[-1]]
        rounds = tuple((*drawn[number], after) for number, after in zip(sorted(drawn), named[1:], strict=True))
        return rounds, plans

    def times_edited(self, event: Event) -> dict[int, int]:
        """Return how often each round has been edited since it was last drawn."""
        times: dict[int, int] = {}
        for row in writers(self._connection, Partition("rounds", event.id)):
            entry = self._entry(row.act)
            if kinds.rounds.RoundDrawn.made(entry):
                times[entry.payload["round"]] = 0
            elif kinds.rounds.TablesMoved.made(entry) or kinds.results.TableDissolved.made(entry):
                times[entry.payload["round"]] += 1
        return times

    def _drafts(self, event: int) -> frozenset[int]:
        """Return the numbers of the drafts: rounds that were not published and have no result."""
        numbers = frozenset(row.number for row in self._rows("rounds", event)["round"] if row.draft)
        scored = frozenset(row.round for row in self._rows("results", event)["result"]) if numbers else frozenset()
        return numbers - scored

    def event_alone(self, number: int, current: str = "") -> Event:
        """Return the event of that number with its entrants, and with those who only play for others."""
        event = super().event_alone(number, current)
        named = {each.substitute.id for each in self.substitutions(event)}
        if not named:
            return event
        seated = {player.id for each in self.rounds(event) for table in each.tables for player in table.players}
        return replace(event, substitutes=frozenset(named - seated - {player.id for player in event.playing}))

    def substitutions(self, event: Event) -> tuple[Substitution, ...]:
        """Return who plays for whom in the rounds of the event, as the rounds are drawn now."""
        asked = "SELECT 1 FROM trace WHERE part = 'substitutes' AND event = ? LIMIT 1"
        if not sqlite.rows(self._connection, asked, (event.id,)):
            return ()
        named = list(writers(self._connection, Partition("substitutes", event.id)))
        drawn = {}
        for row in writers(self._connection, Partition("rounds", event.id)):
            entry = self._entry(row.act)
            if kinds.rounds.RoundDrawn.made(entry):
                drawn[entry.payload["round"]] = row.act
        found: dict[tuple[int, int], int | None] = {}
        for row in named:
            payload = self._entry(row.act).payload
            if row.act > drawn.get(payload["round"], row.act):
                found[payload["round"], payload["absent"]] = payload["substitute"]
        players, merged = self._players(), self.merged()
        return tuple(
            Substitution(number, players[merged.get(absent, absent)], players[merged.get(other, other)])
            for (number, absent), other in sorted(found.items(), key=lambda item: item[0])
            if other is not None
        )

    def draw_entries(self, event: Event) -> dict[int, str]:
        """Return the id of the entry that drew each round of the event."""
        ids: dict[int, str] = {}
        for entry in self._writers("rounds", event.id):
            if kinds.rounds.RoundDrawn.made(entry):
                ids[entry.payload["round"]] = entry.id
        return ids

    def new_event_entry(self, event: Event) -> str:
        """Return the id of the entry that made the event."""
        return next(entry.id for entry in self._writers("settings", event.id) if kinds.events.EventMade.made(entry))

    def drawn_at(self, event: Event) -> dict[int, str]:
        """Return when each drawn round of the event was drawn (UTC)."""
        times: dict[int, str] = {}
        for row in writers(self._connection, Partition("rounds", event.id)):
            entry = parsed(row.text, row.act)
            if kinds.rounds.RoundDrawn.made(entry):
                times[entry.payload["round"]] = entry.time
        return times

    def _tables(self, event: Event) -> Mapping[Spot, Table]:
        return values.Known(
            {(table_.round, table_.number): table_ for each in self.rounds(event) for table_ in each.tables}
        )
