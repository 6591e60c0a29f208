"""Tables of two sizes from a design of one: players who never meet are dropped from it.

Each round then has as many tables short of one player as players were dropped. Whom to drop, and which
rounds of the design to play, decides how level the turns at those tables are.
"""

from dataclasses import dataclass
from typing import Final

from tourney.seating.chance import Chance, shuffled
from tourney.seating.judge import spread
from tourney.seating.values import Groups

TRIES: Final = 1_500
"""Choices of rounds and players looked at."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Rounds of a design to play, players to leave out, and the turns at short tables that this makes."""

    rounds: tuple[int, ...]
    dropped: tuple[int, ...]
    unevenness: tuple[int, int]


def drop(groups: Groups, rounds: int, missing: int, draw: Chance) -> Groups | None:
    """Rounds of the design without `missing` players, renumbered, larger tables first.

    At most `rounds` of them, fewer if the design has fewer; None if no such players were found.
    """
    best: Choice | None = None
    for _ in range(TRIES if missing > 1 else 1):
        choice = _choose(groups, rounds, missing, draw)
        if choice is not None and (best is None or choice.unevenness < best.unevenness):
            best = choice
        if best is not None and best.unevenness[0] <= 1:
            break
    return None if best is None else _without(groups, best)


def _choose(groups: Groups, rounds: int, missing: int, draw: Chance) -> Choice | None:
    numbers = sorted(shuffled(list(range(len(groups))), draw)[:rounds])
    players = sum(len(table) for table in groups[0])
    tables = [_table_of(groups[number]) for number in numbers]
    dropped: list[int] = []
    for _ in range(8 * missing):
        if len(dropped) == missing:
            break
        player = int(draw() * players)
        if all(player not in table_of[other] for other in dropped for table_of in tables):
            dropped.append(player)
    if len(dropped) < missing:
        return None
    turns = [0] * players
    for table_of in tables:
        for player in (player for other in dropped for player in table_of[other]):
            turns[player] += 1
    stay = [turns[player] for player in range(players) if player not in dropped]
    return Choice(tuple(numbers), tuple(dropped), (spread(stay), sum(turn * turn for turn in stay)))


def _table_of(tables: list[list[int]]) -> dict[int, list[int]]:
    return {player: table for table in tables for player in table}


def _without(groups: Groups, choice: Choice) -> Groups:
    players = sum(len(table) for table in groups[0])
    stay = [player for player in range(players) if player not in choice.dropped]
    new = {player: number for number, player in enumerate(stay)}
    return [
        sorted(([new[player] for player in table if player in new] for table in groups[number]), key=_shrinking)
        for number in choice.rounds
    ]


def _shrinking(table: list[int]) -> int:
    return -len(table)
