"""Tests of names that look alike. The pairs are lines of Unicode's confusables.txt (UTS 39), written down by hand."""

import unicodedata
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode
from tourney.text.look_alikes import drawn_as, look_alikes
from tourney.text.names import fold


@pytest.fixture(autouse=True)
def _db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DB", str(tmp_path / "club.db"))
    monkeypatch.chdir(tmp_path)


PAIRS = {
    "Cyrillic А (0410)": ("\u0410na", "Ana"),
    "Cyrillic о (043E)": ("Z\u043ee", "Zoe"),
    "Greek Ρ (03A1)": ("\u03a1ablo", "Pablo"),
    "Cherokee Ꭺ (13AA)": ("\u13aana", "Ana"),
    "Armenian օ (0585)": ("Zo\u0585", "Zoo"),
}


@pytest.mark.parametrize(("typed", "other"), PAIRS.values(), ids=PAIRS)
def test_a_name_with_a_letter_of_another_alphabet_is_drawn_as_the_latin_one(typed: str, other: str) -> None:
    assert drawn_as(typed) == drawn_as(other)


def test_names_are_compared_in_both_directions_and_with_each_other() -> None:
    assert look_alikes(["\u0410na"], ["Eva", "Ana"]) == [("\u0410na", "Ana")]
    assert look_alikes(["Ana"], ["\u0410na"]) == [("Ana", "\u0410na")]
    assert look_alikes(["Ana", "An\u0430"], []) == [("An\u0430", "Ana")]


def test_names_that_are_drawn_differently_are_no_look_alikes() -> None:
    """A name that differs only by accents is refused as taken, so it needs no warning."""
    assert look_alikes(["Анна", "李明", "Ána", "Ana María"], ["Ana", "Eva", "李华"]) == []


def test_marks_without_room_do_not_tell_names_apart() -> None:
    assert drawn_as("A" + "\u0301" * 70 + "na\ufe0f") == "ana"


def test_a_probable_double_is_reported_when_it_is_registered(run: Runner) -> None:
    run("player", "add", "Ana", "Eva")
    ran = run("player", "add", "\u0410na")
    assert ran.code == ExitCode.DONE
    assert "looks like Ana" in ran.err
    assert ran.err.count("\n") == 1
    assert "tourney player merge" in ran.err
    assert "looks like" in run("player", "rename", "Eva", "--name", "An\u0430", "--dry-run").err
    assert run("player", "add", "Анна", "Beñat").err == ""


def test_a_probable_double_of_a_file_is_reported(run: Runner, tmp_path: Path) -> None:
    """People come from a list, from the entries of an event, and with a whole event."""
    run("player", "add", "Ana")
    for name, words in {
        "\u0410na": ("player", "import"),
        "An\u0430": ("event", "enter", "Friday", "--add", "--file"),
    }.items():
        run("event", "new", "Friday")
        (tmp_path / "people.csv").write_text(f"name\n{name}\n", encoding="utf-8")
        assert f"{name} looks like " in run(*words, str(tmp_path / "people.csv")).err
    run("player", "add", "\u0410n\u0430", "--db", "other.db")
    run("event", "new", "Sunday", "--db", "other.db")
    run("event", "enter", "Sunday", "\u0410n\u0430", "--db", "other.db")
    run("event", "export", "Sunday", "--output", "sunday.event", "--db", "other.db")
    imported = run("event", "import", "sunday.event")
    assert (imported.code, "\u0410n\u0430 looks like " in imported.err) == (ExitCode.DONE, True), imported.err


@pytest.mark.parametrize("blank", ["\u3164", "\u2800", "\uffa0", "\u034f", "\u200b", "\u202e", "\u00ad"])
def test_a_character_that_nobody_sees_is_refused(run: Runner, blank: str) -> None:
    ran = run("player", "add", f"An{blank}a")
    assert ran.code == ExitCode.REFUSED
    assert f"invisible character (U+{ord(blank):04X})" in ran.err


def test_seventy_accents_make_no_second_person(run: Runner) -> None:
    run("player", "add", "Ana")
    ran = run("player", "add", "A" + "\u0301" * 70 + "na")
    assert (ran.code, "already" in ran.err) == (ExitCode.CONFLICT, True)
    assert fold(unicodedata.normalize("NFC", "A" + "\u0301" * 70 + "na")) == "ana"
