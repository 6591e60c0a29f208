"""Tests of byes while players arrive and leave."""

import random
from collections import Counter

import pytest

from tourney.seating.balance.byes import next_byes
from tourney.seating.plan import PlanWish, plan


def test_nobody_has_a_second_bye_before_everybody_present_has_had_one() -> None:
    """In 100 evenings with arrivals and departures the byes of players present throughout differ by one at most."""
    for seed in range(100):
        rng = random.Random(f"turns {seed}")
        present = list(range(rng.randint(5, 11)))
        stayed, played, past_byes = set(present), [], []
        for _round in range(10):
            order = rng.sample(present, len(present))
            (byes,) = next_byes(order, len(present) % 4, 1, played, past_byes)
            assert len(byes) == len(present) % 4
            played.append([[player for player in present if player not in byes]])
            past_byes.append(byes)
            counts = Counter(player for byes in past_byes for player in byes)
            assert max(counts[player] for player in stayed) - min(counts[player] for player in stayed) <= 1
            if rng.random() < 0.3 and len(present) > 5:
                leaving = rng.choice(present)
                present.remove(leaving)
                stayed.discard(leaving)
            if rng.random() < 0.3:
                present.append(20 + len(played))


@pytest.mark.parametrize(
    ("case", "past_byes", "games", "expected"),
    [
        ("nobody has had a bye: the first in the order", [[], []], {0: 2, 1: 2, 2: 2}, 2),
        ("the player without a bye", [[2], [1]], {0: 2, 1: 1, 2: 1}, 0),
        ("a late entrant does not get a bye before players with more games", [[], []], {0: 2, 1: 2, 2: 0}, 1),
        ("a late entrant gets a bye before anybody gets a second one", [[0], [1]], {0: 1, 1: 1, 2: 0}, 2),
        ("an absence is not a bye", [[1], [0]], {0: 3, 1: 3, 2: 1}, 2),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_who_gets_the_next_bye(case: str, past_byes: list[list[int]], games: dict[int, int], expected: int) -> None:
    """One of three players gets a bye; ties go to the order 2, 1, 0."""
    rounds = [[[player] for player, count in games.items() if count > number] for number in range(max(games.values()))]
    assert next_byes([2, 1, 0], 1, 1, rounds, past_byes) == [[expected]], case


def test_byes_over_several_rounds_are_shared_equally() -> None:
    """Six players have two byes in each of three rounds: one each."""
    coming = next_byes([4, 2, 0, 1, 3, 5], 2, 3, [], [])
    assert sorted(player for byes in coming for player in byes) == [0, 1, 2, 3, 4, 5]


def test_a_plan_around_played_rounds_counts_byes_and_not_absences() -> None:
    """Of five players at a table of four, player 4 was absent in round 1 and player 0 had a bye in round 2."""
    played, past_byes = [[(0, 1, 2, 3)], [(1, 2, 3, 4)]], [[], [0]]
    after = plan(5, 4, 6, 1, PlanWish(remainder="sit out", played=played, sat_out=past_byes))
    later_byes = [player for (player,) in after.sitting_out[2:]]
    assert sorted(later_byes) == [1, 2, 3, 4]
    assert later_byes[-1] == 4, "player 4 has played least and has a bye last"
