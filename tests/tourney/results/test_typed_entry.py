"""Tests of `result enter` and `result correct` as whole commands whose questions are answered, without a terminal."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness import desk
from tests.harness.commands import Ran, Runner
from tourney.cli.framework import questions
from tourney.domain.errors import ExitCode
from tourney.service.change import apply
from tourney.service.results import entry, results
from tourney.service.results.results import EnterResult
from tourney.service.rounds import rounds
from tourney.service.rounds.draw_round import DrawRound

Typing = Callable[..., Ran]

HANDS = ("0 20 30 40",) * 7
"""A whole sheet, a line for each hand: the player at seat 1 closes every one."""


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Draw a round of eight players at two tables; return the database."""
    db = str(tmp_path / "two.db")
    desk.event(db, 8, rounds=2)
    apply(db, DrawRound())
    monkeypatch.setenv("TOURNEY_DB", db)
    return db


@pytest.fixture
def typing(db: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Typing:
    """Run a command whose questions are answered by these lines; the input ends after them."""

    def run(words: str, *lines: str) -> Ran:
        typed = [*(f"{line}\n" for line in lines), ""]
        monkeypatch.setattr(questions, "read_typed_line", lambda terminal: typed.pop(0))
        monkeypatch.setattr(questions, "possible", lambda: True)
        return Runner(capsys)(*words.split())

    return run


def names(db: str, table: int) -> list[str]:
    return [player.name for player in rounds.show(db).rounds[0].tables[table - 1].players]


def test_a_table_that_is_given_is_not_asked_for_again(db: str, typing: Typing) -> None:
    """The round is the newest one."""
    entered = typing("result enter --table 2 --json", *HANDS, "")
    assert entered.code == 0
    assert "Which table?" not in entered.err
    assert (entered.json["round"], entered.json["table"]) == (1, 2)
    assert [player["points"] for player in entered.json["players"]] == [0, 140, 210, 280]
    assert [player["player"] for player in entered.json["players"]] == names(db, 2)


def test_a_table_that_does_not_exist_is_refused_at_once_with_the_tables_that_do(typing: Typing) -> None:
    refused = typing("result enter --table 9", *HANDS)
    assert (refused.code, refused.out) == (ExitCode.NOT_FOUND, "")
    assert refused.err == "error: round 1 of Friday has no table 9\nhint: its tables are 1, 2\n"


def test_a_table_that_has_a_result_is_refused_at_once(db: str, typing: Typing) -> None:
    apply(db, EnterResult(None, 1, 1, desk.hands(names(db, 1))))
    refused = typing("result enter --table 1", *HANDS)
    assert refused.code == ExitCode.CONFLICT
    assert "has a result already" in refused.err
    assert "who closed?" not in refused.err


def test_the_only_table_without_a_result_is_chosen_and_named(db: str, typing: Typing) -> None:
    """Going back from its first hand lists it, so that the choice can be left."""
    apply(db, EnterResult(None, 1, 1, desk.hands(names(db, 1))))
    left = typing("result enter", "b", "q")
    assert left.code == 0
    assert left.err.startswith("table 2 is the only one without a result\nFriday, round 1, table 2\n")
    assert left.err.endswith("Which table? [2] nothing was entered\n")


def test_the_table_can_be_chosen_by_a_player_who_sits_there(db: str, typing: Typing) -> None:
    player = names(db, 2)[1]
    assert "Friday, round 1, table 2\n" in typing("result enter", player[:3].upper(), "q").err


def test_back_at_the_first_hand_chooses_another_table_and_keeps_the_first_ones_hands(db: str, typing: Typing) -> None:
    left = typing("result enter", "1", HANDS[0], "b", "b", "2", "q")
    assert "kept: TT\n" in left.err
    assert f"  1  {', '.join(names(db, 1))} (partial sheet: TT)\n" in left.err
    assert "Friday, round 1, table 2\n" in left.err.rpartition("Which table?")[2]
    assert [(sheet.table.number, sheet.hands) for sheet in entry.partial_sheets_of(db, None)] == [(1, ("TT",))]


def test_back_at_the_choice_of_a_table_is_not_a_player(typing: Typing) -> None:
    """The names of Beñat's table begin with b, too."""
    assert "this is the first question; q leaves\nWhich table? " in typing("result enter", "b", "q").err


def test_a_digit_is_a_seat_even_if_it_is_the_number_of_an_entrant_at_the_table(db: str, typing: Typing) -> None:
    entrants = list(desk.NAMES)
    seated = names(db, 1)
    seat = next(seat for seat in range(4) if entrants.index(seated[seat]) != seat)
    asked = typing("result enter --table 1", str(seat + 1), "q").err
    assert "   ".join(f"{number} {name}" for number, name in enumerate(seated, 1)) in asked
    assert f"seat {seat + 1}: {seated[seat]}\nTT: did {seated[seat]} lay down" in asked


def test_a_sheet_of_four_players_and_seven_hands_takes_at_most_eighty_keystrokes(db: str, typing: Typing) -> None:
    """Four numbers, three blanks and Enter for each hand; then Enter for the table and for the sheet in brackets."""
    lines = ("", *HANDS, "")
    assert typing("result enter", *lines).code == 0
    assert sum(len(line) + 1 for line in lines) == 2 + 7 * (1 + 3 * 2 + 3 + 1) <= 80
    assert len(results.show(db)) == 1
