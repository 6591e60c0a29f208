"""Tests that tables keep their columns where there is little room, also in a language of longer words."""

import pytest

from tests.harness.pages import columns, pseudo
from tests.harness.slow import slow
from tourney.reports.render import page
from tourney.reports.render.bars import interval, narrowed
from tourney.reports.render.page import page_text
from tourney.reports.render.report import Field, Report, Section

NUMBERS = (
    Field("player", "Player", priority=0),
    Field("games", "Games", align="right"),
    Field("points", "Puntuación", align="right"),
)
"""Columns of 6, 5 and 10 with a player of 6 letters and numbers of 4: 25 with gaps of two."""
ROWS = (("Quique", 12, 1234),)


@pytest.mark.parametrize(
    ("room", "shown"),
    [
        (25, ["Player  Games  Puntuación", "Quique     12        1234"]),
        (24, ["Player Games Puntuación", "Quique    12       1234"]),
        (23, ["Player Games Puntuación", "Quique    12       1234"]),
    ],
)
def test_columns_come_closer_before_one_is_hidden(room: int, shown: list[str]) -> None:
    assert page_text(Report("", NUMBERS, ROWS), room).splitlines() == shown


def test_only_where_that_is_not_enough_a_column_is_hidden_and_the_others_are_comfortable() -> None:
    """Columns of 6, 5 and 10 with gaps of one need 23 characters. Without the last, the gap is two again."""
    text = page_text(Report("", NUMBERS, ROWS), 22)
    assert text.startswith("Player  Games\nQuique     12\nHidden, for")


def test_a_table_without_a_column_to_hide_keeps_its_gaps() -> None:
    """Names in headings would run together, and nothing would be gained."""
    names = tuple(
        Field(f"seat_{seat}", name, align="right", priority=0) for seat, name in enumerate(("Ana Ruiz", "Pepa"))
    )
    assert page_text(Report("", names, ((1, 2),)), 12).splitlines() == ["   Ana", "  Ruiz  Pepa", "     1     2"]
    assert page_text(Report("", names, ((1, 2),)), 9).splitlines() == [" Ana", "Ruiz  Pepa", "   1     2"]


def test_two_texts_side_by_side_stay_two_blanks_apart() -> None:
    texts = (Field("name", "Name", priority=0), Field("club", "Club"), Field("games", "Games", align="right"))
    assert page_text(Report("", texts, (("Ana", "Getxo", 12345),)), 17).splitlines()[1] == "Ana   Getxo 12345"


def test_a_heading_of_several_words_is_wrapped_over_a_short_text() -> None:
    """“Closed by” over “Ana” takes 6 characters rather than 9: 6 and 5 with a gap of two."""
    texts = (Field("closer", "Closed by"), Field("points", "Score", align="right", priority=0))
    assert page_text(Report("", texts, (("Ana", 12345),)), 13).splitlines() == [
        "Closed",
        "by      Score",
        "Ana     12345",
    ]


def test_a_table_of_a_section_is_not_indented_where_that_would_hide_a_column() -> None:
    """The table needs 23 characters, and 25 with its indent."""
    report = Report("", sections=(Section("Players", NUMBERS, ROWS),))
    assert page_text(report, 25).splitlines()[-1] == "  Quique    12       1234"
    assert page_text(report, 23).splitlines()[-1] == "Quique    12       1234"


def test_a_column_that_says_the_same_in_every_row_is_hidden_first() -> None:
    """`Stage` is more important than `Games` for its number, but tells nobody apart; all three need 21 characters."""
    columns = (
        Field("player", "Player", priority=0),
        Field("games", "Games", align="right", priority=3),
        Field("stage", "Stage", priority=1),
    )
    alike = (("Ana", 3, "Final"), ("Eva", 4, "Final"))
    assert page_text(Report("", columns, alike), 16).splitlines()[0] == "Player  Games"
    different = (("Ana", 3, "Final"), ("Eva", 4, "Cut"))
    assert page_text(Report("", columns, different), 16).splitlines()[0] == "Player  Stage"


