"""Seats at the tables: level for every player, first deals above all, and the cost of what is uneven."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal

from tourney.seating.balance.edge_colouring import colour_seats
from tourney.seating.model import Groups, Round
from tourney.seating.quality.metrics import Rounds, meetings, seat_counts, smaller_table_rounds

Counts = list[list[int]]
"""For each player, how often in each seat."""

FIRST_DEAL_WEIGHT: Final = 10_000
"""The weight of an uneven first deal, in uneven rounds in another seat: more than all of them together."""

ABOVE_CAP_WEIGHT: Final = 100
"""The weight, in uneven rounds in another seat, of a seat taken more often than necessary."""

PASSES: Final = 4
"""The number of passes that shift first deals and then level all seats.

Only in the last pass may a shift give a player another seat more often than necessary.
"""

SWEEPS: Final = 12
"""The most sweeps over all tables for a better order; it ends long before by itself."""


def seat(groups: Groups, before: Sequence[Sequence[int]]) -> tuple[Round, ...]:
    """Return these tables with their players in seat order, first dealer first.

    `before[p][s]` is how often player p has already had seat s (as many seats as the largest table).
    """
    seated = colour_seats([table for tables in groups for table in tables])
    counts = [list(row) for row in before]
    played = max(map(sum, counts), default=0) + len(groups)
    cap = -(-played // min(map(len, seated), default=1))
    for table in seated:
        for place, player in enumerate(table):
            counts[player][place] += 1
    for number in range(PASSES):
        while _shift_first_deal(seated, counts, cap if number < PASSES - 1 else played):
            pass
        for _ in range(SWEEPS):
            if not _sweep(seated, counts, cap):
                break
    ordered = iter(seated)
    return tuple(tuple(tuple(next(ordered)) for _ in tables) for tables in groups)


def _shift_first_deal(tables: list[list[int]], counts: Counts, cap: int) -> bool:
    """Shift one first deal along a shortest path of tables, from a player with most to one with two fewer or more.

    Returns False if there is no such path; first deals are then as even as possible. No shift gives a player another
    seat more than `cap` times.
    """
    most = max((row[0] for row in counts), default=0)
    dealt: dict[int, list[int]] = {}
    for number, table in enumerate(tables):
        dealt.setdefault(table[0], []).append(number)
    reached: dict[int, int | None] = {player: None for player in dealt if counts[player][0] == most}
    waiting = list(reached)
    for giver in waiting:
        for number in dealt.get(giver, ()):
            for place, player in enumerate(tables[number][1:], 1):
                if player in reached or counts[giver][place] >= cap:
                    continue
                reached[player] = number
                if counts[player][0] <= most - 2:
                    _apply_shift(tables, counts, reached, player)
                    return True
                waiting.append(player)
    return False


def _apply_shift(tables: list[list[int]], counts: Counts, reached: dict[int, int | None], player: int) -> None:
    """Make the player first dealer where the path reached them, and so on back to its start."""
    while (number := reached[player]) is not None:
        giver = tables[number][0]
        _swap(tables[number], counts, 0, tables[number].index(player))
        player = giver


def _swap(table: list[int], counts: Counts, low: int, high: int) -> None:
    low_player, high_player = table[low], table[high]
    table[low], table[high] = high_player, low_player
    counts[low_player][low] -= 1
    counts[low_player][high] += 1
    counts[high_player][high] -= 1
    counts[high_player][low] += 1


def _sweep(tables: list[list[int]], counts: Counts, cap: int) -> bool:
    """Swap seats within tables wherever that is fairer; report whether anything changed."""
    changed = False
    for table in tables:
        for low, high in combinations(range(len(table)), 2):
            if _unfairness(table, counts, low, high, cap) < 0:
                _swap(table, counts, low, high)
                changed = True
    return changed


def _unfairness(table: list[int], counts: Counts, low: int, high: int, cap: int) -> int:
    """Return the change of half the sum of squared, weighted seat counts if two players swap seats.

    Above all it is unfair to have one seat more than `cap` times.
    """
    low_counts, high_counts = counts[table[low]], counts[table[high]]
    rise_low = high_counts[low] - low_counts[low] + 1
    rise_high = low_counts[high] - high_counts[high] + 1
    above = (high_counts[low] >= cap) + (low_counts[high] >= cap) - (low_counts[low] > cap) - (high_counts[high] > cap)
    return rise_low * (FIRST_DEAL_WEIGHT if low == 0 else 1) + rise_high + above * ABOVE_CAP_WEIGHT


def best_seats(prices: Sequence[Sequence[int]]) -> tuple[int, tuple[int, ...]]:
    """Assign players to as many seats with the least sum of `prices[player][seat]`: return the sum and the order.

    The order has the player of each seat, the first of several such orders. Prices of further seats are ignored.
    """
    # The best order of each set of players (as bits) in the first seats.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(len(prices)):
        longer: dict[int, tuple[int, tuple[int, ...]]] = {}
        for seated, (price, order) in best.items():
            for player, row in enumerate(prices):
                with_player = seated | 1 << player
                if with_player != seated:
                    option = price + row[seat], (*order, player)
                    longer[with_player] = min(option, longer.get(with_player, option))
        best = longer
    return best[(1 << len(prices)) - 1]


SeatPrices = list[list[int]]
"""The price of each seat for each player of a table."""


def seat_round(tables: Sequence[Sequence[int]], played: Rounds) -> Round:
    """Return the tables of one round with their players in seat order, as level as possible, above all in first deals.

    Level means the least sum of squared counts, the rounds `played` included. Among equally level orders, players who
    have met get the same seats where possible, so that players who have not met have had different ones: they may meet
    in the next round, and then need different seats. Each table in turn gets its best seats, given those of the other
    tables, until none changes. Among equal orders, the player listed earlier at the table gets the lower seat.
    """
    lookahead = _SeatLookahead(tables, played)
    for _sweep in range(SWEEPS):
        if not sum([lookahead.settle(number) for number in range(len(tables))]):
            break
    return tuple(lookahead.seated)


class _SeatLookahead:
    """The tables of a round in seats that may still change, and each player's seat counts with these."""

    def __init__(self, tables: Sequence[Sequence[int]], played: Rounds) -> None:
        self.tables = tables
        players = [player for table in tables for player in table]
        before = seat_counts(played, max(players, default=0) + 1)
        widest = max(len(before[0]), *map(len, tables)) if tables else 1
        self.counts = {player: [*before[player], *[0] * widest][:widest] for player in players}
        self.met = _met_elsewhere(tables, played)
        self.deltas = [_seat_prices([self.counts[player] for player in table]) for table in tables]
        self.seated = [
            tuple(table[place] for place in best_seats(deltas)[1])
            for table, deltas in zip(tables, self.deltas, strict=True)
        ]
        for table in self.seated:
            self._count(table, 1)
        self.total = [sum(row[seat] for row in self.counts.values()) for seat in range(widest)]

    def settle(self, number: int) -> bool:
        """Give a table its best seats; report whether they changed."""
        table = self.tables[number]
        shared_seats = [self._shared_seats(player, len(table)) for player in table]
        # Level seats outweigh any lookahead.
        level_weight = sum(max(row) - min(row) for row in shared_seats) + 1
        prices = [
            [level_weight * delta - shared for delta, shared in zip(*rows, strict=True)]
            for rows in zip(self.deltas[number], shared_seats, strict=True)
        ]
        order = tuple(table[place] for place in best_seats(prices)[1])
        if order == self.seated[number]:
            return False
        self._count(self.seated[number], -1)
        self._count(order, 1)
        self.seated[number] = order
        return True

    def _shared_seats(self, player: int, seats: int) -> list[int]:
        """Return for each seat how much more often than average the player's opponents have had it, times players."""
        others = self.met[player]
        return [
            len(self.counts) * sum(self.counts[other][seat] for other in others) - len(others) * self.total[seat]
            for seat in range(seats)
        ]

    def _count(self, table: Sequence[int], by: int) -> None:
        for seat, player in enumerate(table):
            self.counts[player][seat] += by


