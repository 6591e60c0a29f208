"""Tests of many phones at once on a real server. Times depend on the machine: `harness/web/load.py` prints them."""

import pytest

from tests.harness.web.load import SHEETS, figures, percentile


def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed() -> None:
    assert percentile(range(1, 101), 99) == 99
    assert percentile([3, 1, 2], 50) == 2
    assert percentile([1], 99) == percentile([1], 1) == 1


@pytest.mark.parametrize(
    ("phones", "requests"),
    [
        pytest.param(20, 3_000, marks=pytest.mark.slow),
        pytest.param(200, 10_000, marks=pytest.mark.soak),
    ],
)
def test_every_phone_is_fresh_after_every_sheet_and_memory_stays(phones: int, requests: int) -> None:
    """The memory of the last part of many requests is that of the second one, but for 3 per cent."""
    found = figures(phones, requests)
    assert len(found.fresh) == SHEETS * phones
    assert len(found.herd) >= len(found.fresh)
    second, last = found.memory
    assert last <= 1.03 * second
