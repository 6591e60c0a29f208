"""Seats of one round: as level as can be, and so that the rounds to come can be level too."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from tourney.seating.balance.seats import best_seats
from tourney.seating.model import Round
from tourney.seating.quality.metrics import Rounds, meetings, seat_counts

SWEEPS: Final = 12
"""How often all tables are gone through for better seats; it stops earlier by itself."""

PairPrices = list[list[int]]
"""By player of a table and seat."""


def seat_round(tables: Sequence[Sequence[int]], played: Rounds) -> Round:
    """Return the tables of one round with their players in seat order, as level as any: first deals before all else.

    Level means the least sum of squared counts, the rounds `played` included. Among equally level orders the one is
    taken in which players who have met have had equal seats where possible, and so those who have not met other ones:
    they may meet in the next round, and then want different seats. Each table in turn gets the best seats beside the
    others', until none changes. Among equals, who stands earlier at the table sits lower.
    """
    lookahead = _SeatLookahead(tables, played)
    for _sweep in range(SWEEPS):
        if not sum([lookahead.settle(number) for number in range(len(tables))]):
            break
    return tuple(lookahead.seated)


class _SeatLookahead:
    """Tables with their players in seats that may still change, and everybody's seat counts with these."""

    def __init__(self, tables: Sequence[Sequence[int]], played: Rounds) -> None:
        self.tables = tables
        players = [player for table in tables for player in table]
        before = seat_counts(played, max(players, default=0) + 1)
        widest = max(len(before[0]), *map(len, tables)) if tables else 1
        self.counts = {player: [*before[player], *[0] * widest][:widest] for player in players}
        self.met = _met_elsewhere(tables, played)
        self.deltas = [_seat_prices([self.counts[player] for player in table]) for table in tables]
        self.seated = [
            tuple(table[one] for one in best_seats(deltas)[1])
            for table, deltas in zip(tables, self.deltas, strict=True)
        ]
        for table in self.seated:
            self._count(table, 1)
        self.total = [sum(row[seat] for row in self.counts.values()) for seat in range(widest)]

    def settle(self, number: int) -> bool:
        """Give a table its best seats; report whether they changed."""
        table = self.tables[number]
        alike = [self._shared_seats(player, len(table)) for player in table]
        # What is level comes before all that foresight can come to.
        level_weight = sum(max(row) - min(row) for row in alike) + 1
        prices = [
            [level_weight * delta - like for delta, like in zip(*rows, strict=True)]
            for rows in zip(self.deltas[number], alike, strict=True)
        ]
        order = tuple(table[one] for one in best_seats(prices)[1])
        if order == self.seated[number]:
            return False
        self._count(self.seated[number], -1)
        self._count(order, 1)
        self.seated[number] = order
        return True

    def _shared_seats(self, player: int, seats: int) -> list[int]:
        """Return for each seat how much more often the player's opponents have had it than the average.

        The unit is one part of as many as there are players.
        """
        others = self.met[player]
        return [
            len(self.counts) * sum(self.counts[other][seat] for other in others) - len(others) * self.total[seat]
            for seat in range(seats)
        ]

    def _count(self, table: Sequence[int], by: int) -> None:
        for seat, player in enumerate(table):
            self.counts[player][seat] += by


def _met_elsewhere(tables: Sequence[Sequence[int]], played: Rounds) -> Mapping[int, Collection[int]]:
    """Return for each player the opponents who sit at another table now."""
    table_of = {player: number for number, table in enumerate(tables) for player in table}
    met: dict[int, list[int]] = {player: [] for player in table_of}
    for one, other in meetings(played):
        if one in met and other in met and table_of[one] != table_of[other]:
            met[one].append(other)
            met[other].append(one)
    return met


def _seat_prices(counts: Sequence[Sequence[int]]) -> PairPrices:
    """Return what each seat adds to the squared counts of each player of a table; first deals outweigh the rest."""
    # A seat had k times before adds 2k + 1 to the squares.
    deltas = [[2 * count + 1 for count in row[: len(counts)]] for row in counts]
    level_weight = sum(map(max, deltas)) + 1
    return [[level_weight * first, *others] for first, *others in deltas]
