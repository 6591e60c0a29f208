"""Tests of the type on paper: rules fill one sheet or two, and one long name makes no table small.

`test_paper.py` counts the sheets of Chromium.
"""

import re
from itertools import pairwise

import pytest

from tests.harness.commands import Runner
from tourney.reports.html.document import ONE_SHEET, TWO_SHEETS, grid_view, rules_type
from tourney.reports.render.report import Field

A4 = 269
SENTENCE = "x" * 90
"""Two lines in a column of 51 letters, as 9.25 points have, and in one of 46, as 10 have."""


@pytest.mark.parametrize(
    ("sentences", "least", "greatest"),
    [(5, 11.0, 11.0), (35, 9.5, 10.5), (65, 11.0, 12.5), (120, 8.25, 9.5), (500, 8.25, 8.25)],
)
def test_rules_have_the_greatest_type_that_fits(sentences: int, least: float, greatest: float) -> None:
    """Of two lines each, 35 sentences need 91 lines of two columns of 470 points: type of 10. Two sheets are for 65.

    A sheet has 762 points, of which title, seven rows of a table and the note take 255.
    """
    assert least <= rules_type([[SENTENCE] * sentences], [7], A4) <= greatest


def test_a_sentence_more_never_makes_the_type_of_as_many_sheets_larger() -> None:
    """There is one step upwards, from one sheet to two."""
    sizes = [rules_type([[SENTENCE] * sentences], [7], A4) for sentences in range(1, 200)]
    assert sum(before < after for before, after in pairwise(sizes)) == 1
    assert (max(sizes), sizes[0], sizes[-1]) == (TWO_SHEETS[1], ONE_SHEET[1], TWO_SHEETS[0])


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_page_of_rules_says_its_type(evening: str, run: Runner, language: str) -> None:
    ran = run("print", "rules", "oficial", "--lang", language, "--db", evening)
    size = re.search(r'<div class="text" style="--type: ([\d.]+)', ran.out)
    assert size is not None
    assert TWO_SHEETS[0] < float(size[1]) < TWO_SHEETS[1]


@pytest.mark.parametrize(("long", "room"), [(0, 13), (2, 13), (3, 37)])
def test_one_long_name_in_ten_is_wrapped_and_leaves_the_type_of_a_table_as_it_is(long: int, room: int) -> None:
    """Of 23 names the 21st by length counts: 10 letters and 3 for the gap, or 34 at most, since that is wrapped too."""
    names = ["Ana García"] * (23 - long) + ["María de los Ángeles Echeverría de la Trinidad"] * long
    longest = max(len(word) for name in names for word in name.split())
    grid = grid_view((Field("player", "Player"),), [(name,) for name in names])
    assert grid.room == max(room, longest + 3)
