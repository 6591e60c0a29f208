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
    ahead: Sequence[tuple[Collection[int], Sequence[Sequence[int]]]] = (),
) -> list[list[int]]:
    """Return the players with a bye in each of the coming rounds, `byes` of them each time.

    The players with the fewest byes come first; among equals those with a bye in that round of `ahead`, which has byes
    and tables as planned; then those who have played most, so that a late arrival has no bye at once; then those who
    share a table of that round, so that other tables stay; then the first in `order`. `played` are the earlier rounds
    and `sat_out` the players with a bye in each: an absent player has neither played nor had a bye.
    """
    bye_counts, games = _counts(played, sat_out)
    coming = []
    for number in range(rounds):
        expected, tables = ahead[number] if number < len(ahead) else ((), ())
        rank = {player: (bye_counts[player], player not in expected, -games[player]) for player in order}
        ranked = sorted(order, key=rank.__getitem__)
        last = rank[ranked[byes - 1]] if byes else (0, False, 0)
        out = [player for player in ranked[:byes] if rank[player] < last]
        free = [player for player in ranked if rank[player] == last]
        out += _together(free, byes - len(out), set(order).difference(out), tables)
        bye_counts.update(out)
        games.update(set(order).difference(out))
        coming.append(out)
    return coming


def _together(free: Sequence[int], number: int, present: Collection[int], tables: Sequence[Sequence[int]]) -> list[int]:
    """Return `number` of the `free` players, from as few tables as possible; first those who empty a table."""
    out: list[int] = []
    while len(out) < number:
        room = number - len(out)
        playing = [[player for player in table if player in present and player not in out] for table in tables]
        groups = [[player for player in table if player in free] for table in playing]
        empties = [group == table and len(group) <= room for group, table in zip(groups, playing, strict=True)]
        best = max(range(len(tables)), key=lambda at: (empties[at], len(groups[at])), default=None)
        if best is None or not groups[best]:
            return out + [player for player in free if player not in out][:room]
        out += groups[best][:room]
    return out


def bye_candidates(
    order: Sequence[int], byes: int, played: Rounds, sat_out: Sequence[Sequence[int]]
) -> tuple[list[int], list[int]]:
    """Return the players sure of a bye in the next round, and those among whom the rest of the `byes` are chosen.

    The players of the second list have had equally many byes; those who have played most come first, then the first
    in `order`, as in `next_byes`.
    """
    if byes == 0:
        return [], []
    bye_counts, games = _counts(played, sat_out)
    ranked = sorted(order, key=lambda player: (bye_counts[player], -games[player]))
    last = bye_counts[ranked[byes - 1]]
    return [player for player in ranked if bye_counts[player] < last], [
        player for player in ranked if bye_counts[player] == last
    ]


def _counts(played: Rounds, sat_out: Sequence[Sequence[int]]) -> tuple[Counter[int], Counter[int]]:
    """Return how often each player has had a bye, and has played."""
    bye_counts = Counter(player for players_out in sat_out for player in players_out)
    return bye_counts, Counter(player for tables in played for table in tables for player in table)
