"""Screens kept as snapshots in `tests/tourney/cli/screens`: what commands show at terminals of three widths.

`python -m tests.harness.pages.screens` writes them again. Look at the changes before you commit them.
"""

import io
import re
import tempfile
from pathlib import Path

from tests.harness import desk
from tests.harness.commands import output_to
from tourney.cli.framework.app import main

FOLDER = Path(__file__).resolve().parents[2] / "tourney" / "cli" / "screens"
WIDTHS = (50, 80, 120)

PREPARED = (
    ("player", "import", str(desk.CLUB / "players.csv")),
    ("event", "import", "Friday", "--sheets", str(desk.CLUB / "score-sheets.csv"), "--rules", "oficial"),
    ("league", "run", "--bots", "greedy,random", "--blocks", "8", "--seed", "1"),
)
"""The commands that fill the database."""

CHANGING = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d(?=\.)|(?<=tourney )[\d.]+")
"""Today's date, a time and the version of the program, shown as zeros."""

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


class Screen(io.StringIO):
    """A terminal that keeps what it is sent."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def screens(name: str, db: str) -> str:
    """Return what the command shows at a terminal without colours, for each of the widths."""
    return "\n".join(f"== {width} columns\n\n{_screen(name, db, width)}" for width in WIDTHS)


def prepared(folder: Path) -> str:
    """Return the path of a new database, which the commands of PREPARED have filled."""
    db = str(folder / "screens.db")
    with output_to(Screen(), **_terminal(80, db)):
        assert [main(list(words)) for words in PREPARED] == [0] * len(PREPARED)
    return db


def _screen(name: str, db: str, columns: int) -> str:
    screen = Screen()
    with output_to(screen, **_terminal(columns, db)):
        main(list(COMMANDS[name]))
    shown = CHANGING.sub(lambda found: "0" * len(found[0]), screen.getvalue())
    return "\n".join(line.rstrip() for line in shown.split("\n"))


def _terminal(columns: int, db: str) -> dict[str, str]:
    """Return the environment of a terminal of this width without colours, of this database and a desk."""
    return {"TERM": "dumb", "COLUMNS": str(columns), "TOURNEY_DB": db, "TOURNEY_BY": "desk"}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        database = prepared(Path(temporary))
        for screen_name in COMMANDS:
            (FOLDER / f"{screen_name}.txt").write_text(screens(screen_name, database), encoding="utf-8")
