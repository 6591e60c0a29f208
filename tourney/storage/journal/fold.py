"""Apply entries one by one: what each does to the index, and what undo and redo change in it.

Undoing a command rebuilds only the partitions that it has written, from the entries that stand. So the time it takes
depends on the size of one event, and hardly on the length of the journal.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select, update

from tourney.storage.journal.checksums import damaged
from tourney.storage.journal.entries import Entry, parse_entry
from tourney.storage.journal.kinds import kind_of, permanent_names
from tourney.storage.journal.kinds.events import given_name, renamed
from tourney.storage.journal.partitions import Partition, clear
from tourney.storage.journal.undo import REVERSALS, traces
from tourney.storage.table_rows import insert_rows
from tourney.storage.tables import table
from tourney.text.i18n import _


@dataclass(frozen=True, slots=True)
class Reversal:
    """The entries that undo or redo would reverse next: all of one command, in order; none if nothing can be reversed.

    `skipped` are later permanent entries, which are passed over.
    """

    entries: tuple[Entry, ...] = ()
    skipped: tuple[Entry, ...] = ()


def apply_entry(connection: Connection, number: int, entry: Entry) -> tuple[Partition, ...]:
    """Write what an entry does to the index; return the partitions that changed.

    Raises KeyError for a kind of entry not known here.
    """
    if entry.kind in REVERSALS and not entry.is_past:
        return _reverse(connection, number, entry)
    connection.execute(delete(table("undone")))
    state = "stands" if entry.origin is None else entry.origin.state
    insert_rows(connection, "step", [{"act": number, "batch": _first(connection, entry.batch), "state": state}])
    insert_rows(connection, "trace", traces(number, entry))
    if entry.kind in REVERSALS:
        return ()
    kind = kind_of(entry)
    for (counted, event), last in kind.numbers(entry.payload).items():
        counters = table("counter")
        where = (counters.c.kind == counted, counters.c.event == event)
        if not connection.execute(update(counters).where(*where).values(last=last)).rowcount:
            insert_rows(connection, "counter", [{"kind": counted, "event": event, "last": last}])
    return () if entry.is_past else kind.project(connection, number, entry.payload)


def next_undo(connection: Connection) -> Reversal:
    """Return the newest command that stands, passing over permanent entries."""
    steps, acts = table("step").c, table("act").c
    reversible = (steps.state == "stands", acts.kind.not_in(permanent_names()))
    newest = connection.execute(_steps().where(*reversible).order_by(steps.act.desc()).limit(1)).first()
    if newest is None:
        return Reversal()
    skipped = _steps().where(steps.act > newest.act, steps.state == "stands").order_by(steps.act)
    return Reversal(_batch(connection, newest.batch), _parsed(connection.execute(skipped)))


def undo_of(connection: Connection, number: int) -> Reversal:
    """Return the command with the entry of that number, whether it stands or not; none if it is permanent."""
    steps = table("step").c
    return Reversal(_batch(connection, connection.execute(select(steps.batch).where(steps.act == number)).scalar_one()))


def next_redo(connection: Connection) -> Reversal:
    """Return the command that was undone last, if nothing new has been done since."""
    undone = table("undone").c
    top = connection.execute(select(undone.batch).order_by(undone.place.desc()).limit(1)).first()
    return Reversal() if top is None else Reversal(_batch(connection, top.batch))


def _reverse(connection: Connection, number: int, entry: Entry) -> tuple[Partition, ...]:
    """Undo or redo the command that the entry names; return the partitions that changed."""
    first = _first(connection, entry.payload["batch"])
    reversed_ = _batch(connection, first)
    undone, steps, acts = table("undone"), table("step"), table("act")
    if entry.kind == "undo":
        most = connection.execute(select(func.coalesce(func.max(undone.c.place), 0))).scalar_one()
        insert_rows(connection, "undone", [{"place": most + 1, "batch": first}])
    else:
        connection.execute(delete(undone).where(undone.c.batch == first))
    numbers = select(acts.c.number).where(acts.c.id.in_([each.id for each in reversed_]))
    state = "undone" if entry.kind == "undo" else "stands"
    connection.execute(update(steps).where(steps.c.act.in_(numbers)).values(state=state))
    row = {"act": number, "batch": _first(connection, entry.batch), "state": REVERSALS[entry.kind]}
    insert_rows(connection, "step", [row])
    changed = sorted({partition for each in reversed_ for partition in kind_of(each).partitions(each.payload)})
    for partition in changed:
        _rebuild(connection, partition)
    return tuple(changed)


def _rebuild(connection: Connection, partition: Partition) -> None:
    """Fill the partition from the entries that stand and have written it."""
    with _only_differing(connection) if partition.name == "players" else nullcontext():
        clear(connection, partition)
        _project_again(connection, partition)


@contextmanager
def _only_differing(connection: Connection) -> Iterator[None]:
    """Let the block fill a temporary table of players, then write the rows that differ to the real one.

    SQLite looks for the entries of each player that is deleted or inserted: 5,000 people of 1,000 events took 10 s.
    """
    run = connection.exec_driver_sql
    run("CREATE TEMP TABLE player AS SELECT * FROM main.player WHERE false")
    yield
    run("DELETE FROM main.player WHERE id IN (SELECT id FROM (SELECT * FROM main.player EXCEPT SELECT * FROM player))")
    run("INSERT INTO main.player SELECT * FROM player EXCEPT SELECT * FROM main.player")
    run("DROP TABLE temp.player")


def _project_again(connection: Connection, partition: Partition) -> None:
    entries = [(row.act, parse_entry(row.text)) for row in writers(connection, partition)]
    names = [name for _number, entry in entries if (name := given_name(entry.payload))]
    for number, entry in entries:
        # A name that the event had before may be another event's by now.
        payload = renamed(entry.payload, names[-1]) if partition.name == "settings" else entry.payload
        kind_of(entry).parts[partition.name](connection, partition, number, payload)


def writers(connection: Connection, partition: Partition) -> Sequence[Row[Any]]:
    """Return the entries (`act`, `text`) that stand and have written the partition, in order.

    Raises TourneyError STORAGE if the index finds other entries than the table: a flipped bit in one can hide an entry.
    """
    traces, steps = table("trace").c, table("step").c
    place = (traces.event == partition.event, traces.round == partition.round, steps.state == "stands")
    query = _steps().join(table("trace"), traces.act == steps.act).where(*place).order_by(steps.act)
    indexed = connection.execute(query.where(traces.part == partition.name)).all()
    # SQLite uses no index for an expression, so this query reads the table.
    scanned = connection.execute(query.where(traces.part + "" == partition.name)).all()
    if indexed != scanned:
        raise damaged(_("the list of what each entry has changed and the index of that list disagree"))
    return indexed


def _steps() -> Select[Any]:
    steps, acts = table("step"), table("act")
    joined = steps.join(acts, acts.c.number == steps.c.act)
    return select(steps.c.act, steps.c.batch, acts.c.text).select_from(joined)


def _batch(connection: Connection, first: int) -> tuple[Entry, ...]:
    """Return the entries of a command that can be reversed, in order."""
    steps, acts = table("step").c, table("act").c
    query = _steps().where(steps.act >= first, steps.batch == first, acts.kind.not_in(permanent_names()))
    entries = _parsed(connection.execute(query.order_by(steps.act)))
    return tuple(entry for entry in entries if not entry.is_past)


def _parsed(rows: Iterable[Row[Any]]) -> tuple[Entry, ...]:
    return tuple(parse_entry(row.text) for row in rows)


def _first(connection: Connection, batch: str) -> int:
    """Return the number of the first entry of a command."""
    acts = table("act").c
    return int(connection.execute(select(acts.number).where(acts.id == batch)).scalar_one())
