"""One round at a time: neighbours in the standings meet, or strong and weak; as few as can be meet again."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

from tourney.seating.balance.balance_cost import Uneven
from tourney.seating.balance.seat_lookahead import seat_round
from tourney.seating.balance.table_numbers import put
from tourney.seating.constraints import APART, NOTHING, Wishes
from tourney.seating.model import Round
from tourney.seating.quality.metrics import Rounds, check_rounds, meetings, short_turns
from tourney.seating.rng import Chance, chance
from tourney.seating.search.exact import Prices, cheapest, few_enough
from tourney.seating.search.swiss_annealing import NEAR, Bargain, nearby, standing

Rule = Literal["neighbours", "snake", "anybody"]
"""Who is to share a table: neighbours in the order; one of each pot of as many as there are tables, so that all tables
are equally strong; or anybody."""

Weight = int | Literal["two repeats", "less than all else"]
"""What a turn too many weighs in a choice of tables: so much distance, or as it says."""

DISLIKED: Final = 3
"""As many repeats it counts as that two meet who should not."""

THIRD: Final = 5
"""As many repeats it counts as that two meet a third time or more often: more than four second meetings."""

MET: Final = 0.48
"""Once this part of all pairs have met, level turns come before few repeats."""

PROVEN: Final = 12
"""Up to so many players a Swiss round is the best there is; beyond, where there are few enough ways to try."""


def swiss(
    order: Sequence[int],
    sizes: Sequence[int],
    played: Rounds = (),
    seed: str | int = 1,
    rule: Rule = "neighbours",
    wishes: Wishes = NOTHING,
) -> Round:
    """Seats the players in `order`, best first, at tables of these sizes (those of `table_sizes`).

    `played` are the rounds before, with players who are not in `order` too. Of all seatings at such tables it
    is the one with, in this order:

    1. the fewest repeats: pairs at one table count one if they have met once in `played`, five if more often (as a
       third meeting of the same two is worse than four second ones); two who should not meet count three more, and two
       who wish to and have not met yet save one;
    2. the nearest in the standings: the least sum, over all pairs who share a table, of the difference of
       their places in `order` (with the rule "snake": the fewest of one pot, then the least sum, over the tables, of
       the squared sum of places counted from the middle; with "anybody" nothing);
    3. the least often together: a pair counts its meetings before beyond the first;
    4. the most level turns at tables smaller than the largest (least squares);
    5. the most level turns in each seat and at dealing first, as `Uneven` counts them (at tables of more than five at
       dealing first only).

    For more than 12 players a turn too many, at a smaller table or in a seat, weighs as much as 60 places in the
    standings, or as many as there are players (with the rule "snake" as much as two pairs of a pot). Where tables are
    searched for it weighs as much as two repeats once nearly half of all pairs have met: repeats are then hard to avoid
    in any case.

    Within the tables seats are as level as can be, the first seat, which deals first, before the others.
    Tables stand in the order of the standings, but where somebody needs one. Without rounds before and without
    wishes a snake is the snake: places 1, 2, 3 … to tables 1, 2, 3 … and back again. Exact for up to 12 players, and
    for more (16 at tables of four, 15 at tables of five) while few enough seatings need be tried; beyond that the
    tables are searched for on the seed's chance, good and the same everywhere, but not proven best.
    Raises ValueError for sizes that do not hold the players, and for a player who sits twice.
    """
    return seated(swiss_tables(order, sizes, played, seed, rule, wishes), played)


def swiss_tables(
    order: Sequence[int],
    sizes: Sequence[int],
    played: Rounds,
    seed: str | int,
    rule: Rule = "neighbours",
    wishes: Wishes = NOTHING,
) -> list[list[int]]:
    """The tables of `swiss`, each in the order of the standings, before seats are chosen."""
    check_rounds(played)
    if sum(sizes) != len(order) or len(set(order)) != len(order):
        raise ValueError(f"tables of {', '.join(map(str, sizes))} do not seat {len(order)} players once each")
    if not order:
        return []
    if rule == "snake" and not any(played) and not wishes.about_meetings:
        tables = snake(len(order), len(sizes))
    else:
        tables = _chosen(order, sizes, played, chance("swiss", seed, len(played)), rule, wishes)
    standing_order = [[order[place] for place in sorted(table)] for table in sorted(tables, key=standing)]
    return put([standing_order], wishes.tables)[0]


def _chosen(
    order: Sequence[int],
    sizes: Sequence[int],
    played: Rounds,
    draw: Chance,
    rule: Rule,
    wishes: Wishes,
) -> list[list[int]]:
    """The tables by places in the order."""
    met, short = past(order, played)
    sore, uneven = sores(order, met, wishes), Uneven.after(order, played, max(sizes))
    near, weight = _nearness(rule, len(order), len(sizes))
    if len(order) <= PROVEN:
        weight = "less than all else"
    if len(order) <= PROVEN or few_enough(sizes):
        return cheapest(_prices(sore, near, met, short, uneven, weight), range(len(order)), sizes)
    if hard_to_avoid(met):
        weight = "two repeats"
    return nearby(_prices(sore, near, met, short, uneven, weight), _bargain(rule, sore, near, uneven), sizes, draw)


def snake(players: int, tables: int) -> list[list[int]]:
    """Places 0, 1, 2 … to tables in turn, there and back again."""
    seated: list[list[int]] = [[] for _ in range(tables)]
    for place in range(players):
        turn, table = divmod(place, tables)
        seated[table if turn % 2 == 0 else tables - 1 - table].append(place)
    return seated


def seated(tables: Sequence[Sequence[int]], played: Rounds) -> Round:
    """The tables with their seats, as level as can be after the rounds `played`."""
    return seat_round(tables, played)


def past(order: Sequence[int], played: Rounds) -> tuple[list[list[int]], list[int]]:
    """Meetings of each two, and turns at short tables, by place in the order."""
    place_of = {player: place for place, player in enumerate(order)}
    met = [[0] * len(order) for _ in order]
    for (one, other), count in meetings(played).items():
        if one in place_of and other in place_of:
            left, right = place_of[one], place_of[other]
            met[left][right] = met[right][left] = count
    turns = short_turns(played, max(order) + 1)
    return met, [turns[player] for player in order]


def hard_to_avoid(met: list[list[int]]) -> bool:
    """Whether so many pairs have met that level turns come before few repeats, where tables are searched for."""
    return sum(map(bool, chain.from_iterable(met))) > MET * len(met) * (len(met) - 1)


def repeats_counted(before: int) -> int:
    """How many repeats it counts as that two share a table who have met so often before."""
    return THIRD if before > 1 else before


def sores(order: Sequence[int], met: list[list[int]], wishes: Wishes) -> list[list[int]]:
    """How many repeats it counts as that two share a table, by places; nothing below 0."""
    kinds = wishes.pairs(max(order) + 1)
    # Fulfilling a wish is worth one: all others pay it.
    owed = 1 if wishes.together else 0
    sore = [[owed + repeats_counted(count) for count in row] for row in met]
    place_of = {player: place for place, player in enumerate(order)}
    for (one, other), kind in kinds.items():
        if one in place_of and other in place_of:
            left, right = place_of[one], place_of[other]
            change = DISLIKED if kind == APART else -(met[left][right] == 0)
            sore[left][right] += change
            sore[right][left] += change
    return sore


def _nearness(rule: Rule, players: int, tables: int) -> tuple[list[list[int]], Weight]:
    """What it costs by the rule that two share a table, by places, and what a turn too many weighs in it."""
    places = range(players)
    if rule == "neighbours":
        return [[abs(one - other) for other in places] for one in places], max(NEAR, players)
    if rule == "anybody":
        return [[0] * players for _ in places], 1
    middle, most = players - 1, (players - 1) ** 2
    # One pair of a pot, or one turn, outweighs all that the balance of the tables can come to.
    pot = 2 * most * players * -(-players // tables) + 1
    near = [
        [
            pot * (one // tables == other // tables) + most + (2 * one - middle) * (2 * other - middle)
            for other in places
        ]
        for one in places
    ]
    return near, 2 * pot


def _bargain(rule: Rule, sore: list[list[int]], near: list[list[int]], uneven: Uneven) -> Bargain:
    """The aims in standing positions, for heat to bargain with."""
    players = len(near)
    if rule != "snake":
        return Bargain(sore, near, uneven, max(NEAR, players))
    soft = [[min(players, price // (2 * players + 2)) for price in row] for row in near]
    return Bargain(sore, soft, uneven, 2 * players)


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What tables cost: so many times these prices, and so much for each turn that is uneven."""

    times: int
    prices: Prices
    turn: int
    uneven: Uneven

    def of(self, table: Sequence[int]) -> int:
        """The price of one table."""
        return self.times * self.prices.of(table) + self.turn * self.uneven.of(table)


def _prices(
    sore: list[list[int]], near: list[list[int]], met: list[list[int]], turns: list[int], uneven: Uneven, weight: Weight
) -> _Weighed:
    """The aims in one number: a unit of each outweighs all that the later ones can come to, turns aside."""
    players, most = len(met), max(map(max, met))
    pairs = players * uneven.largest
    short = [2 * turn + 1 for turn in turns]
    third = sum(short) + 1
    nearer = third * (pairs * most + 1)
    turn = nearer * weight if isinstance(weight, int) else 0
    repeat = nearer * (pairs * max(map(max, near)) + 1) + turn * uneven.most
    pair = [
        [
            repeat * sore[one][other] + nearer * near[one][other] + third * max(0, met[one][other] - 1)
            for other in range(players)
        ]
        for one in range(players)
    ]
    prices = Prices(pair, short, uneven.largest)
    if weight == "less than all else":
        return _Weighed(uneven.most + 1, prices, 1, uneven)
    return _Weighed(1, prices, 2 * repeat if weight == "two repeats" else turn, uneven)
