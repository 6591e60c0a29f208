"""The chance to go through: how often a player does, if the remaining games are like those played so far.

Everybody is taken to be equally strong from now on: the points of each remaining game are those of a game that was
played, given to its players at random. Where one table is open, every ending is looked at; otherwise some are drawn.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, permutations
from math import factorial
from typing import Final

from tourney.seating.rng import Rng, seeded_rng, shuffled
from tourney.standings.cut_states import Remaining, Runner

ENDINGS: Final = 1_000
"""The endings that are drawn for a chance."""
MOST_ENDINGS: Final = 5_000
"""The most endings of an open table that are looked at one by one."""

Games = Mapping[int, Sequence[Sequence[int]]]
"""The points of played games by the number of their players."""
Scores = Iterable[tuple[int, int]]
"""The points of players in the remaining games."""


def chances(
    runners: Sequence[Runner], remaining: Remaining, places: int, games: Games, size: int, seed: str
) -> dict[int, float]:
    """Return the share of endings in which each player of one list goes through.

    `size` is the size of tables to come. Players who are level at the border share the places left. Players whose
    prospects are the same have the same chance, also where endings are drawn.
    """
    playing = [runner for runner in runners if runner.plays]
    through: defaultdict[int, float] = defaultdict(float)
    endings = 0
    for scores in _endings(playing, remaining, games, size, seed):
        endings += 1
        for player, share in _through(playing, remaining, scores, places):
            through[player] += share
    shares = {runner.id: through[runner.id] / endings for runner in runners}
    return {**shares, **_shared(playing, remaining, shares)}


def _endings(playing: Sequence[Runner], remaining: Remaining, games: Games, size: int, seed: str) -> Iterator[Scores]:
    """Yield every ending of the only open table, otherwise ENDINGS that are drawn."""
    pool = _pool(games, len(remaining.tables[0])) if remaining.tables else []
    if len(remaining.tables) == 1 and not remaining.undrawn:
        table = remaining.tables[0]
        if len(pool) * factorial(len(table)) <= MOST_ENDINGS:
            for scores in pool:
                yield from (zip(table, order, strict=False) for order in permutations(_filled(scores, len(table))))
            return
    rng = seeded_rng("chances", seed, remaining.round)
    for _number in range(ENDINGS):
        yield _drawn(playing, remaining, games, size, rng)


def _drawn(
    playing: Sequence[Runner], remaining: Remaining, games: Games, size: int, rng: Rng
) -> Iterator[tuple[int, int]]:
    for table in (*remaining.tables, *_coming(playing, remaining.undrawn, size, rng)):
        yield from zip(table, _game(games, len(table), rng), strict=False)


def _through(
    playing: Sequence[Runner], remaining: Remaining, scores: Scores, places: int
) -> Iterator[tuple[int, float]]:
    """Yield who goes through at an end, each with their share of a place: players who are level share what is left."""
    averages = _averages(playing, remaining, scores)
    left = places
    for _average, level in groupby(sorted(averages, key=averages.__getitem__), key=averages.__getitem__):
        together = list(level)
        yield from ((player, min(1.0, left / len(together))) for player in together)
        left -= len(together)
        if left <= 0:
            return


def _averages(playing: Sequence[Runner], remaining: Remaining, scores: Scores) -> dict[int, Fraction]:
    """Return the points per game of each player at an end."""
    points = {runner.id: runner.points for runner in playing}
    numbers = {runner.id: runner.games for runner in playing}
    for player, score in scores:
        if player in points:
            points[player] += score
            numbers[player] += 1
    return {runner.id: remaining.average(runner, points[runner.id], numbers[runner.id]) for runner in playing}


def _shared(playing: Sequence[Runner], remaining: Remaining, shares: Mapping[int, float]) -> dict[int, float]:
    """Return the mean chance of players with the same prospects: equal so far, at one open table or at none."""
    table_of = {player: number for number, table in enumerate(remaining.tables) for player in table}
    alike: defaultdict[object, list[int]] = defaultdict(list)
    for runner in playing:
        alike[runner.points, runner.games, runner.carried, table_of.get(runner.id)].append(runner.id)
    return {player: sum(map(shares.__getitem__, group)) / len(group) for group in alike.values() for player in group}


def _coming(playing: Sequence[Runner], undrawn: int, size: int, rng: Rng) -> list[list[int]]:
    """Return random tables for the rounds that are not drawn yet."""
    tables: list[list[int]] = []
    for _round in range(undrawn):
        order = shuffled([runner.id for runner in playing], rng)
        number = -(-len(order) // size)
        tables += [order[at::number] for at in range(number)]
    return tables


def _game(games: Games, players: int, rng: Rng) -> list[int]:
    """Return the points of a game for so many players in random order, from one of that size if there is any."""
    pool = _pool(games, players)
    return shuffled(_filled(pool[int(rng() * len(pool))], players), rng) if pool else []


def _pool(games: Games, players: int) -> Sequence[Sequence[int]]:
    """Return the played games of that size; all, if there is none."""
    return games.get(players) or [scores for each in games.values() for scores in each]


def _filled(scores: Sequence[int], players: int) -> list[int]:
    """Return the points of a game for so many players, repeated where the game had fewer."""
    return [scores[seat % len(scores)] for seat in range(players)]
