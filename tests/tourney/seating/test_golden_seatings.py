"""Tests of golden seatings, which change only together with SEATING_VERSION."""

import json

import pytest

from tests.harness import golden_seatings
from tests.harness.slow import slow
from tourney.seating.model import SEATING_VERSION, seating_as
from tourney.seating.plan import PlanWish, plan
from tourney.seating.quality.metrics import judge

GOLDEN = json.loads(golden_seatings.FILE.read_text(encoding="utf-8"))


def test_the_golden_seatings_are_of_this_version() -> None:
    assert GOLDEN["seating_version"] == SEATING_VERSION
    assert set(GOLDEN["plans"]) == set(golden_seatings.PLANS)
    assert set(GOLDEN["evenings"]) == set(golden_seatings.FORMATS)


@pytest.mark.parametrize("words", golden_seatings.PLANS)
def test_a_plan_is_the_golden_one(words: str) -> None:
    assert golden_seatings.plan(words) == GOLDEN["plans"][words]


@pytest.mark.parametrize("rounds", [3, *slow([6])])
@pytest.mark.parametrize("format", golden_seatings.FORMATS)
def test_an_evening_is_the_golden_one(format: str, rounds: int) -> None:
    """The first three rounds, before and after players withdraw and enter late, or all six."""
    assert golden_seatings.evening(format, rounds) == GOLDEN["evenings"][format][:rounds]


def test_rounds_of_version_1_are_seated_as_it_did() -> None:
    """Ten at tables of five: version 1 had one pair together in all four rounds, and made the same plan each time."""
    with seating_as("0.2.0+seating.1"):
        first = plan(10, 5, 4, 1, PlanWish(aim="no third meeting"))
        assert first == plan(10, 5, 4, 1, PlanWish(aim="no third meeting"))
        assert judge(first.rounds, 10).most_meetings == 4
    for program in ("0.2.0+seating.2", "9.9+seating.99", "0.1.0", ""):
        with seating_as(program):
            assert judge(plan(10, 5, 4, 1, PlanWish(aim="no third meeting")).rounds, 10).most_meetings == 3
