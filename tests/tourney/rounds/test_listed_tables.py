"""Tests of tables listed in words: `round 1, tables 1 to 8`."""

import pytest

from tourney.text.ranges import listed_tables, ranges


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        pytest.param([], "", id="none"),
        pytest.param([3], "3", id="one"),
        pytest.param([2, 1], "1, 2", id="two-are-no-range"),
        pytest.param([1, 2, 3], "1 to 3", id="three"),
        pytest.param([8, 7, 6, 1, 3, 7], "1, 3, 6 to 8", id="in-order-and-once"),
        pytest.param([9, 10, 11, 12], "9 to 12", id="two-digits"),
        pytest.param(
            [*range(1, 40, 2), 50, 51, 52], "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23 and 11 more", id="many"
        ),
    ],
)
def test_numbers_that_follow_each_other_are_one_range(numbers: list[int], text: str) -> None:
    assert ranges(numbers) == text


@pytest.mark.parametrize(
    ("spots", "partial", "text"),
    [
        pytest.param([(1, 4)], [], "round 1, table 4", id="one"),
        pytest.param([(1, table) for table in range(1, 9)], [], "round 1, tables 1 to 8", id="a-round"),
        pytest.param([(1, 2), (2, 1), (2, 2)], [], "round 1, table 2; round 2, tables 1, 2", id="two-rounds"),
        pytest.param([(1, 2)], [(1, 2), (1, 9)], "round 1, table 2 (partial sheet)", id="a-partial-sheet"),
        pytest.param(
            [(1, 1), (1, 2), (1, 3), (1, 4)],
            [(1, 3), (1, 4)],
            "round 1, tables 1, 2; round 1, tables 3, 4 (partial sheets)",
            id="partial-sheets-apart",
        ),
        pytest.param(
            [(number, table) for number in range(1, 9) for table in (1, 2, 3)],
            [],
            "; ".join([*(f"round {number}, tables 1 to 3" for number in range(1, 7)), "and 6 more tables"]),
            id="many-rounds",
        ),
    ],
)
def test_tables_are_listed_round_by_round(
    spots: list[tuple[int, int]], partial: list[tuple[int, int]], text: str
) -> None:
    assert listed_tables(spots, partial) == text
