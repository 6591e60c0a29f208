"""Plan all rounds of a tournament, or those that remain, with the players assigned so that few constraints break."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from tourney.seating.balance.byes import next_byes
from tourney.seating.balance.seats import seat
from tourney.seating.balance.table_numbers import number_tables, place_constrained
from tourney.seating.build import build
from tourney.seating.constraints import NO_CONSTRAINTS, Constraints, assign_to_places, mark_constraints, violations
from tourney.seating.model import (
    Aim,
    Groups,
    History,
    Method,
    PlannedAround,
    Remainder,
    Round,
    Seating,
    SeatingError,
    Task,
    absent,
    given_sizes,
    table_sizes,
)
from tourney.seating.quality.metrics import (
    Rounds,
    check_rounds,
    judge,
    meetings,
    seat_counts,
    smaller_table_rounds,
    spread,
)
from tourney.seating.repair.replan import replan
from tourney.seating.rng import Rng, seeded_rng, shuffled
from tourney.seating.search.multistart import better, deal, search
from tourney.seating.search.state import step_prices
from tourney.seating.search.tabu import TabuState, tabu_search
from tourney.seating.separate import separated

LEVELLING_EVALUATIONS, FREE_EVALUATIONS = 100_000, 200_000
"""The swaps that a search may evaluate if it levels rounds at a smaller table, and if it does not."""

SEARCH_PAIRS: Final = 3
"""The number of searches of either kind: the first begins with the rounds drawn, the others with random rounds."""

MANY_PLAYERS: Final = 400
"""Beyond this many players a simpler search finds enough room."""


def assign_players(task: Task, constraints: Constraints, before: History, rng: Rng) -> tuple[Groups, Method]:
    """Return the built rounds with players drawn for their places as the constraints allow, and the method."""
    built = build(task)
    drawn = _assigned(built.rounds, shuffled(list(range(task.players)), rng), constraints, rng)
    if _keeps_constraints(drawn, constraints, task.players):
        return drawn, built.method
    # Where rounds had to be searched for, an extra round is hardly ever free of repeats.
    for groups, method in _with_clubs_as_round(task, constraints, rng) if built.method != "exchanged players" else ():
        if _keeps_constraints(groups, constraints, task.players):
            return groups, method
    return _searched(task, drawn, before, rng), "exchanged players"


def _assigned(rounds: Rounds, player_at: list[int], constraints: Constraints, rng: Rng) -> Groups:
    places = [[list(table) for table in tables] for tables in rounds]
    names = assign_to_places(player_at, places, constraints, rng)
    return [[[names[place] for place in table] for table in tables] for tables in places]


def _keeps_constraints(groups: Groups, constraints: Constraints, players: int) -> bool:
    broken = violations(constraints, groups, players)
    return not (broken.apart or broken.together)


def _with_clubs_as_round(task: Task, constraints: Constraints, rng: Rng) -> Iterator[tuple[Groups, Method]]:
    """Yield rounds of a plan without repeats that has one extra round, whose tables seat players to keep apart.

    The extra round is not played, so these players do not meet.
    """
    if not constraints.apart:
        return
    extended = build(replace(task, rounds=task.rounds + 1))
    if judge(extended.rounds, task.players).repeats:
        return
    for left_out in range(min(2, len(extended.rounds))):
        rounds = [tables for number, tables in enumerate(extended.rounds) if number != left_out]
        player_at = _assign_clubs(extended.rounds[left_out], constraints, task.players, rng)
        yield _assigned(rounds, player_at, constraints, rng), extended.method


def _assign_clubs(tables: Sequence[Sequence[int]], constraints: Constraints, players: int, rng: Rng) -> list[int]:
    """Assign places so that the members of each club sit at one of these tables wherever there is room."""
    free = [shuffled(list(table), rng) for table in shuffled(list(tables), rng)]
    waiting = set(range(players))
    player_at = dict[int, int]()
    for club in sorted(shuffled(list(constraints.apart), rng), key=len, reverse=True):
        members = sorted(waiting.intersection(club))
        room = [places for places in free if len(places) >= len(members)]
        if room:
            table = min(room, key=len)
            waiting.difference_update(members)
            for member in members:
                player_at[table.pop()] = member
    others = shuffled(sorted(waiting), rng)
    return [player_at[place] if place in player_at else others.pop() for place in range(players)]


def _searched(task: Task, drawn: Groups, before: History, rng: Rng) -> Groups:
    """Return the best rounds of several searches, which begin with the rounds drawn or with random ones.

    Few repeats and broken constraints come first, then level rounds at a smaller table.
    """
    sitting_out = [list(absent(tables, task.players)) for tables in drawn]
    if task.players > MANY_PLAYERS:
        return search(task, drawn, sitting_out, before, rng)
    best, past = drawn, (*before, [0] * task.players)
    up = step_prices(before[0], task.rounds, task.aim)
    for search_number in range(2 * SEARCH_PAIRS):
        level = search_number % 2 == 0
        begin = drawn if search_number < 2 else [deal(task, out, rng) for out in sitting_out]
        rounds = [[*tables, out] for tables, out in zip(begin, sitting_out, strict=True)]
        state = TabuState(rounds, past, up, drawn, turns_are="level" if level else "as they come")
        evaluations = LEVELLING_EVALUATIONS if level else FREE_EVALUATIONS
        candidate = [tables[:-1] for tables in tabu_search(state, rng, evaluations, 0)]
        best = candidate if _is_better(task, candidate, best, before) else best
    return best


def _is_better(task: Task, candidate: Groups, best: Groups, before: History) -> bool:
    if better(task, candidate, best, before):
        return True
    if better(task, best, candidate, before):
        return False
    return spread(smaller_table_rounds(candidate, task.players)) < spread(smaller_table_rounds(best, task.players))


@dataclass(frozen=True, slots=True)
class PlanWish:
    """The wishes for a plan, besides its numbers.

    Sizes are those of `table_sizes(players, size, least, remainder)`, or `sizes` if given: players beyond them have a
    bye. With the aim "no third meeting" a third meeting costs more than four repeats, and so does a round at a smaller
    table that is two or more above an equal share.

    Rounds `played` (at most `rounds`) stay and come first; the others are planned around them. Numbers from `players`
    on in them are people who have left. `sat_out` has the players with a bye in each; a round that a player missed
    otherwise is neither played nor a bye. None: everybody without a seat in a round had a bye. If the played rounds
    begin the plan that would be made anyway, the rest of it is unchanged.

    `ahead` are the coming rounds as planned before the entrants changed, in the new numbers. The search then begins
    with them: it leaves no repeats if it can; otherwise a table that could stay changes only where that saves more than
    a repeat. Where all tables could stay they do, repeats or not, unless they were planned `around` rounds other than
    those played. Constraints are kept where that costs fewer than three repeats each; players who never share a table
    are separated at any cost, in every round in which that is possible.
    """

    least: int = 2
    remainder: Remainder = "short tables"
    sizes: Sequence[int] | None = None
    played: Rounds = ()
    sat_out: Sequence[Sequence[int]] | None = None
    ahead: Rounds = ()
    around: PlannedAround = "the rounds played"
    aim: Aim = "fewest repeats"
    constraints: Constraints = NO_CONSTRAINTS

    def table_sizes(self, players: int, size: int) -> tuple[int, ...]:
        """Return the sizes of the tables of a round. Raises ValueError for players that they cannot seat."""
        if self.sizes is None:
            return table_sizes(players, size, self.least, self.remainder)
        return given_sizes(players, self.sizes)


NO_WISH: Final = PlanWish()


def plan(players: int, size: int, rounds: int, seed: str | int, wish: PlanWish = NO_WISH) -> Seating:
    """Seat players 0..players-1 over `rounds` rounds; equal arguments give equal plans everywhere.

    Few repeats come first, then level rounds at a smaller table. First deals and seats are level within these tables,
    players return to the same table number as seldom as possible, and nobody has a second bye before all have had one.
    The seed (7 and "7" are equal) draws the places of the players, and the order of rounds and tables.
    Raises ValueError, saying what to change, for players or rounds that cannot be seated.
    """
    sizes, played, constraints = wish.table_sizes(players, size), wish.played, wish.constraints
    if rounds < 1 or len(played) > rounds:
        raise SeatingError(
            "{rounds} rounds with {played} played; plan at least one, and no fewer than played",
            rounds=rounds,
            played=len(played),
        )
    check_rounds(played)
    task = Task(players, sizes, rounds, wish.aim)
    rng = seeded_rng("seating", seed)
    kept = tuple(tuple(tuple(table) for table in tables) for tables in played)
    if not wish.ahead:
        groups, method = _drawn(task, constraints, rng)
        groups = separated(groups, players, constraints)
        # Cached: these groups come from the same build.
        level = build(task).level
        new_plan = replace(
            _seated(players, (), number_tables(groups, (), constraints.tables, players), method), level=level
        )
        if kept == new_plan.rounds[: len(kept)]:
            return new_plan
        if _begins(groups, kept):
            coming = number_tables(groups[len(kept) :], kept, constraints.tables, players)
            return _seated(players, kept, coming, method)
    coming = _remaining(task, kept, wish, rng)
    coming = separated(coming, players, constraints, kept)
    # Tables announced before keep their numbers.
    coming = (
        place_constrained(coming, constraints.tables)
        if wish.ahead
        else number_tables(coming, kept, constraints.tables, players)
    )
    return _seated(players, kept, coming, "exchanged players")


def _drawn(task: Task, constraints: Constraints, rng: Rng) -> tuple[Groups, Method]:
    """Return the built rounds with players, rounds and tables in random order, as the constraints allow."""
    groups, method = assign_players(task, constraints, _before((), task.players, constraints), rng)
    # Byes are in order; mixing the rounds could give somebody a second bye before all have had one.
    if task.byes * task.rounds <= task.players:
        groups = shuffled(groups, rng)
    return [_mixed(tables, rng) for tables in groups], method


def _mixed(tables: list[list[int]], rng: Rng) -> list[list[int]]:
    """Return the tables in random order, larger ones first, with the players of each in random order."""
    by_size = [list(same) for _, same in groupby(tables, key=len)]
    return [shuffled(table, rng) for same in by_size for table in shuffled(same, rng)]


def _begins(groups: Groups, played: Rounds) -> bool:
    """Report whether the played rounds have the tables, in any order, with which these groups begin."""
    pairs = zip(groups, played, strict=False)
    return all(_as_sets(planned) == _as_sets(done) for planned, done in pairs)


def _as_sets(tables: Sequence[Sequence[int]]) -> set[frozenset[int]]:
    return {frozenset(table) for table in tables}


def _remaining(task: Task, played: Rounds, wish: PlanWish, rng: Rng) -> Groups:
    """Return the rounds still to play: searched for around those played, or made from those planned ahead."""
    ahead, sat_out = wish.ahead, wish.sat_out
    if sat_out is None:
        sat_out = [absent(tables, task.players) for tables in played]
    rest = replace(task, rounds=task.rounds - len(played))
    order = shuffled(list(range(task.players)), rng)
    # Only players of the last round were planned for: newcomers do not get a bye for having no planned table.
    planned_for = {player for tables in (*ahead, *played[-1:]) for table in tables for player in table}.union(
        *sat_out[-1:]
    )
    planned = [planned_for.intersection(absent(tables, task.players)) for tables in ahead]
    sitting_out = next_byes(order, task.byes, rest.rounds, played, sat_out, list(zip(planned, ahead, strict=True)))
    before = _before(played, task.players, wish.constraints)
    if not ahead:
        return [_mixed(tables, rng) for tables in search(rest, [], sitting_out, before, rng)]
    earlier_byes = Counter(player for out in sat_out for player in out)
    bye_counts = [earlier_byes[player] for player in range(task.players)]
    return replan(rest, ahead, sitting_out, (*before, bye_counts), rng, wish.around)


def _before(played: Rounds, players: int, constraints: Constraints) -> History:
    met = [[0] * players for _ in range(players)]
    for (player, other), count in meetings(played).items():
        if other < players:
            met[player][other] = met[other][player] = count
    mark_constraints(met, constraints)
    return met, smaller_table_rounds(played, players)


def _seated(players: int, kept: tuple[Round, ...], groups: Groups, method: Method) -> Seating:
    """Return the seating of the rounds kept, followed by these groups in seats that level the counts."""
    widest = max((len(table) for tables in groups for table in tables), default=1)
    before = [row + [0] * (widest - len(row)) for row in seat_counts(kept, players)]
    rounds = (*kept, *seat(groups, before))
    return Seating(rounds, tuple(absent(tables, players) for tables in rounds), method)
