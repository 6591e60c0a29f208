"""Tests of Anderson acceleration on linear iterations, whose fixed points are known."""

import pytest

from tourney.ratings.acceleration import Acceleration

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
