"""Rounds that follow from the tables of the round before: groups that stay together, and a ladder of tables."""

from collections.abc import Sequence
from itertools import accumulate

from tourney.seating.balance.byes import next_byes
from tourney.seating.quality.metrics import Rounds


def kept_groups(
    order: Sequence[int], before: Sequence[Sequence[int]], least: int, most: int
) -> tuple[list[list[int]], list[int]]:
    """Return the tables of the round before, without players who have left, and the players with a bye.

    `order` has all who play now. New players join the smallest groups, and so do the players of a group of fewer than
    `least`; whoever finds no group of fewer than `most` has a bye.
    """
    present = set(order)
    groups = [[player for player in table if player in present] for table in before]
    stay = [group for group in groups if len(group) >= least]
    placed = {player for group in stay for player in group}
    out: list[int] = []
    for player in (player for player in order if player not in placed):
        smallest = min(stay, key=len, default=None)
        if smallest is None or len(smallest) >= most:
            out.append(player)
        else:
            smallest.append(player)
    return (stay, out) if len(out) < least else ([*stay, out], [])


def ladder_tables(
    order: Sequence[int],
    sizes: Sequence[int],
    last: Sequence[Sequence[int]],
    played: Rounds,
    sat_out: Sequence[Sequence[int]],
) -> tuple[list[list[int]], list[int]]:
    """Return the tables of a ladder, the top one first, and the players with a bye.

    `last` has the tables of the round before from the top, the players of each best first: the first moves one table
    up, the last one down. Others, and everybody in the first round, come in the `order`, below those who played.
    """
    (out,) = next_byes(order[::-1], len(order) - sum(sizes), 1, played, sat_out)
    rungs = _rungs(last)
    playing = [player for player in order if player not in out]
    playing.sort(key=lambda player: rungs.get(player, (len(last), 0)))
    ends = list(accumulate(sizes))
    return [playing[end - size : end] for end, size in zip(ends, sizes, strict=True)], out


def _rungs(last: Sequence[Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Return by player the table that they move to, from 0 at the top, and the one that they come from."""
    rungs: dict[int, tuple[int, int]] = {}
    for number, table in enumerate(last):
        for place, player in enumerate(table):
            up, down = place == 0, place == len(table) - 1 > 0
            rungs[player] = (min(max(number + down - up, 0), len(last) - 1), number)
    return rungs
