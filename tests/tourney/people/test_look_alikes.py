"""Tests of names that look alike. The pairs are lines of Unicode's confusables.txt (UTS 39), written down by hand."""

import contextlib
import unicodedata
from pathlib import Path

import pytest

from tests.harness.commands import Runner
from tourney.domain.errors import ExitCode, TourneyError
from tourney.text.look_alikes import drawn_as, look_alikes
from tourney.text.names import clean, fold


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


IGNORED = "00AD 034F 061C 115F 1160 17B4 17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF FFA0"
IGNORED += " FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
"""Default_Ignorable_Code_Point, from Unicode's DerivedCoreProperties.txt."""


def test_no_letter_of_a_name_has_a_character_behind_it_that_fonts_do_not_draw() -> None:
    taken = []
    for span in IGNORED.split():
        first, _dash, last = span.partition("-")
        for code in range(int(first, 16), int(last or first, 16) + 1):
            for name in ("Ana?", "A?na", "?Ana", "Ana ?", "Á?na"):
                with contextlib.suppress(TourneyError):
                    taken.append((code, clean(name.replace("?", chr(code)))))
    assert taken == []


HONEST = {
    "Hindi": "\u0938\u0941\u0928\u0940\u0932 \u0915\u0941\u092e\u093e\u0930",
    "Bengali": "\u09b8\u09c1\u09ae\u09bf\u09a4\u09cd\u09b0\u09be",
    "Tamil": "\u0b95\u0bc0\u0ba4\u0bbe",
    "Thai": "\u0e2a\u0e38\u0e0a\u0e32\u0e15\u0e34 \u0e21\u0e31\u0e48\u0e19",
    "Burmese": "\u1001\u1004\u103a\u1001\u102d\u102f",
    "Khmer": "\u179f\u17bb\u1781\u17b6",
    "Arabic with vowels": "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f",
    "Hebrew with points": "\u05d0\u05b8\u05d1\u05b4\u05d9",
    "Vietnamese": "Nguy\u1ec5n",
    "a Japanese name with a chosen glyph": "\u845b\U000e0100\u57ce",
    "a heart": "Cup \u2764\ufe0f",
    "a keycap": "1\ufe0f\u20e3 Cup",
}


@pytest.mark.parametrize("name", HONEST.values(), ids=HONEST)
def test_marks_that_a_script_needs_stay(name: str) -> None:
    assert clean(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "blank",
    [
        *("\u3164", "\u2800", "\uffa0", "\u034f", "\u200b", "\u202e", "\u00ad"),
        *("\ufffc", "\U0001d159", "\ufe0f", "\U000e0100", "\u180b", "\U00016fe4", "\U0001da9b", "\u0941"),
    ],
)
def test_a_character_that_nobody_sees_is_refused(run: Runner, blank: str) -> None:
    ran = run("player", "add", f"An{blank}a")
    assert ran.code == ExitCode.REFUSED
    assert f"invisible character (U+{ord(blank):04X})" in ran.err


def test_seventy_accents_make_no_second_person(run: Runner) -> None:
    run("player", "add", "Ana")
    ran = run("player", "add", "A" + "\u0301" * 70 + "na")
    assert (ran.code, "already" in ran.err) == (ExitCode.CONFLICT, True)
    assert fold(unicodedata.normalize("NFC", "A" + "\u0301" * 70 + "na")) == "ana"
