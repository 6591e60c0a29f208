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

CERTAIN: Final = 1 << 20
"""The odds of a swap that costs nothing; others have a part of it: whole numbers add up alike everywhere."""

PRICES_PER_STEP: Final = 5
"""A swap takes the time of a step for this many prices that change with it."""

SWEEPS: Final = 30
"""The most sweeps of repairing and levelling over all rounds."""

CANDIDATES: Final = 24
"""Swaps evaluated for a player with a repeat, when repairing."""


def repair(state: ScheduleState, rng: Rng, evaluations: int) -> None:
    """Move players away from those they meet again, never to a worse place; stop when nobody does.

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
    """Return round and place of everybody who shares that table with somebody met elsewhere too."""
    return [
        (number, place)
        for number, (seats, mates_of) in enumerate(zip(state.seats, state.mates, strict=True))
        if len(state.sizes[number]) > 1
        for place, player in enumerate(seats)
        if any(state.last_price[player][seats[mate]] > 0 for mate in mates_of[place])
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
    """Move players off smaller tables who sit there most, where that costs nothing; stop when turns are level.

    Each is compared with everybody at the larger tables of that round, which annealing seldom reaches among many
    players; together in no more than `evaluations` swaps.
    """
    turns = state.turns[SMALLER_TABLE]
    for _ in range(SWEEPS):
        most = max(turns)
        if most - min(turns) <= 1:
            return
        for number, kinds in enumerate(state.kinds):
            for place, kind in enumerate(kinds):
                if kind != SMALLER_TABLE or turns[state.seats[number][place]] != most:
                    continue
                evaluations -= len(turns)
                if evaluations < 0:
                    return
                _move_up(state, rng, number, place)


def _move_up(state: ScheduleState, rng: Rng, number: int, place: int) -> None:
    larger = [other for other, kind in enumerate(state.kinds[number]) if kind == 0]
    delta, _, target = min(
        ((state.swap_delta(number, place, other), rng(), other) for other in larger), default=(1, 0.0, 0)
    )
    if delta <= 0:
        state.swap(number, place, target)


def anneal(
    state: ScheduleState, rng: Rng, steps: int, enough: Cost, temperatures: Temperatures = (96.0, 27.0)
) -> tuple[Cost, Seats]:
    """Return the best rounds met while swapping at falling temperature, and their cost; stop where that is `enough`.

    A step evaluates all swaps of one player in one round, of one with a repeat where few repeats are sought; a swap
    made counts as several steps. The state is left wherever the search ended.
    """
    best, kept = state.cost, _copied(state.seats)
    deltas = SwapDeltas(state)
    rounds = [number for number, groups in enumerate(deltas.members) if len(groups) > 1]
    swap_steps = (state.players + len(state.seats) * max(map(max, state.sizes))) // PRICES_PER_STEP
    movable = _movable(deltas, rounds)
    for stage in range(STAGES if rounds else 0):
        odds = [
            int(CERTAIN * odd)
            for odd in acceptance(temperatures[0] * (1 - stage / STAGES) + temperatures[1] * stage / STAGES)
        ]
        left = steps // STAGES
        while left > 0:
            left -= 1
            number, player = movable[int(rng() * len(movable))]
            found = deltas.of(number, player)
            other = _drawn(found, odds, rng)
            if other < 0:
                continue
            left -= swap_steps
            deltas.swap(number, player, other)
            movable = _movable(deltas, rounds)
            if found[other] <= 0 and state.cost < best:
                best, kept = state.cost, _copied(state.seats)
                if best <= enough:
                    return best, kept
    return best, kept


def _movable(deltas: SwapDeltas, rounds: list[int]) -> list[tuple[int, int]]:
    """Return rounds and players that a step may move: those with a repeat where few repeats are sought, or else all."""
    if deltas.state.goal == "few repeats":
        again = [
            (number, player) for number in rounds for player, saved in enumerate(deltas.leaving[number]) if saved > 0
        ]
        if again:
            return again
    return [(number, player) for number in rounds for player in deltas.state.seats[number][: deltas.at_tables[number]]]


def _drawn(deltas: list[int], odds: list[int], rng: Rng) -> int:
    """Draw the player to swap with, each by the odds of its price; -1 for nobody."""
    most = len(odds)
    if min(deltas) > 0:
        total = sum([odds[delta] for delta in deltas if delta < most])
    else:
        total = sum([odds[max(delta, 0)] for delta in deltas if delta < most])
    lot = int(rng() * max(total, CERTAIN))
    other = -1
    if lot < total:
        while lot >= 0:
            other += 1
            if deltas[other] < most:
                lot -= odds[max(deltas[other], 0)]
    return other


def _copied(seats: Seats) -> Seats:
    return [list(row) for row in seats]
