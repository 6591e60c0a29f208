"""Turns to sit out: nobody has a second one before everybody there has had one."""

from collections import Counter
from collections.abc import Sequence

from tourney.seating.judge import Rounds


def next_outs(
    order: Sequence[int], outs: int, rounds: int, played: Rounds, sat_out: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Who of these players sits out in each of the coming rounds, `outs` of them each time.

    Always those who sat out least often; among them those who have played most, so that somebody who came late
    is not sent away at once; then those who stand first in `order`. `played` are the rounds before, `sat_out` the
    players who sat each of them out: who was not there at all has neither played nor sat out.
    """
    turns = Counter(player for resting in sat_out for player in resting)
    games = Counter(player for tables in played for table in tables for player in table)
    coming = []
    for _round in range(rounds):
        out = sorted(order, key=lambda player: (turns[player], -games[player]))[:outs]
        turns.update(out)
        games.update(set(order).difference(out))
        coming.append(out)
    return coming
