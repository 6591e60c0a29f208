"""A kind of journal entry as a class: what its entries hold, write and rest on, and their sentence.

A noun's module declares its kinds. Undo and redo are not declared: they only change which entries stand (`undo`).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, dataclass_transform

from sqlalchemy import Connection

from tourney.storage.journal.entries import Entry, Payload
from tourney.storage.journal.kinds.meanings import EventNo, Meaning, Number
from tourney.storage.journal.partitions import Partition, clear, partitions_of
from tourney.storage.journal.payloads import plain
from tourney.storage.journal.subjects import Finder, Name, Names, Past, Subject, found
from tourney.storage.table_rows import update_rows
from tourney.text.i18n import _
from tourney.text.ranges import listed

Projection = Callable[[Connection, Partition, int, Payload], None]
"""A function that writes into one partition what the entry of that number and payload says.

A projection reads its partition and nothing else: no clock, no file, no other partition. So a partition can be rebuilt
by itself, from the entries that have written it.
"""
Facts = dict[tuple[Any, ...], Any]
"""The facts that later sentences refer to: names of events and pools, players of tables, totals of results."""

KINDS: "dict[str, type[Change]]" = {}
"""Every kind by its name on disk."""


class Field(NamedTuple):
    """A field of a kind; an optional one is left out of an entry where it is empty."""

    name: str
    meaning: Meaning
    is_optional: bool


def _no_names(_payload: Payload, _past: Past) -> tuple[tuple[Name, int], ...]:
    return ()


def _no_facts(_payload: Payload) -> Facts:
    return {}


@dataclass_transform(frozen_default=True)
class Change:
    """The content of one entry. A subclass is a kind of entry, under the name on disk `kind`, which never changes.

    Its annotated fields are those of a frozen dataclass, in the order in which a file numbers the people that they
    name. (Making forty dataclasses would take 30 ms of every command.) A kind whose further values are those of a
    domain value, such as settings, takes them by name.

    - `makes` is what an entry of the kind makes and gives a number to
    - `parts` has the projection into each partition that an entry writes
    - `writes` and `reads` are subjects besides those that follow from the fields, `takes` and `frees` names
    - `facts` is what later sentences refer to
    - `across` says that an entry may read subjects of other events, or of none
    - an entry of a `permanent` kind always stands: undo passes over it
    - `in_file` says that an entry belongs to an event, and so to its file
    - `others` are the names of values besides the fields
    - `said` is the sentence of a kind that needs no function, `why` the field with its reason
    """

    kind_name: ClassVar[str] = ""
    makes: ClassVar[str] = ""
    fields: ClassVar[tuple[Field, ...]] = ()
    parts: ClassVar[Mapping[str, Projection]] = {}
    writes: ClassVar[tuple[str | Finder, ...]] = ()
    reads: ClassVar[tuple[str | Finder, ...]] = ()
    takes: ClassVar[Names] = _no_names
    frees: ClassVar[Names] = _no_names
    facts: ClassVar[Callable[[Payload], Facts]] = _no_facts
    across: ClassVar[bool] = True
    permanent: ClassVar[bool] = False
    in_file: ClassVar[bool] = False
    others: ClassVar[frozenset[str]] = frozenset()
    said: ClassVar[str] = ""
    why: ClassVar[str] = "reason"

    def __init_subclass__(cls, kind: str = "", makes: str = "") -> None:
        cls.kind_name, cls.makes = kind, makes
        own = vars(cls).get("__annotations__", {}).items()
        cls.fields = (*cls.fields, *(Field(name, Meaning.of(hint), hasattr(cls, name)) for name, hint in own))
        if kind:
            assert kind not in KINDS, kind
            assert cls.parts, f"no log and no file of an event finds the entries of {kind}, which write no partition"
            KINDS[kind] = cls

    def __init__(self, *values: Any, **named: Any) -> None:
        given = {**{field.name: value for field, value in zip(self.fields, values, strict=False)}, **named}
        left_out = {field.name for field in self.fields if field.is_optional and not given.get(field.name)}
        self.payload: Payload = {name: plain(value) for name, value in given.items() if name not in left_out}

    @classmethod
    def made(cls, entry: Entry) -> bool:
        """Return whether the entry is of this kind."""
        return entry.kind == cls.kind_name

    @classmethod
    def partitions(cls, payload: Payload) -> tuple[Partition, ...]:
        """Return the partitions that an entry writes."""
        return partitions_of(tuple(cls.parts), payload)

    @classmethod
    def project(cls, connection: Connection, number: int, payload: Payload) -> tuple[Partition, ...]:
        """Write what an entry says into the index; return the partitions it has written."""
        written = cls.partitions(payload)
        for partition in written:
            cls.parts[partition.name](connection, partition, number, payload)
        return written

    @classmethod
    def numbers(cls, payload: Payload) -> Mapping[tuple[str, int], int]:
        """Return the highest numbers that an entry assigns, by what is counted and event (0: in none)."""
        return {(cls.makes, cls.counted_in(payload)): payload[cls.makes]} if cls.makes else {}

    @classmethod
    def counted_in(cls, payload: Payload) -> int:
        """Return the event in which what an entry makes is counted; 0 for none."""
        return payload["event"] if issubclass(cls, OfEvent) else 0

    @classmethod
    def announces(cls) -> bool:
        """Return whether an entry keeps the plan of the coming rounds that it announced."""
        return any(field.name == "plan" for field in cls.fields)

    @classmethod
    def written(cls, payload: Payload, past: Past) -> Iterator[Subject]:
        """Yield the subjects that an entry writes."""
        if issubclass(cls, OfEvent):
            yield ("anything", payload["event"])
        if cls.makes:
            yield (cls.makes, *((payload["event"],) if issubclass(cls, OfEvent) else ()), payload[cls.makes])
        yield from found(cls.writes, payload, past)

    @classmethod
    def read(cls, payload: Payload, past: Past) -> Iterator[Subject]:
        """Yield the subjects that an entry reads: those that follow from its fields, and others."""
        if issubclass(cls, OfEvent):
            yield ("state", payload["event"])
        by_field = (words.format(field.name) for field in cls.fields for words in field.meaning.reads)
        yield from found((*by_field, *cls.reads), payload, past)

    @classmethod
    def renumbered(cls, payload: Payload, event: Number, player: Number) -> dict[str, Any]:
        """Return the payload of an event's entry with other numbers of people and events.

        A payload of another form than commands write raises AttributeError, KeyError, TypeError or ValueError.
        """
        changed = dict(payload)
        for name, meaning, _optional in cls.fields:
            if meaning.renumbered is not None and name in changed:
                changed[name] = meaning.renumbered(changed[name], player)
        if "events" in cls.value_names():
            changed["events"] = [event(number) for number in changed["events"]]
        else:
            changed["event"] = event(changed["event"])
        return changed

    @classmethod
    def value_names(cls) -> frozenset[str]:
        """Return the names of all values that an entry may have."""
        return cls.others.union([field.name for field in cls.fields], [cls.makes] if cls.makes else [])

    @classmethod
    def refuse_other_form(cls, payload: Payload) -> None:
        """Raise ValueError, KeyError or TypeError for a payload that lacks a value, or has another or one too many."""
        if not cls.value_names().issuperset(payload):
            raise ValueError("a value of another kind")
        if cls.makes and type(payload[cls.makes]) is not int:
            raise TypeError(cls.makes)
        for name, meaning, is_optional in cls.fields:
            if name in payload or not is_optional:
                meaning.refuse_other(name, payload[name])

    @classmethod
    def sentence(cls, text: Any, payload: Payload) -> str:
        """Return the sentence of an entry, `said` with its values; numbers of players become names."""
        names = {"players": text.players(payload.get("players", ())), "bots": ", ".join(payload.get("bots", ()))}
        values = {**payload, **names, "event": text.event(payload.get("event", 0))}
        values |= {"titles": listed(payload["titles"])} if "titles" in payload else {}
        return because(_(cls.said).format(**values), payload.get(cls.why, ""))


class OfEvent(Change):
    """A change in an event, which must be there and open; its end rests on the change."""

    event: EventNo

    across = False
    in_file = True


def kind_of(entry: Entry) -> type[Change]:
    """Return the kind of an entry. Raises KeyError for a kind not known here."""
    return KINDS[entry.kind]


def permanent_names() -> frozenset[str]:
    """Return the names of the permanent kinds."""
    return frozenset(name for name, kind in KINDS.items() if kind.permanent)


def is_of_events(kind: str) -> bool:
    """Return whether entries of the kind of that name belong to an event, and so to its file."""
    return kind in KINDS and KINDS[kind].in_file


def because(text: str, reason: str) -> str:
    """Return the text with its reason, if there is one."""
    return _("{text}: {reason}").format(text=text, reason=reason) if reason else text


def updating(name: str, values: Callable[[Payload], Mapping[str, Any]], key: str = "") -> Projection:
    """Return a projection that updates one row of a table.

    The entry has the row's `id` under `key`, by default the name of the table.
    """

    def project(connection: Connection, _partition: Partition, number: int, payload: Payload) -> None:
        update_rows(connection, name, {"id": payload[key or name]}, {**values(payload), "act": number})

    return project


def unwritten(_connection: Connection, _partition: Partition, _number: int, _payload: Payload) -> None:
    """Write nothing: what such entries say is read from the entries, or follows in others."""


def emptied(connection: Connection, partition: Partition, _number: int, _payload: Payload) -> None:
    """Delete all rows of the partition."""
    clear(connection, partition)
