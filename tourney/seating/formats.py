"""Tournament formats: the order of the players and the seating of a round in each. A new format is one entry here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import accumulate, permutations
from typing import Final, Literal

from tourney.seating.balance.byes import next_byes
from tourney.seating.balance.table_numbers import number_tables, place_constrained
from tourney.seating.constraints import violations
from tourney.seating.information_gain import informative_tables
from tourney.seating.model import DRAWN_AS, Round
from tourney.seating.quality.metrics import Rounds, seat_counts, smaller_table_rounds
from tourney.seating.rng import Rng, seeded_rng, shuffled
from tourney.seating.separate import separated_round, shared
from tourney.seating.swiss import Pairing, RoundTask, seated, swiss_with_byes


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


SeatKind = tuple[int, int]
"""The size of a table, and a seat at it."""


def random_draw(players: Sequence[int], sizes: Sequence[int], played: Rounds, rng: Rng) -> Round:
    """Seat these players at random at tables of these sizes, the tables in the order of the sizes.

    First each player gets a table size and a seat, so that rounds at tables smaller than the largest are as level as
    possible, then first deals, then all seats (least squares, the rounds `played` included), at random among equals.
    Then players with the same seat at tables of the same size are assigned to these tables at random. Where all tables
    are equal, players of every round have had each seat equally often, or once more.
    """
    mixed = shuffled(list(players), rng)
    places = [(size, seat) for size in sorted(set(sizes)) for seat in range(size)]
    prices = _prices(mixed, places, max(sizes), played)
    given = min_cost_assignment(prices, [list(sizes).count(size) for size, _seat in places])
    waiting: dict[SeatKind, list[int]] = {place: [] for place in places}
    for player, number in zip(mixed, given, strict=True):
        waiting[places[number]].append(player)
    waiting = {place: shuffled(group, rng) for place, group in waiting.items()}
    return tuple(tuple(waiting[size, seat].pop() for seat in range(size)) for size in sizes)


def _prices(players: Sequence[int], places: Sequence[SeatKind], largest: int, played: Rounds) -> list[list[int]]:
    """Return what each seat adds to a player's squared counts: smaller tables first, then first deals, then seats."""
    seats, short = seat_counts(played, max(players) + 1), smaller_table_rounds(played, max(players) + 1)
    counts = [[*seats[player], *[0] * largest] for player in players]
    level = 2 * sum(map(max, counts)) + len(players) + 1
    dealer, smaller = level, level * level
    return [
        [
            (2 * row[seat] + 1) * (1 + dealer * (seat == 0)) + (2 * short[player] + 1) * smaller * (size < largest)
            for size, seat in places
        ]
        for player, row in zip(players, counts, strict=True)
    ]


def min_cost_assignment(prices: Sequence[Sequence[int]], room: Sequence[int]) -> list[int]:
    """Assign each player a place with the least sum of `prices[player][place]`; place p has room for `room[p]` players.

    There must be room for all. Players are added one by one; where a place is full one of its players moves on, until
    a player reaches a place with room: with the cheapest such chains the sum stays minimal (successive shortest paths).
    """
    assignment = _Assignment(prices, room)
    for player in range(len(prices)):
        assignment.add(player)
    return assignment.place


class _Assignment:
    """The places of the players added so far.

    `moves[origin][target]` is a heap of (price, player) for moves, including players who have since left the origin.
    """

    def __init__(self, prices: Sequence[Sequence[int]], room: Sequence[int]) -> None:
        self.prices, self.room = prices, list(room)
        self.place = [-1] * len(prices)
        self.moves: list[list[list[tuple[int, int]]]] = [[[] for _target in room] for _origin in room]

    def add(self, player: int) -> None:
        """Give a player a place, assignment others on where that is cheapest."""
        cost, came_from = self._cheapest_chains(self.prices[player])
        at = min((place for place, room in enumerate(self.room) if room), key=cost.__getitem__)
        self.room[at] -= 1
        while (previous := came_from[at]) is not None:
            self._place(self.moves[previous][at][0][1], at)
            at = previous
        self._place(player, at)

    def _cheapest_chains(self, prices: Sequence[int]) -> tuple[list[int], list[int | None]]:
        """Return by place the price of the cheapest chain to it that a new player begins, and the place before it."""
        cost = list(prices)
        came_from: list[int | None] = [None] * len(cost)
        shorter = True
        while shorter:
            shorter = False
            for origin, target in permutations(range(len(cost)), 2):
                delta = self._cheapest(origin, target)
                if delta is not None and cost[origin] + delta < cost[target]:
                    cost[target], came_from[target] = cost[origin] + delta, origin
                    shorter = True
        return cost, came_from

    def _cheapest(self, origin: int, target: int) -> int | None:
        """Return the lowest price of a player's move between two places; None where nobody can move."""
        waiting = self.moves[origin][target]
        while waiting and self.place[waiting[0][1]] != origin:
            heappop(waiting)
        return waiting[0][0] if waiting else None

    def _place(self, player: int, target: int) -> None:
        self.place[player] = target
        for other, price in enumerate(self.prices[player]):
            if other != target:
                heappush(self.moves[target][other], (price - self.prices[player][target], player))


OrderedBy = Literal["nothing", "standings", "last tables", "rating", "information gain"]
"""The order of the players of a round, best first; information gain also values tables."""

RankedBy = Literal["nothing", "lives", "last table"]
"""The criterion that ranks the players of a stage before their points: lives left, or the table of the last round."""

RANDOM_DRAWS: Final = 200
"""The number of random draws, of which the first with the fewest violations is taken."""


