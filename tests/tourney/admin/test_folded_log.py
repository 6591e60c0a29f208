"""Tests of `log` by whole commands: the hands of a complete sheet stand in the line of its result."""

import pytest

from tests.harness import desk
from tests.harness.commands import Runner

HANDS = [desk.hand_option(contract) for contract in desk.CONTRACTS]
FOLDED = "The hands of complete sheets are left out; `--verbose` lists them."


make_db = desk.make_drawn


def _enter(run: Runner, *options: str) -> None:
    ran = run("result", "enter", "--round", "1", "--table", "1", *options)
    assert ran.code == 0, ran.err


def _sheet(run: Runner) -> None:
    """Enter a sheet of which the first three hands are kept one by one: changes 5, 6, 7, and 8 for the result."""
    for hands in (1, 2, 3):
        _enter(run, "--half", *HANDS[:hands])
    _enter(run, *HANDS)


def _numbers(run: Runner, *options: str) -> list[int]:
    """Return the numbers at the beginnings of the log's lines."""
    _title, *lines = run("log", *options).out.splitlines()
    return [int(line.split()[0]) for line in lines if line[:5].strip().isdecimal()]


def test_the_hands_of_a_complete_sheet_stand_in_the_line_of_their_result(db: str, run: Runner) -> None:
    """Nothing else is left out, and other programs, `--verbose` and a sheet that is not complete have every hand."""
    _enter(run, "--half", HANDS[0])
    assert _numbers(run) == [1, 2, 3, 4, 5]
    run("undo")
    run("redo")
    for hands in (2, 3):
        _enter(run, "--half", *HANDS[:hands])
    _enter(run, *HANDS)
    assert _numbers(run) == [1, 2, 3, 4, 6, 7, 10]
    log = run("log").out
    assert "(its hands: 5, 8, 9)" in log
    assert FOLDED in log
    assert _numbers(run, "--verbose") == list(range(1, 11))
    assert "its hands" not in run("log", "--verbose").out + run("log", "--format", "csv").out
    lines = run("log", "--json").json
    assert [line["number"] for line in lines] == list(range(1, 11))
    assert [line["hands"] for line in lines] == [*[[]] * 9, [5, 8, 9]]


def test_a_result_that_is_taken_back_shows_its_hands_again(db: str, run: Runner) -> None:
    _sheet(run)
    assert _numbers(run) == [1, 2, 3, 4, 8]
    assert "(its hands: 5 to 7)" in run("log").out
    run("undo")
    assert _numbers(run) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert FOLDED not in run("log").out


@pytest.mark.parametrize("number", [5, 6, 7])
def test_a_hand_that_is_not_listed_can_be_undone_or_is_refused_as_before(db: str, run: Runner, number: int) -> None:
    """The result rests on every hand of its sheet, which the refusal says by the number to take back first."""
    _sheet(run)
    refused = run("undo", str(number))
    assert refused.code == 1
    assert "`tourney undo 8`" in refused.err
    assert run("undo", "8").code == 0
    assert run("undo", "7").code == 0


def test_the_hands_of_a_begun_correction_and_of_a_discarded_sheet_are_folded(db: str, run: Runner) -> None:
    """A discarded sheet has changes 5 and 6; its round, drawn again, begins without hands."""
    _enter(run, "--half", HANDS[0])
    assert run("result", "void", "--round", "1", "--table", "1", "--reason", "torn").code == 0
    assert _numbers(run) == [1, 2, 3, 4, 6]
    assert "(its hand: 5)" in run("log").out


def test_the_last_lines_of_the_log_are_those_that_are_shown(db: str, run: Runner) -> None:
    """The newest change is a result with three hands: two lines are the draw and the result."""
    _sheet(run)
    for last, expected in ((1, [8]), (2, [4, 8]), (3, [3, 4, 8]), (9, [1, 2, 3, 4, 8])):
        assert _numbers(run, "--last", str(last)) == expected
        assert _numbers(run, "Friday", "--last", str(last)) == [number for number in expected if number > 1]
        assert "(its hands: 5 to 7)" in run("log", "--last", str(last)).out
    assert [line["number"] for line in run("log", "--last", "2", "--json").json] == [7, 8]
