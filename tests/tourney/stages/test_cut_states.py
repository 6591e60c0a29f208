"""Tests of sure, open and out against every ending of small stages, and against simulated endings of larger ones."""

from random import Random

import pytest

from tests.oracles.endings import Entrant, Hand, states
from tourney.standings.cut_states import Remaining, Runner, Span, cut_states

SEEDS = 60
"""The small stages of every run; the soak test has 2,000."""


def small_stage(seed: int) -> tuple[list[Entrant], list[list[int]], int, list[Hand], int, str]:
    """Return a small stage: entrants, open tables, the round, the hands of a game, places, and how ties are decided.

    Points are close together, so that most endings matter, and some players share them.
    """
    rng = Random(f"small stage {seed}")
    players = rng.randint(3, 6)
    number = rng.randint(1, 3)
    hands = [Hand((rng.choice((-2, -1)), 0), (1, 2, 3)) for _hand in range(rng.choice((1, 1, 1, 2)))]
    seats = list(range(players))
    rng.shuffle(seats)
    sizes = rng.choice([[2], [3], [2, 2]] if len(hands) == 1 else [[2]])
    tables, waiting = [], list(seats)
    for size in sizes:
        if len(waiting) >= size:
            tables.append([waiting.pop() for _seat in range(size)])
    seated = {name for table in tables for name in table}
    entrants = []
    for name in range(players):
        games = number - 1 if name in seated else number
        games -= rng.random() < 0.1 and games > 1
        won = frozenset(
            (each, hand) for each in range(1, games + 1) for hand in range(len(hands)) if rng.random() < 0.4
        )
        entrants.append(Entrant(name, rng.randint(0, 5) if games else 0, games, won, rng.random() > 0.07))
    return (
        entrants,
        tables,
        number,
        hands,
        rng.randint(1, players),
        rng.choice(("recent", "recent", "together", "doubt")),
    )


def decided(
    entrants: list[Entrant], tables: list[list[int]], number: int, hands: list[Hand], places: int, ties: str
) -> dict[int, str]:
    """Return the states that the program gives."""
    runners = [
        Runner(each.name, each.points, each.games, tuple(sorted(each.won, reverse=True)), each.plays)
        for each in entrants
    ]
    spans = tuple(Span(min(hand.closing), min(hand.others), max(hand.others)) for hand in hands)
    remaining = Remaining(number, tuple(map(tuple, tables)), 0, spans, ties)  # type: ignore[arg-type]
    found = cut_states(runners, remaining, places)
    return {each.name: found[each.name] for each in entrants if each.plays}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_sure_open_and_out_are_those_of_all_endings(seed: int) -> None:
    stage = small_stage(seed)
    assert decided(*stage) == states(*stage)


@pytest.mark.soak
def test_sure_open_and_out_are_those_of_all_endings_of_2000_small_stages() -> None:
    found = {"sure": 0, "open": 0, "out": 0}
    for seed in range(2000):
        stage = small_stage(seed)
        expected = states(*stage)
        assert decided(*stage) == expected, seed
        for state in expected.values():
            found[state] += 1
    assert min(found.values()) > 800, found