Seated = tuple[Sequence[Sequence[int]], Sequence[int]]
"""The tables of a round, and the players with a bye."""


@dataclass(frozen=True, slots=True)
class Format:
    """A tournament format.

    `seat` seats one round; None where all rounds are planned ahead, or an organiser gives every table. `summary` is
    what people read about it. `ordered_once` says that only the first round of a stage is ordered; `ranked_by` is what
    ranks the players of a stage before their points do. Only a stage of an event can have a format that has `lives`.
    `equal_tables` says that neighbours in the order sit at different tables.
    """

    name: str
    summary: str
    ordered_by: OrderedBy = "nothing"
    seat: Callable[[RoundTask], Seated] | None = None
    planned_ahead: bool = False
    ordered_once: bool = False
    ranked_by: RankedBy = "nothing"
    lives: bool = False
    equal_tables: bool = False


def pair(pairing: Pairing) -> Callable[[RoundTask], Seated]:
    """Return a function that seats a Swiss round by this pairing, with the byes that leave the fewest repeats."""

    def seat(task: RoundTask) -> Seated:
        # Distances in a random order mean nothing, but would outweigh level seats and smaller-table rounds.
        by = pairing if task.is_ordered or not task.played else "anybody"
        return _separated(task, *swiss_with_byes(task, by))

    return seat


def _separated(task: RoundTask, tables: Sequence[Sequence[int]], out: Sequence[int]) -> Seated:
    """Return the round without a pair that never shares a table, where that is possible; mostly it is unchanged."""
    if not shared(tables, task.constraints.never_pairs):
        return tables, out
    apart, byes = separated_round(tables, out, task.played, task.constraints)
    return seated(place_constrained([apart], task.constraints.tables)[0], task.played), byes


def draw_at_random(task: RoundTask) -> Seated:
    """Seat players at random, with level counts; the first of many draws with the fewest violations is taken."""
    rng = seeded_rng("lots", task.seed, len(task.played))
    order = shuffled(list(range(len(task.order))), rng)
    (out,) = next_byes(order, len(order) - sum(task.sizes), 1, task.played, task.sat_out)
    playing = [player for player in order if player not in out]
    best: tuple[tuple[int, int], Round] | None = None
    for _number in range(RANDOM_DRAWS):
        tables = random_draw(playing, task.sizes, task.played, rng)
        broken = (
            len(shared(tables, task.constraints.never_pairs)),
            violations(task.constraints, [tables], len(order)).apart,
        )
        if best is None or broken < best[0]:
            best = broken, tables
        if best[0] == (0, 0):
            break
    assert best is not None, "there is at least one draw"
    apart, byes = _separated(task, best[1], out)
    groups = [[list(table) for table in apart]]
    if DRAWN_AS.get() == 1:
        return place_constrained(groups, task.constraints.tables)[0], byes
    return number_tables(groups, task.played, task.constraints.tables, len(task.order))[0], byes


def gain_most(task: RoundTask) -> Seated:
    """Seat the tables with the highest gain among those with the fewest repeats and then the most level counts."""
    _tables, out = pair("anybody")(task)
    playing = [player for player in task.order if player not in out]
    tables = informative_tables(playing, task.sizes, task.played, task.gain, task.seed, task.constraints)
    return _separated(task, seated(tables, task.played), out)


def keep_groups(task: RoundTask) -> Seated:
    """Seat groups of equal strength by the order, or drawn if there is none; they stay together in a stage."""
    if len(task.played) <= task.begins:
        return pair("snake")(task) if task.is_ordered else draw_at_random(task)
    tables, out = kept_groups(task.order, task.played[-1], task.least, task.most)
    return _separated(task, seated(tables, task.played), out)


def seat_across(task: RoundTask) -> Seated:
    """Seat the order across equally strong tables, to and fro: 1-4-5-8 and 2-3-6-7. Earlier stages do not count."""
    stage = replace(task, played=task.played[task.begins :], sat_out=task.sat_out[task.begins :])
    return pair("snake")(stage)


def climb(task: RoundTask) -> Seated:
    """Seat a ladder: the winner of each table moves one table up, the last one down."""
    tables, out = ladder_tables(task.order, task.sizes, task.last, task.played, task.sat_out)
    return _separated(task, seated(tables, task.played), out)


FORMATS: Final[Mapping[str, Format]] = {
    entry.name: entry
    for entry in (
        Format("rotation", "all rounds are planned ahead so that players seldom meet again", planned_ahead=True),
        Format("swiss", "players near each other in the standings meet", "standings", pair("neighbours")),
        Format("rated swiss", "players near each other by rating meet", "rating", pair("neighbours")),
        Format("snake", "all tables are equally strong by rating", "rating", pair("snake"), equal_tables=True),
        Format("seeded", "all tables are equally strong by the standings", "standings", seat_across, equal_tables=True),
        Format("random", "tables are drawn at random", seat=draw_at_random),
        Format("informative", "tables whose results say most about ratings", "information gain", gain_most),
        Format(
            "groups", "the same players meet in every round of a stage", "standings", keep_groups, ordered_once=True
        ),
        Format(
            "knock-out",
            "the last at each table loses a life; only in a stage of an event",
            seat=pair("anybody"),
            ranked_by="lives",
            lives=True,
        ),
        Format(
            "ladder",
            "the winner of a table moves one table up, the last one down",
            "last tables",
            climb,
            ranked_by="last table",
        ),
        Format("manual", "you give every round in a file"),
    )
}
"""All formats by name; the names are stored with events."""