def test_a_column_without_room_that_says_the_same_in_every_row_is_said_once_and_not_hidden() -> None:
    """The columns need 6, 5 and 6 characters with gaps of two, and of the last two only one differs."""
    columns = (
        Field("player", "Player", priority=0),
        Field("games", "Games", align="right", priority=1),
        Field("faults", "Faults", align="right", priority=1),
    )
    text = page_text(Report("", columns, (("Ana", 3, 0), ("Eva", 4, 0))), 14)
    assert text.splitlines() == [
        "Player  Games",
        "Ana         3",
        "Eva         4",
        "The same in",
        "every row:",
        "Faults (0)",
    ]


@pytest.mark.parametrize(
    ("ends", "wide", "narrow"),
    [
        ((0.0, 1.0), "───────●───────", "────●────"),
        ((0.0, 0.0), "●", "●"),
        ((1.0, 1.0), "              ●", "        ●"),
        ((0.5, 1.0), "       ───●────", "    ──●──"),
    ],
)
def test_an_interval_is_drawn_again_on_a_shorter_scale(ends: tuple[float, float], wide: str, narrow: str) -> None:
    """On 15 characters the unit has 14 steps, on 9 it has 8: a half is at 7 and 4, and 10 of 14 at 5.7 of 8."""
    assert interval(ends, (0.0, 1.0)) == wide
    assert narrowed(wide, 15, 9) == narrow


def test_intervals_become_shorter_before_a_column_is_hidden() -> None:
    """Of 15 characters 6 are left: 4, 6 and a gap."""
    bars = (Field("mu", "mu", align="right", priority=0), Field("skill", "Skill", look="bar"))
    rows = ((1234, interval((0, 1), (0, 1))), (1234, interval((1, 1), (0, 1))))
    assert page_text(Report("", bars, rows), 14).splitlines()[1:] == ["1234 ────●────", "1234         ●"]
    assert page_text(Report("", bars, rows), 11).splitlines()[1:] == ["1234 ──●───", "1234      ●"]
    assert "Hidden" in page_text(Report("", bars, rows), 10)


@pytest.mark.parametrize("language", slow(["en", "es", pseudo.LANGUAGE]))
@pytest.mark.parametrize("part", columns.PARTS)
def test_no_command_hides_a_column_at_80_characters(part: str, language: str) -> None:
    """The commands of README and guide, and all of which programs read the output; none divides a heading.

    The last language has words that are 30 % longer: it may hide columns of priority 2 and more, and no other.
    """
    shown = columns.run(language, part)
    assert len(shown) > 50
    assert [(command, keys) for command, keys in shown if keys] == []


WIDE = (("Íñigo 山田", 12, 1.5), ("Ana", 1, None), ("e\u0301va", 123, -0.25), ("", 0, 12.0))
"""Names with letters of two cells and an accent of none, empty cells and negative numbers."""


@pytest.mark.parametrize("room", [None, 60, 25, 19])
@pytest.mark.parametrize("indented", [False, True])
def test_rows_in_a_pipe_are_those_that_rich_draws(
    room: int | None, indented: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rich is the second source: it draws all rows if the quick way declines. 250 rows are drawn in two parts."""
    fields = (
        Field("player", "Player"),
        Field("games", "Games", align="right"),
        Field("mean", "Mean", align="right", decimals=2),
    )
    rows = (*WIDE * 62, ("A name too long for a narrow page", 7, 7.0), *WIDE)
    report = Report("", fields, rows)
    if indented:
        report = Report("", sections=(Section("Below", fields, rows),))
    quick = page_text(report, room)
    monkeypatch.setattr(page, "_lines", lambda *_table: None)
    assert page_text(report, room) == quick
    assert quick.count("Ana") == 63
