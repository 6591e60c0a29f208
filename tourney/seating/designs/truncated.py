"""Tables of two sizes from a design of one: players who meet as seldom as can be are dropped from it.

Each round then has as many tables short of one player as players were dropped, unless two of those share a table:
then others move there. Whom to drop, and which rounds of the design to play, decides how level the turns at
short tables are.
"""

from dataclasses import dataclass
from typing import Final

from tourney.seating.model import Groups
from tourney.seating.quality.metrics import meetings, spread
from tourney.seating.rng import Chance, shuffled

TRIES: Final = 1_500
"""Choices of rounds and players looked at."""

STRANGERS: Final = 300
"""Of these, how many may fail to find players who never meet before those who do are dropped."""


Places = dict[int, list[int]]
"""The table of each player in one round."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Rounds of a design to play, players to leave out, and the turns at short tables that this makes."""

    rounds: tuple[int, ...]
    dropped: tuple[int, ...]
    unevenness: tuple[int, int]


def drop(groups: Groups, rounds: int, missing: int, draw: Chance) -> Groups:
    """Rounds of the design without `missing` players, renumbered, larger tables first.

    At most `rounds` of them, fewer if the design has fewer. If no such players were found who never meet, some round
    repeats a few meetings.
    """
    best: Choice | None = None
    places = [_table_of(tables) for tables in groups]
    for number in range(TRIES if missing > 1 else 1):
        choice = _choose(places, rounds, missing, number < STRANGERS or best is not None, draw)
        if choice is not None and (best is None or choice.unevenness < best.unevenness):
            best = choice
        if best is not None and best.unevenness[0] <= 1:
            break
    assert best is not None, "players at one table can always be dropped"
    return _filled(_without(groups, best))


def _choose(places: list[Places], rounds: int, missing: int, strangers: bool, draw: Chance) -> Choice | None:
    """A choice drawn by lot: players who never meet, or None if the lot finds no such; otherwise some of one table."""
    order = shuffled(list(range(len(places))), draw)
    numbers, spare = sorted(order[:rounds]), order[rounds:]
    tables = [places[number] for number in numbers]
    if strangers and spare and draw() < 0.5:
        # Those of one table of a round that is not played meet all others about equally often.
        dropped = shuffled(places[spare[0]][int(draw() * len(places[0]))], draw)[:missing]
    elif strangers:
        dropped = _strangers(tables, missing, draw)
    else:
        shared = tables[int(draw() * len(tables))][int(draw() * len(places[0]))]
        dropped = shuffled(shared, draw)[:missing]
    if len(dropped) < missing:
        return None
    turns = [0] * len(places[0])
    for player in (player for table_of in tables for other in dropped for player in table_of[other]):
        turns[player] += 1
    for player in sorted(dropped, reverse=True):
        del turns[player]
    return Choice(tuple(numbers), tuple(dropped), (spread(turns), sum(turn * turn for turn in turns)))


def _strangers(tables: list[Places], missing: int, draw: Chance) -> list[int]:
    """As many players who never meet as are wanted, or fewer if the lot finds no more."""
    dropped: list[int] = []
    for _ in range(8 * missing):
        if len(dropped) == missing:
            break
        player = int(draw() * len(tables[0]))
        if all(player not in table_of[other] for other in dropped for table_of in tables):
            dropped.append(player)
    return dropped


def _table_of(tables: list[list[int]]) -> Places:
    return {player: table for table in tables for player in table}


def _without(groups: Groups, choice: Choice) -> Groups:
    players = sum(len(table) for table in groups[0])
    stay = [player for player in range(players) if player not in choice.dropped]
    new = {player: number for number, player in enumerate(stay)}
    return [
        [[new[player] for player in table if player in new] for table in groups[number]] for number in choice.rounds
    ]


def _filled(groups: Groups) -> Groups:
    """The rounds after players of full tables have moved to those that are two short or more, larger tables first.

    Always those move whom it costs the fewest repeats.
    """
    met = meetings(groups)
    for tables in groups:
        size = max(map(len, tables))
        while len(low := min(tables, key=len)) < size - 1:
            full = (table for table in tables if len(table) == size)
            options = ((_repeats(player, table, low, met), player, table) for table in full for player in table)
            _, player, table = min(options)
            table.remove(player)
            _count(player, table, met, -1)
            _count(player, low, met, 1)
            low.append(player)
        tables.sort(key=len, reverse=True)
    return groups


def _repeats(player: int, table: list[int], low: list[int], met: dict[tuple[int, int], int]) -> int:
    """How many repeats more the rounds have if the player moves from one table to the other."""
    new = sum(_times(player, other, met) > 0 for other in low)
    return new - sum(_times(player, other, met) > 1 for other in table if other != player)


def _count(player: int, others: list[int], met: dict[tuple[int, int], int], by: int) -> None:
    for other in others:
        pair = min(player, other), max(player, other)
        met[pair] = met.get(pair, 0) + by


def _times(one: int, other: int, met: dict[tuple[int, int], int]) -> int:
    return met.get((min(one, other), max(one, other)), 0)
