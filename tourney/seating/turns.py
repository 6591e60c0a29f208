"""Turns to sit out: nobody has a second one before everybody there has had one."""

from collections import Counter
from collections.abc import Collection, Sequence

from tourney.seating.judge import Rounds


def next_outs(
    order: Sequence[int],
    outs: int,
    rounds: int,
    played: Rounds,
    sat_out: Sequence[Sequence[int]],
    planned: Sequence[Collection[int]] = (),
) -> list[list[int]]:
    """Who of these players sits out in each of the coming rounds, `outs` of them each time.

    Always those who sat out least often; among them those who have played most, so that somebody who came late
    is not sent away at once; then those who were to sit out by the rounds `planned`; then those who stand first in
    `order`. `played` are the rounds before, `sat_out` the
    players who sat each of them out: who was not there at all has neither played nor sat out.
    """
    turns, games = _counts(played, sat_out)
    coming = []
    for number in range(rounds):
        expected = planned[number] if number < len(planned) else ()
        asked = sorted(order, key=lambda player: (turns[player], -games[player], player not in expected))
        out = asked[:outs]
        turns.update(out)
        games.update(set(order).difference(out))
        coming.append(out)
    return coming


def whose_turn(
    order: Sequence[int], outs: int, played: Rounds, sat_out: Sequence[Sequence[int]]
) -> tuple[list[int], list[int]]:
    """Whose turn it is in the next round: who sits out in any case, and among whom the rest of `outs` is chosen.

    Those of the second list have sat out equally often; they stand as `next_outs` asks them: who has played most
    first, then in `order`.
    """
    if outs == 0:
        return [], []
    turns, games = _counts(played, sat_out)
    asked = sorted(order, key=lambda player: (turns[player], -games[player]))
    last = turns[asked[outs - 1]]
    return [player for player in asked if turns[player] < last], [player for player in asked if turns[player] == last]


def _counts(played: Rounds, sat_out: Sequence[Sequence[int]]) -> tuple[Counter[int], Counter[int]]:
    """How often each player has sat out, and has played."""
    turns = Counter(player for resting in sat_out for player in resting)
    return turns, Counter(player for tables in played for table in tables for player in table)
