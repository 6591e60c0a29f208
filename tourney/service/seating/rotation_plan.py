"""The coming rounds of a rotation, planned from the first draw on through all arrivals and departures.

No plan is stored: it follows from the seed, the players, settings and constraints of each drawn round, and the present
ones. After each arrival, departure, change of settings or constraints, or edit of a round, the coming rounds change as
little as possible: repeats are avoided where a plan without any is possible; otherwise a table that could stay changes
only if that saves more than one repeat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from tourney.domain.events import Event, EventSettings, Short
from tourney.domain.people import Player
from tourney.domain.rounds import Drawing, Round
from tourney.rulebook import rulesets
from tourney.seating.constraints import Constraints
from tourney.seating.formats import FORMATS
from tourney.seating.model import PlannedAround
from tourney.seating.plan import plan
from tourney.seating.sizes import limit_tables, table_sizes
from tourney.service.seating.constraint_text import constraints_of

Ids = tuple[int, ...]


def is_planned_ahead(settings: EventSettings) -> bool:
    """Return whether an event with these settings plans all rounds ahead."""
    return FORMATS[settings.format].planned_ahead


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A drawn round as it is and as first drawn, with the event, its settings and constraints at that time.

    `how` says how it was drawn (None: not by this program). `named` has the ids of the players named by each journal
    entry about attendance between this draw and the next.
    """

    round: Round
    first: Round
    event: Event
    how: Drawing | None
    named: tuple[Ids, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupRound:
    """A round of a group of players who are seated together, by their ids: tables in seat order, and byes.

    Players outside the group may sit at these tables: they have left, or were present for one round.
    """

    tables: tuple[Ids, ...]
    out: Ids

    @property
    def groups(self) -> frozenset[frozenset[int]]:
        """The players of each table, whatever its number and their seats."""
        return frozenset(map(frozenset, self.tables))

    @property
    def meetings(self) -> frozenset[Ids]:
        """The pairs of players who meet: two ids each, the lower first."""
        return frozenset(pair for table in self.tables for pair in combinations(sorted(table), 2))


@dataclass(frozen=True, slots=True)
class _PlanTerms:
    """The data that a plan follows from besides the players: settings, limits of the rules, and constraints by ids.

    `tables` is the number of tables available; None: as many as necessary.
    """

    rounds: int
    size: int
    short: Short
    tables: int | None
    seed: str
    least: int
    most: int
    constraints: Constraints

    @classmethod
    def of(cls, event: Event, players: Sequence[Player]) -> _PlanTerms:
        settings = event.settings
        least, most = rulesets.table_limits(event.rules)
        tables = settings.tables if any(player.kind == "person" for player in players) else None
        return cls(
            settings.rounds, settings.size, settings.short, tables, settings.seed, least, most, constraints_of(event)
        )

    def sizes(self, players: int, taken: int = 0) -> Ids:
        """Return the sizes of the tables for that many players, if `taken` other tables are in use."""
        sizes = table_sizes(players, self.size, self.least, self.short)
        return sizes if self.tables is None else limit_tables(sizes, max(0, self.tables - taken), self.most, self.short)


_State = tuple[_PlanTerms, Ids]
"""The data that a plan follows from besides the rounds played: its terms, and the present players in order of entry."""


def sizes_for(event: Event, players: Sequence[Player], taken: int = 0) -> Ids:
    """Return the sizes of the tables for these players of the event, if `taken` other tables are in use.

    Players for whom no table is left have a bye. The event's number of tables does not limit bots.
    """
    return _PlanTerms.of(event, players).sizes(len(players), taken)


def rotation_plan(event: Event, players: Sequence[Player], drawn: Sequence[DrawnRound]) -> Sequence[GroupRound]:
    """Return the planned rounds after the drawn ones, for a group of the event's players who are seated together."""
    now = _PlanTerms.of(event, players), tuple(player.id for player in players)
    firsts = group_rounds(players, [round_.first for round_ in drawn])
    done = tuple(map(_planned_around, group_rounds(players, [round_.round for round_ in drawn]), firsts))
    before: _State | None = None
    ahead: tuple[GroupRound, ...] = ()
    for number, (round_, first, played) in enumerate(zip(drawn, firsts, done, strict=True)):
        if not is_planned_ahead(round_.event.settings):
            before, ahead = None, ()
            continue
        state = _PlanTerms.of(round_.event, players), _present(event, players, first)
        if state != before:
            for terms, present in _between(event, before, state, drawn[number - 1].named):
                ahead = _planned(terms, present, done[:number], ahead)
            before = state
        planned, ahead = ahead[:1], ahead[1:]
        if not planned or planned[0].groups != first.groups:
            # Nobody has seen a plan before the first draw: it need not stay.
            ahead = _planned(*state, (*done[:number], first), ahead if number else (), "others")
        if played.groups != first.groups:
            ahead = _planned(*state, done[: number + 1], ahead, "others")
    if now != before:
        for terms, present in _between(event, before, now, drawn[-1].named if drawn else ()):
            ahead = _planned(terms, present, done, ahead)
    return ahead


def _between(event: Event, before: _State | None, now: _State, named: Sequence[Ids]) -> Iterator[_State]:
    """Yield the state after each entry since the draw that made a lasting difference, up to the present state.

    People saw a plan after each of these entries, and the next entry changes that plan as little as possible.
    """
    if before is not None:
        terms, present, arrived = before[0], frozenset(before[1]), frozenset(now[1])
        last = {
            player: entry for entry, players in enumerate(named) for player in players if player in present ^ arrived
        }
        for entry in sorted(set(last.values())):
            present ^= {player for player in last if last[player] == entry}
            if present != arrived:
                yield terms, tuple(player.id for player in event.entrants if player.id in present)
    yield now


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


@lru_cache(maxsize=64)
def _planned(
    terms: _PlanTerms,
    present: Ids,
    done: tuple[GroupRound, ...],
    ahead: tuple[GroupRound, ...],
    around: PlannedAround = "the rounds played",
) -> tuple[GroupRound, ...]:
    """Return the rounds after `done` for the present players, as near as possible to the rounds planned `ahead`.

    `around` says whether those were planned around the rounds done. Returns no rounds if players are too few.
    """
    if len(present) < terms.least or len(done) >= terms.rounds:
        return ()
    number_of = {player: number for number, player in enumerate(present)}
    constraints = terms.constraints.renumbered(number_of)

    def numbers(players: Ids) -> Ids:
        return tuple(number_of.setdefault(player, len(number_of)) for player in players)

    seating = plan(
        len(present),
        terms.size,
        terms.rounds,
        terms.seed,
        least=terms.least,
        remainder=terms.short,
        sizes=terms.sizes(len(present)),
        played=[list(map(numbers, round_.tables)) for round_ in done],
        sat_out=[numbers(round_.out) for round_ in done],
        ahead=[list(map(numbers, round_.tables)) for round_ in ahead],
        around=around,
        # The fewest repeats may keep two players together all evening.
        aim="no third meeting",
        constraints=constraints,
    )
    rounds = zip(seating.rounds, seating.sitting_out, strict=True)
    return tuple(
        GroupRound(tuple(tuple(present[at] for at in table) for table in tables), tuple(present[at] for at in out))
        for tables, out in list(rounds)[len(done) :]
    )
