"""Players who leave the event and the newest round in one change."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tourney import storage
from tourney.domain.events import Attendance
from tourney.service.change import Change, Scope
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.lookup import find_event, find_table
from tourney.service.rounds.edit_round import MovePlayer, Out
from tourney.service.seating.plan_diff import PlanInputs, plan_changes


@dataclass(frozen=True, slots=True)
class TakeOut(Change[Attendance]):
    """Withdraw players, and take them out of their tables of the newest round that have no result.

    Players who have left before, but still sit at such a table, are taken out of it, too.
    Refused, all or nothing: as `WithdrawPlayers` is, and as `MovePlayer` is where too few would be left at a table.
    """

    withdrawal: WithdrawPlayers

    def perform(self, store: storage.Store) -> Attendance:
        """Return the players who have left now, and the tables that they have left."""
        name = self.withdrawal.event
        inputs = PlanInputs.of(store, find_event(store, name))
        outcome = self.withdrawal.perform(store)
        gone = {player.id for player in (*outcome.changed, *outcome.already)}
        done = store.finished(outcome.event.id)
        newest = [table for drawn in store.rounds(outcome.event)[-1:] for table in drawn.tables]
        waiting = [table for table in newest if (table.round, table.number) not in done]
        tables = [table for table in waiting if any(player.id in gone for player in table.players)]
        for player in (player for table in tables for player in table.players if player.id in gone):
            MovePlayer(name, player.shown, Out()).perform(store)
        event = find_event(store, name)
        rounds = store.rounds(event)
        left = tuple(find_table(event, rounds, table.round, table.number) for table in tables)
        seated = tuple(table for table in outcome.seated if table not in tables)
        ahead = plan_changes(inputs, PlanInputs.of(store, event))
        return replace(outcome, event=event, seated=seated, left=left, ahead=ahead)

    def scope(self, reader: storage.Reader) -> Scope | None:
        """Return the scope of the withdrawal."""
        return self.withdrawal.scope(reader)
