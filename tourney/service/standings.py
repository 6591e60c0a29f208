"""Standings of an event."""

from __future__ import annotations

from tourney.domain import Standing, StandingsTable
from tourney.service.lookup import Directory, find_event, find_round
from tourney.standings import standings as ranked
from tourney.text import _


def standings(db: str | None, event: str | None = None, round_number: int | None = None) -> StandingsTable:
    """The standings of an event now, or after a round. Raises TourneyError NOT_FOUND."""
    from tourney.storage import reading

    with reading(db) as reader:
        found = find_event(reader, event)
        if round_number is not None:
            find_round(found, reader.rounds(found), round_number)
        results = reader.results(found, last=round_number)
        head = reader.head()[1]
    rows, notes = ranked(found.entrants, results, found.settings.minimum)
    return StandingsTable(found, round_number, rows, notes, head)


def row_of(table: StandingsTable, name: str) -> Standing:
    """The row of a player of these standings, found as names are. Raises TourneyError NOT_FOUND."""
    directory = Directory(row.player for row in table.rows)
    player = directory.find(name, _("see the standings for who plays"))
    return next(row for row in table.rows if row.player.id == player.id)
