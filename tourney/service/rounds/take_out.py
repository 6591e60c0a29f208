"""Players who leave the event and the newest round in one change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.rounds import Table
from tourney.domain.schedule import Attendance
from tourney.rulebook import rulesets
from tourney.service.change import Change, Scope
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.lookup import event_argument, find_event, find_table
from tourney.service.rounds.edit_round import MovePlayer, Out
from tourney.service.rounds.rounds import dissolve_command
from tourney.service.seating.plan_diff import PlanInputs, broken_by_plan, plan_changes
from tourney.text.i18n import _, ngettext
from tourney.text.sanitize import quote_argument


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
        waiting = store.results.waiting(outcome.event, store.rounds.of(outcome.event)[-1:])
        tables = [table for table in waiting if any(player.id in gone for player in table.players)]
        for table in tables:
            self._refuse_too_few(outcome, table, gone)
        for player in (player for table in tables for player in table.players if player.id in gone):
            MovePlayer(name, player.shown, Out()).perform(store)
        event = find_event(store, name)
        rounds = store.rounds.of(event)
        left = tuple(find_table(event, rounds, table.round, table.number) for table in tables)
        seated = tuple(table for table in outcome.seated if table not in tables)
        ahead = plan_changes(inputs, PlanInputs.of(store, event))
        broken = broken_by_plan(PlanInputs.of(store, event)) if ahead else ()
        return replace(outcome, event=event, seated=seated, left=left, ahead=ahead, broken=broken)

    def scope(self, reader: storage.Reader) -> Scope | None:
        """Return the scope of the withdrawal."""
        return self.withdrawal.scope(reader)

    def cut_scope(self, reader: storage.Reader) -> Collection[int]:
        """Return the event of the withdrawal."""
        return self.withdrawal.cut_scope(reader)

    def _refuse_too_few(self, outcome: Attendance, table: Table, leaving: Collection[int]) -> None:
        """Raise TourneyError REFUSED for a table at which too few would be left: they can be seated elsewhere."""
        least, _most = rulesets.table_limits(outcome.event.rules)
        left = sum(player.id not in leaving for player in table.players)
        if left >= least:
            return
        message = ngettext(
            "table {table} would have {number} player", "table {table} would have {number} players", left
        )
        words = [*(player.shown for player in (*outcome.changed, *outcome.already)), *self._absence_option()]
        hint = _(
            "without --out, `tourney event withdraw{event} {words}`, and then `{dissolve}` seats the others elsewhere"
        ).format(
            event=event_argument(outcome.event),
            words=" ".join(map(quote_argument, words)),
            dissolve=dissolve_command(outcome.event, table),
        )
        raise TourneyError(ExitCode.REFUSED, message.format(table=table.number, number=left), hint)

    def _absence_option(self) -> tuple[str, ...]:
        return ("--no-show",) if self.withdrawal.absence == "no-show" else ()
