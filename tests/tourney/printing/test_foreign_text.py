"""Tests of texts of others on a terminal and in a spreadsheet: they steer neither."""

import ast
import csv
import io
import re
from pathlib import Path

import pytest

from tests.harness.bad_input.chained import chained, values_of
from tests.harness.bots.own_bots import write_bot
from tests.harness.commands import KeptTerminal, Runner, output_to
from tourney.cli.framework.app import main
from tourney.cli.framework.output import show, written_to
from tourney.cli.leagues.progress import _display
from tourney.domain.league_tables import LeagueProgress
from tourney.files import csv as our_csv
from tourney.files.whole_file import WholeFile
from tourney.reports.render.export import csv_text, spanish_csv_text
from tourney.reports.render.report import Field, Report

ROOT = Path(__file__).resolve().parents[3]
STEERING = "\x1b]0;OWNED\x07\x1b[2J\x1b]52;c;T1dORUQ=\x07\x9b31m"
"""A title, a cleared screen, the clipboard (OSC 52), and a colour by the single character CSI."""
STARTER = (ROOT / "tourney" / "bots" / "starters" / "bot.py").read_text(encoding="utf-8")
SAYS = "def say(line: str) -> None:\n"
BOT = STARTER.replace(SAYS, f"{SAYS}    print({STEERING!r}, file=sys.stderr, flush=True)\n")
PLACES = {
    "an answer": ("say(str(choose(listed)))", f"say({STEERING!r})"),
    "a line before an answer": ("say(str(choose(listed)))", f"say({STEERING!r} + str(choose(listed)))"),
    "a greeting": ('say("hello 1 NAME 0.1")', f"say({STEERING!r})"),
    "a name": ('say("hello 1 NAME 0.1")', f"say('hello 1 N' + {STEERING!r} + ' 0.1')"),
    "a version": ('say("hello 1 NAME 0.1")', f"say('hello 1 NAME ' + {STEERING!r})"),
    "an option": ('say("claims none")', f"say('claims ' + {STEERING!r})"),
    "an error": ("say(str(choose(listed)))", f"raise ValueError({STEERING!r})"),
}
"""The lines of the starting bot, each with the line that a hostile one has instead."""


def shown(*words: str) -> str:
    """Return what a command sends to a terminal that has no colours."""
    terminal = KeptTerminal()
    with output_to(terminal, TERM="dumb", NO_COLOR="1"):
        main(list(words))
    return terminal.getvalue()


def steers(text: str) -> list[str]:
    """Return the control characters of a text, line ends aside."""
    return re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


