"""Kinds of journal entries, each declared once in `projections`: its name on disk and what it writes.

Undo and redo are not declared here: they only change which entries stand (`undo`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from tourney.storage.journal.entries import Entry, Payload
from tourney.storage.journal.partitions import Partition, partitions_of
from tourney.storage.journal.subjects import Subjects

Projection = Callable[[Connection, Partition, int, Payload], None]
"""A function that writes into one partition what the entry of that number and payload says.

A projection reads its partition and nothing else: no clock, no file, no other partition. So a partition can be rebuilt
by itself, from the entries that have written it.
"""
Numbers = Callable[[Payload], Mapping[tuple[str, int], int]]
"""A function from a payload to the highest numbers that its entry assigns, by kind and event (0: in none)."""

KINDS: "dict[str, Kind]" = {}
"""Every kind by its name on disk."""


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of entry: how each partition that it touches is written, which numbers it assigns, its subjects.

    An entry of a permanent kind always stands: undo passes over it.
    """

    name: str
    projections: Mapping[str, Projection]
    subjects: Subjects
    numbers: Numbers
    permanent: bool

    def made(self, entry: Entry) -> bool:
        """Return whether the entry is of this kind."""
        return entry.kind == self.name

    def partitions(self, payload: Payload) -> tuple[Partition, ...]:
        """Return the partitions that an entry writes."""
        return partitions_of(tuple(self.projections), payload)

    def project(self, connection: Connection, number: int, payload: Payload) -> tuple[Partition, ...]:
        """Write what an entry says into the index; return the partitions it has written."""
        written = self.partitions(payload)
        for partition in written:
            self.project_into(connection, partition, number, payload)
        return written

    def project_into(self, connection: Connection, partition: Partition, number: int, payload: Payload) -> None:
        """Write what an entry says into one of its partitions."""
        self.projections[partition.name](connection, partition, number, payload)


def declare(
    name: str,
    projections: Mapping[str, Projection],
    subjects: Subjects,
    numbers: Numbers = lambda _payload: {},
    *,
    permanent: bool = False,
) -> Kind:
    """Register a kind under its name on disk, which never changes."""
    assert name not in KINDS, name
    KINDS[name] = kind = Kind(name, projections, subjects, numbers, permanent)
    return kind


def numbered(counted: str) -> Numbers:
    """Return a function that takes the number of a new event, pool, import or league from a payload."""
    return lambda payload: {(counted, 0): payload[counted]}


def kind_of(entry: Entry) -> Kind:
    """Return the kind of an entry. Raises KeyError for a kind not known here."""
    return KINDS[entry.kind]


def permanent_names() -> frozenset[str]:
    """Return the names of the permanent kinds."""
    return frozenset(kind.name for kind in KINDS.values() if kind.permanent)
