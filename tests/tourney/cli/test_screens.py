"""Screens: on a terminal of any width, as in a pipe, every cell is there and every number stands whole."""

import re
import sys
from collections import Counter

import pytest

from tests.harness import desk
from tests.harness.commands import run_process
from tourney.domain.events import EventSettings
from tourney.reports.render.plain import fold, plain_text, width
from tourney.reports.render.report import Column, Report
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.people.players import RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds.rounds import DrawRound

CLUB = ("María Carmen Fernández", "José Antonio Rodríguez", "Begoña Etxeberria Ruiz", "Francisco Javier Gómez")
LETTERS = ("A" * 40, "B" * 40, "Ñandú Ñandú Ñandú Ñandú Ñandú Ñandú Ñand", "Ben\u0303at " * 7 + "Ruiz")
WIDE = ("王" * 40, "ナターシャ エチェベリア", "Ana", "김민준 김민준 김민준 김민준 김민준")
PARTIES = {"ordinary": CLUB, "forty letters": LETTERS, "wide": WIDE}
WHOLE = re.compile(r"(?<!\S)-?\d+(?:\.\d+)?(?!\S)")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def letters(text: str) -> Counter[str]:
    return Counter("".join(text.split()))


def numbers(text: str) -> Counter[str]:
    """Count the numbers that stand by themselves, with blanks around them."""
    return Counter(WHOLE.findall(text))


def sheet(names: tuple[str, ...]) -> Report:
    """A column of numbers below each name, and text on either side, as score sheets have."""
    seats = tuple(Column(f"seat_{seat}", name, "right") for seat, name in enumerate(names))
    rows = tuple(("TTE", 10 * place, -25, 1234, 7, f"{name}, in one turn") for place, name in enumerate(names))
    return Report("", (Column("hand", "Hand"), *seats, Column("closer", "Closed by")), rows)


@pytest.mark.parametrize("party", PARTIES)
@pytest.mark.parametrize("columns", [20, 40, 60, 80, 100, 1000])
def test_a_table_loses_nothing_at_any_width(party: str, columns: int) -> None:
    """Every letter of headings and cells is there, and every number stands whole."""
    shown = sheet(PARTIES[party])
    cells = [column.heading for column in shown.columns] + [str(cell) for row in shown.rows for cell in row]
    text = plain_text(shown, columns)
    assert letters(text) == letters(" ".join(cells))
    assert numbers(text) == numbers(" ".join(str(cell) for row in shown.rows for cell in row if isinstance(cell, int)))


@pytest.mark.parametrize("party", PARTIES)
def test_a_sheet_of_four_long_names_fits_eighty_columns(party: str) -> None:
    """The names over the numbers fold as the closers do."""
    assert max(map(width, plain_text(sheet(PARTIES[party])).splitlines())) <= 80


def test_no_word_of_eight_letters_is_broken_and_a_wider_table_goes_over_the_page() -> None:
    """At 20 columns four names cannot stand beside one another: the table keeps its words and numbers."""
    lines = plain_text(sheet(("Gregorio", "Santiago", "Zuriñe P", "Ana")), 20).splitlines()
    assert max(map(width, lines)) > 20
    assert lines[0].split() == ["Hand", "Gregorio", "Santiago", "Zuriñe", "Ana", "Closed"]
    assert lines[1].split() == ["P", "by"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1953/races/05-france", ["1953/races/05-", "france"]),
        ("emmanuel-de-graffenried", ["emmanuel-de-", "graffenried"]),
        ("-abcdefghijklmnopq", ["-abcdefghijklmno", "pq"]),
        ("one two-three-fourteen", ["one", "two-three-", "fourteen"]),
    ],
    ids=["a path", "a name", "its first character", "a blank goes before"],
)
def test_a_word_too_long_for_a_line_is_broken_behind_a_hyphen_or_a_slash(text: str, lines: list[str]) -> None:
    """Where sixteen columns leave room for one."""
    assert fold(text, 16) == lines


