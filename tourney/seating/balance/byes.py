"""Byes: nobody has a second one before everybody present has had one."""

from collections import Counter
from collections.abc import Collection, Sequence

from tourney.seating.quality.metrics import Rounds


def next_byes(
    order: Sequence[int],
    byes: int,
    rounds: int,
    played: Rounds,
    sat_out: Sequence[Sequence[int]],
    planned: Sequence[Collection[int]] = (),
    ahead: Rounds = (),
) -> list[list[int]]:
    """Return who of these players has a bye in each of the coming rounds, `byes` of them each time.

    Always those with the fewest byes; among them those who were to have one by the rounds `planned`; then those who
    have played most, so that a late arrival is not sent away at once; then those who share a table of the rounds
    `ahead`, so that the other tables stay; then those who stand first in `order`. `played` are the earlier rounds,
    `sat_out` the players with a bye in each: who was absent has neither played nor had a bye.
    """
    turns, games = _counts(played, sat_out)
    coming = []
    for number in range(rounds):
        expected = planned[number] if number < len(planned) else ()
        rank = {player: (turns[player], player not in expected, -games[player]) for player in order}
        asked = sorted(order, key=rank.__getitem__)
        last = rank[asked[byes - 1]] if byes else (0, False, 0)
        out = [player for player in asked[:byes] if rank[player] < last]
        free = [player for player in asked if rank[player] == last]
        out += _together(
            free, byes - len(out), set(order).difference(out), ahead[number] if number < len(ahead) else ()
        )
        turns.update(out)
        games.update(set(order).difference(out))
        coming.append(out)
    return coming


def _together(free: Sequence[int], number: int, present: Collection[int], tables: Sequence[Sequence[int]]) -> list[int]:
    """Return the players for the byes that are left, from as few tables as possible: those who empty a table first."""
    out: list[int] = []
    while len(out) < number:
        room = number - len(out)
        left = [[player for player in table if player in present and player not in out] for table in tables]
        asked = [[player for player in table if player in free] for table in left]
        empties = [group == table and len(group) <= room for group, table in zip(asked, left, strict=True)]
        best = max(range(len(tables)), key=lambda at: (empties[at], len(asked[at])), default=None)
        if best is None or not asked[best]:
            return out + [player for player in free if player not in out][:room]
        out += asked[best][:room]
    return out


def bye_candidates(
    order: Sequence[int], byes: int, played: Rounds, sat_out: Sequence[Sequence[int]]
) -> tuple[list[int], list[int]]:
    """Return who has a bye in the next round in any case, and from whom the rest of the `byes` is chosen.

    The second list has had equally many byes; it stands as `next_byes` asks: who has played most first, then in
    `order`.
    """
    if byes == 0:
        return [], []
    turns, games = _counts(played, sat_out)
    asked = sorted(order, key=lambda player: (turns[player], -games[player]))
    last = turns[asked[byes - 1]]
    return [player for player in asked if turns[player] < last], [player for player in asked if turns[player] == last]


def _counts(played: Rounds, sat_out: Sequence[Sequence[int]]) -> tuple[Counter[int], Counter[int]]:
    """Return how often each player has had a bye, and has played."""
    turns = Counter(player for bye_policy in sat_out for player in bye_policy)
    return turns, Counter(player for tables in played for table in tables for player in table)
