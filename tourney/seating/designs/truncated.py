"""Truncated designs: tables of two sizes from a design of one, by leaving out players who meet as seldom as possible.

Each round then has as many tables short of one player as players were left out; where two players left out share a
table, another player moves to it. The choice of players to leave out, and of rounds of the design to play, decides how
level the rounds at a smaller table are.
"""

from dataclasses import dataclass
from typing import Final

from tourney.seating.model import Groups
from tourney.seating.quality.metrics import meetings, spread
from tourney.seating.rng import Rng, shuffled

MAX_CHOICES: Final = 1_500
"""The most choices of rounds and players evaluated."""

STRANGER_CHOICES: Final = 300
"""Once this many choices have found no players who never meet, players who do meet are left out."""


Places = dict[int, list[int]]
"""The table of each player in one round."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """Rounds of a design to play, players to leave out, and the spread and sum of squares of smaller-table rounds."""

    rounds: tuple[int, ...]
    dropped: tuple[int, ...]
    unevenness: tuple[int, int]


def truncate(groups: Groups, rounds: int, missing: int, rng: Rng) -> Groups:
    """Return rounds of the design without `missing` players, renumbered, larger tables first.

    At most `rounds` of them, fewer if the design has fewer. If no players were found who never meet, some round has a
    few repeats.
    """
    best: Truncation | None = None
    places = [_table_of(tables) for tables in groups]
    for number in range(MAX_CHOICES if missing > 1 else 1):
        choice = _choose(places, rounds, missing, number < STRANGER_CHOICES or best is not None, rng)
        if choice is not None and (best is None or choice.unevenness < best.unevenness):
            best = choice
        if best is not None and best.unevenness[0] <= 1:
            break
    assert best is not None, "players at one table can always be dropped"
    return _filled(_without(groups, best))


def _choose(places: list[Places], rounds: int, missing: int, strangers: bool, rng: Rng) -> Truncation | None:
    """Draw a choice of `strangers`, who never meet, or else of players of one table; None if the draw finds none."""
    order = shuffled(list(range(len(places))), rng)
    numbers, spare = sorted(order[:rounds]), order[rounds:]
    tables = [places[number] for number in numbers]
    if strangers and spare and rng() < 0.5:
        # The players of a table of a round that is not played meet all others about equally often.
        dropped = shuffled(places[spare[0]][int(rng() * len(places[0]))], rng)[:missing]
    elif strangers:
        dropped = _drawn_strangers(tables, missing, rng)
    else:
        shared = tables[int(rng() * len(tables))][int(rng() * len(places[0]))]
        dropped = shuffled(shared, rng)[:missing]
    if len(dropped) < missing:
        return None
    smaller_rounds = [0] * len(places[0])
    for player in (player for table_of in tables for other in dropped for player in table_of[other]):
        smaller_rounds[player] += 1
    for player in sorted(dropped, reverse=True):
        del smaller_rounds[player]
    return Truncation(
        tuple(numbers), tuple(dropped), (spread(smaller_rounds), sum(count * count for count in smaller_rounds))
    )


def _drawn_strangers(tables: list[Places], missing: int, rng: Rng) -> list[int]:
    """Draw `missing` players who never meet, or fewer if the draw finds no more."""
    dropped: list[int] = []
    for _ in range(8 * missing):
        if len(dropped) == missing:
            break
        player = int(rng() * len(tables[0]))
        if all(player not in table_of[other] for other in dropped for table_of in tables):
            dropped.append(player)
    return dropped


def _table_of(tables: list[list[int]]) -> Places:
    return {player: table for table in tables for player in table}


def _without(groups: Groups, choice: Truncation) -> Groups:
    players = sum(len(table) for table in groups[0])
    remaining = [player for player in range(players) if player not in choice.dropped]
    new = {player: number for number, player in enumerate(remaining)}
    return [
        [[new[player] for player in table if player in new] for table in groups[number]] for number in choice.rounds
    ]


def _filled(groups: Groups) -> Groups:
    """Return the rounds after moving players from full tables to those that lack two or more, larger tables first.

    The players moved are those who add the fewest repeats.
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
    """Return how many repeats are added if the player moves from one table to the other."""
    new = sum(_times(player, other, met) > 0 for other in low)
    return new - sum(_times(player, other, met) > 1 for other in table if other != player)


def _count(player: int, others: list[int], met: dict[tuple[int, int], int], by: int) -> None:
    for other in others:
        pair = min(player, other), max(player, other)
        met[pair] = met.get(pair, 0) + by


def _times(player: int, other: int, met: dict[tuple[int, int], int]) -> int:
    return met.get((min(player, other), max(player, other)), 0)
