"""Seats at the tables: level for every player, first deals above all."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from tourney.seating.balance.edge_colouring import colour_seats
from tourney.seating.model import Groups, Round

Counts = list[list[int]]
"""For each player, how often in each seat."""

DEALER: Final = 10_000
"""The weight of an uneven turn as first dealer, in uneven turns in another seat: more than all of them."""

ABOVE: Final = 100
"""The weight, in such turns, of a seat taken more often than necessary."""

PASSES: Final = 4
"""How often first deals are shifted and then all seats levelled; only the last time a first deal may cost somebody
another seat once too often."""

SWEEPS: Final = 12
"""How often all tables are gone through for a better order; it stops long before by itself."""


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
    """Shift one first deal, table by table, from a player with most to one with two fewer; False if none is.

    Shortest such paths, until there is none, leave the least uneven numbers of first deals. Nobody gets another seat
    more than `cap` times by it.
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
    one, other = table[low], table[high]
    table[low], table[high] = other, one
    counts[one][low] -= 1
    counts[one][high] += 1
    counts[other][high] -= 1
    counts[other][low] += 1


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
    one, other = counts[table[low]], counts[table[high]]
    rise_low = other[low] - one[low] + 1
    rise_high = one[high] - other[high] + 1
    above = (other[low] >= cap) + (one[high] >= cap) - (one[low] > cap) - (other[high] > cap)
    return rise_low * (DEALER if low == 0 else 1) + rise_high + above * ABOVE


def best_seats(prices: Sequence[Sequence[int]]) -> tuple[int, tuple[int, ...]]:
    """Assign players to as many seats with the least sum of `prices[player][seat]`: return the sum and the order.

    The order has the player of each seat, the first of several such orders. Prices of further seats are ignored.
    """
    # The best order of each set of people, as bits, in the first seats.
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for seat in range(len(prices)):
        longer: dict[int, tuple[int, tuple[int, ...]]] = {}
        for seated, (price, order) in best.items():
            for who, row in enumerate(prices):
                both = seated | 1 << who
                if both != seated:
                    option = price + row[seat], (*order, who)
                    longer[both] = min(option, longer.get(both, option))
        best = longer
    return best[(1 << len(prices)) - 1]
