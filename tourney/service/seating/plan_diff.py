"""The difference that a change makes to the coming rounds, and the constraints that their plan breaks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import EventPlanChanges, Round, Table, TableChange
from tourney.domain.schedule import BrokenConstraint
from tourney.service.lookup import as_in_round, in_stage
from tourney.service.seating.broken_constraints import broken_constraints
from tourney.service.seating.constraint_text import constraints_of
from tourney.service.seating.draw import groups_of, never_together
from tourney.service.seating.plan_steps import PlanSteps
from tourney.service.seating.rotation_plan import DrawnRound, is_planned_ahead, rotation_plan

PlannedTable = tuple[tuple[int, int], tuple[Player, ...]]
Planned = dict[tuple[int, int], tuple[Player, ...]]
"""The players of coming rounds' tables by round and table number, and of the byes by round and `OUT`."""

OUT: Final = 1 << 30

Seats = list[list[list[int]]]
"""Tables of rounds, players by their ids."""


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """An event in its newest stage, and its drawn rounds, from which its coming rounds follow."""

    event: Event
    drawn: tuple[DrawnRound, ...]
    steps: PlanSteps

    @classmethod
    def of(cls, reader: storage.Reader, event: Event, *, prove: bool = False) -> PlanInputs:
        """Read the inputs as the database has them now; with `prove`, kept steps of the plan are planned again."""
        drawn, kept = reader.rounds.as_drawn(event)
        pairs = zip(reader.rounds.of(event), drawn, strict=True)
        rounds = tuple(
            DrawnRound(round_, first, as_in_round(then, round_.number), how, named)
            for round_, (first, then, how, named) in pairs
        )
        return cls(in_stage(reader, event), rounds, PlanSteps(kept, prove=prove))

    @property
    def planned(self) -> bool:
        """Return whether there are planned rounds that people may have seen: a rotation after its first draw."""
        settings = self.event.settings
        return is_planned_ahead(settings) and self.event.first_round <= len(self.drawn) < settings.rounds

    @property
    def seats(self) -> Seats:
        """The seats of the drawn rounds."""
        return seats_of(round_.round for round_ in self.drawn)

    @property
    def planned_seats(self) -> Seats:
        """The seats of the rounds planned for the present players."""
        rounds: dict[int, list[list[int]]] = {}
        for (number, table), players in self.planned_tables():
            if table != OUT:
                rounds.setdefault(number, []).append(ids_of(players))
        return list(rounds.values())

    def planned_tables(self) -> Iterator[PlannedTable]:
        """Yield the tables and byes planned for the present players."""
        return _planned(self.event, self.event.playing, self.drawn, self.steps)

    def equals(self, other: PlanInputs) -> bool:
        """Return whether all data on which a plan depends are equal."""
        return self._plan_data() == other._plan_data()

    def _plan_data(self) -> tuple[object, ...]:
        settings = self.event.settings
        terms = (settings.format, settings.rounds, settings.size, settings.short, settings.tables, settings.seed)
        out = [ids_of(round_.round.sitting_out) for round_ in self.drawn]
        return (*terms, ids_of(self.event.playing), constraints_of(self.event), self.seats, out)


def seats_of(rounds: Iterable[Round]) -> Seats:
    """Return the seats of these rounds: players' ids by round, table and seat."""
    return [[ids_of(table.players) for table in round_.tables] for round_ in rounds]


def ids_of(players: Sequence[Player]) -> list[int]:
    """Return the numbers of the players."""
    return [player.id for player in players]


def announced(store: storage.Store, before: PlanInputs, event: Event) -> tuple[TableChange, ...] | None:
    """Keep the plan with the entry just written, which may alter it, and return the changed tables of coming rounds.

    `before` are the inputs before the entry. Returns None as `plan_changes` does.
    """
    after = PlanInputs.of(store, event)
    changes = plan_changes(before, after)
    keep_plan(store, before, after)
    return changes


