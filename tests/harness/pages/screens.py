"""Screens kept as snapshots in `tests/tourney/cli/screens`: what commands show at terminals of three widths.

`python -m tests.harness.pages.screens` writes them again. Look at the changes before you commit them. Those in English
are of one database, in any order; those in the folder `es` are an evening in Spanish, chapter by chapter.
"""

import re
import tempfile
from collections.abc import Callable
from contextlib import chdir
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO
from unittest.mock import patch

from tests.harness import desk
from tests.harness.commands import KeptTerminal, all_commands, output_to
from tests.harness.pages.catalogue import hook
from tests.harness.pages.spanish_evening import CHAPTERS, Step, Typed, files
from tests.harness.paper.markup import Element, document
from tests.harness.recorded import in_time_zone
from tourney.cli.framework.app import main
from tourney.reports.render.countdown import Screen as Size
from tourney.reports.render.countdown import drawn, screen_console
from tourney.reports.rounds.clock import countdown
from tourney.service.rounds import rounds
from tourney.text.i18n import speaking

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "tests" / "tourney" / "cli" / "screens"
SPANISH = FOLDER / "es"
WIDTHS = (50, 80, 120)

PREPARED = (
    ("player", "import", str(desk.CLUB / "players.csv")),
    ("event", "import", "Friday", "--sheets", str(desk.CLUB / "score-sheets.csv"), "--rules", "oficial"),
    ("league", "run", "--bots", "greedy,random", "--blocks", "8", "--seed", "1"),
)
"""The commands that fill the database."""

CHANGING = re.compile(r"\d{4}-\d\d-\d\d|\d\d/\d\d/\d{4}|\d\d:\d\d|(?<=tourney )[\d.]+|(?<=código )[0-9a-f]{16}")
"""Today's date, a time, the version of the program and the code of an event, whose digits are shown as zeros."""

COMMANDS = {
    "status": ("status", "Friday"),
    "standings": ("standings", "Friday"),
    "round": ("round", "show", "Friday", "--round", "1"),
    "sheet": ("result", "show", "Friday", "--round", "1", "--table", "1"),
    "ratings": ("ratings",),
    "rating": ("rating", "show", "Quique"),
    "forecast": ("rating", "predict", "Quique", "Hugo", "Vera", "Rosa"),
    "league": ("league", "status", "1"),
    "rules": ("rules", "show", "oficial"),
    "arranged": ("rules", "arrange", "oficial", "TE", "7h 7d 7c 5s 6s Jk 8s Kh Qd"),
    "seating": ("seating", "plan", "--players", "16", "--rounds", "4", "--seed", "1"),
    "next_steps": ("event", "new", "Saturday", "--dry-run"),
    "error": ("standings", "Fridy"),
}
"""The commands by the names of their snapshots."""


LINES = ("h1", "h2", "h3", "p", "li", "caption", "tr")
"""The elements of a printed page that are shown as lines."""

PAPER = "▌ "
"""The mark before each line of a printed page, which may be wider than the screen."""


def screens(name: str, db: str) -> str:
    """Return what the command shows at a terminal without colours, for each of the widths."""
    return "\n".join(f"== {width} columns\n\n{_screen(name, db, width)}" for width in WIDTHS)


def prepared(folder: Path) -> str:
    """Return the path of a new database, which the commands of PREPARED have filled."""
    db = str(folder / "screens.db")
    with output_to(KeptTerminal(), **_terminal(80, db)):
        assert [main(list(words)) for words in PREPARED] == [0] * len(PREPARED)
    return db


Ask = Callable[[Typed, str], str]
"""A function that runs a command with questions on a database, and returns its screen."""


def evening(folder: Path, ask: Ask) -> dict[str, str]:
    """Run the evening in Spanish, with its files and database in `folder`; return what is shown in each chapter."""
    for name, text in files().items():
        (folder / name).write_text(text, encoding="utf-8")
    list(all_commands())  # still in English, since help keeps the language in which it is loaded
    with chdir(folder), speaking("es"), in_time_zone(_noon()):
        return {name: _chapter(steps, "velada.db", ask) for name, steps in CHAPTERS.items()}


def _noon() -> str:
    """Return a time zone in which it is between 12 and 13 now: there a round of an hour ends on the same day."""
    return f"NON{datetime.now(UTC).hour - 12:+d}"


