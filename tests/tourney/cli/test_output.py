"""Tests of printed reports: tables in pipes and on terminals, JSON, CSV and Markdown."""

import csv
import io
import json
import os
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.harness.commands import Runner
from tourney.cli.framework import progress
from tourney.cli.framework.output import show, wrapped
from tourney.reports.render.export import csv_text, json_text, markdown_text
from tourney.reports.render.page import page_text
from tourney.reports.render.report import Field, Report
from tourney.text.encoding import prepare
from tourney.text.sanitize import sanitize

COLUMNS = (
    Field("rank", "Rank", align="right"),
    Field("name", "Name", priority=0),
    Field("score", "Score", align="right", decimals=2, priority=0),
)
LONG = "María de los Ángeles Etxeberria Goikoetxea de la Santísima Trinidad y Todos los Santos"


def report(*names: str, notes: tuple[str, ...] = (), lines: tuple[str, ...] = ()) -> Report:
    """Return a report with a row per name: rank, name, and a third of the rank as the score."""
    rows = tuple((place, name, place / 3) for place, name in enumerate(names, 1))
    return Report("Ranking", COLUMNS, rows, notes, lines=lines)


def test_a_table_in_a_pipe_is_aligned_plain_text() -> None:
    """Numbers are aligned right, names left; accented letters are one column wide and Chinese ones two."""
    text = page_text(report("Ana", "Beñat", "Ben\u0303at", "王芳", lines=("under",), notes=("note",)))
    assert text == (
        "Ranking\n"
        "\n"
        "Rank  Name   Score\n"
        "   1  Ana     0.33\n"
        "   2  Beñat   0.67\n"
        "   3  Ben\u0303at   1.00\n"
        "   4  王芳    1.33\n"
        "\n"
        "under\n"
        "note\n"
    )


WRAPPED = {
    "between words": ("one two three four five six seven", ["one two three four", "five six seven"]),
    "not before a number": ("totals: Ana 1, Beñat 20 and so on", ["totals: Ana 1,", "Beñat 20 and so on"]),
    "a list only between its parts": ("1 Ana   2 Beñat Etxeb   3 Carla", ["1 Ana", "2 Beñat Etxeb", "3 Carla"]),
    "not inside a command": ("then go on with `result show` now", ["then go on with", "`result show` now"]),
    "a long command": (
        "use `result show --table 1 --round 2`",
        ["use", "`result show --table 1 --round 2`"],
    ),
    "under its own beginning": ("  Friday, round 1: not drawn", ["  Friday, round 1:", "  not drawn"]),
    "not before the symbol of a suit": ("p ♠, the next one c ♥", ["p ♠, the next one", "c ♥"]),
}


