"""Rounds improved by exchanging two players of a round, in a bounded number of steps.

Steps, not seconds, end a search, and worse exchanges are accepted by odds that only multiplication and division
enter, so that the same seed gives the same tables on every machine.
"""

from typing import Final

from tourney.seating.rng import Chance
from tourney.seating.search.deltas import Rises
from tourney.seating.search.state import SHORT_TABLE, Draft, Worth, acceptance

Seats = list[list[int]]
"""The players of each round by place, as a draft has them."""

Heat = tuple[float, float]
"""The temperatures at both ends of an annealing. A repeat is accepted once in twelve times at 96, once in fifty at 60,
at 27 never."""

STAGES: Final = 60

ALWAYS: Final = 1 << 20
"""The odds of an exchange that costs nothing; of others a part of it: whole numbers add up alike everywhere."""

EXCHANGING: Final = 5
"""An exchange takes the time of a step for every so many prices that change with it."""

SWEEPS: Final = 30
"""How often repairing and levelling go through all rounds, at most."""

TRIES: Final = 24
"""Places looked at for a player who meets somebody again, when repairing."""


def repair(draft: Draft, draw: Chance, looks: int) -> None:
    """Moves players away from those they meet again, never to a worse place; ends when nobody does.

    Quick where there is room, for it looks only at players who meet somebody twice; at most at `looks`
    exchanges.
    """
    for _ in range(SWEEPS):
        sore = _sore_places(draft)
        if not sore:
            return
        for number, place in sore:
            looks -= TRIES
            if looks < 0:
                return
            _move_away(draft, draw, number, place)


def _sore_places(draft: Draft) -> list[tuple[int, int]]:
    """Round and place of everybody who shares that table with somebody met elsewhere too."""
    return [
        (number, place)
        for number, (seats, mates_of) in enumerate(zip(draft.seats, draft.mates, strict=True))
        if len(draft.sizes[number]) > 1
        for place, player in enumerate(seats)
        if any(draft.cheaper[player][seats[mate]] > 0 for mate in mates_of[place])
    ]


def _move_away(draft: Draft, draw: Chance, number: int, place: int) -> None:
    near, count = (place, *draft.mates[number][place]), len(draft.seats[number])
    best, target = 1, place
    for _ in range(TRIES):
        other = int(draw() * count)
        if other not in near:
            rise = draft.gain(number, place, other)
            if rise < best:
                best, target = rise, other
    if best <= 0:
        draft.exchange(number, place, target)


def level_short_tables(draft: Draft, draw: Chance, looks: int) -> None:
    """Moves players off short tables who sit there most, where that costs nothing; ends when turns are level.

    Each looks at everybody at the larger tables of that round, which annealing seldom hits among many;
    together at no more than `looks` exchanges.
    """
    turns = draft.turns[SHORT_TABLE]
    for _ in range(SWEEPS):
        most = max(turns)
        if most - min(turns) <= 1:
            return
        for number, kinds in enumerate(draft.kinds):
            for place, kind in enumerate(kinds):
                if kind != SHORT_TABLE or turns[draft.seats[number][place]] != most:
                    continue
                looks -= len(turns)
                if looks < 0:
                    return
                _move_up(draft, draw, number, place)


def _move_up(draft: Draft, draw: Chance, number: int, place: int) -> None:
    larger = [other for other, kind in enumerate(draft.kinds[number]) if kind == 0]
    rise, _, target = min(((draft.gain(number, place, other), draw(), other) for other in larger), default=(1, 0.0, 0))
    if rise <= 0:
        draft.exchange(number, place, target)


def anneal(draft: Draft, draw: Chance, steps: int, enough: Worth, heat: Heat = (96.0, 27.0)) -> tuple[Worth, Seats]:
    """The best rounds met while exchanging at falling temperature, and their worth; ends where that is `enough`.

    A step looks at all exchanges of one player in one round, of one who meets somebody again where few repeats are
    sought; an exchange counts as some steps. Leaves the draft itself wherever the search ended.
    """
    best, kept = draft.worth, _copied(draft.seats)
    rises = Rises(draft)
    rounds = [number for number, groups in enumerate(rises.members) if len(groups) > 1]
    exchanging = (draft.players + len(draft.seats) * max(map(max, draft.sizes))) // EXCHANGING
    movable = _movable(rises, rounds)
    for stage in range(STAGES if rounds else 0):
        odds = [int(ALWAYS * odd) for odd in acceptance(heat[0] * (1 - stage / STAGES) + heat[1] * stage / STAGES)]
        left = steps // STAGES
        while left > 0:
            left -= 1
            number, one = movable[int(draw() * len(movable))]
            found = rises.of(number, one)
            other = _drawn(found, odds, draw)
            if other < 0:
                continue
            left -= exchanging
            rises.exchange(number, one, other)
            movable = _movable(rises, rounds)
            if found[other] <= 0 and draft.worth < best:
                best, kept = draft.worth, _copied(draft.seats)
                if best <= enough:
                    return best, kept
    return best, kept


def _movable(rises: Rises, rounds: list[int]) -> list[tuple[int, int]]:
    """Rounds and players whom a step may move: who meets somebody again, where few repeats are sought, or else all."""
    if rises.draft.seeking == "few repeats":
        again = [
            (number, player) for number in rounds for player, saved in enumerate(rises.leaving[number]) if saved > 0
        ]
        if again:
            return again
    return [(number, player) for number in rounds for player in rises.draft.seats[number][: rises.at_tables[number]]]


def _drawn(rises: list[int], odds: list[int], draw: Chance) -> int:
    """With which player to change, each by the odds of what it costs; -1 for nobody."""
    most = len(odds)
    if min(rises) > 0:
        total = sum([odds[rise] for rise in rises if rise < most])
    else:
        total = sum([odds[max(rise, 0)] for rise in rises if rise < most])
    lot = int(draw() * max(total, ALWAYS))
    other = -1
    if lot < total:
        while lot >= 0:
            other += 1
            if rises[other] < most:
                lot -= odds[max(rises[other], 0)]
    return other


def _copied(seats: Seats) -> Seats:
    return [list(row) for row in seats]