def _chapter(steps: tuple[Step, ...], db: str, ask: Ask) -> str:
    shown: dict[int, list[str]] = {width: [] for width in WIDTHS}
    for step in steps:
        if not isinstance(step, Typed):
            with output_to(KeptTerminal(), **_terminal(80, db)):
                step.change(db)
            continue
        for width in step.widths:
            shown[width].append(f"$ {step.command}\n{_typed(step, db, width, ask)}")
    return "\n".join("\n".join((f"== {width} columns\n", *screens)) for width, screens in shown.items() if screens)


def _typed(step: Typed, db: str, columns: int, ask: Ask) -> str:
    if step.seen:
        return _watched(step.seen, db, columns)
    return ask(step, db) if step.questions else _output(step.words, db, columns)


def _watched(now: datetime, db: str, columns: int) -> str:
    """Return what `round clock --watch` shows at a moment on a screen of 16 lines."""
    screen = KeptTerminal()
    with output_to(screen, **_terminal(columns, db)):
        console = screen_console(screen)
    console.size = (columns, 16)
    console.print(drawn(countdown(rounds.show(db, None, 2), now), Size(columns, 16)))
    return _kept(screen.getvalue())


def _screen(name: str, db: str, columns: int) -> str:
    return _output(list(COMMANDS[name]), db, columns)


def _output(words: list[str], db: str, columns: int) -> str:
    """Return what a command shows at a terminal of this width, and the text of the page that it writes."""
    screen = KeptTerminal()
    with output_to(screen, **_terminal(columns, db)):
        main(words)
    page = Path(words[-1])
    written = page_text(document(page.read_text(encoding="utf-8"))) if page.suffix == ".html" else ""
    return _kept(screen.getvalue() + written)


def asked_at_terminal(step: Typed, db: str) -> str:
    """Run a command in a process of its own at a real terminal, where its questions are answered."""
    from tests.harness.terminal import Terminal

    with Terminal(*step.words, TOURNEY_DB=db, TOURNEY_BY="desk", TOURNEY_LANG="es") as terminal:
        for question, answer in step.questions:
            terminal.wait(question)
            terminal.type(answer)
        terminal.code()
    return _kept(terminal.shown)


def asked_here(step: Typed, db: str) -> str:
    """Run a command in this process, with the answers to its questions; they are shown as a terminal echoes them."""
    screen, left = KeptTerminal(), list(step.questions)

    def typed(_stream: TextIO) -> str:
        question, answer = left.pop(0)
        assert question in screen.getvalue().rpartition("\n")[2]
        screen.write(f"{answer}\n")
        return f"{answer}\n"

    with (
        patch("tourney.cli.framework.questions.possible", return_value=True),
        patch("tourney.cli.framework.questions.read_typed_line", side_effect=typed),
        output_to(screen, **_terminal(80, db)),
    ):
        main(step.words)
    assert not left, "a line was not asked for"
    return _kept(screen.getvalue())


def page_text(page: Element) -> str:
    """Return the text of a page for a browser: a line for each row of a table, paragraph, heading or item."""
    lines = [" │ ".join(_cells(each)) if each.tag == "tr" else each.text for each in page.elements if each.tag in LINES]
    return "".join(f"{PAPER}{line}\n" for line in lines if line.strip(" │"))


def _cells(row: Element) -> list[str]:
    return [cell.text for cell in row.elements if cell.tag in ("td", "th")]


def _kept(shown: str) -> str:
    """Return the text of a screen without blanks at the ends of lines, and with zeros for what changes."""
    shown = CHANGING.sub(lambda found: re.sub(r"[\da-f]", "0", found[0]), shown)
    return "\n".join(line.rstrip() for line in shown.split("\n"))


def _terminal(columns: int, db: str) -> dict[str, str]:
    """Return the environment of a terminal of this width without colours, of this database and a desk."""
    return {"TERM": "dumb", "COLUMNS": str(columns), "TOURNEY_DB": db, "TOURNEY_BY": "desk"}


if __name__ == "__main__":
    hook().write_catalogues(ROOT, ROOT)
    SPANISH.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        database = prepared(Path(temporary))
        for screen_name in COMMANDS:
            (FOLDER / f"{screen_name}.txt").write_text(screens(screen_name, database), encoding="utf-8")
        for chapter, text in evening(Path(temporary), asked_at_terminal).items():
            (SPANISH / f"{chapter}.txt").write_text(text, encoding="utf-8")
