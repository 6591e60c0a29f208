"""Which of a round's tables stands where: players come back to the same place as seldom as can be."""

from collections.abc import Sequence
from typing import Final

from tourney.seating.model import Groups
from tourney.seating.quality.metrics import Rounds

SWEEPS: Final = 20
"""How often all rounds are gone through; it ends by itself long before."""


def numbered(groups: Groups, played: Rounds, needs: Sequence[tuple[int, int]], players: int) -> Groups:
    """The same rounds with their tables in another order; the place of a table is its number, from 1.

    The sum of squares of everybody's visits to each place is as low as exchanging two tables of a round makes it,
    the rounds `played` included. Each (player, number) of `needs` has his table there in every round, where there
    is one of that number; of two at different tables who need the same place, the first.
    """
    visits: list[dict[int, int]] = [{} for _ in range(players)]
    for tables in (*played, *groups):
        _count(visits, tables, 1)
    rounds = [list(tables) for tables in groups]
    for _sweep in range(SWEEPS):
        if not sum([_settle(tables, visits) for tables in rounds]):
            break
    for tables in rounds:
        _put(tables, needs)
    return rounds


def put(groups: Groups, needs: Sequence[tuple[int, int]]) -> Groups:
    """The same rounds with only those tables exchanged that somebody needs elsewhere."""
    rounds = [list(tables) for tables in groups]
    for tables in rounds:
        _put(tables, needs)
    return rounds


def _count(visits: list[dict[int, int]], tables: Sequence[Sequence[int]], by: int) -> None:
    for place, table in enumerate(tables):
        _visit(visits, table, place, by)


def _visit(visits: list[dict[int, int]], table: Sequence[int], place: int, by: int) -> None:
    for player in table:
        if player < len(visits):
            visits[player][place] = visits[player].get(place, 0) + by


def _settle(tables: list[list[int]], visits: list[dict[int, int]]) -> bool:
    """Whether exchanging two tables of the round saved visits; all exchanges that do are made."""
    _count(visits, tables, -1)
    changed = False
    for first, table in enumerate(tables):
        if not _been(visits, table, first):
            continue
        rises = [(_rise(visits, tables, first, second), second) for second in range(len(tables)) if second != first]
        rise, second = min(rises, default=(0, first))
        if rise < 0:
            tables[first], tables[second] = tables[second], tables[first]
            changed = True
    _count(visits, tables, 1)
    return changed


def _rise(visits: list[dict[int, int]], tables: list[list[int]], first: int, second: int) -> int:
    one, other = tables[first], tables[second]
    before = _been(visits, one, first) + _been(visits, other, second)
    return _been(visits, one, second) + _been(visits, other, first) - before


def _been(visits: list[dict[int, int]], table: Sequence[int], place: int) -> int:
    """How often these players have had the place in the other rounds; half of what it adds to the squares."""
    return sum(visits[player].get(place, 0) for player in table if player < len(visits))


def _put(tables: list[list[int]], needs: Sequence[tuple[int, int]]) -> None:
    taken: set[int] = set()
    for player, number in needs:
        place = number - 1
        at = next((here for here, table in enumerate(tables) if player in table), place)
        if place < len(tables) and place not in taken and at not in taken:
            tables[place], tables[at] = tables[at], tables[place]
            taken.add(place)
