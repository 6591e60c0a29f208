"""Which table's sheet is entered, by question and answer."""

import pytest

from tourney.domain.events import Event, EventSettings
from tourney.domain.people import Player
from tourney.domain.results import HalfSheet
from tourney.domain.rounds import Table
from tourney.domain.rules import RulesRef
from tourney.domain.schedule import WaitingTables
from tourney.service.results.table_choice import TableChoice

TABLES = tuple(Table(2, number, (Player(1, f"Ana {number}"), Player(2, f"Bea {number}"))) for number in (3, 5, 11))


def choice(*half: int) -> TableChoice:
    event = Event(1, EventSettings("Friday", "oficial"), RulesRef("oficial"))
    halves = tuple(HalfSheet("Friday", table, ("TT", "TE")) for table in TABLES if table.number in half)
    return TableChoice(WaitingTables(event, 2, TABLES, halves))


def test_every_table_that_waits_is_listed_with_its_people_and_its_half_sheet() -> None:
    assert choice(5).greeting == (
        "Friday, round 2: these tables wait for their sheet",
        "  3  Ana 3, Bea 3",
        "  5  Ana 5, Bea 5 (half entered: TT TE)",
        " 11  Ana 11, Bea 11",
    )


@pytest.mark.parametrize(
    ("half", "line", "chosen"),
    [((), "", 3), ((5,), "", 5), ((11, 5), "", 5), ((5,), "3", 3), ((), " 11 ", 11)],
    ids=["the first", "the half entered one", "the first half entered one", "a number", "a number with blanks"],
)
def test_a_table_is_chosen(half: tuple[int, ...], line: str, chosen: int) -> None:
    one = choice(*half)
    assert one.answer(line) == ()
    assert (one.now, one.chosen) == ("entered", chosen)


@pytest.mark.parametrize("line", ["4", "1", "x", "3 5", "-3", "03"])
def test_another_answer_is_asked_again(line: str) -> None:
    one = choice()
    (said,) = one.answer(line)
    assert said.endswith("these do: 3 5 11")
    assert (one.now, one.chosen) == ("asking", None)


def test_help_lists_the_tables_and_q_leaves() -> None:
    one = choice()
    assert one.answer("?")[1:] == one.greeting
    assert one.answer("Q") == ()
    assert (one.now, one.chosen) == ("left", None)