@pytest.mark.parametrize("name", WRAPPED)
def test_a_line_of_a_dialogue_is_wrapped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal is 20 columns wide."""
    monkeypatch.setenv("COLUMNS", "20")
    line, parts = WRAPPED[name]
    assert wrapped(line) == parts


def test_no_text_is_shortened_in_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    show(report(LONG))
    assert LONG in " ".join(capsys.readouterr().out.replace("  0.33", "").split())


def test_a_pipe_without_columns_has_every_column_and_no_broken_line() -> None:
    """With `COLUMNS` a pipe is a terminal of that width; without it nothing is wrapped."""
    columns = tuple(Field(f"seat_{seat}", f"Seat {seat}") for seat in range(9))
    (_head, row) = page_text(Report("", columns, ((LONG,) * 9,))).splitlines()
    assert row == "  ".join([LONG] * 9)


def test_an_empty_column_is_left_out_of_tables_and_kept_in_csv_and_json() -> None:
    columns = (Field("name", "Name"), Field("club", "Club"))
    empty = Report("Players", columns, (("Ana", ""), ("Beñat", "")))
    assert "Club" not in page_text(empty)
    assert "Club" not in markdown_text(empty)
    assert csv_text(empty).startswith("name,club\n")
    assert json.loads(json_text(empty.structure()))[0] == {"name": "Ana", "club": ""}


@pytest.mark.parametrize("format", ["json", "csv"])
def test_with_json_and_csv_notes_go_to_standard_error_and_lines_are_left_out(
    capsys: pytest.CaptureFixture[str], format: str
) -> None:
    show(report("Ana", notes=("a remark",), lines=("for people",)), format)
    captured = capsys.readouterr()
    assert "remark" not in captured.out
    assert captured.err == "a remark\n"
    assert "for people" not in captured.out


@given(st.lists(st.text(max_size=20), min_size=1, max_size=5))
def test_json_has_names_and_numbers_unchanged(names: list[str]) -> None:
    """Letters are not escaped and numbers are not rounded."""
    names = [name.encode("utf-8", "ignore").decode() for name in names]
    text = json_text(report(*names).structure())
    assert [row["name"] for row in json.loads(text)] == names
    assert json.loads(text)[0]["score"] == 1 / 3
    assert "\\u00" not in json_text(report("Beñat").structure())


FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-Ana", "+", "-"]
FORMULAS += ["＝1+1", "＋1+1", "－1+1", "＠SUM(A1)", " =1", "\u3000＝1", "\tAna", "\nAna", "－10"]
HARMLESS = ["-10", "+3", "-1.5", "-1e5", "12", "Ana", "", "a=b", "'quoted", " Ana", "１０"]


@pytest.mark.parametrize(("cells", "guard"), [(FORMULAS, "'"), (HARMLESS, "")], ids=["formulas", "harmless"])
def test_csv_marks_formulas_and_nothing_else_as_text(cells: list[str], guard: str) -> None:
    """Formulas begin with a character of OWASP's list or its full-width form; a number may begin with a sign."""
    read = list(csv.reader(io.StringIO(csv_text(report(*cells)), newline="")))
    inside = {"\t=1": "\t'=1", "\r=1": "\r'=1"}  # a formula after a separator or a line end is guarded, too
    assert [row[1] for row in read[1:]] == [guard + inside.get(cell, cell) for cell in cells]


def test_csv_does_not_round_numbers_and_leaves_missing_values_empty() -> None:
    columns = (Field("rank", "Rank"), Field("score", "Score", align="right", decimals=2))
    text = csv_text(Report("", columns, ((None, 1 / 3), (1, -10))))
    assert text == f"rank,score\n,{1 / 3!r}\n1,-10\n"


def test_markdown_has_headings_alignment_and_notes() -> None:
    text = markdown_text(report("A|na*", notes=("one_note",)))
    assert text == (
        "## Ranking\n\n| Rank | Name | Score |\n| ---: | --- | ---: |\n| 1 | A\\|na\\* | 0.33 |\n\none\\_note\n"
    )


@given(st.text())
def test_no_text_can_control_a_terminal(text: str) -> None:
    """Check that control characters, and characters that change the direction of writing, are spelled out."""
    for char in sanitize(text):
        assert unicodedata.category(char) not in ("Cc", "Zl", "Zp")
        assert unicodedata.bidirectional(char) not in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")


class Terminal(io.StringIO):
    """A standard output that is a terminal."""

    def isatty(self) -> bool:
        return True

    @property
    def encoding(self) -> str:
        return "utf-8"


def on_terminal(monkeypatch: pytest.MonkeyPatch, shown: Report, **env: str) -> str:
    """Return what a terminal of 80 columns gets for the report, escape sequences included."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", **env}.items():
        monkeypatch.setenv(name, value)
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    show(shown)
    return stream.getvalue()


def test_a_terminal_shows_a_long_name_whole_within_eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is wrapped instead of shortened, and the number stays on one line."""
    text = without_escapes(on_terminal(monkeypatch, report(LONG, "Ana")))
    lines = text.splitlines()
    assert max(map(cell_len, lines)) <= 80
    assert "…" not in text
    for word in LONG.split():
        assert word in text
    assert "0.33" in text


def test_colour_has_no_meaning_and_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without colour the words are the same, and a name that looks like markup is printed unchanged."""
    shown = report("[red]Ana[/red]", ":smile:")
    coloured = on_terminal(monkeypatch, shown)
    plain = on_terminal(monkeypatch, shown, NO_COLOR="1")
    assert "\x1b[3" not in plain
    assert "[red]Ana[/red]" in plain
    assert ":smile:" in plain
    dumb = on_terminal(monkeypatch, shown, TERM="dumb")
    assert "\x1b" not in dumb
    assert [line.split() for line in dumb.splitlines()] == [
        line.split() for line in without_escapes(coloured).splitlines()
    ]


def without_escapes(text: str) -> str:
    parts = text.split("\x1b[")
    return parts[0] + "".join(part.partition("m")[2] for part in parts[1:])


def test_a_progress_bar_appears_only_when_work_takes_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still, and then advances by a minute."""
    screen, clock = Terminal(), [0.0]
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "monotonic", lambda: clock[0])
    monkeypatch.setenv("TERM", "xterm")
    with progress.bar("counting") as advance:
        advance(1, 10)
        assert screen.getvalue() == ""
        clock[0] = 60.0
        advance(2, 10)
    assert "counting" in screen.getvalue()
    assert "2/10" in screen.getvalue()


