"""Simulated annealing of rounds by swapping two players of a round, in a bounded number of steps.

Steps, not seconds, end a search, and worse swaps are accepted with odds computed by multiplication and division alone,
so that equal seeds give equal tables on every machine.
"""

from typing import Final

from tourney.seating.rng import Rng
from tourney.seating.search.deltas import SwapDeltas
from tourney.seating.search.state import SMALLER_TABLE, Cost, ScheduleState, acceptance

Seats = list[list[int]]
"""The players of each round by place, as a schedule state has them."""

Temperatures = tuple[float, float]
"""The first and the last temperature of an annealing. A repeat is accepted once in twelve times at 96, once in fifty at
60, never at 27."""

STAGES: Final = 60
"""The temperature falls in this number of equal stages."""

CERTAIN_ODDS: Final = 1 << 20
"""The odds of a swap without a price; others have a fraction of it. Integers have equal sums on every machine."""

PRICES_PER_STEP: Final = 5
"""A swap that is made counts as one step for each five prices that it changes."""

SWEEPS: Final = 30
"""The most sweeps over all rounds to remove repeats, and to level smaller tables."""

CANDIDATES: Final = 24
"""Swaps evaluated to remove the repeat of a player."""


def remove_repeats(state: ScheduleState, rng: Rng, evaluations: int) -> None:
    """Move players away from opponents they meet again, never at a price; stop when no repeat is left.

    This is quick where there is room, since only players with a repeat are considered, in at most `evaluations` swaps.
    """
    for _ in range(SWEEPS):
        conflicts = _conflict_places(state)
        if not conflicts:
            return
        for number, place in conflicts:
            evaluations -= CANDIDATES
            if evaluations < 0:
                return
            _move_away(state, rng, number, place)


def _conflict_places(state: ScheduleState) -> list[tuple[int, int]]:
    """Return round and place of every player who sits with an opponent whom they also meet in another round."""
    return [
        (number, place)
        for number, (seats, mates) in enumerate(zip(state.seats, state.mates, strict=True))
        if len(state.sizes[number]) > 1
        for place, player in enumerate(seats)
        if any(state.last_price[player][seats[other]] > 0 for other in mates[place])
    ]


def _move_away(state: ScheduleState, rng: Rng, number: int, place: int) -> None:
    near, count = (place, *state.mates[number][place]), len(state.seats[number])
    best, target = 1, place
    for _ in range(CANDIDATES):
        other = int(rng() * count)
        if other not in near:
            delta = state.swap_delta(number, place, other)
            if delta < best:
                best, target = delta, other
    if best <= 0:
        state.swap(number, place, target)


def level_smaller_tables(state: ScheduleState, rng: Rng, evaluations: int) -> None:
    """Move the players with the most rounds at smaller tables to larger ones, where no price rises.

    Stops when the counts differ by one at most. Each such player is compared with all players at larger tables of the
    round, which annealing seldom does among many players; at most `evaluations` swaps in all.
    """
    smaller_rounds = state.turns[SMALLER_TABLE]
    for _ in range(SWEEPS):
        most = max(smaller_rounds)
        if most - min(smaller_rounds) <= 1:
            return
        for number, kinds in enumerate(state.kinds):
            for place, kind in enumerate(kinds):
                if kind != SMALLER_TABLE or smaller_rounds[state.seats[number][place]] != most:
                    continue
                evaluations -= len(smaller_rounds)
                if evaluations < 0:
                    return
                _move_to_larger_table(state, rng, number, place)


def _move_to_larger_table(state: ScheduleState, rng: Rng, number: int, place: int) -> None:
    larger = [other for other, kind in enumerate(state.kinds[number]) if kind == 0]
    delta, _, target = min(
        ((state.swap_delta(number, place, other), rng(), other) for other in larger), default=(1, 0.0, 0)
    )
    if delta <= 0:
        state.swap(number, place, target)


def anneal(
    state: ScheduleState, rng: Rng, steps: int, enough: Cost, temperatures: Temperatures = (96.0, 27.0)
) -> tuple[Cost, Seats]:
    """Swap at falling temperature; return the lowest cost found and its rounds. Stop at a cost of `enough` or less.

    A step evaluates all swaps of one player in one round; where the goal is few repeats, of a player who has one. A
    swap that is made counts as several steps. The state stays where the search ended.
    """
    best, kept = state.cost, _copied(state.seats)
    deltas = SwapDeltas(state)
    rounds = [number for number, groups in enumerate(deltas.members) if len(groups) > 1]
    swap_steps = (state.players + len(state.seats) * max(map(max, state.sizes))) // PRICES_PER_STEP
    movable = _movable(deltas, rounds)
    for stage in range(STAGES if rounds else 0):
        odds = [
            int(CERTAIN_ODDS * odd)
            for odd in acceptance(temperatures[0] * (1 - stage / STAGES) + temperatures[1] * stage / STAGES)
        ]
        steps_left = steps // STAGES
        while steps_left > 0:
            steps_left -= 1
            number, player = movable[int(rng() * len(movable))]
            swap_deltas = deltas.of(number, player)
            other = _draw_partner(swap_deltas, odds, rng)
            if other < 0:
                continue
            steps_left -= swap_steps
            deltas.swap(number, player, other)
            movable = _movable(deltas, rounds)
            if swap_deltas[other] <= 0 and state.cost < best:
                best, kept = state.cost, _copied(state.seats)
                if best <= enough:
                    return best, kept
    return best, kept


def _movable(deltas: SwapDeltas, rounds: list[int]) -> list[tuple[int, int]]:
    """Return rounds and players that a step may move: those with a repeat where few repeats are sought, or else all."""
    if deltas.state.goal == "few repeats":
        with_repeats = [
            (number, player) for number in rounds for player, saved in enumerate(deltas.leaving[number]) if saved > 0
        ]
        if with_repeats:
            return with_repeats
    return [(number, player) for number in rounds for player in deltas.state.seats[number][: deltas.at_tables[number]]]


def _draw_partner(deltas: list[int], odds: list[int], rng: Rng) -> int:
    """Return a player to swap with, drawn by the odds of the prices; -1 for nobody."""
    most = len(odds)
    if min(deltas) > 0:
        total = sum([odds[delta] for delta in deltas if delta < most])
    else:
        total = sum([odds[max(delta, 0)] for delta in deltas if delta < most])
    threshold = int(rng() * max(total, CERTAIN_ODDS))
    other = -1
    if threshold < total:
        while threshold >= 0:
            other += 1
            if deltas[other] < most:
                threshold -= odds[max(deltas[other], 0)]
    return other


def _copied(seats: Seats) -> Seats:
    return [list(row) for row in seats]
