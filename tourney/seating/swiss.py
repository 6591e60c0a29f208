"""Seat one round at a time: neighbours in the standings meet, or strong and weak, with the fewest repeats."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final, Literal

from tourney.seating.balance.byes import bye_candidates
from tourney.seating.balance.seats import BalanceCost, seat_round
from tourney.seating.balance.table_numbers import place_constrained
from tourney.seating.constraints import APART, NEVER, NO_CONSTRAINTS, Constraints
from tourney.seating.model import DRAWN_AS, Round
from tourney.seating.quality.metrics import Rounds, check_rounds, meetings, smaller_table_rounds
from tourney.seating.rng import Rng, seeded_rng
from tourney.seating.search.exact import PairPrices, cheapest_tables, is_tractable
from tourney.seating.search.swiss_annealing import REPEAT_WEIGHT, AnnealingCosts, anneal_swiss, by_mean_place

Pairing = Literal["neighbours", "snake", "anybody"]
"""The grouping of players at tables.

Neighbours in the order; one player of each pot of as many as there are tables, so that all tables are equally strong;
or anybody.
"""

TurnWeight = int | Literal["two repeats", "less than all else"]
"""The weight of a round too many at a smaller table or in a seat: a distance in the order, or two repeats, or least."""

APART_REPEATS: Final = 3
"""The number of repeats that a meeting of two kept apart counts as."""

NEVER_REPEATS: Final = 1_000
"""The number of repeats that a meeting of two who never share a table counts as."""

_PAIR_REPEATS: Final = {APART: APART_REPEATS, NEVER: NEVER_REPEATS}

FURTHER_MEETING_REPEATS: Final = 4
"""The number of repeats that each meeting from the third on counts more than the one before it."""

SATURATED_SHARE: Final = 0.48
"""Once this share of all pairs have met, level counts come before few repeats."""

EXACT_PLAYERS: Final = 12
"""Up to this many players a Swiss round is always exact; beyond, only where there are few enough seatings to try."""


def swiss(
    order: Sequence[int],
    sizes: Sequence[int],
    played: Rounds = (),
    seed: str | int = 1,
    pairing: Pairing = "neighbours",
    constraints: Constraints = NO_CONSTRAINTS,
) -> Round:
    """Seat the players in `order`, best first, at tables of these sizes (those of `table_sizes`).

    `played` are the earlier rounds, which may have players who are not in `order`. Of all seatings at such tables the
    result is the one with, in this order:

    1. the fewest repeats: pairs at one table count one if they have met once in `played`, five if twice, nine if three
       times and so on (a third meeting of two players is worse than four second ones, a fourth than a third with three
       more); two to keep apart count three more, and two to seat together who have not met yet save one;
    2. the nearest in the standings: the least sum, over all pairs who share a table, of the difference of their places
       in `order` (with the pairing "snake": the fewest of one pot, then the least sum, over the tables, of the squared
       sum of places counted from the middle; with "anybody" nothing);
    3. the least often together: a pair counts its earlier meetings beyond the first;
    4. the most level rounds at tables smaller than the largest (least squares);
    5. the most level counts of each seat and of first deals, as in `BalanceCost` (at tables of more than five of first
       deals only).

    For more than 12 players a round too many at a smaller table or in a seat weighs as much as 60 places in the
    standings, or as many as there are players (with the pairing "snake" as much as two pairs of a pot). Where tables
    are searched for, it weighs as much as two repeats once nearly half of all pairs have met: repeats are then hard to
    avoid in any case.

    Within the tables seats are as level as possible, the first seat, which deals first, before the others. Tables are
    in the order of the standings, unless a player needs a particular one. Without earlier rounds and without
    constraints the pairing "snake" gives the plain snake: places 1, 2, 3 … to tables 1, 2, 3 … and back again. The
    result is exact for up to 12 players, and for more (16 at tables of four, 15 at tables of five) while few enough
    seatings need be tried. Beyond that tables are searched for with the seed's random numbers: the result is good and
    equal on every machine, but not proven best. Raises ValueError for sizes that do not hold the players, and for a
    player who sits twice.
    """
    return seated(swiss_tables(order, sizes, played, seed, pairing, constraints), played)


def swiss_tables(
    order: Sequence[int],
    sizes: Sequence[int],
    played: Rounds,
    seed: str | int,
    pairing: Pairing = "neighbours",
    constraints: Constraints = NO_CONSTRAINTS,
) -> list[list[int]]:
    """Return the tables of `swiss`, each in the order of the standings, before seats are chosen."""
    check_rounds(played)
    if sum(sizes) != len(order) or len(set(order)) != len(order):
        raise ValueError(f"tables of {', '.join(map(str, sizes))} do not seat {len(order)} players once each")
    if not order:
        return []
    if pairing == "snake" and not any(played) and not constraints.concern_meetings:
        tables = snake(len(order), len(sizes))
    else:
        tables = _choose_tables(order, sizes, played, seeded_rng("swiss", seed, len(played)), pairing, constraints)
    standing_order = [[order[place] for place in sorted(table)] for table in sorted(tables, key=by_mean_place)]
    return place_constrained([standing_order], constraints.tables)[0]


def _choose_tables(
    order: Sequence[int],
    sizes: Sequence[int],
    played: Rounds,
    rng: Rng,
    pairing: Pairing,
    constraints: Constraints,
) -> list[list[int]]:
    """Return the tables by places in the order."""
    met, short = history_by_place(order, played)
    conflict, balance = conflict_matrix(order, met, constraints), BalanceCost.after(order, played, max(sizes))
    distance, weight = _distances(pairing, len(order), len(sizes))
    if len(order) <= EXACT_PLAYERS:
        weight = "less than all else"
    if len(order) <= EXACT_PLAYERS or is_tractable(sizes):
        return cheapest_tables(_exact_prices(conflict, distance, met, short, balance, weight), range(len(order)), sizes)
    if is_saturated(met):
        weight = "two repeats"
    return anneal_swiss(
        _exact_prices(conflict, distance, met, short, balance, weight),
        _annealing_costs(pairing, conflict, distance, balance),
        sizes,
        rng,
    )


def snake(players: int, tables: int) -> list[list[int]]:
    """Deal places 0, 1, 2 … to tables in turn, there and back again."""
    seated: list[list[int]] = [[] for _ in range(tables)]
    for place in range(players):
        turn, table = divmod(place, tables)
        seated[table if turn % 2 == 0 else tables - 1 - table].append(place)
    return seated


def seated(tables: Sequence[Sequence[int]], played: Rounds) -> Round:
    """Return the tables in seat order, as level as possible after the rounds `played`."""
    return seat_round(tables, played)


def history_by_place(order: Sequence[int], played: Rounds) -> tuple[list[list[int]], list[int]]:
    """Return the meetings of each pair and the rounds at a smaller table, by place in the order."""
    place_of = {player: place for place, player in enumerate(order)}
    met = [[0] * len(order) for _ in order]
    for (first, second), count in meetings(played).items():
        if first in place_of and second in place_of:
            row, column = place_of[first], place_of[second]
            met[row][column] = met[column][row] = count
    turns = smaller_table_rounds(played, max(order) + 1)
    return met, [turns[player] for player in order]


def is_saturated(met: list[list[int]]) -> bool:
    """Report whether so many pairs have met that level counts come before few repeats."""
    return sum(map(bool, chain.from_iterable(met))) > SATURATED_SHARE * len(met) * (len(met) - 1)


def weighted_repeats(before: int) -> int:
    """Return the number of repeats that a further meeting of two players counts as, by the meetings before it."""
    counted = min(before, 2) if DRAWN_AS.get() == 1 else before
    return min(counted, 1) + FURTHER_MEETING_REPEATS * max(0, counted - 1)


def conflict_matrix(order: Sequence[int], met: list[list[int]], constraints: Constraints) -> list[list[int]]:
    """Return the number of repeats that each pair at one table counts as, by places; never negative."""
    kinds = constraints.pairs(max(order) + 1)
    # Seating a pair together as wanted saves one, so every other pair pays one.
    owed = 1 if constraints.together else 0
    conflict = [[owed + weighted_repeats(count) for count in row] for row in met]
    place_of = {player: place for place, player in enumerate(order)}
    for (first, second), kind in kinds.items():
        if first in place_of and second in place_of:
            row, column = place_of[first], place_of[second]
            change = _PAIR_REPEATS[kind] if kind in _PAIR_REPEATS else -(met[row][column] == 0)
            conflict[row][column] += change
            conflict[column][row] += change
    return conflict


def _distances(pairing: Pairing, players: int, tables: int) -> tuple[list[list[int]], TurnWeight]:
    """Return the price by the pairing of two at one table, by places, and the weight of a round too many beside it."""
    places = range(players)
    if pairing == "neighbours":
        return [[abs(place - other) for other in places] for place in places], max(REPEAT_WEIGHT, players)
    if pairing == "anybody":
        return [[0] * players for _ in places], 1
    middle, most = players - 1, (players - 1) ** 2
    # One pair of a pot, or one round too many, outweighs all that the balance of the tables can cost.
    pot = 2 * most * players * -(-players // tables) + 1
    distance = [
        [
            pot * (place // tables == other // tables) + most + (2 * place - middle) * (2 * other - middle)
            for other in places
        ]
        for place in places
    ]
    return distance, 2 * pot


def _annealing_costs(
    pairing: Pairing, conflict: list[list[int]], distance: list[list[int]], balance: BalanceCost
) -> AnnealingCosts:
    """Return the aims in standing positions, for annealing to trade against each other."""
    players = len(distance)
    if pairing != "snake":
        return AnnealingCosts(conflict, distance, balance, max(REPEAT_WEIGHT, players))
    soft = [[min(players, price // (2 * players + 2)) for price in row] for row in distance]
    return AnnealingCosts(conflict, soft, balance, 2 * players)


@dataclass(frozen=True, slots=True)
class _WeightedPrice:
    """The price of tables: `times` these prices, and `turn` for each unit of the balance cost."""

    times: int
    prices: PairPrices
    turn: int
    balance: BalanceCost

    def of(self, table: Sequence[int]) -> int:
        """Return the price of one table."""
        return self.times * self.prices.of(table) + self.turn * self.balance.of(table)


def _exact_prices(
    conflict: list[list[int]],
    distance: list[list[int]],
    met: list[list[int]],
    turns: list[int],
    balance: BalanceCost,
    weight: TurnWeight,
) -> _WeightedPrice:
    """Return the aims in one number: a unit of each outweighs all later ones, except the balance cost."""
    players, most = len(met), max(map(max, met))
    pairs = players * balance.largest
    short = [2 * turn + 1 for turn in turns]
    third = sum(short) + 1
    nearer = third * (pairs * most + 1)
    turn = nearer * weight if isinstance(weight, int) else 0
    repeat = nearer * (pairs * max(map(max, distance)) + 1) + turn * balance.most
    pair = [
        [
            repeat * conflict[player][other] + nearer * distance[player][other] + third * max(0, met[player][other] - 1)
            for other in range(players)
        ]
        for player in range(players)
    ]
    prices = PairPrices(pair, short, balance.largest)
    if weight == "less than all else":
        return _WeightedPrice(balance.most + 1, prices, 1, balance)
    return _WeightedPrice(1, prices, 2 * repeat if weight == "two repeats" else turn, balance)


Met = Mapping[tuple[int, int], int]
"""The number of times that pairs have met, the lower player first."""


@dataclass(frozen=True, slots=True)
class RoundTask:
    """One round to seat, for players 0, 1, 2, …

    `order` has all of them: the ordered ones best first, then the others at random; `is_ordered` is whether anybody in
    the event has a place in the order. `played` and `sat_out` are the tables and byes of the earlier rounds, in which
    numbers beyond the players' are people who have left. `gain` is the gain of a table. The first `begins` of these
    rounds were played in earlier stages. `last` has the tables of the last round, the players of each best first, where
    the format asks for them. A table has from `least` to `most` players.
    """

    order: Sequence[int]
    is_ordered: bool
    sizes: tuple[int, ...]
    played: tuple[Round, ...]
    sat_out: tuple[tuple[int, ...], ...]
    seed: str
    constraints: Constraints
    gain: Callable[[Sequence[int]], float] = len
    begins: int = 0
    last: tuple[tuple[int, ...], ...] = ()
    least: int = 2
    most: int = 1000


def swiss_with_byes(task: RoundTask, pairing: Pairing = "neighbours") -> tuple[Round, tuple[int, ...]]:
    """Seat as many of the task's `order`, best first, as tables of its sizes hold; return the tables and the byes.

    Nobody has another bye before all others have had as many. Of all choices that are fair in this sense the one wins
    whose `swiss` tables have the fewest repeats, as `swiss` counts them; among equals the byes go to the players who
    have played most, then to the lowest in the standings. The result is exact for up to 12 players in `order`; beyond,
    byes are swapped while that saves repeats. Raises ValueError as `swiss` does.
    """
    order, sizes, played = task.order, task.sizes, task.played
    upwards = order[::-1]
    sure, candidates = bye_candidates(upwards, len(order) - sum(sizes), played, task.sat_out)
    open_byes = len(order) - sum(sizes) - len(sure)
    met = meetings(played)

    def tables_without(chosen: Sequence[int]) -> list[list[int]]:
        out = {*sure, *chosen}
        playing = [player for player in order if player not in out]
        return swiss_tables(playing, sizes, played, task.seed, pairing, task.constraints)

    chosen: Sequence[int] = candidates[:open_byes]
    tables = tables_without(chosen)
    if len(order) <= EXACT_PLAYERS:
        others = combinations(candidates, open_byes)
        while repeats(tables, met) and (other := next(others, None)) is not None:
            chosen, tables = _better((chosen, tables), (other, tables_without(other)), met)
    elif repeats(tables, met):
        exchanged = _swapped(tables, chosen, candidates, met)
        new = (exchanged[0], tables_without(exchanged[0]))
        chosen, tables = _better((chosen, tables), _better(new, exchanged, met), met)
    out = {*sure, *chosen}
    return seated(tables, played), tuple(player for player in upwards if player in out)


ByeChoice = tuple[Sequence[int], list[list[int]]]
"""The players with a bye, and the tables of the others."""


def _better(first: ByeChoice, second: ByeChoice, met: Met) -> ByeChoice:
    """Return the choice with fewer repeats; the first of two equals."""
    return second if repeats(second[1], met) < repeats(first[1], met) else first


def repeats(tables: Sequence[Sequence[int]], met: Met) -> int:
    """Return the weighted repeats of pairs at one table who have met."""
    return sum(_pair_repeats(pair, met) for table in tables for pair in combinations(table, 2))


def _pair_repeats(pair: tuple[int, int], met: Met) -> int:
    return weighted_repeats(met.get((min(pair), max(pair)), 0))


def _swapped(tables: Sequence[Sequence[int]], chosen: Sequence[int], candidates: Sequence[int], met: Met) -> ByeChoice:
    """Return the choice after swapping players with a bye for other `candidates`, while that saves repeats."""
    now, out = [list(table) for table in tables], list(chosen)
    while True:
        changes = [
            (_saved(table, player, other, met), table, player, other)
            for player in candidates
            for table in now
            if player in table
            for other in out
        ]
        saved, table, player, other = max(changes, key=lambda change: change[0], default=(0, [], 0, 0))
        if saved <= 0:
            return out, now
        table[table.index(player)], out[out.index(other)] = other, player


def _saved(table: Sequence[int], player: int, other: int, met: Met) -> int:
    """Return how many repeats the table saves if the other player takes the player's place."""
    rest = [mate for mate in table if mate != player]
    return sum(_pair_repeats((mate, player), met) - _pair_repeats((mate, other), met) for mate in rest)