def keep_plan(store: storage.Store, *inputs: PlanInputs) -> None:
    """Keep the steps that were planned for these inputs with the entry just written."""
    event = inputs[-1].event
    if any(each.planned or each.steps.new for each in inputs):
        store.rounds.announce(event, {key: plan for each in inputs for key, plan in each.steps.new.items()})


def plan_changes(before: PlanInputs, after: PlanInputs) -> tuple[TableChange, ...] | None:
    """Return the changed tables of coming rounds.

    Returns None if no rounds are planned now, or nothing has changed on which they depend.
    """
    if not is_planned_ahead(after.event.settings) or not (before.planned or after.planned) or before.equals(after):
        return None
    drawn = max(len(before.drawn), len(after.drawn))
    return _changes(_after(drawn, before), _after(drawn, after))


def plan_inputs_of(reader: storage.Reader, events: Collection[int]) -> dict[int, PlanInputs]:
    """Return the plan inputs, by event number, of those events that exist and are open."""
    existing = reader.events.names().keys()
    found = {number: reader.events.get(number) for number in sorted(existing & set(events))}
    return {number: PlanInputs.of(reader, event) for number, event in found.items() if event.state == "open"}


def plan_changes_by_event(
    before: Mapping[int, PlanInputs], after: Mapping[int, PlanInputs]
) -> tuple[EventPlanChanges, ...]:
    """Return the plan changes of events that existed before and after, each with its name now.

    Events without a changed table are left out.
    """
    both = sorted(before.keys() & after.keys())
    found = ((after[number].event.settings.name, plan_changes(before[number], after[number])) for number in both)
    return tuple(EventPlanChanges(name, changes) for name, changes in found if changes)


def _after(drawn: int, inputs: PlanInputs) -> Planned:
    """Return the planned tables and byes of the rounds after the first `drawn`."""
    return {spot: players for spot, players in inputs.planned_tables() if spot[0] > drawn}


def plan_changes_by_drawing(inputs: PlanInputs) -> tuple[TableChange, ...] | None:
    """Return the planned tables that the next draw changes, compared with the plan for the last round's players.

    Returns None if nothing is drawn, or no rounds are planned.
    """
    event, drawn, steps = inputs.event, inputs.drawn, inputs.steps
    if not drawn or not is_planned_ahead(event.settings):
        return None
    last = drawn[-1]
    seated = (last.round.sitting_out, *(table.players for table in last.round.tables))
    present = {player.id for players in seated for player in players}
    before = [player for player in event.entrants if player.id in present]
    return _changes(dict(_planned(last.event, before, drawn, steps)), dict(inputs.planned_tables()))


def _changes(old: Planned, new: Planned) -> tuple[TableChange, ...] | None:
    if not (old or new):
        return None
    return tuple(
        TableChange(spot[0], None if spot[1] == OUT else spot[1], old.get(spot, ()), new.get(spot, ()))
        for spot in sorted({*old, *new})
        if {player.id for player in old.get(spot, ())} != {player.id for player in new.get(spot, ())}
    )


def _planned(
    event: Event, playing: Sequence[Player], drawn: Sequence[DrawnRound], steps: PlanSteps
) -> Iterator[PlannedTable]:
    """Yield the tables and byes planned for these players; none if the format plans no rounds ahead."""
    if not is_planned_ahead(event.settings):
        return
    by_id = {player.id: player for player in event.entrants}
    plans = [rotation_plan(event, players, drawn, steps) for players in groups_of(event, playing)]
    for number in range(len(drawn), event.settings.rounds):
        tables = [table for rounds in plans for round_ in rounds[number - len(drawn) :][:1] for table in round_.tables]
        for place, table in enumerate(tables, 1):
            yield (number + 1, place), tuple(by_id[player] for player in table)
        out = {player for rounds in plans for round_ in rounds[number - len(drawn) :][:1] for player in round_.out}
        yield (number + 1, OUT), tuple(player for player in event.entrants if player.id in out)


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
