"""The coming rounds of a rotation, planned from the first draw on through all arrivals and departures.

The plan follows from the seed, the players, settings and constraints of each drawn round, and the present ones; the
journal keeps each step of it with the change that made it necessary (`plan_steps`). After each arrival, departure,
change of settings or constraints, or edit of a round, the coming rounds change as little as possible: repeats are
avoided where a plan without any is possible; otherwise a table that could stay changes only if that saves more than one
repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.rounds import Drawing, Round
from tourney.seating.formats import FORMATS
from tourney.service.seating.plan_steps import GroupRound, Ids, PlanSteps, PlanTerms

NamedPlayers = tuple[Ids, bool]
"""The players whom an entry names, and whether the entry keeps the plan that it announced."""


def is_planned_ahead(settings: EventSettings) -> bool:
    """Return whether an event with these settings plans all rounds ahead."""
    return FORMATS[settings.format].planned_ahead


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A drawn round as it is and as first drawn, with the event, its settings and constraints at that time.

    `how` says how it was drawn (None: not by this program). `named` has the players whom each journal entry about
    attendance named between this draw and the next.
    """

    round: Round
    first: Round
    event: Event
    how: Drawing | None
    named: tuple[NamedPlayers, ...] = ()


_State = tuple[PlanTerms, Ids]
"""The data that a plan follows from besides the rounds played: its terms, and the present players in order of entry."""


def sizes_for(event: Event, players: Sequence[Player], taken: int = 0) -> Ids:
    """Return the sizes of the tables for these players of the event, if `taken` other tables are in use.

    Players without a table have a bye. The event's number of tables does not limit bots, that of a stage
    does.
    """
    return PlanTerms.of(event, players).sizes(len(players), taken)


def rotation_plan(
    event: Event, players: Sequence[Player], drawn: Sequence[DrawnRound], steps: PlanSteps
) -> Sequence[GroupRound]:
    """Return the planned rounds after the drawn ones, for a group of the event's players who are seated together.

    `steps` are those kept in the journal; it takes the further ones that are planned now.
    """
    now = PlanTerms.of(event, players), tuple(player.id for player in players)
    rounds = group_rounds(players, [round_.round for round_ in drawn])
    firsts = tuple(map(_seated_once, group_rounds(players, [round_.first for round_ in drawn]), rounds))
    done = tuple(map(_planned_around, rounds, firsts))
    before: _State | None = None
    ahead: tuple[GroupRound, ...] = ()
    for number, (round_, first, played) in enumerate(zip(drawn, firsts, done, strict=True)):
        if not is_planned_ahead(round_.event.settings):
            before, ahead = None, ()
            continue
        state = PlanTerms.of(round_.event, players), _present(event, players, first)
        if state != before:
            between = _between(event, before, state, drawn[number - 1].named)
            ahead, before = _changed(between, state, done[:number], ahead, steps), state
        planned, ahead = ahead[:1], ahead[1:]
        if not planned or planned[0].groups != first.groups:
            # Nobody has seen a plan before the first draw: it need not stay.
            ahead = steps.planned(*state, (*done[:number], first), ahead if number else (), "others")
        if played.groups != first.groups:
            ahead = steps.planned(*state, done[: number + 1], ahead, "others")
    if now != before:
        between = _between(event, before, now, drawn[-1].named if drawn else ())
        ahead = _changed(between, now, done, ahead, steps)
    return ahead


def _changed(
    between: Iterable[tuple[PlanTerms, Ids, bool]],
    now: _State,
    done: tuple[GroupRound, ...],
    ahead: tuple[GroupRound, ...],
    steps: PlanSteps,
) -> tuple[GroupRound, ...]:
    """Return the plan after all entries since the last draw (`_between`), each of which changes the plan before it.

    An entry that keeps its plan, but not for this state, announced another one: somebody whom an earlier entry named
    has come back since, or that entry was undone. Nobody has seen a plan for such a state, so there is none, and the
    number of steps to plan does not grow with the entries.
    """
    for terms, present, keeps_plan in between:
        if not keeps_plan or steps.has(terms, present, done, ahead):
            ahead = steps.planned(terms, present, done, ahead)
    return steps.planned(*now, done, ahead)


def _between(
    event: Event, before: _State | None, now: _State, named: Sequence[NamedPlayers]
) -> Iterator[tuple[PlanTerms, Ids, bool]]:
    """Yield the state after each entry since the draw that made a lasting difference, before the present state.

    Each comes with whether its entry keeps a plan. People saw a plan after each of these entries, and the next entry
    changes that plan as little as possible.
    """
    if before is None:
        return
    terms, present, arrived = before[0], frozenset(before[1]), frozenset(now[1])
    last = {
        player: entry
        for entry, (players, _keeps_plan) in enumerate(named)
        for player in players
        if player in present ^ arrived
    }
    for entry in sorted(set(last.values())):
        present ^= {player for player in last if last[player] == entry}
        if present != arrived:
            yield terms, tuple(player.id for player in event.entrants if player.id in present), named[entry][1]


def group_rounds(players: Sequence[Player], drawn: Sequence[Round]) -> tuple[GroupRound, ...]:
    """Return the tables and byes of the drawn rounds that had players of the same kinds as `players`."""
    kinds = {player.kind for player in players}
    return tuple(
        GroupRound(
            tuple(
                tuple(player.id for player in table.players)
                for table in round_.tables
                if any(player.kind in kinds for player in table.players)
            ),
            tuple(player.id for player in round_.sitting_out if player.kind in kinds),
        )
        for round_ in drawn
    )


def _seated_once(first: GroupRound, played: GroupRound) -> GroupRound:
    """Return a round as first drawn, with one seat for everybody: where they meet most of those they have `played`.

    Somebody registered twice may have been drawn at two tables, taken out of one, and merged since.
    """
    beside = {player: set(table) for table in played.tables for player in table}
    at: dict[int, tuple[int, ...]] = {}
    for table in first.tables:
        for player in table:
            near = beside.get(player, set())
            if player not in at or len(near.intersection(table)) > len(near.intersection(at[player])):
                at[player] = table
    tables = (tuple(dict.fromkeys(player for player in table if at[player] is table)) for table in first.tables)
    return GroupRound(tuple(tables), tuple(dict.fromkeys(player for player in first.out if player not in at)))


def _planned_around(played: GroupRound, first: GroupRound) -> GroupRound:
    """Return a round as coming rounds are planned around it: as first drawn, unless it has other meetings now.

    A player taken out of a table makes the coming rounds no worse, so they stay.
    """
    return first if played.meetings <= first.meetings else played


def _present(event: Event, players: Sequence[Player], round_: GroupRound) -> Ids:
    """Return the players of the same kinds as `players` who were present in the round, in the order of entry."""
    kinds = {player.kind for player in players}
    present = {*round_.out, *(player for table in round_.tables for player in table)}
    return tuple(player.id for player in event.entrants if player.id in present and player.kind in kinds)
