"""The chance to go through: how often a player does, if the remaining games are like those played so far.

Everybody is taken to be equally strong from now on: the points of each remaining game are those of a game that was
played, given to its players at random.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from tourney.seating.rng import Rng, seeded_rng, shuffled
from tourney.standings.cut_states import Remaining, Runner

ENDINGS: Final = 400
"""The endings that are drawn for a chance."""


def chances(
    runners: Sequence[Runner],
    remaining: Remaining,
    places: int,
    games: Mapping[int, Sequence[Sequence[int]]],
    size: int,
    seed: str,
) -> dict[int, float]:
    """Return the share of endings in which each player of one list goes through.

    `games` has the points of played games by the number of their players; `size` is the size of tables to come. Ties
    are decided at random. Players have no chance where no game has been played.
    """
    rng = seeded_rng("chances", seed, remaining.round)
    through: Counter[int] = Counter()
    playing = [runner for runner in runners if runner.plays]
    for _number in range(ENDINGS):
        averages = _ending(playing, remaining, games, size, rng)
        order = sorted(playing, key=lambda runner: (averages[runner.id], rng()))
        through.update(runner.id for runner in order[:places])
    return {runner.id: through[runner.id] / ENDINGS for runner in runners}


def _ending(
    playing: Sequence[Runner], remaining: Remaining, games: Mapping[int, Sequence[Sequence[int]]], size: int, rng: Rng
) -> dict[int, float]:
    """Return the points per game of each player at a random end."""
    points = {runner.id: runner.points for runner in playing}
    numbers = {runner.id: runner.games for runner in playing}
    for table in (*remaining.tables, *_coming(playing, remaining.undrawn, size, rng)):
        for player, score in zip(table, _game(games, len(table), rng), strict=False):
            if player in points:
                points[player] += score
                numbers[player] += 1
    return {player: points[player] / max(numbers[player], 1) for player in points}


def _coming(playing: Sequence[Runner], undrawn: int, size: int, rng: Rng) -> list[list[int]]:
    """Return random tables for the rounds that are not drawn yet."""
    tables: list[list[int]] = []
    for _round in range(undrawn):
        order = shuffled([runner.id for runner in playing], rng)
        number = -(-len(order) // size)
        tables += [order[at::number] for at in range(number)]
    return tables


def _game(games: Mapping[int, Sequence[Sequence[int]]], players: int, rng: Rng) -> list[int]:
    """Return the points of a game for so many players in random order, from one of that size if there is any."""
    pool = games.get(players) or [scores for each in games.values() for scores in each]
    if not pool:
        return []
    scores = list(pool[int(rng() * len(pool))])
    mixed = shuffled(scores, rng)
    return [mixed[seat % len(mixed)] for seat in range(players)]
