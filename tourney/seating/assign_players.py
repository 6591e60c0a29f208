"""Assign players to built rounds so that few constraints break; where some do, search for other rounds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from tourney.seating.build import build
from tourney.seating.constraints import Constraints, assign_to_places, violations
from tourney.seating.model import Groups, History, Method, Task, absent
from tourney.seating.quality.metrics import Rounds, judge, smaller_table_rounds, spread
from tourney.seating.rng import Rng, shuffled
from tourney.seating.search.multistart import better, deal, search
from tourney.seating.search.state import step_prices
from tourney.seating.search.tabu import TabuState, tabu_search

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
        state = TabuState(begin, sitting_out, past, up, drawn, turns_are="level" if level else "as they come")
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
