"""The numbers of a round's tables: players return to one number as seldom as possible."""

from collections.abc import Callable, Sequence
from typing import Final

from tourney.seating.model import DRAWN_AS, NUMBERED_ONCE, Groups
from tourney.seating.quality.metrics import Rounds
from tourney.seating.rng import seeded_rng, shuffled

STARTS: Final = 20
"""The most orders of tables from which the search begins, while somebody has one table too often."""
MAX_SWAPS: Final = 20_000
"""The swaps that a sweep of all these searches together may try."""
SWEEPS: Final = 20
"""The most sweeps over all rounds; the search ends long before by itself."""
Price = Callable[[int], int]
"""A function from a player's earlier visits to a number to the price of one more visit."""


def _square(visits: int) -> int:
    """Return half of what one more visit adds to the square of visits, but for a constant."""
    return visits


def _even(visits: int) -> int:
    """Return a price in which squares come first, and among equal sums many visits of one player cost more."""
    return visits * 10**9 + visits**3


def number_tables(groups: Groups, played: Rounds, needs: Sequence[tuple[int, int]], players: int) -> Groups:
    """Return these rounds with their tables reordered; the place of a table is its number, from 1.

    Tables of a round are swapped while that lowers the sum of squared visits of each player to each number, the rounds
    `played` included. If somebody then has one number too often, further searches look for numbers that are as good and
    more even. The player of each (player, number) of `needs` gets that number in every round that has it; if players of
    different tables need one number, the first does.
    """
    found, best = _numbered(groups, played, players, _square)
    tables = max(map(len, groups), default=1)
    least = -(-(len(played) + len(groups)) // tables)
    starts = 0 if DRAWN_AS.get() <= NUMBERED_ONCE else min(STARTS, MAX_SWAPS // (tables**2 * len(groups) or 1))
    for start in range(starts):
        if best[1] <= least + 1:
            break
        rng = seeded_rng("table numbers", start)
        begin = [shuffled(each, rng) for each in groups] if start else found
        others, now = _numbered(begin, played, players, _even)
        found, best = (others, now) if now < best else (found, best)
    return place_constrained(found, needs)


Numbering = tuple[Groups, tuple[int, int, int]]
"""Rounds with their tables in order; the sum of squared visits, the most visits to a number, and how often these occur.
"""


def _numbered(groups: Groups, played: Rounds, players: int, price: Price) -> Numbering:
    """Return the rounds as swaps of tables order them, from the order that they have."""
    visits: list[dict[int, int]] = [{} for _ in range(players)]
    for tables in (*played, *groups):
        _count(visits, tables, 1)
    rounds = [list(tables) for tables in groups]
    for _sweep in range(SWEEPS):
        if not sum([_settle(tables, visits, price) for tables in rounds]):
            break
    counts = [count for numbers in visits for count in numbers.values()]
    most = max(counts, default=0)
    return rounds, (sum(count * count for count in counts), most, counts.count(most))


def place_constrained(groups: Groups, needs: Sequence[tuple[int, int]]) -> Groups:
    """Return these rounds after swapping only the tables that a player of `needs` needs at another number."""
    rounds = [list(tables) for tables in groups]
    for tables in rounds:
        _place_constrained(tables, needs)
    return rounds


def _count(visits: list[dict[int, int]], tables: Sequence[Sequence[int]], by: int) -> None:
    for place, table in enumerate(tables):
        _visit(visits, table, place, by)


def _visit(visits: list[dict[int, int]], table: Sequence[int], place: int, by: int) -> None:
    for player in table:
        if player < len(visits):
            visits[player][place] = visits[player].get(place, 0) + by


def _settle(tables: list[list[int]], visits: list[dict[int, int]], price: Price) -> bool:
    """Swap tables of the round where that lowers the visits; report whether any were swapped."""
    _count(visits, tables, -1)
    changed = False
    for first, table in enumerate(tables):
        if not _price(visits, table, first, price):
            continue
        deltas = [
            (_swap_delta(visits, tables, (first, second), price), second)
            for second in range(len(tables))
            if second != first
        ]
        delta, second = min(deltas, default=(0, first))
        if delta < 0:
            tables[first], tables[second] = tables[second], tables[first]
            changed = True
    _count(visits, tables, 1)
    return changed


def _swap_delta(visits: list[dict[int, int]], tables: list[list[int]], swap: tuple[int, int], price: Price) -> int:
    first, second = swap
    table, other_table = tables[first], tables[second]
    before = _price(visits, table, first, price) + _price(visits, other_table, second, price)
    return _price(visits, table, second, price) + _price(visits, other_table, first, price) - before


def _price(visits: list[dict[int, int]], table: Sequence[int], place: int, price: Price) -> int:
    """Return the price of these players' visit to the place, after those in the other rounds."""
    return sum(price(visits[player].get(place, 0)) for player in table if player < len(visits))


def _place_constrained(tables: list[list[int]], needs: Sequence[tuple[int, int]]) -> None:
    taken: set[int] = set()
    for player, number in needs:
        place = number - 1
        at = next((index for index, table in enumerate(tables) if player in table), place)
        if place < len(tables) and place not in taken and at not in taken:
            tables[place], tables[at] = tables[at], tables[place]
            taken.add(place)
