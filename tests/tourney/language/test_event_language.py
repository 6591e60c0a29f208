"""Tests of the language that an event keeps for what is printed and posted."""

from pathlib import Path
from typing import get_args

import pytest

from tests.harness import desk
from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.domain.events import Language
from tourney.service.change import apply
from tourney.service.rounds.draw_round import DrawRound
from tourney.text.i18n import LANGUAGES


@pytest.fixture
def spanish(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Return the command line, in English, with a Spanish event of four players whose round is drawn."""
    monkeypatch.setenv("TOURNEY_DB", desk.copied(tmp_path / "club.db", _drawn_event))
    return run


def _drawn_event(db: str) -> None:
    desk.event(db, 4, name="Viernes", size=4, lang="es")
    apply(db, DrawRound())


def test_an_event_can_keep_every_language_of_the_program() -> None:
    assert set(get_args(Language)) == set(LANGUAGES)


@pytest.mark.parametrize("page", ["slips", "wall", "signs", "standings"])
def test_pages_of_a_spanish_event_are_spanish_on_an_english_computer(spanish: Runner, page: str) -> None:
    printed = spanish("print", page, "Viernes")
    assert '<html lang="es">' in printed.out
    assert not any(word in printed.out for word in ("Table", "Round", "Player"))


def test_messages_and_html_of_a_spanish_event_are_spanish_and_tables_are_not(spanish: Runner) -> None:
    assert "Mesa 1" in spanish("round", "show", "--format", "message").out
    assert '<html lang="es">' in spanish("standings", "--format", "html").out
    assert "Table" in spanish("round", "show").out


def test_the_command_line_goes_before_the_event(spanish: Runner) -> None:
    assert "Table 1" in spanish("round", "show", "--format", "message", "--lang", "en").out
    assert '<html lang="en">' in spanish("print", "slips", "--lang", "en").out


def test_the_note_where_the_page_is_has_the_language_of_the_computer(spanish: Runner, tmp_path: Path) -> None:
    file = tmp_path / "slips.html"
    assert spanish("print", "slips", "--output", str(file)).err == f"The output is in {file}.\n"
    assert '<html lang="es">' in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words", [("event", "set", "Viernes", "--lang", "en"), ("--lang=EN", "event", "set", "Viernes")]
)
def test_the_language_of_an_event_can_change_after_a_round_is_drawn(spanish: Runner, words: tuple[str, ...]) -> None:
    assert spanish(*words).code == 0
    assert '<html lang="en">' in spanish("print", "slips").out
    assert spanish("event", "set", "Viernes", "--clear", "lang").code == 0
    assert spanish("event", "show", "Viernes", "--json").json["lang"] is None
    assert '<html lang="en">' in spanish("print", "slips").out


def test_a_copied_event_keeps_the_language_of_the_other(spanish: Runner) -> None:
    assert spanish("event", "new", "Otro", "--from", "Viernes").code == 0
    assert spanish("event", "show", "Otro", "--json").json["lang"] == "es"


def test_an_event_without_a_language_is_printed_in_that_of_the_computer(
    spanish: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert spanish("event", "set", "Viernes", "--clear", "lang").code == 0
    monkeypatch.setenv("TOURNEY_LANG", "es")
    assert '<html lang="es">' in spanish("print", "slips", "--lang", "es").out


def test_a_language_that_we_lack_is_refused_for_an_event_too(spanish: Runner) -> None:
    assert spanish("event", "set", "Viernes", "--lang", "fr").code == ExitCode.USAGE
