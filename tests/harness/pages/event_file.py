"""The small event that the guide's page on event files shows, with ids and times that never change.

`python -m tests.harness.pages.event_file` prints its file.
"""

import itertools
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

from tourney.domain.events import EventSettings
from tourney.domain.results import SheetHand
from tourney.service.admin.journal import Redo, Undo
from tourney.service.change import apply
from tourney.service.events.event_chain import event_chain, file_lines
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.lookup import find_event
from tourney.service.results.results import EnterResult
from tourney.service.results.rulings import AddRuling, Decision
from tourney.service.rounds import draw_round
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage.nouns import writing
from tourney.storage.session import reading

HANDS = (
    SheetHand("TT", {"Ana": 0, "Beñat": 25, "Carmen": 31}, closer="Ana"),
    SheetHand("TE", {"Ana": 25, "Beñat": -10, "Carmen": 40}, closer="Beñat", at_once=True),
    SheetHand("EE", {"Ana": 12, "Beñat": 20, "Carmen": 30}, dead=True),
)


def make(db: str) -> None:
    """Make the event in a new database: a stopped game, entered, taken back and put back, and a penalty."""
    ids, times = itertools.count(1), itertools.count(0)
    fixed_id = patch.object(writing, "new_id", lambda: f"{next(ids):032x}")
    fixed_time = patch.object(writing, "utc_now", lambda: f"2026-11-20T20:{next(times):02}:00.000000Z")
    fixed_version = patch.object(draw_round, "seating_version", lambda: "0.2.0+seating.1")
    with fixed_id, fixed_time, fixed_version:
        apply(db, CreateEvent(EventSettings("Friday", "oficial", rounds=1, size=3)), by="desk")
        apply(db, EnterPlayers("Friday", ["Ana", "Beñat", "Carmen"], add=True), by="desk")
        apply(db, DrawRound("Friday"), by="desk")
        apply(db, EnterResult("Friday", 1, 1, HANDS, "short"), by="table 1")
        apply(db, Undo(), by="desk")
        apply(db, Redo(), by="desk")
        apply(db, AddRuling("Friday", Decision("penalty", "came late", round=1, player="Carmen", points=20)), by="desk")


def text(db: str, name: str = "Friday") -> str:
    """Return the file of an event of a database."""
    with reading(db) as reader:
        lines = file_lines(reader, event_chain(reader, find_event(reader, name)))
        return "".join(f"{line.hash} {line.text}\n" for line in lines)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder) / "page.db")
        make(db)
        sys.stdout.write(text(db))
