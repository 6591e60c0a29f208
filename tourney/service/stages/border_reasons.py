"""Reasons why a player plays in a stage or not: a play-off hand, the lot, somebody who left, or the organiser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from tourney import storage
from tourney.domain.events import GONE, Event
from tourney.domain.people import Player
from tourney.domain.rounds import Stage
from tourney.service.stages.advance import cut_to, lots_of, names_of
from tourney.service.stages.cut_changes import without_play_off
from tourney.standings.cuts import Cut
from tourney.text.i18n import _
from tourney.text.ranges import listed


def borders(reader: storage.Reader, event: Event, last: int | None = None) -> tuple[Border, ...]:
    """Return the borders of the stages begun up to round `last`, the last one first.

    None: of all, and of the next stage as soon as a play-off hand of it is played.
    """
    coming = event.next_stage if last is None else None
    return tuple(
        Border.of(reader, event, stage)
        for stage in reversed(event.settings.stages[1:])
        if (stage.begun and (last is None or stage.first <= last)) or (stage == coming and stage.playoff)
    )


@dataclass(frozen=True, slots=True)
class Border:
    """The border of a stage: by the results of those who are there, and with those who left, too.

    `unplayed` is the latter without the play-off hand.
    """

    stage: Stage
    present: Cut
    everybody: Cut
    unplayed: Cut
    left: tuple[Player, ...]
    lots: Mapping[int, int]

    @classmethod
    def of(cls, reader: storage.Reader, event: Event, stage: Stage) -> Border:
        """Return the border of a stage by the results as they are now."""
        everybody = cut_to(reader, event, stage, with_left=True)
        before = without_play_off(event, stage)
        unplayed = cut_to(reader, before, before.settings.stages[event.settings.stages.index(stage)], with_left=True)
        states = dict(zip((player.id for player in event.entrants), event.states, strict=False))
        left = tuple(each for each in everybody.through if states.get(each.id) in GONE and each.id not in stage.players)
        return cls(stage, cut_to(reader, event, stage), everybody, unplayed, left, lots_of(event))

    def reasons(self, player: Player) -> Iterator[str]:
        """Yield why a player plays in the stage or not; nothing where the results alone decide."""
        text = self._reason(player)
        if text:
            yield text.format(
                player=player.shown,
                stage=self.stage.name,
                left=names_of(self.left),
                order=listed(list(self._order(player)), 12),
                level=names_of(self.everybody.by_lot),
                lots=listed(list(self._lots()), 12),
            )

    def _reason(self, player: Player) -> str:
        plays = player.id in self.stage.players if self.stage.begun else player in self.everybody.through
        if self.stage.take == "named":
            return _("{player} was named for {stage} by the organiser.") if plays else ""
        if player in self.unplayed.undecided and player.id in self.stage.playoff:
            lost_and_plays = plays and player not in self.everybody.through
            return self._not_by_results(player) if lost_and_plays else self._by_hand(plays=plays)
        if not self.stage.begun:
            return ""
        if player in self.everybody.by_lot:
            text = _("Nothing separates {level} at the border of {stage}. {player} goes through by lot: {lots}.")
            lost = _("Nothing separates {level} at the border of {stage}. The lot decided against {player}: {lots}.")
            return text if player in self.everybody.through else lost
        if player in self.left:
            return _("{player} was through to {stage}, but left.")
        if plays and player not in self.everybody.through:
            return self._not_by_results(player)
        if not plays and player in self.everybody.through:
            return _("By the corrected results {player} would play in {stage}; nothing was changed there.")
        return ""

    def _by_hand(self, *, plays: bool) -> str:
        if plays:
            return _("{player} won a place in {stage} in the play-off hand, which ended, the best first: {order}.")
        return _("{player} won no place in {stage} in the play-off hand, which ended, the best first: {order}.")

    def _not_by_results(self, player: Player) -> str:
        if self.left and player in self.present.through:
            return _("{player} plays in {stage} as the next in line, since {left} left.")
        return _("{player} plays in {stage}, although by the results as they are they would not.")

    def _lots(self) -> Iterator[str]:
        """Yield the name and the lot of each player who drew one, the lowest lot first."""
        for player in sorted(self.everybody.by_lot, key=lambda each: self.lots[each.id]):
            yield f"{player.shown} {self.lots[player.id]}"

    def _order(self, one: Player) -> Iterator[str]:
        """Yield the players of this player's play-off hand, the best first, with their points where they were kept."""
        hands = (each.players for each in self.unplayed.play_offs if one in each.players)
        by_number = {player.id: player for players in hands for player in players}
        for number, points in zip_longest(self.stage.playoff, self.stage.playoff_points):
            if number in by_number:
                name = by_number[number].shown
                yield name if points is None else f"{name} {points}"
