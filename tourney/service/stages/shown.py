"""Standings as people see them: with who goes through, and with what a correction has changed in a stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from tourney import storage
from tourney.domain.errors import ExitCode, TourneyError
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.service import standings as plain
from tourney.service.lookup import find_event, find_round
from tourney.standings.standing import StandingsTable
from tourney.text.i18n import _
from tourney.text.names import fold

if TYPE_CHECKING:
    from tourney.service.stages.border_reasons import Border


def standings(
    db: str | None, event: str | None = None, round_number: int | None = None, stage: str | None = None
) -> StandingsTable:
    """Return the standings of an event now, after a round, or at the end of a stage, with who goes through now.

    Standings after a round leave out the penalties of later rounds; penalties without a round always count. Raises
    TourneyError NOT_FOUND, and USAGE for a round and a stage together.
    """
    if round_number is not None and stage is not None:
        raise TourneyError(ExitCode.USAGE, _("give a round or a stage, not both"), _("leave out --round or --stage"))
    with storage.reading(db) as reader:
        found = find_event(reader, event)
        if stage is not None:
            round_number = _last_round(reader, found, stage)
        if round_number is not None:
            find_round(found, reader.rounds.of(found), round_number)
        table = plain.table_of(reader, found, round_number)
        if found.settings.stages:
            table = _with_borders(db, table)
        if round_number is not None or not found.settings.stages or found.state == "finished":
            return table
        return _with_stages(reader, found, table)


def _last_round(reader: storage.Reader, event: Event, name: str) -> int:
    """Return the last round that was drawn of a stage. Raises TourneyError NOT_FOUND for a stage without one."""
    begun = [stage for stage in event.settings.stages if stage.begun]
    at = next((at for at, stage in enumerate(begun) if fold(stage.name) == fold(name)), None)
    drawn = [each.number for each in reader.rounds.of(event) if at is not None and each.number >= begun[at].first]
    if at is None or not drawn:
        message = _("{event} has no stage “{name}” of which a round is drawn")
        hint = _("the stages that have begun are: {stages}") if begun else _("the event has no stages")
        stages = ", ".join(stage.name for stage in begun)
        raise TourneyError(
            ExitCode.NOT_FOUND,
            message.format(event=event.settings.name, name=name[:40]),
            hint.format(stages=stages),
        )
    return max(drawn) if at + 1 == len(begun) else begun[at + 1].first - 1


def _with_borders(db: str | None, table: StandingsTable) -> StandingsTable:
    """Return the table with arithmetic that says why somebody plays in a stage, where not only the results decide."""

    @cache  # The pages of all players ask for them.
    def found() -> tuple[Border, ...]:
        from tourney.service.stages.border_reasons import borders

        with storage.reading(db) as reader:
            return borders(reader, table.event, table.round)

    def steps(player: Player) -> Sequence[str]:
        return (*(reason for border in found() for reason in border.reasons(player)), *table.arithmetic(player))

    return replace(table, arithmetic=steps)


def _with_stages(reader: storage.Reader, event: Event, table: StandingsTable) -> StandingsTable:
    # Not at the top of the module, for the time that they take, which events without stages do not need.
    from tourney.service.stages.cut_lines import cut_lines
    from tourney.service.stages.states import prospects_of, with_prospects

    found, stage = prospects_of(reader, event), event.next_stage
    notes = (*cut_lines(reader, event), *table.notes)
    rows = with_prospects(table.rows, found)
    return replace(table, rows=rows, notes=notes, next_stage=stage.name if found and stage is not None else "")
