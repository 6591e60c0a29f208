"""Rounds improved by exchanging two players of a round, in a bounded number of steps.

Steps, not seconds, end a search, and worse exchanges are accepted by odds that only multiplication and division
enter, so that the same seed gives the same tables on every machine.
"""

from functools import lru_cache
from typing import Final

from tourney.seating.chance import Chance
from tourney.seating.search import SHORT_TABLE, Draft, Worth, acceptance, mates

Seats = list[list[int]]
"""The players of each round by place, as a draft has them."""

STAGES: Final = 60
WARM: Final = 96.0
COOL: Final = 27.0
"""Temperatures at both ends of an annealing: a repeat is first accepted once in twelve times, at last never."""

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


def anneal(draft: Draft, draw: Chance, steps: int, enough: Worth, warm: float = WARM) -> tuple[Worth, Seats]:
    """The best rounds met while exchanging at falling temperature, and their worth; ends where that is `enough`.

    Leaves the draft itself wherever the search ended.
    """
    best, kept = draft.worth, _copied(draft.seats)
    rounds = [(number, moves) for number, moves in enumerate(_moves_by_round(draft)) if moves]
    for stage in range(STAGES if rounds else 0):
        odds = acceptance(warm * (1 - stage / STAGES) + COOL * stage / STAGES)
        for _ in range(steps // STAGES):
            if best <= enough:
                return best, kept
            number, moves = rounds[int(draw() * len(rounds))]
            left, right = moves[int(draw() * len(moves))]
            rise = draft.gain(number, left, right)
            if rise > 0 and (rise >= len(odds) or draw() >= odds[rise]):
                continue
            draft.exchange(number, left, right)
            if rise <= 0 and draft.worth < best:
                best, kept = draft.worth, _copied(draft.seats)
    return best, kept


def _copied(seats: Seats) -> Seats:
    return [list(row) for row in seats]


def _moves_by_round(draft: Draft) -> list[list[tuple[int, int]]]:
    return [moves(sizes, len(seats)) for sizes, seats in zip(draft.sizes, draft.seats, strict=True)]


@lru_cache(maxsize=16)
def moves(sizes: tuple[int, ...], places: int) -> list[tuple[int, int]]:
    """All two places of a round that are not at one table, one of them at least being at a table."""
    near = mates(sizes, places)
    return [(left, right) for left in range(sum(sizes)) for right in range(left + 1, places) if right not in near[left]]
