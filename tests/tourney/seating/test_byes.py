"""Tests of byes while people come and go."""

import random
from collections import Counter

import pytest

from tourney.seating.balance.byes import next_byes
from tourney.seating.plan import plan


def test_nobody_sits_out_twice_before_all_who_were_there_have_once() -> None:
    """100 evenings of comings and goings, drawn round by round: of those present throughout, turns differ by one."""
    for seed in range(100):
        rng = random.Random(f"turns {seed}")
        here = list(range(rng.randint(5, 11)))
        stayed, played, sat_out = set(here), [], []
        for _round in range(10):
            order = rng.sample(here, len(here))
            (out,) = next_byes(order, len(here) % 4, 1, played, sat_out)
            assert len(out) == len(here) % 4
            played.append([[player for player in here if player not in out]])
            sat_out.append(out)
            turns = Counter(player for resting in sat_out for player in resting)
            assert max(turns[player] for player in stayed) - min(turns[player] for player in stayed) <= 1
            if rng.random() < 0.3 and len(here) > 5:
                gone = rng.choice(here)
                here.remove(gone)
                stayed.discard(gone)
            if rng.random() < 0.3:
                here.append(20 + len(played))


@pytest.mark.parametrize(
    ("case", "sat_out", "games", "out"),
    [
        ("nobody has yet: the first in the order", [[], []], {0: 2, 1: 2, 2: 2}, 2),
        ("who has not yet", [[2], [1]], {0: 2, 1: 1, 2: 1}, 0),
        ("a late entrant is not sent away before those who played more", [[], []], {0: 2, 1: 2, 2: 0}, 1),
        ("a late entrant sits out before anybody does twice", [[0], [1]], {0: 1, 1: 1, 2: 0}, 2),
        ("who was away has not sat out", [[1], [0]], {0: 3, 1: 3, 2: 1}, 2),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_whose_turn_it_is(case: str, sat_out: list[list[int]], games: dict[int, int], out: int) -> None:
    """One of the players 2, 1, 0, asked in this order."""
    rounds = [[[player] for player, count in games.items() if count > number] for number in range(max(games.values()))]
    assert next_byes([2, 1, 0], 1, 1, rounds, sat_out) == [[out]], case


def test_turns_go_round_over_the_rounds_to_come() -> None:
    """Three rounds of two out among six: everybody once."""
    coming = next_byes([4, 2, 0, 1, 3, 5], 2, 3, [], [])
    assert sorted(player for out in coming for player in out) == [0, 1, 2, 3, 4, 5]


def test_a_plan_around_played_rounds_counts_who_sat_out_and_not_who_was_missing() -> None:
    """Five at tables of four; 4 came after the first round and has missed it, 0 has sat out the second."""
    played, sat_out = [[(0, 1, 2, 3)], [(1, 2, 3, 4)]], [[], [0]]
    after = plan(5, 4, 6, 1, remainder="sit out", played=played, sat_out=sat_out)
    resting = [out for (out,) in after.sitting_out[2:]]
    assert sorted(resting) == [1, 2, 3, 4]
    assert resting[-1] == 4, "he has played least, and is asked last"
