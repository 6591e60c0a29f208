"""How every two entrants did against each other: in the games in which both sat, whoever else did."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from tourney.league.statistics import BlockMeans, Estimate
from tourney.league.values import GameOutcome


class Duels:
    """The games of every two entrants while blocks come in; what it takes does not grow with the blocks.

    Worth is what the league counts, points or money. A block in which the two did not meet says nothing about them.
    """

    def __init__(self, entrants: int) -> None:
        self._pairs = {pair: BlockMeans(2) for pair in combinations(range(entrants), 2)}

    def add(self, games: Iterable[tuple[GameOutcome, tuple[int, ...]]]) -> None:
        """Take in the games of a block, each with what its seats are worth."""
        sums: dict[tuple[int, int], list[int]] = {}
        for game, worths in games:
            for pair in combinations(sorted(set(game.seating)), 2):
                into = sums.setdefault(pair, [0, 0, 0, 0])
                for entrant, worth in zip(game.seating, worths, strict=True):
                    if entrant in pair:
                        side = 2 * pair.index(entrant)
                        into[side] += worth
                        into[side + 1] += game.hands
        for pair, (one, hands, other, others) in sums.items():
            self._pairs[pair].add([one / hands, other / others])

    def gap(self, one: int, other: int) -> Estimate:
        """By how much one entrant's worth a hand is above the other's in their games; of 0 blocks if they had none."""
        if one < other:
            return self._pairs[one, other].gap(0, 1)
        return self._pairs[other, one].gap(1, 0)
