"""Acts as they come: what each does to the index, and what undo and redo change in it.

Taking back folds the parts that the batch has written, and no others, from the acts that stand. So it takes as long
as one event is large, however many the journal holds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select, update

from tourney.storage.journal import entries
from tourney.storage.journal.entries import Act
from tourney.storage.journal.partitions import Part, clear
from tourney.storage.journal.undo import FOR_EVER, TURNS, numbers, traces
from tourney.storage.projections import parts, project, project_part
from tourney.storage.projections.rows import fill
from tourney.storage.schema import table


@dataclass(frozen=True, slots=True)
class Turn:
    """What undo or redo would turn next: the acts of one batch in order, none if there is nothing.

    `passed` are acts after them that stand for ever, and are passed over.
    """

    acts: tuple[Act, ...] = ()
    passed: tuple[Act, ...] = ()


def happen(connection: Connection, number: int, act: Act) -> tuple[Part, ...]:
    """Write what an act does to the index; the parts that changed.

    Raises KeyError for a kind of act not known here.
    """
    if act.kind in TURNS:
        return _turn(connection, number, act)
    connection.execute(delete(table("undone")))
    fill(connection, "step", [{"act": number, "batch": _first(connection, act.batch), "state": "stands"}])
    fill(connection, "trace", traces(number, act))
    for (kind, event), last in numbers(act.kind, act.payload).items():
        counters = table("counter")
        where = (counters.c.kind == kind, counters.c.event == event)
        if not connection.execute(update(counters).where(*where).values(last=last)).rowcount:
            fill(connection, "counter", [{"kind": kind, "event": event, "last": last}])
    return project(connection, act.kind, number, act.payload)


def next_undo(connection: Connection) -> Turn:
    """The newest batch that stands, those that stand for ever aside."""
    steps, acts = table("step").c, table("act").c
    turnable = (steps.state == "stands", acts.kind.not_in(FOR_EVER))
    newest = connection.execute(_steps().where(*turnable).order_by(steps.act.desc()).limit(1)).first()
    if newest is None:
        return Turn()
    passed = _steps().where(steps.act > newest.act, steps.state == "stands").order_by(steps.act)
    return Turn(_batch(connection, newest.batch), _read(connection.execute(passed)))


def next_redo(connection: Connection) -> Turn:
    """The batch that was undone last, if nothing new has been done since."""
    undone = table("undone").c
    top = connection.execute(select(undone.batch).order_by(undone.place.desc()).limit(1)).first()
    return Turn() if top is None else Turn(_batch(connection, top.batch))


def _turn(connection: Connection, number: int, act: Act) -> tuple[Part, ...]:
    """Take the batch that the act names back, or put it back."""
    first = _first(connection, act.payload["batch"])
    turned = _batch(connection, first)
    undone, steps, acts = table("undone"), table("step"), table("act")
    if act.kind == "undo":
        most = connection.execute(select(func.coalesce(func.max(undone.c.place), 0))).scalar_one()
        fill(connection, "undone", [{"place": most + 1, "batch": first}])
    else:
        connection.execute(delete(undone).where(undone.c.batch == first))
    theirs = select(acts.c.number).where(acts.c.id.in_([one.id for one in turned]))
    state = "undone" if act.kind == "undo" else "stands"
    connection.execute(update(steps).where(steps.c.act.in_(theirs)).values(state=state))
    fill(connection, "step", [{"act": number, "batch": _first(connection, act.batch), "state": TURNS[act.kind]}])
    changed = sorted({part for one in turned for part in parts(one.kind, one.payload)})
    for part in changed:
        _fold(connection, part)
    return tuple(changed)


def _fold(connection: Connection, part: Part) -> None:
    """Make the part anew, from the acts that stand and have written it."""
    clear(connection, part)
    for row in writers(connection, part):
        act = entries.read(row.text)
        project_part(connection, part, act.kind, row.act, act.payload)


def writers(connection: Connection, part: Part) -> Sequence[Row[Any]]:
    """The acts (`act`, `text`) that stand and have written the part, in order."""
    traces, steps = table("trace").c, table("step").c
    here = (traces.part == part.name, traces.event == part.event, traces.round == part.round)
    query = _steps().join(table("trace"), traces.act == steps.act).where(*here, steps.state == "stands")
    return connection.execute(query.order_by(steps.act)).all()


def _steps() -> Select[Any]:
    steps, acts = table("step"), table("act")
    joined = steps.join(acts, acts.c.number == steps.c.act)
    return select(steps.c.act, steps.c.batch, acts.c.text).select_from(joined)


def _batch(connection: Connection, first: int) -> tuple[Act, ...]:
    """The acts of a batch that can be turned; they stand one after the other."""
    steps, acts = table("step").c, table("act").c
    query = _steps().where(steps.act >= first, steps.batch == first, acts.kind.not_in(FOR_EVER))
    return _read(connection.execute(query.order_by(steps.act)))


def _read(rows: Iterable[Row[Any]]) -> tuple[Act, ...]:
    return tuple(entries.read(row.text) for row in rows)


def _first(connection: Connection, batch: str) -> int:
    """The number of the first act of a batch."""
    acts = table("act").c
    return int(connection.execute(select(acts.number).where(acts.id == batch)).scalar_one())
