"""Marks of what pages show: one that is the same as before says that its pages show what they showed."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import NamedTuple

from tourney import storage
from tourney.service.web.access import token_hash


class Marks(NamedTuple):
    """The mark of pages for everybody, and that of each table's seats, PINs and typed sheets by the table's token."""

    everybody: Hashable
    tables: Mapping[str, Hashable]


def marks(db: str | None, tokens: Collection[str] = ()) -> Marks:
    """Return the marks of the present state; tokens that open no table have none. Raises TourneyError as `reading`."""
    with storage.reading(db) as reader:
        rows = reader.access() if tokens else []
        opened = {row.hash: row for row in rows if row.kind == "table"}
        found = {token: opened.get(token_hash(token)) for token in tokens}
        tables = {token: _of_table(reader, rows, own) for token, own in found.items() if own is not None}
        return Marks(reader.shown_to_all(), tables)


def _of_table(reader: storage.Reader, rows: Sequence[storage.KeptAccess], own: storage.KeptAccess) -> Hashable:
    spot = own.event, own.round, own.table_number
    seats = [row for row in rows if row.kind == "seat" and (row.event, row.round, row.table_number) == spot]
    pins = [row.hash for row in rows if row.kind == "pin" and row.event == own.event and row.ended is None]
    sheets = [] if own.event is None else reader.submissions(own.event)
    typed = [sheet for sheet in sheets if (sheet.event, sheet.round, sheet.table_number) == spot]
    return own.ended, tuple(seats), tuple(pins), tuple(typed)