def test_a_progress_bar_is_gone_when_the_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a table that is shown next begins on the bar's line; the last thing written erases that line."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(progress, "DELAY", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    with progress.bar("counting") as advance:
        advance(1, 2)
        advance(2, 2)
        assert screen.getvalue().endswith("\x1b[2K")


def test_a_list_after_a_long_sentence_is_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first part has 51 characters: at 52 columns the list is broken at three blanks alone."""
    line = "type only the points, or only who closed: 1 Ana Mar   2 Eva"
    monkeypatch.setenv("COLUMNS", "30")
    assert max(map(len, wrapped(line))) <= 30
    monkeypatch.setenv("COLUMNS", "52")
    assert wrapped(line) == ["type only the points, or only who closed: 1 Ana Mar", "2 Eva"]


def test_the_sentences_of_the_demo_fit_the_terminal(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    sentences = [line for line in run("demo").out.splitlines() if not line.startswith("$")]
    assert "A club kept Friday's score sheets in a spreadsheet. Each of their 210 hands is" in sentences
    assert max(map(cell_len, sentences)) <= 80


def test_a_dry_run_says_so_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    for format in ("table", "markdown"):
        show(report("Ana"), format, dry_run=True)
        assert "dry run: nothing was saved. Ranking" in capsys.readouterr().out
    for format in ("json", "csv"):
        show(report("Ana"), format, dry_run=True)
        captured = capsys.readouterr()
        assert captured.err == "dry run: nothing was saved\n"
        assert "dry run" not in captured.out


def test_a_listing_has_the_same_cells_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    """Every value of the JSON is in the CSV, the Markdown and the table."""
    run = Runner(capsys)
    rows = run("bot", "list", "--json").json
    assert len(rows) >= 2
    assert list(csv.DictReader(io.StringIO(run("bot", "list", "--format", "csv").out))) == rows
    for format in ("table", "markdown"):
        text = " ".join(run("bot", "list", "--format", format).out.split())
        for row in rows:
            assert all(value in text for value in row.values())


def test_standard_output_is_json_and_nothing_else(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The note of a dry run is printed on standard error."""
    run = Runner(capsys)
    result = run("player", "add", "Ana", "--db", str(tmp_path / "a.db"), "--dry-run", "--json")
    assert result.json[0]["name"] == "Ana"
    assert result.err == "dry run: nothing was saved\n"
    assert not os.listdir(tmp_path)


ENCODINGS = {
    "ascii": "Benat  ...  +1 -2  2-5  Jose  --o--  #####  1234567  ??",
    "latin-1": "Beñat  ...  +1 -2  2-5  José  --o--  #####  1234567  ??",
    "utf-8": "Beñat  …  ↑1 ↓2  2–5  José  ──●──  █████  ▁▂▃▄▅▆▇  王芳",
}


class Bytes(io.TextIOWrapper):
    """A terminal or a pipe with an encoding, whose bytes are kept."""

    def __init__(self, encoding: str, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def written(self) -> bytes:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue()


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_terminal_without_a_character_shows_the_nearest_one(encoding: str) -> None:
    stream = Bytes(encoding, terminal=True)
    prepare(stream)
    stream.write(ENCODINGS["utf-8"] + "\n")
    assert stream.written().decode(encoding) == ENCODINGS[encoding] + "\n"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_pipe_gets_utf8_whatever_the_encoding(encoding: str) -> None:
    """A lone surrogate, which no encoding has, is escaped."""
    stream = Bytes(encoding, terminal=False)
    prepare(stream)
    stream.write(f"{ENCODINGS['utf-8']}\udc80\n")
    assert stream.written().decode("utf-8") == f"{ENCODINGS['utf-8']}\\udc80\n"
