"""Seats of one round: as level as can be, and so that the rounds to come can be level too."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tourney.seating.balance.seats import least
from tourney.seating.model import Round
from tourney.seating.quality.metrics import Rounds, meetings, seat_counts

SWEEPS: Final = 12
"""How often all tables are gone through for better seats; it ends by itself before."""

Prices = list[list[int]]
"""By player of a table and seat."""


def seat_round(tables: Sequence[Sequence[int]], played: Rounds) -> Round:
    """The tables of one round with their players in seat order: none is more level, first deals before all else.

    Level is the least sum of squared counts, the rounds `played` included. Of equally level orders that is taken by
    which those who have met have had the same seats, as far as can be, and so those who have not met other ones: they
    may meet in the next round, and then do not want the same seat. Each table in turn gets the best seats beside the
    others', until none changes. Where all is equal, who stands earlier at the table sits lower.
    """
    foresight = _Foresight(tables, played)
    for _sweep in range(SWEEPS):
        if not sum([foresight.settle(number) for number in range(len(tables))]):
            break
    return tuple(foresight.seated)


class _Foresight:
    """Tables with their players in seats that may still change, and how often everybody has each seat with these."""

    def __init__(self, tables: Sequence[Sequence[int]], played: Rounds) -> None:
        self.tables = tables
        players = [player for table in tables for player in table]
        before = seat_counts(played, max(players, default=0) + 1)
        widest = max(len(before[0]), *map(len, tables)) if tables else 1
        self.counts = {player: [*before[player], *[0] * widest][:widest] for player in players}
        self.met = _met_elsewhere(tables, played)
        self.rises = [_rises([self.counts[player] for player in table]) for table in tables]
        self.seated = [
            tuple(table[one] for one in least(rises)[1]) for table, rises in zip(tables, self.rises, strict=True)
        ]
        for table in self.seated:
            self._count(table, 1)
        self.total = [sum(row[seat] for row in self.counts.values()) for seat in range(widest)]

    def settle(self, number: int) -> bool:
        """Whether other seats of a table are better, and are taken now."""
        table = self.tables[number]
        alike = [self._alike(player, len(table)) for player in table]
        # What is level comes before all that foresight can come to.
        above = sum(max(row) - min(row) for row in alike) + 1
        prices = [
            [above * rise - like for rise, like in zip(*rows, strict=True)]
            for rows in zip(self.rises[number], alike, strict=True)
        ]
        order = tuple(table[one] for one in least(prices)[1])
        if order == self.seated[number]:
            return False
        self._count(self.seated[number], -1)
        self._count(order, 1)
        self.seated[number] = order
        return True

    def _alike(self, player: int, seats: int) -> list[int]:
        """For each seat, by how much those whom the player has met have had it more often than the average player, in
        parts of as many as there are players."""
        others = self.met[player]
        return [
            len(self.counts) * sum(self.counts[other][seat] for other in others) - len(others) * self.total[seat]
            for seat in range(seats)
        ]

    def _count(self, table: Sequence[int], by: int) -> None:
        for seat, player in enumerate(table):
            self.counts[player][seat] += by


def _met_elsewhere(tables: Sequence[Sequence[int]], played: Rounds) -> Mapping[int, Collection[int]]:
    """For each player those whom he has met and who sit at another table now."""
    table_of = {player: number for number, table in enumerate(tables) for player in table}
    met: dict[int, list[int]] = {player: [] for player in table_of}
    for one, other in meetings(played):
        if one in met and other in met and table_of[one] != table_of[other]:
            met[one].append(other)
            met[other].append(one)
    return met


def _rises(counts: Sequence[Sequence[int]]) -> Prices:
    """What each seat adds to the squares of the counts of each player of a table; first deals outweigh all others."""
    # A seat had k times before adds 2k + 1 to the squares.
    rises = [[2 * count + 1 for count in row[: len(counts)]] for row in counts]
    above = sum(map(max, rises)) + 1
    return [[above * first, *others] for first, *others in rises]