def test_a_bot_that_writes_escape_sequences_steers_no_terminal(
    tmp_path: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot's standard error has a title, a cleared screen and the clipboard, in every command that may show it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(BOT, encoding="utf-8")
    bots = ("--bots", "cmd:python3 evil.py,random", "--seats", "2", "--blocks", "1", "--workers", "1")
    outputs = [shown("league", "run", *bots, "--records", "all", "--db", "club.db")]
    for words in (
        ("status",),
        ("list",),
        ("log", "--block", "1", "--game", "1"),
        ("record", "--block", "1", "--game", "1"),
        ("export", "--output", "-"),
    ):
        outputs.append(shown("league", *words, "--db", "club.db"))
    outputs.append(shown("bot", "check", "cmd:python3 evil.py"))
    assert [steers(output) for output in outputs] == [[]] * len(outputs)
    assert "OWNED" in outputs[3], outputs[3]


@pytest.mark.parametrize(
    "place", ["an answer", *(pytest.param(name, marks=pytest.mark.slow) for name in PLACES if name != "an answer")]
)
def test_nothing_that_a_bot_says_steers_a_terminal(
    tmp_path: Path, run: Runner, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    said, instead = PLACES[place]
    assert said in STARTER
    (tmp_path / "evil.py").write_text(STARTER.replace(said, instead), encoding="utf-8")
    few = ("--seats", "2", "--blocks", "1", "--workers", "1", "--records", "all")
    for words in (
        ("bot", "check", "cmd:python3 evil.py"),
        ("league", "run", "--bots", "cmd:python3 evil.py,random", *few, "--db", "club.db"),
        ("league", "log", "--block", "1", "--game", "1", "--db", "club.db"),
        ("league", "status", "--db", "club.db"),
        ("bot", "play", "--bots", "cmd:python3 evil.py,random"),
    ):
        assert steers(shown(*words)) == [], words


def test_an_entrant_of_a_file_has_no_characters_that_steer(tmp_path: Path, run: Runner) -> None:
    file = tmp_path / "field.toml"
    file.write_text('[[bot]]\nentrant = "cmd:python3 bot.py \\u001b]0;OWNED\\u0007"\n', encoding="utf-8")
    ran = run("bot", "check", f"@{file}")
    assert ran.code != 0
    assert "the entrant of bot 1 has characters that cannot be seen" in ran.err
    assert steers(ran.err) == []


def test_the_progress_of_a_league_shows_names_as_text() -> None:
    from rich.console import Console

    file = io.StringIO()
    order = (f"a{STEERING}", "random")
    console = Console(file=file, force_terminal=True, color_system=None, width=200)
    console.print(_display(LeagueProgress(1, 9, 1.0, order, 0.5, None, "played")))
    assert "OWNED" in file.getvalue()
    assert "\x1b]" not in file.getvalue()
    assert "\x9b" not in file.getvalue()


HIDDEN = "\x7f\x9b31m\u202e\u2028"
"""Characters that a text of JSON may have as they are."""


def test_a_file_on_a_terminal_has_escapes_and_in_a_pipe_its_bytes(
    tmp_path: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The league came with such texts, which its hashes cover."""
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path, "bad.py", "from tourney.bots import Bot\nclass Bad(Bot):\n    pass\n")
    few = ("--seats", "2", "--blocks", "1", "--workers", "1", "--db", "own.db")
    assert run("league", "run", "--bots", "bad.py:Bad,random", *few).code == 0
    values = values_of(run("league", "export", "--db", "own.db").out.splitlines())
    for value in values:
        for fault in value.get("faults", ()):
            fault[3] = f"died: {HIDDEN}"
    text = chained(values)
    assert HIDDEN in text
    Path("forged.league").write_text(text, "utf-8")
    assert run("league", "import", "forged.league", "--db", "other.db").code == 0
    piped = run("league", "export", "--db", "other.db").out
    assert HIDDEN in piped
    lines = shown("league", "export", "--db", "other.db").splitlines(keepends=True)
    assert not re.search("[\x7f-\x9f\u202e\u2028]", "".join(lines))
    assert values_of(lines[: len(piped.split("\n")) - 1]) == values_of(piped.split("\n")[:-1])


def test_only_a_terminal_has_less_than_the_bytes_of_a_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, terminal = f"a\r\x1b{HIDDEN}\tb\n", KeptTerminal()
    for stream, expected in ((terminal, "a\\x0d\\x1b\\u007f\\u009b31m\\u202e\\u2028\tb\n"), (io.StringIO(), text)):
        with output_to(stream), written_to(None) as write:
            write(text)
        assert stream.getvalue() == expected
    with written_to(WholeFile(str(tmp_path / "file"))) as write:
        write(text)
    assert (tmp_path / "file").read_bytes() == text.encode()


def test_no_return_of_a_cell_writes_over_its_line_on_a_terminal() -> None:
    report = Report("", (Field("name", "Name"),), (("Ana\rBea",),))
    terminal, pipe = KeptTerminal(), io.StringIO(newline="")
    for stream in (terminal, pipe):
        with output_to(stream):
            show(report, "csv")
    assert (terminal.getvalue(), pipe.getvalue()) == ('name\n"Ana\\x0dBea"\n', 'name\n"Ana\rBea"\n')


WRITERS = {
    "tourney/cli/__init__.py": "one sentence of our own, before anything is loaded",
    "tourney/cli/framework/errors.py": "lines that `sanitize` has cleaned",
    "tourney/cli/framework/output.py": "where all else is written and cleaned",
    "tourney/cli/framework/questions.py": "a question that `sanitize` has cleaned",
}


def test_nothing_else_writes_to_a_terminal() -> None:
    """Programs that play have standard output as their protocol; pages of reports clean their cells themselves."""
    found: set[str] = set()
    for path in (*(ROOT / "tourney" / "cli").rglob("*.py"), *(ROOT / "tourney" / "service").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if name in {"sys.stdout.write", "sys.stderr.write", "print"}:
                found.add(path.relative_to(ROOT).as_posix())
    assert found == {*WRITERS}


CELLS = (
    *("Ana;=cmd|'/C calc'!A0", 'x,=HYPERLINK("//evil")', "a\t@SUM(1)", "a|+1+1", "a\n-2+3", "a\r=1", "a;  =1"),
    *('a;"=1"', "a;＝1", "=1;=2", "'=1", "a,'=1", "a;'\"=1", "1,-2", "O'Neil, Ana", "-", "a ; b"),
)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("text", [csv_text, spanish_csv_text])
def test_no_cell_is_a_formula_whichever_separator_a_spreadsheet_is_told(separator: str, text: object) -> None:
    """The second source is Python's own reader; a number is not a formula."""
    report = Report("", (Field("name", "Name"), Field("other", "Other")), tuple((cell, "x") for cell in CELLS))
    written = text(report)  # type: ignore[operator]
    for row in csv.reader(io.StringIO(written.lstrip("\ufeff"), newline=""), delimiter=separator):
        for cell in row:
            is_number = re.fullmatch(r"[+-][0-9.]+", cell)
            assert is_number or not re.match(r"\s*[=+\-@＝＋－＠]", cell), (cell, row)


@pytest.mark.parametrize("text", [csv_text, spanish_csv_text])
def test_no_cell_steers_the_terminal_that_shows_a_file(text: object) -> None:
    report = Report("", (Field("name", "Name"),), ((f"Ana{STEERING}\u202e\u200f\0",),))
    written = text(report)  # type: ignore[operator]
    assert (steers(written), "\u202e" in written, "\u200f" in written) == ([], False, False)


@pytest.mark.parametrize("text", [csv_text, spanish_csv_text])
def test_our_reader_takes_the_guards_away(text: object, tmp_path: Path) -> None:
    """Blanks and line ends at the border of a cell aside, which the reader trims."""
    cells = [cell for cell in CELLS if "\r" not in cell]
    report = Report("", (Field("name", "Name"), Field("other", "Other")), tuple((cell, "x") for cell in cells))
    file = tmp_path / "cells.csv"
    file.write_text(text(report), encoding="utf-8", newline="")  # type: ignore[operator]
    with our_csv.opened(file) as source:
        assert source is not None
        read = [cell for block in source.blocks for cell in block.columns[0]]
    import unicodedata

    assert read == [unicodedata.normalize("NFC", cell) for cell in cells]
