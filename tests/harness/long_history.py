"""Create years of club nights quickly: the program stores the rounds, results are inserted in bulk.

Every result is a journal entry of one hand, which the program's own projections turn into rows. The database is what
the program itself would have made; `db check` confirms it.
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Executable, Insert, insert, update

from tourney.domain.events import Event, EventSettings
from tourney.domain.results import HandScore, Outcome
from tourney.domain.rounds import Round, Table
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent
from tourney.storage.journal import payloads, undo
from tourney.storage.journal.checksums import write_checksums
from tourney.storage.journal.entries import Entry, Payload, chain_hash, entry_text, new_id, utc_now
from tourney.storage.journal.kinds import kind_of
from tourney.storage.person_names import NewPerson
from tourney.storage.session import writing
from tourney.storage.tables import table
from tourney.storage.write import Store


def long_history(db: str, nights: int, rounds: int, people: int, seed: int = 7) -> None:
    """Create `nights` events of the same people at tables of four, all rounds played."""
    rng = random.Random(seed)
    for night in range(nights):
        date = f"{2000 + night // 336}-{1 + night // 28 % 12:02}-{1 + night % 28:02}"
        event = apply(db, CreateEvent(EventSettings(f"Night {night + 1}", "oficial", rounds=rounds, date=date)))
        with writing(db) as store:
            if night == 0:
                store.add_persons([NewPerson(f"Player {number:04}", "", "") for number in range(1, people + 1)])
            _play(store, store.enter(event, store.players()), rng)


def _play(store: Store, event: Event, rng: random.Random) -> None:
    tables = []
    for number in range(1, event.settings.rounds + 1):
        order = rng.sample(event.entrants, len(event.entrants))
        groups = enumerate(range(0, len(order), 4), 1)
        drawn = Round(number, tuple(Table(number, at, tuple(order[start : start + 4])) for at, start in groups))
        store.draw(event, drawn)
        tables += drawn.tables
    store.write_checksums()
    _enter(store._connection, [payloads.result(event, at, _outcome(rng)) for at in tables], *store.head())


def _outcome(rng: random.Random) -> Outcome:
    """Return an outcome with random points of which one hand of seven was played."""
    points = rng.sample(range(5, 100), 4)
    closer = points.index(min(points))
    places = tuple(1 + sum(other < point for other in points) for point in points)
    won = tuple(int(seat == closer) for seat in range(4))
    return Outcome((HandScore("TT", tuple(points), closer, False),), tuple(points), won, places, short=6)


class _Rows(defaultdict[str, list[Mapping[str, Any]]]):
    """Rows by table. Projections get this object in place of a connection, and it collects what they insert."""

    def __init__(self) -> None:
        super().__init__(list)

    def execute(self, statement: Executable, rows: Sequence[Mapping[str, Any]] = ()) -> None:
        """Collect the rows of an insertion; ignore deletions, since the tables have no such rows yet."""
        if isinstance(statement, Insert):
            self[statement.table.name] += rows


def _enter(connection: Connection, results: Sequence[Payload], before: int, head: str) -> None:
    """Insert the results as entries of one command; `before` and `head` are number and hash of the last entry."""
    rows, written, batch = _Rows(), set(), new_id()
    for number, payload in enumerate(results, before + 1):
        entry_id = batch if number == before + 1 else new_id()
        entry = Entry(entry_id, "result.enter", utc_now(), batch, payload, "desk")
        text = entry_text(entry)
        head = chain_hash(head, text)
        fields = {"id": entry.id, "kind": entry.kind, "time": entry.time, "text": text, "hash": head}
        rows["act"].append({"number": number, **fields})
        rows["step"].append({"act": number, "batch": before + 1, "state": "stands"})
        rows["trace"] += undo.traces(number, entry)
        kind_of(entry).project(rows, number, payload)
        written |= {*kind_of(entry).partitions(payload)}
    for name in ("act", *(name for name in rows if name != "act")):
        connection.execute(insert(table(name)), rows[name])
    connection.execute(update(table("head")).values(acts=before + len(results), hash=head))
    write_checksums(connection, sorted(written))
