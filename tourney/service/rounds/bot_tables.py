"""Play the tables of bots in an event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.progress import Progress, no_progress
from tourney.domain.results import Play, Result
from tourney.domain.rounds import Table
from tourney.rulebook import records
from tourney.service import database
from tourney.service.change import Change, apply
from tourney.service.impact import preview
from tourney.service.lookup import nothing_drawn, refuse_finished, same_rules
from tourney.service.rounds.rounds import show
from tourney.service.stage_view import with_rules_of_round


def play(
    db: str | None,
    event: str | None = None,
    round_number: int | None = None,
    progress: Progress = no_progress,
    dry_run: bool = False,
    by: str = "",
) -> Play:
    """Play the tables of bots only that have no result, or a void one, in all drawn rounds or in one, for `by`.

    Each result is kept as soon as it is played, so that an interrupt loses nothing. A table's deals depend only on the
    event's seed, the round and the table. The game of a table that is changed or cancelled meanwhile is not kept.
    Raises TourneyError NOT_FOUND, and REFUSED if nothing is drawn, the event is finished or its rules are not those of
    this program.
    """
    schedule = show(db, event, round_number)
    refuse_finished(schedule.event)
    if not schedule.rounds:
        raise nothing_drawn(schedule.event)
    same_rules(schedule.event)
    finished = schedule.done - schedule.void
    open_tables = [
        table for round_ in schedule.rounds for table in round_.tables if (table.round, table.number) not in finished
    ]
    of_bots = [table for table in open_tables if _is_bots_only(table)]
    waiting = tuple(table for table in open_tables if not _is_bots_only(table))
    results = tuple(_played(db, schedule.event, of_bots, progress, dry_run, by))
    return Play(schedule.event, results, waiting)


def table_seed(event: Event, table: Table) -> str:
    """Return the seed of the deals of a bots' table."""
    return f"{event.settings.seed}/round/{table.round}/table/{table.number}"


def _played(
    db: str | None, event: Event, tables: Sequence[Table], progress: Progress, dry_run: bool, by: str
) -> Iterator[Result]:
    for count, table in enumerate(tables, 1):
        names = [player.name for player in table.players]
        kinds = [name.rpartition("-")[0] for name in names]
        rules = with_rules_of_round(event, table.round).rules
        game = records.play_table(rules, kinds, names, table_seed(event, table), event.settings.stake)
        keep = _KeepBotTable(event, table, game)
        if preview(db, keep, by=by).outcome if dry_run else apply(db, keep, by=by):
            yield Result(event.settings.name, table, game.outcome, records.record_digest(game.record))
        progress(count, len(tables))


@dataclass(frozen=True, slots=True)
class _KeepBotTable(Change[bool]):
    """Keep the result of a table that bots have played."""

    event: Event
    table: Table
    game: records.BotGame

    def perform(self, store: storage.Store) -> bool:
        """Return whether the table has the same seats as before; a result entered meanwhile is not replaced."""
        if not _is_unchanged(store, self.event, self.table):
            return False
        if _lacks_result(store, self.event, self.table):
            store.keep_result(self.event, self.table, self.game.outcome, record=self.game.record)
        database.backup_when_finished(store, self.event, self.table.round)
        return True


def _is_unchanged(reader: storage.Reader, event: Event, table: Table) -> bool:
    """Return whether the table has the same seats as before: a round may change while its tables are played."""
    return any(table in round_.tables for round_ in reader.rounds(event))


def _lacks_result(reader: storage.Reader, event: Event, table: Table) -> bool:
    """Return whether the table still lacks a result; another process may have played the same game from its seed."""
    spot = (table.round, table.number)
    return spot not in reader.finished(event.id) or spot in reader.void(event.id)


def _is_bots_only(table: Table) -> bool:
    return all(player.kind == "bot" for player in table.players)
