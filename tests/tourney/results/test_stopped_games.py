"""Tests of `end` in the dialogue of a sheet: what the event makes of a stopped game."""

from itertools import chain

import pytest

from tests.tourney.results.test_dialogue import WHOLE, new_dialogue, type_lines


@pytest.mark.parametrize(
    ("settings", "counts"),
    [
        ({}, "in this event the hands that were played count, however few; type TTT if the game continues"),
        ({"unfinished": "void"}, "in this event a stopped game counts for nobody; type TTT if it continues"),
        (
            {"unfinished": "penalty", "unfinished_points": 25},
            "in this event everybody gets 25 points for each hand not played; type TTT if it continues",
        ),
    ],
    ids=["count hands", "void", "penalty"],
)
def test_end_says_how_the_event_counts_a_stopped_game(settings: dict[str, object], counts: str) -> None:
    """A game stopped after two hands can lead the standings, so whoever stops it is told how it counts."""
    dialogue = new_dialogue(**settings)
    assert type_lines(dialogue, *chain(*WHOLE[:3]), "end").splitlines()[:2] == ["4 hands were not played", counts]
