"""Tests of tables at any width, on terminals and in pipes: no cell is missing and no number is broken."""

import io
import re
import sys
from collections import Counter
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.harness import desk
from tests.harness.commands import run_process
from tests.harness.slow import slow
from tourney.domain.events import EventSettings
from tourney.reports.render import theme
from tourney.reports.render.page import medium_of, page_text, parts
from tourney.reports.render.report import Field, Report
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.players import RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound

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
    seats = tuple(Field(f"seat_{seat}", name, align="right", priority=0) for seat, name in enumerate(names))
    rows = tuple(("TTE", 10 * place, -25, 1234, 7, f"{name}, in one turn") for place, name in enumerate(names))
    return Report("", (Field("hand", "Hand", priority=0), *seats, Field("closer", "Closed by", priority=0)), rows)


@pytest.mark.parametrize("names_case", NAMES_OF_PLAYERS)
@pytest.mark.parametrize("columns", [20, 40, 60, 80, 100, 1000])
def test_a_table_has_every_letter_and_number_at_any_width(names_case: str, columns: int) -> None:
    """Check all letters of headings and cells, and that no number is broken over two lines."""
    shown = sheet(NAMES_OF_PLAYERS[names_case])
    cells = [column.heading for column in shown.columns] + [str(cell) for row in shown.rows for cell in row]
    text = page_text(shown, columns)
    assert letters(text) == letters(" ".join(cells))
    assert numbers(text) == numbers(" ".join(str(cell) for row in shown.rows for cell in row if isinstance(cell, int)))


@pytest.mark.parametrize("names_case", NAMES_OF_PLAYERS)
def test_a_sheet_of_four_long_names_fits_eighty_columns(names_case: str) -> None:
    """Names are wrapped or broken, in the headings and in the last column."""
    assert max(map(cell_len, page_text(sheet(NAMES_OF_PLAYERS[names_case]), 80).splitlines())) <= 80


def test_no_word_of_eight_letters_is_broken_although_the_table_is_too_wide() -> None:
    """Four names do not fit into 20 columns: the table is wider, with whole words and numbers."""
    lines = page_text(sheet(("Gregorio", "Santiago", "Zuriñe P", "Ana")), 20).splitlines()
    assert max(map(cell_len, lines)) > 20
    assert lines[0].split() == ["Zuriñe", "Closed"]
    assert lines[1].split() == ["Hand", "Gregorio", "Santiago", "P", "Ana", "by"]


def table_of(*columns: Field[Any], names: tuple[str, ...] = ("Ana",)) -> Report:
    """Return a report with these columns: five digits where they are aligned right, a name elsewhere."""
    return Report("", columns, tuple(tuple(12345 if c.align == "right" else name for c in columns) for name in names))


FIVE = (
    Field("rank", "Place", align="right", priority=0),
    Field("player", "Player", priority=0),
    Field("games", "Games", align="right", priority=2),
    Field("mean", "Means", align="right", priority=1),
    Field("money", "Money", align="right", priority=1),
)
"""Columns of 5, 6, 5, 5 and 5: 34 with gaps of two."""


@pytest.mark.parametrize(
    ("room", "hidden"),
    [
        (34, []),
        (30, []),
        (29, ["Games"]),
        (24, ["Games"]),
        (23, ["Games", "Money"]),
        (18, ["Games", "Money"]),
        (17, ["Games", "Means", "Money"]),
        (12, ["Games", "Means", "Money"]),
    ],
)
def test_the_least_important_columns_are_hidden_and_named(room: int, hidden: list[str]) -> None:
    """The greatest `priority` number goes first, of equals the rightmost; the two columns with 0 always stay.

    Before a column is hidden the gaps are of one, and every heading stays whole: the tables need 30, 24, 18 and 12.
    """
    text = page_text(table_of(*FIVE), room)
    head = text.partition("12345")[0]
    assert head.split() == [column.heading for column in FIVE if column.heading not in hidden]
    named = " ".join(text.split()).partition("Hidden, for lack of room: ")[2]
    assert named == (f"{', '.join(hidden)}. `--wide` shows all." if hidden else "")


def test_the_note_of_a_column_stands_below_a_table_that_shows_it() -> None:
    """The table needs 20 characters: in 15 Games is hidden, and so is its note."""
    columns = (*FIVE[:2], Field("games", "Games", align="right", priority=2, note="Games: all of them."))
    assert page_text(table_of(*columns)).endswith("12345\n\nGames: all of them.\n")
    narrow = page_text(table_of(*columns), 15)
    assert "Hidden, for" in narrow
    assert "all of them" not in narrow


@pytest.mark.parametrize("columns", ["0", "", "many", "-5", "1"])
def test_a_pipe_with_odd_columns_shows_a_table(columns: str) -> None:
    """Zero, nothing and words are not widths; at a width of 1 long words are broken."""
    ran = run_process("rules", "list", env={"COLUMNS": columns})
    assert (ran.code, ran.err) == (0, "")
    together = "".join(ran.out.split())
    assert all(row["id"] in together for row in run_process("rules", "list", "--json").json)


