"""Changes that a correction makes to a stage that has begun: who would go through now, and who would not."""

from __future__ import annotations

from dataclasses import dataclass

from tourney import storage
from tourney.domain.events import Event
from tourney.domain.people import Player
from tourney.domain.rounds import PlayOff, Stage
from tourney.rulebook import rulesets
from tourney.service.stages.advance import cut_to, is_over


@dataclass(frozen=True, slots=True)
class CutDifference:
    """A stage that has begun and the players whom the results let through now: `coming` in place of `going`.

    `gone` are players of the stage who have left the event; `seats` is as `seats_left` returns it. `play_offs` are
    the hands that would be played, because the results no longer decide about their players.
    """

    stage: Stage
    by_results: tuple[Player, ...]
    coming: tuple[Player, ...]
    going: tuple[Player, ...]
    gone: tuple[Player, ...] = ()
    seats: int | None = None
    play_offs: tuple[PlayOff, ...] = ()

    @property
    def level(self) -> tuple[Player, ...]:
        """Return the players of the hands that would be played."""
        return tuple(player for each in self.play_offs for player in each.players)

    @property
    def moved(self) -> tuple[tuple[Player, ...], ...]:
        """Return the players of the difference: two differences with the same players are the same news."""
        return self.coming, self.going, self.gone, self.level

    @property
    def matters(self) -> bool:
        """Return whether there is something to say: that nobody can be seated for those who left is nothing new."""
        return bool(self.going or self.level or (self.coming and not (self.gone and self.seats == 0)))

    @property
    def can_replace(self) -> bool:
        """Return whether the next players can still play in place of those who have left."""
        return bool(self.gone and self.coming) and self.seats != 0

    @property
    def can_add(self) -> bool:
        """Return whether those who come can still play beside the others."""
        return bool(self.coming) and not self.gone and (self.seats is None or len(self.coming) <= self.seats)


def seats_left(reader: storage.Reader, event: Event) -> int | None:
    """Return how many more players can be seated in the newest stage; None for as many as come.

    While a round of it is to be drawn, only the number of tables that its plan gives is a limit. Afterwards seats of
    players who have left are free at tables without a result.
    """
    rounds, stage = reader.rounds.of(event), event.stage
    present = {player.id for player in event.playing}
    _least, most = rulesets.table_limits(event.rules)
    if stage is not None and not is_over(reader, event, len(rounds)):
        return None if stage.tables is None else max(0, stage.tables * most - len(present.intersection(stage.players)))
    tables = reader.results.waiting(event, rounds[-1:])
    return sum(most - sum(player.id in present for player in table.players) for table in tables)


def difference(reader: storage.Reader, event: Event) -> CutDifference | None:
    """Return what corrections have changed since it was decided who plays in the newest stage; None if nothing.

    Who was kept in the stage or out of it by an earlier decision is no news, but may be next in line for a place.
    """
    stage = event.stage
    if stage is None or stage.first == 1 or stage.take == "named":
        return None
    decided = cut_to(reader, event, stage)
    by_results = decided.through
    if {player.id for player in by_results} == set(stage.by_rule):
        return None
    by_number = {player.id: player for player in event.entrants}
    settled, now = set(stage.by_rule), {player.id for player in (*by_results, *decided.undecided)}
    present = {player.id for player in event.playing}
    going = tuple(by_number[number] for number in stage.players if number in present & settled - now)
    gone = tuple(by_number[number] for number in stage.players if number not in present)
    outside = (player for player in by_results if player.id not in stage.players)
    coming = tuple(player for player in outside if gone or player.id not in settled)
    found = CutDifference(stage, by_results, coming, going, gone, seats_left(reader, event), decided.play_offs)
    return found if found.matters else None


def can_seat_again(reader: storage.Reader, event: Event, stage: Stage) -> bool:
    """Return whether only the first round of the stage is drawn, and nothing of it has a result."""
    rounds = reader.rounds.of(event)
    counts = {spot[0] for spot in reader.results.counting(event.id)}
    return len(rounds) == stage.first and rounds[-1].number not in counts
