"""The chance to go through: how often a player does, if the remaining games are like those played so far.

Everybody is taken to be equally strong from now on: each remaining game is one that was played, with its points and the
hands won given to its players at random. Where one table is open, every ending is looked at; otherwise some are drawn.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, permutations
from math import factorial
from typing import Final, NamedTuple

from tourney.domain.results import HandScore, Outcome
from tourney.seating.rng import Rng, seeded_rng, shuffled
from tourney.standings.cut_states import Remaining, Runner

ENDINGS: Final = 1_000
"""The endings that are drawn for a chance."""
MOST_ENDINGS: Final = 5_000
"""The most endings of an open table that are looked at one by one."""

Games = Mapping[int, Sequence[Outcome]]
"""Played games by the number of their players."""


class EndGame(NamedTuple):
    """A remaining game at an end: its players by number, and for each the seat of the played game that is theirs."""

    round: int
    players: Sequence[int]
    played: Outcome
    seats: Sequence[int]

    @property
    def points(self) -> Iterator[tuple[int, int]]:
        """Return the players with their points."""
        return zip(self.players, map(self.played.points.__getitem__, self.seats), strict=True)

    @property
    def outcome(self) -> Outcome:
        """Return the outcome in the order of the players."""
        hands = tuple(map(self._hand, self.played.hands))
        won, places = self._of(self.played.hands_won), self._of(self.played.places)
        return Outcome(hands, self._of(self.played.points), won, places)

    def _of(self, values: Sequence[int]) -> tuple[int, ...]:
        return tuple(values[seat] for seat in self.seats)

    def _hand(self, hand: HandScore) -> HandScore:
        closer = next((own for own, seat in enumerate(self.seats) if seat == hand.closer), None)
        return HandScore(hand.contract, self._of(hand.points), closer, hand.at_once)


Ranks = Callable[[Sequence[EndGame]], Mapping[int, int]]
"""The ranks of players at an end, by all tie-breaks."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The values from which endings follow: the games played, the size of tables to come, a seed, and the ranks."""

    games: Games
    size: int
    seed: str
    ranks: Ranks

    def pool(self, players: int) -> Sequence[Outcome]:
        """Return the played games of that size; all, if there is none."""
        return self.games.get(players) or [played for each in self.games.values() for played in each]


def chances(runners: Sequence[Runner], remaining: Remaining, places: int, basis: Basis) -> dict[int, float]:
    """Return the share of endings in which each player of one list goes through.

    Players who are level at the border go all through, or are told apart by their ranks, or share the places left, as
    the stage has it. Where endings are drawn, players whose prospects are the same have the same chance.
    """
    playing = [runner for runner in runners if runner.plays]
    through: defaultdict[int, float] = defaultdict(float)
    number = 0
    for times, ending in _endings(playing, remaining, basis):
        number += times
        for player, share in _through(playing, remaining, ending, places, basis.ranks):
            through[player] += times * share
    shares = {runner.id: through[runner.id] / number for runner in runners}
    return shares if _is_exact(remaining, basis) else {**shares, **_shared(playing, remaining, shares)}


def _is_exact(remaining: Remaining, basis: Basis) -> bool:
    """Return whether every ending is looked at: of one open table, where these are not too many."""
    if len(remaining.tables) != 1 or remaining.undrawn:
        return False
    players = len(remaining.tables[0])
    return 0 < len(basis.pool(players)) * factorial(players) <= MOST_ENDINGS


def _endings(playing: Sequence[Runner], remaining: Remaining, basis: Basis) -> Iterator[tuple[int, list[EndGame]]]:
    """Yield every ending of the only open table and how often there is one like it, or ENDINGS that are drawn."""
    if _is_exact(remaining, basis):
        (table,) = remaining.tables
        for played, times in Counter(basis.pool(len(table))).items():
            for order in permutations(_filled(played, len(table))):
                yield times, [EndGame(remaining.round, table, played, order)]
        return
    rng = seeded_rng("chances", basis.seed, remaining.round)
    for _number in range(ENDINGS):
        yield 1, list(_drawn(playing, remaining, basis, rng))


def _drawn(playing: Sequence[Runner], remaining: Remaining, basis: Basis, rng: Rng) -> Iterator[EndGame]:
    tables = [(remaining.round, table) for table in remaining.tables]
    for number, table in (*tables, *_coming(playing, remaining, basis.size, rng)):
        pool = basis.pool(len(table))
        if pool:
            played = pool[int(rng() * len(pool))]
            yield EndGame(number, table, played, shuffled(_filled(played, len(table)), rng))


def _through(
    playing: Sequence[Runner], remaining: Remaining, ending: Sequence[EndGame], places: int, ranks: Ranks
) -> Iterator[tuple[int, float]]:
    """Yield who goes through at an end, each with their share of a place."""
    averages = _averages(playing, remaining, ending)
    left = places
    for _average, level in groupby(sorted(averages, key=averages.__getitem__), key=averages.__getitem__):
        together = list(level)
        if len(together) <= left or remaining.ties == "together":
            yield from ((player, 1.0) for player in together)
        elif remaining.by_tie_breaks:
            yield from _by_rank(together, ranks(ending), left)
        else:
            yield from ((player, left / len(together)) for player in together)
        left -= len(together)
        if left <= 0:
            return


def _by_rank(level: Sequence[int], ranks: Mapping[int, int], left: int) -> Iterator[tuple[int, float]]:
    """Yield who goes through of players who are level: by rank; those who share a rank share the places left."""
    own = {player: ranks.get(player, len(ranks) + 1) for player in level}
    for player in level:
        above, same = (sum(each < own[player] for each in own.values()), list(own.values()).count(own[player]))
        if above < left:
            yield player, min(1.0, (left - above) / same)


def _averages(playing: Sequence[Runner], remaining: Remaining, ending: Sequence[EndGame]) -> dict[int, Fraction]:
    """Return the points per game of each player at an end."""
    points = {runner.id: runner.points for runner in playing}
    numbers = {runner.id: runner.games for runner in playing}
    for player, score in (each for game in ending for each in game.points):
        if player in points:
            points[player] += score
            numbers[player] += 1
    return {runner.id: remaining.average(runner, points[runner.id], numbers[runner.id]) for runner in playing}


def _shared(playing: Sequence[Runner], remaining: Remaining, shares: Mapping[int, float]) -> dict[int, float]:
    """Return the mean chance of players with the same prospects: equal so far, at one open table or at none."""
    table_of = {player: number for number, table in enumerate(remaining.tables) for player in table}
    alike: defaultdict[object, list[int]] = defaultdict(list)
    for runner in playing:
        alike[runner.rank, runner.points, runner.games, runner.carried, table_of.get(runner.id)].append(runner.id)
    return {player: sum(map(shares.__getitem__, group)) / len(group) for group in alike.values() for player in group}


def _coming(
    playing: Sequence[Runner], remaining: Remaining, size: int, rng: Rng
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield random tables for the rounds that are not drawn yet, each with its round."""
    for number in range(remaining.round + 1, remaining.round + 1 + remaining.undrawn):
        order = shuffled([runner.id for runner in playing], rng)
        tables = -(-len(order) // size)
        yield from ((number, order[at::tables]) for at in range(tables))


def _filled(played: Outcome, players: int) -> list[int]:
    """Return the seats of a game for so many players, repeated where the game had fewer."""
    return [seat % len(played.points) for seat in range(players)]
