"""An event as it is in one of its stages: the format, tables, rules and players of that stage."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tourney import storage
from tourney.domain.events import Event, stage_settings
from tourney.domain.rounds import Stage
from tourney.rulebook import rulesets
from tourney.standings.lives import lives_lost, out_of_lives
from tourney.standings.substitutes import counted


def in_stage(reader: storage.Reader, event: Event) -> Event:
    """Return the event with the format, rounds, tables and players of the stage that was begun last.

    An event without stages is returned as it is.
    """
    stage = event.stage
    if stage is None:
        return event
    return replace(
        event,
        settings=stage_settings(event.settings, stage),
        members=_members(event, stage, _out(reader, event, stage)),
    )


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


def _members(event: Event, stage: Stage, out: Collection[int]) -> frozenset[int]:
    """Return the numbers of the players who play on in the stage; everybody plays in the first one."""
    return frozenset(stage.players or (player.id for player in event.entrants)).difference(out)


def _out(reader: storage.Reader, event: Event, stage: Stage) -> frozenset[int]:
    """Return the numbers of the players who are out of a knock-out, as results of substitutes count."""
    if not stage.lives:
        return frozenset()
    results = [each for each in reader.results.of(event) if each.table.round >= stage.first]
    counts = counted(results, reader.rounds.substitutions(event), event.settings.substitutes)
    return out_of_lives(lives_lost(counts.results, counts.uncounted), stage.lives)
