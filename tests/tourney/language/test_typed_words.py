"""Tests of English words that people type or that records hold: in Spanish their meaning is shown, files keep them."""

import re
from pathlib import Path
from typing import get_args

import pytest

from engine import actions
from engine.melds import HIGH, LOW, RUN, TRIO, Meld
from tests.harness.commands import Runner
from tests.harness.pages.catalogue import typed_words
from tourney.rulebook.engine_sentences import ACTIONS, action_text
from tourney.text.i18n import speaking
from tourney.text.typed_words import explained

ACE, TEN = actions.DISCARDS[0].face, actions.DISCARDS[1].face
CARDS_AND_PLACES = re.compile(r"\b(?:[2-9TJQKA][cdhs]|\d\.\d|\d)\b")
EVERY_ACTION = [
    *(actions.DrawStock(), actions.DrawDiscard(), actions.Claim(), actions.Pass(), actions.TakeBack()),
    actions.LayDown((Meld(TRIO, (ACE, ACE, ACE)), Meld(RUN, (ACE, TEN, TEN, TEN)))),
    *(actions.LayOff(ACE, 0, end) for end in (HIGH, LOW)),
    *(actions.SwapJoker(ACE, 0, 1, 2, end) for end in (HIGH, LOW)),
    *(actions.MoveJoker(0, origin, 2, end) for origin in (HIGH, LOW) for end in (HIGH, LOW)),
    *(actions.Discard(ACE), actions.Close(), actions.CloseHolding(ACE), actions.Knock()),
    *(actions.Declare(ending, face) for ending in get_args(actions.DeclaredEnding) for face in (None, ACE)),
    *(actions.Buy(), actions.Decline()),
]


@pytest.mark.parametrize(("setting", "word"), typed_words())
def test_a_typed_word_stands_before_its_meaning_in_spanish_and_alone_in_english(setting: str, word: str) -> None:
    """A reader must be able to type what a table shows."""
    with speaking("en"):
        assert explained(setting, word) == word
    with speaking("es"):
        assert explained(setting, word).startswith(f"{word} (")


def test_a_text_that_is_no_word_of_the_setting_stays() -> None:
    with speaking("es"):
        assert explained("seed", "void") == "void"


@pytest.mark.parametrize("action", EVERY_ACTION, ids=str)
def test_every_action_is_shown_in_spanish_with_its_cards(action: object) -> None:
    """English readers see what the record has."""
    recorded = str(action)
    with speaking("en"):
        assert action_text(recorded) == recorded
    with speaking("es"):
        shown = action_text(recorded)
    assert shown.split()[0] != recorded.split()[0]
    assert CARDS_AND_PLACES.findall(shown) == CARDS_AND_PLACES.findall(recorded)


def test_no_form_of_an_action_is_superfluous() -> None:
    """An action of each class, and each end, has a form of its own."""
    assert len(ACTIONS) == len(EVERY_ACTION)


def test_a_text_that_is_no_action_is_shown_as_it_is_recorded() -> None:
    with speaking("es"):
        assert action_text("dance 7h") == "dance 7h"


def test_tables_explain_settings_and_files_have_what_is_typed(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "club.db"))
    new = ("event", "new", "Viernes", "--format", "random", "--short", "sit out", "--seats", "drawn", "--lang", "es")
    shown = " ".join(run(*new).out.split())
    for words in ("formato random (al azar)", "sit out (descansos)", "mesa drawn (por sorteo con cartas)"):
        assert words in shown
    changed = " ".join(run("--lang", "es", "event", "set", "--seats", "balanced").out.split())
    assert "puestos en la mesa drawn (por sorteo con cartas) balanced (equilibrados)" in changed
    assert "balanced (equilibrados)" in run("--lang", "es", "log").out
    listed = run("--lang", "es", "event", "list", "--json").json[0]
    assert (listed["format"], run("--lang", "es", "event", "show", "--json").json["seats"]) == ("random", "balanced")
