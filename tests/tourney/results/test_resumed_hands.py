"""Tests of a sheet that is left in the middle of a hand, and of one to confirm: what its reader has to know."""

from pathlib import Path

import pytest

from tests.harness import desk
from tests.tourney.results.test_dialogue import after_hands, new_dialogue, type_lines
from tourney.domain.results import SheetHand
from tourney.files.sheet_toml import contract_text
from tourney.reports.render.page import page_text
from tourney.reports.render.report import Report
from tourney.reports.results.results import sheet_table
from tourney.service.admin import journal
from tourney.service.change import apply
from tourney.service.results.entry import KeepPartialSheet
from tourney.service.rounds import rounds

LEFT = {
    "nobody closed": (("-",), "continuing at TTT, which nobody closed", ()),
    "somebody closed": (("Elena", "n", "33"), "continuing at TTT, which Elena closed", ()),
    "one answer taken back": (("-", "3", "33", "b"), "continuing at TTT, which nobody closed", (1,)),
    "two taken back": (("-", "3", "33", "b", "b"), "continuing at TTT, which nobody closed", (0, 1)),
    "one given again": (("-", "3", "33", "b", "b", "4"), "continuing at TTT, which nobody closed", (1,)),
    "the closer, too": (("-", "3", "b", "b"), "continuing at TTT", ()),
}


@pytest.mark.parametrize("case", LEFT)
def test_a_resumed_hand_says_who_closed_it_and_a_left_one_what_b_took_back(case: str) -> None:
    """A resumed hand asks no more who closed it; two answers were gone from a sheet that was "kept"."""
    typed, greeting, taken_back = LEFT[case]
    dialogue = after_hands(3)
    type_lines(dialogue, *typed)
    assert dialogue.draft.taken_back == taken_back
    assert greeting in new_dialogue(*dialogue.draft.kept).greeting


def test_a_sheet_to_confirm_says_who_closed_however_narrow_the_terminal() -> None:
    """`--wide`, which shows hidden columns, cannot be typed at the question."""
    names = ("Beñat", "Elena", "Maria Jose")
    outcome = after_hands(7).outcome
    assert outcome is not None
    text = page_text(Report("", *sheet_table(names, outcome)), 40)
    assert "Closed" in text
    assert "Hidden" not in text
    assert text.count("Beñat") == 1 + sum(hand.closer == 0 for hand in outcome.hands)


@pytest.mark.parametrize("typed", ["102 76 Jk Jk", "7d 30"])
def test_a_line_for_everybody_where_one_player_is_asked_says_who(typed: str) -> None:
    """The answer was that 102 is not a card."""
    dialogue = new_dialogue()
    said = type_lines(dialogue, "-", typed)
    assert said.startswith("this asks one player, Beñat; a line with everybody's points answers “who closed?”")


def test_an_unknown_contract_is_shown_as_it_was_typed() -> None:
    """TET is another way to write TTE; TEX was shown as XTE."""
    assert (contract_text("tet"), contract_text(" tex ")) == ("TTE", "TEX")


def test_the_log_of_a_hand_has_the_players_who_were_given_cards(tmp_path: Path) -> None:
    """Undo and log named only those whose points were typed."""
    db = desk.drawn(tmp_path / "club.db")
    seated = [player.name for player in rounds.show(db).rounds[0].tables[0].players]
    hand = SheetHand("TT", {seated[0]: 0, seated[3]: 41}, seated[0], left={seated[1]: "Kh 7d", seated[2]: "Jk"})
    apply(db, KeepPartialSheet(None, 1, 1, [hand]))
    said = journal.log(db).lines[-1].said
    for given in (f"{seated[0]} 0", f"{seated[1]} Kh 7d", f"{seated[2]} Jk", f"{seated[3]} 41"):
        assert given in said
