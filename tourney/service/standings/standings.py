"""Standings of an event, as services and commands ask for them."""

from __future__ import annotations

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.rulebook import rulesets
from tourney.service.lookup import find_entrant, find_event, find_round
from tourney.standings.ranking import standings as ranked
from tourney.standings.standing import Order, Standing, StandingsTable
from tourney.text.i18n import _


def standings(db: str | None, event: str | None = None, round_number: int | None = None) -> StandingsTable:
    """Return the standings of an event now, or after a round. Raises TourneyError NOT_FOUND.

    Penalties of later rounds do not count in those after a round; penalties of no round count in all.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        if round_number is not None:
            find_round(found, reader.rounds(found), round_number)
        return table_of(reader, found, round_number)


def table_of(reader: storage.Reader, event: Event, round_number: int | None = None) -> StandingsTable:
    """Return the standings of an event in an open transaction."""
    results = reader.results(event, last=round_number)
    rulings = [
        ruling for ruling in reader.rulings(event) if round_number is None or (ruling.round or 0) <= round_number
    ]
    order: Order = "money" if rulesets.family(event.rules) == "knock" else "points"
    rows, notes = ranked(
        event.entrants, results, event.settings.minimum, rulings=rulings, states=event.states, order=order
    )
    return StandingsTable(event, round_number, rows, notes, reader.head()[1])


def row_of(table: StandingsTable, name: str) -> Standing:
    """Return the row of an entrant, by name or short number. Raises TourneyError NOT_FOUND."""
    player = find_entrant(table.event, name)
    found = next((row for row in table.rows if row.player.id == player.id), None)
    if found is None:
        message = _("{player} has gone away without a game").format(player=player.shown)
        raise TourneyError(ExitCode.NOT_FOUND, message, _("see the standings for who stands in them"))
    return found
