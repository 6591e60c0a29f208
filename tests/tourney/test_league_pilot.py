"""How many hands a design needs: by hand, and by leagues of just that length."""

from math import log, sqrt
from random import Random

import pytest

from tourney.league.pilot import Pilot, needed_blocks, needs
from tourney.league.statistics import BlockMeans


@pytest.mark.parametrize(
    ("spread", "gap", "certainty", "blocks"),
    [
        (10.0, 1.0, 0.95, 785),
        (10.0, 2.0, 0.95, 197),
        (10.0, 1.0, 0.99, 1168),
        (1.0, 1.0, 0.95, 8),
        (0.0, 1.0, 0.95, 2),
    ],
)
def test_blocks_are_those_of_the_textbook(spread: float, gap: float, certainty: float, blocks: int) -> None:
    """Normal bounds 1.95996 and 2.57583 to both sides, 0.84162 for four in five: 7.8489 and 11.6790 times the square
    of spread over gap."""
    assert needed_blocks(spread, gap, certainty) == blocks


def test_needs_are_those_worked_by_hand() -> None:
    """Differences ±10 and ±5 about −1: squares 100 and 25, of four blocks, so variances 400/3 and 100/3. Blocks of 14
    and of 28 hands: 7.8489 × 400/3 → 1047 blocks, 14,658 hands; 7.8489 × 100/3 → 262 blocks, 7,336 hands, half."""
    fresh = Pilot(56, [(20.0, 11.0), (20.0, 31.0), (20.0, 11.0), (20.0, 31.0)])
    pairs = Pilot(112, [(5.0, 1.0), (5.0, 11.0), (5.0, 1.0), (5.0, 11.0)])
    first, second = needs({"fresh": fresh, "pairs": pairs}, "ABC", 1.0, 0.95)
    assert (first.design, first.played, first.better, first.worse) == ("fresh", 56, "A", "B")
    assert (first.hands, second.hands) == (14_658, 7_336)
    assert (first.fewer, first.fewer_low, first.fewer_high) == (1.0, 1.0, 1.0)
    assert (second.design, second.gap, second.error) == ("pairs", pytest.approx(1.0), pytest.approx(sqrt(25 / 3)))
    assert second.spread == pytest.approx(sqrt(100 / 3))
    assert second.fewer == pytest.approx(2.0)


def test_for_money_the_better_one_has_more() -> None:
    (need,) = needs({"pairs": Pilot(28, [(5.0, 9.0), (5.0, 8.0)])}, "ABC", 1.0, 0.95, "highest")
    assert (need.better, need.worse, need.gap) == ("B", "A", 3.5)


def test_of_several_bots_the_couple_counts_that_is_hardest_to_tell_apart() -> None:
    """Squares of the differences, worked by hand: 3 of the first two, 50.75 and 56.75 of the third to them."""
    rows = [(1.0, 2.0, 3.0), (2.0, 3.0, 9.0), (3.0, 4.0, 0.0), (4.0, 3.0, 7.0)]
    (need,) = needs({"pairs": Pilot(112, rows)}, "ABC", 1.0, 0.95)
    assert {need.better, need.worse} == {"B", "C"}


def test_bots_that_never_differ_need_two_blocks_and_no_factor_is_told() -> None:
    alike = Pilot(28, [(3.0, 3.0), (4.0, 4.0)])
    unlike = Pilot(28, [(3.0, 3.0), (4.0, 5.0)])
    found = needs({"fresh": unlike, "pairs": alike}, "ABC", 1.0, 0.95)[1]
    assert (found.hands, found.fewer) == (28, None)


def test_a_league_as_long_as_needed_separates_the_gap_in_four_of_five() -> None:
    """400 leagues of the blocks that a spread of 6 and a gap of 1.5 need, at 95 %: 80 % of them, to three errors."""
    chance = Random(11)
    blocks = needed_blocks(6.0, 1.5, 0.95)
    separated = 0
    for _league in range(400):
        means = BlockMeans(2)
        for _block in range(blocks):
            means.add((0.0, chance.gauss(1.5, 6.0)))
        separated += means.gap(1, 0).doubt() < 0.05
    assert abs(separated / 400 - 0.8) <= 0.06


def test_the_factor_holds_the_true_one_as_often_as_it_says() -> None:
    """300 pairs of pilots of 60 blocks: spreads 9 and 5, blocks of 14 and 35 hands, so a factor of 81/25 × 14/35."""
    chance = Random(12)
    true = 81 / 25 * 14 / 35
    held, logs = 0, 0.0
    for _pilot in range(300):
        fresh = Pilot(60 * 14, [(0.0, chance.gauss(1.0, 9.0)) for _ in range(60)])
        other = Pilot(60 * 35, [(0.0, chance.gauss(1.0, 5.0)) for _ in range(60)])
        need = needs({"fresh": fresh, "replace": other}, "ABC", 1.0, 0.95)[1]
        assert need.fewer is not None
        assert need.fewer_low is not None
        assert need.fewer_high is not None
        held += need.fewer_low <= true <= need.fewer_high
        logs += log(need.fewer / true)
    assert 0.91 <= held / 300 <= 0.99
    assert abs(logs / 300) <= 0.05
