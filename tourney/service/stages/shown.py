"""Standings as people see them: with who goes through, and with what a correction has changed in a stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.service import standings as plain
from tourney.service.lookup import find_event, find_round
from tourney.standings.standing import StandingsTable


def standings(db: str | None, event: str | None = None, round_number: int | None = None) -> StandingsTable:
    """Return the standings of an event now, or after a round, with who goes through now. Raises TourneyError NOT_FOUND.

    Standings after a round leave out the penalties of later rounds; penalties without a round always count.
    """
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        if round_number is not None:
            find_round(found, reader.rounds(found), round_number)
        table = plain.table_of(reader, found, round_number)
        if found.settings.stages:
            table = replace(table, arithmetic=partial(_steps, db, table))
        if round_number is not None or not found.settings.stages or found.state == "finished":
            return table
        return _with_stages(reader, found, table)


def _steps(db: str | None, table: StandingsTable, player: Player) -> Sequence[str]:
    """Return the steps that lead to a player's rank, with why they play in a stage where not only the results say."""
    from tourney.service.stages.border_reasons import border_reasons

    with storage.reading(db) as reader:
        return (*border_reasons(reader, table.event, player, table.round), *table.arithmetic(player))


def _with_stages(reader: storage.Reader, event: Event, table: StandingsTable) -> StandingsTable:
    # Not at the top of the module, for the time that they take, which events without stages do not need.
    from tourney.service.stages.cut_lines import cut_lines
    from tourney.service.stages.states import prospects_of, with_prospects

    found, stage = prospects_of(reader, event), event.next_stage
    notes = (*cut_lines(reader, event), *table.notes)
    rows = with_prospects(table.rows, found)
    return replace(table, rows=rows, notes=notes, next_stage=stage.name if found and stage is not None else "")
