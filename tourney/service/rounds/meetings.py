"""Players of a round who have met before, table by table, and what a swap of two of them would change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from tourney.domain.people import Player
from tourney.domain.rounds import Round


class Meetings:
    """The pairs of players who have sat at one table in the `earlier` rounds."""

    def __init__(self, earlier: Iterable[Round]) -> None:
        self._met = {
            frozenset((one.id, other.id))
            for drawn in earlier
            for table in drawn.tables
            for one, other in combinations(table.players, 2)
        }

    def again(self, player: Player, players: Iterable[Player]) -> tuple[Player, ...]:
        """Return the players that this one has met before."""
        return tuple(other for other in players if frozenset((player.id, other.id)) in self._met)

    def after_swap(self, drawn: Round, one: Player, other: Player) -> int:
        """Return how many pairs more meet again if two players of a round change places; below 0 if fewer do."""
        tables = [table.players for table in drawn.tables if one in table.players or other in table.players]
        swapped = [
            tuple(other if each == one else one if each == other else each for each in table) for table in tables
        ]
        return sum(map(self._pairs, swapped)) - sum(map(self._pairs, tables))

    def _pairs(self, players: Sequence[Player]) -> int:
        return sum(frozenset((one.id, other.id)) in self._met for one, other in combinations(players, 2))
