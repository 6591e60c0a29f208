"""Changes that a correction makes to a stage that has begun: who would go through now, and who would not."""

from __future__ import annotations

from dataclasses import dataclass

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import Stage
from tourney.service.stages.advance import cut_to


@dataclass(frozen=True, slots=True)
class CutDifference:
    """A stage that has begun and the players whom the results let through now: `coming` in place of `going`.

    `gone` are players of the stage who have left the event.
    """

    stage: Stage
    by_results: tuple[Player, ...]
    coming: tuple[Player, ...]
    going: tuple[Player, ...]
    gone: tuple[Player, ...] = ()


def difference(reader: storage.Reader, event: Event) -> CutDifference | None:
    """Return what corrections have changed since it was decided who plays in the newest stage; None if nothing."""
    stage = event.stage
    if stage is None or stage.first == 1 or stage.take == "named":
        return None
    by_results = cut_to(reader, event, stage).through
    if {player.id for player in by_results} == set(stage.by_rule):
        return None
    by_number = {player.id: player for player in event.entrants}
    now = {player.id for player in by_results}
    present = {player.id for player in event.playing}
    going = tuple(by_number[number] for number in stage.players if number not in now and number in present)
    gone = tuple(by_number[number] for number in stage.players if number not in present)
    coming = tuple(player for player in by_results if player.id not in stage.players)
    return CutDifference(stage, by_results, coming, going, gone) if coming or going else None
