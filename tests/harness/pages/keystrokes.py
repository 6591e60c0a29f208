"""Count the keys of the ten most frequent tasks of an evening, and write them into the page `few-keys` of the guide.

`python -m tests.harness.pages.keystrokes` runs each task's commands on a copy of a prepared database, with questions
answered by the lines that the task types, counts characters and Enter keys, and writes the page's table again. Keys in
version 0.2.0, which is not here to be run, are counted from the commands written down beside the new ones.
"""

import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from tests.harness import desk
from tests.harness.commands import KeptTerminal, output_to
from tests.harness.pages.examples import PAGES
from tourney.cli.framework.app import main
from tourney.domain.events import EventSettings
from tourney.service.change import apply
from tourney.service.events.attendance import WithdrawPlayers
from tourney.service.events.events import CreateEvent, EnterPlayers, FinishEvent
from tourney.service.players import ImportPlayers, RegisterPlayers
from tourney.service.rounds.draw_round import DrawRound

PAGE = PAGES["few-keys"]
TABLE = re.compile(r"^\| Task \|.*?(?=\n\n)", re.MULTILINE | re.DOTALL)
EVENT, NEXT, LATE = "Friday 20", "Friday 27", "Xabier"
NAMES = tuple(shlex.split((desk.CLUB / "players.csv").read_text(encoding="utf-8"))[1:])
"""The 22 people who play; Xabier comes late."""


@dataclass(frozen=True)
class Task:
    """A task: its commands with the lines typed into their questions, now and in version 0.2.0.

    The prepared database has a round of `state`: without results, with all of them, or the last, of a finished event.
    """

    name: str
    now: tuple[str, ...]
    before: tuple[str, ...]
    state: str = "drawn"
    typed: tuple[str, ...] = ()
    typed_before: tuple[str, ...] = ()

    @property
    def keys(self) -> int:
        """The characters and Enter keys that the task takes."""
        return _keys((*self.now, *self.typed))

    @property
    def keys_before(self) -> int:
        """The keys that the task took in version 0.2.0."""
        return _keys((*self.before, *self.typed_before))


def _keys(lines: tuple[str, ...]) -> int:
    return sum(len(line) + 1 for line in lines)


SHEET = ("0 35 17 20", "35 0 17 20", "35 17 0 20", "35 17 20 0", "0 35 17 20", "35 0 17 20", "35 17 0 20")
"""Seven hands: the points by seat, 0 for whoever closed."""
SHEET_BEFORE = tuple(
    line
    for hand in map(str.split, SHEET)
    for line in (str(hand.index("0") + 1), "", *(points for points in hand if points != "0"))
)
"""The answers of version 0.2.0 for these hands: who closed, not in one turn, and the points of each other player."""

TASKS = (
    Task("See where we are", ("tourney",), ("tourney event show", "tourney round show")),
    Task(
        "Enter a sheet of seven hands",
        ("tourney result enter",),
        ("tourney result enter",),
        typed=("", *SHEET, ""),
        typed_before=("", *SHEET_BEFORE, ""),
    ),
    Task("Draw the next round", ("tourney round draw",), ("tourney round draw",), "all in"),
    Task(
        "Somebody comes late",
        ("tourney event enter Xa",),
        (f'tourney event enter "{EVENT}" {LATE}',),
    ),
    Task(
        "Somebody leaves",
        ("tourney event withdraw Pi",),
        (f'tourney event withdraw "{EVENT}" Pilar',),
        "all in",
    ),
    Task(
        "Somebody who is seated never came",
        ("tourney event withdraw Qu --no-show --out",),
        (f'tourney event withdraw "{EVENT}" Quique --no-show', f'tourney round move "{EVENT}" Quique --out'),
    ),
    Task(
        "Two players change places",
        ("tourney round move An --with Be",),
        (f'tourney round move "{EVENT}" Ana --with Beñat',),
    ),
    Task(
        "A penalty",
        ("tourney ruling penalty An 20 late",),
        ("tourney ruling add --kind penalty --player Ana --points 20 --reason late",),
    ),
    Task("Why has somebody this rank?", ("tourney standings --why Be",), ("tourney standings --why Beñat",), "all in"),
    Task(
        "Next week's evening",
        (f'tourney event new "{NEXT}" --from Fr',),
        (
            f'tourney event new "{NEXT}" --rounds 4 --minutes 60',
            f'tourney event use "{NEXT}"',
            f'tourney event enter "{NEXT}" {" ".join(NAMES)}',
        ),
        "finished",
    ),
)


def prepared(folder: Path, state: str) -> str:
    """Return the path of a database of 22 people, whose event has a round in this state."""
    return desk.copied(folder / f"{state}.db", _prepare, state)


def _prepare(db: str, state: str) -> None:
    apply(db, ImportPlayers(desk.CLUB / "players.csv"))
    apply(db, RegisterPlayers([LATE]))
    apply(db, CreateEvent(EventSettings(EVENT, "oficial", rounds=4, minutes=60)))
    apply(db, EnterPlayers(None, NAMES))
    drawn = apply(db, DrawRound()).rounds[0]
    if state == "drawn":
        return
    for table in drawn.tables:
        desk.enter(db, table)
    if state == "finished":
        apply(db, WithdrawPlayers(None, [NAMES[-1]]))
        apply(db, FinishEvent(None, incomplete=True))


def run(task: Task, folder: Path) -> Iterator[tuple[str, int, str]]:
    """Run the task's commands at a terminal that types its lines; yield each command, its exit code and its output."""
    database = str(shutil.copy(prepared(folder, task.state), folder / "task.db"))
    lines = iter(task.typed)
    with (
        patch("tourney.cli.framework.questions.possible", return_value=True),
        patch("tourney.cli.framework.questions.read_typed_line", side_effect=lambda _stream: f"{next(lines)}\n"),
    ):
        for command in task.now:
            screen = KeptTerminal()
            with output_to(screen, TERM="dumb", COLUMNS="80", TOURNEY_DB=database):
                code = main(shlex.split(command)[1:])
            yield command, code, screen.getvalue()
    assert not list(lines), "a line was not asked for"


def table() -> str:
    """Return the table of the page: each task with what is typed, its keys, and its keys in version 0.2.0."""
    rows = [f"| {task.name} | {_shown(task)} | {task.keys} | {task.keys_before} |" for task in TASKS]
    return "\n".join(("| Task | Type | Keys | In 0.2.0 |", "|---|---|--:|--:|", *rows))


def _shown(task: Task) -> str:
    commands = ", then ".join(f"`{command}`" for command in task.now)
    return f"{commands}, and a line for each hand: `{SHEET[0]}`" if task.typed else commands


def rewrite() -> None:
    """Run every task, and write the table into the page."""
    with tempfile.TemporaryDirectory() as folder:
        for task in TASKS:
            for command, code, output in run(task, Path(folder)):
                assert code == 0, f"{command}: {output}"
    PAGE.write_text(TABLE.sub(lambda _found: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