@pytest.mark.parametrize(("name", "lines"), [(74, 1), (75, 1), (76, 2)])
def test_a_mark_stands_closer_to_a_name_before_that_is_folded(name: int, lines: int) -> None:
    """Eighty columns are a mark, a number, and two gaps of two, so 74 for the name; 75 where the mark stands closer."""
    columns = (Column("player", "Player"), Column("mark", ""), Column("games", "N", "right"))
    text = plain_text(Report("", columns, (("x" * name, "?", 7),)))
    assert len(text.splitlines()) == 1 + lines
    assert text.splitlines()[1].endswith(" ?  7")


def test_tables_stand_closer_together_before_they_go_over_the_page() -> None:
    """Six columns of 5 take 6 × 5 + 5 × 2 = 40 columns with gaps of two, and 35 with gaps of one."""
    columns = tuple(Column(str(place), "Games", "right") for place in range(6))
    row = (12345,) * 6
    assert [max(map(width, plain_text(Report("", columns, (row,)), room).splitlines())) for room in (40, 39)] == [
        40,
        35,
    ]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An event of four people with ordinary long names, and its first sheet."""
    db = str(tmp_path_factory.mktemp("screens") / "club.db")
    apply(db, RegisterPlayers(list(CLUB)))
    apply(db, CreateEvent(EventSettings("Friday", "oficial")))
    apply(db, EnterPlayers("Friday", list(CLUB)))
    (table,) = apply(db, DrawRound()).rounds[0].tables
    apply(db, EnterResult(None, 1, 1, desk.hands([player.name for player in table.players])))
    return db


if sys.platform != "win32":
    from tests.harness.terminal import Terminal

    KINDS = {
        "dumb": {"TERM": "dumb"},
        "coloured": {"TERM": "xterm-256color"},
        "no colour": {"TERM": "xterm-256color", "NO_COLOR": "1"},
    }

    def on_terminal(words: tuple[str, ...], columns: int, env: dict[str, str]) -> str:
        with Terminal(*words, columns=columns, **env) as terminal:
            assert terminal.code() == 0
            return terminal.shown

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(
        "words", [("result", "show", "--round", "1", "--table", "1"), ("standings",)], ids=" ".join
    )
    def test_a_terminal_shows_what_a_pipe_does(played: str, words: tuple[str, ...], kind: str) -> None:
        """At 80 columns the same lines, bold aside; at 40 the same letters and the same whole numbers."""
        piped = run_process(*words, "--db", played).out
        wide = on_terminal((*words, "--db", played), 80, KINDS[kind])
        assert ("\x1b" in wide) == (kind != "dumb")
        assert ESCAPE.sub("", wide) == piped
        narrow = ESCAPE.sub("", on_terminal((*words, "--db", played), 40, KINDS[kind]))
        assert letters(narrow) == letters(piped)
        assert numbers(narrow) == numbers(piped)
        assert narrow != piped


COMMAND = "`tourney result enter Friday --round 1 --table 1`"
NOTES = {
    "a command in the middle": (
        f"partial sheet: continue with {COMMAND}, or give the missing hands",
        ["partial sheet: continue with", f"{COMMAND}, or give", "the missing hands"],
    ),
    "a command wider than the page": (
        "see `tourney event import Friday --sheets score-sheets.csv --rules oficial+scaled`.",
        ["see", "`tourney event import Friday --sheets score-sheets.csv --rules oficial+scaled`."],
    ),
    "an odd back-quote": ("it is called ` there and nowhere else in the whole of this long sentence", None),
}


@pytest.mark.parametrize("name", NOTES)
def test_a_note_is_folded_and_a_command_in_it_stays_whole(name: str) -> None:
    """So that it can be copied; nothing is lost or added."""
    note, lines = NOTES[name]
    shown = plain_text(Report("", notes=(note,)), 60).splitlines()
    assert lines in (None, shown)
    assert " ".join(shown) == note
    assert len(shown) > 1