def test_a_column_is_hidden_before_a_name_gets_fewer_than_sixteen_characters() -> None:
    """A long name gets at least 16 characters; with a number of 5 and one blank, the table needs 22."""
    columns = (Field("player", "Player", priority=0), Field("games", "Games", align="right"))
    shown = table_of(*columns, names=("Bernardina Maria Etxeberria Ruiz",))
    assert "Hidden" not in page_text(shown, 22)
    assert "Hidden" in page_text(shown, 21)


def test_provisional_rows_are_dimmed_and_the_first_three_ranks_have_colours() -> None:
    """The words are the same with and without colours."""
    columns = (Field("rank", "Rank", align="right", look="rank"), Field("player", "Player"))
    shown = Report("", columns, ((1, "Ana"), (4, "Beñat")), dimmed=(False, True))
    styled = [str(theme.cell_style("rank", rank)) for rank in (1, 2, 3, 4, None)]
    assert styled == ["rank.1", "rank.2", "rank.3", "", ""]
    text = coloured(shown)
    assert "\x1b[2m" in text
    assert ESCAPE.sub("", text).split() == [*page_text(shown).split()[:2], "─" * 12, *page_text(shown).split()[2:]]


def coloured(shown: Report) -> str:
    """Return what a terminal of 80 columns with 256 colours gets."""
    stream = io.StringIO()
    console = Console(
        file=stream, width=200, theme=theme.THEME, force_terminal=True, color_system="256", highlight=False
    )
    for part in parts(shown, medium_of(80, terminal=True, symbols=True)):
        console.print(part)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def test_cards_have_symbols_on_a_terminal_and_letters_in_a_pipe() -> None:
    """Hearts and diamonds are red; `As` is the ace of spades only in a text about cards."""
    shown = Report("legal: 7h Td Jk As", cards=True)
    assert page_text(shown) == "legal: 7h Td Jk As\n"
    assert ESCAPE.sub("", coloured(shown)) == "legal: 7♥ T♦ Jk A♠"
    assert ESCAPE.sub("", coloured(Report("As you wish"))) == "As you wish"
    assert re.search(r"\x1b\[[0-9;]*38;5;167m7♥", coloured(shown))


def test_what_to_do_next_stands_in_a_frame_on_a_terminal_and_last_in_a_pipe() -> None:
    shown = Report("new event: Friday", lines=("a line",), next_steps=("`tourney round draw` draws it.",))
    assert page_text(shown) == "new event: Friday\n\na line\n`tourney round draw` draws it.\n"
    frame = ESCAPE.sub("", coloured(shown)).splitlines()[4:]
    assert [line[0] for line in frame] == ["╭", "│", "╰"]
    assert "Next" in frame[0]
    assert "`tourney round draw` draws it." in frame[1]


def test_a_table_without_a_heading_follows_its_title_at_once() -> None:
    """The preview of a void result shows the sheet under the title, between other sections with headings."""
    own = sheet(("Ana", "Eva")).as_sections("")
    assert page_text(Report("Friday", sections=own)).splitlines()[:2] == ["Friday", ""]
    assert page_text(Report("Friday", sections=own)).splitlines()[2].split()[0] == "Hand"


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
        "words", [("standings",), *slow([(("result", "show", "--round", "1", "--table", "1"),)])], ids=" ".join
    )
    def test_a_terminal_shows_the_same_text_as_a_pipe(played: str, words: tuple[str, ...], kind: str) -> None:
        """With 160 columns the lines are equal, but for colours and the line under the headings."""
        piped = run_process(*words, "--db", played).out
        shown = on_terminal((*words, "--db", played), 160, KINDS[kind])
        assert ("\x1b" in shown) == (kind != "dumb")
        lines = [line.rstrip() for line in ESCAPE.sub("", shown).splitlines()]
        assert [line for line in lines if set(line) - {"─", " "} or not line] == piped.splitlines()

    @pytest.mark.parametrize("words", [("event", "show"), ("standings",)], ids=" ".join)
    def test_no_line_is_filled_with_blanks_beyond_the_edge(played: str, words: tuple[str, ...]) -> None:
        """Such a line would fill the screen with empty lines."""
        shown = ESCAPE.sub("", on_terminal((*words, "--db", played), 100, {"TERM": "xterm"}))
        assert max(map(cell_len, shown.splitlines())) <= 100

    @pytest.mark.parametrize("columns", [20, *slow([40, 60])])
    def test_a_narrow_terminal_loses_no_number_but_in_columns_that_it_names(played: str, columns: int) -> None:
        """Every heading of the pipe is whole, over a column or in the line of hidden ones; `--wide` shows all."""
        words = ("standings", "--db", played)
        piped = run_process(*words).out
        narrow = ESCAPE.sub("", on_terminal(words, columns, {}))
        assert [each for each in ("Rank", "Player", "Points", "Hands", "Games", "Per") if each not in narrow] == []
        points = [line.split()[-4] for line in piped.splitlines() if line.startswith("   ")]
        assert all(number in narrow.split() for number in points)
        every = ESCAPE.sub("", on_terminal((*words, "--wide"), columns, {}))
        assert numbers(every) == numbers(piped)


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
def test_a_note_is_wrapped_without_breaking_a_command_in_it(name: str) -> None:
    """An unbroken command can be copied; no word is lost or added."""
    note, lines = NOTES[name]
    shown = page_text(Report("", notes=(note,)), 60).splitlines()
    assert lines in (None, shown)
    assert " ".join(shown) == note
    assert len(shown) > 1
