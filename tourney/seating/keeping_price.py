"""The price of keeping a constraint that a round breaks: the repeats of the cheapest such round beyond this one's."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from tourney.seating.constraints import Constraints
from tourney.seating.quality.metrics import Rounds, meetings
from tourney.seating.search.exact import is_tractable
from tourney.seating.separate import shared
from tourney.seating.swiss import EXACT_PLAYERS, Met, repeats, swiss_tables


@dataclass(frozen=True, slots=True)
class KeepingPrice:
    """The repeats that a round has more if it keeps a constraint; None if no seating keeps it.

    A third meeting counts as five repeats and later ones as more, as in Swiss rounds. Unless `exact`, a search found
    the round, and another may cost less.
    """

    repeats: int | None
    exact: bool


def price_apart(
    tables: Sequence[Sequence[int]], played: Rounds, constraints: Constraints, pair: tuple[int, int]
) -> KeepingPrice:
    """Return the price of keeping a pair apart in this round, beside all pairs that are kept apart in it now.

    The players and the sizes of the tables stay.
    """
    sizes, order = sorted(map(len, tables), reverse=True), sorted(player for table in tables for player in table)
    kept = (wanted_apart(constraints) | constraints.never_pairs).difference(shared(tables, wanted_apart(constraints)))
    wanted = Constraints(never=tuple(map(frozenset, sorted({*kept, pair}))))
    cheapest = swiss_tables(order, sizes, played, "the price of a constraint", "anybody", wanted)
    met, exact = meetings(played), len(order) <= EXACT_PLAYERS or is_tractable(sizes)
    if shared(cheapest, wanted.never_pairs):
        return KeepingPrice(None, exact)
    return KeepingPrice(repeats(cheapest, met) - repeats(tables, met), exact)


def price_together(tables: Sequence[Sequence[int]], played: Rounds, pair: tuple[int, int]) -> KeepingPrice:
    """Return the lowest price of a swap that seats a pair at one table; None if one of them has a bye."""
    met: Met = meetings(played)
    at = {player: number for number, table in enumerate(tables) for player in table}
    if not set(pair) <= at.keys():
        return KeepingPrice(None, False)
    prices = [
        repeats(_swapped(tables, mover, other), met) - repeats(tables, met)
        for mover, stays in (pair, pair[::-1])
        for other in tables[at[stays]]
        if other != stays
    ]
    return KeepingPrice(min(prices), False)


def _swapped(tables: Sequence[Sequence[int]], first: int, second: int) -> list[list[int]]:
    exchange = {first: second, second: first}
    return [[exchange.get(player, player) for player in table] for table in tables]


def apart_pairs(tables: Sequence[Sequence[int]], constraints: Constraints) -> list[tuple[int, tuple[int, int]]]:
    """Return each pair to be kept apart that shares a table, with the place of the table."""
    wanted = wanted_apart(constraints)
    return [(place, pair) for place, table in enumerate(tables) for pair in shared([table], wanted)]


def wanted_apart(constraints: Constraints) -> set[tuple[int, int]]:
    """Return the pairs to be kept apart, lower number first; a wish to sit together goes before a club."""
    together = {(min(pair), max(pair)) for pair in constraints.together}
    return {pair for group in constraints.apart for pair in combinations(sorted(group), 2)} - together
