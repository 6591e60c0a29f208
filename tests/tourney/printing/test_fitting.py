"""Tests that the type of rules fills one sheet of paper, or two; `test_paper.py` counts the sheets of Chromium."""

from itertools import pairwise

import pytest

from tests.harness.commands import Runner
from tourney.reports.html.fitting import ONE_SHEET, TWO_SHEETS, rules_type

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
    assert '<div class="text" style="--type: 9' in ran.out
