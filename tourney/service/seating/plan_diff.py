"""What an act changes in the rounds to come, be it somebody's coming or going, a setting, a wish, or a mended round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.modes import Mode
from tourney.domain.people import Player
from tourney.domain.rounds import EventPlanChanges, Round, TableChange
from tourney.service.seating.constraint_text import constraints_of
from tourney.service.seating.draw import groups_of
from tourney.service.seating.rotation_plan import DrawnRound, is_planned_ahead, rotation_plan

Planned = dict[tuple[int, int], tuple[Player, ...]]
"""Tables to come, by round and number; behind them, as `OUT`, who sits out."""

OUT: Final = 1 << 30

Seats = list[list[list[int]]]
"""Tables of rounds, players by their ids."""


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """An event and its drawn rounds: what its rounds to come follow from."""

    event: Event
    drawn: tuple[DrawnRound, ...]

    @classmethod
    def of(cls, reader: storage.Reader, event: Event) -> PlanInputs:
        """As the database has it now."""
        return cls(event, drawn_rounds(reader, event))

    @property
    def planned(self) -> bool:
        """Whether rounds are to come that somebody may have seen planned: after the first draw, in a rotation."""
        settings = self.event.settings
        return is_planned_ahead(settings) and 0 < len(self.drawn) < settings.rounds

    @property
    def seats(self) -> Seats:
        """Those of the drawn rounds."""
        return seats_of(one.round for one in self.drawn)

    @property
    def planned_seats(self) -> Seats:
        """Those of the rounds that are planned for who plays now."""
        rounds: dict[int, list[list[int]]] = {}
        for (number, table), players in _planned(self.event, self.event.playing, self.drawn):
            if table != OUT:
                rounds.setdefault(number, []).append(_ids(players))
        return list(rounds.values())

    def equals(self, other: PlanInputs) -> bool:
        """Whether everything is the same that a plan follows from."""
        return self._roots() == other._roots()

    def _roots(self) -> tuple[object, ...]:
        settings = self.event.settings
        terms = (settings.format, settings.rounds, settings.size, settings.short, settings.tables, settings.seed)
        out = [_ids(one.round.sitting_out) for one in self.drawn]
        return (*terms, _ids(self.event.playing), constraints_of(self.event), self.seats, out)


def seats_of(rounds: Iterable[Round]) -> Seats:
    """Who shares a table in each of these rounds."""
    return [[_ids(table.players) for table in one.tables] for one in rounds]


def _ids(players: Sequence[Player]) -> list[int]:
    return [player.id for player in players]


def drawn_rounds(reader: storage.Reader, event: Event) -> tuple[DrawnRound, ...]:
    """The drawn rounds of the event, each as it is and as it was drawn."""
    pairs = zip(reader.rounds(event), reader.as_drawn(event), strict=True)
    return tuple(DrawnRound(one, *then) for one, then in pairs)


def plan_changes(before: PlanInputs, after: PlanInputs) -> tuple[TableChange, ...] | None:
    """The tables of rounds to come at which others sit; None where none are planned now, or nothing is otherwise that
    they follow from."""
    if not is_planned_ahead(after.event.settings) or not (before.planned or after.planned) or before.equals(after):
        return None
    drawn = max(len(before.drawn), len(after.drawn))
    return _changes(_after(drawn, before), _after(drawn, after))


def plan_inputs_of(reader: storage.Reader, events: Collection[int]) -> dict[int, PlanInputs]:
    """Of those of these events that are there and open, by number."""
    there = reader.event_names().keys()
    found = {number: reader.event(number) for number in sorted(there & set(events))}
    return {number: PlanInputs.of(reader, event) for number, event in found.items() if event.state == "open"}


def plan_changes_by_event(
    before: Mapping[int, PlanInputs], after: Mapping[int, PlanInputs]
) -> tuple[EventPlanChanges, ...]:
    """The same for events that were and are there, each with its name now; only those of which a table changes."""
    both = sorted(before.keys() & after.keys())
    found = ((after[number].event.settings.name, plan_changes(before[number], after[number])) for number in both)
    return tuple(EventPlanChanges(name, changes) for name, changes in found if changes)


def _after(drawn: int, inputs: PlanInputs) -> Planned:
    """What is planned for the rounds after so many."""
    planned = _planned(inputs.event, inputs.event.playing, inputs.drawn)
    return {spot: players for spot, players in planned if spot[0] > drawn}


def plan_changes_by_drawing(event: Event, drawn: Sequence[DrawnRound], mode: Mode) -> tuple[TableChange, ...] | None:
    """The same for a draw: beside what was planned for those who were there in the round before, as things were."""
    if mode != "dry run" or not drawn or not is_planned_ahead(event.settings):
        return None
    last = drawn[-1]
    seated = (last.round.sitting_out, *(table.players for table in last.round.tables))
    there = {player.id for players in seated for player in players}
    before = [player for player in event.entrants if player.id in there]
    return _changes(dict(_planned(last.event, before, drawn)), dict(_planned(event, event.playing, drawn)))


def _changes(old: Planned, new: Planned) -> tuple[TableChange, ...] | None:
    if not (old or new):
        return None
    return tuple(
        TableChange(spot[0], None if spot[1] == OUT else spot[1], old.get(spot, ()), new.get(spot, ()))
        for spot in sorted({*old, *new})
        if {player.id for player in old.get(spot, ())} != {player.id for player in new.get(spot, ())}
    )


def _planned(
    event: Event, playing: Sequence[Player], drawn: Sequence[DrawnRound]
) -> Iterator[tuple[tuple[int, int], tuple[Player, ...]]]:
    """What is planned for those who play; nothing where each round is drawn by itself."""
    if not is_planned_ahead(event.settings):
        return
    by_id = {player.id: player for player in event.entrants}
    plans = [rotation_plan(event, players, drawn) for players in groups_of(event, playing)]
    for number in range(len(drawn), event.settings.rounds):
        tables = [table for rounds in plans for one in rounds[number - len(drawn) :][:1] for table in one.tables]
        for place, table in enumerate(tables, 1):
            yield (number + 1, place), tuple(by_id[player] for player in table)
        out = {player for rounds in plans for one in rounds[number - len(drawn) :][:1] for player in one.out}
        yield (number + 1, OUT), tuple(player for player in event.entrants if player.id in out)
