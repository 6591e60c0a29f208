"""Everything that the page of one table shows, read in one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.results import Flag, Result, SheetEntry
from tourney.domain.rounds import Substitution, Table
from tourney.domain.submissions import Claim, WaitingSheets
from tourney.service.lookup import find_event, find_table, same_rules
from tourney.service.results.results import entries_of
from tourney.service.web.phone_sheets import PhoneSheets
from tourney.service.web.seats import claims


@dataclass(frozen=True, slots=True)
class TableSheet:
    """A table with its claimed seats, the sheets that its phones have typed, its result with history, and its flags.

    The result may be void; it is None before a sheet was confirmed or entered.
    """

    event: Event
    table: Table
    sheets: WaitingSheets
    result: Result | None
    entries: tuple[SheetEntry, ...]
    flags: tuple[Flag, ...]
    substitutions: tuple[Substitution, ...] = ()
    claims: tuple[Claim, ...] = ()


def table_sheet(db: str | None, event_name: str, round_number: int, table_number: int) -> TableSheet:
    """Return a table with all that is known of its sheet.

    Raises TourneyError NOT_FOUND for an unknown event, round or table, REFUSED if the event's rules are others by now.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        table = find_table(event, reader.rounds.of(event), round_number, table_number)
        spot = (table.round, table.number)
        results = reader.results.of(event, spot=spot)
        entries = entries_of(reader, event, table) if results else ()
        flags = tuple(flag for flag in reader.results.flags(event) if (flag.round, flag.table) == spot)
        sheets = PhoneSheets(reader, event).of_table(table)
        substitutions = reader.rounds.substitutions(event)
        claimed = claims(reader, event, table)
    same_rules(event)
    return TableSheet(event, table, sheets, results[0] if results else None, entries, flags, substitutions, claimed)
