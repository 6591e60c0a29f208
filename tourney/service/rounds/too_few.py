"""Tables at which too few players are left, and the command that dissolves such a table."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from tourney.domain.events import GONE, Event
from tourney.domain.rounds import Round, Table
from tourney.rulebook import rulesets
from tourney.service.lookup import event_argument
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument


def too_few_left(event: Event, rounds: Sequence[Round], done: Collection[tuple[int, int]]) -> tuple[Table, ...]:
    """Return each table without a result at which fewer players are left than the rules allow, with those players.

    `done` has (round, table) of the tables whose result counts.
    """
    states = zip(event.entrants, event.states, strict=True)
    gone = {player.id for player, state in states if state in GONE}
    left = [
        replace(table, players=tuple(player for player in table.players if player.id not in gone))
        for round_ in rounds
        for table in round_.tables
        if (table.round, table.number) not in done and any(player.id in gone for player in table.players)
    ]
    if not left:
        # Most rounds have no such table, and need not read the rules.
        return ()
    least, _most = rulesets.table_limits(event.rules)
    return tuple(table for table in left if len(table.players) < least)


def dissolve_command(event: Event, table: Table) -> str:
    """Return the command that dissolves a table, ready to paste."""
    return "tourney round dissolve{event} --round {round} --table {table} --reason {reason}".format(
        event=event_argument(event),
        round=table.round,
        table=table.number,
        reason=quote_argument(_("too few players")),
    )
