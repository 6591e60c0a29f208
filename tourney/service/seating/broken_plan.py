"""Constraints that the announced plan of an event's coming rounds breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tourney.domain.rounds import Round, Table
from tourney.domain.schedule import BrokenConstraint
from tourney.service.seating.broken_constraints import broken_constraints
from tourney.service.seating.draw import never_together
from tourney.service.seating.plan_diff import OUT, PlanInputs


def broken_by_plan(inputs: PlanInputs) -> tuple[BrokenConstraint, ...]:
    """Return the constraints that the coming rounds break, those on players who never share a table first.

    These can only be broken since players have left, who cannot be refused: otherwise the constraint is.
    """
    if not inputs.event.constraints or not inputs.planned:
        return ()
    coming: dict[int, Round] = {}
    for (number, at), players in inputs.planned_tables():
        round_ = coming.get(number, Round(number, ()))
        if at != OUT:
            coming[number] = replace(round_, tables=(*round_.tables, Table(number, at, players)))
    rounds = [*(past.round for past in inputs.drawn), *coming.values()]
    return (*_never(inputs, coming), *broken_constraints(inputs.event, rounds, list(coming)))


def _never(inputs: PlanInputs, coming: dict[int, Round]) -> Iterator[BrokenConstraint]:
    for round_ in coming.values():
        for table in round_.tables:
            for pair in never_together(inputs.event, table):
                number = len(round_.tables)
                yield BrokenConstraint("never", round_.number, table.number, pair, "counting", tables=number)
