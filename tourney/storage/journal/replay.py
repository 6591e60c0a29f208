"""The database as it was before some acts, in memory.

An act that stands was done when all the acts before it that stand now stood, and no others: undo goes backwards. So
those make what there was then; names are as they are today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select

from tourney.storage import sqlite
from tourney.storage.journal.checksums import seal
from tourney.storage.journal.partitions import Part
from tourney.storage.projections import parts, project
from tourney.storage.projections.rows import fill
from tourney.storage.schema import METADATA, table

if TYPE_CHECKING:
    from tourney.storage.journal.entries import LoggedAct


def before(
    connection: Connection, acts: Sequence[LoggedAct], wanted: Callable[[LoggedAct], bool]
) -> Iterator[tuple[LoggedAct, Connection]]:
    """Each wanted act that stands, with a database as it was before; that is good until the next is asked for.

    `acts` are the whole journal of the database behind `connection`.
    """
    with sqlite.transaction(sqlite.memory_engine(keys="off"), "DEFERRED") as memory:
        METADATA.create_all(memory)
        for name in ("act", "person"):
            fill(memory, name, [dict(row) for row in connection.execute(select(table(name))).mappings()])
        past = _Past(memory, acts)
        for act in acts:
            if act.state == "stands" and act.kind != "player.erase":
                if wanted(act):
                    past.seal()
                    yield act, memory
                past.happen(act)


class _Past:
    """A database in memory that is taken through the acts that stand."""

    def __init__(self, memory: Connection, acts: Sequence[LoggedAct]) -> None:
        self._memory = memory
        self._unsealed: set[Part] = set()
        self._first: dict[str, int] = {}
        for act in acts:
            self._first.setdefault(act.batch, act.number)
        # A name that is erased is nowhere, whenever that was done: its owner has none from the beginning.
        self._erased = {act.payload["player"]: act for act in acts if act.kind == "player.erase"}

    def happen(self, act: LoggedAct) -> None:
        """Write what the act does."""
        fill(self._memory, "step", [{"act": act.number, "batch": self._first[act.batch], "state": "stands"}])
        rows = [{**part.row(), "act": act.number} for part in parts(act.kind, act.payload)]
        fill(self._memory, "trace", rows)
        self._unsealed.update(project(self._memory, act.kind, act.number, act.payload))
        if act.kind == "player.add":
            gone = [self._erased[one["id"]] for one in act.payload["players"] if one["id"] in self._erased]
            for one in gone:
                self._unsealed.update(project(self._memory, one.kind, one.number, one.payload))

    def seal(self) -> None:
        """Let the database be read."""
        seal(self._memory, sorted(self._unsealed))
        self._unsealed.clear()
