"""Tests of lines in doubt: unusual points are asked about, and the line of the next hand is not taken for an answer."""

import pytest

from tests.tourney.results.test_dialogue import new_dialogue, type_lines


@pytest.mark.parametrize("doubted", ["0 105 20", "105 0 4"])
def test_a_question_never_swallows_the_line_of_the_next_hand(doubted: str) -> None:
    """A line that is not the one in doubt with other points for the unusual ones is not read."""
    dialogue = new_dialogue()
    type_lines(dialogue, doubted)
    reply = type_lines(dialogue, "7 0 9")
    assert f"“7 0 9” was not read: first say whether {doubted} is right in TT" in reply
    assert dialogue.question == f"TT: who closed? [{doubted}] "
    assert type_lines(dialogue, "").endswith("TE: who closed? ")
    assert type_lines(dialogue, "7 0 9").endswith("EE: who closed? ")
    assert dialogue.draft.hands[1].points == {0: 7, 1: 0, 2: 9}


def test_a_line_in_doubt_is_corrected_by_a_line_with_other_points_there() -> None:
    dialogue = new_dialogue()
    assert type_lines(dialogue, "0 105 20", "0 15 20").endswith("TE: who closed? ")
    assert dialogue.draft.hands[0].points == {0: 0, 1: 15, 2: 20}


def test_the_points_of_the_next_player_are_not_taken_for_those_in_doubt() -> None:
    """20 is not what 105 was meant to be; Enter takes it all the same."""
    dialogue = new_dialogue()
    assert "has Elena 20 points, and not 105? Enter takes 20" in type_lines(dialogue, "1", "n", "105", "20")
    assert dialogue.question == "TT, Elena: [20] "
    assert type_lines(dialogue, "") == "TT, Bea: "
    assert dialogue.draft.current.points[1] == 20


@pytest.mark.parametrize("line", ["0,30,20", "0, 30, 20", "0;30;20", "0/30/20"])
def test_a_line_of_points_may_have_other_signs_than_blanks(line: str) -> None:
    dialogue = new_dialogue()
    assert type_lines(dialogue, line).endswith("TE: who closed? ")
    assert dialogue.draft.hands[0].points == {0: 0, 1: 30, 2: 20}
