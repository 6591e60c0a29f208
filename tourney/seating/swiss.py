"""A Swiss round: neighbours in the standings meet, and as few as can be meet again."""

from collections.abc import Sequence
from typing import Final

from tourney.seating.chance import chance
from tourney.seating.exact import Prices, cheapest, few_enough
from tourney.seating.judge import Rounds, check_rounds, meetings, seat_counts, short_turns
from tourney.seating.nearby import nearby, standing
from tourney.seating.seats import seat_round
from tourney.seating.values import Round

PROVEN: Final = 12
"""Up to so many players a Swiss round is the best there is; beyond, where there are few enough ways to try."""


def swiss(order: Sequence[int], sizes: Sequence[int], played: Rounds = (), seed: str | int = 1) -> Round:
    """Seats the players in `order`, best first, at tables of these sizes (those of `table_sizes`).

    `played` are the rounds before, with players who are not in `order` too. Of all seatings at such tables it
    is the one with, in this order:

    1. the fewest repeats: pairs at one table who have met in `played`, each counted once;
    2. the nearest in the standings: the least sum, over all pairs who share a table, of the difference of
       their places in `order`;
    3. the fewest third and later meetings, a pair counting its meetings before beyond the first;
    4. the most level turns at tables smaller than the largest (least squares).

    Within the tables seats are as level as can be, the first seat, which deals first, before the others.
    Tables stand in the order of the standings. Exact for up to 12 players, and for more (16 at tables of four,
    15 at tables of five) while few enough seatings need be tried; beyond that the tables are searched for on
    the seed's chance, good and the same everywhere, but not proven best.
    Raises ValueError for sizes that do not hold the players, and for a player who sits twice.
    """
    return seated(swiss_tables(order, sizes, played, seed), played)


def swiss_tables(order: Sequence[int], sizes: Sequence[int], played: Rounds, seed: str | int) -> list[list[int]]:
    """The tables of `swiss`, each in the order of the standings, before seats are chosen."""
    check_rounds(played)
    if sum(sizes) != len(order) or len(set(order)) != len(order):
        raise ValueError(f"tables of {', '.join(map(str, sizes))} do not seat {len(order)} players once each")
    if not order:
        return []
    met, short = _past(order, played)
    prices = _prices(met, short, max(sizes))
    if len(order) <= PROVEN or few_enough(sizes):
        tables = cheapest(prices, range(len(order)), sizes)
    else:
        tables = nearby(prices, met, sizes, chance("swiss", seed, len(played)))
    return [[order[place] for place in sorted(table)] for table in sorted(tables, key=standing)]


def seated(tables: Sequence[Sequence[int]], played: Rounds) -> Round:
    """The tables with their seats, as level as can be after the rounds `played`."""
    most = max((player for table in tables for player in table), default=-1)
    return seat_round([list(table) for table in tables], seat_counts(played, most + 1))


def _past(order: Sequence[int], played: Rounds) -> tuple[list[list[int]], list[int]]:
    """Meetings of each two, and turns at short tables, by place in the order."""
    place_of = {player: place for place, player in enumerate(order)}
    met = [[0] * len(order) for _ in order]
    for (one, other), count in meetings(played).items():
        if one in place_of and other in place_of:
            left, right = place_of[one], place_of[other]
            met[left][right] = met[right][left] = count
    turns = short_turns(played, max(order) + 1)
    return met, [turns[player] for player in order]


def _prices(met: list[list[int]], turns: list[int], largest: int) -> Prices:
    """The four aims in one number: a unit of each outweighs all that the later ones can come to."""
    players, most = len(met), max(map(max, met))
    pairs = players * largest
    short = [2 * turn + 1 for turn in turns]
    third = sum(short) + 1
    near = third * (pairs * most + 1)
    repeat = near * (pairs * players + 1)
    pair = [
        [repeat * (count > 0) + near * abs(one - other) + third * max(0, count - 1) for other, count in enumerate(row)]
        for one, row in enumerate(met)
    ]
    return Prices(pair, short, largest)
