"""Forge a database: an entry is changed with all that follows from it."""

import json
import random

from tests.harness import desk
from tourney.domain.events import EventSettings
from tourney.service import database
from tourney.service.admin.journal import Undo
from tourney.service.change import apply
from tourney.service.events.codes import event_code, journal_code
from tourney.service.events.events import CreateEvent, EnterPlayers
from tourney.service.players import RegisterPlayers
from tourney.service.results.results import EnterResult
from tourney.service.rounds.draw_round import DrawRound
from tourney.storage import canonical_json, chain_hash

FORGED = "Friday"
"""The event of which an entry is forged; the other one is Sunday."""


def evening_with_codes(db: str) -> dict[tuple[str, str], int]:
    """Make a database with two events; return the codes that it had.

    For each code of the journal ("") or of an event: the number of changes that the journal had then.
    """
    codes: dict[tuple[str, str], int] = {}
    changes = [
        RegisterPlayers(desk.NAMES),
        CreateEvent(EventSettings(FORGED, "oficial", rounds=2)),
        EnterPlayers(FORGED, desk.NAMES[:4]),
        CreateEvent(EventSettings("Sunday", "oficial", rounds=2)),
        EnterPlayers("Sunday", desk.NAMES[2:6]),
        DrawRound(FORGED),
        EnterResult(FORGED, 1, 1, desk.hands(desk.NAMES[:4])),
        DrawRound("Sunday"),
        Undo(),
        DrawRound("Sunday"),
    ]
    for change in changes:
        apply(db, change)
        entries = desk.query(db, "SELECT max(number) FROM act")[0][0]
        codes.setdefault(("", journal_code(db)), entries)
        for name in [row[0] for row in desk.query(db, "SELECT name FROM event")]:
            codes.setdefault((name, event_code(name)(db)), entries)
    return codes


def forge_points(db: str, rng: random.Random) -> int:
    """Change points in the first result; return the number of its entry.

    The chain is computed anew and the tables are made again of the journal, so that a check alone finds nothing.
    """
    entries = desk.query(db, "SELECT number, text FROM act")
    number, text = next((number, text) for number, text in entries if '"result.enter"' in text)
    points = rng.choice([hand["points"] for hand in json.loads(text)["payload"]["hands"]])
    changed = [*points]
    changed[rng.choice([seat for seat, point in enumerate(points) if point > 0])] += 10 * rng.randint(1, 3)
    _forge(db, number, canonical_json(points), canonical_json(changed))
    assert database.check(db).problems == ()
    return int(number)


def _forge(db: str, number: int, before: str, after: str) -> None:
    """Change the text of an entry, then compute all that follows from it anew: hashes, head and tables."""
    changed = desk.query(db, "SELECT text FROM act WHERE number = ?", number)[0][0].replace(before, after)
    texts = desk.query(db, "SELECT number, text FROM act ORDER BY number")
    hash_, statements = "", []
    for at, text in texts:
        text = changed if at == number else text
        hash_ = chain_hash(hash_, text)
        quoted = text.replace("'", "''")
        statements.append(f"UPDATE act SET text = '{quoted}', hash = '{hash_}' WHERE number = {at}")
    statements.append(f"UPDATE head SET hash = '{hash_}'")
    # An upgrade makes all tables again of the journal.
    desk.tamper(db, *statements, "UPDATE alembic_version SET version_num = '0009'")
    database.upgrade(db)
