"""The numbers of a round's tables: players return to one number as seldom as possible."""

from collections.abc import Sequence
from typing import Final

from tourney.seating.model import Groups
from tourney.seating.quality.metrics import Rounds

SWEEPS: Final = 20
"""The most sweeps over all rounds; the search ends long before by itself."""


def number_tables(groups: Groups, played: Rounds, needs: Sequence[tuple[int, int]], players: int) -> Groups:
    """Return these rounds with their tables reordered; the place of a table is its number, from 1.

    Tables of a round are swapped while that lowers the sum of squared visits of each player to each number, the rounds
    `played` included. The player of each (player, number) of `needs` gets that number in every round that has it; if
    players of different tables need one number, the first does.
    """
    visits: list[dict[int, int]] = [{} for _ in range(players)]
    for tables in (*played, *groups):
        _count(visits, tables, 1)
    rounds = [list(tables) for tables in groups]
    for _sweep in range(SWEEPS):
        if not sum([_settle(tables, visits) for tables in rounds]):
            break
    for tables in rounds:
        _place_constrained(tables, needs)
    return rounds


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


def _settle(tables: list[list[int]], visits: list[dict[int, int]]) -> bool:
    """Swap tables of the round where that lowers the visits; report whether any were swapped."""
    _count(visits, tables, -1)
    changed = False
    for first, table in enumerate(tables):
        if not _visit_count(visits, table, first):
            continue
        deltas = [
            (_swap_delta(visits, tables, first, second), second) for second in range(len(tables)) if second != first
        ]
        delta, second = min(deltas, default=(0, first))
        if delta < 0:
            tables[first], tables[second] = tables[second], tables[first]
            changed = True
    _count(visits, tables, 1)
    return changed


def _swap_delta(visits: list[dict[int, int]], tables: list[list[int]], first: int, second: int) -> int:
    table, other_table = tables[first], tables[second]
    before = _visit_count(visits, table, first) + _visit_count(visits, other_table, second)
    return _visit_count(visits, table, second) + _visit_count(visits, other_table, first) - before


def _visit_count(visits: list[dict[int, int]], table: Sequence[int], place: int) -> int:
    """Return how often these players have had the place in the other rounds: half of what it adds to the squares."""
    return sum(visits[player].get(place, 0) for player in table if player < len(visits))


def _place_constrained(tables: list[list[int]], needs: Sequence[tuple[int, int]]) -> None:
    taken: set[int] = set()
    for player, number in needs:
        place = number - 1
        at = next((index for index, table in enumerate(tables) if player in table), place)
        if place < len(tables) and place not in taken and at not in taken:
            tables[place], tables[at] = tables[at], tables[place]
            taken.add(place)
