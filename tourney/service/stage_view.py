"""An event as it is in one of its stages: the format, tables, rules and players of that stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tourney import storage
from tourney.domain.events import Event, stage_settings
from tourney.domain.results import Result
from tourney.domain.rounds import Stage
from tourney.rulebook import rulesets
from tourney.standings.lives import lives_lost, out_of_lives


def in_stage(reader: storage.Reader, event: Event) -> Event:
    """Return the event with the format, rounds, tables and players of the stage that was begun last.

    An event without stages is returned as it is.
    """
    stage = event.stage
    if stage is None:
        return event
    results = reader.results(event) if stage.lives else ()
    return replace(event, settings=stage_settings(event.settings, stage), members=_members(event, stage, results))


def as_in_round(event: Event, number: int) -> Event:
    """Return the event with the settings of the stage in which round `number` is played; its players do not count."""
    stage = event.in_round(number)
    return event if stage is None else replace(event, settings=stage_settings(event.settings, stage))


def with_rules_of_round(event: Event, number: int) -> Event:
    """Return the event with the rules of round `number`, where a stage plays only some hands of a game."""
    stage = event.in_round(number)
    if stage is None or not stage.hands:
        return event
    return replace(event, rules=rulesets.with_hands(event.rules, stage.hands))


def _members(event: Event, stage: Stage, results: Sequence[Result]) -> frozenset[int]:
    """Return the numbers of the players who play on in the stage; everybody plays in the first one."""
    players = frozenset(stage.players or (player.id for player in event.entrants))
    if not stage.lives:
        return players
    return players - out_of_lives(
        lives_lost([each for each in results if each.table.round >= stage.first]), stage.lives
    )
