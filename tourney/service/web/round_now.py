"""The tables of a round as the desk sees them: which have a result, of which a sheet waits, and since when."""

from __future__ import annotations

from collections.abc import Iterator

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.rounds import Round
from tourney.domain.submissions import ComparedSheets, RoundNow, TableNow, TableState
from tourney.service.lookup import find_event, find_round, find_table, newest_played
from tourney.service.partial_sheets import partial_sheets
from tourney.service.web.phone_sheets import PhoneSheets


def round_now(db: str | None, event_name: str | None, round_number: int | None = None) -> RoundNow:
    """Return a round with the states of its tables: the one of that number, or else the newest that is played.

    Raises TourneyError NOT_FOUND for an unknown event or round.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        rounds = reader.rounds.of(event)
        if not rounds and round_number is None:
            return RoundNow(event, None, 0)
        found = newest_played(event, rounds) if round_number is None else find_round(event, rounds, round_number)
        return RoundNow(event, found, len(rounds), tuple(_tables(reader, event, found)))


def compared_sheets(db: str | None, event_name: str | None, round_number: int, table_number: int) -> ComparedSheets:
    """Return the sheets from phones that wait at a table, hand by hand.

    Raises TourneyError NOT_FOUND for an unknown event, round or table.
    """
    with storage.reading(db) as reader:
        event = find_event(reader, event_name)
        table = find_table(event, reader.rounds.of(event), round_number, table_number)
        return PhoneSheets(reader, event).compared(table)


def _tables(reader: storage.Reader, event: Event, found: Round) -> Iterator[TableNow]:
    sheets = PhoneSheets(reader, event)
    results = {result.table.number: result for result in reader.results.of(event) if result.table.round == found.number}
    partial = {sheet.table.number: sheet.hands for sheet in partial_sheets(reader, event, found.number)}
    plays = found.clock.started if found.clock else reader.rounds.drawn_at(event)[found.number]
    for table in found.tables:
        result, sent = results.get(table.number), sheets.of_table(table)
        typed = max((sheet.time for sheet in sent.sheets if sheet.state == "typing"), default="")
        if sent.since:
            yield TableNow(table, "disagreement" if sent.differences else "waiting", sent.since)
        elif result is not None:
            short: TableState = "stopped" if result.outcome.short else "complete"
            yield TableNow(table, "void" if result.state == "void" else short, "")
        else:
            hands = partial.get(table.number, ())
            yield TableNow(table, "typing" if typed or hands else "open", typed or plays, hands)
