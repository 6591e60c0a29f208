"""Tests of the head-to-head gaps of every two entrants of a league."""

from statistics import mean, stdev

import pytest

from tourney.league.blocks import GameOutcome
from tourney.league.statistics import HeadToHead

A, B, C = range(3)


def game(seating: tuple[int, ...], points: tuple[int, ...], hands: int = 7) -> tuple[GameOutcome, tuple[int, ...]]:
    """Return a game with the points of its seats as values."""
    return GameOutcome(0, hands, seating, points, (1,) * len(seating)), points


def test_the_gap_is_the_mean_over_blocks_of_the_points_a_hand_in_games_of_both() -> None:
    head_to_head = HeadToHead()
    head_to_head.add([game((A, B, A, B), (70, 140, 140, 210)), game((A, C, A, C), (700, 0, 700, 0))])
    head_to_head.add([game((B, A, B, A), (70, 70, 140, 70)), game((C, B, C, B), (0, 700, 0, 700))])
    # Two seats of seven hands each: 210/14 against 350/14, then 140/14 against 210/14.
    blocks = [15 - 25, 10 - 15]
    gap = head_to_head.gap(A, B)
    assert gap.value == pytest.approx(mean(blocks))
    assert gap.error == pytest.approx(stdev(blocks) / 2**0.5)
    assert head_to_head.gap(B, A).value == pytest.approx(-mean(blocks))


def test_a_block_in_which_two_entrants_did_not_meet_does_not_count_for_them() -> None:
    head_to_head = HeadToHead()
    head_to_head.add([game((A, B, C), (7, 14, 700))])
    head_to_head.add([game((A, C, C), (7, 14, 21))])
    assert (head_to_head.gap(A, B).value, head_to_head.gap(A, B).error, head_to_head.gap(A, B).blocks) == (
        -1.0,
        None,
        1,
    )
    assert head_to_head.gap(A, C).blocks == 2
    assert head_to_head.gap(B, C).blocks == 1


def test_two_entrants_that_never_met_have_an_estimate_of_no_blocks() -> None:
    gap = HeadToHead().gap(A, B)
    assert (gap.value, gap.error, gap.blocks) == (0.0, None, 0)
