"""Acts as they come: what each does to the index, and what undo and redo change in it.

Taking back folds the parts that the batch has written, and no others, from the acts that stand. So it takes as long
as one event is, however many the journal holds.
"""

from sqlalchemy import Connection, delete, select, update

from tourney.storage.history import numbers, traces
from tourney.storage.journal import Act
from tourney.storage.parts import Part
from tourney.storage.projections import project
from tourney.storage.projections.rows import fill
from tourney.storage.schema import table


def happen(connection: Connection, number: int, act: Act) -> tuple[Part, ...]:
    """Write what an act does to the index; the parts that changed.

    Raises KeyError for a kind of act not known here.
    """
    connection.execute(delete(table("undone")))
    fill(connection, "step", [{"act": number, "batch": _first(connection, act.batch), "state": "stands"}])
    fill(connection, "trace", traces(number, act))
    for (kind, event), last in numbers(act.kind, act.payload).items():
        counters = table("counter")
        where = (counters.c.kind == kind, counters.c.event == event)
        if not connection.execute(update(counters).where(*where).values(last=last)).rowcount:
            fill(connection, "counter", [{"kind": kind, "event": event, "last": last}])
    return project(connection, act.kind, number, act.payload)


def _first(connection: Connection, batch: str) -> int:
    """The number of the first act of a batch."""
    acts = table("act").c
    return int(connection.execute(select(acts.number).where(acts.id == batch)).scalar_one())