def _met_elsewhere(tables: Sequence[Sequence[int]], played: Rounds) -> Mapping[int, Collection[int]]:
    """Return for each player the earlier opponents who sit at another table now."""
    table_of = {player: number for number, table in enumerate(tables) for player in table}
    met: dict[int, list[int]] = {player: [] for player in table_of}
    for first, second in meetings(played):
        if first in met and second in met and table_of[first] != table_of[second]:
            met[first].append(second)
            met[second].append(first)
    return met


def _seat_prices(counts: Sequence[Sequence[int]]) -> SeatPrices:
    """Return what each seat adds to the squared counts of each player of a table; first deals outweigh the rest."""
    # A seat had k times before adds 2k + 1 to the squares.
    deltas = [[2 * count + 1 for count in row[: len(counts)]] for row in counts]
    level_weight = sum(map(max, deltas)) + 1
    return [[level_weight * first, *others] for first, *others in deltas]


DEALER: Final = 2
"""The weight of a first deal too many, in rounds too many in another seat."""

MAX_BALANCED_SIZE: Final = 5
"""At larger tables only the first seat counts: there are too many ways to fill all seats."""

BalancedSeats = Literal["every seat", "first deals"]
"""The seats whose counts have a cost."""

BITS_PER_KIND: Final = 4
"""Bits of a key that count the players of one kind at a table, who are fewer than sixteen."""


