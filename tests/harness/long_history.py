"""Create years of club nights quickly: the program stores the rounds, results are inserted in bulk.

Every result is a journal entry of one hand, which the program's own projections turn into rows. The database is what
the program itself would have made; `db check` confirms it.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, update

from tests.harness.crowd import sheet_outcome
from tourney.domain.events import Event, EventSettings
from tourney.domain.results import HandScore, Outcome
from tourney.domain.rounds import Round, Table
from tourney.service.change import apply
from tourney.service.events.events import CreateEvent, FinishEvent
from tourney.storage.journal import undo
from tourney.storage.journal.checksums import write_checksums
from tourney.storage.journal.entries import Entry, Payload, chain_hash, entry_text, new_id, utc_now
from tourney.storage.journal.kinds.results import ResultEntered
from tourney.storage.person_names import NewPerson
from tourney.storage.session import writing
from tourney.storage.store import Store
from tourney.storage.table_rows import insert_rows
from tourney.storage.tables import table

Outcomes = Callable[[random.Random], Outcome]


def long_history(db: str, nights: int, rounds: int, people: int, seed: int = 7) -> None:
    """Create `nights` events of the same people at tables of four, all rounds played."""
    rng = random.Random(seed)
    for night in range(nights):
        _night(db, night, rounds, people, people, _outcome, rng)


def long_life(db: str, nights: int, rounds: int, people: int, present: int, *, first: int = 0, seed: int = 7) -> None:
    """Create finished events with whole sheets from the number `first` on, at each of which `present` people play."""
    for night in range(first, first + nights):
        rng = random.Random(f"{seed} {night}")
        event = _night(db, night, rounds, people, present, sheet_outcome, rng)
        apply(db, FinishEvent(event.settings.name))


def _night(db: str, night: int, rounds: int, people: int, present: int, outcome: Outcomes, rng: random.Random) -> Event:
    date = f"{2000 + night // 336}-{1 + night // 28 % 12:02}-{1 + night % 28:02}"
    event = apply(db, CreateEvent(EventSettings(f"Night {night + 1}", "oficial", rounds=rounds, date=date)))
    with writing(db) as store:
        if night == 0:
            store.people.add_persons([NewPerson(f"Player {number:04}", "", "") for number in range(1, people + 1)])
        everybody = store.people.players()
        there = everybody if present == people else rng.sample(list(everybody), present)
        _play(store, store.events.enter(event, there), outcome, rng)
    return event


def _play(store: Store, event: Event, outcome: Outcomes, rng: random.Random) -> None:
    tables = []
    for number in range(1, event.settings.rounds + 1):
        order = rng.sample(event.entrants, len(event.entrants))
        groups = enumerate(range(0, len(order), 4), 1)
        drawn = Round(number, tuple(Table(number, at, tuple(order[start : start + 4])) for at, start in groups))
        store.rounds.draw(event, drawn)
        tables += drawn.tables
    store.transaction.write_checksums()
    _enter(
        store.transaction.connection,
        [ResultEntered.of(event, at, outcome(rng)).payload for at in tables],
        *store.journal.head(),
    )


def _outcome(rng: random.Random) -> Outcome:
    """Return an outcome with random points of which one hand of seven was played."""
    points = rng.sample(range(5, 100), 4)
    closer = points.index(min(points))
    places = tuple(1 + sum(other < point for other in points) for point in points)
    won = tuple(int(seat == closer) for seat in range(4))
    return Outcome((HandScore("TT", tuple(points), closer, False),), tuple(points), won, places, short=6)


def _enter(connection: Connection, results: Sequence[Payload], before: int, head: str) -> None:
    """Insert the results as entries of one command; `before` and `head` are number and hash of the last entry."""
    rows: dict[str, list[dict[str, Any]]] = {"act": [], "step": [], "trace": []}
    written, batch = set(), new_id()
    for number, payload in enumerate(results, before + 1):
        entry_id = batch if number == before + 1 else new_id()
        entry = Entry(entry_id, "result.enter", utc_now(), batch, payload, "desk")
        text = entry_text(entry)
        head = chain_hash(head, text)
        fields = {"id": entry.id, "kind": entry.kind, "time": entry.time, "text": text, "hash": head}
        rows["act"].append({"number": number, **fields})
        rows["step"].append({"act": number, "batch": before + 1, "state": "stands"})
        rows["trace"] += undo.traces(number, entry)
    for name, lines in rows.items():
        insert_rows(connection, name, lines)
    for number, payload in enumerate(results, before + 1):
        written |= {*ResultEntered.project(connection, number, payload)}
    connection.execute(update(table("head")).values(acts=before + len(results), hash=head))
    write_checksums(connection, sorted(written))
