"""How every two entrants of a league did against each other."""

from statistics import mean, stdev

import pytest

from tourney.league.blocks import GameOutcome
from tourney.league.statistics import HeadToHead

A, B, C = range(3)


def game(seating: tuple[int, ...], points: tuple[int, ...], hands: int = 7) -> tuple[GameOutcome, tuple[int, ...]]:
    """A game, and the points of its seats as their worth."""
    return GameOutcome(0, hands, seating, points, (1,) * len(seating)), points


def test_a_duel_is_points_a_hand_of_each_seat_in_the_games_of_both_over_blocks() -> None:
    duels = HeadToHead(3)
    duels.add([game((A, B, A, B), (70, 140, 140, 210)), game((A, C, A, C), (700, 0, 700, 0))])
    duels.add([game((B, A, B, A), (70, 70, 140, 70)), game((C, B, C, B), (0, 700, 0, 700))])
    # Two seats of seven hands each: 210/14 against 350/14, then 140/14 against 210/14.
    blocks = [15 - 25, 10 - 15]
    gap = duels.gap(A, B)
    assert gap.value == pytest.approx(mean(blocks))
    assert gap.error == pytest.approx(stdev(blocks) / 2**0.5)
    assert duels.gap(B, A).value == pytest.approx(-mean(blocks))


def test_a_block_in_which_two_did_not_meet_says_nothing_about_them() -> None:
    duels = HeadToHead(3)
    duels.add([game((A, B, C), (7, 14, 700))])
    duels.add([game((A, C, C), (7, 14, 21))])
    assert (duels.gap(A, B).value, duels.gap(A, B).error, duels.gap(A, B).blocks) == (-1.0, None, 1)
    assert duels.gap(A, C).blocks == 2
    assert duels.gap(B, C).blocks == 1


def test_two_who_never_met_have_no_duel() -> None:
    gap = HeadToHead(2).gap(A, B)
    assert (gap.value, gap.error, gap.blocks) == (0.0, None, 0)