@dataclass(frozen=True, slots=True)
class BalanceCost:
    """The cost of tables by the earlier rounds of their players, who are numbered by their places in an order.

    Each player of a table costs the rounds they have had in their seat beyond those in their rarest seat. The first
    dealer also costs `DEALER` times their first deals beyond the fewest of any player; at a table smaller than
    `largest` each player also costs their rounds at such tables beyond the fewest of any player. A table costs the
    least that any order of its players in its seats does. Where only first deals are balanced, seats cost nothing else.

    Players with equal counts are of one kind. The cost of a table follows from the number of players of each kind,
    which is its key, and is computed once: `marks[p]` is what player p adds to the key, one digit for each of the
    `kinds`. The last number of a kind is its cost at a smaller table.
    """

    marks: Sequence[int]
    kinds: Sequence[tuple[int, ...]]
    largest: int
    cost_by_key: dict[int, int] = field(default_factory=lambda: {0: 0})

    @classmethod
    def after(
        cls, order: Sequence[int], played: Rounds, largest: int, balanced_seats: BalancedSeats = "every seat"
    ) -> "BalanceCost":
        """Return the cost of tables of at most `largest` of these players after the rounds played."""
        all_seats = balanced_seats == "every seat" and largest <= MAX_BALANCED_SIZE
        everybody = max(order) + 1
        seats, short = seat_counts(played, everybody), smaller_table_rounds(played, everybody)
        rows = [[*seats[player], *[0] * largest][:largest] for player in order]
        dealt, sat_short = min(row[0] for row in rows), min(short[player] for player in order)
        counts = []
        for player, row in zip(order, rows, strict=True):
            first, *others = [count - min(row) for count in row] if all_seats else [0] * largest
            counts.append((DEALER * (row[0] - dealt) + first, *others, short[player] - sat_short))
        kinds = list(dict.fromkeys(counts))
        digit = {kind: 1 << BITS_PER_KIND * number for number, kind in enumerate(kinds)}
        return cls([digit[kind] for kind in counts], kinds, largest)

    def of(self, table: Sequence[int]) -> int:
        """Return the cost of one table."""
        return self.at(self.key(table))

    def key(self, table: Sequence[int]) -> int:
        """Return how many of each kind sit at the table, as one number."""
        return sum(map(self.marks.__getitem__, table))

    def at(self, key: int) -> int:
        """Return the cost of a table with this key."""
        if key not in self.cost_by_key:
            table = [
                kind for number, kind in enumerate(self.kinds) for _player in range(key >> BITS_PER_KIND * number & 15)
            ]
            short = sum(kind[-1] for kind in table) if len(table) < self.largest else 0
            self.cost_by_key[key] = _table_balance(tuple(sorted(table))) + short
        return self.cost_by_key[key]

    @property
    def most(self) -> int:
        """A cost that no seating of all these players exceeds."""
        return sum(max(kind) + kind[-1] for mark in self.marks for kind in self._kind(mark))

    def _kind(self, mark: int) -> Sequence[tuple[int, ...]]:
        number = (mark.bit_length() - 1) // BITS_PER_KIND
        return self.kinds[number : number + 1]


@lru_cache(maxsize=1 << 14)
def _table_balance(table: tuple[tuple[int, ...], ...]) -> int:
    """Return the cost of players of these kinds in their best seats, cached since kinds recur."""
    return best_seats(table)[0]
