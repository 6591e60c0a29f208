"""Tests of accelerations: shifts of levels by hand, Anderson's on linear iterations whose fixed points are known."""

import pytest

from tourney.ratings.acceleration import Acceleration, Levels, shift_at

RATES = (0.98, 0.9, 0.7, 0.5, -0.3, 0.1)
"""The factor by which each number's distance from its fixed point shrinks in a pass."""
FIXED = (3.0, -2.0, 5.0, 1.0, 0.5, 7.0)


def passed(start: list[float]) -> list[float]:
    return [at + rate * (number - at) for number, rate, at in zip(start, RATES, FIXED, strict=True)]


def test_as_many_passes_as_rates_reach_the_fixed_point() -> None:
    """On a linear iteration the steps are those of GMRES, exact after as many passes as there are different rates."""
    acceleration, start = Acceleration(), [0.0] * 6
    for _ in range(8):
        start = acceleration.next_start(start, passed(start))
    assert start == pytest.approx(FIXED, abs=1e-4)


def test_the_first_pass_and_one_after_a_restart_are_plain() -> None:
    acceleration = Acceleration()
    start = acceleration.next_start([0.0] * 6, passed([0.0] * 6))
    assert start == passed([0.0] * 6)
    acceleration.restart()
    assert acceleration.next_start(start, passed(start)) == passed(start)


def test_a_level_is_shifted_to_the_prior_and_moves_to_none() -> None:
    """A first game 1 above the prior is shifted by −1, and a move of 4 since then by 4 more, wherever the two lie."""
    levels = Levels()
    levels.add_prior(0.0, 1.0, 2.0)
    levels.add_move(0.0, 16.0, 4.0, 0.5)
    shifts = levels.shifts()
    assert [shift_at(shifts, at) for at in (0.0, 16.0)] == pytest.approx([-1.0, -5.0], abs=1e-6)
    near = Levels()
    near.add_prior(0.0, 1.0, 2.0)
    near.add_move(0.0, 0.5, 4.0, 0.5)
    shifts = near.shifts()
    assert [shift_at(shifts, at) for at in (0.0, 0.5)] == pytest.approx([-1.0, -5.0], abs=1e-6)


def test_priors_and_moves_share_a_shift_by_their_precisions() -> None:
    """Excesses of 1 and of 4 at one place, of precisions 2 and 1, are shifted by their mean, (2 · 1 + 4) / 3 = 2."""
    levels = Levels()
    levels.add_prior(3.5, 1.0, 2.0)
    levels.add_prior(3.5, 4.0, 1.0)
    assert shift_at(levels.shifts(), 3.5) == pytest.approx(-2.0, abs=1e-6)
