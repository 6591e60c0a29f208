"""Tests of tables at any width, on terminals and in pipes: no cell is missing and no number is broken."""

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
NAMES_OF_PLAYERS = {"ordinary": CLUB, "forty letters": LETTERS, "wide": WIDE}
NUMBER = re.compile(r"(?<!\S)-?\d+(?:\.\d+)?(?!\S)")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def letters(text: str) -> Counter[str]:
    return Counter("".join(text.split()))


def numbers(text: str) -> Counter[str]:
    """Count the numbers with blanks around them."""
    return Counter(NUMBER.findall(text))


def sheet(names: tuple[str, ...]) -> Report:
    """Return a report like a score sheet: a column of numbers for each name, with text before and after."""
    seats = tuple(Column(f"seat_{seat}", name, "right") for seat, name in enumerate(names))
    rows = tuple(("TTE", 10 * place, -25, 1234, 7, f"{name}, in one turn") for place, name in enumerate(names))
    return Report("", (Column("hand", "Hand"), *seats, Column("closer", "Closed by")), rows)


@pytest.mark.parametrize("names_case", NAMES_OF_PLAYERS)
@pytest.mark.parametrize("columns", [20, 40, 60, 80, 100, 1000])
def test_a_table_has_every_letter_and_number_at_any_width(names_case: str, columns: int) -> None:
    """Check all letters of headings and cells, and that no number is broken over two lines."""
    shown = sheet(NAMES_OF_PLAYERS[names_case])
    cells = [column.heading for column in shown.columns] + [str(cell) for row in shown.rows for cell in row]
    text = plain_text(shown, columns)
    assert letters(text) == letters(" ".join(cells))
    assert numbers(text) == numbers(" ".join(str(cell) for row in shown.rows for cell in row if isinstance(cell, int)))


@pytest.mark.parametrize("names_case", NAMES_OF_PLAYERS)
def test_a_sheet_of_four_long_names_fits_eighty_columns(names_case: str) -> None:
    """The names in the headings are folded, as are the closers."""
    assert max(map(width, plain_text(sheet(NAMES_OF_PLAYERS[names_case])).splitlines())) <= 80


def test_no_word_of_eight_letters_is_broken_although_the_table_is_too_wide() -> None:
    """Four names do not fit into 20 columns: the table is wider, with whole words and numbers."""
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
    ids=["a path", "a name", "a hyphen first", "a blank before hyphens"],
)
def test_a_word_too_long_for_a_line_is_broken_after_a_hyphen_or_a_slash(text: str, lines: list[str]) -> None:
    """The text is folded to sixteen columns."""
    assert fold(text, 16) == lines


@pytest.mark.parametrize(("name", "lines"), [(74, 1), (75, 1), (76, 2)])
def test_a_mark_moves_closer_to_a_name_before_the_name_is_folded(name: int, lines: int) -> None:
    """A mark, a number and two gaps of two leave 74 of 80 columns for the name, and 75 if one gap is one column."""
    columns = (Column("player", "Player"), Column("mark", ""), Column("games", "N", "right"))
    text = plain_text(Report("", columns, (("x" * name, "?", 7),)))
    assert len(text.splitlines()) == 1 + lines
    assert text.splitlines()[1].endswith(" ?  7")


def test_columns_move_closer_together_before_a_table_is_too_wide() -> None:
    """Six columns of 5 take 6 × 5 + 5 × 2 = 40 columns with gaps of two, and 35 with gaps of one."""
    columns = tuple(Column(str(place), "Games", "right") for place in range(6))
    row = (12345,) * 6
    assert [max(map(width, plain_text(Report("", columns, (row,)), room).splitlines())) for room in (40, 39)] == [
        40,
        35,
    ]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a database: an event of four people with long ordinary names and the result of their table."""
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
        """Return what the command prints on a terminal of this width."""
        with Terminal(*words, columns=columns, **env) as terminal:
            assert terminal.code() == 0
            return terminal.shown

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(
        "words", [("result", "show", "--round", "1", "--table", "1"), ("standings",)], ids=" ".join
    )
    def test_a_terminal_shows_the_same_text_as_a_pipe(played: str, words: tuple[str, ...], kind: str) -> None:
        """With 80 columns the lines are equal, except for bold; with 40 the letters and numbers are."""
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
def test_a_note_is_folded_without_breaking_a_command_in_it(name: str) -> None:
    """An unbroken command can be copied; no word is lost or added."""
    note, lines = NOTES[name]
    shown = plain_text(Report("", notes=(note,)), 60).splitlines()
    assert lines in (None, shown)
    assert " ".join(shown) == note
    assert len(shown) > 1
