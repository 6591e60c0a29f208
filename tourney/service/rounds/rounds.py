"""The drawn rounds of an event, the slips of their tables, and tables at which too few players are left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from tourney import storage
from tourney.domain.events import GONE, Event
from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import BrokenConstraint, Schedule, Slips
from tourney.rulebook import rulesets
from tourney.service.lookup import (
    event_argument,
    find_event,
    find_round,
    find_table,
    newest,
    newest_played,
    with_rules_of_round,
)
from tourney.service.seating import broken_constraints
from tourney.service.seating.seat_order import cards_drawn, seats_of_round
from tourney.text.i18n import _
from tourney.text.sanitize import quote_argument


def too_few_left(event: Event, rounds: Sequence[Round], done: Collection[tuple[int, int]]) -> tuple[Table, ...]:
    """Return each table without a result at which fewer players are left than the rules allow, with those players.

    `done` has (round, table) of the tables whose result counts.
    """
    gone = {player.id for player in event.in_state(*GONE)}
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


Which = int | Literal["newest", "played"] | None
"""The rounds to show: one by its number, the newest, the newest that is played, or all (None)."""


def show(db: str | None, event: str | None = None, which: Which = None) -> Schedule:
    """Return the drawn rounds of an event, or one of them. Raises TourneyError NOT_FOUND."""
    with storage.reading(db) as reader:
        return schedule_of(reader, find_event(reader, event), which)


def schedule_of(reader: storage.Reader, event: Event, which: Which = None) -> Schedule:
    """Return the drawn rounds of an event, or one of them, in an open transaction. Raises TourneyError NOT_FOUND."""
    rounds = reader.rounds.of(event)
    if which == "newest":
        rounds = rounds[-1:]
    elif which == "played":
        rounds = (newest_played(event, rounds),) if rounds else ()
    elif which is not None:
        rounds = (find_round(event, rounds, which),)
    results = reader.results.of(event)
    spots = {(result.table.round, result.table.number): result for result in results}
    counts = {spot for spot, result in spots.items() if result.state == "counts"}
    return Schedule(
        event,
        rounds,
        done=frozenset(spots),
        void=frozenset(spot for spot, result in spots.items() if result.state == "void"),
        partial=frozenset((draft.round, draft.table) for draft in reader.results.partial_sheets(event)) - counts,
        short=frozenset(spot for spot, result in spots.items() if result.outcome.short),
        too_few=too_few_left(event, rounds, counts),
        broken=_broken(reader, event, rounds),
        seating=seats_of_round(reader, event, rounds[-1]) if rounds else (),
        substitutions=reader.rounds.substitutions(event),
    )


def published(schedule: Schedule) -> Schedule:
    """Return the schedule as others than the desk see it: without drafts, and without what is known of them alone."""
    drafts = {drawn.number for drawn in schedule.rounds if drawn.draft}
    if not drafts:
        return schedule
    return replace(
        schedule,
        rounds=tuple(drawn for drawn in schedule.rounds if not drawn.draft),
        too_few=tuple(table for table in schedule.too_few if table.round not in drafts),
        broken=tuple(broken for broken in schedule.broken if broken.round not in drafts),
        partial=frozenset(spot for spot in schedule.partial if spot[0] not in drafts),
        notes=(),
        seating=(),
        ahead=None,
    )


def _broken(reader: storage.Reader, event: Event, shown: Sequence[Round]) -> tuple[BrokenConstraint, ...]:
    """Return the constraints that the shown rounds break, of those that stood when a round was drawn."""
    if not event.constraints:
        return ()
    numbers = [round_.number for round_ in shown]
    rounds, broken = reader.rounds.of(event), list[BrokenConstraint]()
    for round_, as_drawn in zip(rounds, reader.rounds.as_drawn(event)[0], strict=True):
        if round_.number in numbers:
            kept = tuple(constraint for constraint in event.constraints if constraint in as_drawn[1].constraints)
            broken += broken_constraints.broken_constraints(replace(event, constraints=kept), rounds, [round_.number])
    return tuple(broken)


def slips(db: str | None, event: str | None = None, round_number: int | None = None, table: int | None = None) -> Slips:
    """Return the tables of a round (the newest unless named), or one of them, with the hands of their game.

    Raises TourneyError NOT_FOUND for an unknown event, round or table, REFUSED if nothing is drawn.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        rounds = reader.rounds.of(found)
        round_ = newest(found, rounds) if round_number is None else find_round(found, rounds, round_number)
        tables = round_.tables if table is None else (find_table(found, rounds, round_.number, table),)
        rules = with_rules_of_round(found, round_.number).rules
        return Slips(
            found,
            tables,
            rulesets.contracts(rules),
            cards_drawn(reader, found, round_),
            round_.draft,
            reader.rounds.substitutions(found),
        )
