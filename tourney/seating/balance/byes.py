"""Turns to sit out: nobody has a second one before everybody there has had one."""

from collections import Counter
from collections.abc import Collection, Sequence

from tourney.seating.quality.metrics import Rounds


def next_outs(
    order: Sequence[int],
    outs: int,
    rounds: int,
    played: Rounds,
    sat_out: Sequence[Sequence[int]],
    planned: Sequence[Collection[int]] = (),
    ahead: Rounds = (),
) -> list[list[int]]:
    """Who of these players sits out in each of the coming rounds, `outs` of them each time.

    Always those who sat out least often; among them those who were to sit out by the rounds `planned`; then those who
    have played most, so that somebody who came late is not sent away at once; then those who share a table of the
    rounds `ahead`, so that the other tables stay; then those who stand first in `order`. `played` are the rounds
    before, `sat_out` the players who sat each of them out: who was not there at all has neither played nor sat out.
    """
    turns, games = _counts(played, sat_out)
    coming = []
    for number in range(rounds):
        expected = planned[number] if number < len(planned) else ()
        rank = {player: (turns[player], player not in expected, -games[player]) for player in order}
        asked = sorted(order, key=rank.__getitem__)
        last = rank[asked[outs - 1]] if outs else (0, False, 0)
        out = [player for player in asked[:outs] if rank[player] < last]
        free = [player for player in asked if rank[player] == last]
        out += _together(
            free, outs - len(out), set(order).difference(out), ahead[number] if number < len(ahead) else ()
        )
        turns.update(out)
        games.update(set(order).difference(out))
        coming.append(out)
    return coming


def _together(free: Sequence[int], number: int, here: Collection[int], tables: Sequence[Sequence[int]]) -> list[int]:
    """So many of those who are free to sit out, from as few tables as can be: those first who empty a table."""
    out: list[int] = []
    while len(out) < number:
        room = number - len(out)
        left = [[player for player in table if player in here and player not in out] for table in tables]
        asked = [[player for player in table if player in free] for table in left]
        empties = [group == table and len(group) <= room for group, table in zip(asked, left, strict=True)]
        best = max(range(len(tables)), key=lambda at: (empties[at], len(asked[at])), default=None)
        if best is None or not asked[best]:
            return out + [player for player in free if player not in out][:room]
        out += asked[best][:room]
    return out


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
